// All state behind the panels: the engine link, the present scene, the curves, marks, parameter
// edits with undo, messages, lesson progress. Holds no pixels, so tests can drive it without ImGui.
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/plots/series.h"
#include "app/session/branches.h"
#include "app/session/engine_link.h"
#include "app/session/lesson_progress.h"
#include "app/session/messages.h"
#include "engine/run/recording_file.h"
#include "engine/scene/scene.h"

namespace slip {
class ReferenceRun;
}

namespace slip::app {

class Autosave;
class ReplayJob;

/// Changes and marks of one kind that follow each other sooner are one [s].
inline constexpr double kMergeSeconds = 0.5;

/// What the window shows besides the run itself, kept with an experiment.
struct WindowView {
  std::optional<CameraSpec> camera;
  std::vector<std::string> plots;  ///< names of signals
};

/// How one channel is shown. The numbers come from the snapshot.
struct ChannelLook {
  MethodId model{};
  bool visible = true;
  bool second = false;  ///< another channel before it has the same model: hollow mark, dotted line
  int of_scene = -1;    ///< index of the scene's channel that it is; -1 = it was added
  MethodId added_as{};  ///< model that it began with
};

/// Where a scene that is shown again and again has got to (Scene::loop).
enum class LoopPhase : int {
  kOff,
  kRun,   ///< it runs for the first time
  kHold,  ///< it stands at its end
  kShow   ///< what it recorded is shown again: a second run would be the same, bit for bit
};

class Session {
 public:
  explicit Session(std::unique_ptr<EngineLink> link);
  ~Session();

  /// Once per frame: drains telemetry and events, reads the newest snapshot. Never waits.
  void Update(double now);
  /// Something arrived in the last Update, so the picture is out of date.
  bool changed() const { return changed_; }

  // Scene. A file with errors leaves the present scene running and posts a message.
  bool Load(const std::string& name_or_path);
  /// Takes over a scene that was already read. With paths its run is that of a recording.
  void Open(std::shared_ptr<const Scene> scene,
            std::shared_ptr<const std::vector<RecordedPath>> paths = nullptr);
  bool Reload();
  void LoadNeighbour(int offset);  ///< in teaching order
  const Scene* scene() const { return scene_.get(); }
  const Snapshot& snapshot() const { return *snapshot_; }
  const Model* model() const { return snapshot_->model.get(); }
  /// The scene's as it was read: its joints and feet name signals. Empty without one.
  const Model& scene_model() const;
  /// The engine runs the scene loaded last: until then its bodies are others.
  bool TakenOver() const { return snapshot_->scene_generation == loads_; }
  int channel_count() const { return static_cast<int>(snapshot_->channels.size()); }
  const ChannelFrame& frame(int channel) const { return snapshot_->channels[At(channel)]; }

  // Time.
  void Send(Command command);
  void SetPlaying(bool playing);
  void TogglePlaying() { SetPlaying(!playing()); }
  bool playing() const {
    return wants_play_.value_or(snapshot_->playing) || loop_ == LoopPhase::kHold ||
           loop_ == LoopPhase::kShow;
  }
  /// Scenes open as their keys `speed` and `loop` ask. Only the window wants that: pictures and
  /// videos count their seconds themselves.
  void SetStaged(bool staged) { staged_ = staged; }
  /// The scene is shown from 0 to its duration again and again. Whatever the user does to the run
  /// ends that, on the spot; a reset begins it anew.
  bool looping() const { return loop_ != LoopPhase::kOff; }
  LoopPhase loop_phase() const { return loop_; }
  /// Of a scene with a loop that has not run beyond it: 0 to this time is all there is to show [s].
  std::optional<double> StagedSpan() const;
  void Step(int count);
  void Seek(double time);
  void SeekBy(double seconds) { Seek(snapshot_->time + seconds); }
  void SeekMark(int direction);
  void GoLive() { Send(slip::GoLive{}); }
  void Reset();
  void SetSpeed(double speed);
  void ChangeSpeed(int direction);  ///< to the next of the speeds in the menu of the time line
  double speed() const { return snapshot_->speed; }
  // Notes are marks with a text of the user; they are known by their number.
  uint64_t AddNote();  ///< at the present moment, not yet named; its number
  const TimeMark* Note(uint64_t number) const;       ///< null when it has gone
  void NameNote(uint64_t number, std::string text);  ///< empty = named after its time
  void RemoveNote(uint64_t number);
  /// Parameter changes for all channels, made when the run reaches their times; sorted.
  void Schedule(std::vector<TimedChange> changes) { Send(ScheduleChanges{std::move(changes)}); }

  // Channels.
  const ChannelLook& look(int channel) const;
  /// Its model, with a number from the second channel of a model on.
  std::string ChannelName(int channel) const;
  /// The same where another model made its steps.
  std::string ChannelName(int channel, MethodId model) const;
  /// Channels that stand because a step of theirs failed or was refused.
  int StoppedCount() const;
  bool AllStopped() const { return channel_count() > 0 && StoppedCount() == channel_count(); }
  /// Their cards come up again.
  void SayFailures() { failures_said_.clear(); }
  bool Shown(int channel) const;  ///< visible, and not put aside by another's solo
  /// Not when a moment before its start is looked at.
  bool Begun(int channel) const { return channel >= channel_count() || frame(channel).begun; }
  /// Shown, and begun: it has a place in the picture and numbers of this moment.
  bool Present(int channel) const { return Begun(channel) && Shown(channel); }
  void ToggleVisible(int channel);
  void ToggleSolo(int channel);
  int solo() const { return solo_ >= 0 && !Begun(solo_) ? -1 : solo_; }
  /// While a moment before its start is looked at, the first channel that had begun.
  int lead() const;
  void SetLead(int channel);
  void AddChannel(MethodId model);
  void RemoveChannel(int channel);
  void SwitchModel(int channel, MethodId model);

  // Parameters. Channel -1 = all of them, one step of undo.
  double Param(int channel, const std::string& path) const;
  /// The scene's own value: what a reset goes back to, whatever the command line said.
  double DefaultParam(int channel, const std::string& path) const;
  /// What the parameter is where no scene says it; nothing for the scene's own drives and piles.
  std::optional<double> TableDefault(const std::string& path) const;
  void SetParam(int channel, const std::string& path, double value);
  /// What `change` does to parameters is one step of undo.
  void AsOneEdit(const std::function<void()>& change);
  /// One row stands for all channels: their values are equal, and nobody opened the row.
  bool Shared(const std::string& path) const;
  void OpenRow(const std::string& path) { unlocked_.insert(path); }
  /// All channels get the value of this one and share a row again.
  void Share(const std::string& path, int channel);
  bool Changed(const std::string& path) const;  ///< any channel differs from the scene's value
  int ChangedCount() const;
  void ResetParam(const std::string& path);
  void ResetAllParams();
  /// A mouse button is down: what it changes of one parameter is one edit, however slowly.
  void SetHeld(bool held) {
    if (held != held_since_.has_value()) held_since_ = held ? std::optional(now_) : std::nullopt;
  }
  bool CanUndo() const { return undo_at_ > 0; }
  bool CanRedo() const { return undo_at_ < edits_.size(); }
  void Undo();
  void Redo();

  // Experiments: what was done, as a file and as a command.
  using UseRecording = std::function<void(std::shared_ptr<const Recording>)>;
  /// Calls `use`, once the engine has told all that was done.
  void WithRecording(UseRecording use);
  void SaveExperiment(const std::string& path);
  /// Reads the file and runs it again, on a thread of its own; then it is the session. Until then,
  /// or if the file is wrong, the present one stays.
  bool OpenExperiment(const std::string& path);
  void CancelReplay();
  std::optional<double> ReplayProgress() const;  ///< of the experiment that is being opened
  enum class CommandKind { kRun, kArguments };
  /// Hands over the command that makes the same numbers, or only its scene and options. Where
  /// options cannot say it, the experiment is saved and its file named.
  /// Changes from `until` on are left out [s].
  void CopyCommandLine(CommandKind kind, std::function<void(std::string)> copy,
                       double until = std::numeric_limits<double>::infinity());
  /// Where an experiment's view comes from when it is saved.
  void SetViewSource(std::function<WindowView()> source) { view_source_ = std::move(source); }
  /// The view of an experiment that was opened, once.
  std::optional<WindowView> TakeOpenedView() { return std::exchange(opened_view_, std::nullopt); }
  /// Facts for the files that it writes.
  void SetContext(RunContext context) { context_ = std::move(context); }
  const RunContext& context() const { return context_; }
  /// Writes what was done into the folder once a second, and offers what a crash has left there.
  void StartAutosave(const std::string& folder);
  /// Other ways that the session went.
  const Branches& branches() const { return branches_; }
  Branches& branches() { return branches_; }

  // Reference: Lagged (Exponential, where contacts have anchors) with a hundredth of the lead's
  // time step, from the start of what is recorded, with the same parameter changes. In a scene that
  // has a closed form that one, without being asked.
  void MakeReference();  ///< on a thread of its own; the curve grows
  void DropReference();  ///< also while it is being made
  bool HasReference() const {
    return reference_asked_ || reference_run_ != nullptr || reference_.channels() > 0;
  }
  /// Part of the reference that is made; nothing when no run is on its way.
  std::optional<double> ReferenceProgress() const;
  /// What the reference shows is the scene's closed form, not a run.
  bool ShowsClosedForm() const { return shows_closed_form_; }
  const SeriesStore& reference() const { return reference_; }  ///< its channel 0

  // What was measured.
  const SeriesStore& series() const { return series_; }
  const std::vector<TimeMark>& marks() const { return marks_; }
  /// What was done, as rich text; a note as it was typed.
  std::string MarkLabel(const TimeMark& mark) const;
  /// Largest approach speed of a touch in the samples of all channels [m/s]; 0 without one.
  double HardestImpact() const { return hardest_impact_; }
  const LessonProgress& lesson() const { return lesson_; }
  LessonProgress& lesson() { return lesson_; }

  // Messages.
  void Post(Message message);
  void Say(std::string sentence);  ///< information without actions
  /// All entries, the oldest first, also those whose card has gone.
  const std::vector<Message>& messages() const { return log_.entries(); }
  const Message* Card() const { return log_.Card(now_); }
  MessageLog& message_log() { return log_; }
  const std::string& status() const { return status_; }
  double now() const { return now_; }

 private:
  struct Edit {
    std::string path;
    std::vector<double> before, after;  ///< per channel
    double touched = 0;
    bool with_next = false;  ///< undone together with the edit behind it
    bool of_reset_all = false;
  };
  /// Made while the mouse button that is down was.
  bool OfThisHand(const Edit& edit) const;
  /// The edit that a change of this parameter is added to: the last one, made just now or by this
  /// hand, or one that is undone together with it; null = a new one.
  Edit* FindOpenEdit(const std::string& path, std::size_t channels);

  /// Steps of one channel that did not converge, since the run began.
  struct Unconverged {
    MethodId model{};
    int64_t steps = 0, last_step = 0;
    double last_time = 0, worst_time = 0;
    double worst = 0;    ///< residual
    bool fresh = false;  ///< more of them since it was last said
  };

  static constexpr std::string_view kResetAll = "reset all";  ///< subject of its message

  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  double HardestOfSeries() const;
  void DrainTelemetry();
  void DrainEvents();
  void CountUnconverged(const Sample& sample);
  void PostUnconverged();
  void PostFailures();
  std::optional<MessageAction> RaiseLimit(int channel, bool go_on) const;
  void ForgetMessagesOfRun(double after = -1);
  void ForgetRemoved(int gone);
  bool IsMeant(int channel, std::string_view model) const;
  void TakeEvent(const Event& event);
  void DropMark();
  void SyncLooks();
  void NameSeconds();
  void EvaluateLesson();
  void BeginLoop();
  void UpdateLoop();
  void UpdateReference();
  void ForgetRun();
  void Forget(std::shared_ptr<const Scene> scene);
  void PostRemarks();
  void PostFileErrors(const ErrorList& errors, const std::string& what, const std::string& path);
  void TakeRecordingEvent(const Event& event);
  void StartReference(const Recording& recording);
  bool IsOpening();
  void UpdateReplay();
  void UpdateAutosave();
  void PutNotesAside(double after);
  void BringNotesBack();
  std::string ViewText() const;
  void ReadView(const std::string& text);
  bool Rebuilds(const std::string& path) const;
  void MakeClosedForm();
  void TruncateReference(double time);
  void SendValues(const std::string& path, const std::vector<double>& values);
  std::vector<double> ValuesOf(const std::string& path) const;

  std::unique_ptr<EngineLink> link_;
  const Snapshot* snapshot_;
  std::shared_ptr<const Scene> scene_;
  std::string scene_request_;  ///< last name or path that was asked for
  std::vector<ChannelLook> looks_;
  int solo_ = -1;
  int lead_ = 0;
  std::set<std::string> unlocked_;  ///< paths with a row per channel though values may be equal
  std::map<std::pair<int, std::string>, std::pair<double, double>> pending_;  ///< value, since
  std::vector<Edit> edits_;
  std::size_t undo_at_ = 0;
  bool undid_reset_all_ = false;
  std::optional<double> held_since_;
  std::optional<bool> wants_play_;  ///< asked for, not yet seen in a snapshot
  double wants_since_ = 0;
  SeriesStore series_;
  SeriesStore reference_;
  bool shows_closed_form_ = false;
  bool staged_ = false;  ///< the keys `speed` and `loop` of scenes count
  bool paced_ = false;   ///< the scene has set the playback speed
  LoopPhase loop_ = LoopPhase::kOff;
  double loop_since_ = 0;                   ///< when it came to stand [s of the session's clock]
  double loop_time_ = 0;                    ///< what is shown of the recorded run [s]
  std::optional<uint64_t> closed_form_of_;  ///< run (Snapshot::session) whose closed form was made
  std::unique_ptr<ReferenceRun> reference_run_;
  std::vector<std::unique_ptr<ReferenceRun>> leaving_;  ///< cancelled, their threads not yet done
  bool reference_asked_ = false;    ///< it starts when the engine has told what was done
  bool params_changed_ = false;     ///< since the run began
  std::deque<UseRecording> asked_;  ///< in the order of the answers
  std::unique_ptr<ReplayJob> replay_;
  std::unique_ptr<Autosave> autosave_;
  RunContext context_;
  std::function<WindowView()> view_source_;
  std::optional<WindowView> opened_view_;
  std::string opening_;                    ///< the experiment that is run again
  std::string left_over_;                  ///< of a crash, and opened
  std::string copied_path_, copied_text_;  ///< of the last copy that needed a file
  std::string opened_;                     ///< what the status says when its branch is shown
  double saved_at_ = 0;
  bool changed_since_save_ = false;
  Branches branches_;
  std::vector<TimeMark> notes_aside_;  ///< of other branches
  std::vector<TimeMark> marks_;
  LessonProgress lesson_;
  uint64_t notes_made_ = 0;
  MessageLog log_;
  double hardest_impact_ = 0;             ///< [m/s]; the series may have forgotten it
  std::vector<Unconverged> unconverged_;  ///< per channel
  std::set<int> failures_said_;           ///< channels whose failure has its message
  int stopped_said_ = 0;                  ///< how many there were then
  std::string status_ = "Ready";
  double now_ = 0;
  double frame_seconds_ = 0;  ///< between the last two updates
  double lesson_checked_ = -1;
  bool changed_ = true;
  uint64_t seen_generation_ = 0;
  uint64_t loads_ = 0;  ///< scenes sent to the engine
  double seen_time_ = -1;
};

}  // namespace slip::app
