#include "app/cli/build_info.h"

#include <fmt/format.h>

namespace slip::app {

std::string Version() { return SLIP_VERSION; }

std::string BuildText() {
#if defined(__clang__)
  std::string text =
      fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  std::string text = fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  const std::string type = SLIP_BUILD_TYPE;
  const std::string sanitizers = SLIP_SANITIZE;
  if (!type.empty()) text += ", " + type;
  if (!sanitizers.empty()) text += ", sanitizers " + sanitizers;
  return text;
}

}  // namespace slip::app
