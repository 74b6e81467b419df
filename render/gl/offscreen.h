// An OpenGL context without a window or an X server, for pictures, videos and tests.
#pragma once

#include <memory>
#include <string>

#include "engine/core/result.h"

namespace slip::render {

struct Egl;

class OffscreenContext {
 public:
  /// Tries Mesa's surfaceless platform, then each EGL device (NVIDIA), then the default display.
  /// The context is current on the calling thread afterwards and GL is loaded.
  static Result<std::unique_ptr<OffscreenContext>> Create();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  /// Which route worked: "surfaceless", "device 0" or "default display".
  const std::string& route() const { return route_; }

 private:
  explicit OffscreenContext(const Egl& egl);

  std::unique_ptr<Egl> egl_;
  void* display_ = nullptr;
  void* context_ = nullptr;
  std::string route_;
};

}  // namespace slip::render
