// A model's trees as MuJoCo reads them, with our body frames: pose at the start, inertia, joints.
#pragma once

#include <functional>
#include <string>

#include "engine/dynamics/model.h"

namespace slip::test {

/// What a caller adds, as text; null functions add nothing.
struct MjcfExtras {
  std::function<std::string(int body)> elements = {};  ///< in the body: sites, geoms
  std::function<std::string(int body)> attributes =
      {};  ///< of its joint, when that has one coordinate
};

std::string MjcfText(const Vec3& v);

/// The elements of all bodies that have joints or stand still, without those that are parts.
std::string MjcfBodies(const Model& model, const MjcfExtras& extras = {});

}  // namespace slip::test
