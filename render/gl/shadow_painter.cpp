// The pass of the shadows that need no map.
#include "render/gl/shadow_painter.h"

#include <algorithm>

namespace slip::render {
namespace {

/// Rectangle in clip space that holds a group's shadows: low x, y, high x, y.
Eigen::Vector4f ClipBounds(const ShadowGroup& group, const Eigen::Matrix4f& view_projection) {
  Eigen::Vector4f bounds(1, 1, -1, -1);
  for (const ShadowLayer& layer : group.layers) {
    if (layer.wedges.empty() && layer.discs.empty()) continue;
    const Eigen::Vector2f half(layer.half[0], layer.half[1]);
    const Eigen::Vector2f low = layer.low.cast<float>().cwiseMax(-half);
    const Eigen::Vector2f high = layer.high.cast<float>().cwiseMin(half);
    for (int corner = 0; corner < 4; ++corner) {
      const float x = (corner & 1) != 0 ? high.x() : low.x();
      const float y = (corner & 2) != 0 ? high.y() : low.y();
      Eigen::Vector4f p(0, 0, 0, 1);
      for (int i = 0; i < 3; ++i) p[i] = layer.origin[i] + x * layer.x[i] + y * layer.y[i];
      const Eigen::Vector4f clip = view_projection * p;
      if (!(clip.w() > 1e-3f)) return {-1, -1, 1, 1};  // reaches behind the eye
      for (int i = 0; i < 2; ++i) {
        const float at = std::clamp(clip[i] / clip.w(), -1.0f, 1.0f);
        bounds[i] = std::min(bounds[i], at);
        bounds[i + 2] = std::max(bounds[i + 2], at);
      }
    }
  }
  return bounds;
}

}  // namespace

Status ShadowPainter::Load() {
  Status status = Ok{};
  const auto load = [&status](Program* program, std::string_view vertex, std::string_view fragment,
                              const std::vector<std::string>& defines) {
    if (status) status = LoadProgram(vertex, fragment, defines, program);
  };
  load(&wedge_, "shadow_wedge", "shadow_mask", {});
  load(&disc_, "shadow_disc", "shadow_mask", {"DISC 1"});
  load(&tint_, "shadow_tint", "shadow_tint", {});
  if (!status) return status;
  constexpr int kCorner[] = {2}, kWeights[] = {4}, kWedge[] = {4, 4, 4}, kTwo[] = {4, 4},
                kOne[] = {4};
  // the middle, the inner points, the outer points
  wedges_.Create({4,
                  {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                  {0, 1, 2, 1, 3, 4, 1, 4, 2}},
                 kWeights, kWedge);
  discs_.Create({2, {-1, -1, 1, -1, 1, 1, -1, 1}, {0, 1, 2, 0, 2, 3}}, kCorner, kTwo);
  rectangle_.Create({2, {0, 0, 1, 0, 1, 1, 0, 1}, {0, 1, 2, 0, 2, 3}}, kCorner, kOne);
  return status;
}

void ShadowPainter::Draw(const std::vector<ShadowGroup>& groups,
                         const Eigen::Matrix4f& view_projection, const Eigen::Vector2f& fog) const {
  glDisable(GL_CULL_FACE);
  for (const ShadowGroup& group : groups) {
    const Eigen::Vector4f bounds = ClipBounds(group, view_projection);
    if (!(bounds[2] > bounds[0] && bounds[3] > bounds[1])) continue;
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    glBlendEquation(GL_MIN);
    // they lie in the planes that take them
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(-1.0f, -8.0f);
    const auto use = [&](const Program& program, const ShadowLayer& layer) {
      program.Use();
      program.Set("u_view_projection", view_projection);
      program.Set("u_fog", fog);
      program.Set("u_strength", group.colour.a);
      program.Set("u_origin", Eigen::Vector3f(layer.origin[0], layer.origin[1], layer.origin[2]));
      program.Set("u_x", Eigen::Vector3f(layer.x[0], layer.x[1], layer.x[2]));
      program.Set("u_y", Eigen::Vector3f(layer.y[0], layer.y[1], layer.y[2]));
      program.Set("u_half", Eigen::Vector2f(layer.half[0], layer.half[1]));
    };
    for (const ShadowLayer& layer : group.layers) {
      if (!layer.wedges.empty()) {
        use(wedge_, layer);
        wedges_.Draw(std::span<const ShadowWedge>(layer.wedges));
      }
      if (!layer.discs.empty()) {
        use(disc_, layer);
        discs_.Draw(std::span<const ShadowDisc>(layer.discs));
      }
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE_MINUS_DST_ALPHA, GL_DST_ALPHA, GL_ONE, GL_ZERO);
    glDisable(GL_DEPTH_TEST);
    tint_.Use();
    tint_.Set("u_colour", Eigen::Vector4f(group.colour.r, group.colour.g, group.colour.b, 1));
    rectangle_.Draw(bounds.data(), 1);
    glEnable(GL_DEPTH_TEST);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
  }
  glEnable(GL_CULL_FACE);
}

}  // namespace slip::render
