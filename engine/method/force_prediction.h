// Contact forces that a method foretells without stepping, for looking at.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/types.h"
#include "engine/dynamics/contact_key.h"

namespace slip {

/// Forces at evenly spaced times from a state on, the first of which is the state's own. Joints
/// keep their motor forces, points that touch keep touching: what a controller will do at its next
/// tick and which points will come or go is not in it.
struct ForcePrediction {
  /// A point that touches now. Forces act on the body.
  struct Contact {
    ContactKey key = 0;
    int body = 0;
    Vec3 n_W = Vec3::UnitZ();
    std::vector<Vec3> f_W;  ///< within the friction cone, one per sample [N]

    double Normal(std::size_t i) const { return n_W.dot(f_W[i]); }                 ///< [N]
    Vec3 Friction(std::size_t i) const { return f_W[i] - n_W.dot(f_W[i]) * n_W; }  ///< [N]
  };
  /// Sums over a foot's points, one per sample; zero where it does not touch.
  struct Foot {
    int robot = 0, foot = 0;               ///< indices into Model::robots and its feet
    std::vector<double> normal, friction;  ///< sum, and size of the sum [N]
  };

  int channel = -1;
  int64_t step = -1;
  uint64_t session = 0;
  double begin = 0;               ///< time of the state [s]
  double span = 0;                ///< to the last sample [s]
  std::vector<Contact> contacts;  ///< ascending by key
  std::vector<double> normal;     ///< sum of all normal forces, one per sample [N]
  std::vector<Foot> feet;         ///< in the order of robots and feet

  double TimeAt(std::size_t i) const {  ///< [s]
    return begin + span * static_cast<double>(i) / static_cast<double>(normal.size() - 1);
  }
};

}  // namespace slip
