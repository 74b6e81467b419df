#include "engine/study/cell_file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>

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

using File = std::shared_ptr<std::FILE>;

/// Null where it cannot be read.
File OpenToRead(const std::string& path) {
  return {std::fopen(path.c_str(), "rb"), [](std::FILE* f) { f != nullptr ? std::fclose(f) : 0; }};
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

/// What the first line of a file of cells says of itself.
struct CellsOf {
  SweepShard shard;
  std::size_t cells = 0;  ///< of the whole study; 0 = it is no such line
};
CellsOf ParseFirstLine(const std::string& line) {
  CellsOf of;
  if (!line.starts_with(kFirst)) return of;
  const std::vector<std::string> words = SplitAt(line.substr(kFirst.size()), ' ');
  if (words.size() != 3) return of;
  const Result<SweepShard> shard = ParseShard(words[1]);
  if (!shard) return of;
  of.shard = *shard;
  std::from_chars(words[2].data(), words[2].data() + words[2].size(), of.cells);
  return of;
}

std::string Told(const CellsOf& of) {
  return fmt::format("part {}/{} of {} cell{}", of.shard.index, of.shard.count, of.cells,
                     of.cells == 1 ? "" : "s");
}

/// Of what another study left behind in our place.
Error LeftByAnother(const std::string& part, const CellsOf& theirs, const CellsOf& ours) {
  const std::string what = Told(theirs), mine = Told(ours);
  return {.message = "was left by another study that was cut off" +
                     (what == mine ? "" : fmt::format(": {}, and this is {}", what, mine)),
          .file = part,
          .hint =
              "the same command as then (studies, --quick, --shard, program) goes on with it; "
              "--force discards it"};
}

/// Why the part of a study in this folder is not whole.
Error NotFinished(const std::string& path) {
  const std::string part = path + ".part";
  const File file = OpenToRead(part);
  if (file == nullptr) return {.message = "cannot be read", .file = path};
  std::size_t lines = 0;
  const std::string first = ReadLine(file.get());
  while (ReadLine(file.get()).ends_with('\n')) ++lines;
  const CellsOf of = ParseFirstLine(first);
  return {.message = fmt::format("is not finished: {} cell{}{}", lines, lines == 1 ? "" : "s",
                                 of.cells > 0 ? ", " + Told(of) : ""),
          .file = part,
          .hint = "the same command as then goes on with it"};
}

}  // namespace

Status CellIndex::Add(const std::string& path, const std::string& key, std::size_t* good_bytes) {
  const File file = OpenToRead(path);
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
    const File file = OpenToRead(left->part());
    const CellsOf theirs = ParseFirstLine(file != nullptr ? ReadLine(file.get()) : std::string());
    if (theirs.cells > 0 && !force) {
      if (taken != nullptr) *taken = true;
      return LeftByAnother(left->part(), theirs, {plan.shard, plan.cells()});
    }
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
  std::map<int, std::string> paths;  // by the number of the part
  int parts = 0;
  for (const std::string& folder : folders) {
    const std::string path = (fs::path(folder) / kCellFile).string();
    const File file = OpenToRead(path);
    if (file == nullptr) {
      errors.push_back(NotFinished(path));
      continue;
    }
    const SweepShard shard = ParseFirstLine(ReadLine(file.get())).shard;
    parts = std::max(parts, shard.count);
    if (!paths.emplace(shard.index, path).second)
      errors.push_back(
          {.message = fmt::format("is part {}, and so is another one", shard.index), .file = path});
    if (Status status = index.Add(path, KeyOf(plan, context, shard)); !status)
      errors.insert(errors.end(), status.errors().begin(), status.errors().end());
  }
  if (!errors.empty()) return errors;
  for (int part = 1; part <= parts; ++part)
    if (!paths.contains(part))
      errors.push_back({.message = fmt::format("part {}/{} is missing", part, parts)});
  if (!errors.empty()) return errors;
  std::map<int, std::size_t> lacks;
  for (std::size_t cell = 0; cell < plan.cells(); ++cell)
    if (!index.Has(cell)) ++lacks[static_cast<int>(cell % static_cast<std::size_t>(parts)) + 1];
  for (const auto& [part, count] : lacks)
    errors.push_back(
        {.message = fmt::format("part {}/{} lacks {} of its cells", part, parts, count),
         .file = paths[part],
         .hint = "it is damaged: make it again"});
  if (!errors.empty()) return errors;
  return index;
}

}  // namespace slip
