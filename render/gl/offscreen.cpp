// EGL without surfaces: we draw into framebuffer objects only.
#include "render/gl/offscreen.h"

#include <unistd.h>

#include <array>

#include "engine/core/numbers.h"
#include "render/gl/egl_library.h"
#include "render/gl/gl.h"

namespace slip::render {
namespace {

/// A context on this display, or nothing; the display is left terminated on failure.
EGLContext TryDisplay(const Egl& egl, EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || !egl.Initialize(display, nullptr, nullptr))
    return EGL_NO_CONTEXT;
  EGLContext context = EGL_NO_CONTEXT;
  if (egl.BindAPI(EGL_OPENGL_API)) {
    // surface type 0: surfaceless displays offer no window or pbuffer configurations everywhere
    constexpr EGLint kConfig[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                  EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (egl.ChooseConfig(display, kConfig, &config, 1, &count) && count > 0) {
      constexpr EGLint kContext[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
      context = egl.CreateContext(display, config, EGL_NO_CONTEXT, kContext);
    }
  }
  if (context != EGL_NO_CONTEXT &&
      egl.MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    return context;
  }
  if (context != EGL_NO_CONTEXT) egl.DestroyContext(display, context);
  egl.Terminate(display);
  return EGL_NO_CONTEXT;
}

}  // namespace

Result<std::unique_ptr<OffscreenContext>> OffscreenContext::Create() {
  // the threads of a driver stay behind: the child would wait for them for ever
  static const pid_t first = getpid();
  if (getpid() != first)
    return Error{"OpenGL does not work in a process that was forked from one that has used it", "",
                 0, 0, "start processes anew (in Python multiprocessing.get_context('spawn'))"};
  const Result<Egl> opened = OpenEgl();
  if (!opened) return opened.errors();
  const Egl& egl = *opened;
  std::unique_ptr<OffscreenContext> made(new OffscreenContext(egl));
  const auto attempt = [&](EGLDisplay display, std::string route) {
    made->context_ = TryDisplay(egl, display);
    if (!made->context_) return false;
    made->display_ = display;
    made->route_ = std::move(route);
    return true;
  };
  const auto get_platform_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      egl.GetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(egl.GetProcAddress("eglQueryDevicesEXT"));

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
  if (!ok) ok = attempt(egl.GetDisplay(EGL_DEFAULT_DISPLAY), "default display");
  if (!ok) {
    return Error{
        "no OpenGL context without a window: EGL offers no surfaceless platform, no device "
        "and no default display with OpenGL 3.3",
        "", 0, 0, "install Mesa (libegl-mesa0 with libgl1-mesa-dri) or the driver's EGL"};
  }
  const Status loaded = LoadGl(reinterpret_cast<GLADloadfunc>(egl.GetProcAddress));
  if (!loaded) return loaded.errors();
  return made;
}

OffscreenContext::OffscreenContext(const Egl& egl) : egl_(std::make_unique<Egl>(egl)) {}

OffscreenContext::~OffscreenContext() {
  if (!display_) return;
  ForgetContext();
  const Egl& egl = *egl_;
  egl.MakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (context_) egl.DestroyContext(display_, context_);
  egl.Terminate(display_);
}

}  // namespace slip::render
