#include "engine/geometry/cut_guess.h"

#include <map>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr std::size_t kBlock = 16;

}  // namespace

/// The points of a grid on a cube, and the triangles between them.
struct CutGuess::Directions {
  Directions() {
    std::map<std::array<int, 3>, int> known;
    std::vector<Vec3> list;
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, kSteps})
        for (int i = 0; i < kSteps; ++i)
          for (int j = 0; j < kSteps; ++j) {
            const auto corner = [&](int u, int v) {
              std::array<int, 3> at{};
              at[ToIndex(axis)] = side;
              at[ToIndex((axis + 1) % 3)] = u;
              at[ToIndex((axis + 2) % 3)] = v;
              const auto [found, fresh] = known.try_emplace(at, static_cast<int>(list.size()));
              if (fresh)
                list.push_back(
                    (2 * Vec3(at[0], at[1], at[2]) - Vec3::Constant(kSteps)).normalized());
              return found->second;
            };
            const int a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                      d = corner(i, j + 1);
            triangles.push_back(side > 0 ? std::array{a, b, c} : std::array{a, c, b});
            triangles.push_back(side > 0 ? std::array{a, c, d} : std::array{a, d, c});
          }
    for (int k = 0; k < kDirections; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        parts[i].at[k / 4][k % 4] = static_cast<float>(At(list, k)[static_cast<int>(i)]);
  }
  std::array<HeightRow, 3> parts;
  std::vector<std::array<int, 3>> triangles;
};

const CutGuess::Directions& CutGuess::AllDirections() {
  static const Directions directions;
  return directions;
}

CutGuess::Reach CutGuess::Nothing() {
  Reach reach;
  for (int r = 0; r < kRows; ++r) {
    reach.most.at[r] = Heights{} - 1e30F;
    reach.which.at[r] = Indices{} - 1;
  }
  return reach;
}

void CutGuess::Extend(const HeightRow& heights, const IndexRow& which, Reach* reach) {
  for (int r = 0; r < kRows; ++r) {
    const Indices farther = heights.at[r] > reach->most.at[r];
    reach->most.at[r] = farther ? heights.at[r] : reach->most.at[r];
    reach->which.at[r] = farther ? which.at[r] : reach->which.at[r];
  }
}

CutGuess::HeightRow CutGuess::Along(const Vec3& p) {
  const Directions& directions = AllDirections();
  const auto x = static_cast<float>(p.x()), y = static_cast<float>(p.y()),
             z = static_cast<float>(p.z());
  HeightRow row;
  for (int r = 0; r < kRows; ++r)
    row.at[r] = x * directions.parts[0].at[r] + y * directions.parts[1].at[r] +
                z * directions.parts[2].at[r];
  return row;
}

namespace {

template <class Row>
Row AllThe(int index) {
  Row row;
  for (auto& which : row.at) which = decltype(row.at[0] + 0){} + index;
  return row;
}

}  // namespace

CutGuess::CutGuess(const SolidPiece& piece) : piece_(piece), corners_(piece.corners_) {
  for (std::size_t i = 0; i < piece.vertices_.size(); ++i) {
    along_.push_back(Along(piece.vertices_[i]));
    if (i % kBlock == 0) blocks_.push_back(Nothing());
    Extend(along_.back(), AllThe<IndexRow>(static_cast<int>(i)), &blocks_.back());
  }
  for (const auto& t : piece.surface_) {
    const Vec3 &a = At(piece.vertices_, t[0]), &b = At(piece.vertices_, t[1]),
               &c = At(piece.vertices_, t[2]);
    shares_.push_back({SixVolumes(a, b, c), (b - a).cross(c - a)});
  }
  for (const ReflexEdge& edge : piece.edges_)
    edges_.push_back(
        {{edge.ends[0], edge.ends[1]}, {edge.into_face[0], edge.into_face[1]}, edge.Weight()});
}

void CutGuess::Mark(int vertex, unsigned sides) {
  unsigned char& used = At(used_, vertex);
  used = static_cast<unsigned char>(used | sides);
}

void CutGuess::AddPoint(const Vec3& p, Reach* reach) {
  const int index = static_cast<int>(piece_.vertices_.size() + more_.size());
  more_.push_back(p);
  Extend(Along(p), AllThe<IndexRow>(index), reach);
}

double CutGuess::CalcVolume(const Reach& reach) const {
  std::array<Vec3, kDirections> points;
  for (int k = 0; k < kDirections; ++k) {
    const int index = reach.which.at[k / 4][k % 4];
    if (index < 0) return 0;
    const std::size_t i = ToIndex(index), count = piece_.vertices_.size();
    At(points, k) = i < count ? piece_.vertices_[i] : more_[i - count];
  }
  double volume = 0;
  for (const auto& t : AllDirections().triangles)
    volume += SixVolumes(At(points, t[0]) - points[0], At(points, t[1]) - points[0],
                         At(points, t[2]) - points[0]);
  return volume / 6;
}

/// Marks what of the surface is on either side, and adds what it has of the volumes.
void CutGuess::SortTriangles(const CutPlane& plane, SolidPiece::Halves* halves) {
  const Vec3 origin = plane.offset * plane.normal;
  Share below, above;
  const auto add = [](const Share& share, Share* sum) {
    sum->volume += share.volume;
    sum->area += share.area;
  };
  const auto clip = [&](const Corners& t, const std::array<double, 3>& h, Share* sum, bool keep) {
    const Clipped part = ClipBelow(t, h);
    for (int i = 0; i < part.count; ++i) {
      if (keep && At(part.on, i)) AddPoint(At(part.corners, i), &below_);
      if (i < 2) continue;
      const Vec3 &a = part.corners[0], &b = At(part.corners, i - 1), &c = At(part.corners, i);
      add({SixVolumes(a, b, c), (b - a).cross(c - a)}, sum);
    }
  };
  const auto divide = [&](const Corners& t, const std::array<double, 3>& h, bool surface) {
    clip(t, h, &below, surface);
    clip(t, {-h[0], -h[1], -h[2]}, &above, false);
  };
  const std::vector<Vec3>& vertices = piece_.vertices_;
  for (std::size_t i = 0; i < piece_.surface_.size(); ++i) {
    const auto& t = piece_.surface_[i];
    const std::array<double, 3> h = {At(heights_, t[0]), At(heights_, t[1]), At(heights_, t[2])};
    PlaneSide side = PlaneSide::kBoth;
    if (h[0] < 0 && h[1] < 0 && h[2] < 0)
      side = PlaneSide::kBelow;
    else if (h[0] > 0 && h[1] > 0 && h[2] > 0)
      side = PlaneSide::kAbove;
    else
      side = SideOf({At(vertices, t[0]), At(vertices, t[1]), At(vertices, t[2])}, h, plane.normal);
    if (side == PlaneSide::kBoth) {
      for (std::size_t k = 0; k < 3; ++k) Mark(t[k], h[k] < 0 ? 1 : h[k] > 0 ? 2 : 3);
      divide({At(vertices, t[0]), At(vertices, t[1]), At(vertices, t[2])}, h, true);
      continue;
    }
    const bool lower = side == PlaneSide::kBelow;
    for (const int v : t) Mark(v, lower ? 1 : 2);
    add(shares_[i], lower ? &below : &above);
  }
  for (const Corners& t : piece_.caps_)
    divide(t, {Snap(plane.Height(t[0])), Snap(plane.Height(t[1])), Snap(plane.Height(t[2]))},
           false);
  // from a point of the plane, what closes the halves there has no volume
  halves->below.volume = (below.volume - origin.dot(below.area)) / 6;
  halves->above.volume = (above.volume - origin.dot(above.area)) / 6;
}

void CutGuess::ShareEdges(const CutPlane& plane, SolidPiece::Halves* halves) const {
  for (const Edge& edge : edges_) {
    const double a = Snap(plane.Height(edge.ends[0])), b = Snap(plane.Height(edge.ends[1]));
    double lower = 0, upper = 0;
    if (a == 0 && b == 0) {
      const double u = plane.normal.dot(edge.into_face[0]), v = plane.normal.dot(edge.into_face[1]);
      lower = u < -1e-6 && v < -1e-6 ? 1 : 0;
      upper = u > 1e-6 && v > 1e-6 ? 1 : 0;
    } else {
      const double first = a * b < 0 ? a / (a - b) : a == 0 ? 0 : 1;
      lower = (a < 0 ? first : 0) + (b < 0 ? 1 - first : 0);
      upper = (a > 0 ? first : 0) + (b > 0 ? 1 - first : 0);
      if (a * b > 0) (a < 0 ? lower : upper) = 1;
    }
    halves->below.reflex += lower * edge.weight;
    halves->above.reflex += upper * edge.weight;
  }
}

SolidPiece::Halves CutGuess::Guess(const CutPlane& plane) {
  SolidPiece::Halves halves;
  heights_.clear();
  for (const Vec3& p : piece_.vertices_) heights_.push_back(Snap(plane.Height(p)));
  used_.assign(heights_.size(), 0);
  more_.clear();
  below_ = above_ = Nothing();
  SortTriangles(plane, &halves);
  ShareEdges(plane, &halves);
  // the points on the plane are of both
  above_ = below_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::size_t first = b * kBlock, last = std::min(first + kBlock, used_.size());
    unsigned all = 3, any = 0;
    for (std::size_t i = first; i < last; ++i) all &= used_[i], any |= used_[i];
    for (const unsigned side : {1u, 2u}) {
      Reach* const reach = side == 1 ? &below_ : &above_;
      if ((all & side) != 0) {
        Extend(blocks_[b].most, blocks_[b].which, reach);
      } else if ((any & side) != 0) {
        for (std::size_t i = first; i < last; ++i)
          if ((used_[i] & side) != 0)
            Extend(along_[i], AllThe<IndexRow>(static_cast<int>(i)), reach);
      }
    }
  }
  for (const SolidPiece::Corner& corner : corners_) {
    const double height = Snap(plane.Height(corner.p));
    if (!(corner.winding > 0.5)) continue;
    if (height <= 0) AddPoint(corner.p, &below_);
    if (height >= 0) AddPoint(corner.p, &above_);
  }
  for (const Vec3& p : piece_.cell_.FindCrossings(plane)) {
    if (!(piece_.search_->CalcWinding(p) > 0.5)) continue;
    AddPoint(p, &below_);
    AddPoint(p, &above_);
  }
  halves.below.hull = CalcVolume(below_);
  halves.above.hull = CalcVolume(above_);
  return halves;
}

}  // namespace slip
