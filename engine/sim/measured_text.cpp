#include "engine/sim/measured_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/core/param_text.h"

namespace slip {
namespace {

constexpr std::string_view kValue = "value";

bool IsOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':';
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The expression with `path` in place of the word `value`.
std::string WithPath(std::string_view expression, std::string_view path) {
  std::string out;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && IsOfName(expression[end])) ++end;
    if (end == at) ++end;
    const std::string_view word = expression.substr(at, end - at);
    out += word == kValue && !path.empty() ? path : word;
    at = end;
  }
  return out;
}

/// Takes "[N]" off the end of a number: the unit between the brackets, empty without any.
Result<std::string_view> TakeUnit(std::string_view* number) {
  if (number->empty() || number->back() != ']') return std::string_view();
  const std::size_t open = number->rfind('[');
  if (open == std::string_view::npos) return Error{.message = "']' without '['"};
  const std::string_view unit = number->substr(open + 1, number->size() - open - 2);
  const std::optional<double> scale = UnitScale(unit);
  if (!scale || *scale != 1) {
    return Error{.message = "expected an SI unit in brackets, such as [N] or [m/s]; found '" +
                            std::string(unit) + "'"};
  }
  *number = Trim(number->substr(0, open));
  return unit;
}

}  // namespace

Result<MeasuredText> MeasuredText::Parse(std::string_view text, std::string_view value,
                                         const Model* model) {
  MeasuredText out;
  std::string words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool groups = at > 0 && (text[at - 1] == '_' || text[at - 1] == '^');
    if (text[at] != '{' || groups) {
      words += text[at];
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos)
      return Error{.message = "'{' without '}': numbers stand in braces"};
    const std::string_view inside = text.substr(at + 1, end - at - 1);
    const auto failed = [&](Error error) {
      error.message = "{" + std::string(inside) + "}: " + error.message;
      return error;
    };
    std::string_view number = Trim(inside);
    at = end;
    out.words_.push_back(std::exchange(words, {}));
    const Result<std::string_view> unit = TakeUnit(&number);
    if (!unit) return failed(unit.error());
    Number& added = out.numbers_.emplace_back();
    // what a robot that was refused has is not known
    if (model == nullptr && number.find(':') != std::string_view::npos) continue;
    if (number == kValue && value.empty()) {
      return failed({.message = "the card shows no parameter",
                     .hint = "give it the key parameter, or write the path of one"});
    }
    Result<Expression> parsed = number == kValue
                                    ? Expression::OfParameter(value)
                                    : Expression::ParseNumber(WithPath(number, value), model);
    if (!parsed) return failed(parsed.error());
    added.expression = std::move(parsed).value();
    added.unit = unit->empty() ? added.expression.unit() : *unit;
  }
  out.words_.push_back(std::move(words));
  return out;
}

std::string MeasuredText::Write(const ExpressionData& data, const Format& format) const {
  std::string text;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    text += words_[i];
    if (i >= numbers_.size()) break;
    const Number& number = numbers_[i];
    double value = number.expression.Number(data).value_or(kNaN);
    if (std::abs(value) < number.expression.noise()) value = 0;
    text += format(value, number.unit);
  }
  return text;
}

bool MeasuredText::Measurable(const ExpressionData& data) const {
  return std::all_of(numbers_.begin(), numbers_.end(), [&](const Number& number) {
    const std::optional<double> value = number.expression.Number(data);
    return value && std::isfinite(*value);
  });
}

}  // namespace slip
