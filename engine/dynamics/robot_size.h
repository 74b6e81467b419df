// How heavy and how large a robot is: what gains of its motors are chosen by.
#pragma once

#include <algorithm>

#include "engine/dynamics/model.h"

namespace slip {

struct RobotSize {
  double mass = 0;   ///< [kg]
  double reach = 0;  ///< from its base to its farthest link, at the start [m]
};

inline RobotSize SizeOf(const Model& model, const Robot& robot) {
  const auto body = [&](int b) -> const Body& { return model.body(b); };
  RobotSize size;
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
    size.mass += body(b).mass;
    size.reach = std::max(size.reach, (body(b).X_WB.p - body(robot.first_body).X_WB.p).norm());
  }
  return size;
}

}  // namespace slip
