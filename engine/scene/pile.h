// Piles: many bodies from a few patterns, on a jittered lattice or as a pyramid, so that a scene
// file stays short enough to read aloud.
#pragma once

#include <string>
#include <vector>

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/scene/table_reader.h"

namespace slip {

/// Bodies fill the lattice row by row along x, then y, then layer by layer; those of a pyramid row
/// by row, each of which has one less than the one below and stands on its gaps.
struct Pile {
  std::string name;
  std::vector<Body> patterns;  ///< body i takes pattern (column + layer) modulo; parts behind each
  Vec3 first = Vec3::Zero();   ///< centre of the first body, or of a pyramid's lowest row [m]
  Vec3 spacing = Vec3::Constant(0.1);  ///< between centres [m]
  int columns_x = 1, columns_y = 1;
  double jitter = 0;    ///< lateral, uniform in +- jitter [m]
  bool turned = false;  ///< random yaw
  int seed = 1;
};

/// [pile.NAME]. Keys: body_keys.h.
Pile ReadPile(const TomlNode& node, Config* config, bool planar, Reporter* reporter);

/// Appends the pile's bodies, named after their pattern and number: "ball-007". The same seed gives
/// a lattice the same places, whatever the count.
void AppendPile(const Pile& pile, const PileDrive& drive, Model* model);

}  // namespace slip
