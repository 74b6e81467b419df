// From the file to what a body needs, in one call.
#include "engine/geometry/mesh_source.h"
#include "engine/geometry/mesh_text.h"

namespace slip {

Result<Imported<TriangleMesh>> ReadTriangleMeshText(std::string text, const std::string& path,
                                                    MeshUse use, double scale) {
  Result<MeshSource> source = ReadMeshSourceText(std::move(text), path, scale);
  if (!source) return source.errors();
  return MakeTriangleMesh(std::move(source).value(), path, use);
}

Result<Imported<ConvexMesh>> ReadConvexMeshText(std::string text, const std::string& path,
                                                double scale) {
  Result<MeshSource> source = ReadMeshSourceText(std::move(text), path, scale);
  if (!source) return source.errors();
  return MakeConvexMesh(std::move(source).value(), path);
}

Result<Imported<TriangleMesh>> ReadTriangleMesh(const std::string& path, MeshUse use,
                                                double scale) {
  Result<MeshSource> source = ReadMeshSource(path, scale);
  if (!source) return source.errors();
  return MakeTriangleMesh(std::move(source).value(), path, use);
}

Result<Imported<ConvexMesh>> ReadConvexMesh(const std::string& path, double scale) {
  Result<MeshSource> source = ReadMeshSource(path, scale);
  if (!source) return source.errors();
  return MakeConvexMesh(std::move(source).value(), path);
}

}  // namespace slip
