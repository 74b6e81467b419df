#include "render/gl/egl_library.h"

#include <dlfcn.h>

#include <string>

namespace slip::render {
namespace {

constexpr const char* kLibrary = "libEGL.so.1";
constexpr const char* kAdvice =
    "install it (libegl1 with libegl-mesa0 and libgl1-mesa-dri) or the driver's EGL";

}  // namespace

Result<Egl> OpenEgl() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return Error{"no OpenGL without a window: EGL cannot be opened: " +
                     std::string(why != nullptr ? why : kLibrary),
                 "", 0, 0, kAdvice};
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
