// The mouse on the 3-D view: orbit, pan, zoom, select, hover; view_pull.cpp pulls bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/view/pane.h"
#include "engine/core/numbers.h"
#include "render/quantities/picking.h"
#include "render/scene/draw_list.h"

namespace slip::app {
namespace {

// One wheel notch changes the distance by this factor.
constexpr double kWheelZoom = 1.12;
// A press that moves less than this is a click [design px].
constexpr float kClickSlop = 4;

/// The ground is looked at from above, unless `below` is asked for or the eye is there already.
void OrbitAboveGround(const Snapshot& snapshot, double dx, double dy, bool below,
                      render::Camera* camera) {
  std::optional<render::Ground> ground;
  if (!below && !camera->orthographic()) ground = render::GroundOf(snapshot, *camera);
  ground ? camera->OrbitAbove(*ground, dx, dy) : camera->Orbit(dx, dy);
}

/// What is under the mouse.
struct Hits {
  std::optional<render::BodyHit> body;
  std::optional<render::ContactHit> contact;
};

Hits Pick(const Snapshot& snapshot, const Pane& pane, const Vec2& pixel) {
  Hits hits;
  const render::Viewport viewport = pane.viewport();
  hits.body = render::PickBody(snapshot, pane.request, pane.camera, viewport, pixel);
  // in a pile contacts are everywhere: only those of the body under the mouse are meant
  const bool pile = render::IsPile(snapshot, pane.request);
  if (!pile || hits.body) {
    hits.contact =
        render::PickContact(snapshot, pane.request, pane.camera, viewport, pixel,
                            static_cast<double>(Px(pile ? 4 : 8)), pile ? hits.body->body : -1);
  }
  return hits;
}

/// What a click on it selects: its contact before its body; none = nothing was hit.
std::optional<Selection> SelectionOf(const Session& session, const Hits& hits, bool of_body) {
  const auto& [body, contact] = hits;
  if (contact) {
    const auto& contacts = session.frame(contact->channel).contacts;
    // the table stays with the body that was clicked, whichever of the two it is
    const int owner = body && of_body ? body->body : At(contacts, contact->index).body;
    return Selection{owner, contact->key, contact->channel};
  }
  if (body) return Selection{body->body, -1, body->channel};
  return std::nullopt;
}

}  // namespace

std::string HoverText(const Session& session, const std::optional<render::ContactHit>& contact,
                      const std::optional<render::BodyHit>& body) {
  const Model* model = session.model();
  if (contact && contact->channel < session.channel_count()) {
    const auto& contacts = session.written().frame(contact->channel).contacts;
    const auto found = std::find_if(contacts.begin(), contacts.end(),
                                    [&](const ContactFrame& c) { return c.key == contact->key; });
    if (found != contacts.end()) {
      const ContactFrame& c = *found;
      const std::string& name = model->body(c.body).name;
      return fmt::format("{} – {} · {}\ngap {}   slip {}\nnormal force {}", name,
                         NameOfA(*model, c), session.looks().Name(contact->channel),
                         FormatSignal(Signal::kSignedDistance, c.signed_distance),
                         FormatSignal(Signal::kSlipSpeed, c.vt),
                         FormatSignal(Signal::kNormalForce, c.fn));
    }
  }
  if (body && body->channel < session.channel_count()) {
    const ChannelFrame& frame = session.written().frame(body->channel);
    if (static_cast<std::size_t>(body->body) < frame.bodies.size()) {
      const Body& b = model->body(body->body);
      const BodyFrame& state = At(frame.bodies, body->body);
      return fmt::format("{} · {}\n{}   height {}\nspeed {}", b.name,
                         session.looks().Name(body->channel),
                         b.Moves() ? "mass " + FormatQuantity(b.mass, "kg") : std::string("fixed"),
                         FormatSignal(Signal::kPositionZ, state.X_WB.p.z()),
                         FormatSignal(Signal::kVelocityX, state.V_WB.tail<3>().norm()));
    }
  }
  return {};
}

Vec2 MousePixel(const Pane& pane) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {static_cast<double>(mouse.x - pane.min.x), static_cast<double>(mouse.y - pane.min.y)};
}

void HandleViewMouse(const Session& session, const Pane& pane, CameraRig* rig, Picked* picked,
                     MouseState* mouse, Requests* requests) {
  const bool hovered = pane.hovered;
  const ImGuiIO& io = ImGui::GetIO();
  const Snapshot& snapshot = session.snapshot();
  if (snapshot.model == nullptr) return;
  const render::Viewport viewport = pane.viewport();
  const Vec2 pixel = MousePixel(pane);
  // a handle of a target has the mouse
  const bool on_handle = mouse->target_drag.hot || mouse->target_drag.held;
  const bool active = ImGui::IsItemActive() && !on_handle;
  // what a click selects is asked for when the button comes up
  Hits hits;
  if (hovered && !on_handle && (!mouse->pull.active || ImGui::IsMouseReleased(0)))
    hits = Pick(snapshot, pane, pixel);
  const auto& [body, contact] = hits;

  if (hovered && ImGui::IsMouseClicked(0) && body && Movable(snapshot.model.get(), body->body) &&
      (io.KeyCtrl || !mouse->drag_needs_ctrl)) {
    PressPull(session, *body, io.KeyCtrl && io.KeyShift, &mouse->pull);
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0) && body) {
    picked->selection = {body->body, -1, body->channel};
    rig->camera.Focus(body->p_drawn, 0, rig->flies);
    BeginKeepInView(rig, body->body);
  }
  const float slop = Px(kClickSlop);
  const bool still = io.MouseDragMaxDistanceSqr[0] < slop * slop;
  if (hovered && !on_handle && ImGui::IsMouseReleased(0) && still)
    picked->selection = SelectionOf(session, hits, true).value_or(Selection{});
  if (hovered && ImGui::IsMouseReleased(1) && io.MouseDragMaxDistanceSqr[1] < slop * slop) {
    picked->selection = SelectionOf(session, hits, false).value_or(picked->selection);
    ImGui::OpenPopup("view-menu");
  }

  if (active && mouse->pull.pressed && !still) StartPull(session, mouse, requests);
  const double dx = static_cast<double>(io.MouseDelta.x), dy = static_cast<double>(io.MouseDelta.y);
  // the contact plane moves with the body, even under a still hand
  if (active && mouse->pull.active && (dx != 0 || dy != 0 || io.KeyShift)) {
    MovePull(session, pane, mouse, requests);
  } else if (active && !mouse->pull.pressed && (dx != 0 || dy != 0)) {
    EndKeepInView(rig);
    if (ImGui::IsMouseDown(0)) {
      OrbitAboveGround(snapshot, dx, dy, io.KeyShift, &rig->camera);
    } else if (ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2)) {
      rig->camera.Pan(dx, dy, viewport);
    }
  }
  if (hovered && io.MouseWheel != 0) {
    EndKeepInView(rig);
    rig->camera.Dolly(std::pow(kWheelZoom, -static_cast<double>(io.MouseWheel)),
                      Vec2(pixel.x() + pane.shift, pixel.y()), viewport);
  }
  if (hovered && !active && (body || contact)) {
    picked->hover = {body ? body->body : -1, contact ? contact->key : -1,
                     body ? body->channel : contact->channel};
    Tooltip(HoverText(session, contact, body));
  }
}

}  // namespace slip::app
