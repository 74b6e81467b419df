// Expressions over tables: lists, functions, and what is said of mistakes.
#include "engine/study/table_expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slip::test {
namespace {

NumberList Read(const ColumnRef& column) {
  if (column.column == "h") return {0.4, 0.2, 0.1};
  if (column.column == "e") return {0.16, 0.04, 0.01};
  if (column.column == "wave") {
    NumberList list;
    for (int i = 0; i < 1000; ++i) list.push_back(3 + 0.01 * i + std::sin(0.1 * i));
    return list;
  }
  if (column.column == "t") {
    NumberList list;
    for (int i = 0; i < 1000; ++i) list.push_back(0.001 * i);
    return list;
  }
  return {1, std::nan(""), 3};
}

NumberList Evaluate(const std::string& text) {
  const Result<TableExpression> made = TableExpression::Parse(text, {});
  EXPECT_TRUE(made.ok()) << text << ": " << (made.ok() ? "" : made.error().Text());
  if (!made) return {};
  const Result<NumberList> list = made->Evaluate(Read);
  EXPECT_TRUE(list.ok()) << text;
  return list ? *list : NumberList();
}

TEST(TableExpression, CountsWithLists) {
  EXPECT_EQ(Evaluate("2 + 3 * 4 ^ 2"), (NumberList{50}));
  EXPECT_EQ(Evaluate("-2 ^ 2"), (NumberList{-4}));
  EXPECT_EQ(Evaluate("max(r.h) - min(r.h)"), (NumberList{0.4 - 0.1}));
  EXPECT_EQ(Evaluate("count(where(r.h, r.h > 0.15 and not r.h > 0.3))"), (NumberList{1}));
  EXPECT_EQ(Evaluate("last(tail(r.h, 2))"), (NumberList{0.1}));
  EXPECT_EQ(Evaluate("join(1, r.h, 2)").size(), 5u);
  EXPECT_EQ(Evaluate("diff(join(1, 4, 9))"), (NumberList{3, 5}));
  EXPECT_NEAR(Evaluate("order(r.h, r.e)")[1], 2, 1e-12);
  EXPECT_NEAR(Evaluate("slope(r.h, r.e)")[0], 2, 1e-12);
  EXPECT_NEAR(Evaluate("interpolate(r.h, r.e, 0.3)")[0], 0.1, 1e-12);
  EXPECT_NEAR(Evaluate("integral(join(0, 1, 3), join(0, 1, 1))")[0], 2.5, 1e-12);
  EXPECT_NEAR(Evaluate("frequency(r.t, r.wave)")[0], 100 / 6.283185307, 0.1);
  EXPECT_NEAR(Evaluate("rank_correlation(r.h, r.e)")[0], 1, 1e-12);
  EXPECT_NEAR(Evaluate("rank_correlation(r.h, -r.e)")[0], -1, 1e-12);
  EXPECT_NEAR(Evaluate("sqrt(4) * cos(pi)")[0], -2, 1e-12);
  // what was not measured shows nothing
  EXPECT_TRUE(std::isnan(Evaluate("max(r.gap)")[0]));
}

TEST(TableExpression, TakesColumnsWithBrackets) {
  const auto made = TableExpression::Parse(
      "run.force:solo/FL_FOOT[sap, lagged, time_step = 10 ms, time>=0.5] / 2", {});
  ASSERT_TRUE(made.ok()) << made.error().Text();
  const ColumnRef& column = made->columns().front();
  EXPECT_EQ(column.column, "force:solo/FL_FOOT");
  EXPECT_EQ(column.models, (std::vector<std::string>{"sap", "lagged"}));
  ASSERT_EQ(column.filters.size(), 2u);
  EXPECT_EQ(column.filters[0].text, "10 ms");
  EXPECT_EQ(column.filters[1].sign, FilterSign::kGreaterEqual);
}

TEST(TableExpression, SaysWhatIsWrong) {
  const auto error = [](const std::string& text) {
    const Result<TableExpression> made = TableExpression::Parse(text, {});
    EXPECT_FALSE(made.ok()) << text;
    return made.ok() ? "" : made.error().Text();
  };
  EXPECT_NE(error("1 +").find("found the end"), std::string::npos);
  EXPECT_NE(error("maxx(1)").find("did you mean 'max'"), std::string::npos);
  EXPECT_NE(error("order(1)").find("takes 2 arguments (found 1)"), std::string::npos);
  EXPECT_NE(error("run").find("'.' and a column"), std::string::npos);
  EXPECT_NE(error("run.h[sap").find("']'"), std::string::npos);
  EXPECT_NE(error("run.h[=3]").find("AXIS=VALUE"), std::string::npos);
  EXPECT_NE(error(std::string(200, '(')).find("nested"), std::string::npos);
  EXPECT_NE(error(std::string(5000, '1')).find("too long"), std::string::npos);
  const Result<TableExpression> made = TableExpression::Parse("r.h + r.wave", {});
  ASSERT_TRUE(made.ok());
  EXPECT_NE(made->Evaluate(Read).error().message.find("lists of 3 and of 1000"), std::string::npos);
}

}  // namespace
}  // namespace slip::test
