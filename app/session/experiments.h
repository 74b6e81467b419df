// What was done is kept: as an experiment's file, as a command line, and once a second against a
// crash.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "app/session/window_view.h"
#include "engine/core/numbers.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/track/event.h"

namespace slip::app {

class Autosave;
class Session;

class Experiments {
 public:
  explicit Experiments(Session* session);
  ~Experiments();

  using UseRecording = std::function<void(std::shared_ptr<const Recording>)>;
  /// Calls `use`, once the engine has sent all that was done.
  void With(UseRecording use);
  void Save(const std::string& path);
  enum class CommandKind { kRun, kArguments };
  /// Hands over the command that makes the same numbers, or only its scene and options. Where
  /// options cannot say it, the experiment is saved and its file named.
  /// Changes from `until` on are left out [s].
  void CopyCommandLine(CommandKind kind, std::function<void(std::string)> copy,
                       double until = kInfinity);
  /// Where an experiment's view comes from when it is saved.
  void SetViewSource(std::function<WindowView()> source) { view_source_ = std::move(source); }
  std::string ViewText() const;
  /// Facts for the files that it writes.
  void SetContext(RunContext context) { context_ = std::move(context); }
  const RunContext& context() const { return context_; }

  /// Writes what was done into the folder once a second, and offers what a crash has left there, a
  /// video that was cut off too.
  void StartAutosave(const std::string& folder);
  /// That folder; empty without one.
  const std::string& state_folder() const { return state_folder_; }
  /// Why what was done is not written there now; empty when it is.
  const std::string& autosave_problem() const { return autosave_problem_; }
  /// What a crash left there was opened, if it is this file: the next save holds all of it.
  void Opened(const std::string& path);

  // Called by the session.
  void NoteChange() { changed_since_save_ = true; }
  void Take(const RecordingTaken& taken);
  void Update();  ///< once per frame

 private:
  void TellAutosave(const std::string& problem);
  void OfferCutVideos(const std::string& folder);

  Session& session_;
  std::deque<UseRecording> asked_;  ///< in the order of the answers
  std::function<WindowView()> view_source_;
  RunContext context_;
  std::string copied_path_, copied_text_;  ///< of the last copy that needed a file
  std::unique_ptr<Autosave> autosave_;
  std::string autosave_problem_;  ///< as the message said it
  std::string state_folder_;
  std::string left_over_;  ///< of a crash, and opened
  double saved_at_ = 0;
  bool changed_since_save_ = false;
};

}  // namespace slip::app
