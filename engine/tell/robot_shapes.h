// What of a robot is drawn and what collides, link by link as its file has it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/scene/scene.h"

namespace slip {

/// A box along the axes of a frame.
struct ShapeBox {
  Vec3 min = Vec3::Constant(kInfinity), max = Vec3::Constant(-kInfinity);  ///< [m]

  bool empty() const { return !(min.x() <= max.x()); }
  Vec3 centre() const { return 0.5 * (min + max); }
  Vec3 size() const { return empty() ? Vec3::Zero() : Vec3(max - min); }
  double diagonal() const { return size().norm(); }
  void Add(const Shape& shape, const Pose& X_FS);
  void Add(const ShapeBox& other);
  /// How far a point lies outside [m].
  double Distance(const Vec3& p) const;
};

/// A link of the file. What was merged into another one is a link here.
struct LinkShapes {
  int robot = 0;           ///< index into Model::robots
  int body = -1;           ///< that it moves with
  std::string name;        ///< in the file
  ShapeBox drawn = {};     ///< of what is for the eyes alone, or for both; in the link's own frame
  ShapeBox collides = {};  ///< likewise of what can touch
  bool stands_in = false;  ///< nothing is there to be drawn: its collision shapes are
  bool by_points = false;  ///< the scene lets points of it touch, not its shapes
};

/// Links of all robots of the scene that have shapes.
std::vector<LinkShapes> ListLinkShapes(const Scene& scene);

/// So many shapes of one kind.
struct ShapeCount {
  std::string word;  ///< "STL", "boxes", "hull"
  int count = 0;
};
/// Of all robots: what is drawn, by the formats of files and kinds of shapes, and what collides.
std::vector<ShapeCount> CountDrawn(const Scene& scene);
std::vector<ShapeCount> CountColliding(const Scene& scene);
/// "6 STL, 1 OBJ"; "nothing" of none.
std::string ShapeCountText(std::span<const ShapeCount> counts);

}  // namespace slip
