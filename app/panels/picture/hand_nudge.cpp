// A gripper's targets by keys: which robot, which slide, how far.
#include <optional>
#include <utility>
#include <vector>

#include "app/panels/common/joint_motors.h"
#include "app/panels/picture/handles.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// Targets stay whole micrometres.
constexpr double kNudgeGrid = 1e6;  // [1/m]

/// What an action of the keys moves.
struct Nudge {
  int axis = 0;    ///< 0 to 2: x, y, z; 3 = the opening
  double way = 0;  ///< [m]
};

std::optional<Nudge> NudgeOf(Action action) {
  if (action < Action::kHandXBack || action > Action::kHandFarOpen) return std::nullopt;
  const int place = static_cast<int>(action) - static_cast<int>(Action::kHandXBack);
  return Nudge{place % 8 / 2, (place % 2 != 0 ? 1 : -1) * (place >= 8 ? 0.01 : 0.001)};
}

/// The handles of the selected robot, or of the only one that has some.
std::optional<TargetHandles> ChosenHandles(const Session& session, int selected) {
  std::vector<TargetHandles> all = HandlesOf(session, session.looks().lead());
  for (TargetHandles& handles : all) {
    const auto& bodies = session.model()->bodies;
    if (all.size() == 1 || (selected >= 0 && static_cast<std::size_t>(selected) < bodies.size() &&
                            At(bodies, selected).robot == handles.robot))
      return std::move(handles);
  }
  return std::nullopt;
}

/// The slide that a nudge moves, and its change [m].
std::optional<std::pair<TargetSlide, double>> FindNudged(const TargetHandles& handles,
                                                         const Nudge& nudge) {
  if (nudge.axis == 3) {
    if (!handles.fingers) return std::nullopt;
    return std::pair{handles.fingers->slide, nudge.way};
  }
  const int slide = FindSlideAlong(handles.slides, Vec3::Unit(nudge.axis));
  if (slide < 0) return std::nullopt;
  const TargetSlide& found = At(handles.slides, slide);
  return std::pair{found, found.axis_W[nudge.axis] < 0 ? -nudge.way : nudge.way};
}

}  // namespace

std::vector<TargetHandles> HandlesOf(const Session& session, int channel,
                                     std::span<const std::pair<std::string, double>> asked) {
  const Model* model = session.model();
  if (model == nullptr || model->robots.empty() || channel >= session.channel_count()) return {};
  return FindTargetHandles(*model, session.frame(channel), [&](const std::string& path) {
    for (const auto& [its, target] : asked) {
      if (its == path) return target;
    }
    return session.params().Value(channel, path);
  });
}

bool HasTargetHandles(const Session& session) {
  return session.channel_count() > 0 && !HandlesOf(session, session.looks().lead()).empty();
}

bool NudgeHand(const Session& session, Action action, int selected, bool alone,
               Requests* requests) {
  const std::optional<Nudge> nudge = NudgeOf(action);
  if (!nudge) return false;
  const std::optional<TargetHandles> handles = ChosenHandles(session, selected);
  if (!handles) return true;
  if (const auto nudged = FindNudged(*handles, *nudge)) {
    const auto& [slide, way] = *nudged;
    SetJointTargets(session.looks().lead(),
                    {{slide.path, slide.OnGrid(slide.target + way, kNudgeGrid)}}, alone, requests);
  }
  return true;
}

const char* WhyHandStays(const Session& session, Action action, int selected) {
  const std::optional<Nudge> nudge = NudgeOf(action);
  if (!nudge) return nullptr;
  if (!HasTargetHandles(session))
    return "No robot of this scene hangs on slides whose motors hold it.";
  const std::optional<TargetHandles> handles = ChosenHandles(session, selected);
  if (!handles) return "Several robots have targets: select one.";
  if (FindNudged(*handles, *nudge)) return nullptr;
  return nudge->axis == 3 ? "This robot has no pair of fingers." : "No slide goes that way.";
}

}  // namespace slip::app
