// The actions that switch something on and off: a row each. What is drawn in the view has its file
// in render/, its key, name and help in actions.cpp, and its switch here.
#include "app/state/actions.h"
#include "app/state/ui_state.h"

namespace slip::app {
namespace {

using S = UiState;

// In the order in which files name them.
// clang-format off
constexpr ActionSwitch kSwitches[] = {
    {Action::kLeftPanel, [](S* s) { return &s->shell.shown_left(); }, true},
    {Action::kRightPanel, [](S* s) { return &s->shell.shown_right(); }, true},
    {Action::kPlots, [](S* s) { return &s->plots.shown; }, true},
    {Action::kContactPoints, [](S* s) { return &s->view.contact_points; }, true},
    {Action::kCandidates, [](S* s) { return &s->view.candidates; }, true},
    {Action::kForces, [](S* s) { return &s->view.forces; }, true},
    {Action::kSplitForces, [](S* s) { return &s->view.split_forces; }, true},
    {Action::kMassCentres, [](S* s) { return &s->view.com_marks; }, true},
    {Action::kTransparent, [](S* s) { return &s->view.transparent; }, true},
    {Action::kWireframe, [](S* s) { return &s->view.wireframe; }, true},
    {Action::kCone, [](S* s) { return &s->view.friction_cone; }, true},
    {Action::kSlipVelocity, [](S* s) { return &s->view.slip_velocity; }, true},
    {Action::kSupport, [](S* s) { return &s->view.support; }, true},
    {Action::kFootForces, [](S* s) { return &s->view.foot_forces; }, true},
    {Action::kFootTrails, [](S* s) { return &s->view.foot_trails; }, true},
    {Action::kJointMarks, [](S* s) { return &s->view.joint_marks; }, true},
    {Action::kTargetHandles, [](S* s) { return &s->view.show_handles; }, true},
    {Action::kGap, [](S* s) { return &s->view.show_gap; }, true},
    {Action::kLabels, [](S* s) { return &s->view.show_labels; }, true},
    {Action::kLegend, [](S* s) { return &s->view.show_legend; }, true},
    {Action::kInfo, [](S* s) { return &s->view.show_info; }, true},
    {Action::kMarkLabels, [](S* s) { return &s->time_line.show_mark_labels; }, true},
    {Action::kContactTicks, [](S* s) { return &s->time_line.contact_ticks; }, true},
    {Action::kOcclusion, [](S* s) { return &s->view.occlusion; }, true},
    {Action::kHideAll, [](S* s) { return &s->shell.hide_all; }, false},
    {Action::kFullScreen, [](S* s) { return &s->shell.full_screen; }, false},
    {Action::kPresenter, [](S* s) { return &s->shell.presenter; }, false},
    {Action::kSmoothEdges, [](S* s) { return &s->view.smooth_edges; }, false},
    {Action::kRunGhost, [](S* s) { return &s->view.run_ghost; }, false},
    {Action::kDragNeedsCtrl, [](S* s) { return &s->mouse.drag_needs_ctrl; }, false},
    {Action::kReducedMotion, [](S* s) { return &s->shell.reduced_motion; }, false},
};
// clang-format on

}  // namespace

std::span<const ActionSwitch> ActionSwitches() { return kSwitches; }

bool* ToggleOf(UiState* s, Action action) {
  for (const ActionSwitch& toggle : kSwitches) {
    if (toggle.action == action) return toggle.of(s);
  }
  return nullptr;
}

bool IsToggle(Action action) {
  UiState none;
  const bool chosen = action >= Action::kQualityAuto && action <= Action::kQualityBest;
  return action == Action::kTheme || action == Action::kChains || chosen ||
         ToggleOf(&none, action) != nullptr;
}

}  // namespace slip::app
