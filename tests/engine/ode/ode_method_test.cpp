// ODE as a method: the same numbers as ODE by itself, momentum of every step, the same bits again
// from any state, and its own laws of depth, creep and friction.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "engine/core/worker_pool.h"
#include "engine/dialect/dialect.h"
#include "engine/ode/version.h"
#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

constexpr const char* kOdeSolverNames[] = {"quick", "world"};

class OdeMethod : public testing::Test {
 protected:
  void SetUp() override {
    if (!WhyNoOde().empty()) GTEST_SKIP() << WhyNoOde();
  }
};

Simulation SimulateOde(const std::shared_ptr<const Scene>& scene,
                       const std::vector<std::string>& assignments = {}) {
  const auto plan = MakeRunPlan(scene, "ode", assignments, {});
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  return Simulation(scene->ModelFor(plan->configs[0]), plan->configs[0]);
}
Simulation SimulateOde(const std::string& name, const std::vector<std::string>& assignments = {}) {
  const auto scene = FindScene(name);
  EXPECT_TRUE(scene.ok()) << name;
  return SimulateOde(*scene, assignments);
}
std::shared_ptr<const Scene> SceneOfText(const std::string& text) {
  const TempFolder folder;
  WriteText(folder.path("scene.toml"), text);
  const auto scene = ReadScene(folder.path("scene.toml"));
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error().Text());
  return *scene;
}

TEST_F(OdeMethod, IsOfTheVersionThatIsInstalled) { EXPECT_EQ(OdeVersion(), dODE_VERSION); }

// A ball that slides, comes to roll and turns, beside a world of ODE's own with its own contacts.
TEST_F(OdeMethod, ABallGoesAsInOdeByItself) {
  const auto scene = SceneOfText(
      "title = \"Ball\"\nduration = 1.0\ntime_step = 0.001\n[material.rubber]\nfriction = 0.4\n"
      "stiffness = 2e4\nrelaxation_time = 3e-3\n[surface.floor]\n[body.ball]\n"
      "shape = \"sphere\"\nradius = 0.05\nmass = 0.8\nposition = [0, 0, 0.08]\n"
      "velocity = [1, 0, 0]\nangular_velocity = [0, -3, 0]\n");
  for (const char* solver : kOdeSolverNames) {
    for (const bool soft : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", solver, soft));
      Simulation sim =
          SimulateOde(scene, {fmt::format("ode_solver={}", solver),
                              fmt::format("ode_contact={}", soft ? "material" : "rigid")});
      const dWorldID world = dWorldCreate();
      const dJointGroupID joints = dJointGroupCreate(0);
      dWorldSetGravity(world, 0, 0, -sim.config().step.gravity);
      const dBodyID ball = dBodyCreate(world);
      dMass mass;
      dMassSetSphereTotal(&mass, 0.8, 0.05);
      dBodySetMass(ball, &mass);
      dBodySetPosition(ball, 0, 0, 0.08);
      dBodySetLinearVel(ball, 1, 0, 0);
      dBodySetAngularVel(ball, 0, -3, 0);
      const double h = 1e-3;
      double most = 0, pressed = 0;
      for (int i = 0; i < 600; ++i) {
        ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
        dJointGroupEmpty(joints);
        const dReal* p = dBodyGetPosition(ball);
        if (p[2] < 0.05) {
          dContact c{};
          for (int k = 0; k < 2; ++k) c.geom.pos[k] = p[k];
          c.geom.pos[2] = p[2] - 0.05;
          c.geom.normal[2] = 1;
          c.geom.depth = 0.05 - p[2];
          c.fdir1[0] = 1;
          c.surface.mode = dContactApprox1 | dContactFDir1;
          c.surface.mu = 0.4;
          if (soft) {
            // of a solid ball, at its rim
            const double rms = std::sqrt(2 * std::pow(3.5 / 0.8, 2) + std::pow(1 / 0.8, 2)) / 3;
            c.surface.mode |= dContactSoftERP | dContactSoftCFM | dContactSlip1 | dContactSlip2;
            c.surface.soft_erp = h * 2e4 / (h * 2e4 + 60);
            c.surface.soft_cfm = 1 / (h * 2e4 + 60);
            c.surface.slip1 = c.surface.slip2 =
                *GetParam(sim.config(), "friction_regularization") * rms * h;
          }
          dJointAttach(dJointCreateContact(world, joints, &c), ball, nullptr);
        }
        std::string(solver) == "quick" ? dWorldQuickStep(world, h) : dWorldStep(world, h);
        const dReal* q = dBodyGetQuaternion(ball);
        const dReal* v = dBodyGetLinearVel(ball);
        const Pose& X = sim.state().X_WB[0];
        p = dBodyGetPosition(ball);
        most = std::max(most, (X.p - Vec3(p[0], p[1], p[2])).norm());
        most = std::max(most, X.q.angularDistance(Quat(q[0], q[1], q[2], q[3])));
        most = std::max(most, (sim.state().v.tail<3>() - Vec3(v[0], v[1], v[2])).norm());
        pressed += sim.contacts().empty() ? 0 : sim.contacts()[0].fn * h;
      }
      EXPECT_LT(most, 1e-9);
      EXPECT_GT(pressed, 2);
      dJointGroupDestroy(joints);
      dWorldDestroy(world);
    }
  }
}

TEST_F(OdeMethod, MomentumIsThatOfTheForcesInEveryStep) {
  for (const char* solver : kOdeSolverNames) {
    for (const char* scene : {"conveyor", "clutter"}) {
      Simulation sim = SimulateOde(scene, {fmt::format("ode_solver={}", solver)});
      const Vec3 g = CalcGravity(sim.config().step);
      const double h = sim.config().step.time_step;
      const int steps = std::string(solver) == "world" && scene[1] == 'l' ? 40 : 120;
      for (int i = 0; i < steps; ++i) {
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

// In another world, out of order, with threads: the state has all that a step depends on.
TEST_F(OdeMethod, AStateGivesTheSameBitsAgain) {
  WorkerPool workers(3);
  for (const char* solver : kOdeSolverNames) {
    for (const char* scene : {"conveyor", "clutter", "creep-pinch", "spinning-puck"}) {
      SCOPED_TRACE(fmt::format("{} {}", scene, solver));
      const std::string choice = fmt::format("ode_solver={}", solver);
      Simulation sim = SimulateOde(scene, {choice}), other = SimulateOde(scene, {choice});
      other.SetWorkers(&workers);
      for (int i = 0; i < 30; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      const StepRecord there = sim.now();
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      other.Restore(there, sim.config());
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(Advanced(other.Step())) << other.failure();
      EXPECT_EQ(Hash(sim.state()), Hash(other.state()));
      sim.Restore(there, sim.config());
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      EXPECT_EQ(Hash(sim.state()), Hash(other.state()));
    }
  }
}

// Random numbers are the library's, and one for all.
TEST_F(OdeMethod, TwoThreadsGiveTheBitsOfOne) {
  const auto run = [](uint64_t* hash) {
    Simulation sim = SimulateOde("clutter", {"bodies=20"});
    for (int i = 0; i < 60; ++i) sim.Step();
    *hash = Hash(sim.state());
  };
  uint64_t alone = 0, one = 0, two = 0;
  run(&alone);
  std::thread first(run, &one), second(run, &two);
  first.join();
  second.join();
  EXPECT_EQ(alone, one);
  EXPECT_EQ(alone, two);
}

TEST_F(OdeMethod, AllocatesNothingOnceContactsAreThere) {
  Simulation sim = SimulateOde("conveyor");
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(Advanced(sim.Step()));
  const test::AllocGuard guard;
  for (int i = 0; i < 100; ++i) sim.Step();
  EXPECT_EQ(guard.count(), 0u);
}

// Every contact rests as deep and creeps as fast as the card says of ODE's numbers at its own load.
TEST_F(OdeMethod, DepthAndCreepAreThoseOfTheCard) {
  for (const char* solver : kOdeSolverNames) {
    for (const double tau : {0.0, 5e-3}) {
      SCOPED_TRACE(fmt::format("{} {}", solver, tau));
      Simulation sim =
          SimulateOde("slope-creep",
                      {fmt::format("ode_solver={}", solver), "ode_iterations=200", "stiffness=2e5",
                       fmt::format("relaxation_time={}", tau), "friction_regularization=0.05"});
      for (int i = 0; i < 1500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      const Dialect& dialect = *FindDialect("ode");
      int loaded = 0;
      for (const ContactFrame& c : sim.contacts()) {
        if (!(c.fn > 0)) continue;
        ++loaded;
        DialectContact at;
        at.k = 2e5;
        at.c = 2e5 * tau;
        at.time_step = sim.config().step.time_step;
        at.fn = c.fn;
        at.ft = c.ft;
        at.friction = c.friction;
        at.w = c.w;
        at.c_t = 1 / (0.05 * c.w * at.time_step);
        DialectRows rows;
        std::string values;
        for (const DialectRow& row : dialect.to(at, DialectKeep::kRest)) {
          if (row.values.empty()) continue;
          values += fmt::format("{}={:.17g} ", row.name == "slip1 slip2" ? "slip" : row.name,
                                row.values[0]);
        }
        const auto parsed = ParseDialectValues(dialect, values);
        ASSERT_TRUE(parsed.ok()) << parsed.error().Text();
        const DialectContact card = dialect.from(*parsed, at, DialectKeep::kRest, &rows);
        EXPECT_NEAR(c.fn / *card.k / -c.signed_distance, 1, 1e-4);
        EXPECT_NEAR(CalcCreep(card) / c.vt, 1, 1e-4);
        // and so do the gauges
        EXPECT_NEAR(c.creep_predicted / c.vt, 1, 1e-4);
        EXPECT_NEAR(c.stiffness / 2e5, 1, 1e-12);
        EXPECT_LT(std::abs(c.gliding_offset), 1e-4 * -c.signed_distance);
      }
      EXPECT_GT(loaded, 0);
    }
  }
}

// A box on a belt slides at first, with all its friction and no gap, and is carried in the end.
TEST_F(OdeMethod, ABeltCarriesABox) {
  for (const char* solver : kOdeSolverNames) {
    SCOPED_TRACE(solver);
    Simulation sim = SimulateOde(SceneOfText("title = \"Belt\"\nduration = 1\ntime_step = 0.001\n"
                                             "[material.rubber]\nfriction = 0.5\nstiffness = 1e5\n"
                                             "relaxation_time = 1e-3\n"
                                             "[surface.belt]\nbelt_speed = 0.8\n[body.box]\n"
                                             "shape = \"box\"\nsize = [0.2, 0.2, 0.1]\nmass = 2\n"
                                             "position = [0, 0, 0.05]\n"),
                                 {fmt::format("ode_solver={}", solver), "ode_iterations=100"});
    const auto speed = [&] { return sim.state().v[3]; };
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    const double before = speed();
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_NEAR((speed() - before) / 0.04 / (0.5 * 9.81), 1, 0.02);
    for (const ContactFrame& c : sim.contacts()) EXPECT_EQ(c.mode, ContactMode::kSlip);
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_NEAR(speed(), 0.8, 1e-4);
    for (const ContactFrame& c : sim.contacts()) EXPECT_EQ(c.mode, ContactMode::kStick);
  }
}

TEST_F(OdeMethod, APileOfTenBoxesCarriesItself) {
  std::string text =
      "title = \"Pile\"\nduration = 1\ntime_step = 0.002\n[material.wood]\nfriction = 0.5\n"
      "stiffness = 1e5\nrelaxation_time = 0.01\n[surface.floor]\n";
  for (int i = 0; i < 10; ++i)
    text += fmt::format(
        "[body.box{}]\nshape = \"box\"\nsize = [0.2, 0.2, 0.1]\nmass = 1\n"
        "position = [0, 0, {}]\n",
        i, 0.05 + 0.1 * i);
  for (const char* solver : kOdeSolverNames) {
    SCOPED_TRACE(solver);
    Simulation sim = SimulateOde(SceneOfText(text),
                                 {fmt::format("ode_solver={}", solver), "ode_iterations=400"});
    for (int i = 0; i < 1500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    double floor = 0;
    for (const ContactFrame& c : sim.contacts())
      if (c.surface >= 0) floor += c.fn;
    EXPECT_NEAR(floor / (10 * 9.81), 1, 1e-3);
    EXPECT_LT(sim.state().v.cwiseAbs().maxCoeff(), 1e-3);
    // each as deep as what it carries asks for, four points a face: on the floor by one material,
    // else by two in series
    const double top = 0.95 - 9.81 * 10 / (4 * 1e5) - 9.81 * 45 / (2 * 1e5);
    EXPECT_NEAR(sim.state().X_WB[9].p.z(), top, 1e-5);
  }
}

// A box of friction along the axes of the contact: along the diagonal it holds 1.41 times as much.
TEST_F(OdeMethod, FrictionIsABoxAroundTheCone) {
  const auto slips = [](double share, double x, double y) {
    const double f = share * 9.81 / std::hypot(x, y);
    Simulation sim = SimulateOde(
        SceneOfText(fmt::format("title = \"Box\"\nduration = 1\ntime_step = 0.001\n"
                                "[material.wood]\nfriction = 0.5\n"
                                "[surface.floor]\n[body.box]\nshape = \"box\"\n"
                                "size = [0.2, 0.2, 0.01]\nmass = 1\nposition = [0, 0, 0.005]\n"
                                "[push.side]\nbody = \"box\"\n"
                                "force = [[0, [{0}, {1}, 0]], [1, [{0}, {1}, 0]]]\n",
                                f * x, f * y)),
        {"ode_solver=world", "ode_contact=rigid"});
    for (int i = 0; i < 300; ++i) EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
    return sim.state().v.segment<2>(3).norm() > 0.01;
  };
  EXPECT_FALSE(slips(0.48, 1, 0));
  EXPECT_TRUE(slips(0.55, 1, 0));
  EXPECT_FALSE(slips(0.68, 1, 1));
  EXPECT_TRUE(slips(0.75, 1, 1));
}

}  // namespace
}  // namespace slip
