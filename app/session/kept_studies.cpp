#include "app/session/kept_studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

namespace slip::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMadeFile = "made.txt";  // version, build, seconds: a line each

std::uintmax_t BytesIn(const fs::path& folder) {
  std::error_code code;
  std::uintmax_t bytes = 0;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    const std::uintmax_t size = at->file_size(code);
    bytes += code ? 0 : size;
    code.clear();
  }
  return bytes;
}

/// What the cells take as lines of a file.
std::uintmax_t BytesOf(const StudyCell& cell) {
  std::uintmax_t bytes = cell.row.size();
  for (const std::string& sample : cell.samples) bytes += sample.size() + 1;
  return bytes;
}

}  // namespace

std::string KeptStudies::FolderOf(const StudyPlan& plan) const {
  // whoever makes them: the last results of a study as it is
  return (fs::path(folder_) / (plan.studies.front().id + "-" + plan.Hash({}))).string();
}

void KeptStudies::Keep(const KeptCells& cells, const RunContext& by, double seconds) const {
  if (folder_.empty()) return;
  const std::string folder = FolderOf(*cells.plan);
  const auto file = CellFile::Open(folder, *cells.plan, by, true, nullptr);
  if (!file) return;
  std::uintmax_t bytes = 0;
  for (std::size_t cell = 0; cell < cells.plan->cells(); ++cell) {
    if ((*file)->done()[cell]) continue;  // of a window that was ended meanwhile
    const auto made = cells.index->Read(cell);
    bytes += made ? BytesOf(*made) : 0;
    if (!made || bytes > most_ / 4) return;
    (*file)->Write(*made);
  }
  if (!(*file)->Commit()) return;
  static_cast<void>(WriteFile((fs::path(folder) / kMadeFile).string(),
                              fmt::format("{}\n{}\n{:.3f}\n", by.version, by.build, seconds),
                              true));
  Prune();
}

FoundStudy KeptStudies::Find(const std::shared_ptr<const StudyPlan>& plan) const {
  FoundStudy found;
  if (folder_.empty()) return found;
  const std::string folder = FolderOf(*plan);
  std::ifstream in(fs::path(folder) / kMadeFile, std::ios::binary);
  std::string seconds;
  if (!std::getline(in, found.by.version) || !std::getline(in, found.by.build) ||
      !std::getline(in, seconds))
    return found;
  found.seconds = std::strtod(seconds.c_str(), nullptr);
  Result<CellIndex> index = ReadStudyParts({folder}, *plan, found.by);
  if (!index) return found;
  StudyData data(plan->studies.front());
  std::size_t failed = 0;
  for (std::size_t cell = 0; cell < plan->cells(); ++cell) {
    const auto made = index->Read(cell);
    if (!made) return found;
    const StudyPlan::Place place = plan->PlaceOf(cell);
    data.Add(place.run, place.index, *made);
    failed += made->failed ? 1 : 0;
  }
  found.shown = ShowStudy(plan, data, plan->cells(), failed, true);
  found.cells =
      std::make_shared<const KeptCells>(KeptCells{plan, nullptr, std::move(index).value()});
  return found;
}

void KeptStudies::Prune() const {
  struct Kept {
    fs::file_time_type when;
    fs::path folder;
    std::uintmax_t bytes;
  };
  std::vector<Kept> all;
  std::uintmax_t bytes = 0;
  std::error_code code;
  for (fs::directory_iterator at(folder_, code), end; !code && at != end; at.increment(code)) {
    std::error_code none;
    all.push_back(
        {fs::last_write_time(at->path() / kMadeFile, none), at->path(), BytesIn(at->path())});
    bytes += all.back().bytes;
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.when < b.when; });
  for (std::size_t i = 0; i + 1 < all.size() && bytes > most_; ++i) {
    std::error_code ignored;
    fs::remove_all(all[i].folder, ignored);
    bytes -= all[i].bytes;
  }
}

}  // namespace slip::app
