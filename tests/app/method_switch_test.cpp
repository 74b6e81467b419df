// A run whose channels change their method says so in its files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace slip::app {
namespace {

TEST(MethodSwitch, RowsCarryTheMethodThatMadeThem) {
  const TempFolder folder;
  const ProgramResult result =
      RunProgram({"run", "conveyor", "-m", "lagged,sap", "-t", "0.1", "--at", "0.05:method=similar",
                  "-o", folder.path("out")});
  ASSERT_EQ(result.exit, 0) << result.err;
  const std::string steps = ReadText(folder.path("out/steps.csv"));
  EXPECT_NE(steps.find(",lagged,"), std::string::npos);
  EXPECT_NE(steps.find(",sap,"), std::string::npos);
  const std::size_t first = steps.find(",similar,"), second = steps.find(",similar#2,");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  // nothing of the former methods behind the change
  EXPECT_EQ(steps.find(",lagged,", first), std::string::npos);
  EXPECT_EQ(steps.find(",sap,", second), std::string::npos);
  const std::string meta = ReadText(folder.path("out/meta.json"));
  EXPECT_NE(meta.find("\"later\""), std::string::npos) << meta;
  const std::string events = ReadText(folder.path("out/events.csv"));
  EXPECT_NE(events.find(",method,lagged,similar,"), std::string::npos) << events;
  EXPECT_NE(events.find(",method,sap,similar,"), std::string::npos) << events;
  EXPECT_NE(events.find("similar#2"), std::string::npos) << events;
}

TEST(MethodSwitch, MetricsNameAllMethodsOfAChannel) {
  const TempFolder folder;
  const ProgramResult result =
      RunProgram({"run", "conveyor", "-m", "lagged,sap", "-t", "0.1", "--at",
                  "0.05:method@lagged=similar", "-o", folder.path("out")});
  ASSERT_EQ(result.exit, 0) << result.err;
  const nlohmann::json models =
      nlohmann::json::parse(ReadText(folder.path("out/metrics.json")))["models"];
  const nlohmann::json& methods = models["lagged"]["methods"];
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[0]["method"], "lagged");
  EXPECT_EQ(methods[1]["method"], "similar");
  EXPECT_NEAR(methods[1]["from"].get<double>(), 0.06, 1e-9);
  EXPECT_FALSE(models["sap"].contains("methods"));
}

}  // namespace
}  // namespace slip::app
