// Numbers with units as text, and "did you mean".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace slip {

/// Parses "1e7", "5 ms", "10 MN/m", "30 deg" into SI for a quantity of unit `unit` (a name such as
/// "N/m"; empty for a pure number). Decimal point whatever the locale. A number without unit is SI.
/// Errors: not a number, not finite, a unit that does not fit (the message names the expected one).
Result<double> ParseQuantity(std::string_view text, std::string_view unit);

/// Factor that turns a number in this unit into SI ("mm/s" -> 1e-3); nothing for an unknown unit.
std::optional<double> UnitScale(std::string_view unit);

/// Shortest text that reads back to the same double.
std::string FormatNumber(double value);

/// The candidate closest to `word` by edit distance, empty when none is near.
std::string_view Closest(std::string_view word, std::span<const std::string_view> candidates);

/// The words of a comma list, as written: "a,,b" has an empty one, "" has one.
std::vector<std::string> SplitList(std::string_view list);

/// "did you mean 'x'?" or, when nothing is near, "known: a, b, c".
std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace slip
