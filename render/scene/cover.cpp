// A bit per cell. A ball covers the disc through its centre that faces the picture plane, so it
// hides only what lies wholly behind that disc's depth.
#include "render/scene/cover.h"

#include <algorithm>
#include <cmath>

namespace slip::render {
namespace {

// Cells are small beside a body at the camera's target, but not smaller than need be [px].
constexpr double kCellOfBody = 0.12, kSmallestCell = 1, kLargestCell = 4;
// A ball of eight corners leaves this share of its radius; rounded boxes more.
constexpr double kCoarsest = 0.9;

/// Bits a to b - 1 of the word that begins at bit `start`.
uint64_t Mask(int start, int a, int b) {
  const int low = std::max(a - start, 0), high = std::min(b - start, 64);
  if (low >= high) return 0;
  const uint64_t upto = high == 64 ? ~uint64_t{0} : (uint64_t{1} << high) - 1;
  return upto & ~((uint64_t{1} << low) - 1);
}

}  // namespace

Cover::Cover(const Camera& camera, const Viewport& viewport, double reach)
    : forward_(camera.forward_W()),
      right_(camera.right_W()),
      up_(right_.cross(forward_)),
      reach_(reach),
      near_(camera.near_plane()),
      pixels_(1 / camera.MetresPerPixel(1, viewport)),
      half_width_(0.5 * viewport.width),
      half_height_(0.5 * viewport.height),
      orthographic_(camera.orthographic()),
      cell_(std::clamp(kCellOfBody * reach * pixels_ /
                           (orthographic_ ? 1 : std::max(camera.spec().distance, near_)),
                       kSmallestCell, kLargestCell)),
      columns_(static_cast<int>(std::ceil(viewport.width / cell_))),
      rows_(static_cast<int>(std::ceil(viewport.height / cell_))),
      words_(static_cast<std::size_t>(columns_ + 63) / 64),
      bits_(words_ * static_cast<std::size_t>(rows_), 0) {
  eye_ = camera.spec().target - camera.spec().distance * forward_;
}

Cover::Ball Cover::InView(const Vec3& p_W, double radius) const {
  const Vec3 r = p_W - eye_;
  return {right_.dot(r), up_.dot(r), forward_.dot(r), radius};
}

void Cover::Add(const Vec3& p_W, double radius) {
  if (radius > 0) waiting_.push_back(InView(p_W, radius));
}

void Cover::Fill(const Ball& ball) {
  if (!orthographic_ && ball.depth - ball.radius < near_) return;
  const double scale = pixels_ / (orthographic_ ? 1 : ball.depth);
  const double x = half_width_ + scale * ball.x, y = half_height_ - scale * ball.y;
  const double radius = scale * ball.radius;
  const int first = std::max(0, static_cast<int>(std::ceil((y - radius) / cell_)));
  const int last = std::min(rows_, static_cast<int>(std::floor((y + radius) / cell_)));
  for (int row = first; row < last; ++row) {
    // the edge of the row that is farther from the middle has the shorter chord
    const double off = std::max(std::abs(cell_ * row - y), std::abs(cell_ * (row + 1) - y));
    if (off >= radius) continue;
    const double chord = std::sqrt(radius * radius - off * off);
    const int a = std::max(0, static_cast<int>(std::ceil((x - chord) / cell_)));
    const int b = std::min(columns_, static_cast<int>(std::floor((x + chord) / cell_)));
    uint64_t* words = &bits_[words_ * static_cast<std::size_t>(row)];
    for (int word = a / 64; 64 * word < b; ++word) words[word] |= Mask(64 * word, a, b);
  }
}

bool Cover::Hides(const Vec3& p_W, double radius) {
  const Ball ball = InView(p_W, radius);
  for (; first_ < waiting_.size() && waiting_[first_].depth <= ball.depth - reach_; ++first_) {
    Fill(waiting_[first_]);
  }
  const double nearest = ball.depth - radius;
  if (!(radius > 0 && radius <= reach_) || (!orthographic_ && nearest < near_)) return false;
  // the outline of a ball beside the view axis is drawn out
  const double scale = pixels_ / (orthographic_ ? 1 : ball.depth);
  const double reach_px = pixels_ * radius / (orthographic_ ? 1 : nearest);
  const double x = half_width_ + scale * ball.x, y = half_height_ - scale * ball.y;
  const double aside = orthographic_ ? 0 : std::abs(ball.x) / ball.depth;
  const double above = orthographic_ ? 0 : std::abs(ball.y) / ball.depth;
  const double half_x = reach_px * (1 + aside), half_y = reach_px * (1 + above);
  const int first = std::max(0, static_cast<int>(std::floor((y - half_y) / cell_)));
  const int last = std::min(rows_, static_cast<int>(std::ceil((y + half_y) / cell_)));
  for (int row = first; row < last; ++row) {
    const double low = cell_ * row - y, high = low + cell_;
    const double off = low > 0 ? low : high < 0 ? -high : 0;
    const double share = std::min(1.0, off / half_y);
    const double chord = half_x * std::sqrt(1 - share * share);
    const int a = std::max(0, static_cast<int>(std::floor((x - chord) / cell_)));
    const int b = std::min(columns_, static_cast<int>(std::ceil((x + chord) / cell_)));
    const uint64_t* words = &bits_[words_ * static_cast<std::size_t>(row)];
    for (int word = a / 64; 64 * word < b; ++word) {
      const uint64_t wanted = Mask(64 * word, a, b);
      if ((words[word] & wanted) != wanted) return false;
    }
  }
  return true;
}

double InnerRadius(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
      return kCoarsest * shape.radius;
    case ShapeKind::kCylinder:
      return kCoarsest * std::min(shape.radius, 0.5 * shape.length);
    case ShapeKind::kBox:
      return kCoarsest * 0.5 * shape.size.minCoeff();
    default:
      return 0;
  }
}

}  // namespace slip::render
