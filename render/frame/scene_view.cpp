// Passes of one frame: shadow map, solids, conveyors, ground, their shadows without a map, ghosts,
// glyphs, outlines, resolve.
#include "render/frame/scene_view.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>

#include "engine/core/check.h"
#include "render/gl/cloud_painter.h"
#include "render/quantities/force_chains.h"
#include "render/gl/mesh_store.h"
#include "render/frame/occlusion.h"
#include "render/quantities/quantity.h"
#include "render/gl/shadow_painter.h"
#include "render/quantities/shadows.h"
#include "render/gl/smoothing.h"

namespace slip::render {
namespace {

constexpr float kInvPi = 0.31830989f;
constexpr double kNormalBias = 0.002;  // [m] hides acne; smaller than the lifts worth seeing

Eigen::Vector3f LinearColour(const Colour& colour) {
  float linear[4];
  SetColour(colour, linear);
  return {linear[0], linear[1], linear[2]};
}

/// Colours of a flat surface and its lines, in the key light and out of it.
void SetFlatLight(const Program& program, const SceneColours& colours, const Colour& base,
                  const Colour& lines, double upward, double facing) {
  const auto share = static_cast<float>(0.5 + 0.5 * upward);
  const Eigen::Vector3f sky =
      colours.hemisphere * kInvPi *
      (share * LinearColour(colours.sky) + (1 - share) * LinearColour(colours.earth));
  const Eigen::Vector3f key =
      Eigen::Vector3f::Constant(colours.key * kInvPi * static_cast<float>(std::max(facing, 0.0)));
  const auto lit = [](const Colour& albedo, const Eigen::Vector3f& light) {
    const Eigen::Vector3f c = LinearColour(albedo).cwiseProduct(light);
    return Eigen::Vector3f(c.unaryExpr([](float x) {
      x = std::clamp(x, 0.0f, 1.0f);
      return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
    }));
  };
  program.Set("u_lit", lit(base, sky + key));
  program.Set("u_shaded", lit(base, sky));
  program.Set("u_line_lit", lit(lines, sky + key));
  program.Set("u_line_shaded", lit(lines, sky));
  program.Set("u_line_alpha", lines.a);
  program.Set("u_fog_srgb", Eigen::Vector3f(colours.clear.r, colours.clear.g, colours.clear.b));
}

/// World (relative to the target) to shadow map, a box around the target seen from the light.
Mat4 ShadowMatrix(const Camera& camera, const Vec3& to_light, int texels) {
  const double radius = std::clamp(1.15 * camera.spec().distance, 0.2, 60.0);
  const Vec3 z = to_light, x = Vec3::UnitY().cross(z).normalized(), y = z.cross(x);
  Mat4 m = Mat4::Identity();
  m.row(0).head<3>() = x / radius;
  m.row(1).head<3>() = y / radius;
  m.row(2).head<3>() = -z / (3 * radius);
  // whole texels only: shadows must not crawl while the camera pans
  const double texel = 2.0 / texels;
  for (int i = 0; i < 2; ++i) {
    const double at = m.row(i).head<3>().dot(camera.spec().target);
    m(i, 3) = at - texel * std::round(at / texel);
  }
  return m;
}

}  // namespace

struct SceneView::Gpu {
  // [taps] of 0, 1, 9
  std::array<Program, 3> body, ball, ground, belt;
  CloudPainter clouds;
  ShadowPainter shadows;
  Occlusion occlusion;
  Smoothing smoothing;
  Program depth, ball_depth, arrow, plain, line, stroke;
  MeshStore meshes;
  GpuMesh arrows, strokes;
  GpuLines lines;
  ShadowMap shadow;
  std::array<ViewTarget, kPanes> targets;
  std::array<ViewPicture, kPanes> pictures;
  DrawList list;  ///< kept for its memory

  Status Load();
  void DrawShadow(const Mat4& matrix, const Vec3& to_light);
  void DrawGhosts();
  void DrawLines(const DrawContext& context);
  void DrawStrokes(const DrawContext& context, const Eigen::Matrix4f& view_projection);
  void DrawFrame(const DrawContext& context, ViewTarget& target);
};

Status SceneView::Gpu::Load() {
  Status status = Ok{};
  const auto load = [&status](Program* program, std::string_view vertex, std::string_view fragment,
                              const std::vector<std::string>& defines) {
    if (status) status = LoadProgram(vertex, fragment, defines, program);
  };
  constexpr std::array<int, 3> kTaps{0, 1, 9};
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<std::string> defines{"SHADOW_TAPS " + std::to_string(kTaps[i])};
    if (kTaps[i] < 9) defines.push_back("FAST 1");
    std::vector<std::string> solid = defines;
    if (kTaps[i] == 0) solid.emplace_back("VERTEX_LIT 1");
    load(&body[i], "solid", "solid", solid);
    solid.emplace_back("DOME 1");
    load(&ball[i], "solid", "solid", solid);
    load(&ground[i], "solid", "ground", defines);
    defines.emplace_back("BELT 1");
    load(&belt[i], "solid", "ground", defines);
  }
  load(&depth, "solid", "depth", {"DEPTH_ONLY 1"});
  load(&ball_depth, "solid", "depth", {"DEPTH_ONLY 1", "DOME 1"});
  load(&arrow, "arrow", "solid", {"SHADOW_TAPS 0", "PLAIN 1"});
  load(&plain, "solid", "solid", {"SHADOW_TAPS 0", "PLAIN 1"});
  load(&line, "line", "line", {});
  load(&stroke, "stroke", "stroke", {});
  if (status) status = clouds.Load();
  if (status) status = shadows.Load();
  if (status) status = occlusion.Load();
  if (status) status = smoothing.Load();
  if (!status) return status;

  constexpr int kArrowVertex[] = {2, 3}, kStrokeVertex[] = {2}, kInstance[] = {4, 4, 4, 4};
  meshes.Create();
  arrows.Create(MakeArrow(24), kArrowVertex, kInstance);
  strokes.Create({2, {0, -1, 1, -1, 1, 1, 0, 1}, {0, 1, 2, 0, 2, 3}}, kStrokeVertex, kInstance);
  lines.Create();
  return status;
}

void SceneView::Gpu::DrawShadow(const Mat4& matrix, const Vec3& to_light) {
  shadow.Bind();
  glDepthMask(GL_TRUE);
  glEnable(GL_DEPTH_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2.0f);
  depth.Use();
  depth.Set("u_view_projection", Eigen::Matrix4f(matrix.cast<float>()));
  meshes.Draw(list.solids);
  meshes.Draw(list.casters);
  meshes.Draw(Mesh::kBox, list.belts);
  // the half of a ball that faces the light throws the shadow
  ball_depth.Use();
  ball_depth.Set("u_view_projection", Eigen::Matrix4f(matrix.cast<float>()));
  const Eigen::Vector3f light = to_light.cast<float>();
  ball_depth.Set("u_eye", Eigen::Vector4f(light.x(), light.y(), light.z(), 0));
  ball_depth.Set("u_right", Eigen::Vector3f(light.unitOrthogonal()));
  meshes.DrawDomes(list.solids);
  meshes.DrawDomes(list.casters);
  glDisable(GL_POLYGON_OFFSET_FILL);
  clouds.DrawShadow(list, matrix, to_light, shadow.size(), &meshes);
}

void SceneView::Gpu::DrawGhosts() {
  meshes.Draw(Mesh::kBlock, list.panes);
  // many ghosts: only the nearest at each pixel, or they become fog and cost like it
  glDepthMask(list.ghosts_in_front ? GL_TRUE : GL_FALSE);
  // a hair behind: faces that coincide with the lead's must not flicker
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 8.0f);
  meshes.Draw(list.ghosts);
  ball[0].Use();
  meshes.DrawDomes(list.ghosts);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDepthMask(GL_FALSE);
}

void SceneView::Gpu::DrawLines(const DrawContext& context) {
  glDisable(GL_CULL_FACE);
  line.Use();
  line.Set("u_size", Eigen::Vector2f(static_cast<float>(context.viewport.width),
                                     static_cast<float>(context.viewport.height)));
  for (const LineBatch& batch : list.lines) {
    batch.tested ? glEnable(GL_DEPTH_TEST) : glDisable(GL_DEPTH_TEST);
    line.Set("u_half_width", static_cast<float>(0.5 * batch.width));
    lines.Draw(batch);
  }
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_CULL_FACE);
}

void SceneView::Gpu::DrawStrokes(const DrawContext& context,
                                 const Eigen::Matrix4f& view_projection) {
  if (list.strokes.empty()) return;
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  stroke.Use();
  stroke.Set("u_view_projection", view_projection);
  stroke.Set("u_size", Eigen::Vector2f(static_cast<float>(context.viewport.width),
                                       static_cast<float>(context.viewport.height)));
  // w is the depth, and 1 in a drawing
  const double metres = context.camera.MetresPerPixel(1, context.viewport);
  stroke.Set("u_scale", static_cast<float>(1 / metres));
  const Colour rim =
      context.request.theme == Theme::kDark ? Colour::Hex(0x14171B) : Colour::Hex(0xFFFFFF);
  stroke.Set("u_rim", Eigen::Vector3f(rim.r, rim.g, rim.b));
  strokes.Draw(std::span<const StrokeInstance>(list.strokes));
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_CULL_FACE);
}

void SceneView::Gpu::DrawFrame(const DrawContext& context, ViewTarget& target) {
  const Camera& camera = context.camera;
  const SceneColours& colours = context.colours;
  const ViewRequest& request = context.request;
  const Vec3 to_light = ToKeyLight(camera);

  // low quality has no map, only the shadows on planes
  const std::size_t taps = request.quality == Quality::kLow      ? 0
                           : request.quality == Quality::kMedium ? 1
                                                                 : 2;
  const int texels = request.quality == Quality::kHigh ? 2048 : 1024;
  const Mat4 shadow_matrix = ShadowMatrix(camera, to_light, texels);
  if (taps > 0) {
    shadow.Resize(texels);
    DrawShadow(shadow_matrix, to_light);
  }

  target.Bind();
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  const bool bare = request.backdrop != Backdrop::kScene;
  const float shade = request.backdrop == Backdrop::kWhite ? 1.0f : 0.0f;
  if (bare) {
    glClearColor(shade, shade, shade, 1);
  } else {
    glClearColor(colours.clear.r, colours.clear.g, colours.clear.b, 1);
  }
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  // the picture stays opaque, whatever is blended into it
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_CULL_FACE);
  glCullFace(GL_BACK);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glBlendEquation(GL_FUNC_ADD);
  if (request.msaa > 1) glEnable(GL_MULTISAMPLE);

  const Eigen::Matrix4f view_projection =
      (camera.Projection(context.viewport) * camera.View()).cast<float>();
  // texture coordinates 0 to 1 from clip space -1 to 1
  Mat4 half = Mat4::Identity();
  half.diagonal() << 0.5, 0.5, 0.5, 1;
  half.col(3).head<3>().setConstant(0.5);
  const Eigen::Matrix4f to_shadow = (half * shadow_matrix).cast<float>();
  const double d = camera.spec().distance;
  const Eigen::Vector2f fog =
      camera.orthographic() || bare
          ? Eigen::Vector2f(1e9f, 0.0f)
          : Eigen::Vector2f(static_cast<float>(1.1 * d), static_cast<float>(1 / (4.0 * d + 1)));
  const auto use = [&](const Program& program) {
    program.Use();
    program.Set("u_view_projection", view_projection);
    program.Set("u_to_light", Eigen::Vector3f(to_light.cast<float>()));
    program.Set("u_up", Eigen::Vector3f(camera.up_W().cast<float>()));
    program.Set("u_sky", Eigen::Vector3f(colours.hemisphere * kInvPi * LinearColour(colours.sky)));
    program.Set("u_earth",
                Eigen::Vector3f(colours.hemisphere * kInvPi * LinearColour(colours.earth)));
    program.Set("u_key", Eigen::Vector3f(Eigen::Vector3f::Constant(colours.key * kInvPi)));
    program.Set("u_fog_colour", LinearColour(colours.clear));
    program.Set("u_fog", fog);
    program.Set("u_alpha", 1.0f);
    program.Set("u_shadow", to_shadow);
    program.Set("u_shadow_map", 0);
    program.Set("u_shadow_texel", Eigen::Vector3f(1.0f / static_cast<float>(texels),
                                                  static_cast<float>(kNormalBias), 2e-4f));
  };
  const auto use_ball = [&](const Program& program) {
    use(program);
    const bool flat = camera.orthographic();
    const Eigen::Vector3f eye =
        (flat ? Vec3(-camera.forward_W()) : Vec3(camera.eye_W() - camera.spec().target))
            .cast<float>();
    program.Set("u_eye", Eigen::Vector4f(eye.x(), eye.y(), eye.z(), flat ? 0.0f : 1.0f));
    program.Set("u_right", Eigen::Vector3f(camera.right_W().cast<float>()));
  };
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, taps > 0 ? shadow.texture() : 0);

  // solids first: what they cover is not shaded again
  glDisable(GL_BLEND);
  if (request.wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  use(body[taps]);
  meshes.Draw(list.solids);
  use_ball(ball[taps]);
  meshes.DrawDomes(list.solids);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  clouds.DrawSolids(context, list.solids, taps, to_light, use, &meshes);
  const auto draw_flat = [&](const Program& program, const std::vector<SolidInstance>& surfaces,
                             const Colour& base, const Colour& lines_colour) {
    if (surfaces.empty()) return;
    use(program);
    for (const SolidInstance& surface : surfaces) {
      const Vec3 n(surface.rows[0][2], surface.rows[1][2], surface.rows[2][2]);
      SetFlatLight(program, colours, base, lines_colour, n.dot(camera.up_W()), n.dot(to_light));
      meshes.Draw(Mesh::kBox, std::span(&surface, 1));
    }
  };
  draw_flat(belt[taps], list.belts, colours.belt, colours.slat_gap);
  if (!bare) draw_flat(ground[taps], list.ground, colours.ground, colours.grid);

  occlusion.Draw(context, target);

  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  shadows.Draw(list.shadows, view_projection, fog);

  use_ball(ball[0]);
  use(body[0]);
  DrawGhosts();
  clouds.DrawGhosts(context, list.ghosts, to_light, use, &meshes);
  // lines under the glyphs
  DrawLines(context);
  DrawStrokes(context, view_projection);

  // glyphs: faint where a body covers them, full in front
  const auto glyphs = [&](float alpha) {
    use(arrow);
    arrow.Set("u_alpha", alpha);
    arrows.Draw(std::span<const ArrowInstance>(list.arrows));
    use(plain);
    plain.Set("u_alpha", alpha);
    meshes.Draw(Mesh::kBox, list.marks);
  };
  use(arrow);
  glDisable(GL_DEPTH_TEST);
  arrows.Draw(std::span<const ArrowInstance>(list.cones));
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glyphs(0.45f);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glyphs(1.0f);
}

SceneView::SceneView() : gpu_(std::make_unique<Gpu>()) {}
SceneView::~SceneView() = default;

Result<std::unique_ptr<SceneView>> SceneView::Create() {
  if (!ContextAlive()) return Error{"no OpenGL context to draw with", "", 0, 0, ""};
  const StateGuard guard;
  std::unique_ptr<SceneView> view(new SceneView);
  const Status status = view->gpu_->Load();
  if (!status) return status.errors();
  return view;
}

const ViewPicture& SceneView::Draw(const Snapshot& snapshot, const Camera& camera,
                                   const ViewRequest& request, int width, int height, int pane) {
  SLIP_CHECK(pane >= 0 && pane < kPanes);
  const auto index = static_cast<std::size_t>(pane);
  ViewPicture& picture = gpu_->pictures[index];
  picture = ViewPicture{};
  if (width < 1 || height < 1 || !ContextAlive()) return picture;
  const StateGuard guard;
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  ViewTarget& target = gpu_->targets[index];
  const double resolution = std::clamp(request.resolution, 0.1, 1.0);
  const auto scaled = [&](int size) {
    return std::max(1, static_cast<int>(std::lround(size * resolution)));
  };
  if (!target.Resize(scaled(width), scaled(height), request.msaa)) return picture;

  using Clock = std::chrono::steady_clock;
  const auto milliseconds = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  };
  const Clock::time_point start = Clock::now();
  // glyphs, lines and labels are placed in pixels of the pane, whatever the picture's own
  const DrawContext context{snapshot,
                            request,
                            camera,
                            {static_cast<double>(width), static_cast<double>(height)},
                            ColoursOf(request.theme)};
  DrawList& list = gpu_->list;
  BuildScene(context, &list);
  DrawQuantities(context, &list, &picture);
  const Clock::time_point built = Clock::now();
  gpu_->meshes.Sweep();
  gpu_->DrawFrame(context, target);
  target.Resolve();
  picture.texture = target.texture();
  picture.framebuffer = target.framebuffer();
  if (request.smooth && request.msaa <= 1) {
    const ColourTarget& smooth = gpu_->smoothing.Draw(target, index);
    picture.texture = smooth.texture.id();
    picture.framebuffer = smooth.framebuffer.id();
  }
  picture.cost = {milliseconds(start, built), milliseconds(built, Clock::now()),
                  gpu_->meshes.TakeDraws(),
                  list.solids.size() + list.ghosts.size() + list.strokes.size()};
  picture.width = scaled(width);
  picture.height = scaled(height);
  picture.grid_spacing = GridSpacing(camera.spec().distance);
  picture.newtons_per_10cm = NewtonsPer10cm(snapshot, request);
  picture.chains = DrawsChains(snapshot, request);
  picture.chain_range = ChainRange(snapshot, request);
  return picture;
}

void SceneView::Blit(int pane, int x, int y) const {
  SLIP_CHECK(pane >= 0 && pane < kPanes);
  const auto index = static_cast<std::size_t>(pane);
  const ViewPicture& picture = gpu_->pictures[index];
  if (!picture.texture || !ContextAlive()) return;
  GLint read = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, picture.framebuffer);
  glBlitFramebuffer(0, 0, picture.width, picture.height, x, y, x + picture.width,
                    y + picture.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
}

}  // namespace slip::render
