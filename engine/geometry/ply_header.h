// The header of a PLY file [G. Turk, "The PLY Polygon File Format", 1994]: which elements follow in
// the file, how many of each, and of what each is made.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/geometry/point_scan.h"

namespace slip {

enum class PlyFormat { kText, kLittleEndian, kBigEndian };

enum class PlyType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };
/// Bytes in a binary file.
inline constexpr std::array<std::size_t, 8> kPlyBytes = {1, 1, 2, 2, 4, 4, 4, 8};

struct PlyProperty {
  std::string_view name;
  PlyType type = PlyType::kFloat;
  std::optional<PlyType> count = {};  ///< of a list: the type of its length, which comes first

  std::size_t bytes() const { return At(kPlyBytes, type); }
};

struct PlyElement {
  std::string_view name;
  uint64_t rows = 0;
  int line = 0;  ///< where it stands in the header
  std::vector<PlyProperty> properties = {};

  bool HasList() const;
  /// Bytes of a row in a binary file, lists counted as empty.
  std::size_t Bytes() const;
  /// Where a property stands, or -1.
  int Find(std::string_view property) const;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::kText;
  std::vector<PlyElement> elements;
  int vertex = -1;              ///< which of the elements has the points
  std::array<int, 3> xyz = {};  ///< where its coordinates stand
};

/// Reads up to "end_header" and takes that from the front of `bytes`; the names in the header stay
/// where they are. Errors go to the scanner, which counts lines.
PlyHeader ReadPlyHeader(std::string_view* bytes, PointScanner* scanner);

}  // namespace slip
