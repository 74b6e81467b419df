// Evaluation of a parsed condition. The tree is immutable and shared, so an Expression is cheap to
// copy and safe to read from any thread.
#include "engine/sim/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/sim/expression_node.h"

namespace slip {
namespace {

using Node = Expression::Node;
using Kind = Node::Kind;

constexpr std::size_t kMaxLength = 4096;

/// Truth is 1 and 0. What cannot be answered sets *missing, which makes the whole false.
double Value(const Node& node, const ExpressionData& data, bool* missing) {
  const auto left = [&] { return Value(*node.left, data, missing); };
  const auto right = [&] { return Value(*node.right, data, missing); };
  const auto answer = [&](std::optional<double> value) {
    if (!value || std::isnan(*value)) *missing = true;
    return value.value_or(kNaN);
  };
  switch (node.kind) {
    case Kind::kNumber:
      return node.number;
    case Kind::kSignal:
      return answer(data.signal ? data.signal(node.reduction, node.signal, node.model)
                                : std::nullopt);
    case Kind::kParameter:
      return answer(data.parameter ? data.parameter(node.name, node.model) : std::nullopt);
    case Kind::kNegate:
      return -left();
    case Kind::kAbs:
      return std::abs(left());
    case Kind::kSqrt:
      return std::sqrt(left());
    case Kind::kNot:
      return left() != 0 ? 0 : 1;
    case Kind::kAdd:
      return left() + right();
    case Kind::kSubtract:
      return left() - right();
    case Kind::kMultiply:
      return left() * right();
    case Kind::kDivide:
      return left() / right();
    case Kind::kLess:
      return left() < right() ? 1 : 0;
    case Kind::kLessEqual:
      return left() <= right() ? 1 : 0;
    case Kind::kGreater:
      return left() > right() ? 1 : 0;
    case Kind::kGreaterEqual:
      return left() >= right() ? 1 : 0;
    case Kind::kEqual:
      return left() == right() ? 1 : 0;
    case Kind::kNotEqual:
      return left() != right() ? 1 : 0;
    case Kind::kAnd:
      return left() != 0 && right() != 0 ? 1 : 0;
    case Kind::kOr:
      return left() != 0 || right() != 0 ? 1 : 0;
  }
  return 0;
}

template <class Holds>
bool AnyOf(const Node* node, const Holds& holds) {
  if (node == nullptr) return false;
  return holds(*node) || AnyOf(node->left.get(), holds) || AnyOf(node->right.get(), holds);
}

/// "name = value unit" of every leaf, in the order of the text.
void CollectFound(const Node& node, const ExpressionData& data, std::vector<std::string>* found) {
  if (node.left != nullptr) CollectFound(*node.left, data, found);
  if (node.right != nullptr) CollectFound(*node.right, data, found);
  std::string name, shown = "no value";
  const std::string channel = node.model.empty() ? "" : "@" + node.model;
  std::optional<double> value;
  if (node.kind == Kind::kSignal) {
    name = fmt::format("{}({}{})", At(kReductionNames, node.reduction), node.name, channel);
    if (data.signal) value = data.signal(node.reduction, node.signal, node.model);
    if (value) shown = fmt::format("{:.6g} {}", *value, UnitOf(node.reduction, node.signal));
  } else if (node.kind == Kind::kParameter) {
    name = node.name + channel;
    if (data.parameter) value = data.parameter(node.name, node.model);
    if (value) shown = fmt::format("{:.6g} {}", *value, node.unit);
  } else {
    return;
  }
  while (shown.ends_with(' ')) shown.pop_back();
  std::string text = name + " = " + shown;
  if (std::find(found->begin(), found->end(), text) == found->end())
    found->push_back(std::move(text));
}

}  // namespace

Result<Expression> Expression::Parse(std::string_view text, const Model* model,
                                     std::span<const std::string> recorded) {
  return Make(text, model, false, recorded, {});
}

Result<Expression> Expression::ParseNumber(std::string_view text, const Model* model,
                                           std::span<const std::string> names) {
  return Make(text, model, true, {}, names);
}

Result<Expression> Expression::Make(std::string_view text, const Model* model, bool number,
                                    std::span<const std::string> recorded,
                                    std::span<const std::string> names) {
  if (text.size() > kMaxLength) return Error{.message = "expression is too long"};
  Result<std::shared_ptr<const Node>> root = ParseExpression(text, model, number, recorded, names);
  if (!root) return root.error();
  Expression expression;
  expression.text_ = std::string(text);
  expression.root_ = *root;
  return expression;
}

bool Expression::Evaluate(const ExpressionData& data) const {
  if (root_ == nullptr) return false;
  bool missing = false;
  const double value = Value(*root_, data, &missing);
  return !missing && value != 0;
}

Result<Expression> Expression::OfParameter(std::string_view path) {
  Expression expression;
  expression.text_ = std::string(path);
  expression.root_ = ParameterNode(path);
  if (expression.root_ == nullptr)
    return Error{.message = "no parameter '" + std::string(path) + "'"};
  return expression;
}

std::optional<double> Expression::Number(const ExpressionData& data) const {
  if (root_ == nullptr) return std::nullopt;
  bool missing = false;
  const double value = Value(*root_, data, &missing);
  return missing ? std::nullopt : std::optional(value);
}

namespace {

bool IsPure(const Node* node) {
  return node == nullptr || (node->kind != Kind::kSignal && node->kind != Kind::kParameter &&
                             IsPure(node->left.get()) && IsPure(node->right.get()));
}

// The first number of a sum, all of which are of its kind; pure factors change no kind.
const Node* FirstOfSum(const Node* node) {
  while (node != nullptr) {
    switch (node->kind) {
      case Kind::kNegate:
      case Kind::kAbs:
      case Kind::kAdd:
      case Kind::kSubtract:
        node = node->left.get();
        break;
      case Kind::kMultiply:
        if (!IsPure(node->left.get()) && !IsPure(node->right.get())) return nullptr;
        node = (IsPure(node->left.get()) ? node->right : node->left).get();
        break;
      case Kind::kDivide:
        if (!IsPure(node->right.get())) return nullptr;
        node = node->left.get();
        break;
      default:
        return node;
    }
  }
  return nullptr;
}

}  // namespace

double Expression::noise() const {
  const Node* node = FirstOfSum(root_.get());
  const bool of_signal =
      node != nullptr && node->kind == Kind::kSignal && node->reduction < Reduction::kOnset;
  return of_signal ? Info(node->signal).noise : 0;
}

std::string_view Expression::unit() const {
  const Node* node = FirstOfSum(root_.get());
  if (node == nullptr) return {};
  if (node->kind == Kind::kSignal) return UnitOf(node->reduction, node->signal);
  return node->kind == Kind::kParameter ? node->unit : std::string_view();
}

bool Expression::Reads(Signal signal) const {
  return AnyOf(root_.get(), [&](const Node& node) {
    return node.kind == Kind::kSignal && node.signal == signal;
  });
}
bool Expression::ReadsAnySignal() const {
  return AnyOf(root_.get(), [](const Node& node) { return node.kind == Kind::kSignal; });
}
bool Expression::ReadsParameter(std::string_view path) const {
  return AnyOf(root_.get(), [&](const Node& node) {
    return node.kind == Kind::kParameter && node.name == path;
  });
}

std::string Expression::Found(const ExpressionData& data) const {
  std::vector<std::string> found;
  if (root_ != nullptr) CollectFound(*root_, data, &found);
  return fmt::format("{}", fmt::join(found, ", "));
}

}  // namespace slip
