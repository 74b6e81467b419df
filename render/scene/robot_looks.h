// What robots look like as a whole: worked out once a model, not for every picture.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/dynamics/model.h"

namespace slip::render {

struct RobotLook {
  double luminance = 1;    ///< mean of its surface, 0 to 1
  std::size_t finest = 0;  ///< triangles of its finest mesh
};

/// By index into Model::robots.
std::vector<RobotLook> LookAtRobots(const Model& model);

/// Those of the model that was asked for last.
class KnownLooks {
 public:
  std::span<const RobotLook> Of(const std::shared_ptr<const Model>& model);

 private:
  std::weak_ptr<const Model> of_;
  std::vector<RobotLook> looks_;
};

double LuminanceOf(const std::array<double, 4>& colour);

/// 1 = it hides what is behind it; 0 = it is not drawn.
inline double OpacityOf(const Body& body) { return body.colour ? (*body.colour)[3] : 1; }

}  // namespace slip::render
