#include "engine/geometry/mesh_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "engine/core/text_file.h"

namespace slip {
namespace {

/// A broken file has an error in every line; the first few tell the story.
constexpr std::size_t kMaxErrors = 20;
/// Beyond these, cleaning a mesh takes gigabytes; more than contact makes use of.
constexpr std::size_t kMostPoints = 2000000;
constexpr int kMostTriangles = 2000000;
constexpr int kMostCorners = 1000;
constexpr TextFileKind kMeshFile{.name = "mesh file", .most_bytes = 256 * kMebibyte};
/// Farther from the origin [m], rounding is worse than the contact tolerances.
constexpr double kFarthest = 1e6;

std::string_view NextLine(std::string_view* text) {
  const std::size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view NextWord(std::string_view* line, std::string_view blanks) {
  const std::size_t begin = std::min(line->find_first_not_of(blanks), line->size());
  line->remove_prefix(begin);
  const std::size_t end = std::min(line->find_first_of(blanks), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(end);
  return word;
}

template <class Number>
std::optional<Number> Parse(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// What a word of the file looks like in a message.
std::string Quote(std::string_view word) {
  std::string text = "'";
  for (char c : word.substr(0, 24)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 24 ? "...'" : "'");
}

class Scanner {
 public:
  Scanner(const std::string& path, double scale) : path_(path), scale_(scale) {}

  bool full() const { return stopped_ || errors_.size() >= kMaxErrors; }
  void NextLine() { ++line_; }
  int line() const { return line_; }

  void Fail(std::string message, std::string hint = {}) { FailAt(line_, message, hint); }
  /// The rest of the file would only repeat this.
  void Stop(std::string message, std::string hint) {
    Fail(std::move(message), std::move(hint));
    stopped_ = true;
  }
  void FailAt(int line, std::string message, std::string hint) {
    errors_.push_back(
        {.message = std::move(message), .file = path_, .line = line, .hint = std::move(hint)});
  }

  void ReadPoint(std::string_view rest, std::string_view blanks) {
    if (text.points.size() == kMostPoints)
      return Stop(fmt::format("more than {} points", kMostPoints),
                  "keep every tenth, or decimate the mesh");
    Vec3 p = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = NextWord(&rest, blanks);
      const std::optional<double> number = Parse<double>(word);
      if (word.empty())
        return Fail(fmt::format("a point has {} of 3 coordinates", i), "write x y z");
      if (!number)
        return Fail(
            fmt::format("{} is not a number; expected coordinate {}", Quote(word), "xyz"[i]));
      if (!std::isfinite(*number))
        return Fail(
            fmt::format("coordinate {} is {}; expected a finite number", "xyz"[i], Quote(word)),
            "export the mesh again");
      p[i] = *number * scale_;
    }
    if (p.cwiseAbs().maxCoeff() > kFarthest)
      return Fail(fmt::format("a point lies {:.3g} m from the origin; at most {:.0e} m is allowed",
                              p.norm(), kFarthest),
                  "centre the mesh or set 'scale', e.g. 0.001 for millimetres");
    text.points.push_back(p);
  }

  void ReadFace(std::string_view rest) {
    int corners = 0;
    for (std::string_view word = NextWord(&rest, " \t"); !word.empty() && !word.starts_with('#');
         word = NextWord(&rest, " \t")) {
      const std::optional<int> index = Parse<int>(word.substr(0, word.find('/')));
      if (!index || !AreNumbers(word))
        return Fail(fmt::format("{} is not a corner; expected a vertex number", Quote(word)),
                    "write faces on one line, like 'f 1 2 3' or 'f 1/1/1 2/2/2 3/3/3'");
      if (*index == 0) return Fail("vertex number 0; vertices count from 1");
      const int count = static_cast<int>(text.points.size());
      if (*index < -count)
        return Fail(fmt::format("vertex number {} counts back beyond the {} vertices so far",
                                *index, count));
      if (*index > largest_) largest_ = *index, largest_line_ = line_;
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
    if (errors_.empty() && largest_ > count)
      FailAt(largest_line_,
             fmt::format("a face names vertex {}, but there are only {}", largest_, count),
             "is the file complete?");
  }

  Result<MeshText> Finish() {
    if (!errors_.empty()) return std::move(errors_);
    return std::move(text);
  }

  MeshText text;

 private:
  // "1/2/3", "1//3", "1/2": texture and normal are not used, but must be there or left out
  static bool AreNumbers(std::string_view corner) {
    int parts = 0;
    while (true) {
      const std::size_t slash = std::min(corner.find('/'), corner.size());
      if (slash > 0 && !Parse<int>(corner.substr(0, slash))) return false;
      if (++parts > 3) return false;
      if (slash == corner.size()) return true;
      corner.remove_prefix(slash + 1);
    }
  }

  const std::string& path_;
  double scale_;
  int line_ = 0;
  int largest_ = 0, largest_line_ = 0;
  int triangles_ = 0;
  bool stopped_ = false;
  ErrorList errors_;
};

}  // namespace

Result<std::string> ReadMeshText(const std::string& path) { return ReadTextFile(path, kMeshFile); }

Status CleanMeshText(const std::string& path, std::string* text) {
  const auto error = [&path](std::string message, std::string hint) {
    return Error{.message = std::move(message), .file = path, .hint = std::move(hint)};
  };
  if (text->starts_with("\xEF\xBB\xBF")) text->erase(0, 3);
  if (text->find_first_not_of(" \t\r\n") == std::string::npos)
    return error("the file is empty", "export the mesh again");
  if (text->find('\0') != std::string::npos)
    return error("this is not a text file", "export as OBJ");
  return Ok{};
}

Result<MeshText> ScanObj(std::string_view text, const std::string& path, double scale) {
  constexpr std::string_view kBlanks = " \t";
  Scanner scanner(path, scale);
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
          fmt::format("{} starts no OBJ line; expected v, f, vn, vt, g, o, ...", Quote(word)),
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

Result<MeshText> ScanPoints(std::string_view text, const std::string& path, double scale) {
  constexpr std::string_view kBlanks = " \t,;";
  Scanner scanner(path, scale);
  bool first = true;
  while (!text.empty() && !scanner.full()) {
    std::string_view rest = NextLine(&text);
    scanner.NextLine();
    const std::string_view line = rest;
    const std::string_view word = NextWord(&rest, kBlanks);
    if (word.empty() || word.starts_with('#')) continue;
    // column names such as "x,y,z", or the number of points that .xyz files begin with
    const bool heading =
        first && (!Parse<double>(word) || rest.find_first_not_of(" \t,;") == rest.npos);
    first = false;
    if (heading)
      scanner.text.notes.push_back(
          fmt::format("line {} is taken for a heading: {}", scanner.line(), Quote(line)));
    else
      scanner.ReadPoint(line, kBlanks);
  }
  return scanner.Finish();
}

}  // namespace slip
