#include "engine/core/user_folder.h"

#include <cstdlib>
#include <filesystem>

namespace slip {

std::string UserCacheFolder(const std::string& name) {
  namespace fs = std::filesystem;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache != nullptr && cache[0] != '\0') return (fs::path(cache) / "slipscope" / name).string();
  if (home == nullptr || home[0] == '\0') return {};
  return (fs::path(home) / ".cache" / "slipscope" / name).string();
}

}  // namespace slip
