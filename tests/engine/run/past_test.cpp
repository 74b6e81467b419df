// What is told of the past is what was told when it happened.
#include "engine/run/scope/past.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "engine/run/scope/scope.h"

namespace slip {
namespace {

using Guards = std::map<std::pair<int, int64_t>, std::pair<int, double>>;  // by channel and step

void Put(const Sample& sample, Guards* guards) {
  (*guards)[{sample.channel, sample.step}] = {sample.guard.pieces, sample.guard.gain};
}

TEST(ScopePast, ItsSamplesHaveWhatTheGuardOfEnergyFound) {
  Guards told, beside;
  Scope scope({[&](const Telemetry& telemetry) {
                 if (const auto* sample = std::get_if<Sample>(&telemetry.item)) Put(*sample, &told);
               },
               [&](const Event& event) {
                 if (const auto* answer = std::get_if<BranchTold>(&event.item)) {
                   for (const Sample& sample : answer->samples->samples) Put(sample, &beside);
                 }
               }});
  const auto scene = FindScene("sliding-rod");
  ASSERT_TRUE(scene.ok());
  scope.Apply(LoadScene{*scene});
  const auto exponential = static_cast<double>(*FindMethod("exponential"));
  scope.Apply(SetParamCommand{0, std::string(kMethodParam), exponential});
  scope.Apply(SetParamCommand{-1, "stiffness", 1e8});
  scope.Apply(SetParamCommand{-1, "time_step", 20e-3});
  while (scope.time() < 1.5) ASSERT_TRUE(scope.Advance());
  const Guards live = told;
  int in_pieces = 0;
  for (const auto& [step, guard] : live) in_pieces += guard.first > 0;
  ASSERT_GT(in_pieces, 0);

  scope.Apply(Reset{});
  for (int i = 0; i < 3; ++i) scope.Advance();
  scope.Apply(TellBranch{0});
  EXPECT_EQ(beside, live);
  told.clear();
  scope.Apply(GoToBranch{0});
  EXPECT_EQ(told, live);
}

}  // namespace
}  // namespace slip
