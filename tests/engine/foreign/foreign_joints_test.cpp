// Recordings of scenes with joints: their coordinates come back from the poses of their links, and
// poses of link frames are told from those of centres of mass.
#include "engine/foreign/foreign_joints.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/pose.h"
#include "engine/dynamics/kinematics.h"
#include "engine/foreign/foreign_measure.h"
#include "engine/scene/scene.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

std::shared_ptr<const Model> Quadruped() { return (*FindScene("quadruped-stand"))->model; }

/// Some state away from the start.
State Bent(const Model& model) {
  State state;
  SetStart(model, &state);
  for (Eigen::Index i = 0; i < state.v.size(); ++i)
    state.v[i] = std::sin(1.0 + static_cast<double>(i));
  IntegratePositions(model, 0.3, &state);
  UpdatePoses(model, &state);
  return state;
}

TEST(ForeignJoints, CoordinatesComeBackFromPosesAndVelocities) {
  const auto model = Quadruped();
  const State bent = Bent(*model);
  std::vector<Vec6> V;
  CalcVelocities(*model, bent, &V);
  const State found = StateOf(*model, bent.X_WB, V);
  EXPECT_LT((found.q - bent.q).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((found.v - bent.v).cwiseAbs().maxCoeff(), 1e-12);
  for (std::size_t b = 0; b < bent.X_WB.size(); ++b)
    EXPECT_LT((found.X_WB[b].p - bent.X_WB[b].p).norm(), 1e-12) << model->bodies[b].name;
  std::vector<JointFrame> joints;
  ListJoints(*model, found, &joints);
  EXPECT_EQ(joints.size(), 12U);
  EXPECT_TRUE(std::isnan(joints.front().force)) << "no pose tells what a motor does";
}

/// One sample of the start; `link`: of the frames that the robot's file names.
std::string WriteStart(const TempFolder& folder, const Model& model, bool link) {
  State start;
  SetStart(model, &start);
  std::string text = "time_s,body,px_m,py_m,pz_m,qw,qx,qy,qz,mood\n";
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.Moves() || body.shape_of_link >= 0) continue;
    const Pose& X = start.X_WB[b];
    const Vec3 p = link ? X * body.X_BL.p : X.p;
    const Quat q = body.ShownTurn(X.q);
    text += fmt::format("0,{},{},{},{},{},{},{},{},good\n", body.name, p.x(), p.y(), p.z(), q.w(),
                        q.x(), q.y(), q.z());
  }
  WriteText(folder.path("start.csv"), text);
  return folder.path("start.csv");
}

TEST(ForeignJoints, LinkFramesWithoutTheirWordAreSeenAtTheStart) {
  const TempFolder folder;
  const auto model = Quadruped();
  const auto open = [&](bool link, const std::vector<std::string>& said) {
    auto file = ReadForeignFile(WriteStart(folder, *model, link), said);
    EXPECT_TRUE(file) << file.error().Text();
    return ForeignRun::Make(std::move(file).value(), model, "theirs", said);
  };
  const auto silent = open(true, {});
  ASSERT_FALSE(silent);
  EXPECT_NE(silent.error().Text().find("its poses are probably those of link frames"),
            std::string::npos)
      << silent.error().Text();
  const auto said = open(true, {"pose_of=link"});
  ASSERT_TRUE(said) << said.error().Text();
  State start;
  SetStart(*model, &start);
  std::vector<Pose> X;
  said->GetPoses(0, &X);
  for (std::size_t b = 0; b < X.size(); ++b) {
    EXPECT_LT((X[b].p - start.X_WB[b].p).norm(), 1e-9) << model->bodies[b].name;
    EXPECT_LT(X[b].q.angularDistance(start.X_WB[b].q), 1e-6) << model->bodies[b].name;
  }
  const auto plain = open(false, {});
  ASSERT_TRUE(plain) << plain.error().Text();
  ASSERT_FALSE(plain->notes().empty());
  EXPECT_EQ(plain->notes().front(), "not read, of its columns: mood");
}

}  // namespace
}  // namespace slip
