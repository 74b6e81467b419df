#include "engine/geometry/convex_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/geometry/cluster_mesh.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mesh_pieces.h"
#include "engine/geometry/reach.h"
#include "engine/geometry/split_solid.h"

namespace slip {
namespace {

/// Of the solid's volume: so much more in hulls is as good as convex.
constexpr double kSpare = 0.01;
/// Of the solids' volume: parts that grow by no more are joined.
constexpr double kJoined = 2e-4;
/// Of the edges of a piece: with more of them open it has no inside.
constexpr double kMostOpen = 0.02;
/// What is within a piece and how far away is looked up on so many triangles, and cuts are looked
/// for on so many.
constexpr std::size_t kSearched = 1500, kCutTriangles = 1200;
/// An assembly of more pieces than these is not sorted out.
constexpr std::size_t kMostPieces = 256;
/// A part of more points than these is taken roughly, to this part of its thickness.
constexpr std::size_t kManyPartPoints = 500;
constexpr double kRoughPart = 1e-3;
/// A polytope between points of a hull may be larger than it by so much of it: by rounding.
constexpr double kPolytopeSlack = 1e-6;
/// Points of each part that are asked how far out they are.
constexpr std::size_t kMostSamples = 48;

/// One piece of the mesh, in a frame where the whole mesh has the size of one.
struct Solid {
  MeshPiece piece;
  std::shared_ptr<const SolidSurface> search;
  double hull = 0;      ///< volume
  bool closed = false;  ///< what is inside it is known
  bool convex = false;  ///< or to be taken as its hull anyway
};

/// Points whose hull is a part, and the solids that they are of.
struct PointSet {
  std::vector<Vec3> points;
  std::vector<int> solids;
  std::vector<Vec3> corners = {};  ///< of their hull, once parts are joined
  double volume = 0;               ///< of their hull, likewise
  Reach reach = {};                ///< of the corners, likewise
};

/// The corners of a hull, and its volume.
void MeasureHull(std::vector<Vec3> points, std::vector<Vec3>* corners, double* volume) {
  const auto triangles = CalcHullTriangles(points, kRoundedHull);
  *volume = triangles ? CalcHullVolume(points, *triangles) : 0;
  *corners = triangles ? UsedVertices(points, *triangles) : std::move(points);
}

class PartMaker {
 public:
  PartMaker(const TriangleMesh& mesh, int most) : mesh_(mesh), most_(ToIndex(most)) {}

  /// Without the hull, where that is all there is.
  Result<ConvexParts> Make() {
    const std::vector<Vec3> points = UsedVertices(mesh_.vertices, mesh_.triangles);
    ConvexParts result;
    const Eigen::AlignedBox3d box = BoxOf(points);
    if (points.empty() || !(box.sizes().maxCoeff() > 0))
      return Error{.message = "all its points are in one place"};
    center_ = box.center();
    size_ = box.sizes().maxCoeff();
    MeshPieces pieces = FindPieces(mesh_, kMostPieces);
    if (pieces.list.empty()) {
      result.why_hull = fmt::format("it has {} pieces", pieces.count);
      return result;
    }
    result.why_hull = Sort(std::move(pieces.list));
    if (ThreadStop::Asked()) return Error{.message = "it was stopped"};
    if (!result.why_hull.empty() || IsOneConvex(points)) return result;
    Split();
    Join();
    if (ThreadStop::Asked()) return Error{.message = "it was stopped"};
    for (const PointSet& set : sets_)
      if (std::optional<ConvexMesh> part = MakePart(set)) {
        result.error = size_ * CalcError(*part, set.solids, result.error / size_);
        result.parts.push_back(std::move(*part));
      }
    if (result.parts.size() < 2) result.parts.clear();
    return result;
  }

 private:
  Vec3 ToUnit(const Vec3& p) const { return (p - center_) / size_; }

  /// Makes solids of the pieces, without those that are within others. Why not, or empty.
  std::string Sort(std::vector<MeshPiece> pieces) {
    for (MeshPiece& piece : pieces) {
      Solid& solid = solids_.emplace_back();
      for (Vec3& p : piece.vertices) p = ToUnit(p);
      piece.volume /= size_ * size_ * size_;
      solid.piece = std::move(piece);
      solid.hull = CalcHullVolume(solid.piece.vertices, RoughFor(solid.piece.vertices.size()));
      const double edges = 1.5 * static_cast<double>(solid.piece.triangles.size());
      const double volume = std::abs(solid.piece.volume);
      solid.closed = static_cast<double>(solid.piece.open_edges) <= kMostOpen * edges &&
                     volume > 1e-9 && volume <= 1.001 * solid.hull;
      ClusteredMesh rough = ClusterMesh(solid.piece.vertices, solid.piece.triangles, kSearched);
      solid.search =
          std::make_shared<SolidSurface>(std::move(rough.vertices), std::move(rough.triangles));
    }
    if (solids_.size() == 1 && !solids_[0].closed) {
      const MeshPiece& piece = solids_[0].piece;
      return piece.open_edges > 0 ? fmt::format("{} of its edges are open", piece.open_edges)
                                  : std::string("it encloses no volume");
    }
    TurnOutward();
    DropInner();
    return {};
  }

  /// A closed surface that is inside out is a hollow, where it lies within another piece.
  void TurnOutward() {
    std::vector<Solid> kept;
    for (std::size_t i = 0; i < solids_.size(); ++i) {
      Solid& solid = solids_[i];
      if (solid.closed && solid.piece.volume < 0) {
        const Vec3& p = solid.piece.vertices.front();
        const bool hollow = std::any_of(solids_.begin(), solids_.end(), [&](const Solid& other) {
          return &other != &solid && other.closed && other.piece.volume > 0 &&
                 other.search->CalcWinding(p) > 0.5;
        });
        if (hollow) continue;
        for (auto& t : solid.piece.triangles) std::swap(t[1], t[2]);
        solid.piece.volume = -solid.piece.volume;
        auto turned = solid.search->triangles();
        for (auto& t : turned) std::swap(t[1], t[2]);
        solid.search = std::make_shared<SolidSurface>(solid.search->vertices(), std::move(turned));
      }
      solid.convex = !solid.closed || solid.piece.volume >= (1 - kSpare) * solid.hull;
      kept.push_back(solid);
    }
    solids_ = std::move(kept);
  }

  /// What lies within a convex piece is never touched.
  void DropInner() {
    std::vector<bool> dropped(solids_.size(), false);
    for (std::size_t i = 0; i < solids_.size(); ++i) {
      if (!solids_[i].convex || dropped[i] || solids_.size() == 1) continue;
      const auto hull =
          CalcConvexHull(solids_[i].piece.vertices, RoughFor(solids_[i].piece.vertices.size()));
      if (!hull) continue;
      for (std::size_t j = 0; j < solids_.size(); ++j) {
        if (j == i || dropped[j] || solids_[j].hull > solids_[i].hull) continue;
        const auto& points = solids_[j].piece.vertices;
        dropped[j] = std::all_of(hull->faces.begin(), hull->faces.end(), [&](const auto& face) {
          return std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
            return face.normal.dot(p) <= face.offset + 1e-6;
          });
        });
      }
    }
    std::vector<Solid> kept;
    for (std::size_t i = 0; i < solids_.size(); ++i)
      if (!dropped[i]) kept.push_back(std::move(solids_[i]));
    solids_ = std::move(kept);
  }

  bool IsOneConvex(const std::vector<Vec3>& points) const {
    if (solids_.size() == 1) return solids_[0].convex;
    const double whole = CalcHullVolume(points, RoughFor(points.size())) / (size_ * size_ * size_);
    double sum = 0;
    for (const Solid& solid : solids_) {
      if (!solid.closed) return false;
      sum += solid.piece.volume;
    }
    return sum >= (1 - kSpare) * whole && sum <= (1 + kSpare) * whole;
  }

  void Split() {
    // of many pieces the largest are split, and the small ones gathered
    std::vector<int> concave;
    for (std::size_t i = 0; i < solids_.size(); ++i)
      if (!solids_[i].convex) concave.push_back(static_cast<int>(i));
    std::stable_sort(concave.begin(), concave.end(),
                     [&](int a, int b) { return At(solids_, a).hull > At(solids_, b).hull; });
    while (concave.size() > most_ / 2) {
      At(solids_, concave.back()).convex = true;
      concave.pop_back();
    }
    for (std::size_t i = 0; i < solids_.size(); ++i)
      if (solids_[i].convex) sets_.push_back({solids_[i].piece.vertices, {static_cast<int>(i)}});
    // a split needs some parts
    Gather(most_ - std::min(most_ / 2, 4 * concave.size()));
    std::vector<SolidPiece> wholes;
    for (const int i : concave) {
      const Solid& solid = At(solids_, i);
      ClusteredMesh rough = ClusterMesh(solid.piece.vertices, solid.piece.triangles, kCutTriangles);
      wholes.emplace_back(std::move(rough.vertices), std::move(rough.triangles), solid.search);
    }
    const CutTree tree = FindCuts(
        std::move(wholes), {.most = static_cast<int>(most_ - sets_.size()), .spare = kSpare});
    for (std::size_t k = 0; k < concave.size(); ++k) {
      const Solid& solid = At(solids_, concave[k]);
      const SolidPiece whole(solid.piece.vertices, solid.piece.triangles, solid.search, false);
      for (auto& points : CutBy(tree, static_cast<int>(k), whole))
        sets_.push_back({std::move(points), {concave[k]}});
    }
  }

  static Eigen::AlignedBox3d BoxOf(const std::vector<Vec3>& points) {
    Eigen::AlignedBox3d box;
    for (const Vec3& p : points) box.extend(p);
    return box;
  }
  static double Content(const Eigen::AlignedBox3d& box) {
    return (box.sizes() + Vec3::Constant(0.01)).prod();
  }

  void JoinTwo(std::size_t a, std::size_t b) {
    PointSet& into = sets_[a];
    into.points.insert(into.points.end(), sets_[b].points.begin(), sets_[b].points.end());
    into.solids.insert(into.solids.end(), sets_[b].solids.begin(), sets_[b].solids.end());
    sets_.erase(sets_.begin() + static_cast<std::ptrdiff_t>(b));
  }

  /// Joins neighbours, by their boxes, until there are so few.
  void Gather(std::size_t most) {
    while (sets_.size() > most) {
      std::vector<Eigen::AlignedBox3d> boxes;
      for (const PointSet& set : sets_) boxes.push_back(BoxOf(set.points));
      std::pair<std::size_t, std::size_t> best{0, 1};
      double least = kInfinity;
      for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.size(); ++b) {
          const double grown =
              Content(boxes[a].merged(boxes[b])) - Content(boxes[a]) - Content(boxes[b]);
          if (grown < least) least = grown, best = {a, b};
        }
      JoinTwo(best.first, best.second);
    }
  }

  /// Measures hulls, and how far they reach: numbers of points are those of the list.
  std::vector<Vec3> MeasureSets(std::uint32_t* mask) {
    std::vector<Vec3> list;
    for (PointSet& set : sets_) {
      MeasureHull(set.points, &set.corners, &set.volume);
      list.insert(list.end(), set.corners.begin(), set.corners.end());
    }
    *mask = Reach::MaskFor(list.size());
    std::size_t number = 0;
    for (PointSet& set : sets_)
      for (const Vec3& p : set.corners) set.reach.Extend(Reach(p, number++, *mask));
    return list;
  }

  /// Takes back cuts that were of no use.
  void Join() {
    double volume = 0;
    for (const Solid& solid : solids_) volume += std::abs(solid.piece.volume);
    std::uint32_t mask = 0;
    const std::vector<Vec3> list = MeasureSets(&mask);
    const auto point_of = [&](std::size_t i) -> const Vec3& { return list[i]; };
    for (std::size_t a = 0; a < sets_.size(); ++a)
      for (std::size_t b = a + 1; b < sets_.size();) {
        if (ThreadStop::Asked()) return;
        const double most = sets_[a].volume + sets_[b].volume + kJoined * volume;
        bool near = !BoxOf(sets_[a].corners).intersection(BoxOf(sets_[b].corners)).isEmpty();
        Reach reach = sets_[a].reach;
        if (near) {
          // most hulls are too large by what is within them for sure
          reach.Extend(sets_[b].reach);
          near = reach.CalcVolume(mask, point_of) * (1 - kPolytopeSlack) <= most;
        }
        std::vector<Vec3> corners = sets_[a].corners;
        corners.insert(corners.end(), sets_[b].corners.begin(), sets_[b].corners.end());
        double joined = 0;
        if (near) MeasureHull(std::move(corners), &corners, &joined);
        if (!near || joined > most) {
          ++b;
          continue;
        }
        JoinTwo(a, b);
        sets_[a].corners = std::move(corners);
        sets_[a].volume = joined;
        sets_[a].reach = reach;
        b = a + 1;  // what did not fit before may do now
      }
  }

  std::optional<ConvexMesh> MakePart(const PointSet& set) const {
    std::vector<Vec3> points = set.corners;
    for (Vec3& p : points) p = center_ + size_ * p;
    auto part = CalcConvexHull(points, set.points.size() > kManyPartPoints ? kRoughPart : 0);
    // a slice without thickness
    if (!part || !CheckThickness(points, MeshUse::kSolid).ok()) return std::nullopt;
    return std::move(part).value();
  }

  /// How far some points of a part are out of its solids, where that is more than `least`.
  double CalcError(const ConvexMesh& part, const std::vector<int>& solids, double least) const {
    std::vector<Vec3> samples;
    for (const ConvexMesh::Face& face : part.faces) {
      Vec3 center = Vec3::Zero();
      for (int i = 0; i < face.count; ++i)
        center += At(part.vertices, At(part.face_corners, face.first + i)) / face.count;
      samples.push_back(ToUnit(center));
      for (int i = 0; i < face.count; ++i) {
        const Vec3& a = At(part.vertices, At(part.face_corners, face.first + i));
        const Vec3& b = At(part.vertices, At(part.face_corners, face.first + (i + 1) % face.count));
        samples.push_back(ToUnit((a + b) / 2));
        samples.push_back(ToUnit((a + center) / 2));
      }
    }
    const std::size_t step = 1 + (samples.size() - 1) / kMostSamples;
    double error = least;
    for (std::size_t i = 0; i < samples.size(); i += step) {
      double distance = kInfinity;
      for (const int s : solids)
        distance = std::min(distance, At(solids_, s).search->CalcDistance(samples[i]));
      // what is within takes longer to find out
      if (distance <= error) continue;
      const bool within = std::any_of(solids.begin(), solids.end(), [&](int s) {
        const Solid& solid = At(solids_, s);
        return solid.closed && solid.search->CalcWinding(samples[i]) > 0.5;
      });
      if (!within) error = distance;
    }
    return error;
  }

  const TriangleMesh& mesh_;
  std::size_t most_ = 0;
  std::vector<Solid> solids_;
  std::vector<PointSet> sets_;
  Vec3 center_ = Vec3::Zero();
  double size_ = 1;
};

}  // namespace

Result<ConvexParts> FindConvexParts(const TriangleMesh& mesh, int most) {
  return PartMaker(mesh, most).Make();
}

Result<ConvexParts> MakeConvexParts(const TriangleMesh& mesh, int most) {
  Result<ConvexParts> result = FindConvexParts(mesh, most);
  if (!result || !result->parts.empty()) return result;
  const std::vector<Vec3> points = UsedVertices(mesh.vertices, mesh.triangles);
  Result<ConvexMesh> hull = CalcConvexHull(points, RoughFor(points.size()));
  if (ThreadStop::Asked()) return Error{.message = "it was stopped"};
  if (!hull) return hull.errors();
  result.value().parts.push_back(std::move(hull).value());
  return result;
}

}  // namespace slip
