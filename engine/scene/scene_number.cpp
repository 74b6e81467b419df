#include "engine/scene/scene_number.h"

#include "engine/core/param_text.h"
#include "engine/sim/part_signals.h"

namespace slip {
namespace {

constexpr std::size_t kLongestLabel = 24;

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace

Result<SceneNumber> ReadSceneNumber(std::string_view text, const Model& model) {
  SceneNumber number;
  const std::size_t equals = text.find('=');
  if (equals == text.npos) {
    const Result<Signal> signal = SignalNamed(model, Trimmed(text));
    if (!signal) return signal.error();
    number.signal = *signal;
    number.unit = Info(*signal).unit;
    return number;
  }
  std::string_view label = Trimmed(text.substr(0, equals));
  std::string_view unit;
  if (const std::size_t open = label.find('['); open != label.npos && label.ends_with(']')) {
    unit = Trimmed(label.substr(open + 1, label.size() - open - 2));
    label = Trimmed(label.substr(0, open));
  }
  if (label.empty() || label.size() > kLongestLabel) {
    return Error{
        .message = "a label of 1 to " + std::to_string(kLongestLabel) + " bytes stands before '='",
        .hint = "for example \"gone [m] = last(position_x)\""};
  }
  if (text.find('@') != text.npos) {
    return Error{.message = "a number is that of each model in turn: it has no '@'",
                 .hint = "leave the model out"};
  }
  Result<Expression> value = Expression::ParseNumber(text.substr(equals + 1), &model);
  if (!value) return value.error();
  number.unit = value->unit();
  if (!unit.empty()) {
    const std::optional<double> scale = UnitScale(unit);
    if (!scale) {
      return Error{.message = "unknown unit '" + std::string(unit) + "'",
                   .hint = "for example m, mm, m/s, N, s"};
    }
    if (!number.unit.empty()) {
      const Result<double> one = ParseQuantity("1 " + std::string(unit), number.unit);
      if (!one) return one.error();
    }
    if (number.unit.empty() && *scale == 1) {
      number.unit = unit;
    } else {
      number.shown_unit = unit;
      number.shown_scale = *scale;
    }
  }
  number.label = label;
  number.value = std::move(value).value();
  return number;
}

}  // namespace slip
