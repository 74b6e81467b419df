// The actions that switch something on and off.
#include "app/frame/input.h"
#include "app/frame/ui.h"
#include "app/panels/panels.h"

namespace slip::app {

bool* ToggleOf(UiState* s, Action action) {
  switch (action) {
    case Action::kLeftPanel:
      return &s->show_left;
    case Action::kRightPanel:
      return &s->show_right;
    case Action::kPlots:
      return &s->show_plots;
    case Action::kHideAll:
      return &s->hide_all;
    case Action::kFullScreen:
      return &s->full_screen;
    case Action::kPresenter:
      return &s->presenter;
    case Action::kContactPoints:
      return &s->view.contact_points;
    case Action::kCandidates:
      return &s->view.candidates;
    case Action::kForces:
      return &s->view.forces;
    case Action::kSplitForces:
      return &s->view.split_forces;
    case Action::kMassCentres:
      return &s->view.com_marks;
    case Action::kTransparent:
      return &s->view.transparent;
    case Action::kWireframe:
      return &s->view.wireframe;
    case Action::kCone:
      return &s->view.friction_cone;
    case Action::kSlipVelocity:
      return &s->view.slip_velocity;
    case Action::kSupport:
      return &s->view.support;
    case Action::kFootForces:
      return &s->view.foot_forces;
    case Action::kFootTrails:
      return &s->view.foot_trails;
    case Action::kJointMarks:
      return &s->view.joint_marks;
    case Action::kTargetHandles:
      return &s->show_handles;
    case Action::kGap:
      return &s->show_gap;
    case Action::kLabels:
      return &s->show_labels;
    case Action::kLegend:
      return &s->show_legend;
    case Action::kMarkLabels:
      return &s->show_mark_labels;
    case Action::kContactTicks:
      return &s->contact_ticks;
    case Action::kInfo:
      return &s->show_info;
    case Action::kDragNeedsCtrl:
      return &s->drag_needs_ctrl;
    case Action::kReducedMotion:
      return &s->reduced_motion;
    default:
      return nullptr;
  }
}

bool IsToggle(Action action) {
  UiState none;
  const bool chosen = action >= Action::kQualityAuto && action <= Action::kQualityBest;
  return action == Action::kTheme || action == Action::kChains || chosen ||
         ToggleOf(&none, action) != nullptr;
}

bool IsOn(const Ui& ui, Action action) {
  if (action == Action::kTheme) return ui.state.shown_theme() == Theme::kLight;
  if (action >= Action::kQualityAuto && action <= Action::kQualityBest) {
    return static_cast<int>(ui.state.preset) ==
           static_cast<int>(action) - static_cast<int>(Action::kQualityAuto);
  }
  if (action == Action::kChains) {
    const render::ForceStyle style = ui.state.view.force_style;
    return style == render::ForceStyle::kChains ||
           (style == render::ForceStyle::kAuto && ShowsPile(ui));
  }
  const bool* toggle = ToggleOf(const_cast<UiState*>(&ui.state), action);
  return toggle != nullptr && *toggle;
}

}  // namespace slip::app
