// Numbers from the tables of a study, for its conditions and figures:
//   max(steps.error[similar] / steps.error[lagged])        lists are taken element by element
//   last(order(steps.time_step[sap], steps.error[sap]))    orders of neighbours
//   max(belt.normal_force[lagged, time_step=10 ms, time>=0.2]) - 9.81
// RUN.COLUMN is a list over the cells of a run, or over the samples of its signals; brackets choose
// among them: models, and axes or `time` by = < <= > >=. Operators + - * / ^ ( ) < <= > >= == and
// or not; functions: TableFunctions().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace slip {

enum class FilterSign : int { kEqual, kLess, kLessEqual, kGreater, kGreaterEqual };

/// One choice among rows: "time_step<=2 ms".
struct ColumnFilter {
  std::string name;
  FilterSign sign = FilterSign::kEqual;
  std::string text;   ///< as written
  double number = 0;  ///< who resolves a column fills it in
};

struct ColumnRef {
  std::string run, column;
  std::vector<std::string> models;  ///< any of them; empty = all
  std::vector<ColumnFilter> filters;
};

/// A list of numbers; one that stands for itself fits to any other.
using NumberList = std::vector<double>;

/// What a name in an expression may do with its lists.
struct TableFunction {
  std::string_view name;
  int least = 1, most = 1;  ///< arguments
  /// Says in *error why it cannot.
  NumberList (*apply)(std::span<const NumberList> lists, std::string* error);
  std::string_view doc;
};
std::span<const TableFunction> TableFunctions();

class TableExpression {
 public:
  /// Checks a column and its filters, and fills in their numbers.
  using Resolve = std::function<std::optional<Error>(ColumnRef*)>;
  using Read = std::function<NumberList(const ColumnRef&)>;

  /// Errors name the place and what was expected.
  static Result<TableExpression> Parse(std::string_view text, const Resolve& resolve);
  /// Error: lists of different lengths, or a function that cannot.
  Result<NumberList> Evaluate(const Read& read) const;
  const std::string& text() const { return text_; }
  const std::vector<ColumnRef>& columns() const { return *columns_; }

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  std::shared_ptr<const std::vector<ColumnRef>> columns_;
};

}  // namespace slip
