// URDF files: what `check` and scenes with robots read.
#include <Eigen/Eigenvalues>

#include "engine/urdf/robot_description.h"
#include "tests/fuzz/oracle.h"
#include "tests/support/folders.h"

namespace slip::fuzz {
namespace {

void RequirePose(const Pose& pose, std::string_view what) {
  Require(pose.p.allFinite() && std::abs(pose.q.norm() - 1) < 1e-9, what);
}

void RequireShapes(const std::vector<RobotShape>& shapes) {
  for (const RobotShape& shape : shapes) {
    RequirePose(shape.X_LS, "pose of a shape");
    Require(shape.shape.radius > 0 && shape.shape.size.minCoeff() > 0, "size of a shape");
    Require(shape.shape.kind != ShapeKind::kConvex || shape.shape.convex != nullptr, "a hull");
    if (shape.color)
      for (const double c : *shape.color) Require(c >= 0 && c <= 1, "a colour");
  }
}

void RequireRobot(const RobotDescription& robot) {
  Require(!robot.links.empty() && robot.joints.size() + 1 == robot.links.size(), "a tree");
  Require(robot.links[0].parent_joint < 0, "a root");
  for (const RobotLink& link : robot.links) {
    Require(!link.name.empty(), "name of a link");
    Require(link.mass >= 0 && link.mass <= 1e9, "mass");
    Require(link.p_LC.allFinite() && link.I_LC.allFinite(), "mass properties");
    RequireShapes(link.visuals);
    RequireShapes(link.collisions);
  }
  const int count = static_cast<int>(robot.joints.size());
  for (int i = 0; i < count; ++i) {
    const RobotJoint& joint = robot.joints[i];
    Require(joint.child == i + 1 && joint.parent >= 0 && joint.parent <= i, "order of links");
    RequirePose(joint.X_PJ, "pose of a joint");
    Require(std::abs(joint.axis.norm() - 1) < 1e-9, "axis");
    Require(joint.lower <= joint.upper && joint.effort >= 0 && joint.velocity >= 0, "limits");
    Require(joint.damping >= 0 && joint.friction >= 0, "dynamics");
    if (joint.mimic)
      Require(joint.mimic->joint >= 0 && joint.mimic->joint < count && joint.mimic->joint != i,
              "mimic");
  }
  for (const RobotFrame& frame : robot.frames) {
    RequirePose(frame.X_LF, "pose of a frame");
    Require(frame.link >= 0 && frame.link <= count, "link of a frame");
  }
}

}  // namespace
}  // namespace slip::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  const auto robot =
      ReadUrdfText(TextOf(data, size), "fuzz.urdf", SourceFolder() + "/assets/robots");
  if (!robot) {
    RequireErrors(robot.errors());
    // our own checks find every mistake, in words of ours
    for (const Error& error : robot.errors())
      Require(error.hint != "please report this file", error.message);
    return 0;
  }
  RequireRobot(*robot);
  const RobotDescription merged = MergeFixedLinks(*robot);
  RequireRobot(merged);
  for (std::size_t i = merged.on_world ? 1 : 0; i < merged.links.size(); ++i) {
    const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(merged.links[i].I_LC).eigenvalues();
    Require(moments[0] >= -1e-9 * moments[2], "moments of inertia");
  }
  Require(std::abs(merged.CalcMass() - robot->CalcMass()) <= 1e-9 * robot->CalcMass(),
          "merging keeps the mass");
  return 0;
}
