#include "engine/geometry/stl_file.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "engine/geometry/first_seen.h"

namespace slip {
namespace {

std::uint32_t CountStlTriangles(std::string_view bytes) {
  std::uint32_t count = 0;
  if (bytes.size() >= kStlHead + kStlCount) std::memcpy(&count, bytes.data() + kStlHead, kStlCount);
  return count;
}

}  // namespace

bool IsBinaryStl(std::string_view bytes) {
  const std::uint64_t count = CountStlTriangles(bytes);
  return count > 0 && bytes.size() == kStlHead + kStlCount + count * kStlTriangle;
}

MeshMessage ReadBinaryStl(std::string_view bytes) {
  MeshMessage message;
  const std::uint32_t count = CountStlTriangles(bytes);
  if (count > kMostMeshTriangles) {
    message.problem =
        fmt::format("it has {} triangles; at most {} are allowed", count, kMostMeshTriangles);
    return message;
  }
  // a closed surface has half as many vertices; every corner is written once per triangle
  FirstSeen<3> known(count / 2);
  message.vertices.reserve(count / 2 + 2);
  message.triangles.reserve(count);
  const char* at = bytes.data() + kStlHead + kStlCount;
  for (std::uint32_t t = 0; t < count; ++t, at += kStlTriangle) {
    std::array<float, 12> numbers;  // the normal first
    std::memcpy(numbers.data(), at, sizeof(numbers));
    std::array<int, 3>& triangle = message.triangles.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      std::array<std::uint32_t, 3> bits{};
      Vec3 p;
      for (std::size_t k = 0; k < 3; ++k) {
        // minus zero is zero
        const float number = numbers[3 + 3 * i + k] + 0.0F;
        if (!std::isfinite(number)) {
          message = {};
          message.problem = "a coordinate is not finite";
          return message;
        }
        bits[k] = std::bit_cast<std::uint32_t>(number);
        p[static_cast<int>(k)] = static_cast<double>(number);
      }
      triangle[i] = known.Find(bits);
      if (known.size() > message.vertices.size()) message.vertices.push_back(p);
    }
  }
  message.parts.push_back({.name = {}, .color = {}, .first = 0, .count = static_cast<int>(count)});
  return message;
}

}  // namespace slip
