// Draws snapshots. One SceneView serves any number of panes of one GL context.
#pragma once

#include <memory>
#include <vector>

#include "engine/core/result.h"
#include "render/scene/camera.h"
#include "render/scene/view_request.h"

namespace slip::render {

class SceneView {
 public:
  /// Panes 0 to kApart - 1 are those of a window, one per channel at most; this one is none of
  /// them.
  static constexpr int kApart = Snapshot::kMaxChannels;
  static constexpr int kPanes = kApart + 1;

  /// Needs a current context with GL loaded (offscreen.h, or LoadGl of gl.h). Reads the shaders.
  static Result<std::unique_ptr<SceneView>> Create();
  ~SceneView();

  /// Draws one frame into the pane's own texture of width x height pixels. The GL state of the
  /// caller is restored. A size below one pixel gives an empty picture (texture 0). The camera's
  /// gravity roll is the caller's: camera.SetGravity(snapshot.gravity_W) before. `pane` is 0 to
  /// kPanes - 1.
  const ViewPicture& Draw(const Snapshot& snapshot, const Camera& camera,
                          const ViewRequest& request, int width, int height, int pane = 0);

  /// The same, but for its pixels: with the same arguments Draw makes those, too.
  const ViewPicture& Prepare(const Snapshot& snapshot, const Camera& camera,
                             const ViewRequest& request, int width, int height, int pane = 0);

  /// Copies a pane's picture into the framebuffer bound for drawing; (x, y) is its lower left.
  void Blit(int pane, int x, int y) const;

 private:
  struct Gpu;
  SceneView();
  const ViewPicture& Make(const Snapshot& snapshot, const Camera& camera,
                          const ViewRequest& request, int width, int height, int pane, bool paints);

  std::unique_ptr<Gpu> gpu_;
};

}  // namespace slip::render
