// Pyramid against brute force, truncation, the telemetry stream, decimation.
#include "app/plots/series.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "app/plots/plot.h"
#include "app/plots/reduce.h"
#include "engine/sim/signal_stats.h"

namespace slip::app {
namespace {

MinMax BruteForce(const Column& column, std::size_t first, std::size_t last) {
  MinMax result;
  for (std::size_t i = first; i < std::min(last, column.size()); ++i) result.Add(column[i]);
  return result;
}

void ExpectExact(const Column& column, std::mt19937* random) {
  std::uniform_int_distribution<std::size_t> place(0, column.size() + 3);
  for (int i = 0; i < 400; ++i) {
    std::size_t a = place(*random), b = place(*random);
    if (a > b) std::swap(a, b);
    const MinMax fast = column.Query(a, b), slow = BruteForce(column, a, b);
    ASSERT_EQ(fast.min, slow.min) << a << " " << b;
    ASSERT_EQ(fast.max, slow.max) << a << " " << b;
  }
}

TEST(Column, PyramidIsExactThroughTruncation) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  for (const std::size_t size : {1u, 15u, 16u, 17u, 255u, 4096u, 10007u}) {
    Column column;
    for (std::size_t i = 0; i < size; ++i) {
      column.Append(i % 97 == 5 ? std::nan("") : noise(random));
    }
    ExpectExact(column, &random);
    // cut, write on, cut again
    column.Truncate(size / 2);
    ExpectExact(column, &random);
    for (std::size_t i = 0; i < size; ++i) column.Append(10 + noise(random));
    ExpectExact(column, &random);
    column.Truncate(0);
    EXPECT_TRUE(column.Query(0, 100).empty());
    column.Append(3);
    EXPECT_EQ(column.Query(0, 1).max, 3.0f);
  }
}

TEST(Column, PyramidIsExactAfterForgetting) {
  std::mt19937 random(8);
  std::normal_distribution<double> noise;
  Column column;
  for (int i = 0; i < 10007; ++i) column.Append(noise(random));
  for (const std::size_t count : {1024u, 16u, 7u, 4096u, 1u}) {
    const float next = column[count];
    column.DropFront(count);
    EXPECT_EQ(column[0], next);
    ExpectExact(column, &random);
    for (int i = 0; i < 333; ++i) column.Append(5 + noise(random));
    ExpectExact(column, &random);
  }
  column.DropFront(column.size());
  EXPECT_EQ(column.size(), 0u);
  column.Append(3);
  EXPECT_EQ(column.Query(0, 1).max, 3.0f);
}

TEST(SeriesStore, KeepsItsBudget) {
  SeriesStore store;
  store.set_budget(std::size_t{4} << 20);
  Sample item;
  std::size_t most = 0;
  for (int step = 0; step < 60000; ++step) {
    item.step = step;
    item.time = 1e-3 * step;
    item.values[0] = step;
    item.channel = step % 2;
    store.Feed({0, item});
    if (step % 1000 == 0) most = std::max(most, store.bytes());
  }
  EXPECT_LE(most, std::size_t{4} << 20);  // what the vectors hold, used or not
  EXPECT_GT(store.start(), 10);
  EXPECT_EQ(store.end(), item.time);
  const SeriesView view = store.View(0, static_cast<Signal>(0));
  EXPECT_EQ(view.At(store.end()), 59998);
  // steps keep their numbers though the first ones are forgotten; where there is none, none is
  // named
  const auto moment = store.MomentAt(0, 59.9804);
  ASSERT_TRUE(moment.has_value());
  EXPECT_EQ(moment->step, 59980);
  EXPECT_NEAR(moment->time, 59.98, 1e-9);
  // as a click on the time line: the step that was the last one then, not the nearest
  EXPECT_EQ(store.MomentAt(0, 59.9817)->step, 59980);
  EXPECT_FALSE(store.MomentAt(0, 1).has_value());
  EXPECT_FALSE(store.MomentAt(0, 60.5).has_value());
  EXPECT_FALSE(store.MomentAt(7, 41).has_value());
}

// The budget is kept by what is held, not by what is counted: the heap is asked.
TEST(SeriesStore, BudgetIsThatOfTheHeap) {
  const auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const std::size_t before = used();
  std::size_t most = 0;
  SeriesStore store;
  store.set_budget(std::size_t{10} << 20);
  Sample item;
  for (int step = 0; step < 70000; ++step) {
    item.time = 1e-3 * step;
    store.Feed({0, item});
    if (step % 256 == 0) most = std::max(most, used() - before);
  }
  EXPECT_LE(most, std::size_t{11} << 20);
  EXPECT_GT(most, std::size_t{4} << 20);
}

TEST(Reduce, IsTheScanOfAllSamples) {
  Series series;
  RunningStats stats;
  EXPECT_FALSE(Reduce(series.View(), 1, Reduction::kMax));
  for (int i = 0; i < 1000; ++i) {
    const double value = i < 300 ? 0 : i % 7 == 3 ? std::nan("") : std::sin(0.05 * i);
    series.Append(0.01 * i, value);
    if (0.01 * i <= 7.5) stats.Add(0.01 * i, double{static_cast<float>(value)});
  }
  for (const Reduction reduction :
       {Reduction::kMax, Reduction::kMin, Reduction::kMean, Reduction::kRms, Reduction::kLast,
        Reduction::kOnset, Reduction::kTimeOfMax}) {
    const auto found = Reduce(series.View(), 7.5, reduction);
    ASSERT_TRUE(found) << static_cast<int>(reduction);
    EXPECT_DOUBLE_EQ(*found, *stats.Get(reduction)) << static_cast<int>(reduction);
  }
  EXPECT_FALSE(Reduce(series.View(), 2.5, Reduction::kOnset)) << "nothing above zero yet";
  EXPECT_FALSE(Reduce(series.View(), -1, Reduction::kLast));
}

TEST(Series, LooksUpTimes) {
  Series series;
  for (int i = 1; i <= 100; ++i) series.Append(i * 0.01, i);
  EXPECT_EQ(series.View().At(0.505), 50);
  EXPECT_TRUE(std::isnan(series.View().At(0.005)));
  EXPECT_EQ(series.View().Nearest(0.506), 50u);
  series.Truncate(0.5);
  EXPECT_EQ(series.View().size(), 50u);
  EXPECT_EQ(series.View().Query(0, 10).max, 50.0f);
}

Telemetry Filled(int channel, double time, double value, uint64_t session = 1) {
  Sample sample{channel, 0, time, {}};
  sample.values.fill(value);
  return {session, sample};
}

TEST(SeriesStore, FollowsTheStream) {
  SeriesStore store;
  for (int i = 1; i <= 20; ++i) {
    store.Feed(Filled(0, i * 0.1, i));
    store.Feed(Filled(1, i * 0.1, -i));
  }
  EXPECT_EQ(store.channels(), 2);
  EXPECT_DOUBLE_EQ(store.end(), 2.0);
  EXPECT_EQ(store.View(1, Signal::kNormalForce).At(1.0), -10);

  store.Feed({1, TruncateSamples{1.0}});
  EXPECT_DOUBLE_EQ(store.end(), 1.0);
  store.Feed(Filled(0, 1.1, 99));
  EXPECT_EQ(store.View(0, Signal::kPitch).At(1.1), 99);

  store.Feed({1, ChangeChannels{1, -1}});
  EXPECT_EQ(store.channels(), 1);
  EXPECT_TRUE(store.View(1, Signal::kPitch).empty());
  store.Feed(Filled(0, 0.1, 1, 2));
  EXPECT_EQ(store.session(), 2u);
  EXPECT_EQ(store.View(0, Signal::kPitch).size(), 1u);
}

TEST(SeriesStore, KnowsWhichMethodMadeWhat) {
  const MethodId first{0}, second{1};
  SeriesStore store;
  const auto feed = [&](int step, MethodId method) {
    Telemetry item = Filled(0, step * 0.1, step);
    std::get<Sample>(item.item).method = method;
    store.Feed(item);
  };
  for (int i = 0; i <= 20; ++i) feed(i, i <= 10 ? first : second);
  ASSERT_EQ(store.Runs(0).size(), 2u);
  EXPECT_DOUBLE_EQ(store.Runs(0)[1].from, 1.1);
  EXPECT_EQ(store.MethodAt(0, 1.0), first);
  EXPECT_EQ(store.MethodAt(0, 1.1), second);
  const SeriesView all = store.View(0, Signal::kNormalForce);
  const SeriesView past = all.Part(-1, 1.05), rest = all.Part(1.05, 1e9);
  EXPECT_EQ(past.size() + rest.size(), all.size());
  EXPECT_EQ(past.At(1.0), 10);
  EXPECT_TRUE(std::isnan(past.At(1.1))) << "behind the part";
  EXPECT_TRUE(std::isnan(rest.At(1.0))) << "before it";
  EXPECT_EQ(rest.At(5), 20) << "it goes on";
  EXPECT_EQ(past.Query(0, 10).max, 10.0f);
  EXPECT_EQ(rest.Query(0, 10).min, 11.0f);
  EXPECT_EQ(rest.Nearest(0), 0u);
  // going on from the past forgets the switch
  store.Feed({1, TruncateSamples{0.5}});
  EXPECT_EQ(store.Runs(0).size(), 1u);
  // the start is made by whoever makes the first step
  store.Feed({2, RestartSamples{}});
  Telemetry item = Filled(0, 0, 0, 2);
  store.Feed(item);
  item = Filled(0, 0.1, 1, 2);
  std::get<Sample>(item.item).method = second;
  store.Feed(item);
  ASSERT_EQ(store.Runs(0).size(), 1u);
  EXPECT_EQ(store.Runs(0)[0].method, second);
}

TEST(SeriesStore, KeepsSignalsOfJointsAndFeet) {
  const auto signal = [](int place) { return static_cast<Signal>((1 << kPlaceBits) | place); };
  SeriesStore store;
  store.Feed({1, ChangeChannels{2, -1}});  // known before their samples
  for (int channel = 0; channel < 2; ++channel) {
    for (int i = 1; i <= 3; ++i) {
      Sample sample;
      sample.channel = channel;
      sample.time = i;
      if (channel == 0) sample.part_values = {10.0 * i, 20.0 * i};
      store.Feed({1, sample});
    }
  }
  EXPECT_EQ(store.View(0, signal(kSignalCount)).At(2), 20);
  EXPECT_EQ(store.View(0, signal(kSignalCount + 1)).At(3), 60);
  EXPECT_TRUE(store.View(0, signal(kSignalCount + 2)).empty());
  EXPECT_TRUE(store.View(1, signal(kSignalCount)).empty());
  store.Feed({1, TruncateSamples{2}});
  EXPECT_EQ(store.View(0, signal(kSignalCount)).size(), 2u);
}

TEST(Decimate, KeepsThePeakOfAMillionSamples) {
  Series series;
  for (int i = 0; i < 1000000; ++i)
    series.Append(i * 1e-3, i == 123456 ? 100.0 : std::sin(i * 0.1));
  DecimatedLine line;
  const auto start = std::chrono::steady_clock::now();
  constexpr int kRounds = 20;
  for (int i = 0; i < kRounds; ++i) {
    Decimate(series.View(), {0, 1000}, AxisScale::kLinear, {-1, 100}, {0, 0}, {400, 100}, &line);
  }
  const double us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
      kRounds;
  RecordProperty("microseconds", static_cast<int>(us));
  EXPECT_LE(line.points.size(), 4u * 400u);
  float top = 1e9f;
  for (const ImVec2& p : line.points) top = std::min(top, p.y);
  EXPECT_FLOAT_EQ(top, 0.0f);
  EXPECT_LT(us, 5000);
}

TEST(Decimate, UnevenStepsLoseNothing) {
  std::mt19937 random(3);
  std::exponential_distribution<double> pause(1.0);
  Series series;
  double t = 0;
  float top = -1e9f;
  for (int i = 0; i < 50000; ++i) {
    t += pause(random) * (i % 5000 < 2500 ? 0.01 : 1);
    const double y = std::sin(i * 0.37) * (1 + i % 1013);
    series.Append(t, y);
    top = std::max(top, static_cast<float>(y));
  }
  DecimatedLine line;
  Decimate(series.View(), {0, t}, AxisScale::kLinear, {0, static_cast<double>(top)}, {0, 0},
           {300, 1000}, &line);
  float highest = 1e9f;
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    highest = std::min(highest, line.points[i].y);
    if (i > 0) {
      EXPECT_GE(line.points[i].x, line.points[i - 1].x);
    }
  }
  EXPECT_NEAR(highest, 0, 1e-3);
}

TEST(Decimate, GapsAndValuesWithoutAPlace) {
  Series series;
  for (int i = 0; i < 10; ++i) series.Append(i, i == 4 ? std::nan("") : i < 2 ? -1.0 : 10.0);
  DecimatedLine line;
  Decimate(series.View(), {0, 10}, AxisScale::kLog, {1, 100}, {0, 0}, {100, 100}, &line);
  EXPECT_EQ(line.below_x.size(), 2u);
  int gaps = 0;
  for (const ImVec2& p : line.points) gaps += std::isnan(p.x) ? 1 : 0;
  EXPECT_EQ(gaps, 1);
}

TEST(SpanStatistics, OfARamp) {
  Series series;
  for (int i = 0; i <= 100; ++i) series.Append(i * 0.01, 2.0 * i * 0.01);
  const SpanStatistics s = CalcSpanStatistics(series.View(), 0, 1);
  EXPECT_NEAR(s.delta, 2, 1e-6);
  EXPECT_NEAR(s.slope, 2, 1e-6);
  EXPECT_NEAR(s.mean, 1, 1e-6);
  EXPECT_NEAR(s.integral, 1, 1e-6);
  EXPECT_EQ(s.samples, 101u);
}

TEST(PlotCsv, OneColumnPerSeries) {
  Series a, b;
  for (int i = 0; i < 5; ++i) a.Append(i, i * 0.5);
  b.Append(2, 7);
  std::vector<PlotSeries> list(2);
  list[0].label = "SAP";
  list[0].data = a.View();
  list[1].label = "Lagged";
  list[1].data = b.View();
  PlotSpec spec;
  spec.unit = "N";
  spec.series = list;
  EXPECT_EQ(PlotCsv(spec, {1, 2.5}), "time [s],SAP [N],Lagged [N]\n1,0.5,\n2,1,7\n");
}

}  // namespace
}  // namespace slip::app
