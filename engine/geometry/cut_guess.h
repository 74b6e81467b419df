// About what cuts make of a piece of a solid: good for leaving most of many cuts out, at a small
// part of what it takes to try them.
#pragma once

#include <vector>

#include "engine/geometry/clip_triangle.h"
#include "engine/geometry/solid_piece.h"

namespace slip {

class CutGuess {
 public:
  explicit CutGuess(const SolidPiece& piece);

  /// As SolidPiece::Try, but hulls are those of the points farthest in some directions alone.
  SolidPiece::Halves Guess(const CutPlane& plane);

 private:
  // Along directions that lie side by side.
  static constexpr int kSteps = 5, kDirections = 6 * kSteps * kSteps + 2, kRows = kDirections / 4;
  static_assert(kDirections % 4 == 0);
  using Heights = float __attribute__((vector_size(16)));
  using Indices = int __attribute__((vector_size(16)));
  struct HeightRow {
    Heights at[kRows];
  };
  struct IndexRow {
    Indices at[kRows];
  };
  /// How far some points reach, and which one does.
  struct Reach {
    HeightRow most;
    IndexRow which;
  };
  struct Directions;
  struct Edge {
    Vec3 ends[2];
    Vec3 into_face[2];
    double weight = 0;
  };
  /// How triangles count for a volume, seen from the origin.
  struct Share {
    double volume = 0;
    Vec3 area = Vec3::Zero();
  };

  static const Directions& AllDirections();
  static Reach Nothing();
  static void Extend(const HeightRow& heights, const IndexRow& which, Reach* reach);
  static HeightRow Along(const Vec3& p);
  void Mark(int vertex, unsigned sides);
  void AddPoint(const Vec3& p, Reach* reach);
  double CalcVolume(const Reach& reach) const;
  void SortTriangles(const CutPlane& plane, SolidPiece::Halves* halves);
  void ShareEdges(const CutPlane& plane, SolidPiece::Halves* halves) const;

  const SolidPiece& piece_;
  std::vector<HeightRow> along_;  ///< of the vertices
  std::vector<Reach> blocks_;     ///< of vertices that follow each other
  std::vector<Share> shares_;     ///< of the triangles
  std::vector<Edge> edges_;
  std::vector<SolidPiece::Corner> corners_;
  // of the cut at hand
  std::vector<double> heights_;
  std::vector<unsigned char> used_;  ///< 1 by what is below, 2 by what is above
  std::vector<Vec3> more_;           ///< points that are no vertices
  Reach below_, above_;
};

}  // namespace slip
