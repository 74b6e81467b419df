#include "engine/core/other_case.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

namespace slip {
namespace {

namespace fs = std::filesystem;

std::string ToLower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The entry of a folder by this name, or by one in another case.
fs::path FindEntry(const fs::path& folder, const std::string& name) {
  std::error_code code;
  if (fs::exists(folder / name, code)) return folder / name;
  std::vector<std::string> found;
  fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    const std::string other = entry->path().filename().string();
    if (ToLower(other) == ToLower(name)) found.push_back(other);
  }
  if (found.empty()) return {};
  return folder / *std::min_element(found.begin(), found.end());
}

}  // namespace

std::string FindOtherCase(const std::string& path) {
  std::error_code code;
  if (path.empty() || fs::exists(path, code)) return {};
  const fs::path wanted(path);
  fs::path found = wanted.root_path();
  for (const fs::path& part : wanted.relative_path()) {
    if (part.empty()) continue;
    if (part == "." || part == "..") {
      found /= part;
      continue;
    }
    found = FindEntry(found, part.string());
    if (found.empty()) return {};
  }
  return fs::is_regular_file(found, code) ? found.string() : std::string();
}

std::string HintForMissing(const std::string& path) {
  std::error_code code;
  if (path.empty() || fs::exists(path, code)) return {};
  const std::string other = FindOtherCase(path);
  return other.empty() ? "paths count from the scene file's folder"
                       : "there is '" + other + "': upper and lower case differ";
}

}  // namespace slip
