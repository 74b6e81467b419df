// Files of points (.ply, .xyz and .csv), and the nearest points of what was read.
#include <bit>

#include "engine/collide/cloud_query.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/point_cloud.h"
#include "tests/fuzz/oracle.h"

namespace slip::fuzz {
namespace {

void CheckRoundTrip(const std::vector<Vec3>& points, const std::string& text,
                    const std::string& name) {
  const auto again = ReadPointCloudText(text, name, 0, 1);
  Require(again.ok(), "what is written can be read");
  Require(again->mesh.points.size() == points.size(), "as many points as were written");
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int k = 0; k < 3; ++k)
      Require(std::bit_cast<uint64_t>(points[i][k]) ==
                  std::bit_cast<uint64_t>(again->mesh.points[i][k]),
              "the same bits as were written");
}

void CheckHull(const std::vector<Vec3>& points) {
  const auto mass = CalcHullMassProperties(points, 1000);
  if (!mass) return RequireErrors(mass.errors());
  Require(mass->volume > 0 && mass->p_com.allFinite(), "a hull has volume and a centre");
  Require(CalcPrincipalAxes(mass->inertia).moments.minCoeff() > 0, "a hull has an inertia");
}

void CheckNearest(const CloudTree& cloud, std::span<const double> phi,
                  std::span<const CloudCandidate> found) {
  Require(found.size() == std::min<std::size_t>(7, phi.size()), "as many as there are");
  const auto before = [](double phi_a, int a, double phi_b, int b) {
    return phi_a != phi_b ? phi_a < phi_b : a < b;
  };
  std::size_t nearer = 0;
  const CloudCandidate& last = found.back();
  for (int i = 0; i < cloud.size(); ++i)
    if (before(phi[i], i, last.phi, last.point)) ++nearer;
  Require(nearer + 1 == found.size(), "nothing nearer is left out");
  for (std::size_t i = 0; i < found.size(); ++i) {
    Require(found[i].phi == phi[found[i].point], "the distance of the point");
    Require(std::abs(found[i].n_W.norm() - 1) < 1e-9, "normals are unit");
    if (i > 0)
      Require(before(found[i - 1].phi, found[i - 1].point, found[i].phi, found[i].point),
              "in order");
  }
}

void CheckQueries(const std::vector<Vec3>& points) {
  const CloudTree cloud(points);
  const Pose X_WB = {Vec3(0.1, 0.2, -0.3), Quat(0.5, 0.5, -0.5, 0.5)};
  const Pose X_WA = {Vec3(0.3, -0.1, 0.2), Quat(0.8, 0, 0.6, 0)};
  std::vector<double> phi(points.size());
  std::array<CloudCandidate, 7> found;
  const HalfSpace floor;
  CalcCloudDistances(cloud, X_WB, floor, phi);
  CheckNearest(cloud, phi, std::span(found).first(FindClosest(cloud, X_WB, floor, found)));
  for (const ShapeKind kind :
       {ShapeKind::kSphere, ShapeKind::kBox, ShapeKind::kCapsule, ShapeKind::kCylinder}) {
    const Shape shape{.kind = kind, .radius = 0.5, .length = 1, .size = Vec3(1, 2, 3)};
    CalcCloudDistances(cloud, X_WB, shape, X_WA, phi);
    const int count = FindClosest(cloud, X_WB, shape, X_WA, found);
    CheckNearest(cloud, phi, std::span(found).first(count));
  }
}

}  // namespace
}  // namespace slip::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  if (size < 1) return 0;
  // the first character chooses how the rest is read
  const char* name = data[0] & 1 ? "fuzz.ply" : data[0] & 8 ? "fuzz.csv" : "fuzz.xyz";
  const double radius = data[0] & 2 ? 0.01 : 0, scale = data[0] & 4 ? 1e-3 : 1;
  const auto cloud =
      ReadPointCloudText(std::string(TextOf(data + 1, size - 1)), name, radius, scale);
  if (!cloud) {
    RequireErrors(cloud.errors());
    return 0;
  }
  const std::vector<Vec3>& points = cloud->mesh.points;
  Require(!points.empty() && points.size() <= size, "no more points than the file has bytes for");
  for (const Vec3& p : points)
    Require(p.allFinite() && p.cwiseAbs().maxCoeff() <= 1e6, "points in reach");
  CheckRoundTrip(points, FormatPly(points, "fuzz"), "fuzz.ply");
  CheckRoundTrip(points, FormatXyz(points), "fuzz.xyz");
  CheckHull(points);
  CheckQueries(points);
  return 0;
}
