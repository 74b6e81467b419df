#include "engine/geometry/reach.h"

#include <map>

#include "engine/geometry/clip_triangle.h"

namespace slip {

/// The points of a grid on a cube, and the triangles between them.
struct Reach::Directions {
  Directions() {
    std::map<std::array<int, 3>, int> known;
    std::vector<Vec3> list;
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, kSteps})
        for (int i = 0; i < kSteps; ++i)
          for (int j = 0; j < kSteps; ++j) {
            const auto corner = [&](int u, int v) {
              std::array<int, 3> at{};
              at[ToIndex(axis)] = side;
              at[ToIndex((axis + 1) % 3)] = u;
              at[ToIndex((axis + 2) % 3)] = v;
              const auto [found, fresh] = known.try_emplace(at, static_cast<int>(list.size()));
              if (fresh)
                list.push_back(
                    (2 * Vec3(at[0], at[1], at[2]) - Vec3::Constant(kSteps)).normalized());
              return found->second;
            };
            const int a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                      d = corner(i, j + 1);
            triangles.push_back(side > 0 ? std::array{a, b, c} : std::array{a, c, b});
            triangles.push_back(side > 0 ? std::array{a, c, d} : std::array{a, d, c});
          }
    for (int k = 0; k < kDirections; ++k)
      for (int i = 0; i < 3; ++i) parts[i][k / 4][k % 4] = static_cast<float>(At(list, k)[i]);
  }
  Row parts[3][kRows];
  std::vector<std::array<int, 3>> triangles;
};

const Reach::Directions& Reach::AllDirections() {
  static const Directions directions;
  return directions;
}

Reach::Reach() {
  for (Row& row : rows_) row = Row{} + kNowhere;
}

Reach::Reach(const Vec3& p, std::size_t number, std::uint32_t mask) {
  const auto& parts = AllDirections().parts;
  const auto x = static_cast<float>(p.x()), y = static_cast<float>(p.y()),
             z = static_cast<float>(p.z());
  const auto own = static_cast<std::uint32_t>(number);
  for (int r = 0; r < kRows; ++r) {
    const Row height = x * parts[0][r] + y * parts[1][r] + z * parts[2][r];
    rows_[r] = std::bit_cast<Row>((std::bit_cast<Bits>(height) & ~mask) | own);
  }
}

double Reach::VolumeOf(const std::array<Vec3, kDirections>& points) {
  double volume = 0;
  std::array<Vec3, kDirections> from_first;
  for (std::size_t k = 0; k < points.size(); ++k) from_first[k] = points[k] - points[0];
  for (const auto& t : AllDirections().triangles)
    volume += SixVolumes(At(from_first, t[0]), At(from_first, t[1]), At(from_first, t[2]));
  return volume / 6;
}

}  // namespace slip
