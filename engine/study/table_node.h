// The tree of a table expression. Internal to engine/study.
#pragma once

#include <vector>

#include "engine/study/table_expression.h"

namespace slip {

struct TableExpression::Node {
  enum class Kind {
    kNumber,
    kColumn,
    kCall,
    kNegate,
    kNot,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kAnd,
    kOr
  };
  Kind kind = Kind::kNumber;
  double number = 0;
  std::size_t column = 0;  ///< of the expression's columns
  const TableFunction* function = nullptr;
  std::vector<Node> children;
};

}  // namespace slip
