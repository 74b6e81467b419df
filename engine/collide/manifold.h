// Contact points of two cores that face each other along a normal: where the projections of their
// supporting features meet. The rule treats both cores alike, so it does not matter which of two
// nearly parallel faces gave the normal.
#pragma once

#include <algorithm>

#include "engine/collide/convex_core.h"
#include "engine/collide/pair_contact.h"
#include "engine/collide/separation.h"
#include "engine/core/numbers.h"
#include "engine/geometry/held_features.h"

namespace slip {

/// At most this many points of one manifold are kept.
inline constexpr int kMaxManifold = 4;
/// Of the size: the corners of a feature may be this much above the distance before the witness of
/// the distance is added to them.
inline constexpr double kMissedDepth = 2e-7;
/// Of the size: points this little above the deepest touch or soon will, like all that overlap.
inline constexpr double kTouchingDepth = 1e-3;
/// Of the size: points deeper than this overlap, whatever jitter does.
inline constexpr double kOverlapDepth = 2.5e-6;
/// Of the size: a point that is left out may be this much deeper than the held ones, and these this
/// much higher than what touches or overlaps.
inline constexpr double kHeldDepth = 2e-4;
/// Of the largest area: what held points must still span.
inline constexpr double kHeldArea = 0.9;

/// Which points of a manifold carry load or soon will, and whether the four held ones may stay in
/// place of the best four.
class HoldRule {
 public:
  /// `lowest` is the smallest signed distance of the manifold [m].
  HoldRule(double lowest, double size)
      : lowest_(lowest),
        touch_(std::max(lowest + kTouchingDepth * size, 0.0)),
        overlap_(-kOverlapDepth * size),
        slack_(kHeldDepth * size) {}

  bool Touches(double phi) const { return phi <= touch_; }
  bool Overlaps(double phi) const { return phi < overlap_; }

  /// Counts a point. Held ones get slack, or jitter would choose.
  void Add(double phi, bool held) {
    touching_ += Touches(phi) ? 1 : 0;
    overlapping_ += Overlaps(phi) ? 1 : 0;
    sunk_ += phi < -slack_ ? 1 : 0;
    if (!held) return;
    ++held_;
    held_touching_ += phi <= touch_ + slack_ ? 1 : 0;
    held_overlapping_ += phi < slack_ ? 1 : 0;
    held_lowest_ = std::min(held_lowest_, phi);
  }
  int touching() const { return touching_; }
  int overlapping() const { return overlapping_; }
  int held() const { return held_; }

  /// After all points: the held ones are four and miss nothing deep. Their area is up to the
  /// caller.
  bool Holds() const {
    return held_ == kMaxManifold && held_touching_ >= std::min(touching_, kMaxManifold) &&
           held_overlapping_ >= std::min(sunk_, kMaxManifold) && held_lowest_ <= lowest_ + slack_;
  }

 private:
  double lowest_, touch_, overlap_, slack_;
  int touching_ = 0, overlapping_ = 0;
  int sunk_ = 0;  // so deep that held ones must not miss them
  int held_ = 0, held_touching_ = 0, held_overlapping_ = 0;
  double held_lowest_ = kInfinity;
};

/// What the tolerances of a pair's manifold are relative to [m]: the size of the smaller one.
double PairSize(const ConvexCore& a, const ConvexCore& b);

/// Appends all points with phi <= margin, in a fixed order. `origin` is the working frame's zero in
/// the world. Features: bits 30-31 = corner of A, corner of B, crossing of two edges, witness; then
/// 15 bits for each core's corner. With `witness` the points that the distance was found at are
/// added when the features' corners miss them.
void AppendManifold(const ConvexCore& a, const ConvexCore& b, const Separation& separation,
                    const Vec3& origin_W, double margin, bool witness, PairContacts* contacts);

/// Keeps at most `keep` (2 to 4) of contacts[first, end): those that overlap before those that
/// touch or nearly do, and these before others; among them the deepest and those that span the
/// largest area, ties to the earlier. Held points stay while they are as good within a tenth of the
/// area and kHeldDepth of the size.
void ReduceManifold(std::size_t first, int keep, double size, const HeldFeatures& held,
                    PairContacts* contacts);

/// The same for contacts[first, end), and repeated points go even if there are few. Returns how
/// many stay.
std::size_t ReduceRange(std::size_t first, std::size_t end, int keep, double size,
                        const HeldFeatures& held, PairContacts* contacts);

}  // namespace slip
