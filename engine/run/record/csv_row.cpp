#include "engine/run/record/csv_row.h"

#include <cmath>
#include <iterator>

#include "engine/core/json_writer.h"

namespace slip {

void Put(CsvRow* row, double value) {
  row->push_back(',');
  if (std::isfinite(value)) {
    fmt::format_to(std::back_inserter(*row), "{:.17g}", value);
  } else {
    row->append(FullNumber(value));
  }
}

void Put(CsvRow* row, int64_t value) { fmt::format_to(std::back_inserter(*row), ",{}", value); }

/// Quoted where it must be, quotes doubled.
void Put(CsvRow* row, std::string_view text) {
  row->push_back(',');
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    row->append(text);
    return;
  }
  row->push_back('"');
  for (const char c : text) {
    if (c == '"') row->push_back('"');
    row->push_back(c);
  }
  row->push_back('"');
}

void Put(CsvRow* row, const Vec3& v) {
  for (int i = 0; i < 3; ++i) Put(row, v[i]);
}

void End(CsvRow* row, OutputFile* file) {
  row->push_back('\n');
  file->Write({row->data(), row->size()});
}

}  // namespace slip
