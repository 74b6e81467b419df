// Meshes, poses and files that the geometry tests share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <string>

#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mesh.h"
#include "engine/geometry/shape.h"

namespace slip::test {

inline constexpr double kPi = std::numbers::pi;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double Uniform(double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(engine_);
  }
  Vec3 Direction() {
    // one by one: compilers differ in the order of arguments
    std::normal_distribution<double> normal;
    const double z = normal(engine_), y = normal(engine_), x = normal(engine_);
    return Vec3(x, y, z).normalized();
  }
  Vec3 InBox(double half) {
    return {Uniform(-half, half), Uniform(-half, half), Uniform(-half, half)};
  }
  Quat Rotation() {
    std::normal_distribution<double> normal;
    const double z = normal(engine_), y = normal(engine_), x = normal(engine_);
    return Quat(normal(engine_), x, y, z).normalized();
  }

 private:
  std::mt19937 engine_;
};

struct Soup {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

inline Soup BoxSoup(const Vec3& size) {
  Soup soup;
  for (int i = 0; i < 8; ++i)
    soup.vertices.emplace_back(
        Vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5).cwiseProduct(size));
  soup.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return soup;
}

/// A ball of longitudes and latitudes: 2 n (n - 1) triangles and about n² vertices.
inline Soup BallSoup(double radius, int n) {
  Soup soup;
  soup.vertices.emplace_back(0, 0, -radius);
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double theta = kPi * i / n, phi = 2 * kPi * j / n;
      soup.vertices.emplace_back(radius * std::sin(theta) * std::cos(phi),
                                 radius * std::sin(theta) * std::sin(phi),
                                 -radius * std::cos(theta));
    }
  soup.vertices.emplace_back(0, 0, radius);
  const int top = static_cast<int>(soup.vertices.size()) - 1;
  const auto at = [n](int i, int j) { return 1 + (i - 1) * n + j % n; };
  for (int j = 0; j < n; ++j) {
    soup.triangles.push_back({0, at(1, j + 1), at(1, j)});
    soup.triangles.push_back({top, at(n - 1, j), at(n - 1, j + 1)});
    for (int i = 1; i + 1 < n; ++i) {
      soup.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      soup.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  }
  return soup;
}

/// A flat square in the plane z = 0 of n by n cells, facing up.
inline Soup FloorSoup(double size, int n) {
  Soup soup;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      soup.vertices.emplace_back(size * (i - n / 2.0) / n, size * (j - n / 2.0) / n, 0);
  const auto at = [n](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      soup.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      soup.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return soup;
}

inline TriangleMesh Clean(const Soup& soup, MeshUse use = MeshUse::kSurface) {
  return CleanMesh(soup.vertices, soup.triangles, use).value().mesh;
}

inline ConvexMesh RandomHull(Random* random, int points, double size) {
  std::vector<Vec3> cloud;
  for (int i = 0; i < points; ++i) cloud.push_back(size / 2 * random->Direction());
  return CalcConvexHull(cloud).value();
}

inline std::string ObjText(const Soup& soup) {
  std::string text;
  char line[128];
  for (const Vec3& p : soup.vertices) {
    std::snprintf(line, sizeof line, "v %.17g %.17g %.17g\n", p.x(), p.y(), p.z());
    text += line;
  }
  for (const auto& t : soup.triangles) {
    std::snprintf(line, sizeof line, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
    text += line;
  }
  return text;
}

/// A file that is gone at the end of the test.
class TempFile {
 public:
  TempFile(const std::string& name, const std::string& text)
      : path_((std::filesystem::path(testing::TempDir()) / ("slip_mesh_" + name)).string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TempFile() { std::filesystem::remove(path_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline bool HasNote(const std::vector<std::string>& notes, const std::string& part) {
  for (const std::string& note : notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace slip::test
