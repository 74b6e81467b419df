// Steps that would make energy from nothing: made again in halves, or refused with a reason.
#include <gtest/gtest.h>

#include "engine/run/study/command_line.h"
#include "engine/run/study/run_plan.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/models.h"

namespace slip {
namespace {

Simulation StartScene(const std::string& name, const std::string& method,
                      const std::vector<std::string>& assignments) {
  auto scene = FindScene(name);
  if (!scene) throw std::runtime_error(scene.error().Text());
  auto plan = MakeRunPlan(*scene, method, assignments, {});
  if (!plan) throw std::runtime_error(plan.error().Text());
  return Simulation(plan->scene->ModelFor(plan->configs[0]), plan->configs[0]);
}

// A box whose corners swing through their springs.
Simulation StartBox(const std::string& method, double K, double h) {
  Body body;
  body.name = "box";
  body.inertia_B = Vec3(0.0027, 0.0042, 0.0052);
  for (int i = 0; i < 8; ++i)
    body.points_B.emplace_back(i & 1 ? 0.1 : -0.1, i & 2 ? 0.075 : -0.075, i & 4 ? 0.05 : -0.05);
  body.SetJoint(JointKind::kFree);
  body.X_WB = {Vec3(0, 0, 0.25), CalcRotation(Vec3(0.5, 0.3, 0))};
  body.V_WB << 1, 4, 2, 2, 0, 0;
  Surface floor;
  floor.name = "floor";
  Model model;
  model.bodies = {body};
  model.surfaces = {floor};
  Config config;
  config.step.method = static_cast<int>(*FindMethod(method));
  config.step.time_step = h;
  Material material;
  material.stiffness = K;
  material.damping = 30;
  material.friction = 0.5;
  config.materials = {material};
  return Simulation(test::Finish(model), config);
}

// A rod that turns far within a step: what its contact's mean force tells of the work is wrong, and
// the energy of the whole model says so.
TEST(EnergyGuard, AStepWhoseContactsHideItsGainIsRefused) {
  for (const char* h : {"time_step=0.05", "time_step=0.07", "time_step=0.1"}) {
    Simulation sim = StartScene("sliding-rod", "rk4", {h});
    const double start = test::Value(sim, Signal::kKineticEnergy) + 15;
    StepStatus status = StepStatus::kConverged;
    for (int i = 0; i < 40 && Advanced(status); ++i) {
      status = sim.Step();
      EXPECT_LT(test::Value(sim, Signal::kKineticEnergy), 3 * start) << h << " step " << i;
    }
    EXPECT_FALSE(Advanced(status)) << h;
  }
}

TEST(EnergyGuard, HalvesAreCountedAndAlwaysTheSame) {
  const auto run = [](int64_t* halved, int64_t* pieces) {
    Simulation sim = StartBox("exponential", 1e8, 5e-3);
    std::vector<uint64_t> hashes;
    *halved = *pieces = 0;
    while (sim.time() < 1) {
      EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
      hashes.push_back(Hash(sim.state()));
      *halved += sim.solve().anchors.pieces > 0;
      *pieces += sim.solve().anchors.pieces;
    }
    EXPECT_EQ(sim.step(), 200);
    EXPECT_NEAR(sim.time(), 1, 1e-12);
    return hashes;
  };
  int64_t halved = 0, pieces = 0, again = 0;
  const auto first = run(&halved, &pieces);
  EXPECT_GT(halved, 0);
  EXPECT_GE(pieces, 2 * halved);
  EXPECT_EQ(run(&again, &pieces), first);
  EXPECT_EQ(again, halved);
}

// A step of controlled error is made of halves, and tells of all of them.
TEST(EnergyGuard, ControlledErrorTellsOfAllItsInnerSteps) {
  const auto run = [](bool controlled, bool accepts) {
    Simulation sim = StartBox("exponential", 1e8, controlled ? 5e-3 : 2.5e-3);
    Config config = sim.config();
    config.step.error_control = controlled ? 1 : 0;
    config.step.accuracy = 1;
    config.step.gained_energy = accepts ? 1 : 0;
    sim.SetConfig(config);
    int64_t pieces = 0;
    double worst = 0;
    while (sim.time() < 0.9999) {
      EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
      if (controlled) {
        EXPECT_EQ(sim.solve().inner_steps, 1);
      }
      pieces += sim.solve().anchors.pieces;
      worst = std::max(worst, sim.solve().gain.share);
    }
    return std::pair(pieces, worst);
  };
  EXPECT_GT(run(false, false).first, 0);
  EXPECT_EQ(run(true, false), run(false, false));
}

// From any step on, a copy of the state goes the same way: the halves keep nothing for themselves.
TEST(EnergyGuard, AStateIsAllThatAStepInPiecesDependsOn) {
  Simulation sim = StartBox("exponential", 1e8, 5e-3);
  bool tried = false;
  while (sim.time() < 1) {
    Simulation other = StartBox("exponential", 1e8, 5e-3);
    other.Restore(sim.now(), sim.config());
    ASSERT_TRUE(Advanced(sim.Step()));
    if (sim.solve().anchors.pieces == 0) continue;
    ASSERT_TRUE(Advanced(other.Step()));
    EXPECT_EQ(Hash(sim.state()), Hash(other.state()));
    tried = true;
  }
  EXPECT_TRUE(tried);
}

TEST(EnergyGuard, StepsInPiecesAllocateNothing) {
  Simulation sim = StartBox("exponential", 1e8, 5e-3);
  const StepRecord start = sim.now();
  const auto run = [&] {
    int halved = 0;
    while (sim.time() < 1) {
      (void)sim.Step();
      halved += sim.solve().anchors.pieces > 0;
    }
    return halved;
  };
  EXPECT_GT(run(), 0);
  sim.Restore(start, sim.config());
  const std::size_t before = test::AllocationCount();
  EXPECT_GT(run(), 0);
  EXPECT_EQ(test::AllocationCount(), before);
}

// Beyond their limit explicit methods are not carried on in pieces: they stop, and name it.
TEST(EnergyGuard, ExplicitMethodsBeyondTheirLimitStopAndNameIt) {
  const struct {
    const char *scene, *method, *limit;
    std::vector<std::string> assignments;
  } runs[] = {{"quadruped-jump", "rk4", "its limit here was about 0.2", {}},
              {"bouncing-ball",
               "rk4",
               "its limit here was about",
               {"time_step=0.002295", "damping=1.163e4", "gravity=20"}},
              {"slope-creep",
               "explicit-euler",
               "its limit here was about",
               {"time_step=0.001162", "damping=1.874e5"}}};
  for (const auto& run : runs) {
    SCOPED_TRACE(std::string(run.scene) + ' ' + run.method);
    Simulation sim = StartScene(run.scene, run.method, run.assignments);
    StepStatus status = StepStatus::kConverged;
    while (sim.step() < 1000 && Advanced(status)) {
      const uint64_t before = Hash(sim.state());
      status = sim.Step();
      if (!Advanced(status)) {
        EXPECT_EQ(Hash(sim.state()), before);
      }
    }
    EXPECT_EQ(status, StepStatus::kGain) << sim.failure();
    EXPECT_NE(sim.failure().find("from nothing"), std::string::npos) << sim.failure();
    EXPECT_NE(sim.failure().find(run.limit), std::string::npos) << sim.failure();
    ChannelFrame frame;
    sim.Fill(&frame);
    EXPECT_EQ(frame.state, ChannelState::kFailed);
    EXPECT_TRUE(std::isfinite(frame.exceeded_step));
  }
}

// Bodies that begin on a stiff spring without load: the way along Newton's direction to where the
// spring carries them is shorter than all by many orders, and there is a solution.
TEST(EnergyGuard, ImplicitEulerFindsTheLoadOfAStiffSpring) {
  for (const auto& [scene, assignments] :
       {std::pair("slope-creep",
                  std::vector<std::string>{"stiffness=6e10", "damping=0", "gained_energy=accept"}),
        std::pair("sliding-mass", std::vector<std::string>{"time_step=28ms", "stiffness=1.3e11",
                                                           "damping=463", "mass=1.7e-5"})}) {
    SCOPED_TRACE(scene);
    Simulation sim = StartScene(scene, "implicit-euler", assignments);
    for (int i = 0; i < 20; ++i)
      ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.step() << ' ' << sim.failure();
    const double weight = sim.model().bodies[0].mass * sim.config().step.gravity;
    EXPECT_GT(sim.signals()[static_cast<std::size_t>(Signal::kNormalForce)], 0.5 * weight);
  }
}

TEST(EnergyGuard, ImplicitEulerAcceptsNothingThatIsNoSolution) {
  for (const auto& [scene, assignments] :
       {std::pair("falling-sphere", std::vector<std::string>{
                                        "time_step=0.005127", "stiffness=4.049e10", "damping=0.136",
                                        "friction=1.064", "gravity=1.323", "mass=1.428e-8"})}) {
    SCOPED_TRACE(scene);
    // so light a body on so stiff a spring feels the last bits of its position; in shorter steps
    // by less
    Simulation sim = StartScene(scene, "implicit-euler", assignments);
    int in_pieces = 0;
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      ASSERT_LE(sim.solve().worst_residual, kLostResidual);
      in_pieces += sim.solve().anchors.pieces > 0;
    }
    EXPECT_GT(in_pieces, 0);

    // where none are made, the step is lost
    std::vector<std::string> alone = assignments;
    alone.push_back("gained_energy=accept");
    Simulation refused = StartScene(scene, "implicit-euler", alone);
    StepStatus status = StepStatus::kConverged;
    while (refused.step() < 100 && Advanced(status)) {
      const uint64_t before = Hash(refused.state());
      status = refused.Step();
      if (!Advanced(status)) {
        EXPECT_EQ(Hash(refused.state()), before);
      }
    }
    EXPECT_EQ(status, StepStatus::kLost) << refused.failure();
    EXPECT_NE(refused.failure().find("last digits"), std::string::npos) << refused.failure();
    ChannelFrame frame;
    refused.Fill(&frame);
    EXPECT_EQ(frame.state, ChannelState::kRefused);
    EXPECT_EQ(frame.accepted_by, "lost_steps");
  }
}

// Steps of other methods are not made again: they stop, or are counted.
TEST(EnergyGuard, OtherMethodsStopAtAStepThatMakesMotionFromNothing) {
  Simulation refused = StartScene("quadruped-trot", "lagged", {"time_step=100ms"});
  StepStatus status = StepStatus::kConverged;
  while (refused.step() < 30 && Advanced(status)) {
    const uint64_t before = Hash(refused.state());
    status = refused.Step();
    if (!Advanced(status)) {
      EXPECT_EQ(Hash(refused.state()), before);
    }
  }
  EXPECT_EQ(status, StepStatus::kGain) << refused.failure();
  EXPECT_NE(refused.failure().find("from nothing"), std::string::npos) << refused.failure();
  EXPECT_NE(refused.failure().find("gained_energy = accept"), std::string::npos);
  ChannelFrame frame;
  refused.Fill(&frame);
  EXPECT_EQ(frame.state, ChannelState::kRefused);
  EXPECT_EQ(frame.accepted_by, "gained_energy");

  Simulation accepted =
      StartScene("quadruped-trot", "lagged", {"time_step=100ms", "gained_energy=accept"});
  StepNotes notes(accepted.model());
  while (accepted.step() <= refused.step()) {
    ASSERT_TRUE(Advanced(accepted.Step())) << accepted.failure();
    notes.Watch(accepted);
  }
  const std::vector<StepNote> list = notes.List();
  const StepNote* gained = Find(list, "gained");
  ASSERT_NE(gained, nullptr);
  EXPECT_GE(gained->steps, 1);
  EXPECT_GT(gained->worst, kGainOfOthers);
  EXPECT_NE(gained->what.find("from nothing"), std::string::npos);
}

// An explicit method may go on beyond its limit while it makes little; the run says so.
TEST(EnergyGuard, StepsBeyondTheLimitAreSaid) {
  auto scene = FindScene("spring-wall");
  ASSERT_TRUE(scene.ok());
  auto plan = MakeRunPlan(*scene, "exponential,explicit-euler", {"time_step=12ms"}, {});
  ASSERT_TRUE(plan.ok());
  plan.value().steps = 40;
  std::vector<Track> tracks;
  const RunResult result = slip::Run(*plan, &tracks, {});
  ASSERT_TRUE(result.Complete());
  EXPECT_EQ(Find(result.channels[0].notes.List(), "beyond"), nullptr);
  const std::vector<StepNote> notes = result.channels[1].notes.List();
  const StepNote* beyond = Find(notes, "beyond");
  ASSERT_NE(beyond, nullptr);
  EXPECT_GT(beyond->steps, 30);
  EXPECT_NE(beyond->what.find("limit of stability, about 10 ms"), std::string::npos)
      << beyond->what;
}

// A body that turns far within the step hides from its contacts what they make: its own balance
// tells, and shorter steps make it no more.
TEST(EnergyGuard, ABodyThatTurnsFarHidesNoGain) {
  Simulation sim = StartScene("sliding-rod", "implicit-euler", {"time_step=33ms"});
  const auto energy = [&] { return test::Value(sim, Signal::kMechanicalEnergy); };
  int64_t pieces = 0;
  for (double before = energy(); sim.step() < 40; before = energy()) {
    ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_LT(energy() - before, 0.05 * before) << sim.step();
    pieces += sim.solve().anchors.pieces;
  }
  EXPECT_GT(pieces, 0);
}

// The energy that a step has made is not part of what it may make.
TEST(EnergyGuard, AStepThatMakesWhatItHandlesIsRefused) {
  Simulation sim = StartScene("quadruped-jump", "implicit-euler", {"time_step=15ms"});
  StepStatus status = StepStatus::kConverged;
  double most = 0;
  while (sim.step() < 40 && Advanced(status)) {
    status = sim.Step();
    most = std::max(most, test::Value(sim, Signal::kKineticEnergy));
  }
  EXPECT_EQ(status, StepStatus::kGain) << sim.failure();
  EXPECT_LT(most, 100);
}

}  // namespace
}  // namespace slip
