// A robot with a controller on a floor, and what is looked at while it moves.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "engine/convex/convex_params.h"
#include "engine/dynamics/kinematics.h"
#include "engine/sim/simulation.h"
#include "tests/support/robots.h"

namespace slip::test {

/// The models that every recipe is held to.
inline const std::string kRobotMethods[] = {"sap", "lagged", "lagged-regularized", "similar"};

inline std::string MethodName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Of tests whose engine is watched by sanitizers with one method alone: the others say Long.
inline std::string MethodNameLong(const testing::TestParamInfo<std::string>& info) {
  return MethodName(info) + (info.param == kRobotMethods[0] ? "" : "Long");
}

class RobotRun {
 public:
  RobotRun(const std::string& method, ControllerId id, double h, Turning turning = Turning::kMiddle)
      : biped_(id == ControllerId::kShift || id == ControllerId::kWalk),
        model_(std::make_shared<const Model>(
            biped_
                ? MakeBiped(BipedStart())
                : MakeSolo(SoloStart(id == ControllerId::kTrot || id == ControllerId::kJumpHigh)))),
        sim_(model_, ConfigOf(method, id, h, turning)) {}

  /// False when a step fails or the robot falls.
  bool RunTo(double time) {
    while (sim_.time() < time - 1e-9) {
      if (sim_.Step() != StepStatus::kConverged) return false;
      Look();
      if (tilt > 1) return false;
    }
    return true;
  }

  Simulation& sim() { return sim_; }
  const Model& model() const { return *model_; }
  Pose Base() const {
    const Pose &X_WB = sim_.state().X_WB[0], &X_BL = model_->bodies[0].X_BL;
    return {X_WB * X_BL.p, X_WB.q * X_BL.q};
  }
  double Speed() const { return sim_.state().v.tail(12).cwiseAbs().maxCoeff(); }

  // largest so far
  double tilt = 0, drift = 0, side = 0, yaw = 0, torque = 0, lowest = 1e9, highest = -1e9;

 private:
  Config ConfigOf(const std::string& method, ControllerId id, double h, Turning turning) const {
    Config config = RobotConfig(method, model_->robots[0].name, id, h);
    config.step.part<ConvexParams>().turning = static_cast<int>(turning);
    return config;
  }
  void Look() {
    const Pose X = Base();
    const Mat3 R = X.q.toRotationMatrix();
    tilt = std::max(tilt, std::acos(std::min(1.0, R(2, 2))));
    drift = std::max(drift, X.p.head<2>().norm());
    side = std::max(side, std::abs(X.p.y()));
    yaw = std::max(yaw, std::abs(std::atan2(R(1, 0), R(0, 0))));
    lowest = std::min(lowest, X.p.z());
    highest = std::max(highest, X.p.z());
    // the held forces stand after the header
    torque = std::max(torque, sim_.state().control.segment(8, 12).cwiseAbs().maxCoeff());
  }

  bool biped_;
  std::shared_ptr<const Model> model_;
  Simulation sim_;
};

}  // namespace slip::test
