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

// Files, conditions, the table and sentences call a channel the same.
TEST(MethodSwitch, EverybodyCallsAChannelTheSame) {
  const TempFolder folder;
  const std::vector<std::string> run = {"run", "conveyor", "-m",   "sap,lagged",
                                        "-t",  "0.1",      "--at", "0.05:method@lagged=sap"};
  std::vector<std::string> words = run;
  words.insert(words.end(),
               {"-o", folder.path("out"), "--dump-problems", folder.path("problems"), "--expect",
                "max(normal_force@sap#2) > 1", "--expect", "max(normal_force@lagged) > 1"});
  const ProgramResult result = RunProgram(words);
  ASSERT_EQ(result.exit, 0) << result.err;
  EXPECT_NE(ReadText(folder.path("out/steps.csv")).find(",sap#2,"), std::string::npos);
  EXPECT_FALSE(ReadText(folder.path("problems/sap#2-000010.json")).empty());
  const ProgramResult table = RunProgram(run);
  EXPECT_NE(table.out.find("lagged, sap#2"), std::string::npos) << table.out;
  words.back() = "max(normal_force@similar) > 1";
  words.push_back("--force");
  const ProgramResult unknown = RunProgram(words);
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("sap, lagged, sap#2"), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace slip::app
