#include "engine/urdf/urdf_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "engine/core/data_folder.h"
#include "engine/core/numbers.h"
#include "engine/core/other_case.h"
#include "engine/core/pose.h"
#include "engine/core/thread_stop.h"
#include "engine/core/worker_pool.h"
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

void NoteRepairs(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                 const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    std::string line =
        fmt::format("{}: mesh {}: {}", place.owner, QuoteXml(element.Attribute("filename")), note);
    // the same file may be seen and touched
    const std::vector<std::string>& told = place.report->notes;
    if (std::find(told.begin(), told.end(), line) == told.end())
      place.report->Note(std::move(line));
  }
}

/// One where the file has none. Of more than three, which others read past, the first three.
bool ReadScale(const UrdfPlace& place, const tinyxml2::XMLElement& element, Vec3* scale) {
  *scale = Vec3::Ones();
  const char* text = element.Attribute("scale");
  if (text == nullptr) return true;
  std::array<double, 4> numbers{};
  const std::size_t count = CountXmlWords(text) == numbers.size() ? numbers.size() : 3;
  if (!ReadNumbers(place, element, "scale", kMeshScale, false, std::span(numbers.data(), count)))
    return false;
  if (count > 3)
    place.report->NoteOf(place.owner,
                         "scale of a <mesh> has a fourth number, and the first three are taken");
  *scale = Vec3(numbers[0], numbers[1], numbers[2]);
  return true;
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
  std::vector<Key> keys;
  UrdfReport unsaid("");  // what is wrong is said when it is read
  const UrdfPlace place{"", &unsaid};
  for (const auto* link = robot.FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link"))
    for (const std::string kind : {"visual", "collision"})
      for (const auto* part = link->FirstChildElement(kind.c_str()); part != nullptr;
           part = part->NextSiblingElement(kind.c_str())) {
        const auto* geometry = part->FirstChildElement("geometry");
        const auto* mesh = geometry != nullptr ? geometry->FirstChildElement("mesh") : nullptr;
        const char* name = mesh != nullptr ? mesh->Attribute("filename") : nullptr;
        if (name == nullptr || *name == '\0') continue;
        paths.push_back(FindUrdfMesh(name, folder_));
        Vec3 scale;
        if (ReadScale(place, *mesh, &scale) && scale.cwiseAbs().minCoeff() >= kLeastScale)
          keys.emplace_back(paths.back(), scale.x(), scale.y(), scale.z(), kind == "collision");
      }
  store_.Prefetch(paths);
  MakeAhead(std::move(keys));
}

void UrdfMeshes::MakeAhead(std::vector<Key> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::erase_if(keys, [&](const Key& key) {
    const std::string& path = std::get<0>(key);
    const ShapeFormat* format = FindMeshFormat(path);
    const bool known = format != nullptr && IsFile(path) &&
                       (format->reader == ShapeFormat::Reader::kText || store_.Knows(path));
    return !known;
  });
  if (keys.size() < 2) return;
  // of a mesh that is seen and touches the surface comes first
  const auto is_same = [](const Key& a, const Key& b) {
    Key touching = a;
    std::get<kIsCollision>(touching) = true;
    return touching == b;
  };
  std::vector<std::optional<Solid>> solids(keys.size());
  std::vector<std::optional<Surface>> surfaces(keys.size());
  const StopPoll* poll = ThreadStop::Present();
  const auto count = static_cast<int>(keys.size());
  WorkerPool pool(std::min(HardwareThreads(), count));
  pool.ForEach(count, [&](int i) {
    const ThreadStop stop(poll);
    if (ThreadStop::Asked()) return;
    const auto& [path, x, y, z, collision] = At(keys, i);
    const bool both = !collision && i + 1 < count && is_same(At(keys, i), At(keys, i + 1));
    if (collision && i > 0 && is_same(At(keys, i - 1), At(keys, i))) return;
    try {
      if (both)
        std::tie(At(solids, i + 1), At(surfaces, i)) = MakeBoth(path, {x, y, z});
      else if (collision)
        At(solids, i) = MakeSolid(path, {x, y, z});
      else
        At(surfaces, i) = MakeSurface(path, {x, y, z});
    } catch (const std::exception&) {
      return;  // made again when it is asked for, where somebody hears of it
    }
  });
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (solids[i]) solids_.insert_or_assign(keys[i], std::move(*solids[i]));
    if (surfaces[i]) surfaces_.insert_or_assign(keys[i], std::move(*surfaces[i]));
  }
}

Result<MeshSource> UrdfMeshes::ReadScaled(const std::string& path, const Vec3& scale) {
  const bool uniform = scale.x() > 0 && scale == Vec3::Constant(scale.x());
  Result<MeshSource> source = ReadMeshSource(path, uniform ? scale.x() : 1, &store_, axes_);
  if (!source || uniform) return source;
  for (auto* points : {&source.value().vertices, &source.value().hull})
    for (Vec3& p : *points) p = p.cwiseProduct(scale);
  // a mirror turns every triangle over
  if (scale.prod() < 0)
    for (auto& t : source.value().triangles) std::swap(t[1], t[2]);
  return source;
}

UrdfMeshes::Solid UrdfMeshes::MakeSolid(const std::string& path, const Vec3& scale) {
  Result<MeshSource> source = ReadScaled(path, scale);
  if (!source) return {source.errors()};
  MeshConvention convention = std::exchange(source.value().convention, {});
  return {MakeMovingMesh(std::move(source).value(), path, collision_), std::move(convention)};
}

UrdfMeshes::Surface UrdfMeshes::MakeSurface(const std::string& path, const Vec3& scale) {
  return SurfaceOf(ReadScaled(path, scale), path);
}

std::pair<UrdfMeshes::Solid, UrdfMeshes::Surface> UrdfMeshes::MakeBoth(const std::string& path,
                                                                       const Vec3& scale) {
  Result<MeshSource> source = ReadScaled(path, scale);
  Surface surface = SurfaceOf(source, path);
  // one piece: nothing was sorted by colour
  const bool whole = source && surface.pieces && surface.pieces->size() == 1 &&
                     surface.pieces->front().surface.notes.size() >= source->notes.size() &&
                     SplitByColor(*source, kMostColors).size() == 1;
  if (!whole) return {MakeSolid(path, scale), std::move(surface)};
  Imported<TriangleMesh> cleaned = surface.pieces->front().surface;
  cleaned.notes.erase(cleaned.notes.begin(), cleaned.notes.begin() + std::ssize(source->notes));
  MeshConvention convention = std::exchange(source.value().convention, {});
  return {Solid{MakeMovingMesh(std::move(source).value(), path, collision_, std::move(cleaned)),
                std::move(convention)},
          std::move(surface)};
}

UrdfMeshes::Surface UrdfMeshes::SurfaceOf(Result<MeshSource> source, const std::string& path) {
  if (!source) return {source.errors()};
  MeshConvention convention = std::exchange(source.value().convention, {});
  std::vector<ColoredSurface> pieces;
  for (ColoredTriangles& one : SplitByColor(*source, kMostColors)) {
    MeshSource piece;
    piece.vertices = source->vertices;
    piece.triangles = std::move(one.triangles);
    if (pieces.empty()) piece.notes = std::move(source.value().notes);
    auto made = MakeTriangleMesh(std::move(piece), path, MeshUse::kSurface);
    // of several colours, one may be a line's
    if (!made && !pieces.empty()) continue;
    if (!made) return {made.errors(), std::move(convention)};
    pieces.push_back({one.color, std::move(made).value()});
  }
  return {std::move(pieces), std::move(convention)};
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
  if (skipped_.insert(name).second)
    place.report->NoteOf(
        fmt::format("mesh {} of {}", QuoteXml(name), place.owner),
        "not drawn, " + why + "; collision shapes are drawn where a link has nothing else");
  return true;
}

bool UrdfMeshes::IsMissing(const tinyxml2::XMLElement& element) const {
  const char* name = element.Attribute("filename");
  if (name == nullptr || *name == '\0') return false;
  std::error_code code;
  return FindMeshFormat(name) != nullptr && !fs::exists(FindUrdfMesh(name, folder_), code);
}

void UrdfMeshes::NoteConvention(const UrdfPlace& place, const tinyxml2::XMLElement& element,
                                const MeshConvention& convention) {
  other_axes_ = other_axes_ || convention.other_axes;
  if (convention.words.empty() || !conventions_.insert(convention.words).second) return;
  place.report->Note(fmt::format("mesh {} has {}; told once, for all meshes that have it",
                                 QuoteXml(element.Attribute("filename")), convention.words));
}

/// Each part in the frame of its own centre and principal axes, as contact search likes it.
std::optional<UrdfMesh> UrdfMeshes::ReadSolid(const UrdfPlace& place,
                                              const tinyxml2::XMLElement& element,
                                              const std::string& path, const Vec3& scale) {
  auto ahead = solids_.extract({path, scale.x(), scale.y(), scale.z(), true});
  Solid made = ahead ? std::move(ahead.mapped()) : MakeSolid(path, scale);
  NoteConvention(place, element, made.convention);
  if (!made.mesh) {
    TellErrors(place, element, made.mesh.errors());
    return std::nullopt;
  }
  NoteRepairs(place, element, made.mesh->notes);
  std::vector<ConvexMesh>& parts = made.mesh.value().mesh.parts;
  std::vector<Vec3> corners;
  for (const ConvexMesh& part : parts)
    corners.insert(corners.end(), part.vertices.begin(), part.vertices.end());
  if (!CheckMeshSize(place, element, corners)) return std::nullopt;
  UrdfMesh mesh;
  for (ConvexMesh& part : parts) {
    const Pose X_SG = MoveToPrincipalFrame(&part);
    UrdfMesh::Piece& piece = mesh.pieces.emplace_back();
    piece.X_GS = Inverse(X_SG);
    piece.shape.kind = ShapeKind::kConvex;
    piece.shape.convex = std::make_shared<ConvexMesh>(std::move(part));
  }
  return mesh;
}

std::optional<UrdfMesh> UrdfMeshes::ReadSurface(const UrdfPlace& place,
                                                const tinyxml2::XMLElement& element,
                                                const std::string& path, const Vec3& scale) {
  auto ahead = surfaces_.extract({path, scale.x(), scale.y(), scale.z(), false});
  Surface made = ahead ? std::move(ahead.mapped()) : MakeSurface(path, scale);
  NoteConvention(place, element, made.convention);
  if (!made.pieces) {
    TellErrors(place, element, made.pieces.errors());
    return std::nullopt;
  }
  UrdfMesh mesh;
  for (auto& [color, surface] : made.pieces.value()) {
    NoteRepairs(place, element, surface.notes);
    if (!CheckMeshSize(place, element, surface.mesh.vertices)) return std::nullopt;
    UrdfMesh::Piece& last = mesh.pieces.emplace_back();
    last.color = color;
    last.shape.kind = ShapeKind::kTriangleMesh;
    last.shape.triangles = std::make_shared<TriangleMesh>(std::move(surface.mesh));
  }
  return mesh;
}

int UrdfMeshes::Read(const UrdfPlace& place, const tinyxml2::XMLElement& element, bool collision) {
  const char* name = element.Attribute("filename");
  if (name == nullptr || *name == '\0') {
    place.Fail(element, "no filename of <mesh>", "write filename=\"meshes/NAME.stl\"");
    return -1;
  }
  Vec3 scale;
  if (!ReadScale(place, element, &scale)) return -1;
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
      collision ? ReadSolid(place, element, path, scale) : ReadSurface(place, element, path, scale);
  // what is wrong with a file is told where it is first named
  int& index = known_[key] = -1;
  if (!mesh) return index;
  index = static_cast<int>(list.size());
  list.push_back(std::move(*mesh));
  return index;
}

}  // namespace slip
