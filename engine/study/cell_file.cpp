#include "engine/study/cell_file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <set>

#include "engine/core/hash.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirst = "slipscope.study-cells/1 ";
/// Between the parts of a cell; no number or CSV of ours has it.
constexpr char kNext = '\x1f';

std::string HashText(std::string_view text) {
  Fnv1a hash;
  for (const char c : text) hash.Add(static_cast<unsigned char>(c));
  return fmt::format("{:016x}", hash.value());
}

std::string FirstLine(const std::string& key) { return fmt::format("{}{}\n", kFirst, key); }

std::string KeyOf(const StudyPlan& plan, const RunContext& context, const SweepShard& shard) {
  return fmt::format("{} {}/{} {}", plan.Hash(context), shard.index, shard.count, plan.cells());
}

std::string LineOf(const StudyCell& cell) {
  std::string text = fmt::format("{} {}", cell.cell, cell.failed ? "failed" : "done");
  text += kNext + cell.row;
  for (const std::string& sample : cell.samples) text += kNext + sample;
  return fmt::format("{} {}\n", HashText(text), text);
}

/// A line without its end; nothing when it is damaged.
std::optional<StudyCell> ParseLine(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view text = line.substr(blank + 1);
  if (HashText(text) != line.substr(0, blank)) return std::nullopt;
  StudyCell cell;
  const char* end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, cell.cell);
  if (number.ec != std::errc()) return std::nullopt;
  std::size_t at = text.find(kNext);
  if (at == std::string_view::npos) return std::nullopt;
  cell.failed = text.substr(0, at).ends_with("failed");
  for (bool first = true; at != std::string_view::npos; first = false) {
    const std::size_t next = text.find(kNext, at + 1);
    const std::size_t size = next == std::string_view::npos ? next : next - at - 1;
    std::string part(text.substr(at + 1, size));
    if (first) {
      cell.row = std::move(part);
    } else {
      cell.samples.push_back(std::move(part));
    }
    at = next;
  }
  return cell;
}

/// A line with its end; empty at the end of the file.
std::string ReadLine(std::FILE* file) {
  std::string line;
  char buffer[1 << 14];
  while (std::fgets(buffer, sizeof buffer, file) != nullptr) {
    line += buffer;
    if (line.ends_with('\n')) break;
  }
  return line;
}

}  // namespace

Status CellIndex::Add(const std::string& path, const std::string& key, std::size_t* good_bytes) {
  const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"),
                                        [](std::FILE* f) { f != nullptr ? std::fclose(f) : 0; });
  if (file == nullptr) return Error{.message = "cannot be read", .file = path};
  std::string line = ReadLine(file.get());
  if (!line.starts_with(kFirst)) return Error{.message = "has no cells of a study", .file = path};
  if (line != FirstLine(key))
    return Error{.message = "is of another study",
                 .file = path,
                 .hint =
                     "file of the study, scenes, --quick, program and number of parts must be "
                     "the same"};
  std::size_t at = line.size();
  for (line = ReadLine(file.get()); line.ends_with('\n'); line = ReadLine(file.get())) {
    const std::optional<StudyCell> cell =
        ParseLine(std::string_view(line).substr(0, line.size() - 1));
    if (!cell || cell->cell >= places_.size()) break;
    if (Has(cell->cell))
      return Error{.message = fmt::format("has cell {}, which is there already", cell->cell + 1),
                   .file = path};
    places_[cell->cell] = {files_.size(), at, line.size()};
    ++count_;
    at += line.size();
  }
  if (good_bytes != nullptr) *good_bytes = at;
  files_.push_back(file);
  return Ok{};
}

std::optional<StudyCell> CellIndex::Read(std::size_t cell) const {
  const PlaceInFile& place = places_[cell];
  if (place.size == 0) return std::nullopt;
  std::FILE* file = files_[place.file].get();
  std::string line(place.size, '\0');
  if (std::fseek(file, static_cast<long>(place.begin), SEEK_SET) != 0) return std::nullopt;
  if (std::fread(line.data(), 1, line.size(), file) != line.size()) return std::nullopt;
  std::optional<StudyCell> found = ParseLine(std::string_view(line).substr(0, line.size() - 1));
  return found && found->cell == cell ? found : std::nullopt;
}

Result<std::unique_ptr<CellFile>> CellFile::Open(const std::string& folder, const StudyPlan& plan,
                                                 const RunContext& context, bool force,
                                                 bool* taken) {
  std::unique_ptr<CellFile> made(new CellFile(plan, KeyOf(plan, context, plan.shard)));
  if (Status status = MakeFolder(folder); !status) return status.errors();
  const std::string path = (fs::path(folder) / kCellFile).string();
  if (std::shared_ptr<OutputFile> left = OutputFile::TakeOver(path, force)) {
    CellIndex index(plan.cells());
    std::size_t good_bytes = 0;
    if (index.Add(left->part(), made->key_, &good_bytes)) {
      left->Cut(good_bytes);
      for (std::size_t cell = 0; cell < made->done_.size(); ++cell)
        made->done_[cell] = index.Has(cell);
      made->kept_ = index.count();
      made->file_ = std::move(left);
      return made;
    }
    left->LeavePart();
  }
  Result<std::shared_ptr<OutputFile>> file = OutputFile::Open(path, force, taken);
  if (!file) return file.errors();
  made->file_ = *file;
  made->file_->Write(FirstLine(made->key_));
  made->file_->Flush();
  return made;
}

void CellFile::Write(const StudyCell& cell) {
  file_->Write(LineOf(cell));
  file_->Flush();
}

Result<CellIndex> CellFile::Index() {
  file_->Flush();
  CellIndex index(done_.size());
  if (Status status = index.Add(file_->part(), key_); !status) return status.errors();
  return index;
}

Result<CellIndex> ReadStudyParts(const std::vector<std::string>& folders, const StudyPlan& plan,
                                 const RunContext& context) {
  CellIndex index(plan.cells());
  ErrorList errors;
  std::set<int> seen;
  int parts = 0;
  for (const std::string& folder : folders) {
    const std::string path = (fs::path(folder) / kCellFile).string();
    // the first line says which part of how many it is
    std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"),
                                    [](std::FILE* f) { f != nullptr ? std::fclose(f) : 0; });
    SweepShard shard;
    const std::string first = file != nullptr ? ReadLine(file.get()) : std::string();
    const std::size_t slash = first.find('/', kFirst.size());
    const std::size_t blank = first.rfind(' ', slash);
    if (slash != std::string::npos && blank != std::string::npos) {
      const std::string part = first.substr(blank + 1, first.find(' ', slash) - blank - 1);
      if (const Result<SweepShard> parsed = ParseShard(part)) shard = *parsed;
    }
    parts = std::max(parts, shard.count);
    if (!seen.insert(shard.index).second && file != nullptr)
      errors.push_back(
          {.message = fmt::format("is part {}, and so is another one", shard.index), .file = path});
    if (Status status = index.Add(path, KeyOf(plan, context, shard)); !status)
      errors.insert(errors.end(), status.errors().begin(), status.errors().end());
  }
  if (!errors.empty()) return errors;
  for (int part = 1; part <= parts; ++part)
    if (!seen.contains(part))
      return Error{.message = fmt::format("part {}/{} is missing", part, parts)};
  if (index.count() < plan.cells())
    return Error{.message = fmt::format("{} of {} cells are missing", plan.cells() - index.count(),
                                        plan.cells()),
                 .hint = "a part is damaged: make it again"};
  return index;
}

}  // namespace slip
