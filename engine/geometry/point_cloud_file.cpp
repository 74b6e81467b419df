// Files of points: which reader an ending asks for, lines "x y z", and the writers.
#include <fmt/format.h>

#include "engine/core/output_file.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/point_cloud.h"
#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

Error CloudError(const std::string& path, std::string message, std::string hint) {
  return {.message = std::move(message), .file = path, .hint = std::move(hint)};
}

bool IsTextOfPoints(const std::string& extension) {
  return extension == ".xyz" || extension == ".txt" || extension == ".csv";
}

Result<MeshText> ScanCloud(std::string text, const std::string& path, double scale) {
  const std::string extension = LowerExtension(path);
  if (extension == ".ply") return ScanPly(text, path, scale);
  if (const Status clean = CleanMeshText(path, &text); !clean.ok()) return clean.errors();
  if (extension == ".obj") return ScanObj(text, path, scale);
  if (IsTextOfPoints(extension)) return ScanPoints(text, path, scale);
  return CloudError(
      path,
      fmt::format(
          "point clouds of type '{}' cannot be read; expected .obj, .ply, .xyz, .txt or .csv",
          extension),
      "write one 'x y z' per line");
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

Result<MeshText> ScanPoints(std::string_view text, const std::string& path, double scale) {
  constexpr std::string_view kBlanks = " \t,;";
  PointScanner scanner(path, scale);
  std::optional<std::size_t> promised;
  int heading = 0;
  bool first = true;
  while (!text.empty() && !scanner.full()) {
    std::string_view rest = NextLine(&text);
    scanner.NextLine();
    const std::string_view line = rest;
    const std::string_view word = NextWord(&rest, kBlanks);
    if (word.empty() || word.starts_with('#')) continue;
    // the number of points that .xyz files begin with, or names of columns such as "x,y,z"
    const bool alone = rest.find_first_not_of(kBlanks) == rest.npos;
    if (first && alone) promised = ParseNumber<std::size_t>(word);
    const bool names = !ParseNumber<double>(word);
    if (first && (promised || names)) {
      heading = scanner.line();
      scanner.text.notes.push_back(
          fmt::format("line {} is taken for a heading: {}", heading, QuoteWord(line)));
    } else {
      scanner.ReadPoint(line, kBlanks);
    }
    first = false;
  }
  if (const std::size_t found = scanner.text.points.size();
      promised && !scanner.failed() && *promised != found)
    scanner.FailAt(heading,
                   fmt::format("the heading says {} points, but the file has {}", *promised, found),
                   "is the file complete? Without a heading every point is read");
  return scanner.Finish();
}

Result<Imported<PointCloud>> ReadPointCloudText(std::string text, const std::string& path,
                                                double radius, double scale) {
  Result<MeshText> scan = ScanCloud(std::move(text), path, scale);
  if (!scan) return scan.errors();
  MeshText& found = scan.value();
  if (found.points.empty())
    return CloudError(path, "the file has no points", "write one 'x y z' per line");
  // points without a radius get their mass from elsewhere
  const Status thick =
      radius > 0 ? CheckThickness(found.points, MeshUse::kSolid, radius) : Status(Ok{});
  if (!thick.ok()) {
    Error error = thick.error();
    error.file = path;
    return error;
  }
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
  const std::string extension = LowerExtension(path);
  return extension == ".ply" || IsTextOfPoints(extension);
}

Result<Imported<PointCloud>> ReadPointCloud(const std::string& path, double radius, double scale) {
  Result<std::string> text = ReadMeshText(path);
  if (!text) return text.errors();
  return ReadPointCloudText(std::move(text).value(), path, radius, scale);
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
