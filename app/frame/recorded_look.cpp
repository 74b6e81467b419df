// What of the window a video shows again: camera, models, curves and what is switched on.
#include <algorithm>

#include "app/frame/record_actions.h"
#include "engine/sim/robot_signals.h"

namespace slip::app {
void ApplyQuality(const std::string& quality, render::ViewStyle* view) {
  using render::Quality;
  if (quality.empty()) return;
  view->quality = quality == "best"       ? Quality::kHigh
                  : quality == "balanced" ? Quality::kMedium
                                          : Quality::kLow;
  view->msaa = 4;
}

RenderSpec LookOf(const Ui& ui) {
  RenderSpec look;
  look.theme = ui.state.shell.shown_theme() == Theme::kLight ? "light" : "dark";
  CameraSpec camera = ui.rig.Unmoved();
  camera.follow = false;
  look.camera = camera;
  look.orthographic = ui.rig.camera.orthographic();
  look.follow_body = ui.state.picked.follow_body;
  look.compare = CompareNames()[static_cast<std::size_t>(ui.state.view.compare)];
  look.lead = ui.session.looks().lead();
  for (int i = 0; i < ui.session.channel_count(); ++i) {
    if (!ui.session.looks().Shown(i)) look.hidden.push_back(i);
  }
  for (const PlotSlot& slot : ui.state.plots.slots)
    look.plots.push_back(NameOf(ui.session.scene_model(), slot));
  const auto& slots = ui.state.plots.slots;
  if (std::any_of(slots.begin(), slots.end(),
                  [](const PlotSlot& slot) { return slot.state.scale.has_value(); })) {
    for (const PlotSlot& slot : slots) {
      const std::size_t chosen =
          slot.state.scale ? 1 + static_cast<std::size_t>(*slot.state.scale) : 0;
      look.plot_scales.push_back(PlotScaleNames()[chosen]);
    }
  }
  // what the machine decides here it may decide otherwise for the video
  if (ui.state.view.preset != Preset::kAuto)
    look.quality = ui.state.view.preset == Preset::kBest       ? "best"
                   : ui.state.view.preset == Preset::kBalanced ? "balanced"
                                                               : "fast";
  look.show.emplace();
  for (const ActionSwitch& toggle : ActionSwitches()) {
    if (toggle.in_pictures && ui.actions().IsOn(toggle.action))
      look.show->push_back(ActionId(toggle.action));
  }
  return look;
}

void ApplyLook(const RenderSpec& look, Ui* ui) {
  UiState& s = ui->state;
  if (look.camera) {
    ui->rig.travelled.setZero();
    SetView(ui->session, *look.camera, &ui->rig);
    // from the start on it goes along, wherever the body has got to when the video begins
    ui->rig.followed = look.follow_body;
  }
  ui->rig.camera.set_orthographic(look.orthographic);
  s.picked.follow_body = look.follow_body;
  const auto& modes = CompareNames();
  const auto mode = std::find(modes.begin(), modes.end(), look.compare);
  if (mode != modes.end()) s.view.compare = static_cast<Compare>(mode - modes.begin());
  for (std::size_t i = 0; i < std::min(look.plot_scales.size(), s.plots.slots.size()); ++i) {
    const auto& names = PlotScaleNames();
    const auto chosen = std::find(names.begin(), names.end(), look.plot_scales[i]) - names.begin();
    if (chosen > 0 && chosen < static_cast<std::ptrdiff_t>(names.size()))
      s.plots.slots[i].state.scale = static_cast<AxisScale>(chosen - 1);
  }
  ui->requests.Ask([lead = look.lead, hidden = look.hidden](Session* session) {
    session->looks().SetLead(lead);
    for (const int channel : hidden) session->looks().ToggleVisible(channel);
  });
  if (!look.show) return;
  for (const ActionSwitch& toggle : ActionSwitches()) {
    if (!toggle.in_pictures) continue;
    *toggle.of(&s) = std::find(look.show->begin(), look.show->end(), ActionId(toggle.action)) !=
                     look.show->end();
  }
}

}  // namespace slip::app
