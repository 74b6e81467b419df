// The mouse on the 3-D view: orbit, pan, zoom, pull a body with the spring, select, hover.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/widgets.h"
#include "engine/formulation/mouse_spring.h"
#include "render/picking.h"

namespace slip::app {
namespace {

// One wheel notch changes the distance by this factor.
constexpr double kWheelZoom = 1.12;
// A press that moves less than this is a click [design px].
constexpr float kClickSlop = 4;

Vec2 PanePixel(const Pane& pane) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {static_cast<double>(mouse.x - pane.min.x), static_cast<double>(mouse.y - pane.min.y)};
}

bool Movable(const Model* model, int body) {
  return model != nullptr && body >= 0 && static_cast<std::size_t>(body) < model->bodies.size() &&
         model->bodies[static_cast<std::size_t>(body)].nv > 0;
}

void SendPull(Ui* ui) {
  const Pull& pull = ui->state.pull;
  const Model* model = ui->session.model();
  Grab grab;
  if (pull.active && Movable(model, pull.body)) {
    const double mass = model->bodies[static_cast<std::size_t>(pull.body)].mass;
    grab = MouseSpring(mass, ui->session.snapshot().gravity_W.norm());
    grab.body = pull.body;
    grab.p_BP = pull.p_BP;
    grab.p_WA = pull.p_WA;
  }
  ui->session.Send(SetGrab{grab});
}

void StartPull(Ui* ui, const render::BodyHit& hit) {
  Pull& pull = ui->state.pull;
  pull.active = true;
  pull.body = hit.body;
  pull.p_BP = hit.p_BP;
  pull.p_WA = hit.p_W;
  pull.offset = hit.p_drawn - hit.p_W;
  SendPull(ui);
}

void MovePull(Ui* ui, const Pane& pane) {
  Pull& pull = ui->state.pull;
  const Vec3 before = pull.p_WA;
  Vec3 anchor =
      render::DragPoint(pane.camera, pane.viewport(), PanePixel(pane), pull.p_WA + pull.offset) -
      pull.offset;
  // Shift keeps the pull level: it stays in the plane of the ground.
  if (ImGui::GetIO().KeyShift) anchor.z() = before.z();
  if (!anchor.allFinite() || (anchor - before).norm() < 1e-9) return;
  pull.p_WA = anchor;
  SendPull(ui);
}

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
                         FormatQuantity(c.signed_distance, "m"), FormatQuantity(c.vt, "m/s"),
                         FormatQuantity(c.fn, "N"));
    }
  }
  if (body && body->channel < session.channel_count()) {
    const ChannelFrame& frame = session.frame(body->channel);
    if (static_cast<std::size_t>(body->body) < frame.bodies.size()) {
      const Body& b = model->bodies[static_cast<std::size_t>(body->body)];
      const BodyFrame& state = frame.bodies[static_cast<std::size_t>(body->body)];
      return fmt::format("{} · {}\nmass {}   height {}\nspeed {}", b.name,
                         ui.ChannelName(body->channel), FormatQuantity(b.mass, "kg"),
                         FormatQuantity(state.X_WB.p.z(), "m"),
                         FormatQuantity(state.V_WB.tail<3>().norm(), "m/s"));
    }
  }
  return {};
}

void ContextMenu(Ui* ui) {
  if (!ImGui::BeginPopup("view-menu")) return;
  const Selection& selected = ui->state.selection;
  if (ImGui::MenuItem("Centre here", nullptr, false, selected.body >= 0)) Queue(ui, Action::kFocus);
  if (ImGui::MenuItem("Scene's own view")) Queue(ui, Action::kHomeView);
  if (ImGui::MenuItem("Side view")) Queue(ui, Action::kSideView);
  ImGui::Separator();
  if (ImGui::MenuItem("Show its contacts", nullptr, false, selected.body >= 0))
    Queue(ui, Action::kContactsTab);
  if (ImGui::MenuItem("Show its numbers", nullptr, false, selected.body >= 0))
    Queue(ui, Action::kBodyTab);
  if (ImGui::MenuItem("Copy numbers")) Queue(ui, Action::kCopyState);
  ImGui::EndPopup();
}

}  // namespace

void HandleViewMouse(Ui* ui, const Pane& pane, bool hovered) {
  UiState& s = ui->state;
  const ImGuiIO& io = ImGui::GetIO();
  const Snapshot& snapshot = ui->session.snapshot();
  if (snapshot.model == nullptr) return;
  const render::Viewport viewport = pane.viewport();
  const Vec2 pixel = PanePixel(pane);
  const bool active = ImGui::IsItemActive();
  std::optional<render::BodyHit> body;
  std::optional<render::ContactHit> contact;
  // a click begins a pull too: what it selects is asked for when the button comes up
  if (hovered && (!s.pull.active || ImGui::IsMouseReleased(0))) {
    body = render::PickBody(snapshot, pane.options, pane.camera, viewport, pixel);
    // in a pile contacts are everywhere: only those of the body under the mouse are meant
    const bool pile = render::IsPile(snapshot, pane.options);
    if (!pile || body) {
      contact = render::PickContact(snapshot, pane.options, pane.camera, viewport, pixel,
                                    static_cast<double>(Px(pile ? 4 : 8)), pile ? body->body : -1);
    }
  }

  if (hovered && ImGui::IsMouseClicked(0) && body && Movable(snapshot.model.get(), body->body) &&
      (io.KeyCtrl || !s.drag_needs_ctrl)) {
    StartPull(ui, *body);
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0) && body) {
    s.selection = {body->body, -1, body->channel};
    ui->camera.Focus(body->p_drawn, 0, !s.reduced_motion);
  }
  const float slop = Px(kClickSlop);
  const bool still = io.MouseDragMaxDistanceSqr[0] < slop * slop;
  if (hovered && ImGui::IsMouseReleased(0) && still) {
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
    if (body) s.selection = {body->body, -1, body->channel};
    ImGui::OpenPopup("view-menu");
  }
  ContextMenu(ui);

  const double dx = static_cast<double>(io.MouseDelta.x), dy = static_cast<double>(io.MouseDelta.y);
  if (active && (dx != 0 || dy != 0)) {
    if (s.pull.active) {
      MovePull(ui, pane);
    } else if (ImGui::IsMouseDown(0)) {
      ui->camera.Orbit(dx, dy);
    } else if (ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2)) {
      ui->camera.Pan(dx, dy, viewport);
    }
  }
  if (hovered && io.MouseWheel != 0) {
    ui->camera.Dolly(std::pow(kWheelZoom, -static_cast<double>(io.MouseWheel)),
                     Vec2(pixel.x() + pane.shift, pixel.y()), viewport);
  }
  if (hovered && !active && (body || contact)) {
    s.hover = {body ? body->body : -1, contact ? contact->key : -1,
               body ? body->channel : contact->channel};
    Tooltip(HoverText(*ui, contact, body));
  }
}

void FinishPull(Ui* ui) {
  if (!ui->state.pull.active || ImGui::IsMouseDown(0)) return;
  ui->state.pull = {};
  SendPull(ui);
}

}  // namespace slip::app
