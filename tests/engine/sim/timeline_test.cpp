// The history of one channel: exact, and within its budget whatever comes.
#include "engine/sim/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/scene/scene.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

TEST(Timeline, ThinsTheOlderHalfAndKeepsFlaggedSteps) {
  Simulation sim(BoxOnBelt(), BeltConfig(method_id::kSap, 1e-3));
  Timeline timeline(200 * 1024);
  int flagged = 0;
  for (int i = 0; i < 2000; ++i) {
    (void)sim.Step();
    const bool flag = i % 50 == 7;
    flagged += flag;
    timeline.Append(sim.now(), sim.time(), flag);
  }
  EXPECT_LE(timeline.bytes(), 220u * 1024);
  int kept = 0;
  StepRecord record;
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    timeline.Load(i, &record);
    EXPECT_NEAR(record.state.Time(1e-3), timeline.time(i), 1e-12);
    kept += (record.state.step - 1) % 50 == 7;
  }
  EXPECT_EQ(kept, flagged);
  timeline.Load(timeline.size() - 1, &record);
  EXPECT_TRUE(Equal(record.state, sim.state()));
}

// Signals of other methods take no room, and come back as what there is not.
TEST(Timeline, KeepsTheSignalsThatThereAre) {
  Simulation sim(BoxOnBelt(), BeltConfig(method_id::kSap, 1e-3));
  Timeline timeline(200 * 1024);
  ASSERT_TRUE(Advanced(sim.Step()));
  timeline.Append(sim.now(), sim.time(), false);
  const std::size_t bytes = timeline.bytes();
  StepRecord record, full = sim.now();
  record.signals.fill(1);  // of another step
  timeline.Load(0, &record);
  std::size_t missing = 0;
  for (std::size_t i = 0; i < record.signals.size(); ++i) {
    const double was = sim.signals()[i], is = record.signals[i];
    EXPECT_TRUE(was == is || (std::isnan(was) && std::isnan(is))) << i;
    missing += std::isnan(was);
    if (std::isnan(was)) full.signals[i] = 1;
  }
  EXPECT_GT(missing, 15u);
  timeline.Append(full, sim.time() + 1, false);
  EXPECT_EQ(timeline.bytes() - bytes, bytes + missing * sizeof(double));
}

// A formulation's report of a past step is that of the step.
TEST(Timeline, KeepsWhatAFormulationReports) {
  Simulation sim(BoxOnBelt(), BeltConfig(method_id::kSap, 1e-3));
  ASSERT_TRUE(Advanced(sim.Step()));
  StepRecord record = sim.now();
  record.solve.stable_step = 2e-3;
  record.solve.own = {.count = 3, .value = {7, 0.25, -1e9}};
  Timeline timeline(200 * 1024);
  timeline.Append(record, sim.time(), false);
  timeline.Append(sim.now(), sim.time(), false);
  StepRecord back;
  timeline.Load(0, &back);
  EXPECT_EQ(back.solve.stable_step, 2e-3);
  EXPECT_EQ(back.solve.own.count, 3);
  EXPECT_EQ(back.solve.own.value, record.solve.own.value);
  timeline.Load(1, &back);
  EXPECT_EQ(back.solve.own.count, 0);
  EXPECT_EQ(back.solve.iterations, sim.solve().iterations);
}

// Steps that do not converge are the last to go, but they do go: evenly, and the newest after all
// others. Whoever asks gets the bits that were recorded.
TEST(Timeline, HoldsItsBudgetWhenEveryStepIsFlagged) {
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene.ok());
  Config config = (*scene)->config;
  config.step.max_iterations = 1;
  config.step.lost_steps = 1;
  Simulation sim((*scene)->model, config);
  sim.SetMeasureCondition(false);
  constexpr std::size_t kBudget = std::size_t{40} << 17;
  Timeline timeline(kBudget);
  std::vector<uint64_t> hashes;
  std::size_t used = 0;
  for (int i = 0; i < 600; ++i) {
    (void)sim.Step();
    timeline.Append(sim.now(), sim.time(), true);
    hashes.push_back(Hash(sim.state()));
    used = std::max(used, timeline.capacity_bytes());
  }
  EXPECT_LE(used, kBudget);
  EXPECT_GT(timeline.bytes(), kBudget / 2);
  EXPECT_GT(timeline.size(), 16u);
  EXPECT_EQ(timeline.time(0), 1 * config.step.time_step);

  StepRecord record;
  double largest_gap = 0;
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    timeline.Load(i, &record);
    EXPECT_EQ(Hash(record.state), hashes[static_cast<std::size_t>(record.state.step) - 1]);
    if (i > 0) largest_gap = std::max(largest_gap, timeline.time(i) - timeline.time(i - 1));
  }
  // evenly: no stretch is forgotten
  EXPECT_LT(largest_gap, (timeline.time(timeline.size() - 1) - timeline.time(0)) / 4);
  // the newest are all there
  for (std::size_t back = 0; back < 10; ++back) {
    timeline.Load(timeline.size() - 1 - back, &record);
    EXPECT_EQ(record.state.step, 600 - static_cast<int64_t>(back));
  }
}

TEST(Timeline, FlaggedStepsGoAfterAllOthers) {
  Simulation sim(BoxOnBelt(), BeltConfig(method_id::kSap, 1e-3));
  Timeline timeline(164 * 1024);
  int flagged = 0, kept = 0, others = 0;
  StepRecord record;
  for (int i = 0; i < 400; ++i) {
    (void)sim.Step();
    flagged += i % 8 == 3;
    timeline.Append(sim.now(), sim.time(), i % 8 == 3);
  }
  const std::size_t old = timeline.size() / 2;
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    timeline.Load(i, &record);
    const bool is_flagged = (record.state.step - 1) % 8 == 3;
    kept += is_flagged;
    others += !is_flagged && i > 0 && i < old;
  }
  // room for about 130 steps: the 50 flagged ones fit, so none went while others stood
  EXPECT_EQ(kept, flagged);
  EXPECT_GT(others, 0);
  EXPECT_LE(timeline.capacity_bytes(), 164u * 1024);

  // now more flagged ones than there is room for
  for (int i = 0; i < 2000; ++i) {
    (void)sim.Step();
    timeline.Append(sim.now(), sim.time(), i % 2 == 0);
  }
  std::size_t last_other = 0;
  others = 0;
  for (std::size_t i = 1; i < timeline.size(); ++i) {
    timeline.Load(i, &record);
    if ((record.state.step - 401) % 2 == 0 || i >= timeline.size() / 2) continue;
    if (record.state.step > 400) ++others, last_other = i;
  }
  EXPECT_EQ(others, 0) << "step at " << last_other << " is not flagged";
  EXPECT_LE(timeline.capacity_bytes(), 164u * 1024);
}

// Room is made now and then, not at every step: what a step pays for does not grow with the
// history.
TEST(Timeline, MakesRoomSeldom) {
  Simulation sim(BoxOnBelt(), BeltConfig(method_id::kSap, 1e-3));
  for (const bool flagged : {false, true}) {
    Timeline timeline(1 << 20);
    (void)sim.Step();
    int made_room = 0;
    const int count = 20000;
    for (int i = 0; i < count; ++i) {
      const std::size_t before = timeline.size();
      timeline.Append(sim.now(), i * 1e-3, flagged);
      made_room += timeline.size() <= before;
    }
    EXPECT_LT(made_room, count / 100);
    EXPECT_LE(timeline.capacity_bytes(), std::size_t{1} << 20);
  }
}

TEST(Timeline, AppendAllocatesNothingWhateverIsFlagged) {
  Simulation sim(BoxOnBelt(), BeltConfig(method_id::kSap, 1e-3));
  (void)sim.Step();
  Timeline timeline(1 << 20);
  (void)sim.now();  // whoever asks first makes room for the signals of parts
  const AllocGuard guard;
  for (int i = 0; i < 5000; ++i) timeline.Append(sim.now(), i * 1e-3, true);
  EXPECT_EQ(guard.count(), 0u);
}

// Records whose contacts have more to say than most: the block has room for all that is written,
// and never grows while steps are taken.
class LongRecords : public testing::TestWithParam<const char*> {};

TEST_P(LongRecords, FindRoomForAllThatIsWritten) {
  const std::string text = std::string(R"(
schema = "slipscope.scene/1"
title = "Spinning boxes"
time_step = "2 ms"
[material.steel]
stiffness = 1e6
dissipation = 1
relaxation_time = 1e-3
friction = 0.4
torsional_friction = "5 mm"
[surface.floor]
[pile.boxes]
bodies = 15
columns = [5, 3]
spacing = [0.2, 0.2, 0.2]
first = [0, 0, 0.05]
[[pile.boxes.body]]
name = "box"
shape = "box"
size = [0.1, 0.1, 0.1]
mass = 1
angular_velocity = [0, 0, 8]
[[channel]]
model = )") + GetParam();
  const auto scene = ReadSceneText(text, "spinning.toml");
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  Simulation sim((*scene)->model, (*scene)->channels[0].config);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  ASSERT_GT(sim.contacts().size(), 40u);
  const StepRecord& record = sim.now();

  Timeline one(0);
  {
    const AllocGuard guard;
    one.Append(record, 0, false);
    EXPECT_LE(guard.count(), 1u);  // it is raised to hold the first record, once
  }
  StepRecord again;
  one.Load(0, &again);
  EXPECT_EQ(again.contacts.back().torque, record.contacts.back().torque);
  EXPECT_EQ(again.grab_force_W, record.grab_force_W);

  // wherever in a record the block ends
  for (std::size_t budget = 20 * one.bytes(); budget < 21 * one.bytes(); budget += 512) {
    Timeline timeline(budget);
    const AllocGuard guard;
    for (int i = 0; i < 30; ++i) timeline.Append(record, i * 2e-3, i % 2 == 0);
    EXPECT_EQ(guard.count(), 0u) << budget;
    EXPECT_LE(timeline.capacity_bytes(), budget);
  }
}

INSTANTIATE_TEST_SUITE_P(Timeline, LongRecords, testing::Values("\"sap\"", "\"quasi-dynamic\""));

// A record that the budget cannot hold does not break it, and leaves what is there alone.
TEST(Timeline, TooLargeARecordIsNotKept) {
  Simulation sim(BoxOnBelt(), BeltConfig(method_id::kSap, 1e-3));
  (void)sim.Step();
  Timeline timeline(64 * 1024);
  for (int i = 0; i < 20; ++i) timeline.Append(sim.now(), i * 1e-3, true);
  StepRecord large = sim.now();
  large.contacts.resize(1000);
  timeline.Append(large, 0.02, true);
  EXPECT_EQ(timeline.size(), 20u);
  EXPECT_LE(timeline.capacity_bytes(), 64u * 1024);
  timeline.Append(sim.now(), 0.021, true);
  EXPECT_EQ(timeline.size(), 21u);
}

}  // namespace
}  // namespace slip::test
