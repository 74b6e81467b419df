// About what cuts make of a piece of a solid: good for leaving most of many cuts out, at a small
// part of what it takes to try them.
#pragma once

#include <vector>

#include "engine/geometry/reach.h"
#include "engine/geometry/solid_piece.h"

namespace slip {

class CutGuess {
 public:
  explicit CutGuess(const SolidPiece& piece);

  /// As SolidPiece::Try, but hulls are those of the points farthest in some directions alone.
  SolidPiece::Halves Guess(const CutPlane& plane);

 private:
  struct Edge {
    Vec3 ends[2];
    Vec3 into_face[2];
    double weight = 0;
  };
  /// How triangles count for a volume, seen from the origin.
  struct Share {
    double volume = 0;
    Vec3 area = Vec3::Zero();

    void Add(const Share& other) { volume += other.volume, area += other.area; }
    double From(const Vec3& origin) const { return volume - origin.dot(area); }
  };
  /// An edge of the cell, and which of its stretches are within the solid.
  struct CellEdge {
    enum class Stretch : unsigned char { kUnknown, kWithin, kOutside };
    Vec3 ends[2];
    std::vector<double> borders;     ///< between stretches, as shares of its length
    std::vector<Stretch> stretches;  ///< one more
  };

  void SortVertices();
  void AddTriangles();
  void AddCellEdges();
  bool IsWithin(CellEdge* edge, double share) const;
  void AddPoint(const Vec3& p, Reach* reach);
  double SortTriangles(const Vec3& origin, const CutPlane& plane);
  void CutTriangle(std::size_t triangle);
  void CutCell(const CutPlane& plane);
  void ShareEdges(const CutPlane& plane, SolidPiece::Halves* halves) const;
  void GatherVertices();

  const SolidPiece& piece_;
  Vec3 center_ = Vec3::Zero();  ///< points and shares are seen from here
  std::uint32_t mask_ = 0;
  std::vector<Vec3> points_;  ///< vertices, those that follow each other close to each other
  std::size_t vertices_ = 0;  ///< behind them are points of the cut at hand
  std::vector<std::array<int, 3>> triangles_;
  std::vector<std::array<bool, 3>> rims_;  ///< sides that no other triangle has
  std::vector<Share> shares_, cap_shares_;
  Share whole_;
  std::vector<Reach> along_, blocks_;  ///< of vertices, and of those that follow each other
  std::vector<Edge> edges_;
  std::vector<CellEdge> cell_edges_;
  std::vector<std::pair<Vec3, double>> corners_;  ///< of the cell, and how often it is gone around
  // of the cut at hand
  std::vector<double> heights_;
  std::vector<unsigned char> sides_;  ///< of vertices: 1 below, 2 above
  Reach below_, above_;
};

}  // namespace slip
