// Colours that the files of robots give their bodies, as they are drawn.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "render/scene/robot_looks.h"
#include "render/scene/style.h"

namespace slip::render {

/// Before a dark ground a robot that is black all over is hardly seen, while its dark feet or
/// joints are told by what is light beside them. So of a robot whose surface is dark as a whole
/// the dark colours are lifted, in order, and of all others none. Before a light ground those of a
/// robot that is nearly black are, a little: black has no relief. For the eyes alone: no file and
/// no model has other colours.
class OwnColours {
 public:
  /// Luminances: of a robot that is lifted, and of colours that are, from and to.
  struct Lift {
    double robot, dark, least;
  };

  OwnColours(std::span<const RobotLook> looks, Theme theme);

  /// Red, green and blue of a body that has a colour of its own.
  std::array<float, 3> Of(const Body& body) const;
  bool Lifts(int robot) const {
    return robot >= 0 && static_cast<std::size_t>(robot) < lifted_.size() &&
           lifted_[static_cast<std::size_t>(robot)];
  }

 private:
  Lift lift_;
  std::vector<bool> lifted_;  ///< by robot
};

}  // namespace slip::render
