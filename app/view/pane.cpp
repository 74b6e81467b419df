#include "app/view/pane.h"

#include "render/draw_list.h"

namespace slip::app {

std::optional<ImVec2> OnScreen(const Pane& pane, const Vec3& p_W) {
  const std::optional<Vec3> at = pane.camera.Project(p_W, pane.viewport());
  if (!at) return std::nullopt;
  return ImVec2(pane.min.x + static_cast<float>(at->x()), pane.min.y + static_cast<float>(at->y()));
}

std::optional<Rect> BodyOnScreen(const Snapshot& snapshot, const Pane& pane, int channel,
                                 int body) {
  const Vec3 p = render::DrawnPose(snapshot, pane.request, channel, body).p;
  const std::optional<Vec3> at = pane.camera.Project(p, pane.viewport());
  if (!at) return std::nullopt;
  const double metres = pane.camera.MetresPerPixel(at->z(), pane.viewport());
  const auto r =
      static_cast<float>(snapshot.model->bodies[static_cast<std::size_t>(body)].bound / metres);
  const ImVec2 c(pane.min.x + static_cast<float>(at->x()),
                 pane.min.y + static_cast<float>(at->y()));
  return Rect{ImVec2(c.x - r, c.y - r), ImVec2(c.x + r, c.y + r)};
}

}  // namespace slip::app
