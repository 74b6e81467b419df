// How far a contact has crept: every step counts, once.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/plots/creep_distance.h"
#include "tests/support/offscreen.h"

namespace slip::app {
namespace {

void Feed(SeriesStore* series, int64_t step, double time, double speed) {
  Sample sample;
  sample.step = step;
  sample.time = time;
  sample.values.fill(0);
  sample.values[static_cast<std::size_t>(Signal::kSlipSpeed)] = speed;
  series->Feed({.session = 1, .item = sample});
}

/// Slips in one of ten steps, as the exponential method's feet do.
double SpeedAt(int step) { return step % 10 == 3 ? 1e-3 : 1e-6; }

TEST(CreepDistances, SumsEveryStepAndNeverFalls) {
  constexpr double kStep = 1e-3;
  SeriesStore series;
  CreepDistances distances;
  Feed(&series, 0, 0, std::nan(""));
  EXPECT_TRUE(std::isnan(distances.Until(series, 0, 0)));
  double sum = 0, last = 0;
  for (int i = 1; i <= 5000; ++i) {
    Feed(&series, i, i * kStep, SpeedAt(i));
    sum += SpeedAt(i) * kStep;
    if (i % 7 != 0) continue;
    const double crept = distances.Until(series, 0, i * kStep);
    EXPECT_NEAR(crept, sum, 1e-6 * sum) << i;
    EXPECT_GE(crept, last);
    last = crept;
  }
}

TEST(CreepDistances, OfAnEarlierTimeIsThatOfThatTime) {
  SeriesStore series;
  CreepDistances distances;
  for (int i = 0; i <= 100; ++i) Feed(&series, i, i, 2);
  EXPECT_NEAR(distances.Until(series, 0, 100), 200, 1e-9);
  EXPECT_NEAR(distances.Until(series, 0, 30.5), 60, 1e-9);
  EXPECT_NEAR(distances.Until(series, 0, 40), 80, 1e-9);
  // another future
  series.Feed({.session = 1, .item = TruncateSamples{50}});
  for (int i = 51; i <= 60; ++i) Feed(&series, i, i, 3);
  EXPECT_NEAR(distances.Until(series, 0, 60), 130, 1e-9);
}

TEST(CreepDistances, TheUnitStandsOverTheSpeeds) {
  OPEN_OR_SKIP(ui, "quadruped-stand", 1600, 900);
  PassAndDraw(ui.get(), 0.5);
  const WidgetRecord* table = FindWidget("overlay/creep");
  const WidgetRecord* unit = FindWidget("overlay/creep/unit");
  ASSERT_NE(table, nullptr);
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->text, "µm/s");
  EXPECT_LT(unit->max.x, table->max.x - 60) << "the distance has its own";
  EXPECT_GT(unit->min.x, table->min.x + 120);
}

}  // namespace
}  // namespace slip::app
