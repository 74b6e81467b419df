// What of the window a video shows again: camera, models, curves and what is switched on.
#include <algorithm>

#include "app/panels/panels.h"
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
  look.theme = ui.state.shown_theme() == Theme::kLight ? "light" : "dark";
  CameraSpec camera = ui.camera.spec();
  camera.target -= ui.moved();
  camera.follow = false;
  look.camera = camera;
  look.orthographic = ui.camera.orthographic();
  look.follow_body = ui.state.follow_body;
  look.compare = CompareNames()[static_cast<std::size_t>(ui.state.compare)];
  look.lead = ui.session.looks().lead();
  for (int i = 0; i < ui.session.channel_count(); ++i) {
    if (!ui.session.looks().Shown(i)) look.hidden.push_back(i);
  }
  for (const PlotSlot& slot : ui.state.plots)
    look.plots.push_back(NameOf(ui.session.scene_model(), slot));
  // what the machine decides here it may decide otherwise for the video
  if (ui.state.preset != Preset::kAuto)
    look.quality = ui.state.preset == Preset::kBest       ? "best"
                   : ui.state.preset == Preset::kBalanced ? "balanced"
                                                          : "fast";
  look.show.emplace();
  for (const ActionSwitch& toggle : ActionSwitches()) {
    if (toggle.in_pictures && IsOn(ui, toggle.action))
      look.show->push_back(ActionId(toggle.action));
  }
  return look;
}

void ApplyLook(const RenderSpec& look, Ui* ui) {
  UiState& s = ui->state;
  if (look.camera) {
    ui->travelled.setZero();
    SetView(ui, *look.camera);
    // from the start on it goes along, wherever the body has got to when the video begins
    ui->followed = look.follow_body;
  }
  ui->camera.set_orthographic(look.orthographic);
  s.follow_body = look.follow_body;
  const auto& modes = CompareNames();
  const auto mode = std::find(modes.begin(), modes.end(), look.compare);
  if (mode != modes.end()) s.compare = static_cast<Compare>(mode - modes.begin());
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
