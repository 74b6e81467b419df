// Whether a switch is on, and what stands against an action.
#include "app/panels/action_states.h"
#include "app/panels/friction.h"
#include "app/panels/handles.h"
#include "app/panels/view.h"
#include "app/state/tab.h"
#include "render/quantity.h"

namespace slip::app {

bool ActionStates::IsOn(Action action) const {
  if (action == Action::kTheme) return state_.shell.shown_theme() == Theme::kLight;
  if (action >= Action::kQualityAuto && action <= Action::kQualityBest) {
    return static_cast<int>(state_.view.preset) ==
           static_cast<int>(action) - static_cast<int>(Action::kQualityAuto);
  }
  const render::Quantity* drawn = QuantityOf(action);
  if (drawn != nullptr && drawn->shown != nullptr) {
    return drawn->shown(
        session_.snapshot(),
        LeadRequest(session_, state_.view, state_.shell.shown_theme(), state_.picked));
  }
  const bool* toggle = ToggleOf(const_cast<UiState*>(&state_), action);
  return toggle != nullptr && *toggle;
}

const char* ActionStates::WhyDisabled(Action action) const {
  const Session& session = session_;
  const int number = static_cast<int>(action);
  if (slip::app::Info(action).in_plots && !state_.plots.focus.on) {
    return "The plots do not have the keyboard.";
  }
  if (action == Action::kZoomBack && state_.plots.linked_x.history.empty()) {
    return "Nothing was zoomed.";
  }
  if (action == Action::kUndo && !session.params().CanUndo() &&
      !state_.key_changes.CanUndo(session.now()))
    return "No parameter was changed yet.";
  if (action == Action::kRedo && !session.params().CanRedo()) return "Nothing was undone.";
  if (action == Action::kFormerBranch && session.branches().Beside(-1) < 0)
    return "This is the first branch.";
  if (action == Action::kNextBranch && session.branches().Beside(1) < 0)
    return "This is the last branch.";
  if (action == Action::kRunGhost && session.branches().Ghost() < 0)
    return "No other run is drawn along: the tab Branches chooses one.";
  if (action == Action::kSmoothEdges && machine_.software_gl)
    return "A processor would take 20 ms more for every picture.";
  if (action == Action::kDropReference && !session.reference().Exists()) return "There is none.";
  if (action >= Action::kView1 && action <= Action::kView3) {
    const auto slot = static_cast<std::size_t>(number - static_cast<int>(Action::kView1));
    const auto kept = state_.kept.views.find(session.scene() != nullptr ? session.scene()->id : "");
    if (kept == state_.kept.views.end() || !kept->second[slot])
      return "No view of this scene was kept under this number yet.";
  }
  const render::Quantity* drawn = QuantityOf(action);
  if (drawn != nullptr && drawn->of_robots &&
      (session.model() == nullptr || session.model()->robots.empty())) {
    return "There is no robot in this scene.";
  }
  if (action == Action::kTargetHandles && !HasTargetHandles(session))
    return "No robot of this scene hangs on slides whose motors hold it.";
  if (action >= Action::kHandXBack && action <= Action::kHandFarOpen)
    return WhyHandStays(session, action, state_.picked.selection.body);
  if (action == Action::kCandidates && !HasChosenPoints(session))
    return "No quasi-dynamic model of this scene moves a point cloud.";
  if (action == Action::kShowAllBodies && !state_.view.hidden.Any()) return "No body is hidden.";
  const std::optional<TabId> tab = TabOf(action);
  if (tab && TabOf(*tab).why_not != nullptr) return TabOf(*tab).why_not(session);
  const bool of_table = action == Action::kCopyTable || action == Action::kCopyMarkdown ||
                        action == Action::kSaveTable;
  if (of_table && TabOf(ShownTab(session, state_.shell.inspect_tab, Narrow::kNo)).table == nullptr)
    return "The tab that is shown has no table.";
  if (action == Action::kResync && session.channel_count() < 2) return "There is only one model.";
  if (action >= Action::kShow1 && action <= Action::kShow4 &&
      number - static_cast<int>(Action::kShow1) >= session.channel_count()) {
    return "Fewer models are running.";
  }
  if (action >= Action::kLead1 && action <= Action::kLead4 &&
      number - static_cast<int>(Action::kLead1) >= session.channel_count()) {
    return "Fewer models are running.";
  }
  return nullptr;
}

}  // namespace slip::app
