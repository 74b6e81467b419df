// Owner of the scene renderer. Pictures that would not change are not drawn again.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/session.h"
#include "render/scene/camera.h"
#include "render/scene/view_request.h"
#include "render/video/frame_writer.h"

namespace slip::render {
class SceneView;
}

namespace slip::app {

/// Needs a current GL context from Start to Stop.
class ViewPanes {
 public:
  ViewPanes();
  ~ViewPanes();
  ViewPanes(const ViewPanes&) = delete;
  ViewPanes& operator=(const ViewPanes&) = delete;

  /// Makes the renderer; an error text when shaders or GL fail.
  std::string Start();
  void Stop();
  /// A picture apart from the panes, rows from the top; empty without a renderer.
  render::Image Picture(const Snapshot& snapshot, const render::Camera& camera,
                        const render::ViewRequest& request, int width, int height);
  /// Whether any pane has shown something else since the last call, apart from how well it is
  /// drawn.
  bool TakeChanged() { return std::exchange(changed_, false); }
  /// Whether pixels are made by Paint alone from now on: whoever reads few frames of many need not
  /// wait for those of the others. Who reads all of them would have each laid out twice.
  void PaintLater(bool later) { paints_later_ = later; }
  /// Makes those that are missing, of what the session shows now.
  void Paint(const Session& session);
  /// One pane's picture, valid until its next Draw; null without a renderer or without room.
  const render::ViewPicture* Draw(const Session& session, const render::Camera& camera,
                                  const render::ViewRequest& request, int width, int height,
                                  int pane);

 private:
  /// Everything that a pane's picture depends on, beside what the session says has changed.
  struct Shot {
    render::ViewRequest request;
    int width = 0, height = 0;
    CameraSpec camera;
    bool orthographic = false;
    double time = 0;
    uint64_t scene_generation = 0;
    int channels = 0;
    bool trails = false;  ///< the snapshot holds those of feet
    bool operator==(const Shot&) const = default;
  };
  struct Drawn {
    Shot shot;
    render::Camera camera;
    bool painted = false;
    const render::ViewPicture* picture = nullptr;
  };

  std::unique_ptr<render::SceneView> view_;
  std::vector<Drawn> drawn_;
  bool changed_ = false, paints_later_ = false;
};

}  // namespace slip::app
