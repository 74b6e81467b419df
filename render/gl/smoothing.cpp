#include "render/gl/smoothing.h"

namespace slip::render {
Status Smoothing::Load() {
  const Status status = LoadProgram("screen", "smooth", std::vector<std::string>{}, &program_);
  if (!status) return status;
  screen_.Create();
  return status;
}

const ColourTarget& Smoothing::TargetOf(const ViewTarget& target, std::size_t pane) {
  if (pictures_.size() <= pane) pictures_.resize(pane + 1);
  Picture& picture = pictures_[pane];
  const int width = target.width(), height = target.height();
  if (picture.width != width || picture.height != height) {
    picture.width = width;
    picture.height = height;
    picture.target = MakeColourTarget(width, height);
  }
  return picture.target;
}

const ColourTarget& Smoothing::Draw(const ViewTarget& target, std::size_t pane) {
  const ColourTarget& smooth = TargetOf(target, pane);
  const int width = target.width(), height = target.height();
  // most of it stays, and a copy is cheaper than a shader
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, smooth.framebuffer.id());
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, smooth.framebuffer.id());
  glViewport(0, 0, width, height);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  program_.Use();
  program_.Set("u_picture", 0);
  program_.Set("u_texel", Eigen::Vector2f(1.0f / static_cast<float>(width),
                                          1.0f / static_cast<float>(height)));
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, target.texture());
  screen_.Draw();
  glBindTexture(GL_TEXTURE_2D, 0);
  glEnable(GL_DEPTH_TEST);
  return smooth;
}

}  // namespace slip::render
