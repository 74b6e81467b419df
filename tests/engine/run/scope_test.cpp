// Channels in lockstep, history, and the engine thread under fire.
#include "engine/run/scope/scope.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "engine/run/scope/engine_thread.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

std::shared_ptr<const Scene> ConveyorScene(double h = 1e-3) {
  auto scene = std::make_shared<Scene>();
  scene->id = scene->title = "conveyor";
  scene->model = BoxOnBelt(JointKind::kXZ, -9.81e-7);
  for (MethodId id : {method_id::kSap, method_id::kLagged, method_id::kSimilar}) {
    Config config = BeltConfig(id, h);
    config.step.solver_tolerance = 1e-6;
    config.surfaces[0].belt_amplitude = 0.2;
    config.surfaces[0].belt_frequency = 1;
    scene->channels.push_back({config});
    scene->config = config;
  }
  return scene;
}

TEST(Scope, ChannelsMeetAtCommonTimes) {
  Scope scope;
  scope.Apply(LoadScene{ConveyorScene(1e-2)});
  scope.Apply(SetParamCommand{1, "time_step", 1e-3});
  scope.Apply(SetParamCommand{2, "time_step", 3e-3});
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(scope.Advance());
  EXPECT_NEAR(scope.time(), 0.3, 1e-12);
  EXPECT_EQ(scope.channel(0).step(), 30);
  EXPECT_EQ(scope.channel(1).step(), 300);
  EXPECT_NEAR(scope.channel(2).time(), 0.3, 1.5e-3 + 1e-9);
}

TEST(Scope, SeekEqualsRunAndStepBackReturns) {
  Scope scope;
  scope.Apply(LoadScene{ConveyorScene()});
  std::vector<uint64_t> hashes = {Hash(scope.channel(2).state())};
  std::vector<double> forces = {0};
  for (int i = 0; i < 400; ++i) {
    scope.Advance();
    hashes.push_back(Hash(scope.channel(2).state()));
    forces.push_back(Value(scope.channel(2), Signal::kNormalForce));
  }
  for (int step : {0, 17, 399, 200}) {
    scope.Apply(Seek{step * 1e-3});
    EXPECT_EQ(Hash(scope.channel(2).state()), hashes[static_cast<std::size_t>(step)]) << step;
    if (step > 0) {
      EXPECT_EQ(Value(scope.channel(2), Signal::kNormalForce),
                forces[static_cast<std::size_t>(step)]);
      EXPECT_EQ(scope.channel(2).contacts()[0].fn, forces[static_cast<std::size_t>(step)]);
    }
    EXPECT_FALSE(scope.live());
  }
  scope.Apply(StepBack{});
  EXPECT_EQ(Hash(scope.channel(2).state()), hashes[199]);
  scope.Apply(StepForward{});
  EXPECT_EQ(Hash(scope.channel(2).state()), hashes[200]);
  // running on from the past makes the same future again
  for (int i = 0; i < 100; ++i) scope.Advance();
  EXPECT_TRUE(scope.live());
  EXPECT_EQ(Hash(scope.channel(2).state()), hashes[300]);
  scope.Apply(GoLive{});
  EXPECT_EQ(scope.channel(2).step(), 300);
}

TEST(Scope, ParameterAtAStepIsReplayedExactly) {
  uint64_t first = 0;
  for (int run = 0; run < 2; ++run) {
    Scope scope;
    scope.Apply(LoadScene{ConveyorScene()});
    for (int i = 0; i < 300; ++i) {
      if (i == 100) scope.Apply(SetParamCommand{-1, "time_step", 5e-4});
      if (i == 200) scope.Apply(SetParamCommand{-1, "friction", 0.3});
      scope.Advance();
    }
    if (run == 0) first = Hash(scope.channel(0).state());
    EXPECT_EQ(Hash(scope.channel(0).state()), first);
    EXPECT_NEAR(scope.channel(0).time(), 0.1 + 200 * 5e-4, 1e-15);
  }
}

TEST(Scope, TelemetryHasEveryStepOnce) {
  int64_t expected[3] = {0, 0, 0};
  Scope scope({[&](const Telemetry& item) {
                 const auto* sample = std::get_if<Sample>(&item.item);
                 if (sample != nullptr) EXPECT_EQ(sample->step, expected[sample->channel]++);
               },
               {}});
  scope.Apply(LoadScene{ConveyorScene()});
  for (int i = 0; i < 500; ++i) scope.Advance();
  for (int64_t n : expected) EXPECT_EQ(n, 501);
}

TEST(Scope, ChannelsComeAndGo) {
  Scope scope;
  scope.Apply(LoadScene{ConveyorScene()});
  for (int i = 0; i < 100; ++i) scope.Advance();
  Config config = scope.channel(0).config();
  config.step.method = static_cast<int>(method_id::kTodorov);
  scope.Apply(AddChannel{config});
  ASSERT_EQ(scope.channel_count(), 4);
  EXPECT_EQ(scope.channel(3).time(), scope.channel(0).time());
  for (int more = 0; more < kMaxChannels; ++more) scope.Apply(AddChannel{config});
  EXPECT_EQ(scope.channel_count(), kMaxChannels);
  while (scope.channel_count() > 4) scope.Apply(RemoveChannel{scope.channel_count() - 1});
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(scope.Advance());
  EXPECT_NEAR(scope.channel(3).time(), 0.2, 1e-12);
  scope.Apply(RemoveChannel{0});
  scope.Apply(Resync{0});
  EXPECT_EQ(scope.channel_count(), 3);
  EXPECT_EQ(scope.channel(1).state().X_WB[0].p, scope.channel(0).state().X_WB[0].p);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(scope.Advance());
}

TEST(Scope, FailedChannelWaitsAndRecovers) {
  std::string note;
  Scope scope({{}, [&](const Event& event) {
                 if (const auto* failed = std::get_if<StepFailed>(&event.item)) note = failed->why;
               }});
  scope.Apply(LoadScene{ConveyorScene()});
  for (int i = 0; i < 10; ++i) scope.Advance();
  scope.Apply(SetParamCommand{1, "normal_law", 3});  // log barrier, while it overlaps the belt
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(scope.Advance());
  EXPECT_NE(note.find("'box'"), std::string::npos);
  EXPECT_EQ(scope.channel(1).step(), 10);
  EXPECT_EQ(scope.channel(0).step(), 20);
  scope.Apply(SetParamCommand{1, "normal_law", 0});
  scope.Advance();
  EXPECT_EQ(scope.channel(1).step(), 21);
}

TEST(Scope, AdvanceAllocatesNothingAfterWarmUp) {
  Scope scope;
  scope.Apply(LoadScene{ConveyorScene()});
  for (int i = 0; i < 10; ++i) scope.Advance();
  const AllocGuard guard;
  for (int i = 0; i < 1000; ++i) scope.Advance();
  EXPECT_EQ(guard.count(), 0u);
}

// Enough bodies that the channels are worth sharing, with unequal time steps.
TEST(Scope, AnyNumberOfWorkersGivesTheSameBits) {
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene.ok());
  std::vector<uint64_t> hashes[2];
  std::vector<std::pair<int, int64_t>> order[2];
  for (const int workers : {1, 3}) {
    auto& sent = order[workers > 1];
    Scope scope({[&](const Telemetry& item) {
                   if (const auto* sample = std::get_if<Sample>(&item.item))
                     sent.emplace_back(sample->channel, sample->step);
                 },
                 {}},
                std::size_t{8} << 20, workers);
    scope.Apply(LoadScene{*scene});
    scope.Apply(SetParamCommand{-1, "time_step", 5e-3});
    scope.Apply(SetParamCommand{1, "time_step", 1e-3});
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(scope.Advance());
    for (int c = 0; c < scope.channel_count(); ++c) {
      hashes[workers > 1].push_back(Hash(scope.channel(c).state()));
    }
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(order[0], order[1]);
}

// Every parameter from one end of its range to the other, models switched, time travelled: nothing
// crashes and no state is ever not finite.
Command RandomCommand(std::mt19937_64* engine, const std::vector<ParamEntry>& params,
                      const Config& config) {
  std::uniform_real_distribution<double> u(0, 1);
  const auto pick = [&](int n) { return static_cast<int>(u(*engine) * n); };
  const int kind = pick(20);
  if (kind < 12) {
    const ParamEntry& p = params[static_cast<std::size_t>(pick(static_cast<int>(params.size())))];
    double value = p.info->min + (p.info->max - p.info->min) * u(*engine);
    const int end = pick(4);
    if (end == 0) value = p.info->min;
    if (end == 1) value = p.info->max;
    if (end == 2 && p.info->scale == Scale::kLog) {
      value = p.info->min * std::pow(p.info->max / p.info->min, u(*engine));
    }
    if (p.info->zero && pick(6) == 0) value = 0;
    if (p.info->scale == Scale::kInteger) value = std::round(value);
    if (p.info->scale == Scale::kChoice) {
      value = pick(static_cast<int>(p.info->choices.size()));
    }
    return SetParamCommand{pick(5) - 1, p.path, value};
  }
  switch (kind) {
    case 12:
      return StepForward{pick(5)};
    case 13:
      return StepBack{pick(10)};
    case 14:
      return Seek{u(*engine) * 0.5};
    case 15:
      return GoLive{};
    case 16:
      return pick(4) == 0 ? Command{Reset{}} : Command{Resync{pick(4)}};
    case 17:
      return AddChannel{config};
    case 18:
      return RemoveChannel{pick(4)};
    default: {
      Grab grab;
      grab.body = pick(3) - 1;
      grab.p_BP = Vec3(0.05 * u(*engine), 0, 0.05 * u(*engine));
      grab.p_WA = Vec3(u(*engine) - 0.5, 0, u(*engine));
      grab.stiffness = std::pow(10, 6 * u(*engine));
      grab.damping = std::pow(10, 4 * u(*engine));
      grab.force_limit = 100;
      return SetGrab{grab};
    }
  }
}

void ExpectFinite(const Scope& scope) {
  for (int c = 0; c < scope.channel_count(); ++c) {
    const State& state = scope.channel(c).state();
    ASSERT_TRUE(state.v.allFinite()) << "channel " << c;
    for (const Pose& X : state.X_WB) {
      ASSERT_TRUE(X.p.allFinite() && X.q.coeffs().allFinite()) << "channel " << c;
    }
  }
}

TEST(Scope, TenThousandRandomCommands) {
  std::mt19937_64 engine(20261121);
  Scope scope({}, std::size_t{8} << 20);
  scope.Apply(LoadScene{ConveyorScene(1e-2)});
  const Config config = scope.channel(0).config();
  const std::vector<ParamEntry> params = ListParams(config);
  for (int i = 0; i < 10000; ++i) {
    scope.Apply(RandomCommand(&engine, params, config));
    // marks far apart would make a channel with a tiny step run for minutes
    for (int c = 0; c < scope.channel_count(); ++c) {
      if (scope.channel(c).config().step.time_step < 1e-4) {
        scope.Apply(SetParamCommand{-1, "time_step", 1e-3});
      }
    }
    scope.Advance();
    ExpectFinite(scope);
  }
}

// ---- engine thread
// -------------------------------------------------------------------------------

template <class Condition>
bool WaitFor(Condition&& condition, double seconds = 20) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST(EngineThread, RunsPausesSeeksAndLosesNoStep) {
  EngineThread engine;
  engine.Send(LoadScene{ConveyorScene()});
  engine.Send(Play{});
  ASSERT_TRUE(WaitFor([&] { return engine.Latest().time > 0.25; }));
  engine.Send(Pause{});
  ASSERT_TRUE(WaitFor([&] { return !engine.Latest().playing; }));
  const double paused = engine.Latest().time;
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(engine.Latest().time, paused);

  Telemetry item;
  int64_t expected = 0;
  while (engine.NextTelemetry(&item)) {
    const auto* sample = std::get_if<Sample>(&item.item);
    if (sample != nullptr && sample->channel == 0) EXPECT_EQ(sample->step, expected++);
  }
  EXPECT_EQ(expected, engine.Latest().channels[0].step + 1);

  engine.Send(Seek{0.1});
  ASSERT_TRUE(WaitFor([&] { return !engine.Latest().live; }));
  EXPECT_NEAR(engine.Latest().time, 0.1, 1e-9);
  EXPECT_EQ(engine.Latest().channels[0].step, 100);
  engine.Send(SetParamCommand{0, "stiffness", 1e30});
  ASSERT_TRUE(WaitFor([&] {
    while (auto event = engine.NextEvent()) {
      if (std::holds_alternative<Refused>(event->item)) return true;
    }
    return false;
  }));
  // torsion needs friction
  engine.Send(SetParamCommand{0, "torsional_friction", 0.01});
  engine.Send(SetParamCommand{0, "friction", 0});
  ASSERT_TRUE(WaitFor([&] {
    while (auto event = engine.NextEvent()) {
      if (const auto* refused = std::get_if<Refused>(&event->item))
        return refused->why.find("friction must be > 0") != std::string::npos;
    }
    return false;
  }));
}

TEST(EngineThread, StandsAtTheTimeThatItPlaysTo) {
  EngineThread engine;
  engine.Send(LoadScene{ConveyorScene()});
  for (const double speed : {1.0, 16.0}) {
    engine.Send(SetSpeed{speed});
    engine.Send(Reset{});
    engine.Send(Play{.until = 0.05});
    ASSERT_TRUE(WaitFor([&] { return !engine.Latest().playing && engine.Latest().time > 0.04; }));
    EXPECT_NEAR(engine.Latest().time, 0.05, 1e-9) << "whatever the speed";
    EXPECT_EQ(engine.Latest().channels[0].step, 50);
  }
  // without an end it goes on
  engine.Send(Play{});
  EXPECT_TRUE(WaitFor([&] { return engine.Latest().time > 0.2; }));
}

TEST(EngineThread, KeepsRealTime) {
  EngineThread engine;
  engine.Send(LoadScene{ConveyorScene()});
  engine.Send(Play{});
  ASSERT_TRUE(WaitFor([&] { return engine.Latest().time > 0.05; }));
  const auto begin = std::chrono::steady_clock::now();
  const double start = engine.Latest().time;
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  const double simulated = engine.Latest().time - start;
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(simulated, wall + 0.15);  // never faster; slower only on a machine that cannot
  EXPECT_GT(simulated, 0);
  engine.Send(SetSpeed{std::numeric_limits<double>::infinity()});
  Telemetry item;
  ASSERT_TRUE(WaitFor([&] {
    while (engine.NextTelemetry(&item)) {
    }
    return engine.Latest().time > 3;
  }));
}

TEST(EngineThread, AsFastAsPossibleWaitsForItsReader) {
  EngineThread engine;
  engine.Send(LoadScene{ConveyorScene()});
  engine.Send(SetSpeed{std::numeric_limits<double>::infinity()});
  engine.Send(Play{});
  // Nobody reads: the run comes to rest although it still plays.
  double before = -1;
  ASSERT_TRUE(WaitFor([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    const double time = engine.Latest().time;
    return time > 0.1 && time == std::exchange(before, time);
  }));
  EXPECT_TRUE(engine.Latest().playing);
  Telemetry item;
  int64_t expected = 0, items = 0;
  const auto drain = [&] {
    while (engine.NextTelemetry(&item)) {
      ++items;
      const auto* sample = std::get_if<Sample>(&item.item);
      if (sample != nullptr && sample->channel == 0) EXPECT_EQ(sample->step, expected++);
    }
    return engine.Latest().time > before + 2;
  };
  drain();
  EXPECT_GT(items, 2000);
  EXPECT_LT(items, 6000);
  // Reading sets it going again, and nothing was lost.
  EXPECT_TRUE(WaitFor(drain));
  // Commands are heard while it rests.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  engine.Send(Pause{});
  EXPECT_TRUE(WaitFor([&] { return !engine.Latest().playing; }));
}

TEST(EngineThread, TinyStepsDoNotBuryTheReader) {
  EngineThread engine;
  engine.Send(LoadScene{ConveyorScene()});
  engine.Send(SetParamCommand{-1, "time_step", 1e-7});
  engine.Send(Play{});
  // Real time is out of reach and nobody reads: stepping rests after some seconds' worth of
  // samples.
  double before = -1;
  ASSERT_TRUE(WaitFor([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    const double time = engine.Latest().time;
    return time > 0 && time == std::exchange(before, time);
  }));
  Telemetry item;
  int64_t items = 0;
  while (items < 40000 && engine.NextTelemetry(&item)) ++items;
  EXPECT_GT(items, 10000);
  EXPECT_LT(items, 40000);
}

TEST(EngineThread, RandomCommandsFromAnotherThread) {
  EngineThread engine;
  const auto scene = ConveyorScene(1e-2);
  engine.Send(LoadScene{scene});
  engine.Send(Play{});
  std::mt19937_64 random(5);
  const Config config = scene->channels[0].config;
  const std::vector<ParamEntry> params = ListParams(config);
  Telemetry item;
  for (int i = 0; i < 2000; ++i) {
    Command command = RandomCommand(&random, params, config);
    if (auto* set = std::get_if<SetParamCommand>(&command)) {
      if (set->path == "time_step") set->value = std::max(set->value, 1e-3);
    }
    engine.Send(std::move(command));
    if (i % 7 == 0) engine.Send(Play{});
    const Snapshot& snapshot = engine.Latest();
    for (const ChannelFrame& channel : snapshot.channels) {
      for (const BodyFrame& body : channel.bodies) ASSERT_TRUE(body.X_WB.p.allFinite());
    }
    while (engine.NextTelemetry(&item)) {
    }
    while (engine.NextEvent()) {
    }
    if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace
}  // namespace slip::test
