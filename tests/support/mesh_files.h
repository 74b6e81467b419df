// Writes small meshes in the formats that people have, as their programs do.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/support/geometry.h"

namespace slip::test {

struct NamedSoup {
  const char* name;
  Soup soup;
  double volume;  ///< closed form [m³]
};

/// Ten closed figures, convex and not, in one piece and in two.
std::vector<NamedSoup> TenFigures();

std::string StlText(const Soup& soup, const std::string& name = "figure");
/// `head` begins the 80 bytes before the count.
std::string StlBytes(const Soup& soup, const std::string& head = "made by a test");

struct ColladaLook {
  std::string asset = "<up_axis>Z_UP</up_axis>";   ///< within <asset>
  std::string pose = {};                           ///< within <node>, before what it shows
  std::vector<std::array<double, 4>> colors = {};  ///< the triangles, in as many equal parts
  bool polygons = false;                           ///< <polylist> instead of <triangles>
};
std::string ColladaText(const Soup& soup, const ColladaLook& look = {});

/// glTF 2 with y up: what is read back with z up is the soup. `buffer` names the file of
/// GltfBuffer; empty: it stands in the text itself.
std::string GltfText(const Soup& soup, const std::string& buffer = {});
std::string GltfBuffer(const Soup& soup);
std::string GlbBytes(const Soup& soup);

enum class PlyWritten { kText, kLittleEndian, kBigEndian };
std::string PlyFaces(const Soup& soup, PlyWritten written = PlyWritten::kText);

}  // namespace slip::test
