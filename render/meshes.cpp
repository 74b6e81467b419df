// Mesh generation.
#include "render/meshes.h"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace slip::render {
namespace {
constexpr double kPi = std::numbers::pi;
}

MeshData MakeRoundedBox(int segments_per_quarter) {
  MeshData mesh;
  mesh.floats_per_vertex = 6;
  const int n = segments_per_quarter;
  // A globe whose quarter meridians and equator appear twice, once for each neighbouring corner:
  // the quads between the twins are the flat faces and the edges.
  const int columns = 4 * (n + 1), rows = 2 * (n + 1);
  for (int row = 0; row < rows; ++row) {
    const int half = row / (n + 1);
    const double latitude = kPi / 2 - (half + static_cast<double>(row % (n + 1)) / n) * kPi / 2;
    for (int column = 0; column < columns; ++column) {
      const int quarter = column / (n + 1);
      const double longitude = (quarter + static_cast<double>(column % (n + 1)) / n) * kPi / 2;
      const double sx = (quarter == 0 || quarter == 3) ? 1 : -1, sy = quarter < 2 ? 1 : -1;
      for (double value : {sx, sy, half == 0 ? 1.0 : -1.0, std::cos(latitude) * std::cos(longitude),
                           std::cos(latitude) * std::sin(longitude), std::sin(latitude)}) {
        mesh.vertices.push_back(static_cast<float>(value));
      }
    }
  }
  const auto index = [columns](int row, int column) {
    return static_cast<uint16_t>(row * columns + column % columns);
  };
  const auto triangle = [&mesh](uint16_t a, uint16_t b, uint16_t c) {
    mesh.indices.insert(mesh.indices.end(), {a, b, c});
  };
  for (int row = 0; row + 1 < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const uint16_t a = index(row, column), b = index(row + 1, column);
      const uint16_t c = index(row + 1, column + 1), d = index(row, column + 1);
      triangle(a, b, c);
      triangle(a, c, d);
    }
  }
  // lids: the four twins of each pole
  const int last = rows - 1;
  triangle(index(0, 0), index(0, n + 1), index(0, 2 * (n + 1)));
  triangle(index(0, 0), index(0, 2 * (n + 1)), index(0, 3 * (n + 1)));
  triangle(index(last, 0), index(last, 2 * (n + 1)), index(last, n + 1));
  triangle(index(last, 0), index(last, 3 * (n + 1)), index(last, 2 * (n + 1)));
  return mesh;
}

MeshData MakeArrow(int sides) {
  MeshData mesh;
  mesh.floats_per_vertex = 5;
  struct Ring {
    float radius, station, normal;
  };
  // each pair of rings is one band of the profile
  constexpr Ring kRings[] = {{0, 0, 2}, {1, 0, 2}, {1, 0, 0}, {1, 1, 0},
                             {1, 1, 2}, {2, 1, 2}, {2, 1, 1}, {0, 2, 1}};
  for (const Ring& ring : kRings) {
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * kPi * i / sides;
      for (double value : {std::cos(angle), std::sin(angle), static_cast<double>(ring.radius),
                           static_cast<double>(ring.station), static_cast<double>(ring.normal)}) {
        mesh.vertices.push_back(static_cast<float>(value));
      }
    }
  }
  for (int band = 0; band < 4; ++band) {
    for (int i = 0; i < sides; ++i) {
      const int next = (i + 1) % sides;
      const auto a = static_cast<uint16_t>(2 * band * sides + i);
      const auto b = static_cast<uint16_t>(2 * band * sides + next);
      const auto c = static_cast<uint16_t>((2 * band + 1) * sides + next);
      const auto d = static_cast<uint16_t>((2 * band + 1) * sides + i);
      mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
    }
  }
  return mesh;
}

}  // namespace slip::render
