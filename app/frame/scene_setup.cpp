// The set-up of the view for a new scene: camera, plots, toggles; the camera that follows a body.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/frame/ui.h"
#include "engine/scene/robot_scene.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

// With more bodies than this a scene opens without ghosts.
constexpr std::size_t kGhostBodies = 60;
}  // namespace

void FollowBody(Ui* ui) {
  const Session& session = ui->session;
  const Scene* scene = session.scene();
  // Until the engine has taken over a new scene, its bodies are others.
  const int chosen = ui->state.picked.follow_body;
  if (scene == nullptr || session.channel_count() == 0 || !session.TakenOver()) return;
  if (!scene->camera.follow && chosen < 0) {
    ui->rig.followed = -1;
    return;
  }
  const ChannelFrame& lead = session.frame(session.looks().lead());
  if (lead.bodies.empty()) return;
  const Model& model = *session.model();
  const int index = chosen >= 0 ? chosen : model.lead_body;
  const auto body = static_cast<std::size_t>(index);
  if (body >= lead.bodies.size()) return;
  Vec3 way = lead.bodies[body].X_WB.p - model.bodies[body].X_WB.p;
  // Falling and bouncing must stay visible.
  const Vec3 up = ui->rig.camera.up_W();
  way -= up.dot(way) * up;
  if (!way.allFinite()) return;
  // another body than before: the view stays where it is and goes on from there
  if (ui->rig.followed != index && (ui->rig.followed >= 0 || chosen >= 0)) ui->rig.travelled = way;
  ui->rig.followed = index;
  ui->rig.camera.Travel(way - ui->rig.travelled);
  ui->rig.travelled = way;
}

void FrameComparison(Ui* ui) {
  const UiState& s = ui->state;
  if (s.view.compare == ui->rig.framed) return;
  ui->rig.framed = s.view.compare;
  int shown = 0;
  for (int i = 0; i < ui->session.channel_count(); ++i)
    shown += ui->session.looks().Present(i) ? 1 : 0;
  // the scene's camera looks at the middle of the row
  const double middle = 0.5 * s.view.fan_out * std::max(0, shown - 1);
  const Vec3 unfanned = s.view.compare == Compare::kGhosts ? Vec3::Zero() : Vec3(0, middle, 0);
  // one that was never in a row has nothing to take off
  if (s.view.compare == Compare::kGhosts || ui->rig.unfanned.isZero()) {
    ui->rig.camera.Travel(ui->rig.unfanned - unfanned);
    ui->rig.unfanned = unfanned;
  }
}

void ShowAskedLink(Ui* ui) {
  ShownLink& shown = ui->state.picked.shown_link;
  if (shown.body < 0 || !std::exchange(shown.asked, false)) return;
  const Session& session = ui->session;
  const Model* model = session.model();
  if (model == nullptr || session.channel_count() == 0) return;
  const ChannelFrame& frame = session.frame(session.looks().lead());
  const auto body = static_cast<std::size_t>(shown.body);
  if (body >= frame.bodies.size() || body >= model->bodies.size()) return;
  // a ball about its centre of mass that holds its shapes
  double radius = 0;
  for (int b = 0; b < model->drawn(); ++b) {
    const Body& shape = model->Drawn(b);
    if (shape.shape_of_link == shown.body)
      radius = std::max(radius, shape.joint.X_PF.p.norm() + shape.bound);
  }
  // shares of half the picture: a small link is to be seen among its neighbours, and one that is as
  // large as the robot takes nobody farther away
  constexpr double kShare = 0.35, kMostShare = 0.9;
  const CameraSpec& spec = ui->rig.camera.spec();
  const double full = radius / std::tan(0.5 * spec.field_of_view);
  const double far = std::max(std::min(full / kShare, spec.distance), full / kMostShare);
  const Vec3 p = frame.bodies[body].X_WB.p;
  if (p.allFinite()) ui->rig.camera.Focus(p, far, !ui->state.shell.reduced_motion);
  BeginKeepInView(&ui->rig, shown.body);
}

namespace {

void SetUpPlain(Ui* ui) {
  const Scene* scene = ui->session.scene();
  const std::optional<CameraSpec> restore = std::exchange(ui->state.kept.restore, std::nullopt);
  const bool again = ui->state.kept.last_scene == scene->id && ui->scene_set_up == nullptr;
  const bool first = ui->scene_set_up == nullptr;
  const bool reloaded = ui->state.kept.last_scene == scene->id && ui->scene_set_up != nullptr;
  ui->scene_set_up = scene;
  UiState& s = ui->state;
  if (!first && s.studies.open) {
    s.studies.open = s.studies.was_open = false;
    s.studies.shown = scene;
    if (s.studies.before.playing) ui->requests.session().playback().SetPlaying(true);
  }
  s.kept.last_scene = scene->id;
  s.picked.selection = s.picked.hover = {};
  s.picked.follow_body = -1;
  s.picked.shown_link = {};
  s.check = {};
  s.time_line.range = {};
  s.view.hidden = {};
  s.contacts.body = -1;
  s.view.force_style = render::ForceStyle::kAuto;
  s.mouse.pull = {};
  s.solver.iteration = -1;
  s.lesson.glow_card = -1;
  s.plots.linked_x = LinkedX{};
  s.plots.follow_chosen = false;
  if (reloaded) return;  // the camera and the plots stay
  ui->rig.travelled.setZero();
  ui->rig.unfanned.setZero();
  ui->rig.followed = -1;
  ui->rig.camera.set_orthographic(false);
  SetView(ui->session, again && restore ? *restore : HomeView(ui->session, ui->rig), &ui->rig);
  s.view.fan_out = scene->fan_out;
  // three piles through each other are read one at a time
  const bool many = scene->model != nullptr && scene->model->bodies.size() > kGhostBodies;
  s.view.compare = scene->channels.size() > 1 && !many ? Compare::kGhosts : Compare::kSingle;
  ui->rig.framed = s.view.compare;
  static constexpr Signal kUsual[kPlotSlots] = {Signal::kNormalForce, Signal::kGlidingOffset,
                                                Signal::kConditionNumber};
  for (std::size_t i = 0; i < kPlotSlots; ++i) {
    PlotSlot slot;
    slot.signal = kUsual[i];
    if (i < scene->plots.size()) {
      const Result<PlotChoice> named = PlotNamed(ui->session.scene_model(), scene->plots[i]);
      if (named.ok()) slot.Choose(*named);
    }
    s.plots.slots[i] = std::move(slot);
  }
  s.joints = {};
  s.picked.hover_link = -1;
  s.parameters.unfolded.clear();
  // the model on screen may still be that of the scene before
  const bool feet = scene->model != nullptr &&
                    std::any_of(scene->model->robots.begin(), scene->model->robots.end(),
                                [](const Robot& robot) { return !robot.feet.empty(); });
  if (s.shell.inspect_tab == TabId::kCheck) s.shell.inspect_tab = TabId::kContacts;
  if (feet && s.shell.inspect_tab == TabId::kContacts) s.shell.inspect_tab = TabId::kFeet;
  // who brings a file of a robot wants to know what became of it
  if (!scene->robots.empty() && IsRobotFile(scene->file)) s.shell.inspect_tab = TabId::kCheck;
  // a new scene opens on its lesson, whatever was read of the one before
  if (!scene->lesson.cards.empty() && !first) s.shell.left_tab = TabId::kLesson;
  // motors that hold targets are there to be moved; of a robot that was opened alone, above all
  const bool robot_file = IsRobotFile(scene->file) && !again;
  if (scene->lesson.cards.empty() && (s.shell.left_tab == TabId::kLesson || robot_file)) {
    const Config& config = scene->channels.empty() ? scene->config : scene->channels.front().config;
    const bool held = std::any_of(config.joints.begin(), config.joints.end(),
                                  [](const JointDrive& motor) { return motor.stiffness > 0; });
    if (held || s.shell.left_tab == TabId::kLesson)
      s.shell.left_tab = held ? TabId::kJoints : TabId::kParameters;
  }
}

}  // namespace

void SetUpScene(Ui* ui) {
  const Scene* scene = ui->session.scene();
  if (scene == nullptr || scene == ui->scene_set_up) return;
  SetUpPlain(ui);
  const std::optional<WindowView> opened = ui->requests.session().files().TakeOpenedView();
  if (!opened) return;
  if (opened->camera) {
    ui->rig.travelled.setZero();
    ui->rig.followed = -1;
    SetView(ui->session, *opened->camera, &ui->rig);
  }
  ui->state.view.run_ghost = opened->run_ghost;
  for (std::size_t i = 0; i < opened->plots.size() && i < ui->state.plots.slots.size(); ++i) {
    const Result<PlotChoice> named = PlotNamed(ui->session.scene_model(), opened->plots[i]);
    if (named.ok()) ui->state.plots.slots[i].Choose(*named);
  }
}

}  // namespace slip::app
