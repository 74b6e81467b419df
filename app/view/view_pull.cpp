// Pulling and twisting a body with the mouse spring.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/kit/widgets.h"
#include "app/view/pane.h"
#include "engine/core/numbers.h"
#include "engine/method/mouse_spring.h"
#include "render/quantities/picking.h"
#include "render/scene/drag_geometry.h"

namespace slip::app {
namespace {

// A twist turns the body by this angle per pixel of the drag [rad].
constexpr double kTurnPerPixel = 0.01;

const Body& BodyOf(const Session& session, int body) { return session.model()->body(body); }

const BodyFrame& FrameOf(const Session& session, int body) {
  return At(session.frame(session.looks().lead()).bodies, body);
}

/// Normal of the contact that carries most of this body; up where it touches nothing.
Vec3 ContactNormal(const Session& session, int body, const Vec3& up_W) {
  const ContactFrame* best = nullptr;
  for (const ContactFrame& contact : session.frame(session.looks().lead()).contacts) {
    const bool own = contact.body == body || contact.body_a == body;
    if (own && contact.fn > 0 && (best == nullptr || contact.fn > best->fn)) best = &contact;
  }
  return best != nullptr ? best->n_W : up_W;
}

}  // namespace

bool Movable(const Model* model, int body) {
  return model != nullptr && body >= 0 && static_cast<std::size_t>(body) < model->bodies.size() &&
         model->body(body).Moves();
}

void SendPull(const Session& session, MouseState* mouse, Requests* requests, bool step) {
  Pull& pull = mouse->pull;
  Grab grab;
  if (pull.active && Movable(session.model(), pull.body)) {
    const Body& body = BodyOf(session, pull.body);
    const double gravity = session.snapshot().gravity_W.norm();
    // a link takes along what it hangs on
    const Model& model = *session.model();
    const Tree& tree = model.TreeOf(body);
    double mass = 0;
    for (int i = 0; i < tree.links; ++i) mass += model.body(tree.first_body + i).mass;
    // robots are nudged: what could lift them throws them over
    const bool robot = body.robot >= 0;
    grab = MouseSpring(mass, gravity, mouse->frequency / (robot ? 4 : 1),
                       mouse->limit / (robot ? 20 : 1));
    if (pull.twist) grab = TwistSpring(grab, mass, body.inertia_B.sum() / 3, body.bound);
    grab.body = pull.body;
    grab.p_BP = pull.p_BP;
    grab.p_WA = pull.p_WA;
    grab.q_WA = pull.q_WA;
  }
  pull.spring = grab;
  pull.waits = pull.active && !step && !session.playback().playing();
  if (!pull.waits) requests->Ask([grab](Session* s) { s->Send(SetGrab{grab}); });
}

void PressPull(const Session& session, const render::BodyHit& hit, bool twist, Pull* pull) {
  *pull = {};
  pull->pressed = true;
  // a body that cannot turn is pulled after all
  const Body& body = BodyOf(session, hit.body);
  pull->twist = twist && std::any_of(body.dof, body.dof + body.nv, [](int d) { return d < 3; });
  pull->body = hit.body;
  pull->p_BP = hit.p_BP;
  pull->p_WA = pull->p_WS = hit.p_W;
  pull->offset = hit.p_drawn - hit.p_W;
}

void StartPull(const Session& session, MouseState* mouse, Requests* requests) {
  Pull& pull = mouse->pull;
  pull.pressed = false;
  if (static_cast<std::size_t>(pull.body) >= session.frame(session.looks().lead()).bodies.size()) {
    return;
  }
  pull.active = true;
  pull.q_WA = FrameOf(session, pull.body).X_WB.q;
  SendPull(session, mouse, requests);
}

void MovePull(const Session& session, const Pane& pane, MouseState* mouse, Requests* requests) {
  Pull& pull = mouse->pull;
  if (static_cast<std::size_t>(pull.body) >= session.frame(session.looks().lead()).bodies.size()) {
    return;
  }
  const ImGuiIO& io = ImGui::GetIO();
  if (pull.twist) {
    const double dx = static_cast<double>(io.MouseDelta.x);
    const double dy = static_cast<double>(io.MouseDelta.y);
    if (dx == 0 && dy == 0) return;
    // like a ball under the hand; what turns in a plane only follows the sideways way
    const bool planar = BodyOf(session, pull.body).nv < 6;
    Vec3 turn = kTurnPerPixel * (dx * pane.camera.up_W() + dy * pane.camera.right_W());
    if (planar) turn = kTurnPerPixel * dx * Vec3::UnitY();
    if (pull.axis >= 0) turn = kTurnPerPixel * (dx + dy) * Vec3::Unit(pull.axis);
    if (!(turn.norm() > 0)) return;
    pull.q_WA = (Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * pull.q_WA).normalized();
    return SendPull(session, mouse, requests);
  }
  const render::Ray ray = pane.camera.PixelRay(MousePixel(pane), pane.viewport());
  const Vec3 facing =
      render::DragPoint(pane.camera, pane.viewport(), MousePixel(pane), pull.p_WA + pull.offset);
  Vec3 anchor = facing;
  if (pull.axis >= 0) {
    anchor = render::OnLine(ray, pull.p_WS + pull.offset, Vec3::Unit(pull.axis), facing);
  } else if (io.KeyShift) {
    // force = stiffness times (anchor - grabbed point): both in one plane along the contact
    const Vec3 grabbed = FrameOf(session, pull.body).X_WB * pull.p_BP;
    anchor = render::OnPlane(ray, grabbed + pull.offset,
                             ContactNormal(session, pull.body, pane.camera.up_W()), facing);
  }
  anchor -= pull.offset;
  if (!anchor.allFinite() || (anchor - pull.p_WA).norm() < 1e-9) return;
  pull.p_WA = anchor;
  SendPull(session, mouse, requests);
}

void LockPull(int axis, Pull* pull) {
  pull->axis = pull->axis == axis ? -1 : axis;
  pull->p_WS = pull->p_WA;
}

void FinishPull(const Session& session, MouseState* mouse, Requests* requests) {
  Pull& pull = mouse->pull;
  if (pull.active && pull.waits && session.playback().playing()) SendPull(session, mouse, requests);
  if ((!pull.active && !pull.pressed) || ImGui::IsMouseDown(0)) return;
  const bool sent = pull.active;
  pull = {};
  if (sent) SendPull(session, mouse, requests);
}

}  // namespace slip::app
