// A scene whose first search for contacts takes long: every point of a cloud is near every
// triangle.
#pragma once

#include <cmath>
#include <fstream>
#include <string>

#include "tests/support/temp_folder.h"

namespace slip {

/// Its file; on any machine a second or more for every thousand points.
inline std::string WriteSlowSearch(const TempFolder& folder, int points) {
  constexpr int kSide = 40;
  std::ofstream floor(folder.path("floor.obj"));
  for (int i = 0; i <= kSide; ++i)
    for (int j = 0; j <= kSide; ++j)
      floor << "v " << 0.1 * i / kSide - 0.05 << " " << 0.1 * j / kSide - 0.05 << " "
            << 0.001 * std::sin(i) * std::cos(j) << "\n";
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      const int a = i * (kSide + 1) + j + 1, b = a + kSide + 1;
      floor << "f " << a << " " << b << " " << a + 1 << "\nf " << a + 1 << " " << b << " " << b + 1
            << "\n";
    }
  std::ofstream cloud(folder.path("cloud.xyz"));
  for (int i = 0; i < points; ++i) {
    const double z = 1 - 2 * (i + 0.5) / points, r = std::sqrt(1 - z * z), angle = 2.4 * i;
    cloud << 0.01 * r * std::cos(angle) << " " << 0.01 * r * std::sin(angle) << " " << 0.01 * z
          << "\n";
  }
  std::ofstream(folder.path("slow-search.toml"))
      << "title = \"Slow search\"\n[material.m]\n[body.floor]\nshape = \"mesh\"\n"
         "file = \"floor.obj\"\nmotion = \"fixed\"\n[body.a]\nshape = \"cloud\"\n"
         "file = \"cloud.xyz\"\nradius = 0.5\nmass = 1\nposition = [0, 0, 0.4]\n";
  return folder.path("slow-search.toml");
}

}  // namespace slip
