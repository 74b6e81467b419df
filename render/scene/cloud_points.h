// Points of a cloud as they are drawn: the order they are drawn in, and how large. Free of GL.
#pragma once

#include <span>
#include <vector>

#include "engine/geometry/shape.h"

namespace slip::render {

/// Radius that the points are drawn with [m]: their own, or, of points without a size, one at which
/// neighbours overlap a little.
double DisplayRadius(const Shape& shape);

/// Of every point x, y, z in body axes [m] and its place along the longest extent, 0 to 1. In
/// groups, each a random part of the cloud, the same every time: those of CloudPrefix are spread
/// over the whole of it, whatever the order in the file. Within a group neighbours follow each
/// other: what a software renderer keeps of them then lies together too.
std::vector<float> MakeCloudVertices(const PointCloud& cloud);

/// The most points, at most `most`, that are whole groups of the order above.
int CloudPrefix(int points, int most);

/// How many of `points` to draw where at most `most` are wanted, and by how much larger, so that
/// they cover as much.
struct Thinned {
  int count = 0;
  float scale = 1;
};
Thinned ThinCloud(int points, int most);

/// Side of the square of surface that a point has to itself [m]: of a grid its step; of points that
/// lie at random about twice the distance of neighbours. 0 where it is not known.
double CalcMeanSpacing(std::span<const Vec3> points);

/// How many of `points` can be told apart where they are seen `pixels` apart; all where that is not
/// known, which is 0.
int CountSeen(int points, double pixels);

/// Least radius of points at this spacing, where they have no size of their own or where not all
/// of them are drawn: a surface of them is seen as one.
double CoveringRadius(double spacing, bool thinned);

}  // namespace slip::render
