#include "engine/urdf/urdf_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/core/data_folder.h"
#include "engine/core/other_case.h"
#include "engine/core/pose.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mass_properties.h"
#include "engine/geometry/mesh.h"
#include "engine/geometry/mesh_helper.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/shape_formats.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr NumberRange kMeshScale{.most = 1e6};
constexpr double kLeastScale = 1e-6;
/// Parts of robots beyond it [m] are likely in millimetres.
constexpr double kLikelyMetres = 10;
/// How many folders above the URDF file a package may be.
constexpr int kMostParents = 8;
/// So many colours of one mesh are told apart.
constexpr std::size_t kMostColors = 16;

bool IsFile(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

/// "C:\\parts\\block.obj": of another machine.
bool HasDrive(std::string_view name) {
  if (name.starts_with("file:///")) name.remove_prefix(8);
  return name.size() > 2 && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
         name[1] == ':' && (name[2] == '\\' || name[2] == '/');
}

/// What to do about a file that is not there.
std::string MissingHint(const std::string& name) {
  if (HasDrive(name))
    return "name it by its path from the URDF file's folder, with '/' between folders";
  return "paths count from the URDF file's folder; package://NAME/PATH is looked for there and "
         "above";
}

void TellErrors(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                const ErrorList& errors) {
  for (const Error& error : errors) {
    std::error_code code;
    const bool missing = !error.file.empty() && !fs::exists(error.file, code);
    place.Fail(element, "mesh " + Error{error.message, error.file, error.line}.Text(),
               missing ? MissingHint(element.Attribute("filename")) : error.hint);
  }
}

template <class T>
std::optional<T> TakeMesh(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                          Result<Imported<T>> imported) {
  if (!imported) {
    TellErrors(place, element, imported.errors());
    return std::nullopt;
  }
  for (const std::string& note : imported->notes) {
    std::string line =
        fmt::format("{}: mesh {}: {}", place.owner, QuoteXml(element.Attribute("filename")), note);
    // the same file may be seen and touched
    const std::vector<std::string>& told = place.report->notes;
    if (std::find(told.begin(), told.end(), line) == told.end())
      place.report->Note(std::move(line));
  }
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

}  // namespace

std::vector<std::string> ListUrdfMeshPlaces(const std::string& given, const std::string& folder) {
  // as Windows writes paths, unless a file has that very name
  std::string name = given;
  if (!IsFile(fs::path(folder) / given)) std::replace(name.begin(), name.end(), '\\', '/');
  const auto after = [&name](std::string_view scheme) { return name.substr(scheme.size()); };
  if (name.starts_with("file://localhost/")) return {after("file://localhost")};
  if (name.starts_with("file://")) return {after("file://")};
  const bool package = name.starts_with("package://");
  const std::string beside = (fs::path(folder) / name).string();
  // a path with folders in it may count from that of the package
  if (!package && (fs::path(name).is_absolute() || name.starts_with("../") ||
                   fs::path(name).parent_path().empty() || HasDrive(name)))
    return {beside};
  const fs::path whole = package ? after("package://") : name;
  const fs::path inside = package ? whole.lexically_relative(*whole.begin()) : whole;
  std::error_code code;
  // a file in the current folder has none of its own
  fs::path place = fs::absolute(folder.empty() ? "." : folder, code).lexically_normal();
  std::vector<std::string> places;
  const auto add = [&](const fs::path& path) {
    if (std::find(places.begin(), places.end(), path.string()) == places.end())
      places.push_back(path.string());
  };
  if (!package) places.push_back(beside);
  for (int i = 0; i <= kMostParents; ++i, place = place.parent_path()) {
    if (package) add(place / whole);
    if (package || i > 0) add(place / inside);
  }
  if (!package) return places;
  const fs::path assets = fs::path(DataFolder()) / "assets";
  for (const fs::path& path : {assets / whole, assets / inside, assets / "robots" / inside})
    add(path);
  return places;
}

std::string FindUrdfMesh(const std::string& given, const std::string& folder) {
  const std::vector<std::string> places = ListUrdfMeshPlaces(given, folder);
  for (const std::string& path : places)
    if (IsFile(path)) return path;
  for (const auto& other : {FindOtherCase, FindOtherFormat})
    for (const std::string& path : places)
      if (std::string found = other(path); !found.empty()) return found;
  // where a package's own folder would be
  return given.find("package:") == 0 && places.size() > 1 ? places[1] : places.front();
}

void UrdfMeshes::Prefetch(const tinyxml2::XMLElement& robot) {
  std::vector<std::string> paths;
  for (const auto* link = robot.FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link"))
    for (const char* kind : {"visual", "collision"})
      for (const auto* part = link->FirstChildElement(kind); part != nullptr;
           part = part->NextSiblingElement(kind)) {
        const auto* geometry = part->FirstChildElement("geometry");
        const auto* mesh = geometry != nullptr ? geometry->FirstChildElement("mesh") : nullptr;
        const char* name = mesh != nullptr ? mesh->Attribute("filename") : nullptr;
        if (name != nullptr && *name != '\0') paths.push_back(FindUrdfMesh(name, folder_));
      }
  store_.Prefetch(paths);
}

std::string UrdfMeshes::Find(const UrdfPlace& place, const std::string& name) const {
  const std::string path = FindUrdfMesh(name, folder_);
  const std::vector<std::string> places = ListUrdfMeshPlaces(name, folder_);
  const bool as_named = std::find(places.begin(), places.end(), path) != places.end();
  if (!IsFile(path) || (as_named && (path == places.front() || name.find("package:") == 0)))
    return path;
  place.report->NoteOf(
      fmt::format("mesh {} by {}", QuoteXml(name, 200), QuoteXml(path, 200)),
      "there is no file of that name, and one is read in its place that differs in its folder, the "
      "case of its letters or its format");
  return path;
}

bool UrdfMeshes::Skips(const UrdfPlace& place, const tinyxml2::XMLElement& element) {
  const char* name = element.Attribute("filename");
  if (name == nullptr || *name == '\0') return false;
  const ShapeFormat* format = FindMeshFormat(name);
  const bool can = format != nullptr &&
                   (format->reader != ShapeFormat::Reader::kHelper || !MeshLibrary().empty());
  std::string why;
  std::error_code code;
  if (const std::string path = Find(place, name); !can)
    why = fmt::format("files of type '{}' cannot be read{}", LowerExtension(name),
                      format != nullptr ? ", as this program was built without Assimp"
                                        : ", only " + MeshFormatNames());
  else if (!fs::exists(path, code))
    why = fmt::format("no such file ({})", MissingHint(name));
  if (why.empty()) return false;
  if (skipped_.insert(name).second) {
    place.report->Note(
        fmt::format("{}: mesh {} is not drawn: {}; collision shapes are drawn where a link has "
                    "nothing else",
                    place.owner, QuoteXml(name), why));
  }
  return true;
}

std::optional<MeshSource> UrdfMeshes::ReadSource(const UrdfPlace& place,
                                                 const tinyxml2::XMLElement& element,
                                                 const std::string& path, double scale) {
  Result<MeshSource> read = ReadMeshSource(path, scale, &store_, MeshAxes::kAsWritten);
  if (!read) {
    TellErrors(place, element, read.errors());
    return std::nullopt;
  }
  // all files of a robot come from the same program: its habits are told once
  if (!read->convention.empty() && conventions_.insert(read->convention).second)
    place.report->Note(fmt::format("mesh {} has {}; told once, for all meshes that have it",
                                   QuoteXml(element.Attribute("filename")), read->convention));
  MeshSource source = std::move(read).value();
  source.convention.clear();
  return source;
}

/// A hull in the frame of its own centre and principal axes, as contact search likes it.
std::optional<UrdfMesh> UrdfMeshes::ReadHull(const UrdfPlace& place,
                                             const tinyxml2::XMLElement& element,
                                             const std::string& path, const Vec3& scale) {
  const bool uniform = scale.x() > 0 && scale == Vec3::Constant(scale.x());
  auto source = ReadSource(place, element, path, uniform ? scale.x() : 1);
  if (!source) return std::nullopt;
  auto hull = TakeMesh(place, element, MakeConvexMesh(std::move(*source), path));
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
  mesh.X_GS = Inverse(X_SG);
  Shape& shape = mesh.pieces.emplace_back().shape;
  shape.kind = ShapeKind::kConvex;
  shape.convex = std::make_shared<ConvexMesh>(std::move(*hull));
  return mesh;
}

std::optional<UrdfMesh> UrdfMeshes::ReadSurface(const UrdfPlace& place,
                                                const tinyxml2::XMLElement& element,
                                                const std::string& path, const Vec3& scale) {
  auto source = ReadSource(place, element, path, 1);
  if (!source) return std::nullopt;
  UrdfMesh mesh;
  for (ColoredTriangles& one : SplitByColor(*source, kMostColors)) {
    MeshSource piece;
    piece.vertices = source->vertices;
    piece.triangles = std::move(one.triangles);
    if (mesh.pieces.empty()) piece.notes = std::move(source->notes);
    auto made = MakeTriangleMesh(std::move(piece), path, MeshUse::kSurface);
    // of several colours, one may be a line's
    if (!made && !mesh.pieces.empty()) continue;
    auto surface = TakeMesh(place, element, std::move(made));
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
    UrdfMesh::Piece& last = mesh.pieces.emplace_back();
    last.color = one.color;
    last.shape.kind = ShapeKind::kTriangleMesh;
    last.shape.triangles = std::make_shared<TriangleMesh>(std::move(*surface));
  }
  return mesh;
}

int UrdfMeshes::Read(const UrdfPlace& place, const tinyxml2::XMLElement& element, bool collision) {
  const char* name = element.Attribute("filename");
  if (name == nullptr || *name == '\0') {
    place.Fail(element, "no filename of <mesh>", "write filename=\"meshes/NAME.stl\"");
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
  if (FindMeshFormat(name) == nullptr) {
    place.Fail(element,
               fmt::format("mesh {}: files of type '{}' cannot be read; expected {}",
                           QuoteXml(name), LowerExtension(name), MeshFormatNames()),
               "convert it, e.g. with MeshLab or Blender, and name what you get here");
    return -1;
  }
  const std::string path = Find(place, name);
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
