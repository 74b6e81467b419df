// Points of a cloud as they are drawn: the order they are drawn in, and how large. Free of GL.
#pragma once

#include <vector>

#include "engine/geometry/shape.h"

namespace slip::render {

/// Radius that the points are drawn with [m]: their own, or, of points without a size, one at which
/// neighbours overlap a little.
double DisplayRadius(const Shape& shape);

/// Of every point x, y, z in body axes [m] and its place along the longest extent, 0 to 1. In an
/// order without order, the same every time: the first so many of them are spread over the whole
/// cloud, whatever the order in the file.
std::vector<float> MakeCloudVertices(const PointCloud& cloud);

/// How many of `points` to draw where at most `most` are wanted, and by how much larger, so that
/// they cover as much.
struct Thinned {
  int count = 0;
  float scale = 1;
};
Thinned ThinCloud(int points, int most);

}  // namespace slip::render
