#include "app/report/former_report.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/report/study_folder.h"
#include "engine/study/study_files.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

std::string FirstLine(const fs::path& path) {
  std::string line;
  std::ifstream in(path, std::ios::binary);
  std::getline(in, line);
  return line;
}

/// Ids of the studies that the verdicts of a former report are about.
std::set<std::string> StudiesIn(const fs::path& verdicts) {
  std::set<std::string> ids;
  if (!IsPlainFile(verdicts.string())) return ids;
  std::ifstream in(verdicts, std::ios::binary);
  std::string line;
  if (!std::getline(in, line) || line + "\n" != VerdictHeader()) return ids;
  while (std::getline(in, line)) ids.insert(line.substr(0, line.find(',')));
  return ids;
}

/// Whether a file is a table that a study of one of these ids wrote.
bool IsTable(const fs::path& path, const std::set<std::string>& ids) {
  const std::string name = path.filename().string();
  const bool ours = std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
    return !id.empty() && name.starts_with(id + "-");
  });
  if (!ours || path.extension() != ".csv" || !IsPlainFile(path.string())) return false;
  const std::string header = FirstLine(path);
  return header.starts_with("cell,") && header.find(",model,") != std::string::npos;
}

/// "figures/creep-creep.svg" and ".png" of each "](figures/creep-creep.svg)".
std::vector<std::string> FiguresIn(const fs::path& report) {
  std::vector<std::string> figures;
  if (!IsPlainFile(report.string())) return figures;
  std::ifstream in(report, std::ios::binary);
  constexpr std::string_view kBegin = "](figures/";
  for (std::string line; std::getline(in, line);) {
    for (std::size_t at = line.find(kBegin); at != std::string::npos; at = line.find(kBegin, at)) {
      at += 2;
      const std::size_t end = line.find(')', at);
      if (end == std::string::npos) break;
      const std::string name = line.substr(at, end - at);
      // no way out of the folder
      if (name.find('/', name.find('/') + 1) != std::string::npos) continue;
      if (!name.ends_with(".svg") && !name.ends_with(".png")) continue;
      figures.push_back(name);
      // a figure is there as a picture, too
      figures.push_back(name.substr(0, name.size() - 4) + ".png");
    }
  }
  return figures;
}

}  // namespace

FormerFiles FindFormerReport(const std::string& folder, std::span<const std::string_view> written) {
  FormerFiles former(folder, written);
  const fs::path place(folder);
  const std::set<std::string> ids = StudiesIn(place / kVerdictFile);
  if (ids.empty()) return former;
  for (const std::string& name : FiguresIn(place / kMarkdownFile)) former.Add(name);
  std::error_code code;
  for (fs::directory_iterator at(place, code), end; !code && at != end; at.increment(code))
    if (IsTable(at->path(), ids)) former.Add(at->path().filename().string());
  return former;
}

}  // namespace slip::app
