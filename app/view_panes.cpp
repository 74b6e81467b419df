// Owner of the scene renderer, and which panes a compare mode shows.
#include "app/view_panes.h"

#include <cstring>
#include <type_traits>

#include "app/ui.h"
#include "render/scene_view.h"

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
                                           const render::ViewOptions& options, int width, int height,
                                           int pane) {
  static_assert(std::is_trivially_copyable_v<render::ViewOptions>);
  if (view_ == nullptr || width < 1 || height < 1) return nullptr;
  if (drawn_.size() <= static_cast<std::size_t>(pane)) drawn_.resize(static_cast<std::size_t>(pane) + 1);
  Drawn& last = drawn_[static_cast<std::size_t>(pane)];
  const CameraSpec& spec = camera.spec();
  // Software GL needs tens of milliseconds for a picture: a still one is not drawn again.
  const bool same = last.picture != nullptr && !session.changed() && last.width == width &&
                    last.height == height && last.target == spec.target &&
                    last.numbers == Numbers(camera, session) &&
                    std::memcmp(&last.options, &options, sizeof options) == 0;
  if (same) return last.picture;
  last.options = options;
  last.width = width;
  last.height = height;
  last.target = spec.target;
  last.numbers = Numbers(camera, session);
  last.picture = &view_->Draw(session.snapshot(), camera, options, width, height, pane);
  return last.picture;
}

std::array<double, 8> ViewPanes::Numbers(const render::Camera& camera, const Session& session) {
  const CameraSpec& spec = camera.spec();
  return {spec.distance,
          spec.azimuth,
          spec.elevation,
          spec.field_of_view,
          camera.orthographic() ? 1.0 : 0.0,
          session.snapshot().time,
          static_cast<double>(session.snapshot().scene_generation),
          static_cast<double>(session.channel_count())};
}

}  // namespace slip::app
