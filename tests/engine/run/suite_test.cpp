// Suites: what is right, what a method's own law predicts, and the friction suite itself.
#include "engine/run/study/suite.h"

#include <gtest/gtest.h>

namespace slip::test {
namespace {

TEST(Suite, JudgesAnswers) {
  SuiteCase of;
  of.within = 0.01;
  of.at_most = 1e-3;
  of.exact = {"rk4"};
  of.known = {{"mujoco", "it hops"}};
  const double nan = std::nan("");
  EXPECT_EQ(Judge(of, "sap", 1, 1.0109, nan), SuiteVerdict::kRight);
  EXPECT_EQ(Judge(of, "sap", 1, 1.02, nan), SuiteVerdict::kWrong);
  EXPECT_EQ(Judge(of, "sap", 1, nan, 1), SuiteVerdict::kWrong);
  EXPECT_EQ(Judge(of, "mujoco", 1, 1.02, nan), SuiteVerdict::kKnown);
  // two hundredths of the deviation that its law predicts
  EXPECT_EQ(Judge(of, "sap", 1, 1.503, 1.51), SuiteVerdict::kPredicted);
  EXPECT_EQ(Judge(of, "sap", 1, 1.49, 1.51), SuiteVerdict::kWrong);
  EXPECT_EQ(Judge(of, "rk4", 1, 1.51, 1.51), SuiteVerdict::kWrong);
}

constexpr const char* kSmall = R"toml(
schema = "slipscope.suite/1"
title = "Small"
story = "A box stops."
[[case]]
id = "stop"
title = "It stops"
scene = "sliding-box-consistent"
set = ["time_step=1 ms"]
duration = 0.3
unit = "m"
measure = "last(position_x)"
law = "0.1"
own = "0.1 - time_step / 2"
not_for = {quasi-dynamic = "it starts from rest"}
variant = [{set = ["friction=0.5"]}, {set = ["friction=0.25"], law = "0.2"}]
)toml";

TEST(Suite, RunsQuestionsForMethods) {
  const Result<Suite> suite = ReadSuite(kSmall, "small.toml");
  ASSERT_TRUE(suite.ok()) << suite.error().Text();
  EXPECT_EQ(suite->id, "small");
  const MethodId methods[] = {*FindMethod("lagged"), *FindMethod("quasi-dynamic")};
  std::vector<SuiteRow> rows;
  EXPECT_TRUE(RunSuite(*suite, methods,
                       {.row = [&](const SuiteRow& row) { rows.push_back(row); }, .poll = {}}));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].Text(), "friction=0.5");
  EXPECT_EQ(rows[0].cells[0].verdict, SuiteVerdict::kPredicted);
  EXPECT_NEAR(rows[0].cells[0].value, 0.0995, 1e-5);
  EXPECT_EQ(rows[0].cells[1].verdict, SuiteVerdict::kNotAsked);
  EXPECT_EQ(rows[0].cells[1].note, "it starts from rest");
  EXPECT_EQ(rows[1].law, 0.2);
  EXPECT_FALSE(RunSuite(*suite, methods, {.row = {}, .poll = [](double) { return false; }}));
}

TEST(Suite, SaysWhatIsWrongInAFile) {
  const auto why = [](const std::string& from, const std::string& to) {
    std::string text = kSmall;
    text.replace(text.find(from), from.size(), to);
    const Result<Suite> suite = ReadSuite(text, "a.toml");
    return suite.ok() ? "read" : suite.error().Text();
  };
  EXPECT_NE(why("sliding-box-consistent", "sliding-bx").find("no scene"), std::string::npos);
  EXPECT_NE(why("last(position_x)", "last(position_q)").find("position_q"), std::string::npos);
  EXPECT_NE(why("quasi-dynamic =", "quasidynamic =").find("no model"), std::string::npos);
  EXPECT_NE(why("slipscope.suite/1", "slipscope.scene/1").find("no suite"), std::string::npos);
  EXPECT_NE(why("unit =", "units =").find("units"), std::string::npos);
}

// Every answer is right, off by what its method predicts, or known to be neither. Anchors and the
// quasi-dynamic method rest exactly: the file asks that of them.
TEST(Suite, FrictionHoldsLong) {
  const Result<Suite> suite = FindSuite("friction");
  ASSERT_TRUE(suite.ok()) << suite.error().Text();
  std::vector<MethodId> methods;
  for (int i = 0; i < static_cast<int>(Methods().size()); ++i)
    methods.push_back(static_cast<MethodId>(i));
  int right = 0, predicted = 0;
  const auto row = [&](const SuiteRow& each) {
    for (const SuiteCell& cell : each.cells) {
      right += cell.verdict == SuiteVerdict::kRight;
      predicted += cell.verdict == SuiteVerdict::kPredicted;
      EXPECT_NE(cell.verdict, SuiteVerdict::kWrong)
          << each.of->id << ' ' << each.Text() << ' ' << Info(cell.method).id << ": " << cell.value
          << ", law " << each.law << ", own " << cell.own << ' ' << cell.note;
    }
  };
  EXPECT_TRUE(RunSuite(*suite, methods, {.row = row, .poll = {}}));
  EXPECT_GT(right, 300);
  EXPECT_GT(predicted, 50);
}

}  // namespace
}  // namespace slip::test
