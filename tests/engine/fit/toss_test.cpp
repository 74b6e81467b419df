// How a recorded run begins and how far a simulation of it is off, against closed forms.
#include "engine/fit/toss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/dynamics/joint.h"
#include "engine/run/study/run_plan.h"
#include "tests/support/folders.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tosses.h"

namespace slip {
namespace {

using test::MakeTossRuns;
using test::TossNoise;

std::shared_ptr<const Scene> CubeToss() {
  const auto scene = FindScene("cube-toss");
  EXPECT_TRUE(scene) << scene.error().Text();
  return *scene;
}

Config ConfigOf(const Scene& scene, const std::string& method) {
  const auto plan = MakeRunPlan(std::make_shared<Scene>(scene), method, {}, {});
  EXPECT_TRUE(plan);
  return plan->configs.front();
}

TEST(Toss, AFlightTellsTheStartBetterThanItsFirstSample) {
  const auto scene = CubeToss();
  const Config config = ConfigOf(*scene, "similar");
  const auto clean = MakeTossRuns(*scene, config, 4, 5, {0, 0});
  const auto noisy = MakeTossRuns(*scene, config, 4, 5, {0.2e-3, 2e-3});
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const TossStart truth = FindStart(*clean[i], config, true);
    ASSERT_GE(truth.flight[0], 5);
    const TossStart fitted = FindStart(*noisy[i], config, true),
                    measured = FindStart(*noisy[i], config, false);
    EXPECT_EQ(measured.flight[0], 0);
    const auto off = [&](const TossStart& start) { return (start.V_WB[0] - truth.V_WB[0]).norm(); };
    EXPECT_LT(off(fitted), 0.25) << i;
    EXPECT_LT(off(fitted), 0.3 * off(measured)) << i;
    EXPECT_LT((fitted.X_WB[0].p - truth.X_WB[0].p).norm(), 1e-3) << i;
  }
}

// A body whose three moments of inertia differ tumbles; the fit to its poses finds the spin that
// Euler's equations take on.
TEST(Toss, ATumblingFlightHasOneSpin) {
  const TempFolder folder;
  std::string text = ReadText(std::string(SourceFolder()) + "/scenes/cube-toss.toml");
  text.replace(text.find("[8.1e-4, 8.1e-4, 8.1e-4]"), 24, "[6e-4, 8e-4, 10e-4]");
  WriteText(folder.path("x.toml"), text.substr(0, text.find("[lesson]")));
  const auto scene = ReadScene(folder.path("x.toml"));
  ASSERT_TRUE(scene) << scene.error().Text();
  Config config = ConfigOf(**scene, "lagged");
  config.step.time_step = 1e-4;
  const auto runs = MakeTossRuns(**scene, config, 3, 11, {0, 0}, 0.1);
  for (const auto& run : runs) {
    const TossStart start = FindStart(*run, config, true);
    ASSERT_GE(start.flight[0], 5);
    std::vector<Pose> X;
    run->GetPoses(0, &X);
    EXPECT_LT(CalcRotationVector(X[0].q.conjugate() * start.X_WB[0].q).norm(), 1e-4);
    const Toss toss(run, (*scene)->model, config, true);
    EXPECT_LT(toss.Measure((*scene)->model, config).angle, 2e-3);
  }
}

// What made the toss explains it: the start velocities make up for half a step's fall.
TEST(Toss, TheMethodThatMadeItIsOffByItsStepAlone) {
  const auto scene = CubeToss();
  for (const char* method : {"sap", "lagged", "similar"}) {
    const Config config = ConfigOf(*scene, method);
    for (const auto& run : MakeTossRuns(*scene, config, 3, 7, {0, 0})) {
      const TossError error = Toss(run, scene->model, config, true).Measure(scene->model, config);
      EXPECT_FALSE(error.failed);
      EXPECT_LT(error.way, 2e-3) << method;
    }
  }
}

TEST(Toss, TheWayIsThatOfTheMass) {
  // a cube that floats at rest, said to be elsewhere later: |dp|^2 + (I_zz / m) 2 (1 - cos)
  const auto scene = CubeToss();
  Config config = ConfigOf(*scene, "lagged");
  config.step.gravity = 0;
  const double turn = 0.3;
  const TempFolder folder;
  WriteText(folder.path("x.csv"),
            "time_s,px_m,py_m,pz_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s\n"
            "0,0,0,1,1,0,0,0,0,0,0,0,0,0\n" +
                fmt::format("0.01,0.003,0,1,{:.17g},0,0,{:.17g},0,0,0,0,0,0\n", std::cos(turn / 2),
                            std::sin(turn / 2)));
  auto file = ReadForeignFile(folder.path("x.csv"), {});
  ASSERT_TRUE(file) << file.error().Text();
  auto made = ForeignRun::Make(std::move(file).value(), scene->model, "x", {});
  ASSERT_TRUE(made) << made.error().Text();
  const auto run = std::make_shared<const ForeignRun>(std::move(made).value());
  const TossError error = Toss(run, scene->model, config, false).Measure(scene->model, config);
  const double way = std::sqrt(9e-6 + 8.1e-4 / 0.37 * 2 * (1 - std::cos(turn)));
  EXPECT_NEAR(error.way, way / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(error.position, 0.003 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(error.angle, turn / std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace slip
