#include "render/frame/occlusion.h"

#include <algorithm>

#include "render/quantities/quantity.h"

namespace slip::render {
namespace {

// Of the distance that the camera looks from: as large in every picture.
constexpr double kRadius = 0.05;

}  // namespace

Status Occlusion::Load() {
  Status status = LoadProgram("screen", "occlusion", std::vector<std::string>{}, &seen_program_);
  if (status)
    status = LoadProgram("screen", "occlusion_blend", std::vector<std::string>{}, &blend_program_);
  if (!status) return status;
  screen_.Create();
  return status;
}

void Occlusion::Resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  seen_ = MakeColourTarget((width + 1) / 2, (height + 1) / 2);
  depth_ = MakeTexture();
  glBindTexture(GL_TEXTURE_2D, depth_.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, width, height, 0, GL_DEPTH_COMPONENT,
               GL_UNSIGNED_INT, nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  depth_framebuffer_ = MakeFramebuffer();
  glBindFramebuffer(GL_FRAMEBUFFER, depth_framebuffer_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
}

void Occlusion::Draw(const DrawContext& context, const ViewTarget& target) {
  if (!context.request.occlusion || context.request.quality != Quality::kHigh) return;
  const int width = target.width(), height = target.height();
  Resize(width, height);
  target.Bind();  // for reading, too
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, depth_framebuffer_.id());
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_DEPTH_BUFFER_BIT, GL_NEAREST);

  const Mat4 p = context.camera.Projection(context.viewport);
  const Eigen::Vector4f projection(static_cast<float>(1 / p(0, 0)), static_cast<float>(1 / p(1, 1)),
                                   static_cast<float>(p(2, 2)), static_cast<float>(p(2, 3)));
  const auto use = [&](const Program& program) {
    program.Use();
    program.Set("u_depth", 0);
    program.Set("u_projection", projection);
    program.Set("u_drawing", context.camera.orthographic() ? 1.0f : 0.0f);
  };
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, depth_.id());
  const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  glBindFramebuffer(GL_FRAMEBUFFER, seen_.framebuffer.id());
  glViewport(0, 0, half_width, half_height);
  use(seen_program_);
  const float radius = static_cast<float>(kRadius * context.camera.spec().distance);
  seen_program_.Set("u_radius", radius);
  // half the picture is 1 in clip space
  seen_program_.Set("u_per_metre", Eigen::Vector2f(0.5f / projection[0], 0.5f / projection[1]));
  seen_program_.Set("u_texel", 1.0f / static_cast<float>(height));
  seen_program_.Set("u_aspect", static_cast<float>(width) / static_cast<float>(height));
  screen_.Draw();

  target.Bind();
  use(blend_program_);
  blend_program_.Set("u_seen", 1);
  blend_program_.Set("u_step", Eigen::Vector2f(1.0f / static_cast<float>(half_width),
                                               1.0f / static_cast<float>(half_height)));
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, seen_.texture.id());
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_ZERO, GL_SRC_COLOR, GL_ZERO, GL_ONE);
  screen_.Draw();
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
  glBindTexture(GL_TEXTURE_2D, 0);
  glActiveTexture(GL_TEXTURE0);
}

// drawn by the scene view: it needs the depth buffer
constinit const Quantity kOcclusion{.name = "Dark corners",
                                    .doc =
                                        "Corners, and where bodies touch, are darker, as in soft "
                                        "light from all sides. At the best quality only.",
                                    .menu = "View",
                                    .section = "Picture",
                                    .on = &ViewStyle::occlusion,
                                    .setting = "dark_corners"};

}  // namespace slip::render
