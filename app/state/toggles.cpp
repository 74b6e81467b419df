// The actions that switch something on and off: a row each. Those of what pictures show come from
// render/scene/quantity_list.h.
#include <vector>

#include "app/state/actions.h"
#include "app/state/ui_state.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

using S = UiState;

struct Switch {
  Action action;
  bool* (*of)(UiState*);
  bool in_pictures;
};

// In the order in which files name them; between these parts stand the quantities of the menus Show
// and View.
// clang-format off
constexpr Switch kFirstSwitches[] = {
    {Action::kLeftPanel, [](S* s) { return &s->shell.shown_left(); }, true},
    {Action::kRightPanel, [](S* s) { return &s->shell.shown_right(); }, true},
    {Action::kPlots, [](S* s) { return &s->plots.shown; }, true},
    {Action::kDialects, [](S* s) { return &s->dialects.open; }, true},
};
constexpr Switch kMiddleSwitches[] = {
    {Action::kTargetHandles, [](S* s) { return &s->view.show_handles; }, true},
    {Action::kGap, [](S* s) { return &s->view.show_gap; }, true},
    {Action::kLabels, [](S* s) { return &s->view.show_labels; }, true},
    {Action::kLegend, [](S* s) { return &s->view.show_legend; }, true},
    {Action::kInfo, [](S* s) { return &s->view.show_info; }, true},
    {Action::kMarkLabels, [](S* s) { return &s->time_line.show_mark_labels; }, true},
    {Action::kContactTicks, [](S* s) { return &s->time_line.contact_ticks; }, true},
};
constexpr Switch kLastSwitches[] = {
    {Action::kStudies, [](S* s) { return &s->studies.open; }, false},
    {Action::kHideAll, [](S* s) { return &s->shell.hide_all; }, false},
    {Action::kFullScreen, [](S* s) { return &s->shell.full_screen; }, false},
    {Action::kPresenter, [](S* s) { return &s->shell.presenter; }, false},
    {Action::kSmoothEdges, [](S* s) { return &s->view.smooth_edges; }, false},
    {Action::kDragNeedsCtrl, [](S* s) { return &s->mouse.drag_needs_ctrl; }, false},
    {Action::kReducedMotion, [](S* s) { return &s->shell.reduced_motion; }, false},
};
// clang-format on

std::vector<ActionSwitch> MakeSwitches() {
  std::vector<ActionSwitch> switches;
  const auto add = [&](std::span<const Switch> rows) {
    for (const Switch& row : rows) switches.push_back({row.action, row.of, row.in_pictures});
  };
  const auto add_quantities = [&](std::string_view menu) {
    for (const ActionInfo& info : ActionTable()) {
      const render::Quantity* quantity = QuantityOf(info.id);
      if (quantity == nullptr || quantity->on == nullptr || quantity->menu != menu) continue;
      switches.push_back({info.id, [on = quantity->on](S* s) { return &(s->view.*on); },
                          quantity->kept_with_pictures});
    }
  };
  add(kFirstSwitches);
  add_quantities("Show");
  add(kMiddleSwitches);
  add_quantities("View");
  add(kLastSwitches);
  return switches;
}

}  // namespace

std::span<const ActionSwitch> ActionSwitches() {
  static const std::vector<ActionSwitch> switches = MakeSwitches();
  return switches;
}

bool* ToggleOf(UiState* s, Action action) {
  for (const ActionSwitch& toggle : ActionSwitches()) {
    if (toggle.action == action) return toggle.of(s);
  }
  return nullptr;
}

bool IsToggle(Action action) {
  UiState none;
  const bool chosen = action >= Action::kQualityAuto && action <= Action::kQualityBest;
  return action == Action::kTheme || QuantityOf(action) != nullptr || chosen ||
         ToggleOf(&none, action) != nullptr;
}

}  // namespace slip::app
