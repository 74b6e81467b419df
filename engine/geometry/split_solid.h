// Where to cut a solid so that few pieces are nearly convex.
#pragma once

#include <vector>

#include "engine/geometry/solid_piece.h"

namespace slip {

/// Cuts one after the other: the first nodes are the wholes.
struct CutTree {
  struct Node {
    CutPlane plane;
    int below = -1, above = -1;  ///< nodes; -1 = it is not cut
  };
  std::vector<Node> nodes;
};

struct SplitGoal {
  int most = 32;     ///< pieces of all wholes
  double spare = 0;  ///< by so much of their volume the hulls together may be larger
};

/// Always the piece next whose hull has most that is not the solid's. Half done once ThreadStop
/// says so.
CutTree FindCuts(std::vector<SolidPiece> wholes, const SplitGoal& goal);

/// The uncut pieces of the whole that a node stands for, as the points of their hulls.
std::vector<std::vector<Vec3>> CutBy(const CutTree& tree, int node, const SolidPiece& whole);

}  // namespace slip
