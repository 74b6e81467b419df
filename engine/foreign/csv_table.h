// A table as RFC 4180 has it, read row by row from a text in memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slip {

class CsvTable {
 public:
  /// Reads the heading. `text` must outlive the table.
  explicit CsvTable(std::string_view text);

  /// Place of a column; -1 = there is none.
  int Column(std::string_view name) const;
  const std::vector<std::string>& columns() const { return columns_; }
  /// The next row; false behind the last. Empty lines are none.
  bool Next();
  int line() const { return line_; }  ///< of the present row, from 1
  /// Of the present row; empty where it is shorter.
  std::string_view Cell(int column) const;
  /// "nan" and "inf" are numbers; false where the cell is none.
  bool Number(int column, double* value) const;
  std::size_t cells() const { return cells_.size(); }

 private:
  bool ReadLine();

  std::string_view rest_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> cells_;
  std::vector<std::string> unquoted_;  // of the present row
  int line_ = 0;
};

}  // namespace slip
