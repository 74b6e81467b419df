// Lines "x y z" of text files. What could be meant in two ways is refused: a comma may part numbers
// or be the decimal sign, and a first line with a slip of the pen is no heading.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/point_columns.h"
#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

constexpr std::string_view kPointBlanks = " \t,;";
constexpr std::string_view kDecimalHint =
    "write decimal points and one kind of separator, like '0.1 0.2 0.3' or '0.1, 0.2, 0.3'";
constexpr std::string_view kHeadingHint =
    "a heading has words alone, or the number of points alone; put # before a comment";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool BeginsAsNumber(std::string_view word) {
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  if (word.starts_with('.')) word.remove_prefix(1);
  return !word.empty() && IsDigit(word.front());
}

bool IsWhole(std::string_view word) {
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && std::all_of(word.begin(), word.end(), IsDigit);
}

/// "O", "Cl": as the lines of a molecule begin.
bool IsElement(std::string_view word) {
  return !word.empty() && word.size() <= 2 && word[0] >= 'A' && word[0] <= 'Z' &&
         (word.size() == 1 || (word[1] >= 'a' && word[1] <= 'z'));
}

/// The words of a line and what stands between them.
struct PointRow {
  std::array<std::string_view, 4> words;  ///< the first ones
  int count = 0;                          ///< of all words
  int numbers = 0;                        ///< words that begin as numbers do
  bool lettered = true;                   ///< every word has a letter and begins as no number
  bool whole = true;                      ///< every word is a whole number
  bool glued = false;                     ///< a comma between two digits
  bool parted = false;                    ///< blanks or a semicolon between two numbers
  int empty_before = -1;                  ///< word behind two marks with nothing between; -1 = none
};

PointRow SplitRow(std::string_view line) {
  PointRow row;
  const char* const begin = line.data();
  const char* end_before = begin;  // of the word before
  bool number_before = false;
  for (std::string_view rest = line;;) {
    const std::string_view word = NextWord(&rest, kPointBlanks);
    if (word.empty()) return row;
    const std::string_view between(end_before, static_cast<std::size_t>(word.data() - end_before));
    const bool number = BeginsAsNumber(word);
    const auto commas = std::count(between.begin(), between.end(), ',');
    const auto marks = commas + std::count(between.begin(), between.end(), ';');
    if (row.empty_before < 0 && marks > (row.count > 0 ? 1 : 0)) row.empty_before = row.count;
    if (row.count > 0 && number && number_before) {
      if (between == "," && IsDigit(end_before[-1])) row.glued = true;
      if (commas == 0) row.parted = true;
    }
    const bool letter = std::any_of(word.begin(), word.end(), IsLetter);
    row.lettered = row.lettered && letter && !number && !ParseNumber<double>(word);
    row.whole = row.whole && IsWhole(word);
    row.numbers += number;
    if (row.count < static_cast<int>(row.words.size())) At(row.words, row.count) = word;
    ++row.count;
    number_before = number;
    end_before = word.data() + word.size();
  }
}

/// Whether commas alone part the numbers of every line, and could be their decimal signs: six whole
/// numbers may be three, and 0,1 has more words than 0.
class CommaCensus {
 public:
  void Add(const PointRow& row, int line) {
    possible_ = possible_ && row.glued && !row.parted && row.whole;
    fewest_ = first_line_ == 0 ? row.count : std::min(fewest_, row.count);
    most_ = std::max(most_, row.count);
    if (first_line_ == 0) first_line_ = line;
  }
  /// `columns` named by a heading, 0 = none: as many numbers in each line are what it says.
  bool Ambiguous(int columns) const {
    return possible_ && first_line_ > 0 && !(fewest_ == most_ && most_ == columns) &&
           (most_ == 6 || (most_ > 3 && fewest_ != most_));
  }
  int first_line() const { return first_line_; }

 private:
  bool possible_ = true;
  int first_line_ = 0, fewest_ = 0, most_ = 0;
};

/// x, y and z of a row, or why it has none.
void ReadRow(const PointRow& row, std::string_view line, bool first, PointScanner* scanner) {
  if (row.glued && row.parted)
    return scanner->Stop(fmt::format("{} has commas within numbers or between them, and other "
                                     "separators: which numbers are meant?",
                                     QuoteWord(line)),
                         std::string(kDecimalHint));
  if (row.empty_before >= 0 && row.empty_before < 3)
    return scanner->Fail(
        fmt::format("coordinate {} is missing between two separators", "xyz"[row.empty_before]),
        "write x, y and z");
  const std::string_view word = row.words[0];
  if (row.numbers >= 3 && IsElement(word))
    return scanner->Stop(fmt::format("{} is not a number; expected coordinate x", QuoteWord(word)),
                         "a molecule? Its lines name elements, its lengths are in angstrom; "
                         "expected lines 'x y z' in metres, or in other units with 'scale'");
  if (row.numbers >= 3 && (word == "v" || word == "vn" || word == "f"))
    return scanner->Stop(fmt::format("{} is not a number; expected coordinate x", QuoteWord(word)),
                         "is this an OBJ file? Then name it .obj");
  Vec3 p = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (i >= row.count)
      return scanner->Fail(fmt::format("a point has {} of 3 coordinates", i), "write x y z");
    const std::string_view number = At(row.words, i);
    if (first && !ParseNumber<double>(number))
      return scanner->Fail(
          fmt::format("{} is not a number; expected coordinate {}", QuoteWord(number), "xyz"[i]),
          std::string(kHeadingHint));
    if (!scanner->ReadCoordinate(number, i, &p[i])) return;
  }
  scanner->AddPoint(p);
}

/// x, y and z from the cells that a heading gives them.
void ReadCells(std::string_view line, const PointColumns& columns, PointScanner* scanner) {
  const std::vector<std::string_view> cells = SplitPointCells(line, columns.mark);
  const auto filled = [&] {
    std::size_t count = cells.size();
    while (count > 0 && cells[count - 1].empty()) --count;
    return static_cast<int>(count);
  };
  if (filled() > columns.count)
    return scanner->Fail(
        fmt::format("{} cells, and the heading names {} columns", cells.size(), columns.count),
        std::string(kDecimalHint));
  Vec3 p = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const auto place = static_cast<std::size_t>(At(columns.of, i));
    if (place >= cells.size() || cells[place].empty())
      return scanner->Fail(
          fmt::format("coordinate {} is missing: expected it in cell {}", "xyz"[i], place + 1),
          "write one cell for each column of the heading");
    if (!scanner->ReadCoordinate(cells[place], i, &p[i])) return;
  }
  scanner->AddPoint(p);
}

}  // namespace

Result<MeshText> ScanPoints(std::string_view text, const std::string& path, double scale) {
  PointScanner scanner(path, scale, true);
  std::optional<std::size_t> promised;
  CommaCensus census;
  int heading = 0, columns = 0;
  std::optional<PointColumns> named;
  const bool listed = LowerExtension(path) == ".csv";
  bool first = true;
  while (!text.empty() && !scanner.full()) {
    std::string_view line = NextLine(&text);
    scanner.NextLine();
    line = line.substr(0, line.find('#'));
    const PointRow row = SplitRow(line);
    if (row.count == 0) continue;
    if (first && row.count == 1) promised = ParseNumber<std::size_t>(row.words[0]);
    if (first && (promised || row.lettered)) {
      heading = scanner.line();
      columns = promised ? 0 : row.count;
      if (!promised) named = FindPointColumns(line, listed);
      if (named && !named->problem.empty()) {
        scanner.Stop(fmt::format("the heading {} {}", QuoteWord(line), named->problem),
                     "expected columns named x, y and z, in any order and beside others; put # "
                     "before a comment");
        continue;
      }
      scanner.text.notes.push_back(
          fmt::format("line {} is taken for a heading: {}", heading, QuoteWord(line)));
    } else if (named && !named->InOrder()) {
      ReadCells(line, *named, &scanner);
    } else {
      census.Add(row, scanner.line());
      ReadRow(row, line, first, &scanner);
    }
    first = false;
  }
  if (!scanner.failed() && census.Ambiguous(columns))
    scanner.FailAt(census.first_line(),
                   "whole numbers with commas alone between them: separators, or decimal commas?",
                   "for separators put a blank behind each comma; else write decimal points");
  if (const std::size_t found = scanner.found();
      promised && !scanner.failed() && *promised != found)
    scanner.FailAt(heading,
                   fmt::format("the heading says {} points, but the file has {}", *promised, found),
                   "is the file complete? Without a heading every point is read");
  return scanner.Finish();
}

}  // namespace slip
