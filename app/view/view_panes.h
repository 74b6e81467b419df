// Owner of the scene renderer. Pictures that would not change are not drawn again.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "render/camera.h"
#include "render/frame_writer.h"
#include "render/view_options.h"

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
                        const render::ViewOptions& options, int width, int height);
  /// One pane's picture, valid until its next Draw; null without a renderer or without room.
  const render::ViewPicture* Draw(const Session& session, const render::Camera& camera,
                                  const render::ViewOptions& options, int width, int height,
                                  int pane);

 private:
  struct Drawn {
    render::ViewOptions options;
    int width = 0, height = 0;
    Vec3 target = Vec3::Zero();
    std::array<double, 8> numbers{};
    const render::ViewPicture* picture = nullptr;
  };
  static std::array<double, 8> Numbers(const render::Camera& camera, const Session& session);

  std::unique_ptr<render::SceneView> view_;
  std::vector<Drawn> drawn_;
};

}  // namespace slip::app
