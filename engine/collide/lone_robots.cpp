
#include "engine/collide/contact_detector.h"
#include "engine/core/numbers.h"

namespace slip {

// A robot that does not collide with itself and is where nothing else is has no pairs: its boxes,
// which all meet each other, are left out.
void ContactDetector::DropLoneRobots(const Model& model) {
  const auto& robots = model.robots;
  if (robots.empty()) return;
  const auto robot_of = [&](std::size_t k) {
    const int robot = model.bodies[colliding_[k]].robot;
    return robot >= 0 && !At(robots, robot).self_collision ? robot : -1;
  };
  const auto meet = [](const Bounds& a, const Bounds& b) {
    return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
  };
  Bounds none;
  none.min = Vec3::Constant(kInfinity);
  none.max = -none.min;
  robot_boxes_.assign(robots.size(), none);
  meets_.assign(robots.size(), false);
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    if (robot_of(k) < 0) continue;
    Bounds& box = At(robot_boxes_, robot_of(k));
    box.min = box.min.cwiseMin(boxes_[k].min);
    box.max = box.max.cwiseMax(boxes_[k].max);
  }
  for (std::size_t r = 0; r < robots.size(); ++r) {
    for (std::size_t s = 0; s < r; ++s) {
      if (meet(robot_boxes_[r], robot_boxes_[s])) meets_[r] = meets_[s] = true;
    }
  }
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    if (robot_of(k) >= 0) continue;
    for (std::size_t r = 0; r < robots.size(); ++r) {
      if (meet(robot_boxes_[r], boxes_[k])) meets_[r] = true;
    }
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    if (robot_of(k) >= 0 && !At(meets_, robot_of(k))) continue;
    boxes_[kept] = boxes_[k];
    colliding_[kept++] = colliding_[k];
  }
  boxes_.resize(kept);
  colliding_.resize(kept);
}

}  // namespace slip
