// Whether a switch is on, and why an action cannot be done now.
#include "app/panels/bars/action_states.h"
#include "app/panels/common/friction.h"
#include "app/panels/picture/handles.h"
#include "app/panels/picture/view.h"
#include "app/session/scene_file.h"
#include "app/state/tab.h"
#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

struct Look {
  const Session& session;
  const UiState& state;
  const Machine& machine;
};

/// What can keep somebody from the actions from `first` to `last`.
struct Obstacle {
  using Why = const char* (*)(const Look& look, int number);
  Action first, last;
  Why why;  ///< null where nothing does; `number` counts from `first`

  constexpr Obstacle(Action only, Why reason) : first(only), last(only), why(reason) {}
  constexpr Obstacle(Action from, Action to, Why reason) : first(from), last(to), why(reason) {}
};

const char* WhyNotKept(const Look& look, int slot) {
  const auto& views = look.state.kept.views;
  const Scene* scene = look.session.scene();
  const auto kept = views.find(scene != nullptr ? scene->id : "");
  return kept == views.end() || !At(kept->second, slot)
             ? "No view of this scene was kept under this number yet."
             : nullptr;
}

const char* WhyNoChannel(const Look& look, int channel) {
  return channel >= look.session.channel_count() ? "Fewer models are running." : nullptr;
}

const char* WhyNoTable(const Look& look, int) {
  const TabId shown = ShownTab(look.session, look.state.shell.inspect_tab, Narrow::kNo);
  return TabOf(shown).table == nullptr ? "The tab that is shown has no table." : nullptr;
}

const char* WhyRests(const Look& look, int) {
  return look.state.studies.open ? "The scene rests while the studies are shown." : nullptr;
}

const char* WhyHandRests(const Look& look, int number) {
  const auto action = static_cast<Action>(static_cast<int>(Action::kHandXBack) + number);
  return WhyHandStays(look.session, action, look.state.picked.selection.body);
}

// clang-format off
constexpr Obstacle kObstacles[] = {
  {Action::kSaveScene, [](const Look& l, int) { return WhyNoSceneFile(l.session); }},
  {Action::kZoomBack, [](const Look& l, int) { return l.state.plots.linked_x.history.empty() ? "Nothing was zoomed." : nullptr; }},
  {Action::kRunPause, Action::kFastest, WhyRests},
  {Action::kUndo, [](const Look& l, int) { return l.session.params().CanUndo() || l.state.key_changes.CanUndo(l.session.now()) ? nullptr : "No parameter was changed yet."; }},
  {Action::kRedo, [](const Look& l, int) { return l.session.params().CanRedo() ? nullptr : "Nothing was undone."; }},
  {Action::kFormerBranch, [](const Look& l, int) { return l.session.branches().Beside(-1) < 0 ? "This is the first branch." : nullptr; }},
  {Action::kNextBranch, [](const Look& l, int) { return l.session.branches().Beside(1) < 0 ? "This is the last branch." : nullptr; }},
  {Action::kRunGhost, [](const Look& l, int) { return l.session.branches().along().Ghost() < 0 ? "No other run is drawn along: the tab Branches chooses one." : nullptr; }},
  {Action::kSmoothEdges, [](const Look& l, int) { return l.machine.software_gl ? "A processor would take 20 ms more for every picture." : nullptr; }},
  {Action::kDropReference, [](const Look& l, int) { return l.session.reference().Exists() ? nullptr : "There is none."; }},
  {Action::kView1, Action::kView3, WhyNotKept},
  {Action::kTargetHandles, [](const Look& l, int) { return HasTargetHandles(l.session) ? nullptr : "No robot of this scene hangs on slides whose motors hold it."; }},
  {Action::kHandXBack, Action::kHandFarOpen, WhyHandRests},
  {Action::kCandidates, [](const Look& l, int) { return HasChosenPoints(l.session) ? nullptr : "No quasi-dynamic model of this scene moves a point cloud."; }},
  {Action::kShowAllBodies, [](const Look& l, int) { return l.state.view.hidden.Any() ? nullptr : "No body is hidden."; }},
  {Action::kCopyTable, Action::kSaveTable, WhyNoTable},
  {Action::kResync, [](const Look& l, int) { return l.session.channel_count() < 2 ? "There is only one model." : nullptr; }},
  {Action::kShow1, Action::kShow5, WhyNoChannel},
  {Action::kLead1, Action::kLead5, WhyNoChannel},
};
// clang-format on

}  // namespace

bool WindowActions::IsOn(Action action) const {
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

const char* WindowActions::WhyDisabled(Action action) const {
  // what a row of a table says of its own
  if (slip::app::Info(action).in_plots && !state_.plots.focus.on)
    return "The plots do not have the keyboard.";
  const render::Quantity* drawn = QuantityOf(action);
  const Model* model = session_.model();
  if (drawn != nullptr && drawn->of_robots && (model == nullptr || model->robots.empty()))
    return "There is no robot in this scene.";
  const std::optional<TabId> tab = TabOf(action);
  if (tab && TabOf(*tab).why_not != nullptr) return TabOf(*tab).why_not(session_);
  for (const Obstacle& obstacle : kObstacles) {
    if (action < obstacle.first || action > obstacle.last) continue;
    const int number = static_cast<int>(action) - static_cast<int>(obstacle.first);
    return obstacle.why({session_, state_, machine_}, number);
  }
  return nullptr;
}

}  // namespace slip::app
