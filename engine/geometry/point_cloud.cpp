#include "engine/geometry/point_cloud.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/point_scan.h"
#include "engine/geometry/sort_or_stop.h"

namespace slip {
namespace {

/// Moments with four digits may miss the triangle inequality by so much of the largest.
constexpr double kMomentDigits = 1e-3;

bool ComesBefore(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

// The fractions of i + 1/2 steps along each side; the plastic number is the root of g³ = g + 1.
Vec2 PlasticPoint(int i) {
  constexpr double kPlastic = 1.3247179572447460;
  const double n = i + 0.5;
  const Vec2 steps(n / kPlastic, n / (kPlastic * kPlastic));
  return steps - steps.array().floor().matrix();
}

}  // namespace

double CalcSpacing(std::span<const Vec3> points) {
  constexpr std::size_t kSample = 64;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / kSample);
  std::vector<double> nearest;
  for (std::size_t i = 0; i < points.size() && nearest.size() < kSample; i += stride) {
    if (ThreadStop::Asked()) break;
    double best = kInfinity;
    for (const Vec3& p : points) {
      const double d2 = (p - points[i]).squaredNorm();
      if (d2 > 0) best = std::min(best, d2);
    }
    if (std::isfinite(best)) nearest.push_back(best);
  }
  if (nearest.empty()) return 0;
  const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2);
  std::nth_element(nearest.begin(), middle, nearest.end());
  return std::sqrt(*middle);
}

int CountDuplicates(std::span<const Vec3> points) {
  std::vector<Vec3> sorted(points.begin(), points.end());
  SortOrStop(sorted.begin(), sorted.end(), ComesBefore);
  int count = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i] == sorted[i - 1]) ++count;
  return count;
}

Result<std::vector<Vec3>> SampleSurface(const TriangleMesh& mesh, int count) {
  if (count < 1 || count > static_cast<int>(kMostPoints))
    return Error{.message =
                     fmt::format("cannot sample {} points; expected 1 to {}", count, kMostPoints)};
  const auto corner = [&](std::size_t t, int i) -> const Vec3& {
    return mesh.vertices[mesh.triangles[t][i]];
  };
  std::vector<double> until;  // area of the triangles so far
  until.reserve(mesh.triangles.size());
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3& a = corner(t, 0);
    area += (corner(t, 1) - a).cross(corner(t, 2) - a).norm() / 2;
    until.push_back(area);
  }
  if (!(area > 0) || !std::isfinite(area))
    return Error{.message = "the surface has no area to sample points on",
                 .hint = "expected a mesh with triangles"};
  std::vector<Vec3> points;
  points.reserve(count);
  std::size_t t = 0;
  for (int i = 0; i < count; ++i) {
    const double at = area * ((i + 0.5) / count);
    while (t + 1 < until.size() && until[t] <= at) ++t;
    Vec2 s = PlasticPoint(i);
    // the upper half of the parallelogram is folded back
    if (s.sum() > 1) s = Vec2::Ones() - s;
    const Vec3& a = corner(t, 0);
    points.push_back(a + s[0] * (corner(t, 1) - a) + s[1] * (corner(t, 2) - a));
  }
  return points;
}

Result<MassProperties> CalcHullMassProperties(std::span<const Vec3> points, double density) {
  if (!(density > 0) || !std::isfinite(density))
    return Error{.message =
                     fmt::format("a density of {} kg/m^3; expected a positive number", density)};
  const Result<ConvexMesh> hull = CalcConvexHull(points);
  if (!hull) {
    Error error = hull.error();
    error.hint =
        "a body of points needs a hull with volume, or its mass, centre of mass and inertia";
    return error;
  }
  if (const Status thick = CheckThickness(points, MeshUse::kSolid); !thick.ok())
    return thick.errors();
  return CalcMassProperties(*hull, density);
}

Status CheckMassProperties(const MassProperties& given) {
  const auto error = [](std::string message, std::string hint) {
    return Error{.message = std::move(message), .hint = std::move(hint)};
  };
  if (!(given.mass > 0) || !std::isfinite(given.mass))
    return error(fmt::format("a mass of {} kg", given.mass), "expected a positive number");
  if (!given.p_com.allFinite())
    return error("the centre of mass is not finite", "expected three numbers in metres");
  const Mat3& I = given.inertia;
  if (!I.allFinite()) return error("the inertia is not finite", "expected numbers in kg m^2");
  if ((I - I.transpose()).cwiseAbs().maxCoeff() > 1e-12 * I.cwiseAbs().maxCoeff())
    return error("the inertia is not symmetric", "expected I_xy = I_yx and so on");
  Vec3 moments = CalcPrincipalAxes(I).moments;
  std::sort(moments.begin(), moments.end());
  const std::string found = fmt::format("principal moments {:.4g}, {:.4g}, {:.4g} kg m^2",
                                        moments[0], moments[1], moments[2]);
  if (!(moments[0] > 1e-12 * moments[2]))
    return error(found, "every principal moment of inertia must be above zero");
  if (moments[0] + moments[1] < (1 - kMomentDigits) * moments[2])
    return error(found,
                 "the sum of two moments is never below the third; is the inertia about the centre "
                 "of mass?");
  return Ok{};
}

}  // namespace slip
