// Files of points: which reader an ending asks for, points sampled from a mesh, and the writers.
#include <fmt/format.h>

#include "engine/core/output_file.h"
#include "engine/core/text_file.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/point_cloud.h"
#include "engine/geometry/point_scan.h"
#include "engine/geometry/shape_formats.h"

namespace slip {
namespace {

constexpr TextFileKind kCloudFile{.name = "point cloud", .most_bytes = kMostMeshBytes};

Error CloudError(const std::string& path, std::string message, std::string hint) {
  return {.message = std::move(message), .file = path, .hint = std::move(hint)};
}

Result<MeshText> ScanCloud(std::string text, const std::string& path, double scale) {
  const std::string extension = LowerExtension(path);
  if (extension == ".ply") return ScanPly(text, path, scale);
  if (const Status clean = CleanMeshText(path, &text); !clean.ok()) return clean.errors();
  if (extension == ".obj") {
    JoinObjLines(&text);
    return ScanObj(text, path, scale);
  }
  if (const ShapeFormat* format = FindShapeFormat(path); format != nullptr && format->points)
    return ScanPoints(text, path, scale);
  return CloudError(path,
                    fmt::format("point clouds of type '{}' cannot be read; expected {}", extension,
                                CloudSuffixes()),
                    "write one 'x y z' per line");
}

// Points without a radius get their mass from elsewhere.
Status CheckBalls(std::span<const Vec3> points, double radius, const std::string& path) {
  if (!(radius > 0)) return Ok{};
  const Status thick = CheckThickness(points, MeshUse::kSolid, radius);
  if (thick.ok()) return Ok{};
  Error error = thick.error();
  error.file = path;
  return error;
}

std::string OneLine(std::string_view comment) {
  std::string line(comment);
  for (char& c : line)
    if (c == '\n' || c == '\r' || c == '\0') c = ' ';
  return line;
}

void AppendPoints(std::span<const Vec3> points, std::string* text) {
  for (const Vec3& p : points)
    fmt::format_to(std::back_inserter(*text), "{} {} {}\n", p.x(), p.y(), p.z());
}

}  // namespace

Result<Imported<PointCloud>> ReadPointCloudText(std::string text, const std::string& path,
                                                double radius, double scale) {
  Result<MeshText> scan = ScanCloud(std::move(text), path, scale);
  if (!scan) return scan.errors();
  MeshText& found = scan.value();
  if (found.points.empty() && found.left_out > 0)
    return CloudError(path, "no point of the file has three finite coordinates", "export it again");
  if (found.points.empty())
    return CloudError(path, "the file has no points", "write one 'x y z' per line");
  if (const Status thick = CheckBalls(found.points, radius, path); !thick.ok())
    return thick.errors();
  if (found.faces > 0)
    found.notes.push_back(fmt::format("{} faces ignored: only points are used", found.faces));
  if (const int twice = CountDuplicates(found.points); twice > 0)
    found.notes.push_back(
        twice == 1 ? "1 point lies where an earlier one does; it is kept"
                   : fmt::format("{} points lie where earlier ones do; they are kept", twice));
  const double spacing = CalcSpacing(found.points);
  return Imported<PointCloud>{
      {.points = std::move(found.points), .radius = radius, .spacing = spacing},
      std::move(found.notes)};
}

bool IsPointFile(const std::string& path) {
  const ShapeFormat* format = FindShapeFormat(path);
  if (format == nullptr || !format->points) return false;
  if (!format->faces || format->suffix != ".ply") return !format->faces;
  const Result<std::string> text = ReadMeshText(path);
  return !text.ok() || !HasPlyFaces(*text);
}

Result<Imported<PointCloud>> ReadPointCloud(const std::string& path, double radius, double scale) {
  Result<std::string> text = ReadTextFile(path, kCloudFile);
  if (!text) return text.errors();
  return ReadPointCloudText(std::move(text).value(), path, radius, scale);
}

Result<Imported<PointCloud>> SamplePointCloud(const std::string& path, int count, double radius,
                                              double scale) {
  Result<Imported<TriangleMesh>> surface = ReadTriangleMesh(path, MeshUse::kSurface, scale);
  if (!surface) return surface.errors();
  Result<std::vector<Vec3>> points = SampleSurface(surface->mesh, count);
  if (!points) {
    Error error = points.error();
    error.file = path;
    return error;
  }
  if (const Status thick = CheckBalls(*points, radius, path); !thick.ok()) return thick.errors();
  const double spacing = CalcSpacing(*points);
  return Imported<PointCloud>{
      {.points = std::move(points).value(), .radius = radius, .spacing = spacing},
      std::move(surface.value().notes)};
}

std::string FormatXyz(std::span<const Vec3> points, std::string_view comment) {
  std::string text;
  if (!comment.empty()) text = "# " + OneLine(comment) + "\n";
  AppendPoints(points, &text);
  return text;
}

std::string FormatPly(std::span<const Vec3> points, std::string_view comment) {
  std::string text = "ply\nformat ascii 1.0\n";
  if (!comment.empty()) text += "comment " + OneLine(comment) + "\n";
  text += fmt::format("element vertex {}\n", points.size());
  for (const char axis : {'x', 'y', 'z'}) text += fmt::format("property double {}\n", axis);
  text += "end_header\n";
  AppendPoints(points, &text);
  return text;
}

Status WritePointCloud(std::span<const Vec3> points, const std::string& path, bool force,
                       std::string_view comment) {
  const std::string extension = LowerExtension(path);
  if (extension == ".xyz") return WriteFile(path, FormatXyz(points, comment), force);
  if (extension == ".ply") return WriteFile(path, FormatPly(points, comment), force);
  return CloudError(path, fmt::format("point clouds cannot be written as '{}'", extension),
                    "name it .xyz or .ply");
}

}  // namespace slip
