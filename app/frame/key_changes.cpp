#include "app/frame/key_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <utility>

#include "app/frame/ui.h"
#include "app/panels/bars/bars.h"
#include "app/panels/time/time_line.h"
#include "engine/core/numbers.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

constexpr const char* kSubject = "keys";  // of its message

/// A change from one state to another; back to the first, it is none.
KeyChange Switched(std::string subject, const std::string& from, const std::string& to) {
  return {.subject = std::move(subject), .text = to, .from = from};
}

void SetSwitch(Ui* ui, Action action, bool on) {
  const render::Quantity* drawn = QuantityOf(action);
  if (bool* toggle = ToggleOf(&ui->state, action)) {
    *toggle = on;
  } else if (drawn != nullptr && drawn->show != nullptr) {
    drawn->show(&ui->state.view, on);
  }
}

bool IsOfHand(Action action) {
  return action >= Action::kHandXBack && action <= Action::kHandFarOpen;
}

/// What a key of the playback has done; none = the action is none of these.
std::optional<KeyChange> ChangeOfTime(Action action, const BeforeKey& before, Session* session) {
  const Playback& playback = session->playback();
  const Playback::Moment& was = before.moment;
  const auto go_back = [session, was] { session->playback().GoBackTo(was); };
  KeyChange change;
  switch (action) {
    case Action::kSlower:
    case Action::kFaster:
    case Action::kNormalSpeed:
    case Action::kFastest:
      change = Switched("speed", SpeedText(was.speed), SpeedText(playback.speed()));
      change.undo = [session, was] { session->playback().SetSpeed(was.speed); };
      return change;
    case Action::kStep:
    case Action::kStepBack:
      change = {.subject = "steps",
                .text = was.playing ? "paused, " : "",
                .count = action == Action::kStep ? 1 : -1,
                .undo = go_back};
      return change;
    case Action::kRunPause:
      change = Switched("run", was.playing ? "running" : "paused",
                        playback.playing() ? "running" : "paused");
      change.undo = go_back;
      // the same key takes it back; said only beside something else
      change.said = true;
      return change;
    case Action::kStart:
      if (!was.playing && was.time <= session->snapshot().history_start) return KeyChange{};
      return KeyChange{.subject = "time", .text = "at the start", .undo = go_back};
    case Action::kLive:
      if (was.live && was.loop == LoopPhase::kOff) return KeyChange{};
      return KeyChange{.subject = "time", .text = "at the live end", .undo = go_back};
    case Action::kReset:
      change = {.subject = "reset", .text = "reset to the start"};
      change.undo = [session, was, branch = before.branch] {
        session->branches().ReturnTo(branch);
        if (was.playing != session->playback().playing())
          session->playback().SetPlaying(was.playing);
      };
      change.said = true;  // that the old run is kept
      return change;
    default:
      return std::nullopt;
  }
}

KeyChange ChangeOfChannel(int channel, const BeforeKey& before, Session* session) {
  if (ToIndex(channel) >= before.seen.visible.size()) return {};
  const bool shown =
      before.seen.solo >= 0 ? before.seen.solo == channel : At(before.seen.visible, channel);
  const std::string name = session->looks().Name(channel);
  const auto text = [&name](bool on) { return name + (on ? " shown" : " hidden"); };
  KeyChange change =
      Switched(fmt::format("show {}", channel), text(shown), text(session->looks().Shown(channel)));
  change.undo = [session, seen = before.seen] { session->looks().SetSeen(seen); };
  return change;
}

/// What a key of the picture, or one that goes to another scene, has done; none likewise.
std::optional<KeyChange> ChangeOfPicture(Action action, const BeforeKey& before, Ui* ui) {
  Session* session = &ui->requests.session();
  KeyChange change;
  switch (action) {
    case Action::kShow1:
    case Action::kShow2:
    case Action::kShow3:
    case Action::kShow4:
    case Action::kShow5:
      return ChangeOfChannel(static_cast<int>(action) - static_cast<int>(Action::kShow1), before,
                             session);
    case Action::kCompareMode:
      change = Switched("compare", CompareLabel(before.compare).data(),
                        CompareLabel(ui->state.view.compare).data());
      change.undo = [ui, compare = before.compare] { ui->state.view.compare = compare; };
      return change;
    case Action::kFocus:
    case Action::kView1:
    case Action::kView2:
    case Action::kView3:
      change = {.subject = "camera", .text = "camera moved"};
      change.undo = [ui, camera = before.camera] {
        EndKeepInView(&ui->rig);
        ui->rig.camera.FlyTo(camera, !ui->state.shell.reduced_motion);
      };
      return change;
    case Action::kPreviousScene:
    case Action::kNextScene:
      if (session->scene() == before.scene || session->scene() == nullptr) return KeyChange{};
      return KeyChange{.subject = "scene",
                       .text = "went to the scene " + session->scene()->title,
                       .undo = [session, former = session->files().former()] {
                         session->files().ReturnTo(former);
                       }};
    default:
      return std::nullopt;
  }
}

KeyChange ChangeOfHand(Action action, const BeforeKey& before, Ui* ui) {
  Session& session = ui->requests.session();
  if (session.params().LastEdit() != session.now()) return {};
  KeyChange change = {.subject = "hand", .text = Info(action).name, .count = 1};
  change.undo = [ui, edits = before.edits] {
    ParamEdits& its = ui->requests.session().params();
    // not what was edited behind it
    if (its.LastEdit() > ui->state.key_changes.at) return;
    do its.Undo();
    while (its.UndoDepth() > edits);
  };
  return change;
}

/// What the action has done; without a text it is nothing to speak of.
KeyChange ChangeOf(Action action, const BeforeKey& before, Ui* ui) {
  if (auto change = ChangeOfTime(action, before, &ui->requests.session())) return *change;
  if (auto change = ChangeOfPicture(action, before, ui)) return *change;
  if (IsOfHand(action)) return ChangeOfHand(action, before, ui);
  if (!IsToggle(action)) return {};
  const std::string name = Info(action).name;
  const auto text = [&name](bool on) { return name + (on ? " on" : " off"); };
  KeyChange change = Switched(ActionId(action), text(before.on), text(ui->actions().IsOn(action)));
  change.undo = [ui, action, on = before.on] { SetSwitch(ui, action, on); };
  return change;
}

std::string TextOf(const KeyChange& change) {
  if (change.subject == "steps") {
    const int steps = std::abs(change.count);
    return change.text + (steps == 1 ? "one step" : fmt::format("{} steps", steps)) +
           (change.count < 0 ? " back" : " on");
  }
  if (change.subject == "hand" && change.count > 1)
    return fmt::format("the hand was moved {} times", change.count);
  if (change.subject == "speed" || change.subject == "compare")
    return change.subject + " " + change.from + " → " + change.text;
  return change.text;
}

/// Adds it, or merges it with an earlier change of the same kind.
void Add(KeyChange change, std::vector<KeyChange>* list) {
  const auto same = std::find_if(list->begin(), list->end(), [&change](const KeyChange& other) {
    return other.subject == change.subject;
  });
  if (same == list->end()) {
    // what was changed of the former scene comes back with it
    if (change.subject == "scene") list->clear();
    // who pauses alone means it
    if (change.subject == "run" && list->empty()) return;
    if (change.from.empty() || change.from != change.text) list->push_back(std::move(change));
    return;
  }
  same->count += change.count;
  if (change.subject != "steps") same->text = change.text;
  const bool back = !same->from.empty() && same->from == same->text;
  if (back || (same->subject == "steps" && same->count == 0 && same->text.empty()))
    list->erase(same);
}

}  // namespace

std::unique_ptr<BeforeKey> RememberForKey(const Ui& ui, Action action) {
  return std::make_unique<BeforeKey>(
      BeforeKey{ui.session.playback().Now(), ui.session.branches().present(),
                ui.session.looks().seen(), ui.state.view.compare, ui.rig.camera.spec(),
                ui.actions().IsOn(action), ui.session.scene(), ui.session.params().UndoDepth()});
}

bool SaysEveryKey(Action action) {
  return action == Action::kPreviousScene || action == Action::kNextScene || IsOfHand(action);
}

void SayKeyChange(Action action, const BeforeKey& before, Ui* ui) {
  KeyChange change = ChangeOf(action, before, ui);
  if (change.subject.empty()) return;
  KeyChanges& changes = ui->state.key_changes;
  Session& session = ui->requests.session();
  const double now = session.now();
  if (now - changes.at > KeyChanges::kTogether) changes.list.clear();
  changes.at = now;
  changes.undone = false;
  Add(std::move(change), &changes.list);
  session.Unsay(kSubject);  // a new card, not the same once more
  if (std::all_of(changes.list.begin(), changes.list.end(),
                  [](const KeyChange& one) { return one.said; }))
    return;
  Message message;
  message.subject = kSubject;
  for (const KeyChange& one : changes.list)
    message.what += (message.what.empty() ? "" : ", ") + TextOf(one);
  message.what.front() =
      static_cast<char>(std::toupper(static_cast<unsigned char>(message.what.front())));
  message.what += ".";
  message.actions.push_back({"Undo", [ui](Session*) { UndoKeyChanges(ui); }});
  session.SetStatus(message.what);
  session.Post(std::move(message));
}

bool IsKeyChangeNext(const Session& session, const KeyChanges& changes) {
  return changes.CanUndo(session.now()) && changes.at >= session.params().LastEdit();
}

void UndoKeyChanges(Ui* ui) {
  KeyChanges& changes = ui->state.key_changes;
  for (auto change = changes.list.rbegin(); change != changes.list.rend(); ++change) change->undo();
  if (!changes.list.empty()) ui->requests.session().SetStatus("Taken back");
  changes.list.clear();
  changes.undone = true;
}

void UpdateKeyChanges(Ui* ui) {
  // not before: its own action may have been what undid it
  if (std::exchange(ui->state.key_changes.undone, false)) ui->requests.session().Unsay(kSubject);
}

}  // namespace slip::app
