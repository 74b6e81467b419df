// The actions that switch something on and off.
#include "app/state/actions.h"
#include "app/state/ui_state.h"

namespace slip::app {

bool* ToggleOf(UiState* s, Action action) {
  switch (action) {
    case Action::kLeftPanel:
      return &s->shown_left();
    case Action::kRightPanel:
      return &s->shown_right();
    case Action::kPlots:
      return &s->show_plots;
    case Action::kHideAll:
      return &s->hide_all;
    case Action::kFullScreen:
      return &s->full_screen;
    case Action::kPresenter:
      return &s->presenter;
    case Action::kOcclusion:
      return &s->view.occlusion;
    case Action::kSmoothEdges:
      return &s->smooth_edges;
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
    case Action::kRunGhost:
      return &s->view.run_ghost;
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

}  // namespace slip::app
