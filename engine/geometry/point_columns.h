// What the first line of a file of points says about its columns, and a row read by that.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slip {

/// Where x, y and z stand in a row.
struct PointColumns {
  char mark = ' ';          ///< between cells: a comma, a semicolon, a tab; ' ' = blanks
  std::array<int, 3> of{};  ///< the cell of x, y and z
  int count = 0;            ///< cells of the heading
  std::string problem;      ///< why the heading names no coordinates; empty when it does
  bool InOrder() const { return of == std::array<int, 3>{0, 1, 2}; }
};

/// Columns of a first line of words alone: names like x, X, "px", x_m or x [m]. None where the line
/// is a title and no list of columns: blanks alone part its words, and none is a coordinate.
/// `listed`: it is a list whatever it looks like, as in a file of comma-separated values.
std::optional<PointColumns> FindPointColumns(std::string_view line, bool listed);

/// The cells of a line, without the blanks and quotes around them.
std::vector<std::string_view> SplitPointCells(std::string_view line, char mark);

}  // namespace slip
