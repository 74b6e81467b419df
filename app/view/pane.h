// One picture of the scene, and the mouse on it: orbit, pan, zoom, select, hover, pull.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/session/session.h"
#include "app/state/layout.h"
#include "app/state/mouse_state.h"
#include "app/state/picked.h"
#include "app/state/requests.h"
#include "app/view/camera_rig.h"
#include "render/quantities/picking.h"
#include "render/scene/view_request.h"

namespace slip::app {

/// How much of the scene's instrument, of gap or creep, a pane has room for.
enum class GapForm { kNone, kCompact, kWide, kFull };

/// One 3-D pane and its picture.
struct Pane {
  ImVec2 min{0, 0}, max{0, 0};
  int index = 0;
  int channel = -1;  ///< the only one shown; -1 = the lead, with ghosts if asked for
  render::ViewRequest request;
  const render::ViewPicture* picture = nullptr;
  bool hovered = false;  ///< the mouse is on it
  bool handles = false;  ///< targets of robots have handles in it
  GapForm gap = GapForm::kNone;
  double shift = 0;       ///< pixels by which the picture makes way for the instrument
  render::Camera camera;  ///< the window's camera with that shift
  render::Viewport viewport() const {
    return {static_cast<double>(max.x - min.x), static_cast<double>(max.y - min.y)};
  }
};

/// Where a point of the world is seen in the window [px]; nothing when it is behind the eye.
std::optional<ImVec2> OnScreen(const Pane& pane, const Vec3& p_W);
/// Rectangle round a body as it is drawn, ghosts where they stand; nothing when it is behind the
/// eye.
std::optional<Rect> BodyOnScreen(const Snapshot& snapshot, const Pane& pane, int channel, int body);
/// Where the mouse is in the pane [px], from its upper left corner.
Vec2 MousePixel(const Pane& pane);
/// Orbit, pan, zoom, pull, select, hover; a right click opens the pop-up "view-menu". The item
/// under the mouse is the pane's button.
void HandleViewMouse(const Session& session, const Pane& pane, CameraRig* rig, Picked* picked,
                     MouseState* mouse, Requests* requests);
bool Movable(const Model* model, int body);
/// The button went down on a body, to pull it at this point or to turn it.
void PressPull(const Session& session, const render::BodyHit& hit, bool twist, Pull* pull);
/// The mouse has moved since: takes hold of the body.
void StartPull(const Session& session, MouseState* mouse, Requests* requests);
/// To the engine. While the run is paused it waits, unless a `step` follows.
void SendPull(const Session& session, MouseState* mouse, Requests* requests, bool step = false);
/// The spring's far end follows the mouse, within the locked axis or the contact plane.
void MovePull(const Session& session, const Pane& pane, MouseState* mouse, Requests* requests);
/// X, Y, Z during a pull: lock this axis (0 to 2), or let it go again.
void LockPull(int axis, Pull* pull);
/// Releases the spring when nothing holds it any more. Once per frame.
void FinishPull(const Session& session, MouseState* mouse, Requests* requests);
/// Numbers of what the mouse is on, for a tool tip; empty when that has gone.
std::string HoverText(const Session& session, const std::optional<render::ContactHit>& contact,
                      const std::optional<render::BodyHit>& body);

}  // namespace slip::app
