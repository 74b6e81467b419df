// A solid that is not convex as convex parts, for contact: its pieces first, each then cut in two
// until its parts are nearly convex.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/geometry/mesh.h"

namespace slip {

inline constexpr int kMostConvexParts = 32;

struct ConvexParts {
  std::vector<ConvexMesh>
      parts;  ///< one where the mesh is as good as convex, or `why_hull` says so
  /// How far a part reaches out of the solid, at most [m]. No part of the solid is left out.
  double error = 0;
  /// Why the hull of the whole mesh is all there is; empty where it is not, or as good as convex.
  std::string why_hull;
};

/// Two or more parts; none where the hull is all there is, which is not made.
Result<ConvexParts> FindConvexParts(const TriangleMesh& mesh, int most = kMostConvexParts);

/// The same parts for the same mesh, everywhere. Error: not even a hull; or ThreadStop said so.
Result<ConvexParts> MakeConvexParts(const TriangleMesh& mesh, int most = kMostConvexParts);

}  // namespace slip
