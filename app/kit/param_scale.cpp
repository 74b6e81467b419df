// Slider positions: linear, logarithmic, and logarithmic with zero below the first decade.
#include "app/kit/param_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "engine/core/param_text.h"
#include "engine/method/config.h"

namespace slip::app {
namespace {

double Round3(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 2);
  // dividing by 1/unit keeps decimal fractions such as 0.005 exact
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit)
                  : std::round(value / unit) * unit;
}

bool IsWhole(const ParamInfo& info) {
  return info.scale == Scale::kInteger || info.scale == Scale::kChoice;
}

double Finish(const ParamInfo& info, double value) {
  if (IsWhole(info)) value = std::round(value);
  if (info.zero && info.scale == Scale::kLog && value < info.min) return value <= 0 ? 0 : info.min;
  return std::clamp(value, info.min, info.max);
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The number that the text is and nothing else.
std::optional<double> BareNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Without a look at the range.
Result<double> ParseNumber(const ParamInfo& info, double shown, std::string_view text) {
  std::string si(text);
  if (const auto number = BareNumber(text))
    si = fmt::format("{:.15g}", *number / DisplayFactor(shown, info.unit));
  return ParseQuantity(si, info.unit);
}

}  // namespace

bool IsLogSlider(const ParamInfo& info) {
  if (info.scale == Scale::kLog) return true;
  return info.scale == Scale::kInteger && info.min >= 1 && info.max / info.min >= 100;
}

double SliderPosition(const ParamInfo& info, double value) {
  if (!(info.max > info.min)) return 0;
  if (!IsLogSlider(info)) return std::clamp((value - info.min) / (info.max - info.min), 0.0, 1.0);
  const bool detent = info.zero && info.scale == Scale::kLog;
  if (value < info.min && detent) return value <= 0 ? 0 : kZeroDetent;
  if (value <= 0) return 0;
  const double part = std::log(value / info.min) / std::log(info.max / info.min);
  const double start = detent ? kZeroDetent : 0;
  return std::clamp(start + (1 - start) * part, start, 1.0);
}

double SliderValue(const ParamInfo& info, double position) {
  position = std::clamp(position, 0.0, 1.0);
  if (!IsLogSlider(info)) return Finish(info, info.min + position * (info.max - info.min));
  const bool detent = info.zero && info.scale == Scale::kLog;
  if (detent && position < kZeroDetent / 2) return 0;
  const double start = detent ? kZeroDetent : 0;
  const double part = std::max(0.0, (position - start) / (1 - start));
  return Finish(info, info.min * std::pow(info.max / info.min, part));
}

double SliderDragValue(const ParamInfo& info, double position) {
  const double value = SliderValue(info, position);
  if (IsWhole(info)) return value;
  if (IsLogSlider(info)) return Finish(info, Round3(value));
  // linear: steps of a round thousandth of the range
  const double decade = std::pow(10.0, std::floor(std::log10((info.max - info.min) / 200)));
  return Finish(info, Round3(std::round(value / decade) * decade));
}

double NudgeValue(const ParamInfo& info, double value, int direction, bool fine) {
  const double size = fine ? 0.1 : 1.0;
  if (info.scale == Scale::kChoice) return Finish(info, value + direction);
  if (info.scale == Scale::kInteger) {
    double step = IsLogSlider(info) ? value * (std::pow(10.0, size / 20) - 1)
                                    : 0.01 * size * (info.max - info.min);
    step = std::max(1.0, std::round(step));
    return Finish(info, value + direction * step);
  }
  if (info.scale == Scale::kLinear) {
    return Finish(info, value + direction * 0.01 * size * (info.max - info.min));
  }
  if (value <= 0) return direction > 0 ? info.min : 0;
  const double next = value * std::pow(10.0, direction * size / 20);
  // below the first decade there is only zero
  if (next < info.min * (1 - 1e-9))
    return info.zero && value <= info.min * (1 + 1e-9) ? 0 : info.min;
  return Finish(info, next);
}

QuantityText SplitParam(const ParamInfo& info, double value) {
  if (info.scale == Scale::kInteger) {
    return {std::to_string(std::llround(value)), PrettyUnit(info.unit)};
  }
  return SplitQuantity(value, info.unit);
}

std::string FormatParam(const ParamInfo& info, double value) {
  const auto choice = static_cast<std::size_t>(std::max(0.0, value));
  if (choice < info.choices.size()) return std::string(info.choices[choice]);
  if (info.scale == Scale::kInteger && info.unit.empty())
    return std::to_string(std::llround(value));
  return FormatQuantity(value, info.unit);
}

Result<double> ParseTyped(const ParamInfo& info, double shown, std::string_view text) {
  Result<double> value = ParseNumber(info, shown, Trim(text));
  if (!value) return value;
  if (Status status = CheckValue(info, *value); !status) return status.error();
  return value;
}

TypedMeaning ReadTyped(const ParamInfo& info, double shown, std::string_view text) {
  const std::string unit = SplitParam(info, shown).unit;
  text = Trim(text);
  if (text.empty()) {
    const std::string wanted = info.unit.empty() ? "a number" : "a number, in " + unit + " or";
    return {false, info.unit.empty() ? wanted : wanted + " with its own unit", ""};
  }
  const Result<double> value = ParseNumber(info, shown, text);
  if (!value) return {false, value.error().Text(), ""};
  if (const Status status = CheckValue(info, *value); !status) {
    const bool above = *value > info.max, below = *value < info.min;
    if (!above && !below) return {false, status.error().Text(), ""};
    const char* limit = above ? "at most" : info.zero ? "0 or at least" : "at least";
    return {false,
            fmt::format("{}, but {} {}", FormatParam(info, *value), limit,
                        FormatParam(info, above ? info.max : info.min)),
            ""};
  }
  TypedMeaning meaning{true, "= " + FormatParam(info, *value), "", BareNumber(text).has_value()};
  if (meaning.bare && DisplayFactor(shown, info.unit) != 1)
    meaning.note = "a number alone is in " + unit;
  return meaning;
}

}  // namespace slip::app
