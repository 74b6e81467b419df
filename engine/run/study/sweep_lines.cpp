#include "engine/run/study/sweep_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/core/hash.h"

namespace slip {
namespace {

constexpr std::string_view kJournal = "slipscope.sweep-journal/1 ";
constexpr std::string_view kNoVerdict = "-";
constexpr std::string_view kWallColumns[] = {"wall_us_median", "wall_us_p99", "real_time_factor"};

/// The next line without its line feed; none when the text has no whole line any more.
std::optional<std::string_view> NextLine(std::string_view text, std::size_t* at) {
  const std::size_t end = text.find('\n', *at);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(*at, end - *at);
  *at = end + 1;
  return line;
}

}  // namespace

std::vector<std::string> SplitCells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

LineHash::LineHash(std::string_view header) {
  for (const std::string& name : SplitCells(header)) {
    const bool of_signal = name.find("_wall_us_") != std::string::npos;
    is_wall_.push_back(of_signal || std::find(std::begin(kWallColumns), std::end(kWallColumns),
                                              name) != std::end(kWallColumns));
  }
}

std::string LineHash::operator()(std::string_view line) const {
  const std::vector<std::string> cells = SplitCells(line);
  Fnv1a hash;
  hash.Add(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    // the names of wall times count, the times do not
    double number = 0;
    const char* end = cells[i].data() + cells[i].size();
    const bool is_number = std::from_chars(cells[i].data(), end, number).ptr == end;
    if (i < is_wall_.size() && is_wall_[i] != 0 && is_number) continue;
    hash.Add(cells[i].size());
    for (const char c : cells[i]) hash.Add(static_cast<unsigned char>(c));
  }
  return fmt::format("{:016x}", hash.value());
}

std::string SweepJournal::First() const { return fmt::format("{}{}\n", kJournal, key_); }

std::string SweepJournal::Line(std::size_t run, const std::string& hash,
                               const std::string& verdict) const {
  return fmt::format("{} {} {}\n", run + 1, hash, verdict.empty() ? kNoVerdict : verdict);
}

bool SweepJournal::IsOurs(std::string_view journal) const { return journal.starts_with(First()); }

bool SweepJournal::IsJournal(std::string_view journal) { return journal.starts_with(kJournal); }

SweepJournal::Left SweepJournal::Read(std::string_view journal, std::string_view csv,
                                      std::string_view header, std::span<const std::size_t> runs,
                                      std::size_t at_once) const {
  Left left;
  std::size_t at = First().size(), row = 0;
  if (!IsOurs(journal) || NextLine(csv, &row) != header) return left;
  const LineHash hash_of(header);
  left.hashes.push_back(hash_of(header));
  left.journal_size = at;
  left.csv_size = row;
  std::vector<KeptRow> together;
  for (const std::size_t run : runs) {
    const auto noted = NextLine(journal, &at), line = NextLine(csv, &row);
    if (!noted || !line) break;
    const std::string hash = hash_of(*line);
    const std::string begin = fmt::format("{} {} ", run + 1, hash);
    std::vector<std::string> cells = SplitCells(*line);
    if (!noted->starts_with(begin) || cells.front() != std::to_string(run + 1)) break;
    std::string verdict(noted->substr(begin.size()));
    if (verdict == kNoVerdict) verdict.clear();
    together.push_back({.run = run, .cells = std::move(cells), .verdict = std::move(verdict)});
    left.hashes.push_back(hash);
    if (together.size() < at_once) continue;
    left.rows.insert(left.rows.end(), together.begin(), together.end());
    together.clear();
    left.journal_size = at;
    left.csv_size = row;
  }
  left.hashes.resize(1 + left.rows.size());
  return left;
}

}  // namespace slip
