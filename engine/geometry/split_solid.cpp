// Greedy: of some planes through edges that bend inwards, and across the axes, the one after which
// the two hulls have least volume. A first cut through a tray gains nothing by that measure, as
// both halves are as hollow as the whole: edges that the cut takes away count, too.
#include "engine/geometry/split_solid.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/geometry/cut_guess.h"

namespace slip {
namespace {

/// Edges whose planes are tried: so many of the heaviest, and of all of them.
constexpr std::size_t kHeavyEdges = 8, kOtherEdges = 8;
/// So many of the planes are tried, those that look best at a first guess.
constexpr std::size_t kTriedCuts = 10;
/// After so many of them, one is left out that cannot be the best if its guess makes too much of it
/// by this part of what guesses made too much of others.
constexpr int kSurelyTried = 3;
constexpr double kSureExcess = 0.6;
/// Planes across each axis.
constexpr int kAcross = 7;
/// What a share of the edges is worth, beside the same share of the hull's volume; and halves of
/// one size.
constexpr double kEdgesCount = 0.3, kBalanceCounts = 0.1;
/// Of a piece's volume: a thinner slice is none.
constexpr double kLeastSlice = 1e-4;
/// Of the whole solid: a piece whose hull has no more beside it is convex.
constexpr double kConvexPiece = 1e-4;

class PlaneList {
 public:
  void Add(const Vec3& normal, const Vec3& through) {
    if (!(normal.norm() > 0.5)) return;
    const Vec3 unit = normal.normalized();
    int axis = 0;
    unit.cwiseAbs().maxCoeff(&axis);
    const Vec3 up = unit[axis] < 0 ? Vec3(-unit) : unit;
    const CutPlane plane{up, up.dot(through)};
    const auto rounded = [](double x) { return std::lround(1e6 * x); };
    if (known_.emplace(rounded(up.x()), rounded(up.y()), rounded(up.z()), rounded(plane.offset))
            .second)
      planes.push_back(plane);
  }
  std::vector<CutPlane> planes;

 private:
  std::set<std::tuple<long, long, long, long>> known_;
};

std::vector<CutPlane> ListPlanes(const SolidPiece& piece) {
  const std::vector<ReflexEdge>& edges = piece.edges();
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return edges[a].Weight() > edges[b].Weight();
  });
  std::vector<std::size_t> chosen(
      order.begin(),
      order.begin() + static_cast<std::ptrdiff_t>(std::min(kHeavyEdges, order.size())));
  for (std::size_t i = 0; i < kOtherEdges && edges.size() > kHeavyEdges; ++i)
    chosen.push_back(i * edges.size() / kOtherEdges);
  PlaneList list;
  for (const std::size_t i : chosen) {
    const ReflexEdge& edge = edges[i];
    const Vec3 along = (edge.ends[1] - edge.ends[0]).normalized();
    for (const Vec3& normal : edge.normals) list.Add(normal, edge.ends[0]);
    list.Add(along.cross(edge.normals[0] + edge.normals[1]).normalized(), edge.ends[0]);
  }
  Eigen::AlignedBox3d box;
  for (const Vec3& p : piece.points()) box.extend(p);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 1; i <= kAcross; ++i)
      list.Add(Vec3::Unit(axis), box.min() + i / (kAcross + 1.0) * box.sizes());
  return std::move(list.planes);
}

/// How much a cut is worth; none for a slice that is too thin.
std::optional<double> RateCut(const SolidPiece& piece, const SolidPiece::Halves& halves) {
  const auto& [below, above] = halves;
  const double thinner = std::min(below.volume, above.volume);
  if (!(thinner > kLeastSlice * piece.volume())) return std::nullopt;
  const double gained = (piece.hull_volume() - below.hull - above.hull) / piece.hull_volume();
  const double resolved =
      piece.reflex() > 0 ? (piece.reflex() - below.reflex - above.reflex) / piece.reflex() : 0;
  return std::round(1e9 *
                    (gained + kEdgesCount * resolved + kBalanceCounts * thinner / piece.volume()));
}

/// A cut, and what it is worth at a first guess.
struct GuessedCut {
  double worth = 0;
  std::size_t index = 0;  ///< in the list of planes
};

/// The cuts that look best, the best one first.
std::vector<GuessedCut> PickPlanes(const SolidPiece& piece, const std::vector<CutPlane>& planes) {
  std::vector<GuessedCut> picked;
  if (planes.size() <= kTriedCuts) {
    for (std::size_t i = 0; i < planes.size(); ++i) picked.push_back({kInfinity, i});
    return picked;
  }
  CutGuess guess(piece);
  for (std::size_t i = 0; i < planes.size() && !ThreadStop::Asked(); ++i)
    if (const auto worth = RateCut(piece, guess.Guess(planes[i]))) picked.push_back({*worth, i});
  std::sort(picked.begin(), picked.end(), [](const GuessedCut& a, const GuessedCut& b) {
    return a.worth != b.worth ? a.worth > b.worth : a.index < b.index;
  });
  picked.resize(std::min(picked.size(), kTriedCuts));
  return picked;
}

std::optional<CutPlane> FindBestCut(const SolidPiece& piece) {
  const std::vector<CutPlane> planes = ListPlanes(piece);
  std::optional<GuessedCut> best;
  double least_excess = kInfinity;
  int tried = 0;
  for (const GuessedCut& cut : PickPlanes(piece, planes)) {
    if (ThreadStop::Asked()) return std::nullopt;
    if (tried++ >= kSurelyTried && best && cut.worth - kSureExcess * least_excess < best->worth)
      break;
    const auto worth = RateCut(piece, piece.Try(planes[cut.index]));
    if (!worth) continue;
    least_excess = std::min(least_excess, cut.worth - *worth);
    // of equal ones the first of the list
    if (!best || *worth > best->worth || (*worth == best->worth && cut.index < best->index))
      best = GuessedCut{*worth, cut.index};
  }
  if (!best) return std::nullopt;
  return planes[best->index];
}

double ExcessOf(const SolidPiece& piece) { return piece.hull_volume() - piece.volume(); }

void CollectPieces(const CutTree& tree, int node, const SolidPiece& piece,
                   std::vector<std::vector<Vec3>>* pieces) {
  const CutTree::Node& at = At(tree.nodes, node);
  if (at.below < 0) return pieces->push_back(piece.points());
  CollectPieces(tree, at.below, piece.CutBelow(at.plane, false), pieces);
  CollectPieces(tree, at.above, piece.CutBelow(at.plane.Reversed(), false), pieces);
}

}  // namespace

CutTree FindCuts(std::vector<SolidPiece> wholes, const SplitGoal& goal) {
  struct Open {
    SolidPiece piece;
    int node = 0;
    bool done = false;
  };
  CutTree tree;
  tree.nodes.resize(wholes.size());
  double volume = 0;
  std::vector<Open> open;
  for (SolidPiece& whole : wholes) {
    volume += whole.volume();
    open.push_back({std::move(whole), static_cast<int>(open.size())});
  }
  while (static_cast<int>(open.size()) < goal.most && !ThreadStop::Asked()) {
    double excess = 0;
    Open* next = nullptr;
    for (Open& one : open) {
      const double own = ExcessOf(one.piece);
      excess += own;
      if (one.done || own <= kConvexPiece * volume) continue;
      if (next == nullptr || own > ExcessOf(next->piece)) next = &one;
    }
    if (next == nullptr || excess <= goal.spare * volume) break;
    const auto plane = FindBestCut(next->piece);
    if (!plane) {
      next->done = true;
      continue;
    }
    CutTree::Node& node = At(tree.nodes, next->node);
    node.plane = *plane;
    node.below = static_cast<int>(tree.nodes.size());
    node.above = node.below + 1;
    const int above = node.above;
    SolidPiece upper = next->piece.CutBelow(plane->Reversed());
    next->piece = next->piece.CutBelow(*plane);
    next->node = node.below;
    tree.nodes.resize(tree.nodes.size() + 2);
    open.push_back({std::move(upper), above});
  }
  return tree;
}

std::vector<std::vector<Vec3>> CutBy(const CutTree& tree, int node, const SolidPiece& whole) {
  std::vector<std::vector<Vec3>> pieces;
  CollectPieces(tree, node, whole, &pieces);
  return pieces;
}

}  // namespace slip
