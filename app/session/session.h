// All state behind the panels: the parts of a session, and what ties them together: loading scenes,
// what comes from the engine, experiments. Holds no pixels, so tests can drive it without ImGui.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/plots/series.h"
#include "app/session/branches.h"
#include "app/session/channel_looks.h"
#include "app/session/engine_link.h"
#include "app/session/lessons.h"
#include "app/session/notebook.h"
#include "app/session/param_edits.h"
#include "app/session/playback.h"
#include "app/session/reading_job.h"
#include "app/session/reference_curve.h"
#include "app/session/session_core.h"
#include "app/session/step_warnings.h"
#include "app/session/written_moment.h"
#include "engine/core/numbers.h"
#include "engine/run/record/recording_file.h"

namespace slip::app {

class Autosave;
class ReplayJob;

/// What the window shows besides the run itself, kept with an experiment.
struct WindowView {
  std::optional<CameraSpec> camera;
  std::vector<std::string> plots;  ///< names of signals
  bool run_ghost = false;          ///< the bodies of another run, too
};

class Session : public SessionCore {
 public:
  explicit Session(std::unique_ptr<EngineLink> link);
  ~Session() override;

  /// Once per frame: drains telemetry and events, reads the newest snapshot. Never waits.
  void Update(double now);
  /// Something arrived in the last Update, so the picture is out of date.
  bool changed() const { return changed_; }

  // Scene. A file with errors leaves the present scene running and posts a message. One that takes
  // long to read is opened when it has been read: until then, or where that is cancelled, the
  // present one runs on and is not changed. False where it was wrong at once.
  bool Load(const std::string& name_or_path);
  /// Takes over a scene that was already read, likewise when its channels are made; then `begun` is
  /// called. With paths its run is that of a recording.
  void Open(std::shared_ptr<const Scene> scene,
            std::shared_ptr<const std::vector<RecordedPath>> paths = nullptr,
            std::function<void()> begun = {});
  /// Shows this one until then.
  void ShowMeanwhile(std::shared_ptr<const Scene> scene) { Begin({std::move(scene)}); }
  /// Reads the file again. Models that were added and parameters that were changed stay as they are
  /// where the file still has them.
  bool Reload();
  /// How long whoever opens a file waits for it [s]; beyond that it is read beside the frames. A
  /// window has none of it to lose; without one there is no end.
  void SetPatience(double seconds) { patience_ = seconds; }
  /// A file is being read, or an experiment run again.
  bool Opening() const { return reading_ != nullptr || replay_ != nullptr; }
  void CancelOpening();
  void LoadNeighbour(int offset);  ///< in teaching order
  /// What was done before the scene that was loaded last, once the engine has sent it.
  using Former = std::shared_ptr<std::shared_ptr<const Recording>>;
  const Former& former() const { return former_; }
  /// Back to that, as to an experiment.
  void ReturnTo(const Former& former);
  /// The scene's as it was read: its joints, feet and bodies name signals. Empty without one.
  const Model& scene_model() const;

  // Its parts.
  const ChannelLooks& looks() const { return looks_; }
  ChannelLooks& looks() { return looks_; }
  const ParamEdits& params() const { return params_; }
  ParamEdits& params() { return params_; }
  const Playback& playback() const { return playback_; }
  Playback& playback() { return playback_; }
  const Notebook& notebook() const { return notebook_; }
  Notebook& notebook() { return notebook_; }
  const ReferenceCurve& reference() const { return reference_; }
  ReferenceCurve& reference() { return reference_; }
  const Lessons& lessons() const { return lessons_; }
  Lessons& lessons() { return lessons_; }
  StepWarnings& warnings() { return warnings_; }
  /// What numbers in words, tables and headers are read from. What is drawn follows `snapshot`.
  const WrittenMoment& written() const { return written_; }
  /// Frames were left out: the next update's numbers are of its own moment.
  void RenewNumbers() { written_.Renew(); }
  /// Other branches of the run.
  const Branches& branches() const { return branches_; }
  Branches& branches() { return branches_; }

  void Send(Command command) override { playback_.Send(std::move(command)); }
  void SeekMark(int direction);  ///< to the next mark, or with -1 the one before

  // Channels.
  void AddChannel(MethodId model);
  void RemoveChannel(int channel);
  void SwitchModel(int channel, MethodId model);

  // Experiments: what was done, as a file and as a command.
  using UseRecording = ReferenceCurve::UseRecording;
  /// Calls `use`, once the engine has sent all that was done.
  void WithRecording(UseRecording use);
  void SaveExperiment(const std::string& path);
  /// Reads the file and runs it again, on a thread of its own; then it is the session. Until then,
  /// or if the file is wrong, the present one stays.
  bool OpenExperiment(const std::string& path);
  std::optional<double> ReplayProgress() const;  ///< of the experiment that is being opened
  enum class CommandKind { kRun, kArguments };
  /// Hands over the command that makes the same numbers, or only its scene and options. Where
  /// options cannot say it, the experiment is saved and its file named.
  /// Changes from `until` on are left out [s].
  void CopyCommandLine(CommandKind kind, std::function<void(std::string)> copy,
                       double until = kInfinity);
  /// Where an experiment's view comes from when it is saved.
  void SetViewSource(std::function<WindowView()> source) { view_source_ = std::move(source); }
  /// The view of an experiment that was opened, once.
  std::optional<WindowView> TakeOpenedView() { return std::exchange(opened_view_, std::nullopt); }
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
  bool IsOpening() override;

  // What was measured.
  const SeriesStore& series() const { return series_; }
  /// Where the series begin, when long runs have forgotten their first samples [s].
  std::optional<double> SeriesBegin() const;
  /// The samples of the channel reach this time [s], but for what a fast run is ahead of its
  /// readers: a number that is made of them is one of the run until then.
  bool Covers(int channel, double time) const;
  /// Largest approach speed of a touch in the samples of all channels [m/s] that the plots show and
  /// that were not forgotten; 0 without one.
  double HardestImpact() const;
  /// What the plots show from now on [s].
  void SetSeen(double begin, double end) { seen_begin_ = begin, seen_end_ = end; }
  /// Impacts until now are of no interest.
  void ForgetImpacts() { impacts_after_ = snapshot_->time; }

 private:
  bool CoversAll(double time) const;
  void DrainTelemetry();
  void DrainEvents();
  void TakeEvent(const Event& event);
  void ForgetRemoved(int gone);
  void Begin(LoadScene load);
  void Forget(std::shared_ptr<const Scene> scene);
  bool StartReading(const std::string& path, ReadingJob::Read read);
  bool StartLoading(LoadScene load, std::function<void()> begun);
  void StopReading();
  void UpdateReading();
  bool FinishReload(const std::shared_ptr<const Scene>& read,
                    const std::vector<ChannelSpec>& before);
  void SayReadAgain(const std::vector<std::string>& kept, const std::vector<std::string>& gone);
  bool TakeExperiment(const std::string& path, const Result<RecordingFile>& file);
  void BeginReplay(const std::string& path, std::shared_ptr<const Recording> recording);
  void CancelReplay();
  void KeepFormer();
  void PostRemarks();
  void PostFileErrors(const ErrorList& errors, const std::string& what, const std::string& path);
  void TakeRefused(const Refused& refused, double time);
  void TakeRecorded(const RecordingTaken& taken);
  void UpdateReplay();
  void UpdateAutosave();
  void TellAutosave(const std::string& problem);
  void OfferCutVideos(const std::string& folder);
  std::string ViewText() const;
  void ReadView(const std::string& text);

  std::unique_ptr<EngineLink> link_;
  std::string scene_request_;  ///< last name or path that was asked for
  SeriesStore series_;
  ChannelLooks looks_;
  ParamEdits params_;
  Playback playback_;
  Notebook notebook_;
  ReferenceCurve reference_;
  Lessons lessons_;
  StepWarnings warnings_;
  WrittenMoment written_;
  Branches branches_;
  std::deque<UseRecording> asked_;  ///< in the order of the answers
  std::unique_ptr<ReplayJob> replay_;
  std::unique_ptr<ReadingJob> reading_;
  std::vector<std::unique_ptr<ReadingJob>> abandoned_;
  double patience_ = kInfinity;
  double reading_since_ = 0;  ///< on the session's clock [s]
  int reading_told_ = -1;     ///< seconds that its message names
  Former former_;
  std::unique_ptr<Autosave> autosave_;
  std::string autosave_problem_;  ///< as the message said it
  std::string state_folder_;
  RunContext context_;
  std::function<WindowView()> view_source_;
  std::optional<WindowView> opened_view_;
  bool as_recorded_ = true;                ///< nothing is odd about its file
  std::string opening_;                    ///< the experiment that is run again
  std::string left_over_;                  ///< of a crash, and opened
  std::string copied_path_, copied_text_;  ///< of the last copy that needed a file
  std::string opened_;                     ///< what the status says when its branch is shown
  double saved_at_ = 0;
  bool changed_since_save_ = false;
  double seen_begin_ = -kInfinity;  ///< by the plots [s]
  double seen_end_ = kInfinity;
  double impacts_after_ = -kInfinity;  ///< others are forgotten [s]
  bool changed_ = true;
  uint64_t seen_generation_ = 0;
  double seen_time_ = -1;
  uint64_t seen_edits_ = 0;  // of notes
};

}  // namespace slip::app
