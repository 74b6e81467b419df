#include "engine/core/output_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace slip {
namespace {

namespace fs = std::filesystem;

/// "STEM-000123EXTENSION", or that with ".part".
bool IsNumbered(std::string_view name, std::string_view stem, std::string_view extension) {
  if (name.ends_with(".part")) name.remove_suffix(5);
  if (!name.starts_with(stem) || !name.ends_with(extension)) return false;
  if (name.size() < stem.size() + 2 + extension.size() || name[stem.size()] != '-') return false;
  const std::string_view digits =
      name.substr(stem.size() + 1, name.size() - stem.size() - 1 - extension.size());
  return std::all_of(digits.begin(), digits.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

Result<std::shared_ptr<OutputSeries>> OutputSeries::Open(const std::string& folder,
                                                         const std::vector<std::string>& stems,
                                                         const std::string& extension, bool force,
                                                         bool* taken) {
  std::vector<std::string> owned;
  for (const std::string& stem : stems) owned.push_back(stem + "-series");
  const std::vector<std::string_view> names(owned.begin(), owned.end());
  auto claims = OpenOutputFiles(folder, names, force, taken);
  if (!claims) return claims.errors();
  std::shared_ptr<OutputSeries> series(new OutputSeries);
  series->folder_ = folder;
  series->extension_ = extension;
  series->force_ = force;
  series->claims_ = std::move(claims).value();
  std::error_code code;
  std::string first;
  int64_t count = 0;
  fs::directory_iterator at(folder, code);
  for (; !code && at != fs::directory_iterator(); at.increment(code)) {
    const std::string name = at->path().filename().string();
    const bool ours = std::any_of(stems.begin(), stems.end(), [&](const std::string& stem) {
      return IsNumbered(name, stem, extension);
    });
    std::error_code unknown;
    const std::size_t dash = name.rfind('-');
    if (force && dash != std::string::npos && IsNumbered(name, name.substr(0, dash), extension) &&
        !name.ends_with(".part") && fs::is_regular_file(at->symlink_status(unknown)))
      series->former_.insert(at->path().string());
    if (!ours) continue;
    if (force) {
      // nobody writes it: the series is ours
      std::error_code ignored;
      if (name.ends_with(".part")) fs::remove(at->path(), ignored);
      continue;
    }
    ++count;
    if (first.empty() || name < first) first = name;
  }
  if (count == 0) return series;
  if (taken != nullptr) *taken = true;
  const std::string also = count > 1 ? fmt::format(", and {} more", count - 1) : "";
  return Error{.message = "exists already" + also,
               .file = (fs::path(folder) / first).string(),
               .hint = "--force overwrites"};
}

std::string OutputSeries::Path(std::string_view stem, int64_t number) const {
  return (fs::path(folder_) / fmt::format("{}-{:06}{}", stem, number, extension_)).string();
}

Result<std::shared_ptr<OutputFile>> OutputSeries::OpenFile(std::string_view stem,
                                                           int64_t number) const {
  return OutputFile::Open(Path(stem, number), force_);
}

Status OutputSeries::Write(std::string_view stem, int64_t number, std::string_view text) {
  const std::string path = Path(stem, number);
  Status written = WriteFile(path, text, force_);
  if (written.ok()) former_.erase(path);
  return written;
}

void OutputSeries::RemoveFormer(
    const std::function<bool(const std::string& stem, const std::string& path)>& ours) {
  std::error_code ignored;
  for (const std::string& path : former_) {
    const std::string name = fs::path(path).filename().string();
    if (ours(name.substr(0, name.rfind('-')), path)) fs::remove(path, ignored);
  }
  former_.clear();
}

void OutputSeries::RemoveFrom(std::string_view stem, int64_t number) const {
  std::error_code code;
  while (fs::remove(Path(stem, number), code) && !code) ++number;
}

}  // namespace slip
