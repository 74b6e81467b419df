#include "app/cli/graphics_info.h"

// The renderer is built beside this library; without it there is nothing to ask.
#if __has_include("render/offscreen.h")
#include <glad/gl.h>

#include "render/offscreen.h"
#define SLIP_HAS_OFFSCREEN 1
#endif

namespace slip::app {

#ifdef SLIP_HAS_OFFSCREEN
GraphicsInfo QueryGraphics() {
  const auto context = render::OffscreenContext::Create();
  GraphicsInfo info;
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
#else
GraphicsInfo QueryGraphics() {
  GraphicsInfo info;
  info.problem = "this build has no renderer";
  return info;
}
#endif

}  // namespace slip::app
