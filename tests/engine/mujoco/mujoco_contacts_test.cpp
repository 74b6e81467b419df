// Contacts that MuJoCo finds itself: its own steps to the last digits, under our keys.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/mujoco/version.h"
#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

class MujocoContacts : public testing::Test {
 protected:
  void SetUp() override {
    if (!WhyNoMujoco().empty()) GTEST_SKIP() << WhyNoMujoco();
  }
};

Simulation WithTheirs(const std::shared_ptr<const Scene>& scene, const std::string& method,
                      std::vector<std::string> assignments = {}) {
  assignments.emplace_back("mujoco_narrow_phase=mujoco");
  const auto plan = MakeRunPlan(scene, method, assignments, {});
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  return Simulation(scene->ModelFor(plan->configs[0]), plan->configs[0]);
}

// A ball that slides, spins and rolls, and a box that tumbles, beside mj_step of the same two.
TEST_F(MujocoContacts, GiveMujocosOwnSteps) {
  const TempFolder folder;
  WriteText(folder.path("two.toml"),
            "title = \"Two\"\nduration = 1.0\ntime_step = 0.001\n[material.rubber]\n"
            "friction = 0.4\n[surface.floor]\n"
            "[body.ball]\nshape = \"sphere\"\nradius = 0.05\nmass = 0.8\n"
            "position = [0, 0, 0.08]\nvelocity = [1, 0.3, 0]\nangular_velocity = [0, 3, 9]\n"
            "[body.box]\nshape = \"box\"\nsize = [0.1, 0.14, 0.2]\nmass = 1.5\n"
            "position = [0.5, 0, 0.2]\nvelocity = [-1, 0, 0]\nangular_velocity = [1, 2, 0]\n");
  const auto scene = ReadScene(folder.path("two.toml"));
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const auto inertia = [&](std::size_t b) {
    const Vec3& I = (*scene)->model->bodies[b].inertia_B;
    return fmt::format("{} {} {}", I.x(), I.y(), I.z());
  };
  for (const char* method : {"mujoco", "mujoco-pyramidal"}) {
    SCOPED_TRACE(method);
    Simulation sim = WithTheirs(*scene, method, {"solver_tolerance=1e-14"});
    WriteText(folder.path("two.xml"),
              fmt::format("<mujoco><option timestep='0.001' cone='{}' tolerance='1e-14'/>"
                          "<default><geom friction='0.4 0.005 0.0001'/></default><worldbody>"
                          "<geom type='plane' size='0 0 1'/>"
                          "<body pos='0 0 0.08'><freejoint/><inertial pos='0 0 0' mass='0.8' "
                          "diaginertia='{}'/><geom type='sphere' size='0.05'/></body>"
                          "<body pos='0.5 0 0.2'><freejoint/><inertial pos='0 0 0' mass='1.5' "
                          "diaginertia='{}'/><geom type='box' size='0.05 0.07 0.1'/></body>"
                          "</worldbody></mujoco>",
                          std::string(method) == "mujoco" ? "elliptic" : "pyramidal", inertia(0),
                          inertia(1)));
    char error[500] = "";
    mjModel* m = mj_loadXML(folder.path("two.xml").c_str(), nullptr, error, sizeof error);
    ASSERT_NE(m, nullptr) << error;
    m->opt.gravity[2] = -sim.config().step.gravity;
    mjData* d = mj_makeData(m);
    const double qvel[] = {1, 0.3, 0, 0, 3, 9, -1, 0, 0, 1, 2, 0};
    std::copy(std::begin(qvel), std::end(qvel), d->qvel);
    double most = 0;
    int touching = 0;
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
      mj_step(m, d);
      ASSERT_EQ(static_cast<int>(sim.contacts().size()), d->ncon) << i;
      touching += d->ncon;
      for (int b = 0; b < 2; ++b)
        most = std::max(
            most, (sim.state().pose(b).p - Vec3(Eigen::Map<const Vec3>(d->qpos + 7 * b))).norm());
    }
    EXPECT_LT(most, 1e-9);
    EXPECT_GT(touching, 100);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// A function of the state: the same bits from a state on; and keys are ours wherever ours reach.
TEST_F(MujocoContacts, HaveOurKeysAndTheSameBitsAgain) {
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene.ok());
  Simulation sim = WithTheirs(*scene, "mujoco"), other = WithTheirs(*scene, "mujoco");
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  const StepRecord there = sim.now();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Advanced(sim.Step()));
  other.Restore(there, sim.config());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Advanced(other.Step()));
  EXPECT_EQ(Hash(sim.state()), Hash(other.state()));
  const std::vector<ContactKey>& theirs = sim.state().contacts;
  EXPECT_GT(theirs.size(), 20u);
  EXPECT_EQ(std::set<ContactKey>(theirs.begin(), theirs.end()).size(), theirs.size());
  EXPECT_TRUE(std::is_sorted(theirs.begin(), theirs.end()));
}

TEST_F(MujocoContacts, OfCloudsAreRefusedByName) {
  const auto scene = FindScene("bunny-grasp");
  ASSERT_TRUE(scene.ok());
  Simulation sim = WithTheirs(*scene, "mujoco");
  EXPECT_FALSE(Advanced(sim.Step()));
  EXPECT_NE(sim.failure().find("as those of 'bunny'"), std::string::npos) << sim.failure();
}

}  // namespace
}  // namespace slip
