#include "engine/sim/running_median.h"

#include <gtest/gtest.h>

namespace slip {
namespace {

TEST(RunningMedian, IsExactAtFirstAndBoundedAlways) {
  RunningMedian median;
  EXPECT_TRUE(std::isnan(median.Get()));
  median.Add(kNaN);
  median.Add(3);
  EXPECT_EQ(median.Get(), 3);
  median.Add(1);
  EXPECT_EQ(median.Get(), 2);
  median.Add(10);
  EXPECT_EQ(median.Get(), 3);
  median.Add(kInfinity);
  EXPECT_EQ(median.Get(), 3);
  RunningMedian ramp;
  constexpr int kMany = 1000000;
  for (int i = 0; i <= kMany; ++i) ramp.Add(i);
  EXPECT_NEAR(ramp.Get(), kMany / 2, 32);
}

}  // namespace
}  // namespace slip
