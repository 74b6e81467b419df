// Running reductions of signals.
#include "engine/sim/signal_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace slip {
namespace {

TEST(RunningStats, OnsetAndTimeOfTheLargest) {
  RunningStats stats;
  EXPECT_FALSE(stats.Get(Reduction::kTimeOfMax));
  stats.Add(0.0, 0);
  EXPECT_FALSE(stats.Get(Reduction::kTimeOfMax)) << "nothing has happened";
  stats.Add(0.1, std::numeric_limits<double>::quiet_NaN());
  stats.Add(0.2, -1);
  EXPECT_FALSE(stats.Get(Reduction::kOnset)) << "nothing was above zero";
  EXPECT_EQ(stats.Get(Reduction::kTimeOfMax), 0.0);
  stats.Add(0.3, 2);
  stats.Add(0.4, 5);
  stats.Add(0.5, 5);
  stats.Add(0.6, 1);
  EXPECT_EQ(stats.Get(Reduction::kOnset), 0.3);
  EXPECT_EQ(stats.Get(Reduction::kTimeOfMax), 0.4) << "the first of equal ones";
  EXPECT_EQ(stats.Get(Reduction::kMax), 5);
  EXPECT_EQ(stats.Get(Reduction::kMin), -1);
  EXPECT_EQ(stats.Get(Reduction::kLast), 1);
  EXPECT_DOUBLE_EQ(*stats.Get(Reduction::kMean), 2);
  EXPECT_DOUBLE_EQ(*stats.Get(Reduction::kRms), std::sqrt(56.0 / 6));
}

TEST(SignalStats, SeveralChannelsGiveTheEarliestOnset) {
  SignalStats early, late;
  for (int i = 1; i <= 4; ++i) {
    SignalValues values{};
    values[static_cast<std::size_t>(Signal::kNormalForce)] = i >= 2 ? 1 : 0;
    early.Add(0.1 * i, values);
    values[static_cast<std::size_t>(Signal::kNormalForce)] = i >= 3 ? 7 : 0;
    late.Add(0.1 * i, values);
  }
  const Config config;
  const ChannelStats channels[] = {{&late, &config}, {&early, &config}};
  const ExpressionData data = MakeExpressionData(channels);
  EXPECT_DOUBLE_EQ(*data.signal(Reduction::kOnset, Signal::kNormalForce, ""), 0.2);
  EXPECT_DOUBLE_EQ(*data.signal(Reduction::kOnset, Signal::kNormalForce, "1"), 0.1 * 3);
  EXPECT_DOUBLE_EQ(*data.signal(Reduction::kTimeOfMax, Signal::kNormalForce, ""), 0.1 * 3)
      << "of the channel with the largest value";
}

}  // namespace
}  // namespace slip
