// EGL without surfaces: we draw into framebuffer objects only.
#include "render/gl/offscreen.h"

// EGL's headers would pull in X11 and its macros.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>

#include "engine/core/numbers.h"
#include "render/gl/gl.h"

namespace slip::render {
namespace {

/// A context on this display, or nothing; the display is left terminated on failure.
EGLContext TryDisplay(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return EGL_NO_CONTEXT;
  EGLContext context = EGL_NO_CONTEXT;
  if (eglBindAPI(EGL_OPENGL_API)) {
    // surface type 0: surfaceless displays offer no window or pbuffer configurations everywhere
    constexpr EGLint kConfig[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                  EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display, kConfig, &config, 1, &count) && count > 0) {
      constexpr EGLint kContext[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
      context = eglCreateContext(display, config, EGL_NO_CONTEXT, kContext);
    }
  }
  if (context != EGL_NO_CONTEXT &&
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    return context;
  }
  if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
  eglTerminate(display);
  return EGL_NO_CONTEXT;
}

}  // namespace

Result<std::unique_ptr<OffscreenContext>> OffscreenContext::Create() {
  std::unique_ptr<OffscreenContext> made(new OffscreenContext);
  const auto attempt = [&made](EGLDisplay display, std::string route) {
    made->context_ = TryDisplay(display);
    if (!made->context_) return false;
    made->display_ = display;
    made->route_ = std::move(route);
    return true;
  };
  const auto get_platform_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));

  bool ok = get_platform_display && attempt(get_platform_display(EGL_PLATFORM_SURFACELESS_MESA,
                                                                 EGL_DEFAULT_DISPLAY, nullptr),
                                            "surfaceless");
  if (!ok && get_platform_display && query_devices) {
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (!query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count)) count = 0;
    for (EGLint i = 0; i < count && !ok; ++i) {
      ok = attempt(get_platform_display(EGL_PLATFORM_DEVICE_EXT, At(devices, i), nullptr),
                   "device " + std::to_string(i));
    }
  }
  if (!ok) ok = attempt(eglGetDisplay(EGL_DEFAULT_DISPLAY), "default display");
  if (!ok) {
    return Error{
        "no OpenGL context without a window: EGL offers no surfaceless platform, no device "
        "and no default display with OpenGL 3.3",
        "", 0, 0, "install Mesa (libegl-mesa0 with libgl1-mesa-dri) or the driver's EGL"};
  }
  const Status loaded = LoadGl(reinterpret_cast<GLADloadfunc>(eglGetProcAddress));
  if (!loaded) return loaded.errors();
  return made;
}

OffscreenContext::~OffscreenContext() {
  if (!display_) return;
  ForgetContext();
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (context_) eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

}  // namespace slip::render
