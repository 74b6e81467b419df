#include "engine/collide/collide_ccd.h"

#include <ccd/ccd.h>

#include <cmath>

#include "engine/collide/collide_convex.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

/// libccd compares squares of lengths with this; the shapes are shown to it scaled to unit size.
/// Far below 1e-14 its polytope often turns in circles, above it the depths get worse.
constexpr double kCcdTolerance = 1e-14;
/// Calls of each support function. EPA has no limit of its own; it needs 20 to 100.
constexpr int kBudget = 200;
/// Of the size: by how much the reach along the direction may exceed the depth.
constexpr double kConfirmed = 2e-7;
/// Share of its depth that a pair may be moved apart by and still overlap.
constexpr double kStillOverlaps = 0.9;
/// Of the size: how far apart the shapes are moved for the nearest points. The nearer the better
/// the direction, until rounding spoils it.
constexpr double kClear = 1e-3;
/// A direction that the nearest points turn by more than this cosine was wrong.
constexpr double kSameDirection = 0.95;
constexpr int kSharpenings = 5;

// What libccd sees of one shape. It holds it as const void*, hence the pointers to what changes.
struct Side {
  const ConvexCore* core;
  double scale;
  int* hint;
  int* budget;
};

Vec3 ToVec3(const ccd_vec3_t& v) { return {v.v[0], v.v[1], v.v[2]}; }

// The core's support grown by the rounding.
Vec3 RoundedSupport(const ConvexCore& core, const Vec3& direction, int* hint) {
  Vec3 p = CalcSupport(core, direction, hint);
  if (const double length = direction.norm(); core.rounding > 0 && length > 0)
    p += core.rounding / length * direction;
  return p;
}

void Support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* result) {
  const Side& side = *static_cast<const Side*>(object);
  Vec3 p = Vec3::Zero();
  // equal points on both sides mean that the polytope cannot grow, which ends EPA
  if (*side.budget > 0) {
    --*side.budget;
    p = side.scale * RoundedSupport(*side.core, ToVec3(*direction), side.hint);
  }
  ccdVec3Set(result, p.x(), p.y(), p.z());
}

// One pair as libccd sees it.
class CcdPair {
 public:
  CcdPair(const ConvexCore& a, const ConvexCore& b)
      : a_(a), b_(b), size_(a.size + a.rounding + b.size + b.rounding) {
    CCD_INIT(&ccd_);
    ccd_.support1 = ccd_.support2 = Support;
    ccd_.max_iterations = kBudget;
    ccd_.epa_tolerance = kCcdTolerance;
  }

  CcdPair(const CcdPair&) = delete;
  CcdPair& operator=(const CcdPair&) = delete;

  double size() const { return size_; }

  // Depth and unit direction from A into B. The two that libccd calls touching have neither.
  CcdAnswer Penetration(double* depth, Vec3* n) {
    ccd_real_t scaled = kNaN;
    ccd_vec3_t direction, unused;
    ccdVec3Set(&direction, kNaN, kNaN, kNaN);
    Begin();
    const int code = ccdGJKPenetration(&side_a_, &side_b_, &ccd_, &scaled, &direction, &unused);
    if (code == -1) return CcdAnswer::kApart;
    *depth = size_ * scaled;
    *n = ToVec3(direction);
    const bool good = code == 0 && n->allFinite() && std::isfinite(scaled) && scaled > 0 &&
                      std::abs(n->norm() - 1) < 1e-6;
    return good ? CcdAnswer::kLibccd : CcdAnswer::kRefused;
  }

  // Its polytope is not kept convex, and now and then it finds the far side of a touching pair.
  // As deep as that, the pair would overlap wherever it is moved by less.
  bool OverlapsWhenMoved(double depth) {
    const Vec3 along = b_.p - a_.p;
    const double length = along.norm();
    if (length <= 1e-9 * size_) return true;  // nowhere to move to
    const ConvexCore b = b_;
    b_.p += kStillOverlaps * depth / length * along;
    Begin();
    const bool overlaps = ccdGJKIntersect(&side_a_, &side_b_, &ccd_) != 0;
    b_.p = b.p;
    return overlaps;
  }

 private:
  void Begin() {
    hint_a_ = hint_b_ = 0;
    budget_ = 2 * kBudget;
  }

  const ConvexCore& a_;
  ConvexCore b_;
  double size_;
  int hint_a_ = 0, hint_b_ = 0, budget_ = 0;
  Side side_a_{&a_, 1 / size_, &hint_a_, &budget_};
  Side side_b_{&b_, 1 / size_, &hint_b_, &budget_};
  ccd_t ccd_;
};

// Turns the direction to where the moved pair is nearest, and finds the points that touch.
bool Sharpen(const ConvexCore& a, const ConvexCore& b, double depth, double size,
             Separation* result) {
  const double move = depth + kClear * size;
  ConvexCore moved = b;
  const Vec3 start = result->n;
  for (int i = 0; i < kSharpenings; ++i) {
    const Vec3 shift = move * result->n;
    moved.p = b.p + shift;
    const Separation apart = CalcSeparation(a, moved, kInfinity);
    if (!apart.valid || apart.overlap || apart.n.dot(start) < kSameDirection) return false;
    const double turned = (apart.n - result->n).norm();
    result->n = apart.n;
    const Vec3 middle = 0.5 * (apart.a + apart.b - shift);
    result->a = middle - 0.5 * result->distance * result->n;
    result->b = middle + 0.5 * result->distance * result->n;
    if (turned < 1e-7) break;
  }
  return true;
}

bool CalcCcdOverlap(const ConvexCore& a, const ConvexCore& b, Separation* result,
                    CcdAnswer* answer) {
  CcdPair pair(a, b);
  double depth = 0;
  *answer = pair.Penetration(&depth, &result->n);
  if (*answer != CcdAnswer::kLibccd) return false;
  *answer = CcdAnswer::kRefused;
  result->distance = a.rounding + b.rounding - depth;
  result->overlap = result->distance < 0;
  if (!pair.OverlapsWhenMoved(depth) || !Sharpen(a, b, depth, pair.size(), result)) return false;
  int hint_a = 0, hint_b = 0;
  const double reach =
      result->n.dot(RoundedSupport(a, result->n, &hint_a) - RoundedSupport(b, -result->n, &hint_b));
  if (!(std::abs(reach - depth) <= kConfirmed * pair.size())) return false;
  *answer = CcdAnswer::kLibccd;
  return true;
}

}  // namespace

Separation CalcSeparationByCcd(const ConvexCore& a, const ConvexCore& b, double limit,
                               CcdAnswer* answer) {
  Separation result;
  if (CalcCcdOverlap(a, b, &result, answer)) return result;
  return CalcSeparation(a, b, limit);
}

void CollideConvexByCcd(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        double margin, PairContacts* contacts, const HeldFeatures& held) {
  const auto routine = [](const ConvexCore& core_a, const ConvexCore& core_b, double limit) {
    CcdAnswer unused;
    return CalcSeparationByCcd(core_a, core_b, limit, &unused);
  };
  CollideConvexWith(routine, a, pose_a, b, pose_b, margin, contacts, held);
}

}  // namespace slip
