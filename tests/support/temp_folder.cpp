#include "tests/support/temp_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace slip {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "slipscope-test-XXXXXX").string();
  path_ = mkdtemp(name.data());
}
TempFolder::~TempFolder() {
  std::error_code code;
  std::filesystem::remove_all(path_, code);
}
std::string TempFolder::path(const std::string& name) const {
  return name.empty() ? path_ : path_ + "/" + name;
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteText(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::map<std::string, std::string>> ReadCsv(const std::string& path) {
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    return cells;
  };
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) row[names[i]] = cells[i];
  }
  return rows;
}

}  // namespace slip
