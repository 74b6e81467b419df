// Differences of curves at common times.
#include "app/plots/difference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slip::app {
namespace {

void Feed(SeriesStore* store, int channel, double time, double force) {
  Sample sample;
  sample.channel = channel;
  sample.time = time;
  sample.values.fill(0);
  sample.values[static_cast<std::size_t>(Signal::kNormalForce)] = force;
  store->Feed({0, sample});
}

TEST(DifferenceSeries, TakesCommonTimesOnly) {
  SeriesStore store;
  // steps of 10 ms against steps of 4 ms: common every 20 ms
  for (int i = 0; i <= 10; ++i) Feed(&store, 0, 0.01 * i, 5 + i);
  for (int i = 0; i <= 25; ++i) Feed(&store, 1, 0.004 * i, 2);
  DifferenceStore differences;
  const SeriesView view = differences.View(store, 0, 1, Signal::kNormalForce);
  ASSERT_EQ(view.size(), 6u);
  for (std::size_t i = 0; i < view.size(); ++i) {
    EXPECT_NEAR(view.TimeAt(i), 0.02 * static_cast<double>(i), 1e-12);
    EXPECT_FLOAT_EQ(view.ValueAt(i), 3 + 2 * static_cast<float>(i));
  }
  // the other way round the sign turns
  EXPECT_FLOAT_EQ(differences.View(store, 1, 0, Signal::kNormalForce).ValueAt(0), -3);
}

TEST(DifferenceSeries, GrowsAndStartsAnewWhenTheRunForks) {
  SeriesStore store;
  DifferenceStore differences;
  const auto feed = [&](double t, double value) {
    Feed(&store, 0, t, value);
    Feed(&store, 1, t, 1);
  };
  for (int i = 0; i < 5; ++i) {
    feed(i, 3);
    EXPECT_EQ(differences.View(store, 0, 1, Signal::kNormalForce).size(),
              static_cast<std::size_t>(i) + 1);
  }
  store.Feed({0, TruncateSamples{2}});
  for (int i = 3; i < 8; ++i) feed(i, 4);
  SeriesView view = differences.View(store, 0, 1, Signal::kNormalForce);
  ASSERT_EQ(view.size(), 8u);
  EXPECT_FLOAT_EQ(view.ValueAt(2), 2);
  EXPECT_FLOAT_EQ(view.ValueAt(3), 3);
  // a step taken once more replaces what was there
  Feed(&store, 0, 7, 11);
  view = differences.View(store, 0, 1, Signal::kNormalForce);
  ASSERT_EQ(view.size(), 8u);
  EXPECT_FLOAT_EQ(view.ValueAt(7), 10);
}

TEST(DifferenceSeries, GapsStayGapsAndRoundOffIsNoDifference) {
  SeriesStore store;
  const double nan = std::nan("");
  const double values[][2] = {{nan, 1}, {1, nan}, {9.81, 9.81 * (1 + 1e-7)}, {4, 1}};
  for (int i = 0; i < 4; ++i) {
    Feed(&store, 0, i, values[i][0]);
    Feed(&store, 1, i, values[i][1]);
  }
  DifferenceSeries difference;
  difference.Update(store.View(0, Signal::kNormalForce), store.View(1, Signal::kNormalForce), 1);
  const SeriesView view = difference.View();
  ASSERT_EQ(view.size(), 4u);
  EXPECT_TRUE(std::isnan(view.ValueAt(0)));
  EXPECT_TRUE(std::isnan(view.ValueAt(1)));
  EXPECT_EQ(view.ValueAt(2), 0);
  EXPECT_FLOAT_EQ(view.ValueAt(3), 3);
  EXPECT_NEAR(difference.Rms(), std::sqrt((0.0 + 9) / 2), 1e-6);
  EXPECT_TRUE(std::isnan(DifferenceSeries().Rms()));
}

}  // namespace
}  // namespace slip::app
