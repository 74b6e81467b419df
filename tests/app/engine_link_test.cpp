// A scope that is driven from outside, as a window without a thread has it.
#include "app/session/engine_link.h"

#include <gtest/gtest.h>

namespace slip::app {
namespace {

// Pieces of less than a step are counted together, whoever looks in between.
TEST(SteppedLink, WhoOnlyLooksDoesNotHoldTheRun) {
  const auto scene = FindScene("conveyor");
  ASSERT_TRUE(scene.ok());
  const double step = (*scene)->channels[0].config.step.time_step;
  SteppedLink link;
  link.Send(LoadScene{*scene});
  link.Send(Play{});
  for (int i = 0; i < 10; ++i) {
    link.RunFor(0.4 * step);
    link.Send(TellContact{});
    link.Send(NameBranch{0, "mine"});
    link.Send(TellBranch{0});
  }
  EXPECT_EQ(link.Latest().channels[0].step, 4);
}

// As the engine's thread does: who looks at the past, or steps by hand, stops the run.
TEST(SteppedLink, LookingBackAndSteppingByHandStopTheRun) {
  const auto scene = FindScene("conveyor");
  ASSERT_TRUE(scene.ok());
  const double step = (*scene)->channels[0].config.step.time_step;
  for (const Command& command : {Command(StepForward{}), Command(StepBack{}), Command(Seek{0})}) {
    SteppedLink link;
    link.Send(Play{});
    EXPECT_FALSE(link.playing()) << "there is nothing to run";
    link.Send(LoadScene{*scene});
    link.Send(Play{});
    link.RunFor(4 * step);
    EXPECT_TRUE(link.playing());
    link.Send(command);
    EXPECT_FALSE(link.playing());
    const double time = link.Latest().time;
    EXPECT_FALSE(link.Latest().playing);
    link.RunFor(4 * step);
    EXPECT_EQ(link.Latest().time, time);
    link.Send(Play{});
    link.RunFor(4 * step);
    EXPECT_GT(link.Latest().time, time);
  }
}

}  // namespace
}  // namespace slip::app
