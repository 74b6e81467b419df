// What each tab of the side panels remembers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/run_moment.h"
#include "app/state/contact_rows.h"
#include "engine/dialect/contact_of_run.h"
#include "engine/method/config.h"
#include "engine/method/solve_record.h"
#include "engine/scene/scene.h"
#include "engine/sim/snapshot.h"
#include "engine/tell/robot_surprises.h"

namespace slip::app {

struct LessonTab {
  int glow_card = -1;  ///< whose slider has glowed
  bool hint = false;
};

struct ParametersTab {
  std::string search;
  std::set<std::string> unfolded;  ///< groups of parameters that begin folded
  bool readers = false;            ///< the table of parameters and methods is open
};

/// Longest stable time steps of channels as their contacts last touched.
struct StableSteps {
  uint64_t run = 0;  ///< Snapshot::session that they belong to
  std::array<std::optional<double>, Snapshot::kMaxChannels> limit{};  ///< as written [s]
  std::array<std::optional<double>, Snapshot::kMaxChannels> now{};    ///< of the picture [s]
  int64_t count = -1;  ///< WrittenMoment::count of `limit`
  std::array<MethodId, Snapshot::kMaxChannels> method{};
};

/// Answer to the "Why?" of a note; shown while the text is not empty.
struct Why {
  std::string title, text;
};

/// What hangs under a row, and comes and goes.
struct RoomUnder {
  float height = 0;     ///< [px]
  int frame = -2;       ///< when it was last drawn
  bool folded = false;  ///< it has no room yet: a hand is near
  /// Somebody wants to see it now.
  void Unfold() { frame = -2; }
};

/// Of the rows of parameters, wherever they are drawn: in their tab, on a lesson's card, under a
/// body.
struct ParamRows {
  double glow_started = -1;                ///< of the slider that a new lesson card names [s]
  bool glows = true;                       ///< not where motion is reduced
  StableSteps stable_steps;                ///< marks of rows of time steps
  std::map<std::string, RoomUnder> rooms;  ///< under each row
  FrameMoments moments;                    ///< what their notes and matches are of
  Why why;
};

/// What the tab of joints shows.
struct JointsView {
  int channel = -1;    ///< whose joints; -1 = the lead's
  bool alone = false;  ///< a drag moves the joints of this channel alone
  int clicked = -1;    ///< link that a row has selected
};

/// The branch whose name is typed.
struct BranchEdit {
  int branch = -1;  ///< -1 = none
  std::string text;
  bool opened = false;
};

struct ContactsTab {
  int body = -1;  ///< whose contacts the table lists; -1 = all
  ContactOrder order = ContactOrder::kContact;
  ContactRows table;
};

/// What will surprise of the scene's robots.
struct CheckTab {
  const Scene* of = nullptr;  ///< whose list it is
  std::vector<Surprise> list;
  std::string summary;                      ///< of its robots
  std::map<std::size_t, std::size_t> next;  ///< by row: which of its links is shown next
};

/// One contact in the words of other engines, in place of the tabs of the right panel.
struct DialectsDrawer {
  static constexpr float kWidth = 600;  ///< [design px]
  bool open = false, was_open = false;
  bool keeps_impact = false;  ///< not the rest depth, where one number cannot keep both
  // Kept while the moment and the contact stay.
  int64_t count = -1;  ///< WrittenMoment::count
  ContactKey key = -1;
  int channel = -1;
  bool kept_impact = false;
  StartMasses masses;
  std::optional<PickedContact> contact;
  std::string why_none;             ///< a sentence
  std::vector<DialectRows> blocks;  ///< by dialect
};

struct SolverTab {
  int iteration = -1;
  double trace_asked = -1;  ///< when search lines were last asked for [s]
};

}  // namespace slip::app
