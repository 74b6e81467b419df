#include "engine/urdf/urdf_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/core/data_folder.h"
#include "engine/core/other_case.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mass_properties.h"
#include "engine/geometry/mesh.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr NumberRange kMeshScale{.most = 1e6};
constexpr double kLeastScale = 1e-6;
/// Parts of robots beyond it [m] are likely in millimetres.
constexpr double kLikelyMetres = 10;
/// How many folders above the URDF file a package may be.
constexpr int kMostParents = 8;

bool IsFile(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

std::string LowerExtension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

/// "C:\\parts\\block.obj": of another machine.
bool HasDrive(std::string_view name) {
  if (name.starts_with("file:///")) name.remove_prefix(8);
  return name.size() > 2 && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
         name[1] == ':' && (name[2] == '\\' || name[2] == '/');
}

std::string MissingHint(const std::string& name, const std::string& path) {
  if (const std::string other = FindOtherCase(path); !other.empty())
    return fmt::format("there is {}: upper and lower case differ",
                       QuoteXml(other, other.size() + 1));
  if (HasDrive(name))
    return "name it by its path from the URDF file's folder, with '/' between folders";
  return "paths count from the URDF file's folder; package://NAME/PATH is looked for there and "
         "above";
}

template <class T>
std::optional<T> TakeMesh(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                          Result<Imported<T>> imported) {
  if (!imported) {
    for (const Error& error : imported.errors()) {
      std::error_code code;
      const bool missing = !error.file.empty() && !fs::exists(error.file, code);
      place.Fail(element, "mesh " + Error{error.message, error.file, error.line}.Text(),
                 missing ? MissingHint(element.Attribute("filename"), error.file) : error.hint);
    }
    return std::nullopt;
  }
  for (const std::string& note : imported->notes)
    place.report->Note(
        fmt::format("{}: mesh {}: {}", place.owner, QuoteXml(element.Attribute("filename")), note));
  return std::move(imported.value().mesh);
}

/// Says what is wrong with how large a mesh is; false then.
bool CheckMeshSize(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                   const std::vector<Vec3>& vertices) {
  Vec3 low = vertices.front(), high = low;
  for (const Vec3& p : vertices) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double extent = (high - low).maxCoeff();
  const double farthest = high.cwiseAbs().cwiseMax(low.cwiseAbs()).maxCoeff();
  if (extent >= kSize.least && farthest <= kSize.most) {
    if (extent > kLikelyMetres)
      place.report->Note(fmt::format(
          "{}: mesh {} is {:.3g} m large: if the file has millimetres, set scale=\"0.001 0.001 "
          "0.001\"",
          place.owner, QuoteXml(element.Attribute("filename")), extent));
    return true;
  }
  place.Fail(element,
             fmt::format("the mesh is {:g} m large and reaches to {:g} m; expected {:g} to {:g} m",
                         extent, farthest, kSize.least, kSize.most),
             "set scale, e.g. scale=\"0.001 0.001 0.001\" for millimetres");
  return false;
}

/// A hull in the frame of its own centre and principal axes, as contact search likes it.
std::optional<UrdfMesh> ReadHull(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                                 const std::string& path, const Vec3& scale) {
  const bool uniform = scale.x() > 0 && scale == Vec3::Constant(scale.x());
  auto hull = TakeMesh(place, element, ReadConvexMesh(path, uniform ? scale.x() : 1));
  if (!hull) return std::nullopt;
  if (!uniform) {
    for (Vec3& p : hull->vertices) p = p.cwiseProduct(scale);
    const Status thick = CheckThickness(hull->vertices, MeshUse::kSolid);
    Result<ConvexMesh> scaled = CalcConvexHull(hull->vertices);
    if (!thick.ok() || !scaled) {
      const Error& error = thick.ok() ? scaled.error() : thick.error();
      place.Fail(element, "mesh with its scale: " + error.message, error.hint);
      return std::nullopt;
    }
    hull = std::move(scaled).value();
  }
  if (!CheckMeshSize(place, element, hull->vertices)) return std::nullopt;
  const Pose X_SG = MoveToPrincipalFrame(&*hull);
  UrdfMesh mesh;
  mesh.X_GS.q = X_SG.q.conjugate();
  mesh.X_GS.p = -(mesh.X_GS.q * X_SG.p);
  mesh.shape.kind = ShapeKind::kConvex;
  mesh.shape.convex = std::make_shared<ConvexMesh>(std::move(*hull));
  return mesh;
}

std::optional<UrdfMesh> ReadSurface(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                                    const std::string& path, const Vec3& scale) {
  auto surface = TakeMesh(place, element, ReadTriangleMesh(path, MeshUse::kSurface));
  if (!surface) return std::nullopt;
  if (scale != Vec3::Ones()) {
    std::vector<Vec3> vertices = surface->vertices;
    std::vector<std::array<int, 3>> triangles = surface->triangles;
    for (Vec3& p : vertices) p = p.cwiseProduct(scale);
    // a mirror turns every triangle over
    if (scale.prod() < 0)
      for (auto& t : triangles) std::swap(t[1], t[2]);
    surface = TakeMesh(place, element,
                       CleanMesh(std::move(vertices), std::move(triangles), MeshUse::kSurface));
    if (!surface) return std::nullopt;
  }
  if (!CheckMeshSize(place, element, surface->vertices)) return std::nullopt;
  UrdfMesh mesh;
  mesh.shape.kind = ShapeKind::kTriangleMesh;
  mesh.shape.triangles = std::make_shared<TriangleMesh>(std::move(*surface));
  return mesh;
}

}  // namespace

std::string FindUrdfMesh(const std::string& given, const std::string& folder) {
  // as Windows writes paths, unless a file has that very name
  std::string name = given;
  if (!IsFile(fs::path(folder) / given)) std::replace(name.begin(), name.end(), '\\', '/');
  const auto after = [&name](std::string_view scheme) { return name.substr(scheme.size()); };
  if (name.starts_with("file://localhost/")) return after("file://localhost");
  if (name.starts_with("file://")) return after("file://");
  if (!name.starts_with("package://")) return (fs::path(folder) / name).string();
  const fs::path whole = after("package://");
  const fs::path inside = whole.lexically_relative(*whole.begin());
  std::error_code code;
  // a file in the current folder has none of its own
  fs::path place = fs::absolute(folder.empty() ? "." : folder, code).lexically_normal();
  const fs::path first = place / inside;
  for (int i = 0; i <= kMostParents; ++i, place = place.parent_path())
    for (const fs::path& path : {place / whole, place / inside})
      if (IsFile(path)) return path.string();
  const fs::path assets = fs::path(DataFolder()) / "assets";
  for (const fs::path& path : {assets / whole, assets / inside, assets / "robots" / inside})
    if (IsFile(path)) return path.string();
  return first.string();
}

bool UrdfMeshes::Skips(const UrdfPlace& place, const tinyxml2::XMLElement& element) {
  const char* name = element.Attribute("filename");
  if (name == nullptr || *name == '\0' || LowerExtension(name) == ".obj") return false;
  if (skipped_.insert(name).second) {
    place.report->Note(
        fmt::format("{}: mesh {} is not drawn: files of type '{}' cannot be read, only .obj; "
                    "collision shapes are drawn where a link has nothing else",
                    place.owner, QuoteXml(name), LowerExtension(name)));
  }
  return true;
}

int UrdfMeshes::Read(const UrdfPlace& place, const tinyxml2::XMLElement& element, bool collision) {
  const char* name = element.Attribute("filename");
  if (name == nullptr || *name == '\0') {
    place.Fail(element, "no filename of <mesh>", "write filename=\"meshes/NAME.obj\"");
    return -1;
  }
  Vec3 scale = Vec3::Ones();
  if (element.Attribute("scale") != nullptr &&
      !ReadNumbers(place, element, "scale", kMeshScale, false, std::span(scale.data(), 3)))
    return -1;
  if (scale.cwiseAbs().minCoeff() < kLeastScale) {
    place.Fail(element,
               fmt::format("scale of <mesh> is {:g} {:g} {:g}", scale.x(), scale.y(), scale.z()),
               fmt::format("expected {:g} to {:g}, e.g. 0.001 for millimetres", kLeastScale,
                           kMeshScale.most));
    return -1;
  }
  if (const std::string extension = LowerExtension(name); extension != ".obj") {
    place.Fail(element,
               fmt::format("mesh {}: files of type '{}' cannot be read; expected .obj",
                           QuoteXml(name), extension),
               "convert it, e.g. with MeshLab or Blender, and name the .obj here");
    return -1;
  }
  const std::string path = FindUrdfMesh(name, folder_);
  const Key key = {path, scale.x(), scale.y(), scale.z(), collision};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  std::optional<UrdfMesh> mesh =
      collision ? ReadHull(place, element, path, scale) : ReadSurface(place, element, path, scale);
  // what is wrong with a file is told where it is first named
  int& index = known_[key] = -1;
  if (!mesh) return index;
  index = static_cast<int>(list.size());
  list.push_back(std::move(*mesh));
  return index;
}

}  // namespace slip
