// Where the program's own files live.
#pragma once

#include <string>

namespace slip {

/// The folder that holds scenes/ and assets/: $SLIPSCOPE_DATA, the source tree, or the installed
/// share folder.
std::string DataFolder();

}  // namespace slip
