// What all programs of one frame share: camera, lights, fog, shadow map.
#pragma once

#include <cstddef>

#include "render/gl/gl.h"
#include "render/scene/draw_list.h"

namespace slip::render {

/// One frame's.
class FrameLight {
 public:
  explicit FrameLight(const DrawContext& context);

  const Vec3& to_light() const { return to_light_; }
  /// Of the programs that look up shadows: 0 (no shadow map), 1, 2.
  std::size_t taps() const { return taps_; }
  int texels() const { return texels_; }                        ///< of the shadow map, a side
  const Mat4& shadow_matrix() const { return shadow_matrix_; }  ///< world to shadow map
  const Eigen::Matrix4f& view_projection() const { return view_projection_; }
  const Eigen::Vector2f& fog() const { return fog_; }  ///< where it begins [m], 1/range [1/m]

  /// The program is in use from then on.
  void Use(const Program& program) const;
  /// Likewise, one that draws balls as domes that face the eye.
  void UseBall(const Program& program) const;
  /// Colours of a flat surface and its lines, in the key light and out of it.
  void SetFlat(const Program& program, const Vec3& normal, const Colour& base,
               const Colour& lines) const;

 private:
  const DrawContext& context_;
  Vec3 to_light_;
  std::size_t taps_;
  int texels_;
  Mat4 shadow_matrix_;
  Eigen::Matrix4f view_projection_, to_shadow_;
  Eigen::Vector2f fog_;
};

}  // namespace slip::render
