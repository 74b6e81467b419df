// EGL, opened when a picture is wanted: programs and modules start without it, too.
#pragma once

// EGL's headers would pull in X11 and its macros.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "engine/core/result.h"

namespace slip::render {

/// The functions that we call, by their own names without the prefix.
struct Egl {
  decltype(&eglGetProcAddress) GetProcAddress = nullptr;
  decltype(&eglGetDisplay) GetDisplay = nullptr;
  decltype(&eglInitialize) Initialize = nullptr;
  decltype(&eglTerminate) Terminate = nullptr;
  decltype(&eglBindAPI) BindAPI = nullptr;
  decltype(&eglChooseConfig) ChooseConfig = nullptr;
  decltype(&eglCreateContext) CreateContext = nullptr;
  decltype(&eglDestroyContext) DestroyContext = nullptr;
  decltype(&eglMakeCurrent) MakeCurrent = nullptr;
};

/// Those of the library of this system, which stays open; or why there is none.
Result<Egl> OpenEgl();

}  // namespace slip::render
