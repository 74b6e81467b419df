// Which points of a cloud are nearest to an obstacle: signed distance phi of every point, the k
// smallest of them with normals and witness points. The obstacle is A, the cloud is B: beta on B is
// the cloud point, alpha = beta - phi n on A is nearest to it, n is the gradient of A's signed
// distance, away from A also where beta is inside.
//
// Normals where there are several: inside a box that of the nearest face, x before y before z, the
// positive before the negative; at the centre of a sphere and on the axis of a capsule the
// obstacle's z axis; inside a cylinder the cap where cap and side are as near, on its axis the
// obstacle's y; inside a convex mesh the first of the nearest faces.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/core/stop.h"
#include "engine/core/types.h"
#include "engine/geometry/shape.h"

namespace slip {

/// A rigid cloud's points in its own frame B, in the order of a tree of balls over them. Frozen:
/// made once, shared by all queries.
class CloudTree {
 public:
  /// Points computed together.
  static constexpr int kLanes = 8;
  /// Points of a leaf, whole lanes but for the last leaf.
  static constexpr int kLeaf = 32;
  /// More points than 2^31 are not held.
  static constexpr int kDepth = 32;

  struct Node {
    Vec3 center = Vec3::Zero();  ///< p_B [m]
    double radius = 0;           ///< of a ball about it that holds the node's points [m]
    int first =
        0;  ///< leaf: its first place; else the right child, the left one being the next node
    int count = 0;  ///< leaf: how many points; else 0
  };

  CloudTree() = default;
  /// Points [m] finite; n log n. Given up, and not whole(), once `stop` says so.
  explicit CloudTree(std::span<const Vec3> points_B, const StopPoll* stop = nullptr);

  /// False when its making was given up: no query may use it.
  bool whole() const { return whole_; }
  int size() const { return static_cast<int>(index_.size()); }
  /// The point that was `point`-th in the constructor [m].
  const Vec3& point(int point) const { return points_[point]; }
  /// Of a ball about B's origin that holds the points [m].
  double radius() const { return radius_; }

  // what queries walk over: coordinate `axis` by place, padded to whole lanes; and whose place it
  // is
  const double* coordinate(int axis) const { return coordinates_[axis].data(); }
  const std::vector<int>& index() const { return index_; }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  int Build(int first, int last, const StopPoll* stop);

  std::vector<Vec3> points_;
  std::array<std::vector<double>, 3> coordinates_;
  std::vector<int> index_;
  std::vector<Node> nodes_;
  double radius_ = 0;
  bool whole_ = true;
};

/// The points where n·p <= offset, n unit.
struct HalfSpace {
  Vec3 n_W = Vec3::UnitZ();
  double offset = 0;  ///< [m]
};

struct CloudCandidate {
  int point = 0;                ///< as in CloudTree::point
  double phi = 0;               ///< signed distance from the obstacle, below zero inside [m]
  Vec3 n_W = Vec3::UnitZ();     ///< unit, from the obstacle to the point, outward
  Vec3 alpha_W = Vec3::Zero();  ///< on the obstacle [m]
  Vec3 beta_W = Vec3::Zero();   ///< the cloud point [m]
};

/// Fills `closest` with the points of smallest phi, in order of phi and then of index, and returns
/// how many there are: all of `closest` unless the cloud has fewer. Bit for bit what
/// CalcCloudDistances sorted would give, found without looking at most of a large cloud. Allocates
/// nothing. A quaternion is unit to 1e-9; a pose that is not finite finds nothing.
int FindClosest(const CloudTree& cloud, const Pose& X_WB, const HalfSpace& obstacle,
                std::span<CloudCandidate> closest);
/// The obstacle is a sphere, box, capsule, cylinder or convex mesh; others find nothing.
int FindClosest(const CloudTree& cloud, const Pose& X_WB, const Shape& obstacle, const Pose& X_WA,
                std::span<CloudCandidate> closest);

/// Signed distance of every point [m], as many as the cloud has, in the order of the points. `n_W`
/// holds as many unit normals, or is empty. Allocates nothing.
void CalcCloudDistances(const CloudTree& cloud, const Pose& X_WB, const HalfSpace& obstacle,
                        std::span<double> phi, std::span<Vec3> n_W = {});
void CalcCloudDistances(const CloudTree& cloud, const Pose& X_WB, const Shape& obstacle,
                        const Pose& X_WA, std::span<double> phi, std::span<Vec3> n_W = {});

}  // namespace slip
