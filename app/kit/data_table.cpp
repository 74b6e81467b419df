#include "app/kit/data_table.h"

#include <fmt/format.h>

#include <cmath>

namespace slip::app {
namespace {

/// A text with commas, quotes or line ends is put in quotes.
std::string CsvText(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string MarkdownText(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

/// A column whose first cell is a number holds numbers.
bool HoldsNumbers(const DataTable& table, std::size_t column) {
  return !table.rows.empty() && std::holds_alternative<double>(table.rows.front()[column]);
}

}  // namespace

std::string Csv(const DataTable& table) {
  std::string text;
  for (const std::string& column : table.columns)
    text += (text.empty() ? "" : ",") + CsvText(column);
  text += '\n';
  for (const std::vector<DataTable::Cell>& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += ',';
      if (const auto* number = std::get_if<double>(&row[c])) {
        if (std::isfinite(*number)) text += fmt::format("{:.9g}", *number);
      } else {
        text += CsvText(std::get<std::string>(row[c]));
      }
    }
    text += '\n';
  }
  return text;
}

std::string Markdown(const DataTable& table) {
  std::string text = "|", line = "|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    text += " " + MarkdownText(table.columns[c]) + " |";
    line += HoldsNumbers(table, c) ? "---:|" : "---|";
  }
  text += "\n" + line + "\n";
  for (const std::vector<DataTable::Cell>& row : table.rows) {
    text += '|';
    for (const DataTable::Cell& cell : row) {
      if (const auto* number = std::get_if<double>(&cell)) {
        text += std::isfinite(*number) ? fmt::format(" {:.6g} |", *number) : " – |";
      } else {
        text += " " + MarkdownText(std::get<std::string>(cell)) + " |";
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace slip::app
