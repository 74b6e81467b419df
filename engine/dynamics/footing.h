// What a robot would stand on if a level floor came up from below it.
#pragma once

#include <vector>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip {

struct Footing {
  double lowest = 0;           ///< height of its lowest point [m]
  std::vector<int> links;      ///< which of its links come down there, in order
  std::vector<Vec3> points_W;  ///< where, the corners of what touches [m]

  bool empty() const { return links.empty(); }
};

/// Of what collides of the robot's links. What ends a little higher than the lowest stands, too:
/// legs in a file are alike to some millimetres.
Footing FindFooting(const Model& model, const Robot& robot, const State& state);

/// How far inside of the hull of these points a point is, seen from above [m]; negative = outside.
double CalcSupportMargin(const std::vector<Vec3>& points_W, const Vec3& p_W);

}  // namespace slip
