// Passes of one frame: shadow map, solids, conveyors, ground, their shadows without a map, ghosts,
// glyphs, outlines, resolve.
#include "render/frame/scene_view.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>

#include "engine/core/check.h"
#include "render/frame/frame_light.h"
#include "render/frame/occlusion.h"
#include "render/gl/cloud_painter.h"
#include "render/gl/mesh_store.h"
#include "render/gl/shadow_painter.h"
#include "render/gl/smoothing.h"
#include "render/quantities/force_arrows.h"
#include "render/quantities/force_chains.h"
#include "render/quantities/quantity.h"
#include "render/quantities/shadows.h"

namespace slip::render {

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
  // The passes of a frame, in their order.
  void DrawShadowMap(const FrameLight& light);
  void ClearTarget(const DrawContext& context, ViewTarget& target);
  void DrawSolids(const DrawContext& context, const FrameLight& light);
  void DrawFlats(const DrawContext& context, const FrameLight& light);
  void DrawGhosts(const DrawContext& context, const FrameLight& light);
  void DrawShapes(const FrameLight& light);
  void DrawLines(const DrawContext& context);
  void DrawStrokes(const DrawContext& context, const FrameLight& light);
  void DrawGlyphs(const FrameLight& light);
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

void SceneView::Gpu::DrawShadowMap(const FrameLight& of) {
  if (of.taps() == 0) return;
  const Mat4& matrix = of.shadow_matrix();
  const Vec3& to_light = of.to_light();
  shadow.Resize(of.texels());
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

void SceneView::Gpu::DrawGhosts(const DrawContext& context, const FrameLight& light) {
  light.UseBall(ball[0]);
  light.Use(body[0]);
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
  clouds.DrawGhosts(
      context, list.ghosts, light.to_light(),
      [&light](const Program& program) { light.Use(program); }, &meshes);
}

// Convex ones: their fronts alone cover each pixel once. Over the bodies that they stand for, and
// faint within them.
void SceneView::Gpu::DrawShapes(const FrameLight& light) {
  if (list.shapes.size() == 0) return;
  light.Use(plain);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-1.0f, -8.0f);
  const auto draw = [&](GLenum where, float alpha) {
    glDepthFunc(where);
    plain.Set("u_alpha", alpha);
    meshes.Draw(list.shapes);
  };
  draw(GL_GREATER, 0.45f);
  draw(GL_LEQUAL, 1.0f);
  glDisable(GL_POLYGON_OFFSET_FILL);
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

void SceneView::Gpu::DrawStrokes(const DrawContext& context, const FrameLight& light) {
  if (list.strokes.empty()) return;
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  stroke.Use();
  stroke.Set("u_view_projection", light.view_projection());
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

void SceneView::Gpu::ClearTarget(const DrawContext& context, ViewTarget& target) {
  target.Bind();
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  const float shade = context.request.backdrop == Backdrop::kWhite ? 1.0f : 0.0f;
  if (context.request.backdrop != Backdrop::kScene) {
    glClearColor(shade, shade, shade, 1);
  } else {
    const Colour& clear = context.colours.clear;
    glClearColor(clear.r, clear.g, clear.b, 1);
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
  if (context.request.msaa > 1) glEnable(GL_MULTISAMPLE);
}

void SceneView::Gpu::DrawSolids(const DrawContext& context, const FrameLight& light) {
  const std::size_t taps = light.taps();
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, taps > 0 ? shadow.texture() : 0);
  glDisable(GL_BLEND);
  if (context.request.wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  light.Use(body[taps]);
  meshes.Draw(list.solids);
  light.UseBall(ball[taps]);
  meshes.DrawDomes(list.solids);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  clouds.DrawSolids(
      context, list.solids, taps, light.to_light(),
      [&light](const Program& program) { light.Use(program); }, &meshes);
}

// Belts and ground.
void SceneView::Gpu::DrawFlats(const DrawContext& context, const FrameLight& light) {
  const auto draw = [&](const Program& program, const std::vector<SolidInstance>& surfaces,
                        const Colour& base, const Colour& lines_colour) {
    if (surfaces.empty()) return;
    light.Use(program);
    for (const SolidInstance& surface : surfaces) {
      const Vec3 n(surface.rows[0][2], surface.rows[1][2], surface.rows[2][2]);
      light.SetFlat(program, n, base, lines_colour);
      meshes.Draw(Mesh::kBox, std::span(&surface, 1));
    }
  };
  const SceneColours& colours = context.colours;
  draw(belt[light.taps()], list.belts, colours.belt, colours.slat_gap);
  if (context.request.backdrop == Backdrop::kScene)
    draw(ground[light.taps()], list.ground, colours.ground, colours.grid);
}

// Faint where a body covers them, full in front.
void SceneView::Gpu::DrawGlyphs(const FrameLight& light) {
  const auto draw = [&](float alpha) {
    light.Use(arrow);
    arrow.Set("u_alpha", alpha);
    arrows.Draw(std::span<const ArrowInstance>(list.arrows));
    light.Use(plain);
    plain.Set("u_alpha", alpha);
    meshes.Draw(Mesh::kBox, list.marks);
  };
  light.Use(arrow);
  glDisable(GL_DEPTH_TEST);
  arrows.Draw(std::span<const ArrowInstance>(list.cones));
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  draw(0.45f);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  draw(1.0f);
}

void SceneView::Gpu::DrawFrame(const DrawContext& context, ViewTarget& target) {
  const FrameLight light(context);
  DrawShadowMap(light);
  ClearTarget(context, target);
  // solids first: what they cover is not shaded again
  DrawSolids(context, light);
  DrawFlats(context, light);
  occlusion.Draw(context, target);

  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  shadows.Draw(list.shadows, light.view_projection(), light.fog());
  DrawGhosts(context, light);
  DrawShapes(light);
  // lines under the glyphs
  DrawLines(context);
  DrawStrokes(context, light);
  DrawGlyphs(light);
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
  return Make(snapshot, camera, request, width, height, pane, true);
}

const ViewPicture& SceneView::Prepare(const Snapshot& snapshot, const Camera& camera,
                                      const ViewRequest& request, int width, int height, int pane) {
  return Make(snapshot, camera, request, width, height, pane, false);
}

const ViewPicture& SceneView::Make(const Snapshot& snapshot, const Camera& camera,
                                   const ViewRequest& request, int width, int height, int pane,
                                   bool paints) {
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
  if (paints) {
    gpu_->meshes.Sweep();
    gpu_->DrawFrame(context, target);
    target.Resolve();
  }
  picture.texture = target.texture();
  picture.framebuffer = target.framebuffer();
  if (request.smooth && request.msaa <= 1) {
    const ColourTarget& smooth =
        paints ? gpu_->smoothing.Draw(target, index) : gpu_->smoothing.TargetOf(target, index);
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
