// One row of a CSV file after RFC 4180: 17 significant digits, nan and inf as words.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "engine/core/output_file.h"
#include "engine/core/types.h"

namespace slip {

using CsvRow = fmt::memory_buffer;

/// Each appends a comma and the value; the first cell of a row is the caller's.
void Put(CsvRow* row, double value);
void Put(CsvRow* row, int64_t value);
void Put(CsvRow* row, std::string_view text);
void Put(CsvRow* row, const Vec3& v);
/// Ends the line and writes it.
void End(CsvRow* row, OutputFile* file);

}  // namespace slip
