#include "engine/core/data_folder.h"

#include <cstdlib>
#include <filesystem>

namespace slip {

std::string DataFolder() {
  namespace fs = std::filesystem;
  if (const char* data = std::getenv("SLIPSCOPE_DATA"); data != nullptr && *data != '\0')
    return data;
  std::error_code code;
  // installed as PREFIX/bin/slipscope; a program that is built there is not
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  const fs::path installed = program.parent_path().parent_path() / "share" / "slipscope";
  const fs::path source = SLIP_SOURCE_DIR;
  const bool of_source =
      !fs::is_directory(installed / "scenes", code) && fs::is_directory(source / "scenes", code);
  return (of_source ? source : installed).string();
}

}  // namespace slip
