// A run whose channels change their method says so in its files.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace slip::app
