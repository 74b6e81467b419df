// Passes of point clouds.
#include "render/gl/cloud_painter.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace slip::render {
namespace {

// Of one cloud in the shadow map; a random part of it throws the same shadow.
constexpr int kMostShadowPoints = 20000;
// Of a cloud that is a ghost: it is drawn twice.
constexpr int kMostGhostPoints = 20000;
// Of the depth buffer: ghosts that coincide with the lead must not flicker.
constexpr float kBehindLead = 1e-6f;

bool HasClouds(const SolidSet& set) {
  return std::any_of(set.own.begin(), set.own.end(), [](const SolidSet::Own& own) {
    return own.shape->kind == ShapeKind::kPointCloud && !own.instances.empty();
  });
}

Status LoadClouds(std::vector<std::string> defines, CloudPrograms* programs) {
  const auto load = [&defines](Program* program, const char* own) {
    std::vector<std::string> all = defines;
    if (own != nullptr) all.emplace_back(own);
    return LoadProgram("cloud", "cloud", all, program);
  };
  Status status = load(&programs->ball, nullptr);
  if (status) status = load(&programs->speck, "FLAT 1");
  if (status) status = load(&programs->quads, "QUAD 1");
  return status;
}

}  // namespace

Status CloudPainter::Load() {
  GLfloat sizes[2] = {1, 1};
  glGetFloatv(GL_POINT_SIZE_RANGE, sizes);
  largest_point_ = sizes[1];
  Status status = LoadClouds({"SHADOW_TAPS 0", "FAST 1"}, &lit_[0]);
  if (status) status = LoadClouds({"SHADOW_TAPS 1", "FAST 1"}, &lit_[1]);
  if (status) status = LoadClouds({"SHADOW_TAPS 4"}, &lit_[2]);
  if (status) status = LoadClouds({"DEPTH_ONLY 1"}, &depth_);
  return status;
}

void CloudPainter::DrawShadow(const DrawList& list, const Mat4& matrix, const Vec3& to_light,
                              int texels, MeshStore* meshes) {
  if (!HasClouds(list.solids) && !HasClouds(list.casters)) return;
  glEnable(GL_PROGRAM_POINT_SIZE);
  const double across = matrix.block<1, 3>(0, 0).norm();
  CloudPass pass;
  pass.forward = -to_light.cast<float>();
  pass.perspective = false;
  pass.pixels = static_cast<float>(0.5 * texels * across);
  pass.largest_point = largest_point_;
  pass.most = kMostShadowPoints;
  for (const Program* program : {&depth_.ball, &depth_.speck, &depth_.quads}) {
    program->Use();
    program->Set("u_view_projection", Eigen::Matrix4f(matrix.cast<float>()));
    program->Set("u_pixels", pass.pixels);
    program->Set("u_perspective", 0.0f);
    program->Set("u_clip_per_metre",
                 Eigen::Vector2f(Eigen::Vector2f::Constant(static_cast<float>(across))));
  }
  meshes->DrawClouds(list.solids, pass, depth_);
  meshes->DrawClouds(list.casters, pass, depth_);
}

CloudPass CloudPainter::Begin(const DrawContext& context, const CloudPrograms& programs,
                              const Vec3& to_light, const UseProgram& use) const {
  glEnable(GL_PROGRAM_POINT_SIZE);
  const Camera& camera = context.camera;
  const Mat4 projection = camera.Projection(context.viewport);
  const double resolution = std::clamp(context.request.resolution, 0.1, 1.0);
  const Vec3 forward = camera.forward_W(), right = camera.right_W();
  CloudPass pass;
  pass.forward = forward.cast<float>();
  pass.behind = static_cast<float>(forward.dot(camera.spec().target - camera.eye_W()));
  pass.perspective = !camera.orthographic();
  pass.pixels =
      static_cast<float>(0.5 * std::round(context.viewport.height * resolution) * projection(1, 1));
  pass.largest_point = largest_point_;
  float neutral[4];
  SetColour(context.colours.cloud, neutral);
  pass.neutral = Eigen::Vector3f(neutral[0], neutral[1], neutral[2]);
  Mat3 view;
  view << right.transpose(), right.cross(forward).transpose(), -forward.transpose();
  for (const Program* program : {&programs.ball, &programs.speck, &programs.quads}) {
    use(*program);
    program->Set("u_light_view", Eigen::Vector3f((view * to_light).cast<float>()));
    program->Set("u_up_view", Eigen::Vector3f((view * camera.up_W()).cast<float>()));
    program->Set("u_perspective", pass.perspective ? 1.0f : 0.0f);
    program->Set("u_pixels", pass.pixels);
    program->Set("u_clip_per_metre",
                 Eigen::Vector2f(projection.diagonal().head<2>().cast<float>()));
    // a metre towards the eye is one of z in its axes
    program->Set("u_toward", Eigen::Vector2f(projection.block<2, 1>(2, 2).cast<float>()));
  }
  return pass;
}

void CloudPainter::DrawSolids(const DrawContext& context, const SolidSet& set, std::size_t taps,
                              const Vec3& to_light, const UseProgram& use, MeshStore* meshes) {
  if (!HasClouds(set)) return;
  const CloudPass pass = Begin(context, lit_[taps], to_light, use);
  meshes->DrawClouds(set, pass, lit_[taps]);
}

// Balls of a cloud lie over each other: only the nearest at each pixel, or they become fog.
void CloudPainter::DrawGhosts(const DrawContext& context, const SolidSet& set, const Vec3& to_light,
                              const UseProgram& use, MeshStore* meshes) {
  if (!HasClouds(set)) return;
  CloudPass pass = Begin(context, lit_[0], to_light, use);
  pass.depth_offset = kBehindLead;
  pass.most = kMostGhostPoints;
  glDepthMask(GL_TRUE);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  meshes->DrawClouds(set, pass, lit_[0]);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
  glDepthMask(GL_FALSE);
  meshes->DrawClouds(set, pass, lit_[0]);
}

}  // namespace slip::render
