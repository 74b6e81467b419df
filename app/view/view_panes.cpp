// Owner of the scene renderer.
#include "app/view/view_panes.h"

#include "engine/core/numbers.h"
#include "render/frame/scene_view.h"

namespace slip::app {

ViewPanes::ViewPanes() = default;
ViewPanes::~ViewPanes() = default;

std::string ViewPanes::Start() {
  Result<std::unique_ptr<render::SceneView>> view = render::SceneView::Create();
  if (!view.ok()) return view.error().Text();
  view_ = std::move(view).value();
  return {};
}

void ViewPanes::Stop() {
  view_.reset();
  drawn_.clear();
}

const render::ViewPicture* ViewPanes::Draw(const Session& session, const render::Camera& camera,
                                           const render::ViewRequest& request, int width,
                                           int height, int pane) {
  if (view_ == nullptr || width < 1 || height < 1) return nullptr;
  if (drawn_.size() <= static_cast<std::size_t>(pane))
    drawn_.resize(static_cast<std::size_t>(pane) + 1);
  Drawn& last = At(drawn_, pane);
  const Snapshot& snapshot = session.snapshot();
  const Shot shot{request,
                  width,
                  height,
                  camera.spec(),
                  camera.orthographic(),
                  snapshot.time,
                  snapshot.scene_generation,
                  session.channel_count(),
                  !snapshot.channels.empty() && !snapshot.channels.front().trails.empty()};
  const auto plain = [](Shot of) {
    const render::ViewStyle usual;
    of.request.quality = usual.quality;
    of.request.msaa = usual.msaa;
    of.request.resolution = usual.resolution;
    return of;
  };
  if (last.picture == nullptr || session.changed() || plain(last.shot) != plain(shot))
    changed_ = true;
  // Software GL needs tens of milliseconds for a picture: a still one is not drawn again.
  if (last.picture != nullptr && !session.changed() && last.shot == shot) return last.picture;
  last.shot = shot;
  last.painted = !paints_later_;
  if (last.painted) {
    last.picture = &view_->Draw(snapshot, camera, request, width, height, pane);
  } else {
    last.camera = camera;
    last.picture = &view_->Prepare(snapshot, camera, request, width, height, pane);
  }
  return last.picture;
}

void ViewPanes::Paint(const Session& session) {
  for (std::size_t pane = 0; pane < drawn_.size() && view_ != nullptr; ++pane) {
    Drawn& last = drawn_[pane];
    if (last.painted || last.picture == nullptr) continue;
    last.painted = true;
    view_->Draw(session.snapshot(), last.camera, last.shot.request, last.shot.width,
                last.shot.height, static_cast<int>(pane));
  }
}

render::Image ViewPanes::Picture(const Snapshot& snapshot, const render::Camera& camera,
                                 const render::ViewRequest& request, int width, int height) {
  if (view_ == nullptr) return {};
  const render::ViewPicture& picture =
      view_->Draw(snapshot, camera, request, width, height, render::SceneView::kApart);
  if (picture.texture == 0) return {};
  return render::ReadPixels(picture.framebuffer, picture.width, picture.height);
}

}  // namespace slip::app
