#include "app/host/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "engine/core/numbers.h"

namespace slip::app {
namespace {

std::size_t Width(std::string_view text) {
  // Continuation bytes of UTF-8 take no room.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

void PrintError(const Error& error) {
  std::string line = "slipscope: " + error.Text();
  // what was found in a file or an argument must not break the line, nor command the terminal
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  if (line.back() != '.') line += '.';
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void PrintErrors(const ErrorList& errors) {
  for (const Error& error : errors) PrintError(error);
}

void PrintError(std::string_view message, std::string_view hint) {
  PrintError(Error{.message = std::string(message), .hint = std::string(hint)});
}

bool Print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return true;
  PrintError(std::string("stdout cannot be written: ") + std::strerror(errno));
  return false;
}

std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        const std::vector<bool>& right) {
  std::vector<std::size_t> widths(right.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], Width(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - Width(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (right[c] ? blanks + row[c] : row[c] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Engineering(double value, std::string_view unit) {
  constexpr std::string_view kPrefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
  if (!std::isfinite(value)) return "-";
  if (unit.empty()) return fmt::format("{:.4g}", value);
  const double size = std::abs(value);
  int power = size > 0 ? static_cast<int>(std::floor(std::log10(size) / 3 + 1e-9)) : 0;
  power = std::clamp(power, -4, 4);
  if (size == 0) return fmt::format("0 {}", unit);
  return fmt::format("{:.4g} {}{}", value / std::pow(10.0, 3 * power), At(kPrefixes, power + 4),
                     unit);
}

}  // namespace slip::app
