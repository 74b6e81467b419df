#include "render/gl/egl_library.h"

#include <dlfcn.h>

#include <string>

namespace slip::render {
namespace {

constexpr const char* kLibrary = "libEGL.so.1";
// what ImGui's loader opens, which ends the program where it cannot
constexpr const char* kOpenGl = "libGL.so.1";
constexpr const char* kAdvice =
    "install it (libgl1, libegl1 with libegl-mesa0 and libgl1-mesa-dri) or the driver's";

}  // namespace

Result<Egl> OpenEgl() {
  void* library = nullptr;
  for (const char* name : {kOpenGl, kLibrary}) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) continue;
    const char* why = dlerror();
    return Error{"no OpenGL without a window: " + std::string(why != nullptr ? why : name), "", 0,
                 0, kAdvice};
  }
  Egl egl;
  std::string missing;
  const auto find = [library, &missing]<class Function>(const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library, name));
    if (*function == nullptr) missing = name;
  };
  find("eglGetProcAddress", &egl.GetProcAddress);
  find("eglGetDisplay", &egl.GetDisplay);
  find("eglInitialize", &egl.Initialize);
  find("eglTerminate", &egl.Terminate);
  find("eglBindAPI", &egl.BindAPI);
  find("eglChooseConfig", &egl.ChooseConfig);
  find("eglCreateContext", &egl.CreateContext);
  find("eglDestroyContext", &egl.DestroyContext);
  find("eglMakeCurrent", &egl.MakeCurrent);
  if (missing.empty()) return egl;
  return Error{std::string(kLibrary) + " has no function " + missing, "", 0, 0, kAdvice};
}

}  // namespace slip::render
