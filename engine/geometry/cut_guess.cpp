#include "engine/geometry/cut_guess.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/geometry/clip_triangle.h"

namespace slip {
namespace {

constexpr std::size_t kBlock = 8;
constexpr unsigned char kLower = 1, kUpper = 2;

/// Places that are close to each other have numbers that are, too [Morton 1966].
std::uint32_t PlaceNumber(const Vec3& p, const Eigen::AlignedBox3d& box) {
  std::uint32_t number = 0;
  for (int i = 0; i < 3; ++i) {
    const double width = std::max(box.sizes()[i], 1e-12);
    auto at =
        static_cast<std::uint32_t>(std::clamp(1023 * (p[i] - box.min()[i]) / width, 0.0, 1023.0));
    for (int bit = 0; at != 0; ++bit, at >>= 1) number |= (at & 1) << (3 * bit + i);
  }
  return number;
}

/// What of a triangle's volume, seen from a plane, is below the plane: what a corner that is alone
/// on its side cuts off, or the rest.
double LowerPart(const std::array<double, 3>& h) {
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = h[i], b = h[(i + 1) % 3], c = h[(i + 2) % 3];
    if (a < 0 && b >= 0 && c >= 0) return a / (a - b) * (a / (a - c));
    if (a > 0 && b <= 0 && c <= 0) return 1 - a / (a - b) * (a / (a - c));
  }
  return 0;
}

}  // namespace

CutGuess::CutGuess(const SolidPiece& piece) : piece_(piece) {
  SortVertices();
  AddTriangles();
  AddCellEdges();
  for (const ReflexEdge& edge : piece.edges_)
    edges_.push_back(
        {{edge.ends[0], edge.ends[1]}, {edge.into_face[0], edge.into_face[1]}, edge.Weight()});
}

void CutGuess::SortVertices() {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : piece_.vertices_) box.extend(p);
  if (box.isEmpty()) return;
  center_ = box.center();
  vertices_ = piece_.vertices_.size();
  std::vector<std::pair<std::uint32_t, int>> order;
  order.reserve(vertices_);
  for (std::size_t i = 0; i < vertices_; ++i)
    order.emplace_back(PlaceNumber(piece_.vertices_[i], box), static_cast<int>(i));
  std::sort(order.begin(), order.end());
  std::vector<int> index(vertices_);
  // of a cut there are fewer points than triangles have sides
  mask_ = Reach::MaskFor(vertices_ + 3 * piece_.surface_.size() + 1000);
  for (const auto& [place, old] : order) {
    const std::size_t i = points_.size();
    At(index, old) = static_cast<int>(i);
    points_.push_back(At(piece_.vertices_, old) - center_);
    along_.emplace_back(points_.back(), i, mask_);
    if (i % kBlock == 0) blocks_.emplace_back();
    blocks_.back().Extend(along_.back());
  }
  for (const auto& t : piece_.surface_)
    triangles_.push_back({At(index, t[0]), At(index, t[1]), At(index, t[2])});
}

void CutGuess::AddTriangles() {
  const auto share = [](const Vec3& a, const Vec3& b, const Vec3& c) -> Share {
    return {SixVolumes(a, b, c), (b - a).cross(c - a)};
  };
  std::vector<std::array<int, 3>> neighbors;
  FindNeighbors(triangles_, &neighbors);
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const auto& t = triangles_[i];
    shares_.push_back(share(At(points_, t[0]), At(points_, t[1]), At(points_, t[2])));
    whole_.Add(shares_.back());
    rims_.push_back({neighbors[i][0] < 0, neighbors[i][1] < 0, neighbors[i][2] < 0});
  }
  for (const Corners& t : piece_.caps_) {
    cap_shares_.push_back(share(t[0] - center_, t[1] - center_, t[2] - center_));
    whole_.Add(cap_shares_.back());
  }
}

void CutGuess::AddCellEdges() {
  for (const auto& [a, b] : piece_.cell_.ListEdges()) {
    CellEdge& edge = cell_edges_.emplace_back();
    edge.ends[0] = a, edge.ends[1] = b;
    edge.borders = piece_.search_->FindCrossings(a, b);
    edge.stretches.resize(edge.borders.size() + 1, CellEdge::Stretch::kUnknown);
  }
  for (const SolidPiece::Corner& corner : piece_.corners_) {
    const auto& own = piece_.cell_.corners();
    if (std::find(own.begin(), own.end(), corner.p) != own.end())
      corners_.emplace_back(corner.p, corner.winding);
  }
}

/// The stretch is asked about in its middle, once.
bool CutGuess::IsWithin(CellEdge* edge, double share) const {
  const auto beyond = std::lower_bound(edge->borders.begin(), edge->borders.end(), share);
  const double from = beyond == edge->borders.begin() ? 0 : *(beyond - 1);
  const double to = beyond == edge->borders.end() ? 1 : *beyond;
  using Stretch = CellEdge::Stretch;
  Stretch& stretch = edge->stretches[static_cast<std::size_t>(beyond - edge->borders.begin())];
  if (stretch == Stretch::kUnknown) {
    const Vec3 middle = edge->ends[0] + (from + to) / 2 * (edge->ends[1] - edge->ends[0]);
    stretch = piece_.search_->CalcWinding(middle) > 0.5 ? Stretch::kWithin : Stretch::kOutside;
  }
  return stretch == Stretch::kWithin;
}

void CutGuess::AddPoint(const Vec3& p, Reach* reach) {
  // more have no number left
  if (points_.size() >= mask_) return;
  points_.push_back(p);
  reach->Extend(Reach(p, points_.size() - 1, mask_));
}

/// Where the plane crosses its sides, once for both triangles of a side.
void CutGuess::CutTriangle(std::size_t triangle) {
  const auto& t = triangles_[triangle];
  for (std::size_t i = 0; i < 3; ++i) {
    const double from = At(heights_, t[i]), to = At(heights_, t[(i + 1) % 3]);
    if (from * to >= 0 || (from > 0 && !rims_[triangle][i])) continue;
    const Vec3 &a = At(points_, t[i]), &b = At(points_, t[(i + 1) % 3]);
    AddPoint(a + from / (from - to) * (b - a), &below_);
  }
}

/// Finds the sides of vertices on the plane, which are those of their triangles, and the points
/// that are added on it. The volume below, six times.
double CutGuess::SortTriangles(const Vec3& origin, const CutPlane& plane) {
  Share all;
  double parts = 0;
  // whose vertices on the plane is not known yet
  std::vector<std::pair<std::size_t, unsigned char>> touching;
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const auto& t = triangles_[i];
    const unsigned a = At(sides_, t[0]), b = At(sides_, t[1]), c = At(sides_, t[2]);
    unsigned side = a | b | c;
    if (side == 0)
      side = shares_[i].area.dot(plane.normal) > 0 ? unsigned{kLower} : unsigned{kUpper};
    if (a == 0 || b == 0 || c == 0) touching.emplace_back(i, static_cast<unsigned char>(side));
    if (side == kUpper) continue;
    if (side == kLower) {
      all.Add(shares_[i]);
      continue;
    }
    parts += LowerPart({At(heights_, t[0]), At(heights_, t[1]), At(heights_, t[2])}) *
             shares_[i].From(origin);
    CutTriangle(i);
  }
  for (const auto& [i, side] : touching)
    for (const int v : triangles_[i])
      if (At(heights_, v) == 0) At(sides_, v) = static_cast<unsigned char>(At(sides_, v) | side);
  for (std::size_t i = 0; i < cap_shares_.size(); ++i) {
    const Corners& t = piece_.caps_[i];
    const std::array<double, 3> h = {Snap(plane.Height(t[0])), Snap(plane.Height(t[1])),
                                     Snap(plane.Height(t[2]))};
    // one within the plane has no volume
    const auto [low, high] = std::minmax({h[0], h[1], h[2]});
    if (low >= 0) continue;
    parts += (high <= 0 ? 1 : LowerPart(h)) * cap_shares_[i].From(origin);
  }
  return all.From(origin) + parts;
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

void CutGuess::GatherVertices() {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::size_t first = b * kBlock, last = std::min(first + kBlock, sides_.size());
    unsigned all = kLower | kUpper, any = 0;
    for (std::size_t i = first; i < last; ++i) all &= sides_[i], any |= sides_[i];
    for (const unsigned side : {unsigned{kLower}, unsigned{kUpper}}) {
      Reach* const reach = side == kLower ? &below_ : &above_;
      if ((all & side) != 0) {
        reach->Extend(blocks_[b]);
      } else if ((any & side) != 0) {
        for (std::size_t i = first; i < last; ++i)
          if ((sides_[i] & side) != 0) reach->Extend(along_[i]);
      }
    }
  }
}

/// Corners of the cell that are within the solid, and where its edges cross the plane there.
void CutGuess::CutCell(const CutPlane& plane) {
  for (CellEdge& edge : cell_edges_) {
    const double a = plane.Height(edge.ends[0]), b = plane.Height(edge.ends[1]);
    if (a * b >= 0 || !IsWithin(&edge, a / (a - b))) continue;
    AddPoint(edge.ends[0] + a / (a - b) * (edge.ends[1] - edge.ends[0]) - center_, &below_);
    above_.Extend(Reach(points_.back(), points_.size() - 1, mask_));
  }
  for (const auto& [p, winding] : corners_) {
    if (!(winding > 0.5)) continue;
    const double height = Snap(plane.Height(p));
    if (height <= 0) AddPoint(p - center_, &below_);
    if (height >= 0) AddPoint(p - center_, &above_);
  }
}

SolidPiece::Halves CutGuess::Guess(const CutPlane& plane) {
  SolidPiece::Halves halves;
  points_.resize(vertices_);
  heights_.clear();
  sides_.clear();
  const double offset = plane.offset - plane.normal.dot(center_);
  for (const Vec3& p : points_) {
    const double height = Snap(plane.normal.dot(p) - offset);
    heights_.push_back(height);
    sides_.push_back(height < 0 ? kLower : height > 0 ? kUpper : 0);
  }
  below_ = Reach();
  const Vec3 origin = offset * plane.normal;
  const double lower = SortTriangles(origin, plane);
  // from a point of the plane, what closes the halves there has no volume
  halves.below.volume = lower / 6;
  halves.above.volume = (whole_.From(origin) - lower) / 6;
  ShareEdges(plane, &halves);
  // the points on the plane are of both
  above_ = below_;
  GatherVertices();
  CutCell(plane);
  const auto point_of = [&](std::size_t i) { return points_[std::min(i, points_.size() - 1)]; };
  halves.below.hull = below_.CalcVolume(mask_, point_of);
  halves.above.hull = above_.CalcVolume(mask_, point_of);
  return halves;
}

}  // namespace slip
