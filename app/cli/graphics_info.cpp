#include "app/cli/graphics_info.h"

#include <glad/gl.h>

#include "render/gl/offscreen.h"

namespace slip::app {

GraphicsInfo QueryGraphics() {
  GraphicsInfo info;
  const auto context = render::OffscreenContext::Create();
  if (!context.ok()) {
    info.problem = context.error().Text();
    return info;
  }
  const auto text = [](GLenum name) {
    const GLubyte* value = glGetString(name);
    return value == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(value));
  };
  info.ok = true;
  info.route = (*context)->route();
  info.vendor = text(GL_VENDOR);
  info.renderer = text(GL_RENDERER);
  info.version = text(GL_VERSION);
  return info;
}

}  // namespace slip::app
