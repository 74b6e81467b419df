// A table on the screen as text that other programs read: full figures, units in the headings.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace slip::app {

/// Headings carry their unit as those of the CSV files do, "normal_force_N".
struct DataTable {
  using Cell = std::variant<double, std::string>;
  std::string name;  ///< of its file, "contacts"
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  ///< each as long as `columns`
};

/// Nine figures; a number that is not finite is an empty cell.
std::string Csv(const DataTable& table);
/// Six figures, numbers to the right; what is not finite is a dash.
std::string Markdown(const DataTable& table);

}  // namespace slip::app
