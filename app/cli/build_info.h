// What this program was built from.
#pragma once

#include <string>

namespace slip::app {

std::string Version();    ///< "0.1.0"
std::string BuildText();  ///< "GCC 12.2.0, RelWithDebInfo"

}  // namespace slip::app
