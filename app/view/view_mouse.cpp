// The mouse on the 3-D view: orbit, pan, zoom, select, hover; view_pull.cpp pulls bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/view/pane.h"
#include "render/draw_list.h"
#include "render/picking.h"

namespace slip::app {
namespace {

// One wheel notch changes the distance by this factor.
constexpr double kWheelZoom = 1.12;
// A press that moves less than this is a click [design px].
constexpr float kClickSlop = 4;

/// The ground is looked at from above, unless `below` is asked for or the eye is there already.
void OrbitAboveGround(Ui* ui, double dx, double dy, bool below) {
  std::optional<render::Ground> ground;
  if (!below && !ui->camera.orthographic())
    ground = render::GroundOf(ui->session.snapshot(), ui->camera);
  ground ? ui->camera.OrbitAbove(*ground, dx, dy) : ui->camera.Orbit(dx, dy);
}

}  // namespace

std::string HoverText(const Ui& ui, const std::optional<render::ContactHit>& contact,
                      const std::optional<render::BodyHit>& body) {
  const Session& session = ui.session;
  const Model* model = session.model();
  if (contact && contact->channel < session.channel_count()) {
    const auto& contacts = session.frame(contact->channel).contacts;
    if (static_cast<std::size_t>(contact->index) < contacts.size()) {
      const ContactFrame& c = contacts[static_cast<std::size_t>(contact->index)];
      const std::string& name = model->bodies[static_cast<std::size_t>(c.body)].name;
      return fmt::format("{} – {} · {}\ngap {}   slip {}\nnormal force {}", name,
                         NameOfA(*model, c), ui.ChannelName(contact->channel),
                         FormatSignal(Signal::kSignedDistance, c.signed_distance),
                         FormatSignal(Signal::kSlipSpeed, c.vt),
                         FormatSignal(Signal::kNormalForce, c.fn));
    }
  }
  if (body && body->channel < session.channel_count()) {
    const ChannelFrame& frame = session.frame(body->channel);
    if (static_cast<std::size_t>(body->body) < frame.bodies.size()) {
      const Body& b = model->bodies[static_cast<std::size_t>(body->body)];
      const BodyFrame& state = frame.bodies[static_cast<std::size_t>(body->body)];
      return fmt::format("{} · {}\n{}   height {}\nspeed {}", b.name, ui.ChannelName(body->channel),
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

void HandleViewMouse(Ui* ui, const Pane& pane, bool hovered) {
  UiState& s = ui->state;
  const ImGuiIO& io = ImGui::GetIO();
  const Snapshot& snapshot = ui->session.snapshot();
  if (snapshot.model == nullptr) return;
  const render::Viewport viewport = pane.viewport();
  const Vec2 pixel = MousePixel(pane);
  // a handle of a target has the mouse
  const bool on_handle = s.target_drag.hot || s.target_drag.held;
  const bool active = ImGui::IsItemActive() && !on_handle;
  std::optional<render::BodyHit> body;
  std::optional<render::ContactHit> contact;
  // what a click selects is asked for when the button comes up
  if (hovered && !on_handle && (!s.pull.active || ImGui::IsMouseReleased(0))) {
    body = render::PickBody(snapshot, pane.request, pane.camera, viewport, pixel);
    // in a pile contacts are everywhere: only those of the body under the mouse are meant
    const bool pile = render::IsPile(snapshot, pane.request);
    if (!pile || body) {
      contact = render::PickContact(snapshot, pane.request, pane.camera, viewport, pixel,
                                    static_cast<double>(Px(pile ? 4 : 8)), pile ? body->body : -1);
    }
  }

  if (hovered && ImGui::IsMouseClicked(0) && body && Movable(snapshot.model.get(), body->body) &&
      (io.KeyCtrl || !s.drag_needs_ctrl)) {
    PressPull(ui, *body, io.KeyCtrl && io.KeyShift);
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0) && body) {
    s.selection = {body->body, -1, body->channel};
    ui->camera.Focus(body->p_drawn, 0, !s.reduced_motion);
    BeginKeepInView(ui, body->body);
  }
  const float slop = Px(kClickSlop);
  const bool still = io.MouseDragMaxDistanceSqr[0] < slop * slop;
  if (hovered && !on_handle && ImGui::IsMouseReleased(0) && still) {
    if (contact) {
      const auto& contacts = ui->session.frame(contact->channel).contacts;
      // the table stays with the body that was clicked, whichever of the two it is
      const int owner = body ? body->body : contacts[static_cast<std::size_t>(contact->index)].body;
      s.selection = {owner, contact->key, contact->channel};
    } else if (body) {
      s.selection = {body->body, -1, body->channel};
    } else {
      s.selection = {};
    }
  }
  if (hovered && ImGui::IsMouseReleased(1) && io.MouseDragMaxDistanceSqr[1] < slop * slop) {
    if (contact) {
      const auto& contacts = ui->session.frame(contact->channel).contacts;
      s.selection = {contacts[static_cast<std::size_t>(contact->index)].body, contact->key,
                     contact->channel};
    } else if (body) {
      s.selection = {body->body, -1, body->channel};
    }
    ImGui::OpenPopup("view-menu");
  }

  if (active && s.pull.pressed && !still) StartPull(ui);
  const double dx = static_cast<double>(io.MouseDelta.x), dy = static_cast<double>(io.MouseDelta.y);
  // the contact plane moves with the body, even under a still hand
  if (active && s.pull.active && (dx != 0 || dy != 0 || io.KeyShift)) {
    MovePull(ui, pane);
  } else if (active && !s.pull.pressed && (dx != 0 || dy != 0)) {
    EndKeepInView(ui);
    if (ImGui::IsMouseDown(0)) {
      OrbitAboveGround(ui, dx, dy, io.KeyShift);
    } else if (ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2)) {
      ui->camera.Pan(dx, dy, viewport);
    }
  }
  if (hovered && io.MouseWheel != 0) {
    EndKeepInView(ui);
    ui->camera.Dolly(std::pow(kWheelZoom, -static_cast<double>(io.MouseWheel)),
                     Vec2(pixel.x() + pane.shift, pixel.y()), viewport);
  }
  if (hovered && !active && (body || contact)) {
    s.hover = {body ? body->body : -1, contact ? contact->key : -1,
               body ? body->channel : contact->channel};
    Tooltip(HoverText(*ui, contact, body));
  }
}

}  // namespace slip::app
