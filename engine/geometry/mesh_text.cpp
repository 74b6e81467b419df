#include "engine/geometry/mesh_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "engine/core/text_file.h"
#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

/// As for points, see kMostPoints.
constexpr int kMostTriangles = 2000000;
constexpr int kMostCorners = 1000;
constexpr TextFileKind kMeshFile{.name = "mesh file", .most_bytes = kMostMeshBytes};

/// Faces beside the points.
class ObjScanner : public PointScanner {
 public:
  using PointScanner::PointScanner;

  void ReadFace(std::string_view rest) {
    int corners = 0;
    for (std::string_view word = NextWord(&rest, " \t"); !word.empty() && !word.starts_with('#');
         word = NextWord(&rest, " \t")) {
      const std::optional<int> index = ParseNumber<int>(word.substr(0, word.find('/')));
      if (!index || !AreNumbers(word))
        return Fail(fmt::format("{} is not a corner; expected a vertex number", QuoteWord(word)),
                    "write faces on one line, like 'f 1 2 3' or 'f 1/1/1 2/2/2 3/3/3'");
      if (*index == 0) return Fail("vertex number 0; vertices count from 1");
      const int count = static_cast<int>(text.points.size());
      if (*index < -count)
        return Fail(fmt::format("vertex number {} counts back beyond the {} vertices so far",
                                *index, count));
      if (*index > largest_) largest_ = *index, largest_line_ = line();
      ++corners;
    }
    if (corners < 3) return Fail(fmt::format("a face has {} corners; expected 3 or more", corners));
    if (corners > kMostCorners)
      return Fail(
          fmt::format("a face has {} corners; at most {} are allowed", corners, kMostCorners),
          "cut it into triangles");
    triangles_ += corners - 2;
    if (triangles_ > kMostTriangles)
      return Stop(fmt::format("more than {} triangles", kMostTriangles), "decimate the mesh");
    ++text.faces;
    if (corners > 3) ++text.polygons;
  }

  // Faces may name vertices that come later, so this waits for the end.
  void CheckIndices() {
    const int count = static_cast<int>(text.points.size());
    if (!failed() && largest_ > count)
      FailAt(largest_line_,
             fmt::format("a face names vertex {}, but there are only {}", largest_, count),
             "is the file complete?");
  }

 private:
  // "1/2/3", "1//3", "1/2": texture and normal are not used, but must be there or left out
  static bool AreNumbers(std::string_view corner) {
    int parts = 0;
    while (true) {
      const std::size_t slash = std::min(corner.find('/'), corner.size());
      if (slash > 0 && !ParseNumber<int>(corner.substr(0, slash))) return false;
      if (++parts > 3) return false;
      if (slash == corner.size()) return true;
      corner.remove_prefix(slash + 1);
    }
  }

  int largest_ = 0, largest_line_ = 0;
  int triangles_ = 0;
};

}  // namespace

std::string LowerExtension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

Result<std::string> ReadMeshText(const std::string& path) { return ReadTextFile(path, kMeshFile); }

Status CleanMeshText(const std::string& path, std::string* text) {
  const auto error = [&path](std::string message, std::string hint) {
    return Error{.message = std::move(message), .file = path, .hint = std::move(hint)};
  };
  if (text->starts_with("\xEF\xBB\xBF")) text->erase(0, 3);
  if (text->find_first_not_of(" \t\r\n") == std::string::npos)
    return error("the file is empty", "export it again");
  if (text->find('\0') != std::string::npos)
    return error("this is not a text file", "export it as text: OBJ, or lines 'x y z'");
  return Ok{};
}

void JoinObjLines(std::string* text) {
  if (text->find("\\\n") == text->npos && text->find("\\\r\n") == text->npos) return;
  std::string joined;
  joined.reserve(text->size());
  int lines = 0;
  bool comment = false;  // which ends with its line
  for (std::string_view rest = *text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    const bool ends = line.size() < rest.size();
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::string_view words = line;
    if (words.ends_with('\r')) words.remove_suffix(1);
    if (lines == 0) comment = words.substr(0, words.find_first_not_of(" \t") + 1).ends_with('#');
    if (ends && !comment && words.ends_with('\\')) {
      joined.append(words.substr(0, words.size() - 1)) += ' ';
      ++lines;
      continue;
    }
    joined.append(line);
    joined.append(static_cast<std::size_t>(lines + (ends ? 1 : 0)), '\n');
    lines = 0;
  }
  *text = std::move(joined);
}

Result<MeshText> ScanObj(std::string_view text, const std::string& path, double scale) {
  constexpr std::string_view kBlanks = " \t";
  ObjScanner scanner(path, scale);
  int ignored = 0;
  while (!text.empty() && !scanner.full()) {
    std::string_view rest = NextLine(&text);
    scanner.NextLine();
    const std::string_view word = NextWord(&rest, kBlanks);
    if (word.empty() || word.starts_with('#')) continue;
    if (word == "v") {
      scanner.ReadPoint(rest, kBlanks);
    } else if (word == "f") {
      scanner.ReadFace(rest);
    } else if (word == "mtllib") {
      for (auto name = NextWord(&rest, kBlanks); !name.empty(); name = NextWord(&rest, kBlanks))
        scanner.text.materials.emplace_back(name);
    } else if (word == "l" || word == "p" || word == "curv" || word == "surf") {
      ++ignored;
    } else if (!std::all_of(word.begin(), word.end(), [](unsigned char c) {
                 return c < 128 && (std::isalpha(c) || c == '_');
               })) {
      scanner.Fail(
          fmt::format("{} starts no OBJ line; expected v, f, vn, vt, g, o, ...", QuoteWord(word)),
          "is this an OBJ file?");
    }
  }
  scanner.CheckIndices();
  if (ignored > 0)
    scanner.text.notes.push_back(
        fmt::format("{} with points, lines or curves ignored",
                    ignored == 1 ? "1 line" : fmt::format("{} lines", ignored)));
  return scanner.Finish();
}

}  // namespace slip
