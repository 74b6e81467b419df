// Closed figures that are not convex, with what is known of them.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "tests/support/geometry.h"

namespace slip::test {

/// Boxes of a grid, of which `filled` says which are there, with the surface that they have
/// together.
inline Soup GridSoup(const std::array<std::vector<double>, 3>& at,
                     const std::function<bool(int, int, int)>& filled) {
  Soup soup;
  std::map<std::array<int, 3>, int> known;
  const auto corner = [&](const std::array<int, 3>& i) {
    const auto [entry, fresh] = known.try_emplace(i, static_cast<int>(soup.vertices.size()));
    if (fresh) soup.vertices.emplace_back(at[0][i[0]], at[1][i[1]], at[2][i[2]]);
    return entry->second;
  };
  const auto is_there = [&](const std::array<int, 3>& i) {
    for (int k = 0; k < 3; ++k)
      if (i[k] < 0 || i[k] + 1 >= static_cast<int>(at[k].size())) return false;
    return filled(i[0], i[1], i[2]);
  };
  for (int x = 0; x + 1 < static_cast<int>(at[0].size()); ++x)
    for (int y = 0; y + 1 < static_cast<int>(at[1].size()); ++y)
      for (int z = 0; z + 1 < static_cast<int>(at[2].size()); ++z)
        for (int axis = 0; axis < 3 && is_there({x, y, z}); ++axis)
          for (const int side : {0, 1}) {
            std::array<int, 3> beyond = {x, y, z};
            beyond[axis] += side == 0 ? -1 : 1;
            if (is_there(beyond)) continue;
            std::array<int, 4> face{};
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (int c = 0; c < 4; ++c) {
              std::array<int, 3> i = {x, y, z};
              i[axis] += side;
              i[side == 1 ? u : v] += c == 1 || c == 2 ? 1 : 0;
              i[side == 1 ? v : u] += c >= 2 ? 1 : 0;
              face[c] = corner(i);
            }
            soup.triangles.push_back({face[0], face[1], face[2]});
            soup.triangles.push_back({face[0], face[2], face[3]});
          }
  return soup;
}

/// 40 x 30 x 6 cm, walls and floor 1 cm thick, its underside at z = 0.
inline Soup TraySoup() {
  return GridSoup({{{-0.2, -0.19, 0.19, 0.2}, {-0.15, -0.14, 0.14, 0.15}, {0, 0.01, 0.06}}},
                  [](int x, int y, int z) { return z == 0 || x != 1 || y != 1; });
}
inline constexpr double kTrayVolume = 0.4 * 0.3 * 0.06 - 0.38 * 0.28 * 0.05;

inline Soup EllSoup() {
  return GridSoup({{{0, 0.05, 0.2}, {0, 0.05}, {0, 0.05, 0.2}}},
                  [](int x, int, int z) { return x == 0 || z == 0; });
}
inline constexpr double kEllVolume = 0.05 * (0.2 * 0.2 - 0.15 * 0.15);

/// About z, from z = 0 up.
inline Soup RingSoup(int n, double outer, double inner, double height) {
  Soup soup;
  for (int i = 0; i < n; ++i)
    for (const double r : {outer, inner})
      for (const double z : {0.0, height})
        soup.vertices.emplace_back(r * std::cos(2 * kPi * i / n), r * std::sin(2 * kPi * i / n), z);
  const auto quad = [&](int a, int b, int c, int d) {
    soup.triangles.push_back({a, b, c});
    soup.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < n; ++i) {
    const int a = 4 * i, b = 4 * ((i + 1) % n);
    quad(a, b, b + 1, a + 1);
    quad(a + 2, a + 3, b + 3, b + 2);
    quad(a + 1, b + 1, b + 3, a + 3);
    quad(a, a + 2, b + 2, b);
  }
  return soup;
}
inline double RingVolume(int n, double outer, double inner, double height) {
  return n * std::sin(2 * kPi / n) / 2 * (outer * outer - inner * inner) * height;
}

/// Half a shell, open upwards, of n meridians and m parallels.
inline Soup BowlSoup(int n, int m, double radius, double thickness) {
  Soup soup;
  std::vector<std::vector<int>> rows;
  for (const double r : {radius, radius - thickness})
    for (int i = 0; i <= m; ++i) {
      std::vector<int>& row = rows.emplace_back();
      const double theta = kPi / 2 * i / m;
      for (int j = 0; j < (i == 0 ? 1 : n); ++j) {
        const double phi = 2 * kPi * j / n;
        row.push_back(static_cast<int>(soup.vertices.size()));
        soup.vertices.emplace_back(r * std::sin(theta) * std::cos(phi),
                                   r * std::sin(theta) * std::sin(phi), -r * std::cos(theta));
      }
    }
  const auto strip = [&](const std::vector<int>& a, const std::vector<int>& b, bool inward) {
    for (int j = 0; j < n; ++j) {
      const int k = (j + 1) % n;
      std::vector<std::array<int, 3>> two = {{a[a.size() == 1 ? 0 : j], b[k], b[j]}};
      if (a.size() > 1) two.push_back({a[j], a[k], b[k]});
      for (auto& t : two) {
        if (inward) std::swap(t[1], t[2]);
        soup.triangles.push_back(t);
      }
    }
  };
  for (int i = 0; i < m; ++i) {
    strip(rows[i], rows[i + 1], false);
    strip(rows[m + 1 + i], rows[m + 2 + i], true);
  }
  strip(rows[m], rows[2 * m + 1], false);
  return soup;
}

inline Soup Together(Soup a, const Soup& b, const Vec3& by = Vec3::Zero()) {
  const int shift = static_cast<int>(a.vertices.size());
  for (const Vec3& p : b.vertices) a.vertices.push_back(p + by);
  for (auto t : b.triangles) {
    for (int& v : t) v += shift;
    a.triangles.push_back(t);
  }
  return a;
}

}  // namespace slip::test
