// Passes of point clouds: into the shadow map, solid, and as ghosts.
#pragma once

#include <array>
#include <functional>

#include "render/gl/mesh_store.h"

namespace slip::render {

class CloudPainter {
 public:
  /// Makes a program current and sets what all bodies of a frame have in common: view, light, fog
  /// and shadow.
  using UseProgram = std::function<void(const Program&)>;

  Status Load();
  /// Into the shadow map that is bound, of so many texels a side; the matrix is that of the light.
  void DrawShadow(const DrawList& list, const Mat4& matrix, const Vec3& to_light, int texels,
                  MeshStore* meshes);
  /// `taps`: index of the shadow's quality, 0 = none.
  void DrawSolids(const DrawContext& context, const SolidSet& set, std::size_t taps,
                  const Vec3& to_light, const UseProgram& use, MeshStore* meshes);
  /// With blending on, and without writing of depth, as which it leaves them.
  void DrawGhosts(const DrawContext& context, const SolidSet& set, const Vec3& to_light,
                  const UseProgram& use, MeshStore* meshes);

 private:
  CloudPass Begin(const DrawContext& context, const CloudPrograms& programs, const Vec3& to_light,
                  const UseProgram& use) const;

  std::array<CloudPrograms, 3> lit_;  // [taps] of 0, 1, 4
  CloudPrograms depth_;
  float largest_point_ = 1;
};

}  // namespace slip::render
