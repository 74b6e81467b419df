// Joining shards.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/text_file.h"
#include "engine/run/study/sweep_file.h"
#include "engine/run/study/sweep_meta.h"

namespace slip {
namespace {

using Json = nlohmann::ordered_json;

struct Shard {
  std::string folder, hash, header;
  int index = 0, count = 0;
  std::size_t runs = 0;
  bool complete = false;
  std::map<std::size_t, std::string> rows;  ///< by number of the run
  std::vector<std::string> line_hashes;     ///< of sweep.csv, as they were written
  Json meta;
};

std::string PathIn(const std::string& folder, const char* name) {
  return (std::filesystem::path(folder) / name).string();
}

/// The most rows that a sweep may have, with room to spare for long ones.
constexpr TextFileKind kSweepFile{.name = "file of a sweep", .most_bytes = 512 * kMebibyte};

/// Commas outside quotes.
std::ptrdiff_t CountCommas(std::string_view line) {
  std::ptrdiff_t commas = 0;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++commas;
  }
  return commas;
}

std::optional<Error> ReadMeta(Shard* shard) {
  const std::string path = PathIn(shard->folder, "meta.json");
  const Result<std::string> text = ReadTextFile(path, kSweepFile);
  std::error_code none;
  if (!text && std::filesystem::exists(path + ".part", none))
    return Error{.message = "is not finished: its sweep was cut off, or runs",
                 .file = path + ".part",
                 .hint = "the same command as then goes on with it"};
  if (!text) return text.error();
  try {
    shard->meta = Json::parse(*text);
    const Json& meta = shard->meta;
    if (meta.at("schema") != "slipscope.sweep/1")
      return Error{.message = "is not of a sweep", .file = path};
    shard->hash = meta.at("plan_hash").get<std::string>();
    shard->runs = meta.at("runs").get<std::size_t>();
    shard->complete = meta.at("complete").get<bool>();
    shard->index = meta.at("shard").at("index").get<int>();
    shard->count = meta.at("shard").at("count").get<int>();
    const Checksum checksum = FindChecksum(*text);
    if (!meta.contains("line_hashes") || checksum == Checksum::kMissing) {
      return Error{.message = "does not say what it and its rows were: an earlier version wrote it",
                   .file = path,
                   .hint = "make this part again"};
    }
    if (checksum == Checksum::kWrong) {
      return Error{.message =
                       "is not what the sweep wrote: it was changed since, or the file is "
                       "damaged",
                   .file = path,
                   .hint = "make this part again"};
    }
    shard->line_hashes = meta.at("line_hashes").get<std::vector<std::string>>();
  } catch (const Json::exception&) {
    return Error{.message = "is not the meta.json of a sweep", .file = path};
  }
  return std::nullopt;
}

std::optional<Error> ReadRows(Shard* shard) {
  const std::string path = PathIn(shard->folder, "sweep.csv");
  const Result<std::string> text = ReadTextFile(path, kSweepFile);
  if (!text) return text.error();
  int number = 0;
  const std::size_t expected = shard->line_hashes.size();
  std::optional<LineHash> hash_of;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = text->find('\n', begin);
    const std::string line = text->substr(begin, end - begin);
    ++number;
    const Error bad{.message = "is not a row of this sweep", .file = path, .line = number};
    if (end == std::string::npos) return bad;
    begin = end + 1;
    if (number == 1) hash_of.emplace(line);
    const auto place = static_cast<std::size_t>(number) - 1;
    if (place < expected && (*hash_of)(line) != shard->line_hashes[place]) {
      return Error{.message =
                       "is not the line that the sweep wrote: it was changed since, or the "
                       "file is damaged",
                   .file = path,
                   .line = number,
                   .hint = "make this part again"};
    }
    if (number == 1) {
      shard->header = line;
      continue;
    }
    std::size_t run = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), run);
    const bool fits = error == std::errc{} && *rest == ',' && run >= 1 && run <= shard->runs &&
                      CountCommas(line) == CountCommas(shard->header);
    if (!fits || !shard->rows.emplace(run, line + "\n").second) return bad;
  }
  if (static_cast<std::size_t>(number) != expected) {
    return Error{.message = fmt::format("has {} lines, and the sweep wrote {}", number, expected),
                 .file = path,
                 .hint = "make this part again"};
  }
  return std::nullopt;
}

/// Do these shards make up one sweep?
ErrorList Check(const std::vector<Shard>& shards) {
  ErrorList errors;
  const Shard& first = shards.front();
  std::map<int, std::string> folders;
  for (const Shard& shard : shards) {
    if (shard.hash != first.hash || shard.header != first.header || shard.count != first.count) {
      errors.push_back({.message = "is of another sweep than " + first.folder,
                        .file = shard.folder,
                        .hint = "scene, parameters, length, window, program and number of shards "
                                "must be the same"});
      continue;
    }
    const auto [twin, fresh] = folders.emplace(shard.index, shard.folder);
    if (!fresh) {
      errors.push_back({.message = fmt::format("is shard {}/{}, and so is {}", shard.index,
                                               shard.count, twin->second),
                        .file = shard.folder});
    }
  }
  if (!errors.empty()) return errors;
  for (int index = 1; index <= first.count; ++index) {
    if (folders.count(index) > 0) continue;
    errors.push_back(
        {.message = fmt::format("--merge: shard {}/{} is missing", index, first.count)});
    break;
  }
  return errors;
}

Status WriteMerged(const std::vector<Shard>& shards, const std::map<std::size_t, std::string>& rows,
                   const std::string& output, const std::string& command_line, bool force,
                   bool* taken) {
  const auto outputs = OpenSweepOutputs(output, force, taken);
  if (!outputs) return outputs.errors();
  outputs->csv->Write(shards.front().header + "\n");
  for (const auto& [run, row] : rows) outputs->csv->Write(row);
  Json meta = shards.front().meta;
  meta.erase("journal");
  meta.erase("checksum");
  meta["command_line"] = command_line;
  meta["complete"] = rows.size() == shards.front().runs;
  meta["rows"] = rows.size();
  meta["shard"] = {{"index", 1}, {"count", 1}};
  const LineHash hash_of(shards.front().header);
  meta["line_hashes"] = {hash_of(shards.front().header)};
  for (const auto& [run, row] : rows)
    meta["line_hashes"].push_back(hash_of(std::string_view(row).substr(0, row.size() - 1)));
  meta["merged_from"] = Json::array();
  for (const Shard& shard : shards) meta["merged_from"].push_back(shard.folder);
  outputs->meta->Write(WithChecksum(meta.dump(2, ' ', false, Json::error_handler_t::replace)));
  OutputFile* const files[] = {outputs->csv.get(), outputs->meta.get()};
  Status written = CommitTogether(files);
  if (written.ok()) outputs->former.Remove();
  return written;
}

}  // namespace

Result<SweepMerge> MergeSweeps(const std::vector<std::string>& folders, const std::string& output,
                               const std::string& command_line, bool force) {
  std::vector<Shard> shards;
  ErrorList errors;
  for (const std::string& folder : folders) {
    Shard shard;
    shard.folder = folder;
    std::optional<Error> error = ReadMeta(&shard);
    if (!error) error = ReadRows(&shard);
    if (error) errors.push_back(*error);
    shards.push_back(std::move(shard));
  }
  if (errors.empty()) errors = Check(shards);
  std::map<std::size_t, std::string> rows;
  for (Shard& shard : shards) {
    for (auto& [run, row] : shard.rows) {
      if (rows.emplace(run, std::move(row)).second || !errors.empty()) continue;
      errors.push_back({.message = fmt::format("has run {}, and so has another shard", run),
                        .file = shard.folder});
    }
  }
  if (!errors.empty()) return errors;
  SweepMerge merge{
      .runs = shards.front().runs, .rows = rows.size(), .unfinished = {}, .write_errors = {}};
  for (const Shard& shard : shards)
    if (!shard.complete) merge.unfinished.push_back(shard.folder);
  const Status written = WriteMerged(shards, rows, output, command_line, force, &merge.taken);
  merge.write_errors = written.errors();
  return merge;
}

}  // namespace slip
