// MuJoCo as a method: the same numbers as MuJoCo by itself, momentum of every step, the same bits
// again from any state, and its own laws of depth, creep and glide.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>

#include "engine/core/worker_pool.h"
#include "engine/dialect/dialect.h"
#include "engine/dynamics/inverse_masses.h"
#include "engine/dynamics/kinematics.h"
#include "engine/mujoco/version.h"
#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

constexpr const char* kMethodsOfMujoco[] = {"mujoco", "mujoco-pyramidal"};

class MujocoMethod : public testing::Test {
 protected:
  void SetUp() override {
    if (!WhyNoMujoco().empty()) GTEST_SKIP() << WhyNoMujoco();
  }
};

Simulation Simulate(const std::string& name, const std::string& method,
                    const std::vector<std::string>& assignments = {}) {
  const auto scene = FindScene(name);
  EXPECT_TRUE(scene.ok());
  const auto plan = MakeRunPlan(*scene, method, assignments, {});
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  return Simulation((*scene)->ModelFor(plan->configs[0]), plan->configs[0]);
}

TEST_F(MujocoMethod, IsOfTheVersionThatIsInstalled) {
  EXPECT_EQ(MujocoVersion(), mj_versionString());
  EXPECT_EQ(WhyNoMujoco(), "");
}

// A ball that does not turn falls on a floor, bounces, slides and stops; a model of MuJoCo's own
// beside it, by mj_step. Turning, it would differ: their contacts are in the middle of the overlap,
// ours on the ball.
TEST_F(MujocoMethod, ABallGoesAsInMujocoByItself) {
  const TempFolder folder;
  WriteText(
      folder.path("ball.toml"),
      "title = \"Ball\"\nduration = 1.0\ntime_step = 0.001\n[material.rubber]\n"
      "friction = 0.4\n"
      "[surface.floor]\n[body.ball]\nshape = \"sphere\"\nradius = 0.05\nmass = 0.8\n"
      "material = \"rubber\"\nmotion = \"xz\"\nposition = [0, 0, 0.08]\nvelocity = [1, 0, 0]\n");
  const auto scene = ReadScene(folder.path("ball.toml"));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  for (const char* method : kMethodsOfMujoco) {
    SCOPED_TRACE(method);
    const auto plan = MakeRunPlan(*scene, method, {"solver_tolerance=1e-14"}, {});
    ASSERT_TRUE(plan.ok()) << plan.error().Text();
    Simulation sim((*scene)->ModelFor(plan->configs[0]), plan->configs[0]);
    const bool elliptic = std::string(method) == "mujoco";
    WriteText(
        folder.path("ball.xml"),
        fmt::format("<mujoco><option timestep='0.001' cone='{}' tolerance='1e-14'/><worldbody>"
                    "<geom type='plane' size='5 5 1' friction='0.4 0.005 0.0001' condim='3'/>"
                    "<body pos='0 0 0.08'><joint type='slide' axis='1 0 0'/><joint type='slide' "
                    "axis='0 0 1'/>"
                    "<inertial pos='0 0 0' mass='0.8' diaginertia='1 1 1'/>"
                    "<geom type='sphere' size='0.05' friction='0.4 0.005 0.0001'/>"
                    "</body></worldbody></mujoco>",
                    elliptic ? "elliptic" : "pyramidal"));
    char error[500] = "";
    mjModel* m = mj_loadXML(folder.path("ball.xml").c_str(), nullptr, error, sizeof error);
    ASSERT_NE(m, nullptr) << error;
    m->opt.gravity[2] = -sim.config().step.gravity;
    mjData* d = mj_makeData(m);
    d->qvel[0] = 1;
    double most = 0, pressed = 0;
    for (int i = 0; i < 600; ++i) {
      ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      mj_step(m, d);
      const Vec3 p(d->qpos[0], 0, 0.08 + d->qpos[1]);
      most = std::max(most, (sim.state().X_WB[0].p - p).norm());
      most = std::max(most, (sim.state().v - Vec2(d->qvel)).norm());
      pressed += sim.contacts().empty() ? 0 : sim.contacts()[0].fn * 1e-3;
    }
    EXPECT_LT(most, 1e-11);
    EXPECT_GT(pressed, 2);
    EXPECT_LT(std::abs(d->qvel[0]), 0.01);  // it has come to stick
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST_F(MujocoMethod, MomentumIsThatOfTheForcesInEveryStep) {
  for (const char* method : kMethodsOfMujoco) {
    for (const char* scene : {"conveyor", "clutter"}) {
      Simulation sim = Simulate(scene, method, {"solver_tolerance=1e-14"});
      const Vec3 g = CalcGravity(sim.config().step);
      const double h = sim.config().step.time_step;
      for (int i = 0; i < 150; ++i) {
        const VectorX before = sim.state().v;
        ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
        std::vector<Vec3> sum(sim.model().bodies.size(), Vec3::Zero());
        for (const ContactFrame& c : sim.contacts()) {
          const Vec3 f = c.fn * c.n_W + c.ft_W;
          sum[static_cast<std::size_t>(c.body)] += f;
          if (c.body_a >= 0) sum[static_cast<std::size_t>(c.body_a)] -= f;
        }
        for (std::size_t b = 0; b < sum.size(); ++b) {
          const Body& body = sim.model().bodies[b];
          if (!sim.model().IsFree(body)) continue;
          const Vec3 change = (sim.state().v - before).segment<3>(body.v_start + 3) / h;
          const double off = (body.mass * (change - g) - sum[b]).norm();
          ASSERT_LT(off, 1e-9 * (body.mass * 9.81 + sum[b].norm())) << scene << ' ' << i;
        }
      }
    }
  }
}

// In a fresh engine, out of order, with threads: the state has all that a step depends on.
TEST_F(MujocoMethod, AStateGivesTheSameBitsAgain) {
  WorkerPool workers(3);
  for (const char* method : kMethodsOfMujoco) {
    for (const char* scene : {"conveyor", "clutter", "quadruped-stand", "planar-arm"}) {
      if (!FindScene(scene).ok()) continue;
      SCOPED_TRACE(scene);
      Simulation sim = Simulate(scene, method), other = Simulate(scene, method);
      other.SetWorkers(&workers);
      for (int i = 0; i < 60; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      const StepRecord there = sim.now();
      EXPECT_FALSE(there.state.warm_start.empty());
      for (int i = 0; i < 40; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      other.Restore(there, sim.config());
      for (int i = 0; i < 40; ++i) ASSERT_TRUE(Advanced(other.Step())) << other.failure();
      EXPECT_EQ(Hash(sim.state()), Hash(other.state()));
      sim.Restore(there, sim.config());
      for (int i = 0; i < 40; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      EXPECT_EQ(Hash(sim.state()), Hash(other.state()));
    }
  }
}

TEST_F(MujocoMethod, AllocatesNothingOnceContactsAreThere) {
  Simulation sim = Simulate("conveyor", "mujoco");
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(Advanced(sim.Step()));
  const test::AllocGuard guard;
  for (int i = 0; i < 100; ++i) sim.Step();
  EXPECT_EQ(guard.count(), 0u);
}

// Every contact rests as deep and creeps as fast as the card says of its own load.
TEST_F(MujocoMethod, DepthAndCreepAreThoseOfTheCard) {
  for (const char* method : kMethodsOfMujoco) {
    for (const double impratio : {1.0, 7.0}) {
      SCOPED_TRACE(fmt::format("{} {}", method, impratio));
      Simulation sim =
          Simulate("slope-creep", method,
                   {fmt::format("mujoco_impratio={}", impratio), "solver_tolerance=1e-14"});
      for (int i = 0; i < 1500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      State start;
      SetStart(sim.model(), &start);
      const InverseMasses masses = CalcInverseMasses(sim.model(), start);
      const Dialect& dialect = *FindDialect(method);
      int loaded = 0;
      for (const ContactFrame& c : sim.contacts()) {
        if (!(c.fn > 0)) continue;
        ++loaded;
        DialectContact at;
        at.fn = c.fn;
        at.ft = c.ft;
        at.inverse_mass = masses.body[static_cast<std::size_t>(c.body)];
        at.time_step = sim.config().step.time_step;
        const auto values = ParseDialectValues(
            dialect, fmt::format("friction={} impratio={}", c.friction, impratio));
        ASSERT_TRUE(values.ok());
        DialectRows rows;
        const DialectContact card = dialect.from(*values, at, DialectKeep::kRest, &rows);
        EXPECT_NEAR(c.fn / *card.k / -c.signed_distance, 1, 1e-4);
        EXPECT_NEAR(CalcCreep(card) / c.vt, 1, 1e-4);
        // and so do the gauges
        EXPECT_NEAR(c.creep_predicted / c.vt, 1, 1e-4);
        EXPECT_NEAR(c.stiffness / *card.k, 1, 1e-6);
        EXPECT_LT(std::abs(c.gliding_offset), 1e-4 * -c.signed_distance);
      }
      EXPECT_GT(loaded, 0);
    }
  }
}

// Of materials: as deep as their spring, and of cones a creep by their damper and impratio.
TEST_F(MujocoMethod, MaterialsKeepTheirStiffness) {
  for (const char* method : kMethodsOfMujoco) {
    SCOPED_TRACE(method);
    Simulation sim = Simulate("slope-creep", method,
                              {"mujoco_contact=material", "stiffness=2e5", "relaxation_time=5ms",
                               "mujoco_impratio=3", "solver_tolerance=1e-14"});
    for (int i = 0; i < 1500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    int loaded = 0;
    for (const ContactFrame& c : sim.contacts()) {
      if (!(c.fn > 0)) continue;
      ++loaded;
      const double k = 2e5, damper = k * 5e-3;
      if (std::string(method) == "mujoco") {
        EXPECT_NEAR(c.fn / k / -c.signed_distance, 1, 1e-4);
        EXPECT_NEAR(c.ft / (damper * 3) / c.vt, 1, 1e-4);
      }
      EXPECT_NEAR(c.creep_predicted / c.vt, 1, 1e-4);
      EXPECT_LT(std::abs(c.gliding_offset), 1e-4 * -c.signed_distance);
    }
    EXPECT_GT(loaded, 0);
  }
}

// On a slow belt it slides with the gap that its law says; on a fast one it hops, and nothing is
// said.
TEST_F(MujocoMethod, SlidesAsItsLawSaysUntilItHops) {
  const TempFolder folder;
  for (const char* method : kMethodsOfMujoco) {
    for (const double speed : {0.5e-3, 1.0}) {
      SCOPED_TRACE(fmt::format("{} {}", method, speed));
      Simulation sim = Simulate("conveyor-constant", method,
                                {fmt::format("belt_speed={}", speed), "belt_amplitude=0",
                                 "belt_acceleration=0", "solver_tolerance=1e-14"});
      for (int i = 0; i < 1500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      for (const ContactFrame& c : sim.contacts()) {
        if (!(c.fn > 0)) continue;
        if (speed > 0.1 && c.mode == ContactMode::kSlip)
          EXPECT_TRUE(std::isnan(c.gliding_predicted));
        if (speed < 0.1 && c.mode == ContactMode::kSlip)
          EXPECT_NEAR(c.gliding_offset, c.gliding_predicted, 1e-4 * std::abs(c.signed_distance));
      }
    }
  }
}

// A run tells that it hops, and of no method of ours.
TEST_F(MujocoMethod, NotesSayThatItHops) {
  const auto plan = MakeRunPlan(*FindScene("conveyor"), "sap,mujoco", {}, {});
  ASSERT_TRUE(plan.ok());
  RunPlan short_plan = *plan;
  short_plan.duration = 0.5;
  std::vector<Track> tracks;
  const RunResult result = slip::Run(short_plan, &tracks, {});
  for (std::size_t c = 0; c < 2; ++c) {
    const auto notes = result.channels[c].notes.List();
    const auto hops = std::count_if(notes.begin(), notes.end(), [](const StepNote& note) {
      return note.what.starts_with("hops: at a slip of ");
    });
    EXPECT_EQ(hops, c == 1 ? 1 : 0);
  }
}

}  // namespace
}  // namespace slip
