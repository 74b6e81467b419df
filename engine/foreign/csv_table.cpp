#include "engine/foreign/csv_table.h"

#include <algorithm>
#include <charconv>

namespace slip {

CsvTable::CsvTable(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
  if (!ReadLine()) return;
  for (std::string_view cell : cells_) {
    while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
    while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
    columns_.emplace_back(cell);
  }
}

int CsvTable::Column(std::string_view name) const {
  const auto at = std::find(columns_.begin(), columns_.end(), name);
  return at == columns_.end() ? -1 : static_cast<int>(at - columns_.begin());
}

bool CsvTable::ReadLine() {
  cells_.clear();
  unquoted_.clear();
  if (rest_.empty()) return false;
  ++line_;
  std::size_t at = 0;
  for (bool more = true; more;) {
    if (at < rest_.size() && rest_[at] == '"') {
      // a quote within is doubled; a line break within is no row's end, and names have none
      std::string text;
      for (++at; at < rest_.size() && rest_[at] != '\n'; ++at) {
        if (rest_[at] != '"') {
          text += rest_[at];
        } else if (at + 1 < rest_.size() && rest_[at + 1] == '"') {
          text += rest_[++at];
        } else {
          ++at;
          break;
        }
      }
      unquoted_.push_back(std::move(text));
      cells_.emplace_back();
      at = std::min(rest_.find_first_of(",\n", at), rest_.size());
    } else {
      const std::size_t end = std::min(rest_.find_first_of(",\n", at), rest_.size());
      std::string_view cell = rest_.substr(at, end - at);
      if (cell.ends_with('\r')) cell.remove_suffix(1);
      cells_.push_back(cell);
      at = end;
    }
    more = at < rest_.size() && rest_[at] == ',';
    if (at < rest_.size()) ++at;
  }
  rest_.remove_prefix(at);
  // texts moved while the list grew
  std::size_t quoted = 0;
  for (std::string_view& cell : cells_) {
    if (cell.data() == nullptr) cell = unquoted_[quoted++];
  }
  return true;
}

bool CsvTable::Next() {
  while (ReadLine()) {
    if (cells_.size() > 1 || !cells_.front().empty()) return true;
  }
  return false;
}

std::string_view CsvTable::Cell(int column) const {
  const auto at = static_cast<std::size_t>(column);
  return column >= 0 && at < cells_.size() ? cells_[at] : std::string_view();
}

bool CsvTable::Number(int column, double* value) const {
  std::string_view cell = Cell(column);
  while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  if (cell.starts_with('+')) cell.remove_prefix(1);
  const auto [rest, error] = std::from_chars(cell.data(), cell.data() + cell.size(), *value);
  return error == std::errc{} && rest == cell.data() + cell.size();
}

}  // namespace slip
