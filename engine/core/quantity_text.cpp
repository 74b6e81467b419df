// Numbers for people. Uses fmt: the decimal point does not follow the locale.
#include "engine/core/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace slip {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kNoValue = "–";

struct ShownPrefix {
  int exponent;
  std::string_view symbol;
};
constexpr std::array<ShownPrefix, 9> kShownPrefixes{{{-12, "p"},
                                                     {-9, "n"},
                                                     {-6, "µ"},
                                                     {-3, "m"},
                                                     {0, ""},
                                                     {3, "k"},
                                                     {6, "M"},
                                                     {9, "G"},
                                                     {12, "T"}}};

/// fmt's minus is ASCII; people get the real one.
std::string WithMinus(std::string text) {
  if (!text.empty() && text.front() == '-') {
    // "-0.00" says nothing: drop the sign when every figure is zero
    if (text.find_first_not_of("-0.") == std::string::npos) return text.substr(1);
    text.replace(0, 1, kMinus);
  }
  return text;
}

/// Decimals so that a mantissa shows `digits` significant ones. Below 1 a trailing third figure is
/// dropped when it is zero: "0.50", "0.123".
std::string Mantissa(double value, int digits) {
  const double size = std::fabs(value);
  int decimals = digits - 1;
  if (size > 0) {
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-12));
    decimals = std::max(0, digits - 1 - exponent);
    // 9.996 rounds up to 10.0: one decimal fewer
    const double unit = std::pow(10.0, decimals);
    const double rounded = std::round(size * unit) / unit;
    if (decimals > 0 && rounded >= std::pow(10.0, exponent + 1)) --decimals;
  }
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (size < 1 && decimals >= digits && !text.empty() && text.back() == '0') text.pop_back();
  return WithMinus(std::move(text));
}

}  // namespace

std::string Superscript(int exponent) {
  constexpr std::array<std::string_view, 10> kFigures{"⁰", "¹", "²", "³", "⁴",
                                                      "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(exponent))) {
    text += kFigures[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

std::string PrettyUnit(std::string_view unit) {
  if (unit.empty()) return std::string(kNoValue);
  if (unit == "rad") return "°";
  std::string text;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const bool last_of_power = i + 2 >= unit.size() || unit[i + 2] != '.';
    if (unit[i] == ' ' || unit[i] == '*') {
      text += "·";
    } else if (unit[i] == '^' && i + 1 < unit.size() && last_of_power && unit[i + 1] >= '0' &&
               unit[i + 1] <= '9') {
      text += Superscript(unit[i + 1] - '0');
      ++i;
    } else if (unit[i] == '^') {
      // a broken power such as N/m^1.5 stays rich text
      text += "^{";
      while (++i < unit.size() && unit[i] != ' ' && unit[i] != '/') text += unit[i];
      text += '}';
      --i;
    } else {
      text += unit[i];
    }
  }
  return text;
}

bool TakesPrefix(std::string_view unit) {
  if (unit.empty() || unit.starts_with("s/") || unit.starts_with("rad") || unit.starts_with("kg")) {
    return false;
  }
  // squared leading units would square the prefix too
  const std::size_t end = unit.find_first_of("/ *^");
  if (end != std::string_view::npos && unit[end] == '^') return false;
  if (unit == "m/s^2") return false;
  const std::string_view first = unit.substr(0, end);
  return first == "m" || first == "s" || first == "N" || first == "Hz" || first == "J" ||
         first == "W" || first == "Pa";
}

std::string FormatFixed(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kNoValue);
  return WithMinus(fmt::format("{:.{}f}", value, decimals));
}

std::optional<std::string> FormatCount(double value) {
  if (!std::isfinite(value) || value != std::round(value)) return std::nullopt;
  return FormatFixed(value, 0);
}

std::string FormatSignificant(double value, int digits) {
  if (std::isnan(value)) return std::string(kNoValue);
  if (std::isinf(value)) return value > 0 ? "∞" : std::string(kMinus) + "∞";
  const double size = std::fabs(value);
  if (size == 0) return "0";
  if (size >= 0.01 && size < 1e4) return Mantissa(value, digits);
  int exponent = static_cast<int>(std::floor(std::log10(size)));
  double mantissa = value / std::pow(10.0, exponent);
  // 9.999 would be written "10.0"
  if (std::fabs(mantissa) >= 10 - 0.5 * std::pow(10.0, 1 - digits)) {
    mantissa /= 10;
    ++exponent;
  }
  return Mantissa(mantissa, digits) + "×10" + Superscript(exponent);
}

QuantityText SplitQuantity(double value, std::string_view unit, int digits) {
  if (!std::isfinite(value)) return {std::string(kNoValue), unit.empty() ? "" : PrettyUnit(unit)};
  if (unit == "rad") return {Mantissa(value * 180 / std::numbers::pi, digits), "°"};
  if (unit.empty()) return {FormatSignificant(value, digits), ""};
  const double size = std::fabs(value);
  if (size == 0) return {"0", PrettyUnit(unit)};
  if (!TakesPrefix(unit)) return {FormatSignificant(value, digits), PrettyUnit(unit)};

  // below one, tenths of the larger unit read better than hundreds of the smaller: 0.50 ms
  const double threshold = size < 0.1 ? 0.1 : 1.0;
  const ShownPrefix* best = &kShownPrefixes.front();
  for (const ShownPrefix& prefix : kShownPrefixes) {
    if (size * (1 + 1e-9) >= threshold * std::pow(10.0, prefix.exponent)) best = &prefix;
    if (size < 1 && size >= 0.1 && prefix.exponent == 0) best = &prefix;
    // time above a second and lengths above a metre keep their unit: 1200 s, not 1.2 ks
    if (prefix.exponent == 0 && (unit == "s" || unit.starts_with("m"))) break;
  }
  const double mantissa = value / std::pow(10.0, best->exponent);
  if (std::fabs(mantissa) < 1e-3 || std::fabs(mantissa) >= 1e5) {
    return {FormatSignificant(value, digits), PrettyUnit(unit)};
  }
  return {Mantissa(mantissa, digits), std::string(best->symbol) + PrettyUnit(unit)};
}

std::string FormatQuantity(double value, std::string_view unit, int digits) {
  if (!std::isfinite(value)) return std::string(kNoValue);
  QuantityText text = SplitQuantity(value, unit, digits);
  if (text.unit.empty()) return text.number;
  return text.unit == "°" ? text.number + text.unit : text.number + " " + text.unit;
}

std::string FormatPace(double factor) {
  constexpr int kMostDecimals = 9;
  const double size = std::fabs(factor);
  const int place = size > 0 ? static_cast<int>(std::floor(std::log10(size))) : 0;
  return fmt::format("×{:.{}f}", factor, std::clamp(1 - place, 2, kMostDecimals));
}

double DisplayFactor(double value, std::string_view unit) {
  if (unit == "rad") return 180 / std::numbers::pi;
  if (!TakesPrefix(unit)) return 1;
  const QuantityText chosen = SplitQuantity(value, unit);
  for (const ShownPrefix& prefix : kShownPrefixes) {
    if (chosen.unit == std::string(prefix.symbol) + PrettyUnit(unit)) {
      return std::pow(10.0, -prefix.exponent);
    }
  }
  return 1;
}

std::string FormatChange(double from, double to, std::string_view unit) {
  // what lies decades apart has no prefix in common
  const double small = std::min(std::fabs(from), std::fabs(to));
  const double large = std::max(std::fabs(from), std::fabs(to));
  if (small > 0 && large >= 1e3 * small && TakesPrefix(unit))
    return FormatQuantity(from, unit) + " → " + FormatQuantity(to, unit);
  // the larger of both chooses the prefix
  const double reference = std::fabs(to) > std::fabs(from) ? to : from;
  const QuantityText chosen = SplitQuantity(reference, unit);
  const double factor = DisplayFactor(reference, unit);
  const auto compact = [](double value) {
    const double size = std::fabs(value);
    if (size != 0 && (size < 1e-2 || size >= 1e4)) return FormatSignificant(value, 2);
    return WithMinus(fmt::format("{:.4g}", value));
  };
  std::string text = compact(from * factor) + " → " + compact(to * factor);
  if (!chosen.unit.empty()) text += (chosen.unit == "°" ? "" : " ") + chosen.unit;
  return text;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string Capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

double NiceStep(double span, int max_count) {
  if (!(span > 0) || !std::isfinite(span) || max_count < 1) return 0;
  const double raw = span / max_count;
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double m : {1.0, 2.0, 5.0}) {
    if (m * decade >= raw * (1 - 1e-9)) return m * decade;
  }
  return 10 * decade;
}

}  // namespace slip
