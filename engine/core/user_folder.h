// Where what can be made again is kept for the user.
#pragma once

#include <string>

namespace slip {

/// A folder of that name in $XDG_CACHE_HOME/slipscope or ~/.cache/slipscope; empty without a home.
std::string UserCacheFolder(const std::string& name);

}  // namespace slip
