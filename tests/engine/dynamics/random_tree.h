// Trees of links at random: every kind of joint, any depth, off-centre frames, motors.
#pragma once

#include <random>

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip::test {

class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {}

  double Number(double low, double high) {
    return low + (high - low) * static_cast<double>(random_()) / 4294967296.0;
  }
  int Integer(int low, int high) { return low + static_cast<int>(random_() % U(high - low + 1)); }
  Vec3 Vector(double size) {
    return {Number(-size, size), Number(-size, size), Number(-size, size)};
  }
  Quat Rotation() {
    return Quat(Number(-1, 1), Number(-1, 1), Number(-1, 1), Number(0.1, 1)).normalized();
  }

  /// `chain` in [0, 1]: how likely a link hangs on the last one.
  Model Make(int links, double chain) {
    Model model;
    for (int b = 0; b < links; ++b) {
      Body& body = model.bodies.emplace_back();
      body.name = "link" + std::to_string(b);
      body.mass = Number(0.1, 3);
      // a box's moments: they obey the triangle inequality
      const Vec3 half = Vec3(Number(0.02, 0.3), Number(0.02, 0.3), Number(0.02, 0.3)).cwiseAbs2();
      body.inertia_B = body.mass * (Vec3::Constant(half.sum()) - half);
      Joint& joint = body.joint;
      if (b > 0) joint.parent = Number(0, 1) < chain ? b - 1 : OnWay(model, b);
      const auto kind = b == 0 ? (Number(0, 1) < 0.5 ? JointKind::kFree : JointKind::kRevolute)
                               : static_cast<JointKind>(Integer(0, 7));
      body.SetJoint(kind);
      const bool keeps_pose = b == 0 && KeepsPose(kind);
      if (!keeps_pose) {
        joint.X_PF = {Vector(0.5), Rotation()};
        joint.X_BM = {Vector(0.3), Rotation()};
      }
      joint.axis = Vector(1).normalized();
      if (Number(0, 1) < 0.5 && body.nv == 1) joint.armature = Number(0.001, 0.1);
      body.X_WB = {Vector(1), Rotation()};
      body.V_WB << Vector(3), Vector(2);
      SetNeutral(joint, body.q0.data());
      std::array<double, 6> turn{};
      for (double& x : turn) x = Number(-1.5, 1.5);
      IntegrateJoint(joint, turn.data(), body.q0.data());
      for (double& x : body.v0) x = Number(-3, 3);
    }
    model.Finish();
    return model;
  }

 private:
  static unsigned U(int i) { return static_cast<unsigned>(i); }
  // A link on the way from the last one to the root: links stay depth first.
  int OnWay(const Model& model, int b) {
    int at = b - 1;
    for (int up = Integer(0, 3); up > 0 && model.bodies[U(at)].joint.parent >= 0; --up)
      at = model.bodies[U(at)].joint.parent;
    return at;
  }
  std::mt19937 random_;
};

}  // namespace slip::test
