// Work that is ended on the way: soon, and as if the step at hand had not begun.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "engine/run/record/recording_file.h"
#include "engine/run/record/replay.h"
#include "engine/run/scope/engine_thread.h"
#include "engine/run/scope/reference.h"
#include "engine/run/study/run_plan.h"
#include "engine/run/study/sweep.h"
#include "engine/sim/method_list.h"
#include "tests/support/methods.h"

namespace slip {
namespace {

using Clock = std::chrono::steady_clock;

// On a busy machine; the steps below take minutes.
constexpr double kSoon = 15;

double Since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// No step converges, and so none is accurate enough: each is made of a million inner ones.
void MakeEndless(Config* config) {
  StepParams& step = config->step;
  step.time_step = 0.01;
  step.error_control = 1;
  step.accuracy = 1e-9;
  step.min_step = 1e-12;
  step.max_inner = 1000000;
  step.max_iterations = 1;
  step.solver_tolerance = 1e-12;
  step.lost_steps = 1;
}

std::shared_ptr<Scene> HouseOfOne() {
  auto scene = std::make_shared<Scene>(**FindScene("card-house"));
  scene->channels = {
      {.config = MakeRunPlan(*FindScene("card-house"), "lagged", {}, {}).value().configs[0]}};
  return scene;
}

std::shared_ptr<const Scene> EndlessScene() {
  auto scene = HouseOfOne();
  MakeEndless(&scene->channels[0].config);
  return scene;
}

RunPlan CardHousePlan(const std::string& models) {
  RunPlan plan = MakeRunPlan(*FindScene("card-house"), models, {}, {}).value();
  plan.duration = 0.1;
  return plan;
}

// Stopped at the first, second, third question and so on, and then not at all.
TEST(Interrupt, AStepThatWasEndedHasNotBegun) {
  struct Case {
    const char *scene, *method;
    bool controlled;
  };
  for (const Case& c :
       {Case{"card-house", "sap", false}, Case{"card-house", "similar", false},
        Case{"conveyor", "lagged", true}, Case{"sliding-rod", "exponential", true},
        Case{"sliding-rod", "implicit-euler", false}, Case{"bunny-grasp", "quasi-dynamic", true}}) {
    SCOPED_TRACE(std::string(c.scene) + " " + c.method);
    RunPlan plan = MakeRunPlan(*FindScene(c.scene), c.method, {}, {}).value();
    Config config = plan.configs[0];
    config.step.error_control = c.controlled ? 1 : 0;
    const auto model = plan.scene->ModelFor(config);
    Simulation whole(model, config), stopped(model, config);
    const int steps = 6;
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(Advanced(whole.Step()));
    std::atomic<int> asked{0};
    int ends = 0, allowed = 0, most = 0;
    stopped.SetStop([&] { return ++asked > allowed; });
    while (stopped.step() < steps && ends < 10000) {
      const uint64_t before = Hash(stopped.state());
      const int64_t step = stopped.step();
      asked = 0;
      const StepStatus status = stopped.Step();
      if (status == StepStatus::kStopped) {
        ++ends;
        ++allowed;
        most = std::max(most, allowed);
        ASSERT_EQ(Hash(stopped.state()), before);
        ASSERT_EQ(stopped.step(), step);
        ASSERT_TRUE(stopped.failure().empty());
        continue;
      }
      ASSERT_TRUE(Advanced(status)) << stopped.failure();
      allowed = 0;
    }
    EXPECT_EQ(Hash(stopped.state()), Hash(whole.state()));
    EXPECT_GT(ends, steps) << "asked within steps, not only as they begin";
    EXPECT_GT(most, 2);
  }
}

TEST(Interrupt, ARunEndsWithinItsStep) {
  RunPlan plan = CardHousePlan("sap,lagged");
  MakeEndless(&plan.configs[1]);
  for (const int workers : {1, 2}) {
    plan.workers = workers;
    std::vector<Track> tracks;
    RunCallbacks callbacks;
    const Clock::time_point begin = Clock::now();
    int64_t steps = 0;
    callbacks.step = [&](int, const Simulation&) { ++steps; };
    callbacks.stop = [&] { return Since(begin) > 0.3; };
    const RunResult result = slip::Run(plan, &tracks, callbacks);
    EXPECT_LT(Since(begin), kSoon);
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(result.channels[1].status, ChannelResult::Status::kInterrupted);
    EXPECT_EQ(tracks[1].sim().step(), 0);
    EXPECT_EQ(steps, tracks[0].sim().step()) << "what was made is told";
  }
}

TEST(Interrupt, ASweepEndsWithinItsSteps) {
  RunPlan base = CardHousePlan("lagged");
  MakeEndless(&base.configs[0]);
  for (const bool local : {false, true}) {
    SweepPlan plan = MakeSweepPlan(base, {"gravity=9,10,11"}).value();
    if (local) plan.local_error = LocalErrorPlan{.tick = 0.01};
    const Clock::time_point begin = Clock::now();
    int rows = 0;
    SweepCallbacks callbacks;
    callbacks.row = [&](const SweepRow&) { ++rows; };
    callbacks.poll = [&](double) { return Since(begin) < 0.3; };
    EXPECT_FALSE(RunSweep(plan, 2, callbacks));
    EXPECT_LT(Since(begin), kSoon);
    EXPECT_EQ(rows, 0) << "half a run is no row";
  }
}

TEST(Interrupt, AReplayEndsWithinItsStep) {
  // recorded in steps that do end
  std::vector<Track> tracks;
  RunPlan plan = CardHousePlan("lagged");
  plan.duration = 0.02;
  slip::Run(plan, &tracks, {});
  Recording recording = RecordTracks(plan.scene, tracks);
  MakeEndless(&recording.branches[0].lines[0].line.config);
  Replay replay(std::make_shared<const Recording>(recording));
  const Clock::time_point begin = Clock::now();
  EXPECT_FALSE(replay.Run(nullptr, [&](double) { return Since(begin) < 0.3; }));
  EXPECT_LT(Since(begin), kSoon);
}

TEST(Interrupt, AReferenceEndsWithinItsStep) {
  const RunPlan plan = CardHousePlan("lagged");
  ReferencePlan reference{.model = plan.scene->ModelFor(plan.configs[0]),
                          .config = plan.configs[0],
                          .changes = {},
                          .end = 1,
                          .refinement = 1};
  MakeEndless(&reference.config);
  Clock::time_point begin;
  {
    const ReferenceRun run(reference);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    begin = Clock::now();
  }
  EXPECT_LT(Since(begin), kSoon);
}

/// Until it is true.
bool Comes(const std::function<bool()>& condition, double seconds = kSoon) {
  const Clock::time_point begin = Clock::now();
  while (!condition()) {
    if (Since(begin) > seconds) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// each command comes while a step of minutes is under way
// As fast as it can, the first step begins at once: that it does is seen all the same.
TEST(Interrupt, PlayingIsSeenBeforeItsFirstStepEnds) {
  EngineThread engine(2);
  engine.Send(SetSpeed{std::numeric_limits<double>::infinity()});
  engine.Send(LoadScene{EndlessScene()});
  engine.Send(Play{});
  EXPECT_TRUE(Comes([&] { return engine.Latest().playing; }));
}

TEST(Interrupt, TheEngineAnswersWithinAStep) {
  auto engine = std::make_unique<EngineThread>(2);
  engine->Send(LoadScene{EndlessScene()});
  engine->Send(Play{});
  ASSERT_TRUE(Comes([&] { return engine->Latest().playing; }));
  const auto settle = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  const auto answered = [&]<class Item>(const Item&) {
    return Comes([&] {
      for (auto event = engine->NextEvent(); event; event = engine->NextEvent()) {
        if (std::holds_alternative<Item>(event->item)) return true;
      }
      return false;
    });
  };
  settle();
  engine->Send(Pause{});
  EXPECT_TRUE(Comes([&] { return !engine->Latest().playing; }));
  EXPECT_EQ(engine->Latest().channels[0].step, 0) << "the step has not begun";
  engine->Send(Play{});
  settle();
  engine->Send(SetParamCommand{-1, "gravity", 9.7});
  EXPECT_TRUE(answered(ParamChanged{}));
  settle();
  engine->Send(Reset{});
  EXPECT_TRUE(answered(WasReset{}));
  EXPECT_TRUE(engine->Latest().playing) << "an answer is no reason to stand";
  engine->Send(StepForward{});
  settle();
  engine->Send(LoadScene{EndlessScene()});
  EXPECT_TRUE(answered(SceneLoaded{}));
  engine->Send(Play{});
  settle();
  const Clock::time_point begin = Clock::now();
  engine.reset();
  EXPECT_LT(Since(begin), kSoon);
}

// steps of some tenths of a second beside a window that asks and drags all the time
TEST(Interrupt, SlowStepsComeToAnEndAllTheSame) {
  const auto scene = HouseOfOne();
  Config& config = scene->channels[0].config;
  MakeEndless(&config);
  config.step.min_step = 1e-5;
  // a first step by itself tells how long they are
  Simulation sim(scene->ModelFor(config), config);
  const Clock::time_point begin = Clock::now();
  ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  const double once = Since(begin);
  for (const bool drags : {false, true}) {
    EngineThread engine;
    engine.Send(LoadScene{scene});
    engine.Send(SetSpeed{1000});
    engine.Send(Play{.until = config.step.time_step});
    int sent = 0, asked = 0;
    EXPECT_TRUE(Comes(
        [&] {
          if (++asked % 8 != 0) {
            // a window asks once in a frame of 16 ms
          } else if (drags) {
            engine.Send(SetParamCommand{-1, "gravity", 9.8 + 1e-6 * ++sent});
          } else {
            engine.Send(TrailFeet{++sent % 2 == 0});
          }
          return engine.Latest().time > 0;
        },
        60 + 60 * once))
        << (drags ? "drags, " : "asks, ") << once << " s";
  }
}

}  // namespace
}  // namespace slip
