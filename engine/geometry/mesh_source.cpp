#include "engine/geometry/mesh_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <optional>

#include "engine/core/thread_stop.h"
#include "engine/core/worker_pool.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/foreign_mesh.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/obj_faces.h"
#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

/// What is read ahead takes 50 bytes a triangle.
constexpr std::size_t kMostAhead = 20000000;

Error SourceError(const std::string& path, std::string message, std::string hint) {
  return {.message = std::move(message), .file = path, .hint = std::move(hint)};
}

Error NoFormat(const std::string& path) {
  return SourceError(path,
                     fmt::format("meshes of type '{}' cannot be read; expected {}",
                                 LowerExtension(path), MeshFormatNames()),
                     "convert it, e.g. with MeshLab or Blender");
}

Result<MeshSource> SourceOfObj(std::string text, const std::string& path, double scale) {
  if (const Status clean = CleanMeshText(path, &text); !clean.ok()) return clean.errors();
  JoinObjLines(&text);
  Result<MeshText> scan = ScanObj(text, path, scale);
  if (!scan) return scan.errors();
  if (scan->faces == 0)
    return SourceError(path,
                       fmt::format("the file has {} vertices but no faces", scan->points.size()),
                       "for single points use a point cloud");
  MeshSource source;
  std::string problem;
  source.triangles = ParseObjFaces(text, scan->points.size(), &problem);
  if (!problem.empty()) return SourceError(path, problem, "export the mesh again");
  if (scan->polygons > 0)
    source.notes.push_back(scan->polygons == 1
                               ? "1 polygon cut into triangles"
                               : fmt::format("{} polygons cut into triangles", scan->polygons));
  for (const std::string& name : scan->materials) {
    std::error_code status;
    if (!std::filesystem::exists(std::filesystem::path(path).parent_path() / name, status))
      source.notes.push_back(
          fmt::format("material file '{}' is missing; colours are not used anyway", name));
  }
  source.notes.insert(source.notes.end(), scan->notes.begin(), scan->notes.end());
  // these are correctly rounded, the library's are not
  source.vertices = std::move(scan.value().points);
  return source;
}

/// COLLADA 1.4, <up_axis>: the right, the up and the inward direction of each.
Vec3 TurnZUp(const Vec3& p, UpAxis up) {
  if (up == UpAxis::kX) return {-p.y(), -p.z(), p.x()};
  if (up == UpAxis::kY) return {p.x(), -p.z(), p.y()};
  return p;
}

bool IsOtherThanZ(UpAxis up) { return up == UpAxis::kX || up == UpAxis::kY; }

std::string Convention(const MeshMessage& message, bool as_written) {
  const bool unit = message.unit > 0 && message.unit != 1;
  const bool turned = IsOtherThanZ(message.up);
  if (!unit && !turned) return {};
  const char axis = message.up == UpAxis::kX ? 'x' : 'y';
  if (turned && as_written)
    return fmt::format("{}{} up: {}taken as it is, as other readers of URDF do",
                       unit ? fmt::format("a unit of {:g} m, and ", message.unit) : "", axis,
                       unit ? "turned to metres, and else " : "");
  if (unit && turned)
    return fmt::format("a unit of {:g} m, and {} up: turned to metres and z up", message.unit,
                       axis);
  return unit ? fmt::format("a unit of {:g} m: turned to metres", message.unit)
              : fmt::format("{} up: turned so that z is up", axis);
}

Result<MeshSource> SourceOfMessage(MeshMessage message, const std::string& path, double scale,
                                   const ShapeFormat& format, MeshAxes axes) {
  MeshSource source;
  const bool as_written = axes == MeshAxes::kAsWritten && format.suffix == ".dae";
  source.convention = {Convention(message, as_written), as_written && IsOtherThanZ(message.up)};
  if (as_written) message.up = UpAxis::kNone;
  const double factor = message.unit > 0 ? scale * message.unit : scale;
  const bool as_is = factor == 1 && !IsOtherThanZ(message.up);
  for (Vec3& p : message.hull)
    if (!as_is) p = factor * TurnZUp(p, message.up);
  for (Vec3& p : message.vertices) {
    if (!as_is) p = factor * TurnZUp(p, message.up);
    if (!(p.cwiseAbs().maxCoeff() <= kFarthest))
      return SourceError(
          path,
          fmt::format("a vertex lies {:.3g} m from the origin; at most {:.0e} m is allowed",
                      p.stableNorm(), kFarthest),
          "move it to the origin, or set 'scale', e.g. 0.001 for millimetres");
  }
  source.notes = std::move(message.notes);
  if (message.left_out > 0)
    source.notes.push_back(message.left_out == 1
                               ? std::string("1 point or line ignored")
                               : fmt::format("{} points or lines ignored", message.left_out));
  source.hull = std::move(message.hull);
  source.vertices = std::move(message.vertices);
  source.triangles = std::move(message.triangles);
  source.parts = std::move(message.parts);
  return source;
}

Result<MeshSource> SourceOfText(std::string text, const std::string& path, double scale,
                                MeshAxes axes) {
  const ShapeFormat* format = FindMeshFormat(path);
  if (format == nullptr) return NoFormat(path);
  if (format->reader == ShapeFormat::Reader::kText)
    return SourceOfObj(std::move(text), path, scale);
  Result<MeshMessage> message = ReadForeignMesh(text, path, *format);
  if (!message) return message.errors();
  return SourceOfMessage(std::move(message).value(), path, scale, *format, axes);
}

Result<MeshMessage> ReadMessage(const std::string& path, const ShapeFormat& format) {
  // of a hundred files, the first one that is not waited for is the last one that is read
  if (ThreadStop::Asked()) return SourceError(path, "it was stopped", "read it again");
  const Result<std::string> bytes = ReadMeshText(path);
  if (!bytes) return bytes.errors();
  return ReadForeignMesh(*bytes, path, format, true);
}

}  // namespace

void MeshStore::Prefetch(const std::vector<std::string>& paths) {
  std::vector<std::string> ahead;
  for (const std::string& path : paths) {
    const ShapeFormat* format = FindMeshFormat(path);
    std::error_code code;
    if (format == nullptr || format->reader != ShapeFormat::Reader::kHelper) continue;
    if (known_.contains(path) || !std::filesystem::is_regular_file(path, code)) continue;
    ahead.push_back(path);
  }
  std::sort(ahead.begin(), ahead.end());
  ahead.erase(std::unique(ahead.begin(), ahead.end()), ahead.end());
  if (ahead.size() < 2) return;
  std::vector<std::optional<Result<MeshMessage>>> read(ahead.size());
  std::atomic<std::size_t> triangles{0};
  const StopPoll* poll = ThreadStop::Present();
  const int count = static_cast<int>(ahead.size());
  WorkerPool pool(std::min(HardwareThreads(), count));
  pool.ForEach(count, [&](int i) {
    const ThreadStop stop(poll);
    if (ThreadStop::Asked() || triangles > kMostAhead) return;
    const auto at = static_cast<std::size_t>(i);
    try {
      read[at] = ReadMessage(ahead[at], *FindMeshFormat(ahead[at]));
    } catch (const std::exception&) {
      return;  // read again when it is asked for, where somebody hears of it
    }
    if (read[at]->ok()) triangles += (*read[at])->triangles.size();
  });
  for (std::size_t i = 0; i < ahead.size(); ++i)
    if (read[i]) known_.insert_or_assign(ahead[i], std::move(*read[i]));
}

Result<MeshMessage> MeshStore::Read(const std::string& path) {
  const ShapeFormat* format = FindMeshFormat(path);
  if (format == nullptr) return NoFormat(path);
  if (const auto known = known_.find(path); known != known_.end()) return known->second;
  return known_.insert_or_assign(path, ReadMessage(path, *format)).first->second;
}

Result<MeshSource> ReadMeshSourceText(std::string text, const std::string& path, double scale) {
  return SourceOfText(std::move(text), path, scale, MeshAxes::kZUp);
}

Result<MeshSource> ReadMeshSource(const std::string& path, double scale, MeshStore* store,
                                  MeshAxes axes) {
  const ShapeFormat* format = FindMeshFormat(path);
  if (store != nullptr && format != nullptr && format->reader == ShapeFormat::Reader::kHelper) {
    Result<MeshMessage> message = store->Read(path);
    if (!message) return message.errors();
    return SourceOfMessage(std::move(message).value(), path, scale, *format, axes);
  }
  // what is no file is told before its ending is
  Result<std::string> text = ReadMeshText(path);
  if (!text) return text.errors();
  return SourceOfText(std::move(text).value(), path, scale, axes);
}

Result<Imported<TriangleMesh>> MakeTriangleMesh(MeshSource source, const std::string& path,
                                                MeshUse use) {
  if (const Status wide = CheckThickness(UsedVertices(source.vertices, source.triangles), use);
      !wide.ok()) {
    Error error = wide.error();
    error.file = path;
    return error;
  }
  Result<Imported<TriangleMesh>> mesh =
      CleanMesh(std::move(source.vertices), std::move(source.triangles), use, path);
  if (mesh) {
    auto& notes = mesh.value().notes;
    notes.insert(notes.begin(), source.notes.begin(), source.notes.end());
    if (!source.convention.words.empty()) notes.insert(notes.begin(), source.convention.words);
  }
  return mesh;
}

std::vector<ColoredTriangles> SplitByColor(const MeshSource& source, std::size_t most) {
  std::vector<ColoredTriangles> split;
  for (const MeshPart& part : source.parts) {
    auto at = std::find_if(split.begin(), split.end(),
                           [&](const ColoredTriangles& one) { return one.color == part.color; });
    if (at == split.end()) at = split.insert(split.end(), {part.color, {}});
    at->triangles.insert(at->triangles.end(), source.triangles.begin() + part.first,
                         source.triangles.begin() + part.first + part.count);
  }
  if (split.empty()) split.push_back({std::nullopt, source.triangles});
  std::stable_sort(split.begin(), split.end(), [](const auto& a, const auto& b) {
    return a.triangles.size() > b.triangles.size();
  });
  for (std::size_t i = std::max<std::size_t>(1, most); i < split.size(); ++i)
    split[0].triangles.insert(split[0].triangles.end(), split[i].triangles.begin(),
                              split[i].triangles.end());
  if (split.size() > most) split.resize(std::max<std::size_t>(1, most));
  return split;
}

}  // namespace slip
