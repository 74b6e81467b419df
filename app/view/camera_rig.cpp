#include "app/view/camera_rig.h"

#include <cmath>

namespace slip::app {

CameraSpec CameraRig::Unmoved() const {
  CameraSpec view = camera.spec();
  view.target -= moved();
  return view;
}

void EndKeepInView(CameraRig* rig) {
  KeepInView& keep = rig->keep_in_view;
  if (keep.shift != render::ViewShift{}) rig->camera = render::Shifted(rig->camera, keep.shift);
  keep.on = false;
  keep.shift = {};
}

void BeginKeepInView(CameraRig* rig, int body) {
  KeepInView& keep = rig->keep_in_view;
  keep.on = true;
  keep.body = body;
}

CameraSpec HomeView(const Session& session, const CameraRig& rig) {
  const Scene* scene = session.scene();
  if (scene == nullptr) return {};
  CameraSpec view = scene->camera;
  view.target += rig.moved();
  return view;
}

void SetView(const Session& session, const CameraSpec& view, CameraRig* rig) {
  rig->camera.Set(view);
  const CameraSpec home = HomeView(session, *rig);
  const CameraSpec& now = rig->camera.spec();
  const bool own = (now.target - home.target).norm() > 1e-6 * home.distance ||
                   std::abs(now.distance - home.distance) > 1e-6 * home.distance ||
                   std::abs(now.azimuth - home.azimuth) > 1e-6 ||
                   std::abs(now.elevation - home.elevation) > 1e-6;
  rig->keep_in_view = {};
  rig->keep_in_view.on = !own;
}

}  // namespace slip::app
