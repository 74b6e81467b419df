// All meshes on the GPU: those that every scene shares, and those of the present scene.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "render/gl/gpu_cloud.h"
#include "render/gl/gpu_mesh.h"
#include "render/scene/draw_list.h"

namespace slip::render {

class MeshStore {
 public:
  void Create();
  /// Forgets the meshes that no scene uses any more. Before drawing a snapshot.
  void Sweep();
  /// One draw call per mesh that has instances; domes and clouds are left out.
  void Draw(const SolidSet& set);
  /// The balls, which need a program that turns them to the eye.
  void DrawDomes(const SolidSet& set);
  /// One draw call per cloud of the set.
  void DrawClouds(const SolidSet& set, const CloudPass& pass, const CloudPrograms& programs);
  void Draw(Mesh mesh, std::span<const SolidInstance> instances);
  std::size_t own_count() const { return own_.size() + clouds_.size(); }
  /// Calls since the last time this was asked.
  int TakeDraws() { return std::exchange(draws_, 0); }

 private:
  template <class T>
  struct Own {
    std::shared_ptr<const void> source;  ///< keeps the address from naming another mesh
    T mesh;
  };
  GpuMesh& MeshOf(const Shape& shape);
  GpuCloud& CloudOf(const Shape& shape);

  std::array<GpuMesh, kMeshCount> shared_;
  std::vector<Own<GpuMesh>> own_;
  std::vector<Own<GpuCloud>> clouds_;
  int draws_ = 0;
};

}  // namespace slip::render
