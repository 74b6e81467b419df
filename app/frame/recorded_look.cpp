// What of the window a video shows again: camera, models, curves and what is switched on.
#include <algorithm>

#include "app/frame/record_actions.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/sim/part_signals.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

std::optional<int> IndexOf(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

/// Before the name of what is off.
const std::string kOff = "no_";

}  // namespace

Status SwitchBy(const std::vector<std::string>& names, UiState* state) {
  std::vector<std::string> known;
  for (const ActionSwitch& toggle : ActionSwitches())
    if (toggle.in_pictures) known.push_back(ActionId(toggle.action));
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  for (const std::string& name : names) {
    const bool off = name.starts_with(kOff);
    const std::string id = off ? name.substr(kOff.size()) : name;
    const auto found = std::find_if(
        ActionSwitches().begin(), ActionSwitches().end(),
        [&](const ActionSwitch& t) { return t.in_pictures && ActionId(t.action) == id; });
    if (found == ActionSwitches().end())
      return Error{.message = "no switch '" + name.substr(0, 60) + "'",
                   .hint = DidYouMean(id, candidates)};
    *found->of(state) = !off;
  }
  return Ok{};
}

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
  look.compare = At(CompareNames(), ui.state.view.compare);
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
  const LinkedX& x = ui.state.plots.linked_x;
  if (ui.state.plots.follow_chosen || x.follow != FollowMode::kAll) {
    look.time_axis = At(TimeAxisNames(), x.follow);
    look.time_range = {0, x.last_seconds};
    if (x.follow == FollowMode::kFree) look.time_range = {x.range.min, x.range.max};
  }
  const Shell& shell = ui.state.shell;
  look.left_tab = IdOf(shell.left_tab);
  look.inspect_tab = IdOf(shell.inspect_tab);
  // what the machine decides here it may decide otherwise for the video
  if (ui.state.view.preset != Preset::kAuto)
    look.quality = ui.state.view.preset == Preset::kBest       ? "best"
                   : ui.state.view.preset == Preset::kBalanced ? "balanced"
                                                               : "fast";
  look.show.emplace();
  for (const ActionSwitch& toggle : ActionSwitches()) {
    if (!toggle.in_pictures) continue;
    const bool on = ui.actions().IsOn(toggle.action);
    const render::Quantity* quantity = QuantityOf(toggle.action);
    if (on) look.show->push_back(ActionId(toggle.action));
    if (!on && quantity != nullptr && quantity->named_when_off)
      look.show->push_back(kOff + ActionId(toggle.action));
  }
  return look;
}

void ApplyLook(const RenderSpec& look, Ui* ui) {
  UiState& s = ui->state;
  if (const auto tab = FindTab(Side::kLeft, look.left_tab)) s.shell.left_tab = *tab;
  if (const auto tab = FindTab(Side::kRight, look.inspect_tab)) s.shell.inspect_tab = *tab;
  if (const auto follow = IndexOf(TimeAxisNames(), look.time_axis)) {
    LinkedX& x = s.plots.linked_x;
    x.follow = static_cast<FollowMode>(*follow);
    s.plots.follow_chosen = true;
    if (x.follow == FollowMode::kFree) {
      x.range = {look.time_range[0], look.time_range[1]};
    } else {
      x.last_seconds = look.time_range[1];
    }
  }
  if (look.camera) {
    ui->rig.travelled.setZero();
    SetView(ui->session, *look.camera, &ui->rig);
    // from the start on it goes along, wherever the body has got to when the video begins
    ui->rig.followed = look.follow_body;
  }
  ui->rig.camera.set_orthographic(look.orthographic);
  s.picked.follow_body = look.follow_body;
  if (const auto mode = IndexOf(CompareNames(), look.compare))
    s.view.compare = static_cast<Compare>(*mode);
  for (std::size_t i = 0; i < std::min(look.plot_scales.size(), s.plots.slots.size()); ++i) {
    const auto chosen = IndexOf(PlotScaleNames(), look.plot_scales[i]);
    if (chosen && *chosen > 0) s.plots.slots[i].state.scale = static_cast<AxisScale>(*chosen - 1);
  }
  ui->requests.Ask([lead = look.lead, hidden = look.hidden](Session* session) {
    session->looks().SetLead(lead);
    for (const int channel : hidden) session->looks().ToggleVisible(channel);
  });
  if (!look.show) return;
  for (const ActionSwitch& toggle : ActionSwitches()) {
    if (!toggle.in_pictures) continue;
    const auto names = [&](const std::string& name) {
      return std::find(look.show->begin(), look.show->end(), name) != look.show->end();
    };
    const std::string id = ActionId(toggle.action);
    const render::Quantity* quantity = QuantityOf(toggle.action);
    const bool named_when_off = quantity != nullptr && quantity->named_when_off;
    *toggle.of(&s) = named_when_off ? !names(kOff + id) : names(id);
  }
}

}  // namespace slip::app
