// What a process that reads mesh files says about one, as bytes: through its pipe, and in the
// cache. Neither is believed: whoever decodes it checks every number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/types.h"

namespace slip {

/// Triangles of one look, one after the other in the list.
struct MeshPart {
  std::string name;
  std::optional<std::array<double, 4>> color;  ///< red, green, blue, opacity, 0 to 1
  int first = 0, count = 0;
};

enum class UpAxis : std::uint8_t { kNone, kX, kY, kZ };

/// Another file that a mesh file names and that was read, e.g. a buffer of a glTF file.
struct MeshSideFile {
  std::string name;
  std::string hash;  ///< SHA-256 of what it holds
};

struct MeshMessage {
  /// What is wrong with the file: nothing else is said then.
  std::string problem;
  double unit = 0;  ///< metres in one unit of its lengths; 0 = the file does not say
  UpAxis up = UpAxis::kNone;
  std::uint64_t left_out = 0;      ///< points and lines
  double error = 0;                ///< how far it may be off what it stands for, in the file's unit
  std::vector<std::string> notes;  ///< what of the file was read in another way than it says
  std::vector<MeshSideFile> side_files;
  std::vector<MeshPart> parts;  ///< in the order of their triangles, all of them
  std::vector<Vec3> vertices;   ///< in the file's unit and axes, nodes' poses applied
  std::vector<std::array<int, 3>> triangles;
  std::vector<Vec3> hull;  ///< corners of its convex hull, where the triangles are not all of it
};

/// More are refused, with their number.
inline constexpr std::uint64_t kMostMeshTriangles = 2000000;

std::string EncodeMesh(const MeshMessage& message);
/// None for what is no such message, whole and with sound numbers.
std::optional<MeshMessage> DecodeMesh(std::string_view bytes);

}  // namespace slip
