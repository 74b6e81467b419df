// Where the program's own files live.
#pragma once

#include <string>

namespace slip {

/// The folder that holds scenes/ and assets/: $SLIPSCOPE_DATA, else share/slipscope beside the
/// installed program, else the source tree.
std::string DataFolder();

}  // namespace slip
