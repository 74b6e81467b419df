#include "engine/geometry/point_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/core/numbers.h"
#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

constexpr std::string_view kAround = " \t\r\"'";

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kAround) - begin + 1);
}

/// The unit of a column counts in no way: that is what `scale` is for.
bool IsUnit(std::string_view text) {
  constexpr std::string_view kUnits[] = {"m", "mm", "cm", "um", "km", "in", "ft"};
  return std::find(std::begin(kUnits), std::end(kUnits), text) != std::end(kUnits);
}

/// 0, 1, 2 for x, y, z; -1 for any other column.
int AxisOf(std::string_view cell) {
  std::string name;
  for (const char c : cell) {
    if (kAround.find(c) == std::string_view::npos)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  std::string_view rest = name;
  while (rest.starts_with('/')) rest.remove_prefix(1);
  if (rest.starts_with('p') && rest.size() > 1) rest.remove_prefix(1);
  const std::size_t axis = rest.empty() ? 3 : std::string_view("xyz").find(rest.front());
  if (axis >= 3) return -1;
  rest.remove_prefix(1);
  const bool bracketed = (rest.starts_with('[') && rest.ends_with(']')) ||
                         (rest.starts_with('(') && rest.ends_with(')'));
  if (bracketed) rest = rest.substr(1, rest.size() - 2);
  if (rest.starts_with('_')) rest.remove_prefix(1);
  return rest.empty() || IsUnit(rest) ? static_cast<int>(axis) : -1;
}

}  // namespace

std::vector<std::string_view> SplitPointCells(std::string_view line, char mark) {
  std::vector<std::string_view> cells;
  if (mark == ' ') {
    for (std::string_view word; !(word = NextWord(&line, " \t")).empty();)
      cells.push_back(Trim(word));
    return cells;
  }
  for (;;) {
    const std::size_t end = line.find(mark);
    cells.push_back(Trim(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

std::optional<PointColumns> FindPointColumns(std::string_view line, bool listed) {
  PointColumns columns;
  for (const char mark : {'\t', ',', ';'}) {
    if (line.find(mark) != std::string_view::npos) columns.mark = mark;
  }
  std::vector<std::string_view> cells = SplitPointCells(line, columns.mark);
  if (columns.mark == ' ') {
    std::erase_if(cells, [](std::string_view cell) {
      return cell.starts_with('[') || cell.starts_with('(');
    });
  }
  columns.count = static_cast<int>(cells.size());
  columns.of.fill(-1);
  bool any = false;
  for (int i = 0; i < columns.count; ++i) {
    const int axis = AxisOf(At(cells, i));
    if (axis < 0) continue;
    any = true;
    int& place = At(columns.of, axis);
    if (place >= 0) columns.problem = fmt::format("names coordinate {} twice", "xyz"[axis]);
    place = i;
  }
  if (!any && !listed && columns.mark == ' ') return std::nullopt;
  std::string missing;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (columns.of[axis] < 0)
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", "xyz"[axis]);
  }
  if (columns.problem.empty() && !missing.empty())
    columns.problem = fmt::format("names no column {}", missing);
  return columns;
}

}  // namespace slip
