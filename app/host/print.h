// Text on stdout and stderr: error lines and aligned tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace slip::app {

/// "slipscope: file:line:column: message (hint)." on stderr, one line per error.
void PrintError(const Error& error);
void PrintErrors(const ErrorList& errors);
void PrintError(std::string_view message, std::string_view hint = {});

/// Rows of cells, padded by characters (not bytes); the first row is the heading. Cells of columns
/// in `right` are aligned to the right.
std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        const std::vector<bool>& right);

/// Writes to stdout. When that fails (closed, a full disk) it says so on stderr and returns false.
bool Print(std::string_view text);

/// Four significant digits with an SI prefix: "2.813 mm", "120 µs"; "-" for NaN.
std::string Engineering(double value, std::string_view unit);

}  // namespace slip::app
