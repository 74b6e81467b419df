// Numbers for people: engineering prefixes, three significant digits, a true minus sign.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slip {

/// A number and the unit it is written in, e.g. {"10.0", "MN/m"}.
struct QuantityText {
  std::string number;
  std::string unit;  ///< with prefix; superscripts as U+00B2 or rich "^1.5"; may be empty
};

/// SI value to text. NaN and infinities without meaning become an en dash: never data.
/// Angles ("rad") are written in degrees. Pure numbers far from 1 become "1.00×10⁻³".
QuantityText SplitQuantity(double value, std::string_view unit, int digits = 3);

/// Display units per SI unit in SplitQuantity(value, unit): 1000 for 5 ms.
double DisplayFactor(double value, std::string_view unit);

/// "10.0 MN/m", "0.50 ms", "−2.81 mm", "30.0°", "–".
std::string FormatQuantity(double value, std::string_view unit, int digits = 3);

/// Fixed decimals with U+2212 minus, for columns of a table; NaN is "–".
std::string FormatFixed(double value, int decimals);

/// Count as a whole number: "9", "12345". Nothing where the value lies between two, as a mean may.
std::optional<std::string> FormatCount(double value);

/// `digits` significant digits without prefix; small and large numbers in powers of ten.
std::string FormatSignificant(double value, int digits = 3);

/// Unit for people: "N s/m" becomes "N·s/m", "m/s^2" becomes "m/s²", empty becomes "–".
std::string PrettyUnit(std::string_view unit);

/// True when a prefix may stand before this unit ("m", "N/m", "Hz"; not "s/m", "rad", "kg").
bool TakesPrefix(std::string_view unit);

/// Exponent as Unicode superscripts: -3 becomes "⁻³".
std::string Superscript(int exponent);

/// ASCII letters in lower case, the rest as it is.
std::string Lower(std::string_view text);

/// With a first letter that begins a sentence.
std::string Capital(std::string text);

/// A factor on time, such as that of simulated over real time, with two significant digits where it
/// is small: "×1.00", "×0.25", "×0.0042".
std::string FormatPace(double factor);

/// "1.5 →  4 ms" style pair in one common prefix: "10 → 4 ms".
std::string FormatChange(double from, double to, std::string_view unit);

/// Step of the form {1, 2, 5} x 10^n that divides `span` into at most `max_count` parts.
double NiceStep(double span, int max_count);

}  // namespace slip
