// MuJoCo's models: what `check`, scenes and drops read.
#include "engine/mjcf/mjcf.h"
#include "tests/fuzz/oracle.h"
#include "tests/support/folders.h"

namespace slip::fuzz {
namespace {

void RequireRobot(const RobotDescription& robot) {
  Require(!robot.links.empty() && robot.joints.size() + 1 == robot.links.size(), "a tree");
  Require(robot.world && !robot.starts.empty(), "a world and a start");
  const int count = static_cast<int>(robot.joints.size());
  for (const RobotLink& link : robot.links) {
    Require(!link.name.empty(), "name of a link");
    Require(link.mass >= 0 && link.p_LC.allFinite() && link.I_LC.allFinite(), "mass properties");
    for (const auto* shapes : {&link.visuals, &link.collisions})
      for (const RobotShape& shape : *shapes)
        Require(shape.X_LS.p.allFinite() && shape.shape.radius > 0, "a shape");
  }
  for (int i = 0; i < count; ++i) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(i)];
    Require(joint.child == i + 1 && joint.parent >= 0 && joint.parent <= i, "order of links");
    Require(joint.lower <= joint.upper && joint.effort >= 0 && joint.damping >= 0, "limits");
    Require(joint.stiffness >= 0 && joint.gain >= 0 && joint.limit_stiffness > 0, "springs");
    const bool fixed = joint.kind == RobotJointKind::kFixed;
    Require(fixed || joint.starts.size() == robot.starts.size(), "starts");
    if (joint.mimic)
      Require(joint.mimic->joint >= 0 && joint.mimic->joint < count && joint.mimic->joint != i,
              "a leader");
  }
  Require(!robot.world->materials.empty(), "a material");
}

}  // namespace
}  // namespace slip::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  const auto robot =
      ReadMjcfText(TextOf(data, size), "fuzz.xml", SourceFolder() + "/assets/robots");
  if (!robot) {
    RequireErrors(robot.errors());
    for (const Error& error : robot.errors())
      Require(error.hint != "please report this file", error.message);
    return 0;
  }
  RequireRobot(*robot);
  const RobotDescription merged = MergeFixedLinks(*robot);
  RequireRobot(merged);
  return 0;
}
