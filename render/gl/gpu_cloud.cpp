// Point clouds on the GPU.
#include "render/gl/gpu_cloud.h"

#include <algorithm>

#include "engine/geometry/mesh.h"
#include "render/scene/cloud_points.h"

namespace slip::render {
namespace {

// Points of a smaller radius have the depth of their middle: what lies behind them is not shaded
// then [px].
constexpr float kSpeck = 2.6f;

}  // namespace

void GpuCloud::Create(const PointCloud& cloud) {
  const std::vector<float> vertices = MakeCloudVertices(cloud);
  size_ = static_cast<int>(cloud.points.size());
  spacing_ = CalcMeanSpacing(cloud.points);
  sized_ = cloud.radius > 0;
  for (const Vec3& p : cloud.points) bound_ = std::max(bound_, p.norm());
  points_ = MakeBuffer();
  corners_ = MakeBuffer();
  glBindBuffer(GL_ARRAY_BUFFER, points_.id());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(float)),
               vertices.data(), GL_STATIC_DRAW);
  constexpr float kCorners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
  glBindBuffer(GL_ARRAY_BUFFER, corners_.id());
  glBufferData(GL_ARRAY_BUFFER, sizeof(kCorners), kCorners, GL_STATIC_DRAW);
  for (const bool quads : {false, true}) {
    VertexArray& array = quads ? quads_array_ : points_array_;
    array = MakeVertexArray();
    glBindVertexArray(array.id());
    glBindBuffer(GL_ARRAY_BUFFER, points_.id());
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glVertexAttribDivisor(0, quads ? 1 : 0);
    if (!quads) continue;
    glBindBuffer(GL_ARRAY_BUFFER, corners_.id());
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  }
  glBindVertexArray(0);
}

void GpuCloud::Draw(int count, bool quads) const {
  if (count < 1) return;
  glBindVertexArray((quads ? quads_array_ : points_array_).id());
  if (quads) {
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
  } else {
    glDrawArrays(GL_POINTS, 0, count);
  }
}

void DrawCloud(const GpuCloud& cloud, const SolidInstance& instance, const CloudPass& pass,
               const CloudPrograms& programs) {
  const Eigen::Vector3f centre(instance.rows[0][3], instance.rows[1][3], instance.rows[2][3]);
  const float depth = pass.forward.dot(centre) + pass.behind;
  const float nearest = depth - static_cast<float>(cloud.bound());
  const auto pixels = [&](float length, float w) {
    if (!pass.perspective) return length * pass.pixels;
    return w > 0 ? length * pass.pixels / w : pass.largest_point;
  };
  const int seen = CountSeen(cloud.size(), pixels(static_cast<float>(cloud.spacing()), depth));
  const auto [count, larger] = ThinCloud(cloud.size(), std::min(pass.most, seen));
  // of fewer points than there are, or of points without a size, a surface must stay one
  const bool thinned = count < cloud.size();
  const auto covering =
      static_cast<float>(thinned || !cloud.sized() ? CoveringRadius(cloud.spacing(), thinned) : 0);
  const float radius = larger * std::max(instance.radius, covering);
  const bool quads = 2 * pixels(radius, nearest) >= pass.largest_point;
  const Program& program = quads                            ? programs.quads
                           : pixels(radius, depth) < kSpeck ? programs.speck
                                                            : programs.ball;
  program.Use();
  for (int i = 0; i < 3; ++i) {
    constexpr const char* kRows[] = {"u_row0", "u_row1", "u_row2"};
    const float* row = instance.rows[i];
    program.Set(kRows[i], Eigen::Vector4f(row[0], row[1], row[2], row[3]));
  }
  program.Set("u_radius", radius);
  const Eigen::Vector3f colour(instance.colour[0], instance.colour[1], instance.colour[2]);
  const auto mixed = [&](float share) {
    return Eigen::Vector3f(pass.neutral + share * (colour - pass.neutral));
  };
  program.Set("u_low", mixed(instance.params[2]));
  program.Set("u_high", mixed(instance.params[3]));
  program.Set("u_opacity", instance.colour[3]);
  program.Set("u_emissive", instance.params[1]);
  program.Set("u_behind", pass.depth_offset);
  cloud.Draw(count, quads);
}

}  // namespace slip::render
