// The workload and its judge.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "engine/collide/narrow_phase.h"
#include "tests/bench/peers/peer.h"

namespace slip::bench {

PileSpec MakePile(int bodies) {
  struct Layout {
    int bodies, nx, ny;
    double side;
  };
  constexpr Layout kLayouts[] = {{40, 2, 2, 0.8}, {400, 4, 5, 1.72}, {4000, 10, 10, 3.71}};
  const Layout* layout = kLayouts;
  for (const Layout& l : kLayouts) {
    if (bodies >= l.bodies) layout = &l;
  }
  PileSpec pile{bodies, layout->side, {}};
  std::minstd_rand random(7);
  const auto jitter = [&random] {
    return 0.01 * (2.0 * static_cast<double>(random()) / 2147483647.0 - 1);
  };
  const int columns = layout->nx * layout->ny;
  for (int i = 0; i < bodies; ++i) {
    const int column = i % columns, layer = i / columns;
    const int x = column % layout->nx, y = column / layout->nx;
    const double px = ((x + 0.5) / layout->nx - 0.5) * layout->side;
    const double py = ((y + 0.5) / layout->ny - 0.5) * layout->side;
    PileBody body;
    body.sphere = (x + y + layer) % 2 == 0;
    const double dx = jitter(), dy = jitter();
    body.p = {px + dx, py + dy, 0.06 + 0.105 * layer};
    pile.start.push_back(body);
  }
  return pile;
}

double BeltVelocity(double t) {
  const double w = 2 * std::numbers::pi;
  return 0.2 * w * std::sin(w * t);
}

Verdict Judge(const PileSpec& pile, const std::vector<Pose>& poses) {
  Verdict verdict;
  Shape sphere, box;
  sphere.radius = kSize / 2;
  box.kind = ShapeKind::kBox;
  box.size = Vec3::Constant(kSize);
  const auto shape = [&](std::size_t i) -> const Shape& {
    return pile.start[i].sphere ? sphere : box;
  };
  double sum = 0;
  int touching = 0;
  PairContacts found;
  const auto count = [&] {
    double depth = 0;
    for (const PairContact& c : found) depth = std::max(depth, -c.phi);
    if (!found.empty() && depth > 0) {
      sum += depth;
      ++touching;
      verdict.max_penetration = std::max(verdict.max_penetration, depth);
    }
    found.clear();
  };
  const double half = pile.side / 2;
  const Plane planes[] = {{Vec3::UnitZ(), Vec3::Zero()},
                          {Vec3::UnitX(), Vec3(-half, 0, 0)},
                          {-Vec3::UnitX(), Vec3(half, 0, 0)},
                          {Vec3::UnitY(), Vec3(0, -half, 0)},
                          {-Vec3::UnitY(), Vec3(0, half, 0)}};
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Vec3& p = poses[i].p;
    if (!p.allFinite() || std::abs(p.x()) > half || std::abs(p.y()) > half || p.z() < 0) {
      verdict.escaped = true;
      continue;
    }
    for (const Plane& plane : planes) {
      CollidePlane(plane, shape(i), poses[i], 0, &found);
      count();
    }
    for (std::size_t j = 0; j < i; ++j) {
      if ((poses[j].p - p).squaredNorm() > 3 * kSize * kSize) continue;
      Collide(shape(j), poses[j], shape(i), poses[i], 0, &found);
      count();
    }
  }
  if (touching > 0) verdict.mean_penetration = sum / touching;
  return verdict;
}

}  // namespace slip::bench
