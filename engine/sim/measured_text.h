// A sentence with numbers in braces, each of them an expression (engine/sim/expression.h):
//   "SAP glides {max(gliding_offset@sap)} high at a step of {time_step}."
// The word `value` in them is the parameter of the card that the sentence stands on. What the
// expression cannot tell of its unit is named: "{friction * 9.81 [N]}", in SI units. Braces after
// '_' or '^' group, as in formulas.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sim/expression.h"

namespace slip {

class MeasuredText {
 public:
  /// How a number is written; not a number where nothing was measured.
  using Format = std::function<std::string(double value, std::string_view unit)>;

  /// `value` is the path that the word means; empty = it means nothing. Joints and feet are those
  /// of `model`; without one, numbers that name any are never measured.
  static Result<MeasuredText> Parse(std::string_view text, std::string_view value,
                                    const Model* model);
  /// The sentence with its numbers as they are now.
  std::string Write(const ExpressionData& data, const Format& format) const;
  bool has_numbers() const { return !numbers_.empty(); }
  /// All numbers can be told now.
  bool Measurable(const ExpressionData& data) const;

 private:
  struct Number {
    Expression expression;
    std::string unit;
  };

  std::vector<std::string> words_;  ///< around the numbers: one more than those
  std::vector<Number> numbers_;
};

}  // namespace slip
