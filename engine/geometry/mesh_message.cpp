#include "engine/geometry/mesh_message.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "engine/core/utf8.h"

namespace slip {
namespace {

// Both ends are the same program on the same machine: numbers are as in memory.
constexpr std::string_view kMeshBegin = "slipmsh2", kMeshEnd = "endmesh2";
constexpr std::size_t kMostText = 4096;
constexpr std::uint32_t kMostParts = 100000, kMostSideFiles = 1000, kMostNotes = 100;

class MeshWriter {
 public:
  template <class T>
  void Add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(T));
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
  void AddText(std::string_view text) {
    text = text.substr(0, kMostText);
    Add(static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
  std::string bytes;
};

class MeshParser {
 public:
  explicit MeshParser(std::string_view bytes) : rest_(bytes) {}
  bool good() const { return good_; }
  bool empty() const { return rest_.empty(); }
  void Refuse() { good_ = false; }

  template <class T>
  T Take() {
    T value{};
    if (rest_.size() < sizeof(T)) Refuse();
    if (!good_) return T{};
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return value;
  }
  /// A count of things of at least `bytes` each that follow.
  std::size_t TakeCount(std::uint64_t most, std::size_t bytes) {
    const auto count = Take<std::uint64_t>();
    if (count > most || count * bytes > rest_.size()) Refuse();
    return good_ ? static_cast<std::size_t>(count) : 0;
  }
  std::string TakeText() {
    const auto size = Take<std::uint32_t>();
    if (size > kMostText || size > rest_.size()) Refuse();
    if (!good_) return {};
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    // it goes into sentences
    for (char& c : text)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    if (!IsUtf8(text))
      for (char& c : text)
        if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    return text;
  }
  void Expect(std::string_view word) {
    if (!rest_.starts_with(word)) Refuse();
    if (good_) rest_.remove_prefix(word.size());
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::optional<std::array<double, 4>> TakeColor(MeshParser* in) {
  const auto given = in->Take<std::uint8_t>();
  if (given > 1) in->Refuse();
  if (given != 1) return std::nullopt;
  std::array<double, 4> color{};
  for (double& c : color) {
    c = in->Take<double>();
    if (!(c >= 0 && c <= 1)) in->Refuse();
  }
  return color;
}

bool AreParts(const std::vector<MeshPart>& parts, std::size_t triangles) {
  std::int64_t next = 0;
  for (const MeshPart& part : parts) {
    if (part.first != next || part.count <= 0) return false;
    next += part.count;
  }
  return static_cast<std::size_t>(next) == triangles;
}

}  // namespace

std::string EncodeMesh(const MeshMessage& message) {
  MeshWriter out;
  out.bytes = kMeshBegin;
  out.AddText(message.problem);
  if (message.problem.empty()) {
    out.bytes.reserve(1024 + message.vertices.size() * 24 + message.triangles.size() * 12);
    out.Add(message.unit);
    out.Add(static_cast<std::uint8_t>(message.up));
    out.Add(message.left_out);
    out.Add(static_cast<std::uint64_t>(message.notes.size()));
    for (const std::string& note : message.notes) out.AddText(note);
    out.Add(static_cast<std::uint64_t>(message.side_files.size()));
    for (const MeshSideFile& file : message.side_files) {
      out.AddText(file.name);
      out.AddText(file.hash);
    }
    out.Add(static_cast<std::uint64_t>(message.parts.size()));
    for (const MeshPart& part : message.parts) {
      out.AddText(part.name);
      out.Add(static_cast<std::uint8_t>(part.color ? 1 : 0));
      if (part.color)
        for (const double c : *part.color) out.Add(c);
      out.Add(static_cast<std::int32_t>(part.first));
      out.Add(static_cast<std::int32_t>(part.count));
    }
    out.Add(static_cast<std::uint64_t>(message.vertices.size()));
    for (const Vec3& p : message.vertices)
      for (int i = 0; i < 3; ++i) out.Add(p[i]);
    out.Add(static_cast<std::uint64_t>(message.triangles.size()));
    for (const auto& t : message.triangles)
      for (const int v : t) out.Add(static_cast<std::int32_t>(v));
  }
  out.bytes += kMeshEnd;
  return std::move(out.bytes);
}

std::optional<MeshMessage> DecodeMesh(std::string_view bytes) {
  MeshParser in(bytes);
  MeshMessage message;
  in.Expect(kMeshBegin);
  message.problem = in.TakeText();
  if (in.good() && message.problem.empty()) {
    message.unit = in.Take<double>();
    if (!(message.unit >= 0 && message.unit <= 1e9)) in.Refuse();
    const auto up = in.Take<std::uint8_t>();
    if (up > static_cast<std::uint8_t>(UpAxis::kZ)) in.Refuse();
    message.up = static_cast<UpAxis>(up);
    message.left_out = in.Take<std::uint64_t>();
    message.notes.resize(in.TakeCount(kMostNotes, 4));
    for (std::string& note : message.notes) note = in.TakeText();
    message.side_files.resize(in.TakeCount(kMostSideFiles, 8));
    for (MeshSideFile& file : message.side_files) {
      file.name = in.TakeText();
      file.hash = in.TakeText();
    }
    message.parts.resize(in.TakeCount(kMostParts, 13));
    for (MeshPart& part : message.parts) {
      part.name = in.TakeText();
      part.color = TakeColor(&in);
      part.first = in.Take<std::int32_t>();
      part.count = in.Take<std::int32_t>();
    }
    message.vertices.resize(in.TakeCount(3 * kMostMeshTriangles, 24));
    for (Vec3& p : message.vertices)
      for (int i = 0; i < 3; ++i) p[i] = in.Take<double>();
    message.triangles.resize(in.TakeCount(kMostMeshTriangles, 12));
    for (auto& t : message.triangles)
      for (int& v : t) {
        v = in.Take<std::int32_t>();
        if (v < 0 || static_cast<std::size_t>(v) >= message.vertices.size()) in.Refuse();
      }
    for (const Vec3& p : message.vertices)
      if (!p.allFinite()) in.Refuse();
    if (!AreParts(message.parts, message.triangles.size())) in.Refuse();
  }
  in.Expect(kMeshEnd);
  if (!in.good() || !in.empty()) return std::nullopt;
  return message;
}

}  // namespace slip
