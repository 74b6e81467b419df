// <asset>: colours, and meshes, which are read when a shape uses them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mass_properties.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostInline = 3000000;  // numbers of a mesh within the file

/// Vertices and faces that the element itself has.
Result<Imported<TriangleMesh>> MakeInline(const MjcfItem& item) {
  std::vector<double> numbers(std::min(kMostInline, item.Text("vertex").size()));
  const std::size_t count = item.Numbers("vertex", 12, numbers);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i + 2 < count; i += 3)
    points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  if (count == 0) return ErrorList{};  // said already
  if (count % 3 != 0) return Error{.message = fmt::format("vertex has {} numbers", count)};
  if (!item.Has("face")) {
    const auto triangles = CalcHullTriangles(points);
    if (!triangles) return triangles.errors();
    return CleanMesh(points, *triangles, MeshUse::kSurface);
  }
  std::vector<double> corners(std::min(kMostInline, item.Text("face").size()));
  const std::size_t faces = item.Numbers("face", 3, corners);
  if (faces == 0) return ErrorList{};
  std::vector<std::array<int, 3>> triangles;
  for (std::size_t i = 0; i + 2 < faces; i += 3) {
    std::array<int, 3>& t = triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const double corner = corners[i + k];
      if (!(corner >= 0 && corner < static_cast<double>(points.size())))
        return Error{.message =
                         fmt::format("face names the vertex {:g} of {}", corner, points.size())};
      t[k] = static_cast<int>(corner);
    }
  }
  return CleanMesh(std::move(points), std::move(triangles), MeshUse::kSurface);
}

/// Its vertices as the file's <mesh> has them moved, turned and scaled.
Result<Imported<TriangleMesh>> MoveMesh(const MjcfItem& item, TriangleMesh mesh) {
  Vec3 offset = Vec3::Zero(), scale = Vec3::Ones();
  std::array<double, 4> turn{1, 0, 0, 0};
  item.Numbers("refpos", 3, std::span(offset.data(), 3), kPosition);
  item.Numbers("refquat", 4, turn);
  item.Numbers("scale", 3, std::span(scale.data(), 3), {.most = 1e6});
  Quat q(turn[0], turn[1], turn[2], turn[3]);
  if (!(q.norm() > 1e-10)) q = Quat::Identity();
  if (scale.cwiseAbs().minCoeff() < 1e-6)
    return Error{.message = fmt::format("scale is {:g} {:g} {:g}", scale.x(), scale.y(), scale.z()),
                 .hint = "expected 1e-6 or more"};
  const Mat3 back = q.normalized().toRotationMatrix().transpose();
  for (Vec3& p : mesh.vertices) p = (back * (p - offset)).cwiseProduct(scale);
  // a mirror turns every triangle over
  if (scale.prod() < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return CleanMesh(std::move(mesh.vertices), std::move(mesh.triangles), MeshUse::kSurface);
}

bool CheckSize(const MjcfItem& item, const TriangleMesh& mesh) {
  Vec3 low = mesh.vertices.front(), high = low;
  for (const Vec3& p : mesh.vertices) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double extent = (high - low).maxCoeff();
  const double farthest = high.cwiseAbs().cwiseMax(low.cwiseAbs()).maxCoeff();
  if (extent >= kSize.least && farthest <= kSize.most) return true;
  item.Fail(fmt::format("it is {:g} m large and reaches to {:g} m; expected {:g} to {:g} m", extent,
                        farthest, kSize.least, kSize.most),
            "set scale, e.g. scale=\"0.001 0.001 0.001\" for millimetres");
  return false;
}

void ReadSurfaceOf(const MjcfItem& item, bool needed, MjcfModel* model, MjcfMesh* mesh) {
  const std::string file = item.Text("file");
  Result<Imported<TriangleMesh>> read = ErrorList{};
  if (file.empty()) {
    read = MakeInline(item);
  } else {
    std::string name = file;
    std::replace(name.begin(), name.end(), '\\', '/');
    const MjcfSettings& settings = model->SettingsOf(item.node());
    fs::path path = settings.strip_path ? fs::path(name).filename() : fs::path(name);
    const std::string extension = path.extension().string();
    if (extension == ".msh" || extension == ".MSH") {
      item.Fail(fmt::format("{}: files of type .msh are not read", QuoteXml(file)),
                "convert it to .obj");
      return;
    }
    const std::string inside = (fs::path(settings.mesh_folder) / path).string();
    std::error_code code;
    if (const fs::path given = fs::path(model->folder) / inside;
        !needed && StaysNear(inside) && !fs::exists(given, code)) {
      model->report->Say(item.node(),
                         "meshes for the eyes alone are not drawn where their files "
                         "are missing");
      return;
    }
    const std::string whole = FindMjcfFile(item.node(), inside, model->folder, model->report);
    if (whole.empty()) return;
    mesh->format = FindMeshFormat(whole);
    read = ReadTriangleMesh(whole, MeshUse::kSurface);
  }
  if (read) {
    for (const std::string& note : read->notes)
      model->report->Say(fmt::format("{}: {}", item.owner(), note));
    read = MoveMesh(item, std::move(read.value().mesh));
  }
  if (!read) {
    for (const Error& error : read.errors()) {
      if (needed)
        item.Fail(Error{error.message, error.file, error.line}.Text(), error.hint);
      else
        model->report->Say(item.node(),
                           fmt::format("{} is not drawn: {}", item.owner(), error.message));
    }
    return;
  }
  if (!CheckSize(item, read->mesh)) return;
  mesh->surface = std::make_shared<TriangleMesh>(std::move(read.value().mesh));
}

/// What it touches with, and its mass. False after an error.
bool MakeSolid(const MjcfItem& item, MjcfModel* model, MjcfMesh* mesh) {
  const TriangleMesh& surface = *mesh->surface;
  mesh->convex = IsConvex(surface);
  mesh->closed = surface.open_edges == 0 && CalcVolume(surface) > 0;
  const bool split = !mesh->convex && model->collision == MeshCollision::kParts;
  if (mesh->closed) mesh->solid = CalcMassProperties(surface, 1);
  if (!split || !mesh->closed) {
    const Status thick = CheckThickness(surface.vertices, MeshUse::kSolid);
    Result<ConvexMesh> hull = CalcConvexHull(surface.vertices);
    if (!thick.ok() || !hull) {
      const Error& error = thick.ok() ? hull.error() : thick.error();
      item.Fail(error.message, error.hint);
      return false;
    }
    if (!mesh->closed) mesh->solid = CalcMassProperties(*hull, 1);
    mesh->parts.push_back(std::move(hull).value());
  }
  if (!split) return true;
  MeshSource source;
  source.vertices = surface.vertices;
  source.triangles = surface.triangles;
  auto made = MakeMovingMesh(std::move(source), {}, MeshCollision::kParts,
                             Imported<TriangleMesh>{surface, {}});
  if (!made) {
    item.Fail(made.error().message, made.error().hint);
    return false;
  }
  for (const std::string& note : made->notes)
    model->report->Say(fmt::format("{}: {}", item.owner(), note));
  mesh->parts = std::move(made.value().mesh.parts);
  return true;
}

}  // namespace

void ReadMjcfAssets(const MjcfNode& root, MjcfModel* model) {
  for (const MjcfNode& section : root.children) {
    if (section.name != "asset") continue;
    for (const MjcfNode& asset : section.children) {
      if (asset.name == "texture" || asset.name == "hfield" || asset.name == "skin") {
        model->report->Say(asset, fmt::format("<{}> is not read", asset.name));
        continue;
      }
      if (asset.name == "model") {
        CheckMjcfAttributes(asset, model->report);
        continue;
      }
      if (asset.name != "mesh" && asset.name != "material") {
        model->report->Fail(asset, fmt::format("<{}> in <asset> is not read", asset.name),
                            "expected mesh, material or texture");
        continue;
      }
      CheckMjcfAttributes(asset, model->report);
      const MjcfItem item = model->defaults.Make(asset, NameMjcf(asset), {}, model->report);
      const std::string* given = asset.Find("name");
      std::string name = given != nullptr ? *given : fs::path(item.Text("file")).stem().string();
      if (name.empty()) {
        item.Fail("no name", "write name=\"...\"");
        continue;
      }
      if (asset.name == "mesh") {
        if (!model->meshes.emplace(name, MjcfMesh{.node = &asset}).second)
          item.Fail("a second mesh of this name", "names differ");
        continue;
      }
      std::array<double, 4> rgba{1, 1, 1, 1};
      item.Numbers("rgba", 4, rgba);
      for (double& c : rgba) c = std::clamp(c, 0.0, 1.0);
      model->colors[name] = rgba;
    }
  }
}

MjcfMesh* UseMjcfMesh(const MjcfItem& item, const std::string& name, bool needed,
                      MjcfModel* model) {
  const auto found = model->meshes.find(name);
  if (found == model->meshes.end()) {
    item.Fail(fmt::format("there is no mesh {}", QuoteXml(name)),
              "meshes are named in <asset><mesh name=\"...\"/>");
    return nullptr;
  }
  MjcfMesh& mesh = found->second;
  const MjcfItem asset =
      model->defaults.Make(*mesh.node, fmt::format("mesh {}", QuoteXml(name)), {}, model->report);
  if (!mesh.tried) {
    mesh.tried = true;
    ReadSurfaceOf(asset, needed, model, &mesh);
  }
  if (mesh.surface == nullptr) {
    // a shape that must touch is told where its mesh was only drawn before
    if (needed && !model->report->failed())
      item.Fail(fmt::format("mesh {} cannot be read", QuoteXml(name)), "see the remarks above");
    return nullptr;
  }
  if (needed && mesh.parts.empty() && !MakeSolid(asset, model, &mesh)) return nullptr;
  return &mesh;
}

}  // namespace slip
