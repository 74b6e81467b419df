// Values of parameters per channel as the user edits them: what was asked for and is not yet seen,
// rows that stand for all channels, resets, undo and redo.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/channel_looks.h"
#include "app/session/session_core.h"

namespace slip::app {

/// Changes and marks of one kind that follow each other sooner are one [s].
inline constexpr double kMergeSeconds = 0.5;
// Long enough for a click to reach the engine and come back in a snapshot, even on a busy machine.
inline constexpr double kEchoSeconds = 0.5;

class ParamEdits {
 public:
  ParamEdits(SessionCore* core, const ChannelLooks& looks) : core_(*core), looks_(looks) {}

  // Channel -1 = all of them, one step of undo.
  /// The value asked for last. Until the engine's snapshot shows it, a slider must not jump back.
  double Value(int channel, const std::string& path) const;
  /// The scene's own value: what a reset goes back to, whatever the command line said.
  double Default(int channel, const std::string& path) const;
  /// What the parameter is where no scene says it; nothing for the scene's own drives and piles.
  std::optional<double> TableDefault(const std::string& path) const;
  void Set(int channel, const std::string& path, double value);
  /// Another model makes the channel's steps from now on.
  void SetMethod(int channel, MethodId model) {
    Set(channel, std::string(kMethodParam), static_cast<double>(model));
  }
  /// Changes for all channels, made when the run reaches their times; sorted.
  void Schedule(std::vector<TimedChange> changes) {
    core_.Send(ScheduleChanges{std::move(changes)});
  }

  /// One row stands for all channels: their values are equal, and nobody opened the row.
  bool Shared(const std::string& path) const;
  void OpenRow(const std::string& path) { unlocked_.insert(path); }
  /// All channels get the value of this one and share a row again.
  void Share(const std::string& path, int channel);

  bool Changed(const std::string& path) const;  ///< any channel differs from the scene's value
  int ChangedCount() const;
  void Reset(const std::string& path);
  void ResetAll();

  /// What `change` does to parameters is one step of undo.
  void AsOneEdit(const std::function<void()>& change);
  /// A mouse button is down: what it changes of one parameter is one edit, however slowly.
  void SetHeld(bool held) {
    if (held != held_since_.has_value())
      held_since_ = held ? std::optional(core_.now()) : std::nullopt;
  }
  bool CanUndo() const { return undo_at_ > 0; }
  std::size_t UndoDepth() const { return undo_at_; }  ///< edits that can be undone
  /// When the last edit that can be undone was made, on the session's clock [s].
  double LastEdit() const { return undo_at_ > 0 ? last_edit_ : -1e9; }
  bool CanRedo() const { return undo_at_ < edits_.size(); }
  void Undo();
  void Redo();

  // Called by the session.
  void Update();       ///< once per frame: what the snapshot shows is no longer asked for
  void Forget();       ///< another scene
  void ForgetEdits();  ///< their channels have other places now
  void TakeBack(const std::string& path);  ///< the engine refused the last one: it never was

 private:
  struct Edit {
    std::string path;
    std::vector<double> before, after;  ///< per channel
    double touched = 0;
    bool with_next = false;  ///< undone together with the edit behind it
    bool of_reset_all = false;
  };
  static constexpr std::string_view kResetAll = "reset all";  ///< subject of its message

  /// Made while the mouse button that is down was.
  bool OfThisHand(const Edit& edit) const;
  /// The edit that a change of this parameter is added to: the last one, made just now or by this
  /// hand, or one that is undone together with it; null = a new one.
  Edit* FindOpenEdit(const std::string& path, std::size_t channels);
  /// Whether the parameter makes a new model, on which everything starts again.
  bool Rebuilds(const std::string& path) const;
  void SendValues(const std::string& path, const std::vector<double>& values);
  std::vector<double> ValuesOf(const std::string& path) const;

  SessionCore& core_;
  const ChannelLooks& looks_;
  std::set<std::string> unlocked_;  ///< paths with a row per channel though values may be equal
  std::map<std::pair<int, std::string>, std::pair<double, double>> pending_;  ///< value, since
  std::vector<Edit> edits_;
  std::size_t undo_at_ = 0;
  double last_edit_ = -1e9;
  bool undid_reset_all_ = false;
  std::optional<double> held_since_;
};

}  // namespace slip::app
