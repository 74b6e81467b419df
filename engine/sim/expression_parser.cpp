// Reads a condition by recursive descent: or, and, not, comparison, sum, product, sign, primary.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/core/param_text.h"
#include "engine/sim/expression_node.h"
#include "engine/sim/part_signals.h"

namespace slip {

namespace {

using Node = Expression::Node;
using NodePtr = std::shared_ptr<const Node>;
using Kind = Node::Kind;

constexpr int kMaxDepth = 100;  // parentheses in parentheses: bounds the recursion

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
/// Units may hold bytes of UTF-8 such as those of the micro and degree signs.
bool IsUnitStart(char c) {
  return IsLetter(c) || c == '%' || static_cast<unsigned char>(c) >= 0x80;
}

/// A path without the parts before its name.
std::string_view LastName(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

/// What the tables say of a parameter, by the last name of its path; null for none, with all names
/// in `known`.
const ParamInfo* FindParameter(std::string_view path, std::vector<std::string_view>* known) {
  const std::string_view name = LastName(path);
  const ParamInfo* found = nullptr;
  const auto look = [&](const auto& table) {
    for (const auto& row : table) {
      known->push_back(row.info.name);
      if (row.info.name == name && found == nullptr) found = &row.info;
    }
  };
  look(StepParamTable());
  look(MaterialTable());
  look(SurfaceTable());
  look(PileTable());
  look(BodyTable());
  look(JointTable());
  look(RobotTable());
  return found;
}

class Parser {
 public:
  Parser(std::string_view text, const Model* model, std::span<const std::string> recorded,
         std::span<const std::string> names)
      : text_(text), model_(model), recorded_(recorded), names_(names) {}

  NodePtr Parse(bool number) {
    NodePtr node = Or();
    SkipBlanks();
    if (!failed_ && at_ < text_.size()) Fail("expected the end or an operator");
    if (!failed_ && !number && !IsLogical(node->kind))
      Fail("expected a comparison such as '< 1e-3'");
    if (!failed_ && number && IsLogical(node->kind)) Fail("expected a number, not a condition");
    return failed_ ? nullptr : node;
  }
  const Error& error() const { return error_; }

 private:
  void Fail(std::string message, std::string hint = {}) {
    if (failed_) return;
    failed_ = true;
    error_ = {.message = "column " + std::to_string(at_ + 1) + ": " + std::move(message),
              .hint = std::move(hint)};
  }

  void SkipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }

  bool Take(std::string_view token) {
    SkipBlanks();
    if (text_.substr(at_, token.size()) != token) return false;
    const std::size_t end = at_ + token.size();
    const bool word = IsLetter(token.front());
    if (word && end < text_.size() && (IsLetter(text_[end]) || IsDigit(text_[end]))) return false;
    at_ = end;
    return true;
  }

  static NodePtr Make(Kind kind, NodePtr left, NodePtr right = nullptr) {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }

  NodePtr Logical(Kind kind, NodePtr left, NodePtr right) {
    const bool fits = left && right && IsLogical(left->kind) && IsLogical(right->kind);
    if (!failed_ && !fits) Fail("'and' and 'or' join comparisons, not numbers");
    return Make(kind, std::move(left), std::move(right));
  }

  NodePtr Arithmetic(Kind kind, NodePtr left, NodePtr right = nullptr) {
    const bool logical = (left && IsLogical(left->kind)) || (right && IsLogical(right->kind));
    if (!failed_ && logical) Fail("expected a number, found a comparison");
    return Make(kind, std::move(left), std::move(right));
  }

  NodePtr Or() {
    NodePtr node = And();
    while (!failed_ && Take("or")) node = Logical(Kind::kOr, node, And());
    return node;
  }

  NodePtr And() {
    NodePtr node = Not();
    while (!failed_ && Take("and")) node = Logical(Kind::kAnd, node, Not());
    return node;
  }

  NodePtr Not() {
    if (!Take("not")) return Comparison();
    if (++depth_ > kMaxDepth) Fail("too deeply nested");
    if (failed_) return nullptr;
    NodePtr node = Not();
    --depth_;
    if (!failed_ && !IsLogical(node->kind)) Fail("'not' takes a comparison");
    return Make(Kind::kNot, std::move(node));
  }

  NodePtr Comparison() {
    constexpr std::array<std::pair<std::string_view, Kind>, 6> kOperators = {
        {{"<=", Kind::kLessEqual},
         {">=", Kind::kGreaterEqual},
         {"==", Kind::kEqual},
         {"!=", Kind::kNotEqual},
         {"<", Kind::kLess},
         {">", Kind::kGreater}}};
    NodePtr left = Sum();
    for (const auto& [token, kind] : kOperators) {
      if (!failed_ && Take(token)) return Arithmetic(kind, std::move(left), Sum());
    }
    return left;
  }

  NodePtr Sum() {
    NodePtr node = Product();
    while (!failed_) {
      if (Take("+")) {
        node = Arithmetic(Kind::kAdd, node, Product());
      } else if (Take("-")) {
        node = Arithmetic(Kind::kSubtract, node, Product());
      } else {
        break;
      }
    }
    return node;
  }

  NodePtr Product() {
    NodePtr node = Signed();
    while (!failed_) {
      if (Take("*")) {
        node = Arithmetic(Kind::kMultiply, node, Signed());
      } else if (Take("/")) {
        node = Arithmetic(Kind::kDivide, node, Signed());
      } else {
        break;
      }
    }
    return node;
  }

  NodePtr Signed() {
    if (!Take("-")) return Primary();
    if (++depth_ > kMaxDepth) Fail("too deeply nested");
    if (failed_) return nullptr;
    NodePtr node = Arithmetic(Kind::kNegate, Signed());
    --depth_;
    return node;
  }

  NodePtr Parenthesis() {
    if (++depth_ > kMaxDepth) Fail("too deeply nested");
    if (failed_) return nullptr;
    NodePtr node = Or();
    --depth_;
    if (!failed_ && !Take(")")) Fail("expected ')'");
    return node;
  }

  NodePtr Primary() {
    SkipBlanks();
    if (failed_) return nullptr;
    if (at_ >= text_.size()) {
      Fail("expected a number, a signal or a parameter");
      return nullptr;
    }
    if (Take("(")) return Parenthesis();
    if (IsDigit(text_[at_]) || text_[at_] == '.') return Number();
    if (IsLetter(text_[at_])) return Name();
    Fail("expected a number, a signal or a parameter");
    return nullptr;
  }

  NodePtr Number() {
    auto node = std::make_shared<Node>();
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), node->number);
    if (error != std::errc{} || !std::isfinite(node->number)) {
      Fail("expected a number that fits a double");
      return nullptr;
    }
    at_ += static_cast<std::size_t>(end - begin);
    Unit(&node->number);
    return node;
  }

  /// "1 mm/s": letters right after the number or after blanks, unless they are a keyword.
  void Unit(double* number) {
    std::size_t start = at_;
    while (start < text_.size() && text_[start] == ' ') ++start;
    if (start >= text_.size() || !IsUnitStart(text_[start])) return;
    std::size_t end = start;
    while (end < text_.size() && (IsUnitStart(text_[end]) || IsDigit(text_[end]) ||
                                  text_[end] == '/' || text_[end] == '^' || text_[end] == '.')) {
      ++end;
    }
    std::string_view unit = text_.substr(start, end - start);
    if (unit == "and" || unit == "or") return;
    // "2 s/time_step" divides by a parameter: give back what follows the last '/'.
    while (!UnitScale(unit) && unit.find('/') != std::string_view::npos) {
      unit = unit.substr(0, unit.rfind('/'));
    }
    const std::optional<double> scale = UnitScale(unit);
    at_ = start;
    if (!scale) return Fail("unknown unit '" + std::string(unit) + "'");
    at_ = start + unit.size();
    *number *= *scale;
  }

  std::string_view Word(bool path) {
    const std::size_t start = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool more = IsLetter(c) || IsDigit(c) || (path ? c == '.' : c == '-');
      if (!more) break;
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  NodePtr Name() {
    const std::size_t start = at_;
    const std::string_view word = Word(true);
    SkipBlanks();
    const bool call = at_ < text_.size() && text_[at_] == '(';
    if (call && (word == "abs" || word == "sqrt")) {
      ++at_;
      return Arithmetic(word == "abs" ? Kind::kAbs : Kind::kSqrt, Parenthesis());
    }
    const auto* reduction = std::find(kReductionNames.begin(), kReductionNames.end(), word);
    if (call && reduction != kReductionNames.end()) {
      ++at_;
      return Reduced(static_cast<Reduction>(reduction - kReductionNames.begin()));
    }
    auto node = std::make_shared<Node>();
    if (call) {
      at_ = start;
      std::vector<std::string_view> known(kReductionNames.begin(), kReductionNames.end());
      known.insert(known.end(), {"abs", "sqrt"});
      Fail("no function '" + std::string(word) + "'", DidYouMean(word, known));
      return nullptr;
    }
    if (!KnownParameter(word, start, &node->unit)) return nullptr;
    node->kind = Kind::kParameter;
    node->name = std::string(word);
    node->model = Channel();
    return node;
  }

  /// Inside "max(": a signal, '@model' perhaps, ')'.
  NodePtr Reduced(Reduction reduction) {
    SkipBlanks();
    const std::size_t start = at_;
    Word(true);
    // the name of a part goes on to what ends a name
    if (at_ < text_.size() && text_[at_] == ':')
      at_ = std::min(text_.find_first_of(" \t\n)@", at_), text_.size());
    const std::string_view word = text_.substr(start, at_ - start);
    const Result<Signal> signal = SignalNamed(model_ != nullptr ? *model_ : Model(), word);
    if (!signal) {
      at_ = start;
      Fail(signal.error().message, signal.error().hint);
      return nullptr;
    }
    auto node = std::make_shared<Node>();
    node->kind = Kind::kSignal;
    node->reduction = reduction;
    node->signal = *signal;
    node->name = std::string(word);
    node->model = Channel();
    if (!failed_ && !Take(")")) Fail("expected ')'");
    return node;
  }

  bool KnownParameter(std::string_view word, std::size_t start, std::string_view* unit) {
    if (std::find(names_.begin(), names_.end(), word) != names_.end()) return true;
    std::vector<std::string_view> known(names_.begin(), names_.end());
    const ParamInfo* info = FindParameter(word, &known);
    if (info != nullptr) {
      *unit = info->unit;
      return true;
    }
    const bool of_part = at_ < text_.size() && text_[at_] == ':';
    if (of_part) {
      const std::size_t end = std::min(text_.find_first_of(" \t\n)@<>=", at_), text_.size());
      word = text_.substr(start, end - start);
    }
    at_ = start;
    if (of_part || FindSignal(word) != nullptr) {
      Fail("a signal needs a reduction", "for example max(" + std::string(word) + ")");
    } else {
      Fail("no parameter '" + std::string(word) + "'", DidYouMean(LastName(word), known));
    }
    return false;
  }

  /// The longest name of a recorded run that stands here; empty = none.
  std::string_view Recorded() const {
    std::string_view found;
    for (const std::string& name : recorded_) {
      const std::size_t end = at_ + name.size();
      const bool ends = end >= text_.size() || (!IsLetter(text_[end]) && !IsDigit(text_[end]));
      if (text_.substr(at_).starts_with(name) && ends && name.size() > found.size()) found = name;
    }
    return found;
  }

  /// "@similar", "@similar#2", "@2" for the second channel, or the name of a recorded run.
  std::string Channel() {
    if (!Take("@")) return {};
    const std::size_t start = at_;
    if (const std::string_view name = Recorded(); !name.empty()) {
      at_ += name.size();
      return std::string(name);
    }
    const std::string_view word = Word(false);
    const bool number = word.size() == 1 && word.front() >= '1' && word.front() <= '9';
    if (!number && !FindMethod(word)) {
      at_ = start;
      std::vector<std::string_view> known(recorded_.begin(), recorded_.end());
      known.insert(known.end(), MethodIds().begin(), MethodIds().end());
      Fail("no model '" + std::string(word) + "'", DidYouMean(word, known));
    }
    if (!number && at_ < text_.size() && text_[at_] == '#') {
      do ++at_;
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9');
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  const Model* model_;
  std::span<const std::string> recorded_, names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  Error error_;
};

}  // namespace

NodePtr ParameterNode(std::string_view path) {
  std::vector<std::string_view> known;
  const ParamInfo* info = FindParameter(path, &known);
  if (info == nullptr) return nullptr;
  auto node = std::make_shared<Node>();
  node->kind = Kind::kParameter;
  node->name = std::string(path);
  node->unit = info->unit;
  return node;
}

Result<std::shared_ptr<const Expression::Node>> ParseExpression(
    std::string_view text, const Model* model, bool number, std::span<const std::string> recorded,
    std::span<const std::string> names) {
  Parser parser(text, model, recorded, names);
  NodePtr root = parser.Parse(number);
  if (root == nullptr) return parser.error();
  return root;
}

}  // namespace slip
