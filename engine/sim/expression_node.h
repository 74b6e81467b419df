// The syntax tree of a condition; shared by the parser and the evaluation, seen by nobody else.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/sim/expression.h"

namespace slip {

/// In the order of Reduction.
inline constexpr std::array<std::string_view, 7> kReductionNames = {
    "max", "min", "mean", "rms", "last", "onset", "time_of_max"};
inline std::string_view UnitOf(Reduction reduction, Signal signal) {
  return reduction >= Reduction::kOnset ? "s" : Info(signal).unit;
}

struct Expression::Node {
  enum class Kind {
    kNumber,
    kSignal,
    kParameter,
    kNegate,
    kAbs,
    kSqrt,
    kNot,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kNotEqual,
    kAnd,
    kOr
  };
  Kind kind = Kind::kNumber;
  double number = 0;
  Reduction reduction = Reduction::kLast;
  Signal signal = Signal::kNormalForce;
  std::string name;       ///< of the signal, or path of the parameter
  std::string_view unit;  ///< of the parameter, from its table
  std::string model;      ///< after '@', may be empty
  std::shared_ptr<const Node> left, right;
};

/// Truth-valued nodes; all others are numbers.
inline bool IsLogical(Expression::Node::Kind kind) {
  return kind == Expression::Node::Kind::kNot || kind >= Expression::Node::Kind::kLess;
}

/// Syntax tree of a condition, or of a number; errors name the column. `recorded`: names of
/// recorded runs.
Result<std::shared_ptr<const Expression::Node>> ParseExpression(
    std::string_view text, const Model* model, bool number, std::span<const std::string> recorded,
    std::span<const std::string> names = {});

/// The node of a parameter by its path; null where no parameter has that name.
std::shared_ptr<const Expression::Node> ParameterNode(std::string_view path);

}  // namespace slip
