// The lines of a sweep.csv once they are text: what tells them apart from damaged ones, and what a
// sweep that was cut off left behind.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slip {

/// The cells of a line of CSV without its line feed, quotes taken off.
std::vector<std::string> SplitCells(std::string_view line);

/// Over a line's cells, but for those of wall times, which are no results.
class LineHash {
 public:
  /// By the names in the first line.
  explicit LineHash(std::string_view header);
  std::string operator()(std::string_view line) const;

 private:
  std::vector<char> is_wall_;
};

/// A row that a sweep had written before it was cut off.
struct KeptRow {
  std::size_t run = 0;  ///< from 0
  std::vector<std::string> cells;
  std::string verdict;  ///< as it was given to SweepFile::Write
};

/// What a sweep writes down beside its rows while it runs, so that it can go on when it was killed:
/// a first line that says which sweep it is, then a line per row.
class SweepJournal {
 public:
  explicit SweepJournal(std::string key) : key_(std::move(key)) {}
  std::string First() const;
  std::string Line(std::size_t run, const std::string& hash, const std::string& verdict) const;

  /// What there is of a sweep.
  struct Left {
    std::vector<KeptRow> rows;
    std::vector<std::string> hashes;             ///< of the lines of `csv`, the first one included
    std::size_t csv_size = 0, journal_size = 0;  ///< so far both are whole [bytes]
  };
  /// Does the journal begin as ours, or as that of any sweep?
  bool IsOurs(std::string_view journal) const;
  static bool IsJournal(std::string_view journal);
  /// The rows that both texts hold, as long as they are those of `runs` in their order; `at_once`
  /// of them count together or not at all.
  Left Read(std::string_view journal, std::string_view csv, std::string_view header,
            std::span<const std::size_t> runs, std::size_t at_once) const;

 private:
  std::string key_;
};

}  // namespace slip
