#include "engine/collide/manifold.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip {
namespace {

/// All of the pair's size. A corner this far outside a feature still lies on it: aligned faces
/// stay in contact when their pose jitters.
constexpr double kOn = 1e-6;
/// The same where only edges meet: a normal that is off by rounding shifts the side lines of
/// cylinders, which costs only the square of the shift in depth.
constexpr double kOnEdge = 1e-4;
/// Points of one manifold closer than this are one point.
constexpr double kSame = 1e-4;
/// Points this little above the deepest count as deepest, so that jitter does not choose.
constexpr double kLevel = 4e-7;

constexpr int kCorners = CoreFeature::kMaxCorners;
constexpr int kMaxPoints = 3 * kCorners;

double Cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// A feature seen along n: outline in the plane, heights along n.
struct Outline {
  const CoreFeature* feature;
  std::array<Vec2, kCorners> at;
  std::array<double, kCorners> height;
  double turn = 1;  // +1 for counter-clockwise outlines

  int count() const { return feature->count; }

  void Set(const CoreFeature& f, const Vec3& n, const Vec3& u, const Vec3& v) {
    feature = &f;
    double area = 0;
    for (int i = 0; i < f.count; ++i) {
      at[i] = {u.dot(f.corners[i]), v.dot(f.corners[i])};
      height[i] = n.dot(f.corners[i]);
      if (i > 1) area += Cross(at[i - 1] - at[0], at[i] - at[0]);
    }
    turn = area >= 0 ? 1 : -1;
    slope.setZero();
    if (f.count >= 3) slope = -Vec2(u.dot(f.normal), v.dot(f.normal)) / n.dot(f.normal);
  }

  // Where along edge 0-1 the point lies, between 0 and 1.
  double EdgeShare(const Vec2& q) const {
    const Vec2 edge = at[1] - at[0];
    const double length2 = edge.squaredNorm();
    return length2 > 0 ? std::clamp((q - at[0]).dot(edge) / length2, 0.0, 1.0) : 0;
  }

  bool Holds(const Vec2& q, double tolerance) const {
    if (count() == 1) return (q - at[0]).norm() <= tolerance;
    if (count() == 2) {
      const double s = EdgeShare(q);
      return (at[0] + s * (at[1] - at[0]) - q).norm() <= tolerance;
    }
    for (int i = 0; i < count(); ++i) {
      const Vec2 edge = at[(i + 1) % count()] - at[i];
      if (turn * Cross(edge, q - at[i]) < -tolerance * edge.norm()) return false;
    }
    return true;
  }

  double Height(const Vec2& q) const {
    if (count() == 1) return height[0];
    if (count() == 2) return height[0] + EdgeShare(q) * (height[1] - height[0]);
    return height[0] + slope.dot(q - at[0]);
  }

  Vec2 slope = Vec2::Zero();  // of a face's height
};

struct Point {
  Vec2 at;
  double a, b;  // heights on A and B
  uint32_t feature;
};

class Points {
 public:
  explicit Points(double size) : same_(kSame * size) {}

  void Add(const Vec2& at, double a, double b, uint32_t kind, int id_a, int id_b) {
    if (count_ == kMaxPoints) return;
    for (int i = 0; i < count_; ++i)
      if ((points_[i].at - at).norm() <= same_) return;
    constexpr int kMask = 0x7FFF;
    points_[count_++] = {at, a, b,
                         kind << 30 | static_cast<uint32_t>(id_a & kMask) << 15 |
                             static_cast<uint32_t>(id_b & kMask)};
  }

  int count() const { return count_; }
  const Point& operator[](int i) const { return points_[i]; }

 private:
  double same_;
  int count_ = 0;
  std::array<Point, kMaxPoints> points_;
};

void Intersect(const Outline& a, const Outline& b, double size, Points* points) {
  const bool face = a.count() > 2 || b.count() > 2;
  const double tolerance = (face ? kOn : kOnEdge) * size;
  for (int i = 0; i < a.count(); ++i)
    if (b.Holds(a.at[i], tolerance))
      points->Add(a.at[i], a.height[i], b.Height(a.at[i]), 0, a.feature->ids[i], 0);
  for (int j = 0; j < b.count(); ++j)
    if (a.Holds(b.at[j], tolerance))
      points->Add(b.at[j], a.Height(b.at[j]), b.height[j], 1, 0, b.feature->ids[j]);
  const int sides_a = a.count() > 2 ? a.count() : a.count() - 1;
  const int sides_b = b.count() > 2 ? b.count() : b.count() - 1;
  for (int i = 0; i < sides_a; ++i)
    for (int j = 0; j < sides_b; ++j) {
      const int i1 = (i + 1) % a.count(), j1 = (j + 1) % b.count();
      const Vec2 p = a.at[i1] - a.at[i], q = b.at[j1] - b.at[j], d = b.at[j] - a.at[i];
      const double cross = Cross(p, q);
      // parallel edges meet in corners, if at all
      if (std::abs(cross) <= 1e-6 * p.norm() * q.norm()) continue;
      const double s = Cross(d, q) / cross, t = Cross(d, p) / cross;
      if (s < 0 || s > 1 || t < 0 || t > 1) continue;
      points->Add(a.at[i] + s * p, a.height[i] + s * (a.height[i1] - a.height[i]),
                  b.height[j] + t * (b.height[j1] - b.height[j]), 2, a.feature->ids[i],
                  b.feature->ids[j]);
    }
}

}  // namespace

double PairSize(const ConvexCore& a, const ConvexCore& b) {
  // which bounds the manifold; a point core has its radius
  return std::min(a.size + a.rounding, b.size + b.rounding);
}

void AppendManifold(const ConvexCore& a, const ConvexCore& b, const Separation& separation,
                    const Vec3& origin_W, double margin, bool witness, PairContacts* contacts) {
  const Vec3& n = separation.n;
  const double radii = a.rounding + b.rounding;
  const double exact = separation.distance - radii;
  if (exact > margin) return;
  const std::size_t first = contacts->size();
  const double size = PairSize(a, b);
  const auto append = [&](const Vec3& on_a, const Vec3& on_b, double phi, uint32_t feature) {
    if (phi > margin) return;
    PairContact contact;
    contact.p_W = origin_W + 0.5 * (on_a + a.rounding * n + on_b - b.rounding * n);
    contact.n_W = n;
    contact.phi = phi;
    contact.feature = feature;
    contacts->push_back(contact);
  };

  CoreFeature feature_a, feature_b;
  CalcFeature(a, n, &feature_a);
  CalcFeature(b, -n, &feature_b);
  double lowest = kInfinity;
  // two corners need no search
  if (feature_a.count > 1 || feature_b.count > 1) {
    const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
    Outline outline_a, outline_b;
    outline_a.Set(feature_a, n, u, v);
    outline_b.Set(feature_b, n, u, v);
    Points points(size);
    Intersect(outline_a, outline_b, size, &points);
    for (int i = 0; i < points.count(); ++i) {
      const Point& p = points[i];
      const Vec3 base = p.at.x() * u + p.at.y() * v;
      // within the tolerances above nothing is deeper than the distance
      const double phi = std::max(p.b - p.a - radii, witness ? exact : -kInfinity);
      lowest = std::min(lowest, phi);
      append(base + p.a * n, base + p.b * n, phi, p.feature);
    }
  }
  if (witness && lowest > exact + kMissedDepth * size) {
    // between the features' corners: a tilted rim, or a single corner; it replaces what is near
    const Vec3 p_W = origin_W + 0.5 * (separation.a + separation.b);
    const auto near = [&](const PairContact& c) {
      const Vec3 d = c.p_W - p_W;
      return (d - n.dot(d) * n).norm() <= 0.1 * size;
    };
    contacts->erase(std::remove_if(contacts->begin() + static_cast<std::ptrdiff_t>(first),
                                   contacts->end(), near),
                    contacts->end());
    append(separation.a, separation.b, exact, 3u << 30);
  }
}

void ReduceManifold(std::size_t first, int keep, double size, const HeldFeatures& held,
                    PairContacts* contacts) {
  if (contacts->size() <= first + static_cast<std::size_t>(keep)) return;
  ReduceRange(first, contacts->size(), keep, size, held, contacts);
}

namespace {

// Area of the quadrilateral that four points of a plane span, whatever their order.
double Area(const PairContact& a, const PairContact& b, const PairContact& c,
            const PairContact& d) {
  const auto product = [&](const PairContact& p, const PairContact& q, const PairContact& r,
                           const PairContact& s) {
    return std::abs(a.n_W.dot((q.p_W - p.p_W).cross(s.p_W - r.p_W)));
  };
  return 0.5 * std::max({product(a, b, c, d), product(a, c, b, d), product(a, d, b, c)});
}

}  // namespace

std::size_t ReduceRange(std::size_t first, std::size_t end, int keep, double size,
                        const HeldFeatures& held, PairContacts* contacts) {
  const int count = static_cast<int>(end - first);
  if (count <= 1) return end - first;
  const auto at = [&](int i) -> PairContact& { return (*contacts)[first + i]; };
  double lowest = at(0).phi;
  for (int i = 1; i < count; ++i) lowest = std::min(lowest, at(i).phi);
  HoldRule rule(lowest, size);
  std::array<int, kMaxManifold> kept;
  for (int i = 0; i < count; ++i) {
    const bool is_held = held.Has(at(i).feature);
    if (is_held && rule.held() < kMaxManifold) kept[rule.held()] = i;
    rule.Add(at(i).phi, is_held);
  }
  // those that overlap carry load, those that touch may soon
  enum Rank { kApart, kTouches, kOverlaps };
  const auto rank = [&](int i) {
    const double phi = at(i).phi;
    return rule.Overlaps(phi) ? kOverlaps : rule.Touches(phi) ? kTouches : kApart;
  };

  std::array<int, kMaxManifold> chosen;
  int found = 0;
  int least = kOverlaps;  // others come afterwards
  // a later point must be better by more than jitter makes it
  const auto choose = [&](auto&& score, double gain) {
    int best = -1;
    double best_score = 0;
    for (int i = 0; i < count; ++i) {
      if (rank(i) < least) continue;
      const double s = score(i);
      if (s > (best < 0 ? gain : best_score + gain)) best = i, best_score = s;
    }
    if (best >= 0) chosen[found++] = best;
    return best >= 0;
  };
  const auto choose_next = [&] {
    if (found == 0) {
      return choose([&](int i) { return at(i).phi <= lowest + kLevel * size ? 1.0 : 0.0; }, 0);
    }
    const Vec3 n = at(chosen[0]).n_W, p0 = at(chosen[0]).p_W;
    if (found == 1) return choose([&](int i) { return (at(i).p_W - p0).norm(); }, 1e-4 * size);
    const Vec3 p1 = at(chosen[1]).p_W;
    const auto area = [&](int i) { return n.dot((p1 - p0).cross(at(i).p_W - p0)); };
    if (found == 2) return choose([&](int i) { return std::abs(area(i)); }, 1e-4 * size * size);
    // what the triangle lacks: the largest area beyond one of its sides
    const Vec3 p2 = at(chosen[2]).p_W;
    const double turn = area(chosen[2]) > 0 ? 1 : -1;
    return choose(
        [&](int i) {
          const Vec3& p = at(i).p_W;
          return -std::min({turn * n.dot((p1 - p0).cross(p - p0)),
                            turn * n.dot((p2 - p1).cross(p - p1)),
                            turn * n.dot((p0 - p2).cross(p - p2))});
        },
        1e-4 * size * size);
  };
  while (found < keep) {
    if (choose_next()) continue;
    if (least == kApart) break;
    --least;
  }
  const auto area = [&](const std::array<int, kMaxManifold>& of) {
    return Area(at(of[0]), at(of[1]), at(of[2]), at(of[3]));
  };
  if (count > found && found == kMaxManifold && rule.Holds() &&
      area(kept) >= kHeldArea * area(chosen)) {
    chosen = kept;
  }
  std::sort(chosen.begin(), chosen.begin() + found);
  for (int k = 0; k < found; ++k) at(k) = at(chosen[k]);
  const auto begin = contacts->begin() + static_cast<std::ptrdiff_t>(first);
  contacts->erase(begin + found, begin + count);
  return static_cast<std::size_t>(found);
}

}  // namespace slip
