// What has to be in the picture, and how fast the camera goes there.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "app/frame/ui.h"
#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "app/view/shown.h"
#include "engine/scene/scene.h"

namespace slip::app {
namespace {

// The camera is e times nearer to where it goes after this [s].
constexpr double kEase = 0.30;
// Bodies keep clear of the borders, the readouts above and the legends below [design px].
constexpr float kSide = 24, kTop = 40, kFoot = 64;
// The picture gets no smaller than this for the sake of all models; of the lead; of one body.
constexpr double kMostForAll = 2, kMostForLead = 3, kMostForOne = 6;
constexpr double kStill = 0.3;  // a rest of the way that nobody sees [px]

/// The pane that the window's camera is for.
Pane MainPane(const Ui& ui) {
  Pane pane;
  pane.min = ui.regions.view.min;
  pane.max = ui.regions.view.max;
  pane.request =
      LeadRequest(ui.session, ui.state.view, ui.state.shell.shown_theme(), ui.state.picked);
  return pane;
}

render::Room RoomIn(const Ui& ui, const Pane& pane) {
  const auto width = static_cast<double>(pane.max.x - pane.min.x);
  const auto height = static_cast<double>(pane.max.y - pane.min.y);
  const auto px = [](float design) { return static_cast<double>(Px(design)); };
  render::Room room;
  room.min = Vec2(std::min(px(kSide), 0.1 * width), std::min(px(kTop), 0.12 * height));
  room.max = Vec2(width - room.min.x(), height - std::min(px(kFoot), 0.16 * height));
  if (pane.gap != GapForm::kNone) {
    // the whole column of the instrument is its own, as long as that leaves half the picture
    const double card = static_cast<double>(InstrumentSize(ui.session, pane.gap).x);
    room.max.x() = std::max(width - card - px(kSide), 0.5 * width);
  }
  const Vec2 size(width, height);
  room.min = room.min.cwiseMin(ui.rig.keep_in_view.start.min.cwiseProduct(size));
  room.max.y() = std::max(room.max.y(), ui.rig.keep_in_view.start.max.y() * height);
  if (pane.gap == GapForm::kNone)
    room.max.x() = std::max(room.max.x(), ui.rig.keep_in_view.start.max.x() * width);
  // the picture makes way by this much, whatever the distance
  room.min.x() += pane.shift;
  room.max.x() += pane.shift;
  return room;
}

void AddBalls(const Ui& ui, const render::ViewRequest& request, int channel, int only,
              std::vector<render::Ball>* balls) {
  const Snapshot& snapshot = ui.session.snapshot();
  const Model& model = *snapshot.model;
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const Body& body = model.body(b);
    if (!body.Moves() || !body.visible || (only >= 0 && b != only)) continue;
    balls->push_back({render::DrawnPose(snapshot, request, channel, b).p, body.half_width});
  }
}

/// Bodies of all models that are shown.
std::vector<render::Ball> AllBalls(const Ui& ui, const render::ViewRequest& request) {
  std::vector<render::Ball> balls;
  for (int c = 0; c < ui.session.channel_count(); ++c) {
    if (render::ChannelShown(ui.session.snapshot(), request, c))
      AddBalls(ui, request, c, -1, &balls);
  }
  return balls;
}

/// Notes where they are at first.
void NoteStart(const Pane& pane, std::span<const render::Ball> balls, KeepInView* keep) {
  const auto bounds = render::BoundsOf(pane.camera, pane.viewport(), balls);
  if (!bounds) return;
  const Vec2 size(pane.viewport().width, pane.viewport().height);
  const Vec2 make_way(pane.shift, 0);
  keep->start.min = (bounds->min - make_way).cwiseQuotient(size).cwiseMax(0.0);
  keep->start.max = (bounds->max - make_way).cwiseQuotient(size).cwiseMin(1.0);
}

render::ViewShift Wanted(const Ui& ui, const Pane& pane) {
  const Snapshot& snapshot = ui.session.snapshot();
  const KeepInView& keep = ui.rig.keep_in_view;
  const int lead = render::LeadChannel(snapshot, pane.request);
  const render::Room room = RoomIn(ui, pane);
  bool fits = true;
  std::vector<render::Ball> balls;
  const auto shift = [&](double most) {
    return render::CalcKeepInView(pane.camera, pane.viewport(), room, balls, most, &fits);
  };
  if (keep.body < 0) {
    balls = AllBalls(ui, pane.request);
    const render::ViewShift all = shift(kMostForAll);
    if (fits) return all;
    // models that part: the lead stays, signs at the border point to the others
    balls.clear();
    AddBalls(ui, pane.request, lead, -1, &balls);
    const render::ViewShift own = shift(kMostForLead);
    if (fits) return own;
  }
  balls.clear();
  AddBalls(ui, pane.request, lead, keep.body >= 0 ? keep.body : ui.session.model()->lead_body,
           &balls);
  return shift(kMostForOne);
}

}  // namespace

void UpdateKeepInView(Ui* ui, double dt) {
  KeepInView& keep = ui->rig.keep_in_view;
  const Session& session = ui->session;
  const Scene* scene = session.scene();
  if (scene == nullptr || session.model() == nullptr || session.channel_count() == 0 ||
      !session.TakenOver() || ui->regions.view.empty()) {
    return;
  }
  Pane pane = MainPane(*ui);
  const bool split =
      ui->state.view.compare == Compare::kSplit2 || ui->state.view.compare == Compare::kSplit4;
  render::ViewShift wanted;
  if (ui->state.mouse.pull.active) return;  // the hand and the spring are where they are
  if (keep.on && !split && !render::IsPile(session.snapshot(), pane.request)) {
    FitGap(ui->session, ui->state.view, ui->rig, &pane);
    pane.camera = ui->rig.camera;
    if (!keep.settled) NoteStart(pane, AllBalls(*ui, pane.request), &keep);
    wanted = Wanted(*ui, pane);
  }
  const double share = !keep.settled || ui->state.shell.reduced_motion
                           ? 1
                           : 1 - std::exp(-std::max(dt, 0.0) / kEase);
  const Vec3 rest = wanted.way - keep.shift.way;
  const double pixel =
      ui->rig.camera.MetresPerPixel(ui->rig.camera.spec().distance * wanted.zoom, pane.viewport());
  const bool there = rest.norm() < kStill * pixel && std::abs(wanted.zoom - keep.shift.zoom) < 1e-3;
  keep.settled = true;
  if (there || share >= 1) {
    keep.shift = wanted;
    return;
  }
  keep.shift.way += share * rest;
  keep.shift.zoom += share * (wanted.zoom - keep.shift.zoom);
}

}  // namespace slip::app
