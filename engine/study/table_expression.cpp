#include "engine/study/table_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "engine/core/param_text.h"
#include "engine/study/table_node.h"

namespace slip {
namespace {

using Node = TableExpression::Node;
using Kind = Node::Kind;

constexpr std::size_t kMostLetters = 4096;
constexpr int kMostNested = 60;

bool IsWordLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Recursive descent; the first error ends it.
class Parser {
 public:
  Parser(std::string_view text, const TableExpression::Resolve& resolve)
      : text_(text), resolve_(resolve) {}

  std::optional<Error> Parse(Node* root) {
    if (text_.size() > kMostLetters) return Error{.message = "the expression is too long"};
    *root = Or();
    Skip();
    if (!error_ && at_ < text_.size()) Fail("an operator or the end");
    return error_;
  }
  std::vector<ColumnRef> TakeColumns() { return std::move(columns_); }

 private:
  void Fail(const std::string& expected) {
    if (error_) return;
    const std::string found =
        at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 20)) : "the end";
    error_ = Error{.message = fmt::format("expected {}, found {} at letter {} of '{}'", expected,
                                          found, at_ + 1, text_.substr(0, 80))};
  }
  void Skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool Take(std::string_view sign) {
    Skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  bool TakeWord(std::string_view word) {
    Skip();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(word)) return false;
    if (rest.size() > word.size() && IsWordLetter(rest[word.size()])) return false;
    at_ += word.size();
    return true;
  }
  static Node Make(Kind kind, Node left, Node right) {
    Node node{.kind = kind, .children = {}};
    node.children.push_back(std::move(left));
    node.children.push_back(std::move(right));
    return node;
  }

  Node Or() {
    Node left = And();
    while (!error_ && TakeWord("or")) left = Make(Kind::kOr, std::move(left), And());
    return left;
  }
  Node And() {
    Node left = Not();
    while (!error_ && TakeWord("and")) left = Make(Kind::kAnd, std::move(left), Not());
    return left;
  }
  Node Not() {
    if (++nested_ > kMostNested) Fail("fewer nested parts");
    Node node;
    if (!error_ && TakeWord("not")) {
      node.kind = Kind::kNot;
      node.children.push_back(Not());
    } else if (!error_) {
      node = Compare();
    }
    --nested_;
    return node;
  }
  Node Compare() {
    Node left = Sum();
    // the longer signs first
    constexpr std::pair<std::string_view, Kind> kSigns[] = {{"<=", Kind::kLessEqual},
                                                            {">=", Kind::kGreaterEqual},
                                                            {"==", Kind::kEqual},
                                                            {"<", Kind::kLess},
                                                            {">", Kind::kGreater}};
    for (const auto& [sign, kind] : kSigns) {
      if (!error_ && Take(sign)) return Make(kind, std::move(left), Sum());
    }
    return left;
  }
  Node Sum() {
    Node left = Product();
    while (!error_) {
      if (Take("+")) {
        left = Make(Kind::kAdd, std::move(left), Product());
      } else if (Take("-")) {
        left = Make(Kind::kSubtract, std::move(left), Product());
      } else {
        break;
      }
    }
    return left;
  }
  Node Product() {
    Node left = Unary();
    while (!error_) {
      if (Take("*")) {
        left = Make(Kind::kMultiply, std::move(left), Unary());
      } else if (Take("/")) {
        left = Make(Kind::kDivide, std::move(left), Unary());
      } else {
        break;
      }
    }
    return left;
  }
  Node Unary() {
    if (++nested_ > kMostNested) Fail("fewer nested parts");
    Node node;
    if (!error_ && Take("-")) {
      node.kind = Kind::kNegate;
      node.children.push_back(Unary());
    } else if (!error_) {
      node = Primary();
      if (!error_ && Take("^")) node = Make(Kind::kPower, std::move(node), Unary());
    }
    --nested_;
    return node;
  }
  Node Primary() {
    Skip();
    if (Take("(")) {
      Node inner = Or();
      if (!error_ && !Take(")")) Fail("')'");
      return inner;
    }
    Node node;
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    const auto number = std::from_chars(begin, end, node.number);
    if (number.ec == std::errc() && std::isfinite(node.number)) {
      at_ += static_cast<std::size_t>(number.ptr - begin);
      return node;
    }
    const std::string word = Word();
    if (word.empty()) {
      Fail("a number, a function or RUN.COLUMN");
      return {};
    }
    if (word == "pi") {
      node.number = std::numbers::pi;
      return node;
    }
    return Take("(") ? Call(word) : Column(word);
  }
  std::string Word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsWordLetter(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  Node Call(const std::string& name) {
    const auto functions = TableFunctions();
    const auto row = std::find_if(functions.begin(), functions.end(),
                                  [&](const TableFunction& each) { return each.name == name; });
    if (row == functions.end()) {
      std::vector<std::string_view> names;
      for (const TableFunction& each : functions) names.push_back(each.name);
      if (!error_)
        error_ = Error{.message = "no function '" + name.substr(0, 60) + "'",
                       .hint = DidYouMean(name, names)};
      return {};
    }
    Node node{.kind = Kind::kCall, .function = &*row, .children = {}};
    do {
      node.children.push_back(Or());
    } while (!error_ && Take(","));
    if (!error_ && !Take(")")) Fail("',' or ')'");
    const int count = static_cast<int>(node.children.size());
    if (!error_ && (count < row->least || count > row->most)) {
      const std::string wanted = row->least == row->most
                                     ? std::to_string(row->least)
                                     : fmt::format("{} to {}", row->least, row->most);
      error_ = Error{.message = fmt::format("{} takes {} argument{} (found {})", name, wanted,
                                            row->most == 1 ? "" : "s", count)};
    }
    return node;
  }
  Node Column(const std::string& run) {
    ColumnRef column{.run = run, .column = {}, .models = {}, .filters = {}};
    if (!Take(".")) {
      Fail("'.' and a column after '" + run.substr(0, 60) + "'");
      return {};
    }
    const std::size_t begin = at_;
    // joints and feet have more letters: force:solo/FL_FOOT
    while (at_ < text_.size() &&
           (IsWordLetter(text_[at_]) || text_[at_] == ':' || text_[at_] == '.' ||
            (text_[at_] == '/' &&
             text_.substr(begin, at_ - begin).find(':') != std::string_view::npos)))
      ++at_;
    column.column = std::string(text_.substr(begin, at_ - begin));
    if (column.column.empty()) Fail("the name of a column");
    if (!error_ && Take("[")) Filters(&column);
    if (!error_ && resolve_) error_ = resolve_(&column);
    Node node{.kind = Kind::kColumn, .column = columns_.size(), .children = {}};
    columns_.push_back(std::move(column));
    return node;
  }
  void Filters(ColumnRef* column) {
    const std::size_t end = text_.find(']', at_);
    if (end == std::string_view::npos) {
      at_ = text_.size();
      return Fail("']'");
    }
    for (const std::string& item : SplitList(text_.substr(at_, end - at_))) {
      const std::string_view each = Trim(item);
      const std::size_t sign = each.find_first_of("<>=");
      if (each.empty() || sign == 0) return Fail("a model, or AXIS=VALUE");
      if (sign == std::string_view::npos) {
        column->models.emplace_back(each);
        continue;
      }
      const bool wide = each.size() > sign + 1 && each[sign + 1] == '=' && each[sign] != '=';
      ColumnFilter filter{.name = std::string(Trim(each.substr(0, sign))), .text = {}};
      filter.sign = each[sign] == '='   ? FilterSign::kEqual
                    : each[sign] == '<' ? (wide ? FilterSign::kLessEqual : FilterSign::kLess)
                                        : (wide ? FilterSign::kGreaterEqual : FilterSign::kGreater);
      filter.text = std::string(Trim(each.substr(sign + (wide ? 2 : 1))));
      column->filters.push_back(std::move(filter));
    }
    at_ = end + 1;
  }

  std::string_view text_;
  const TableExpression::Resolve& resolve_;
  std::size_t at_ = 0;
  int nested_ = 0;
  std::optional<Error> error_;
  std::vector<ColumnRef> columns_;
};

double Combine(Kind kind, double a, double b) {
  switch (kind) {
    case Kind::kAdd:
      return a + b;
    case Kind::kSubtract:
      return a - b;
    case Kind::kMultiply:
      return a * b;
    case Kind::kDivide:
      return a / b;
    case Kind::kPower:
      return std::pow(a, b);
    case Kind::kLess:
      return a < b ? 1 : 0;
    case Kind::kLessEqual:
      return a <= b ? 1 : 0;
    case Kind::kGreater:
      return a > b ? 1 : 0;
    case Kind::kGreaterEqual:
      return a >= b ? 1 : 0;
    case Kind::kEqual:
      return a == b ? 1 : 0;
    case Kind::kAnd:
      return a != 0 && b != 0 ? 1 : 0;
    default:
      return a != 0 || b != 0 ? 1 : 0;
  }
}

class Evaluator {
 public:
  Evaluator(const std::vector<ColumnRef>& columns, const TableExpression::Read& read)
      : columns_(columns), read_(read) {}

  NumberList Value(const Node& node) {
    if (node.kind == Kind::kNumber) return {node.number};
    if (node.kind == Kind::kColumn) return read_(columns_[node.column]);
    std::vector<NumberList> lists;
    for (const Node& child : node.children) {
      lists.push_back(Value(child));
      if (!error_.empty()) return {};
    }
    if (node.kind == Kind::kCall) return node.function->apply(lists, &error_);
    if (node.kind == Kind::kNegate || node.kind == Kind::kNot) {
      const bool negate = node.kind == Kind::kNegate;
      for (double& value : lists[0]) value = negate ? -value : (value == 0 ? 1 : 0);
      return std::move(lists[0]);
    }
    const NumberList &a = lists[0], &b = lists[1];
    if (a.size() != b.size() && a.size() != 1 && b.size() != 1) {
      error_ = fmt::format("lists of {} and of {} values do not fit", a.size(), b.size());
      return {};
    }
    NumberList out(a.size() == 1 ? b.size() : a.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = Combine(node.kind, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
    return out;
  }
  const std::string& error() const { return error_; }

 private:
  const std::vector<ColumnRef>& columns_;
  const TableExpression::Read& read_;
  std::string error_;
};

}  // namespace

Result<TableExpression> TableExpression::Parse(std::string_view text, const Resolve& resolve) {
  TableExpression made;
  made.text_ = std::string(text);
  auto root = std::make_shared<Node>();
  Parser parser(made.text_, resolve);
  if (const std::optional<Error> error = parser.Parse(root.get())) return *error;
  made.columns_ = std::make_shared<const std::vector<ColumnRef>>(parser.TakeColumns());
  made.root_ = std::move(root);
  return made;
}

Result<NumberList> TableExpression::Evaluate(const Read& read) const {
  Evaluator evaluator(*columns_, read);
  NumberList list = evaluator.Value(*root_);
  if (!evaluator.error().empty()) return Error{.message = evaluator.error()};
  return list;
}

}  // namespace slip
