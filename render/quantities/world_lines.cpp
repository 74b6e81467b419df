#include "render/quantities/world_lines.h"

#include <algorithm>
#include <cmath>

#include "render/quantities/outlines.h"

namespace slip::render {
namespace {

// As outlines: in front of the surface that they lie on by this share of their depth.
constexpr double kInFront = 0.004;
constexpr double kArcStep = M_PI / 24;  // [rad]

}  // namespace

double GlyphDistance(const Camera& camera, const Vec3& p_W) {
  return camera.orthographic() ? camera.spec().distance : (p_W - camera.eye_W()).norm();
}

std::optional<Vec3> ToPixel(const DrawContext& context, const Vec3& p_W) {
  if (!p_W.allFinite()) return std::nullopt;
  const auto pixel = context.camera.Project(p_W, context.viewport);
  if (!pixel || !(pixel->head<2>().cwiseAbs().maxCoeff() < 1e5)) return std::nullopt;
  const double depth = context.camera.BufferDepth(pixel->z() * (1 - kInFront));
  return Vec3(pixel->x(), pixel->y(), std::clamp(depth, 0.0, 1.0));
}

void AppendLine(const DrawContext& context, std::span<const Vec3> points_W, const LineLook& look,
                DrawList* list) {
  LineBatch batch{look.colour, look.width, look.tested, {}, {}};
  std::vector<Vec3> piece;
  const auto finish = [&] {
    if (piece.size() > 1) DashPolyline(piece, look.dash, &batch.segments);
    piece.clear();
  };
  for (const Vec3& p : points_W) {
    if (const auto pixel = ToPixel(context, p)) {
      piece.push_back(*pixel);
    } else {
      finish();
    }
  }
  finish();
  if (!batch.segments.empty()) list->lines.push_back(std::move(batch));
}

void AppendFill(const DrawContext& context, std::span<const Vec3> corners_W, const Colour& colour,
                bool tested, DrawList* list) {
  std::vector<Vec3> pixels;
  for (const Vec3& p : corners_W) {
    const auto pixel = ToPixel(context, p);
    if (!pixel) return;
    pixels.push_back(*pixel);
  }
  LineBatch batch{colour, 1, tested, {}, {}};
  for (std::size_t i = 2; i < pixels.size(); ++i) {
    for (const Vec3& p : {pixels[0], pixels[i - 1], pixels[i]}) batch.triangles.push_back(p);
  }
  if (!batch.triangles.empty()) list->lines.push_back(std::move(batch));
}

std::vector<Vec3> MakeArc(const Vec3& centre_W, const Vec3& normal, const Vec3& start,
                          double radius, double angle) {
  const int parts = std::max(1, static_cast<int>(std::ceil(std::abs(angle) / kArcStep)));
  const Vec3 across = normal.cross(start);
  std::vector<Vec3> points;
  for (int i = 0; i <= parts; ++i) {
    const double a = angle * i / parts;
    points.push_back(centre_W + radius * (std::cos(a) * start + std::sin(a) * across));
  }
  return points;
}

void AppendMassDisc(const DrawContext& context, const Vec3& p_W, double radius_px,
                    const Colour& bright, const Colour& dark, DrawList* list) {
  const auto centre = ToPixel(context, p_W);
  if (!centre) return;
  constexpr int kParts = 32;
  const auto rim = [&](int i) {
    const double a = 2 * M_PI * i / kParts;
    return Vec3(*centre + radius_px * Vec3(std::cos(a), std::sin(a), 0));
  };
  LineBatch halves[] = {{bright, 1, false, {}, {}}, {dark, 1.5, false, {}, {}}};
  for (int i = 0; i < kParts; ++i) {
    LineBatch& half = halves[i / (kParts / 4) % 2];
    for (const Vec3& p : {*centre, rim(i), rim(i + 1)}) half.triangles.push_back(p);
    halves[1].segments.push_back({rim(i), rim(i + 1)});
  }
  for (LineBatch& half : halves) list->lines.push_back(std::move(half));
}

}  // namespace slip::render
