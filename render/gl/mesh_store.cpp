// Meshes on the GPU.
#include "render/gl/mesh_store.h"

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"

namespace slip::render {
namespace {

constexpr int kSolidVertex[] = {3, 3}, kSolidInstance[] = {4, 4, 4, 4, 4, 4};

std::shared_ptr<const void> SourceOf(const Shape& shape) {
  if (shape.kind == ShapeKind::kConvex) return shape.convex;
  return shape.triangles;
}

}  // namespace

void MeshStore::Create() {
  const auto create = [this](Mesh mesh, const MeshData& data) {
    At(shared_, mesh).Create(data, kSolidVertex, kSolidInstance);
  };
  create(Mesh::kBlock, MakeBlock());
  create(Mesh::kBevelled, MakeRoundedBox(1));
  create(Mesh::kBox, MakeRoundedBox(3));
  create(Mesh::kBallTiny, MakePill(8, 2));
  create(Mesh::kBallFar, MakePill(12, 3));
  create(Mesh::kBall, MakePill(20, 5));
  create(Mesh::kBallNear, MakeRoundedBox(11));
  create(Mesh::kDomeSpeck, MakeDome(8, 1));
  create(Mesh::kDomeTiny, MakeDome(10, 2));
  create(Mesh::kDomeFar, MakeDome(16, 4));
  create(Mesh::kDome, MakeDome(26, 6));
  create(Mesh::kDomeNear, MakeDome(44, 10));
  create(Mesh::kDomeHuge, MakeDome(96, 20));
  create(Mesh::kDrumFar, MakeCylinder(12, 1));
  create(Mesh::kDrum, MakeCylinder(40, 3));
}

void MeshStore::Sweep() {
  const auto unused = [](const auto& own) { return own.source.use_count() == 1; };
  std::erase_if(own_, unused);
  std::erase_if(clouds_, unused);
}

GpuMesh& MeshStore::MeshOf(const Shape& shape) {
  const void* source = OwnMeshOf(shape);
  for (Own<GpuMesh>& own : own_) {
    if (own.source.get() == source) return own.mesh;
  }
  own_.push_back({SourceOf(shape), {}});
  own_.back().mesh.Create(MakeOwnMesh(shape), kSolidVertex, kSolidInstance);
  return own_.back().mesh;
}

GpuCloud& MeshStore::CloudOf(const Shape& shape) {
  for (Own<GpuCloud>& own : clouds_) {
    if (own.source == shape.cloud) return own.mesh;
  }
  clouds_.push_back({shape.cloud, {}});
  clouds_.back().mesh.Create(*shape.cloud);
  return clouds_.back().mesh;
}

void MeshStore::Draw(Mesh mesh, std::span<const SolidInstance> instances) {
  if (instances.empty()) return;
  At(shared_, mesh).Draw(instances);
  ++draws_;
}

void MeshStore::Draw(const SolidSet& set) {
  for (int i = 0; i < kMeshCount; ++i) {
    const auto mesh = static_cast<Mesh>(i);
    if (!IsDome(mesh)) Draw(mesh, set.Of(mesh));
  }
  for (const SolidSet::Own& own : set.own) {
    if (own.shape->kind == ShapeKind::kPointCloud) continue;
    MeshOf(*own.shape).Draw(std::span<const SolidInstance>(own.instances));
    ++draws_;
  }
}

void MeshStore::DrawDomes(const SolidSet& set) {
  for (int i = 0; i < kMeshCount; ++i) {
    const auto mesh = static_cast<Mesh>(i);
    if (IsDome(mesh)) Draw(mesh, set.Of(mesh));
  }
}

void MeshStore::DrawClouds(const SolidSet& set, const CloudPass& pass,
                           const CloudPrograms& programs) {
  for (const SolidSet::Own& own : set.own) {
    if (own.shape->kind != ShapeKind::kPointCloud) continue;
    const GpuCloud& cloud = CloudOf(*own.shape);
    for (const SolidInstance& instance : own.instances) DrawCloud(cloud, instance, pass, programs);
    draws_ += static_cast<int>(own.instances.size());
  }
}

}  // namespace slip::render
