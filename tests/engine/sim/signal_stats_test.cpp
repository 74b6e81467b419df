// Running reductions of signals.
#include "engine/sim/signal_stats.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

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

// Steps are reduced several at a time: whatever their number and values, as one after the other.
TEST(SignalStats, KeepsTheBitsOfOneStepAfterTheOther) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  constexpr double kInf = std::numeric_limits<double>::infinity(),
                   kNone = std::numeric_limits<double>::quiet_NaN();
  SignalStats stats;
  std::vector<RunningStats> each(kSignalCount + 3);
  std::uint64_t seed = 7;
  const auto random = [&seed] {
    seed = 6364136223846793005u * seed + 1442695040888963407u;
    return static_cast<double>(seed >> 40) / 8388608 - 1;  // -1 to 1
  };
  for (int step = 1; step <= 203; ++step) {
    SignalValues values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double special[] = {kNone, kInf, -kInf, kHuge, 0.0, -0.0, -1.0};
      const bool odd = random() > 0.8;
      values[i] = i % 5 == 0 ? kNone : odd && i % 3 == 0 ? special[(i / 3) % 7] : random() - 0.3;
    }
    // the last part comes later, and one of them goes
    const double parts[] = {random(), kNone, 2.0};
    const std::size_t count = step < 40 ? 1 : step < 150 ? 3 : 2;
    // two runs, the second from the start again
    const double time = 1e-3 * (step < 120 ? step + 100 : step - 120);
    stats.Add(time, values, std::span(parts).first(count));
    for (std::size_t i = 0; i < values.size(); ++i) each[i].Add(time, values[i]);
    for (std::size_t i = 0; i < count; ++i) each[kSignalCount + i].Add(time, parts[i]);
    if (step % 7 != 0 && step < 200) continue;
    for (std::size_t i = 0; i < each.size(); ++i) {
      for (int r = 0; r <= static_cast<int>(Reduction::kTimeOfMax); ++r) {
        const auto reduction = static_cast<Reduction>(r);
        const auto got = stats.Get(reduction, static_cast<Signal>(i));
        const auto want = each[i].Get(reduction);
        ASSERT_EQ(got.has_value(), want.has_value()) << i << ", reduction " << r << ", " << step;
        // NaN where huge ones were summed
        if (got) EXPECT_EQ(std::bit_cast<std::uint64_t>(*got), std::bit_cast<std::uint64_t>(*want));
      }
    }
  }
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
