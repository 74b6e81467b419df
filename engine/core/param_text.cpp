// Units are small products of powers of (kg, m, s, rad): a text is read as scale and exponents, and
// the exponents are compared with those of the expected unit. std::from_chars knows no locale.
#include "engine/core/param_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace slip {
namespace {

struct Unit {
  double scale = 1;
  std::array<double, 4> exponent{};  ///< of kg, m, s, rad
};

struct Symbol {
  std::string_view text;
  double scale;
  std::array<double, 4> exponent;
  bool prefixes;  ///< takes SI prefixes
};

constexpr double kDegree = 0.017453292519943295;  // π/180 [rad]
constexpr std::array kSymbols = {
    Symbol{"kg", 1, {1, 0, 0, 0}, false},      Symbol{"g", 1e-3, {1, 0, 0, 0}, true},
    Symbol{"m", 1, {0, 1, 0, 0}, true},        Symbol{"s", 1, {0, 0, 1, 0}, true},
    Symbol{"min", 60, {0, 0, 1, 0}, false},    Symbol{"Hz", 1, {0, 0, -1, 0}, true},
    Symbol{"N", 1, {1, 1, -2, 0}, true},       Symbol{"J", 1, {1, 2, -2, 0}, true},
    Symbol{"W", 1, {1, 2, -3, 0}, true},       Symbol{"Pa", 1, {1, -1, -2, 0}, true},
    Symbol{"rad", 1, {0, 0, 0, 1}, true},      Symbol{"deg", kDegree, {0, 0, 0, 1}, false},
    Symbol{"°", kDegree, {0, 0, 0, 1}, false}, Symbol{"%", 1e-2, {0, 0, 0, 0}, false},
    Symbol{"1", 1, {0, 0, 0, 0}, false},
};

struct Prefix {
  std::string_view text;
  double scale;
};
// Both code points of micro are in use: U+00B5 (keyboards) and U+03BC (Greek mu).
constexpr std::array kPrefixes = {
    Prefix{"T", 1e12},        Prefix{"G", 1e9},  Prefix{"M", 1e6},  Prefix{"k", 1e3},
    Prefix{"d", 1e-1},        Prefix{"c", 1e-2}, Prefix{"m", 1e-3}, Prefix{"\xC2\xB5", 1e-6},
    Prefix{"\xCE\xBC", 1e-6}, Prefix{"u", 1e-6}, Prefix{"n", 1e-9}, Prefix{"p", 1e-12},
};

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

/// One symbol with or without prefix, e.g. "mm" or "kg". Whole symbols win over prefix + symbol.
std::optional<Unit> ParseSymbol(std::string_view text) {
  for (const Symbol& symbol : kSymbols) {
    if (text == symbol.text) return Unit{symbol.scale, symbol.exponent};
  }
  for (const Prefix& prefix : kPrefixes) {
    if (text.substr(0, prefix.text.size()) != prefix.text) continue;
    for (const Symbol& symbol : kSymbols) {
      if (symbol.prefixes && text.substr(prefix.text.size()) == symbol.text) {
        return Unit{prefix.scale * symbol.scale, symbol.exponent};
      }
    }
  }
  return std::nullopt;
}

/// Splits "m^2", "m²" into symbol and power; a bad power gives nothing.
std::optional<double> TakePower(std::string_view* text) {
  constexpr std::string_view kSquare = "²";
  constexpr std::string_view kCube = "³";
  const auto ends_with = [&](std::string_view end) {
    return text->size() > end.size() && text->substr(text->size() - end.size()) == end;
  };
  if (ends_with(kSquare)) {
    text->remove_suffix(kSquare.size());
    return 2;
  }
  if (ends_with(kCube)) {
    text->remove_suffix(kCube.size());
    return 3;
  }
  const std::size_t caret = text->find('^');
  if (caret == std::string_view::npos) return 1;
  const std::string_view digits = text->substr(caret + 1);
  double power = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), power);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (!(std::abs(power) <= 9)) return std::nullopt;
  *text = text->substr(0, caret);
  return power;
}

/// Products by blank, "*" or "·"; each "/" divides by the one symbol after it.
std::optional<Unit> ParseUnit(std::string_view text) {
  constexpr std::string_view kDot = "·";
  Unit unit;
  text = Trim(text);
  double sign = 1;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && text[end] != '/' && text[end] != '*' && !IsBlank(text[end]) &&
           text.substr(end, kDot.size()) != kDot) {
      ++end;
    }
    std::string_view factor = text.substr(0, end);
    const std::optional<double> power = TakePower(&factor);
    const std::optional<Unit> one = ParseSymbol(factor);
    if (!power || !one) return std::nullopt;
    unit.scale *= std::pow(one->scale, sign * *power);
    for (std::size_t i = 0; i < 4; ++i) unit.exponent[i] += sign * *power * one->exponent[i];
    // The separator decides the sign of the next factor.
    text = Trim(text.substr(end));
    sign = 1;
    if (text.empty()) break;
    if (text.front() == '/' || text.front() == '*') {
      sign = text.front() == '/' ? -1 : 1;
      text = Trim(text.substr(1));
      if (text.empty()) return std::nullopt;
    } else if (text.substr(0, kDot.size()) == kDot) {
      text = Trim(text.substr(kDot.size()));
      if (text.empty()) return std::nullopt;
    }
  }
  return unit;
}

std::string Expected(std::string_view unit) {
  return unit.empty() ? "expected a number without unit"
                      : "expected a number in " + std::string(unit);
}

/// Foreign text in a message: short and printable.
std::string Quote(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text.substr(0, 40)) {
    quoted += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  }
  return quoted + (text.size() > 40 ? "...'" : "'");
}

char Fold(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '_' ? '-' : c;
}

/// Edit distance with transpositions (optimal string alignment), blind to case and - versus _.
int Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = Fold(a[i - 1]) == Fold(b[j - 1]) ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      const bool swapped =
          i > 1 && j > 1 && Fold(a[i - 1]) == Fold(b[j - 2]) && Fold(a[i - 2]) == Fold(b[j - 1]);
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<double> UnitScale(std::string_view unit) {
  const std::optional<Unit> parsed = ParseUnit(unit);
  if (!parsed) return std::nullopt;
  return parsed->scale;
}

Result<double> ParseQuantity(std::string_view text, std::string_view unit) {
  const std::string_view trimmed = Trim(text);
  if (trimmed.empty()) return Error{.message = Expected(unit) + ", found nothing"};
  std::string_view rest = trimmed;
  if (rest.front() == '+') rest.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error == std::errc::result_out_of_range) {
    return Error{.message = Quote(trimmed) + " does not fit a double"};
  }
  const bool number = error == std::errc{} && !(rest.front() == '-' && rest.size() < 2);
  if (!number) return Error{.message = Expected(unit) + ", found " + Quote(trimmed)};
  if (!std::isfinite(value)) {
    return Error{.message = Expected(unit) + ", finite; found " + Quote(trimmed)};
  }
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  rest = Trim(rest);
  if (rest.empty()) return value;

  // A unit follows: it must have the dimensions of the expected one.
  const std::optional<Unit> found = ParseUnit(rest);
  const std::optional<Unit> expected = ParseUnit(unit);
  if (!found || !expected) {
    return Error{.message = Expected(unit) + ", found the unit " + Quote(rest)};
  }
  for (std::size_t i = 0; i < 4; ++i) {
    if (std::abs(found->exponent[i] - expected->exponent[i]) > 1e-9) {
      return Error{.message = Expected(unit) + ", found the unit " + Quote(rest)};
    }
  }
  // Dividing by the reciprocal keeps "5 ms" the double nearest to 0.005.
  const double scale = found->scale / expected->scale;
  const double inverse = std::round(1 / scale);
  const bool exact = scale < 1 && std::abs(inverse * scale - 1) < 1e-14;
  const double converted = exact ? value / inverse : value * scale;
  if (!std::isfinite(converted)) {
    return Error{.message = Quote(trimmed) + " does not fit a double"};
  }
  return converted;
}

std::string FormatNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 40> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  if (error != std::errc{}) return "nan";
  std::string text(buffer.data(), end);
  // "1e+07" -> "1e7", "1e-04" -> "1e-4"
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::size_t digit = e + 1;
  if (text[digit] == '+') {
    text.erase(digit, 1);
  } else {
    ++digit;
  }
  while (digit + 1 < text.size() && text[digit] == '0') text.erase(digit, 1);
  return text;
}

std::string_view Closest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongestWord = 64;  // the distance is quadratic; longer words are no typos
  if (word.empty() || word.size() > kLongestWord) return {};
  std::string_view best;
  // About one slip per three letters.
  int limit = std::max(1, static_cast<int>(word.size() + 1) / 3);
  for (const std::string_view candidate : candidates) {
    int distance = Distance(word, candidate);
    const bool begins = word.size() >= 3 && candidate.substr(0, word.size()) == word;
    if (begins) distance = std::min(distance, 1);
    if (distance < limit || (distance == limit && best.empty())) {
      best = candidate;
      limit = distance;
    }
  }
  return best;
}

std::vector<std::string> SplitList(std::string_view list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    words.emplace_back(list.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return words;
}

std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view closest = Closest(word, candidates);
  if (!closest.empty()) return "did you mean '" + std::string(closest) + "'?";
  if (candidates.empty()) return "there is none";
  std::string text = "known:";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    text += (i == 0 ? " " : ", ") + std::string(candidates[i]);
  }
  return text;
}

}  // namespace slip
