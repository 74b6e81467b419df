#include "engine/core/data_folder.h"

#include <cstdlib>
#include <filesystem>

namespace slip {

std::string DataFolder() {
  namespace fs = std::filesystem;
  if (const char* data = std::getenv("SLIPSCOPE_DATA"); data != nullptr && *data != '\0')
    return data;
  std::error_code code;
  if (fs::is_directory(fs::path(SLIP_SOURCE_DIR) / "scenes", code)) return SLIP_SOURCE_DIR;
  // Installed: PREFIX/bin/slipscope beside PREFIX/share/slipscope.
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  return (program.parent_path().parent_path() / "share" / "slipscope").string();
}

}  // namespace slip
