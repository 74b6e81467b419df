// A piece of a solid that a closed surface bounds, between planes: how it is cut in two, and its
// volume, exactly. Coordinates are those of a solid that has been shrunk to the size of one.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/geometry/mesh.h"
#include "engine/geometry/solid_cell.h"
#include "engine/geometry/solid_surface.h"

namespace slip {

/// An edge at which a surface bends inwards: no convex part has it inside.
struct ReflexEdge {
  std::array<Vec3, 2> ends;
  std::array<Vec3, 2> normals;    ///< of the two faces, outward
  std::array<Vec3, 2> into_face;  ///< from the edge, unit
  double angle = 0;               ///< of the material beyond half a turn [rad]

  double Weight() const { return (ends[1] - ends[0]).norm() * angle; }
};

class SolidPiece {
 public:
  /// The whole of it. `search` bounds about the same solid with fewer triangles perhaps: it says
  /// which corners of cells are within.
  SolidPiece(std::vector<Vec3> vertices, std::vector<std::array<int, 3>> triangles,
             std::shared_ptr<const SolidSurface> search, bool measured = true);

  /// What a cut makes of it, without making it.
  struct Halves {
    struct Half {
      double volume = 0, hull = 0, reflex = 0;
    };
    Half below, above;
  };
  /// Hulls are rough: good for comparing cuts.
  Halves Try(const CutPlane& plane) const;
  /// Without a measure it has neither volumes nor a sum of edges, only points.
  SolidPiece CutBelow(const CutPlane& plane, bool measured = true) const;

  double volume() const { return volume_; }
  double hull_volume() const { return hull_volume_; }
  double reflex() const { return reflex_; }  ///< sum of the edges' weights
  const std::vector<ReflexEdge>& edges() const { return edges_; }
  /// Its convex hull is theirs.
  const std::vector<Vec3>& points() const { return points_; }

 private:
  friend class CutGuess;

  /// A corner of a cell, and how often the surface goes around it.
  struct Corner {
    Vec3 p;
    double winding = 0;
  };

  SolidPiece() = default;
  /// Those within the solid. `known` has what was asked before, and gets what is asked now.
  std::vector<Vec3> CornersWithin(const SolidCell& cell, std::vector<Corner>* known) const;
  void AddEdges();
  void CollectPoints();
  void Measure();

  std::shared_ptr<const SolidSurface> search_;
  SolidCell cell_;
  std::vector<Corner> corners_;
  std::vector<Vec3> vertices_;
  std::vector<std::array<int, 3>> surface_;
  /// With the surface they make a closed one; they may overlap and count negative.
  std::vector<std::array<Vec3, 3>> caps_;
  std::vector<ReflexEdge> edges_;
  std::vector<Vec3> points_;
  double volume_ = 0, hull_volume_ = 0, reflex_ = 0;
};

/// Volume of the convex hull of points; 0 for flat ones. `rough` as of CalcHullTriangles.
double CalcHullVolume(const std::vector<Vec3>& points, double rough = 0);
double CalcHullVolume(const std::vector<Vec3>& points,
                      const std::vector<std::array<int, 3>>& triangles);

}  // namespace slip
