// tinyobjloader reads the faces and cuts polygons into triangles. It reads to the end of its stream
// and cuts a group of faces at once; so the stream ends early when nobody waits any more, and its
// groups are small.
#include "engine/geometry/obj_faces.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <exception>
#include <istream>
#include <iterator>
#include <streambuf>

#include "engine/core/thread_stop.h"
#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

/// The vertices of an OBJ text, then its faces with numbers of vertices alone: a face may name
/// vertices behind it, and a group is cut where it ends. Nothing else: the library refuses a
/// comment behind a face and textures that are not there, and makes what a line such as "t x
/// 8192/8192/8192" only promises.
class ObjStream final : public std::streambuf {
 public:
  explicit ObjStream(std::string_view text) : text_(text), rest_(text) {}
  bool stopped() const { return stopped_; }

 protected:
  int_type underflow() override {
    constexpr std::size_t kChunk = 1 << 16;  // characters
    lines_.clear();
    while (!stopped_ && lines_.size() < kChunk && TakeLine()) {
    }
    setg(lines_.data(), lines_.data(), lines_.data() + lines_.size());
    return lines_.empty() ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }

 private:
  // False behind the last line.
  bool TakeLine() {
    if (taken_++ % kPolled == 0) stopped_ = ThreadStop::Asked();
    if (rest_.empty() && !faces_) {
      faces_ = true;
      rest_ = text_;
    }
    if (stopped_ || rest_.empty()) return false;
    std::string_view line = NextLine(&rest_);
    line = line.substr(0, line.find_first_of("#\r"));
    std::string_view words = line;
    const std::string_view word = NextWord(&words, kBlanks);
    if (word == "v" && !faces_) lines_.append(line) += '\n';
    if (word == "v" && faces_) ++vertices_;
    if (word == "f" && faces_) AppendFace(words);
    return true;
  }

  void AppendFace(std::string_view words) {
    constexpr int kGroup = 1 << 14;  // corners
    lines_ += 'f';
    for (auto word = NextWord(&words, kBlanks); !word.empty(); word = NextWord(&words, kBlanks)) {
      const int index = ParseNumber<int>(word.substr(0, word.find('/'))).value_or(0);
      fmt::format_to(std::back_inserter(lines_), " {}", index < 0 ? vertices_ + 1 + index : index);
      ++corners_;
    }
    lines_ += '\n';
    if (corners_ < kGroup) return;
    corners_ = 0;
    lines_ += "g more\n";
  }

  static constexpr std::string_view kBlanks = " \t";
  std::string_view text_, rest_;
  std::string lines_;  // that are read now
  bool faces_ = false, stopped_ = false;
  int vertices_ = 0;  // before the face
  int corners_ = 0;   // of the group
  int64_t taken_ = 0;
};

}  // namespace

std::vector<std::array<int, 3>> ParseObjFaces(std::string_view text, std::size_t vertex_count,
                                              std::string* problem) {
  std::vector<std::array<int, 3>> triangles;
  try {
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
    std::string warning;
    ObjStream lines(text);
    std::istream stream(&lines);
    const bool read =
        tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, problem, &stream);
    if (lines.stopped()) {
      *problem = "it was stopped";
    } else if (!read && problem->empty()) {
      *problem = "the faces cannot be read";
    }
    for (const tinyobj::shape_t& shape : shapes) {
      if (!problem->empty() || ThreadStop::Asked()) break;
      const std::vector<tinyobj::index_t>& corners = shape.mesh.indices;
      for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        const std::array<int, 3> t = {corners[i].vertex_index, corners[i + 1].vertex_index,
                                      corners[i + 2].vertex_index};
        for (const int v : t)
          if (v < 0 || static_cast<std::size_t>(v) >= vertex_count)
            *problem = fmt::format("a face names vertex {} of {}", v + 1, vertex_count);
        triangles.push_back(t);
      }
    }
    if (problem->empty() && ThreadStop::Asked()) *problem = "it was stopped";
  } catch (const std::exception& e) {
    *problem = fmt::format("the faces cannot be read: {}", e.what());
  }
  if (!problem->empty()) triangles.clear();
  return triangles;
}

}  // namespace slip
