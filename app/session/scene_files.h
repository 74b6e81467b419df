// How a scene or an experiment comes into the session: files are read beside the frames, channels
// are made, recordings run again; what is there stays until then.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/foreign_runs.h"
#include "app/session/reading_job.h"
#include "app/session/studies.h"
#include "app/session/window_view.h"
#include "engine/core/numbers.h"
#include "engine/run/record/recording_file.h"
#include "engine/run/track/command.h"
#include "engine/scene/scene.h"

namespace slip::app {

class ReplayJob;
class Session;

class SceneFiles {
 public:
  /// `take` makes a scene that of the session; what was there goes.
  using TakeScene = std::function<void(std::shared_ptr<const Scene>)>;
  SceneFiles(Session* session, TakeScene take);
  ~SceneFiles();

  /// A scene by its name, or a file of one, of an experiment or of a study. One with errors leaves
  /// the present scene running and posts a message. One that takes long to read is opened when it
  /// has been read: until then, or where that is cancelled, the present one runs on and is not
  /// changed. False where it was wrong at once.
  bool Load(const std::string& name_or_path);
  /// What was dropped: recorded runs all, else the first.
  bool Load(const std::vector<std::string>& paths);
  /// Takes over a scene that was already read, likewise when its channels are made; then `begun` is
  /// called. With paths its run is that of a recording; with tracks its channels stand where they
  /// do.
  void Open(std::shared_ptr<const Scene> scene,
            std::shared_ptr<const std::vector<RecordedPath>> paths = nullptr,
            std::function<void()> begun = {}, std::shared_ptr<std::vector<Track>> tracks = nullptr);
  /// Shows this one until then.
  void ShowMeanwhile(std::shared_ptr<const Scene> scene) { Begin({std::move(scene)}); }
  /// Reads the file again. Models that were added and parameters that were changed stay as they are
  /// where the file still has them.
  bool Reload();
  void LoadNeighbour(int offset);  ///< in teaching order
  /// Reads the file and runs it again, beside the frames; then it is the session.
  bool OpenExperiment(const std::string& path);
  /// What was done before the scene that was loaded last, once the engine has sent it.
  using Former = std::shared_ptr<std::shared_ptr<const Recording>>;
  const Former& former() const { return former_; }
  /// Any other file of the scene's, likewise. False where it was wrong at once.
  bool ReadBeside(const std::string& path, ReadingJob::Read read) {
    return StartReading(path, std::move(read));
  }
  /// Recorded runs beside the scene.
  const ForeignRuns& foreign() const { return foreign_; }
  ForeignRuns& foreign() { return foreign_; }
  /// Studies, whose files are opened as those of scenes are.
  const Studies& studies() const { return studies_; }
  Studies& studies() { return studies_; }
  /// Back to that, as to an experiment.
  void ReturnTo(const Former& former);

  /// How long whoever opens a file waits for it [s]; beyond that it is read beside the frames. A
  /// window has none of it to lose; without one there is no end.
  void SetPatience(double seconds) { patience_ = seconds; }
  /// A file is being read, or an experiment run again.
  bool opening() const { return reading_ != nullptr || replay_ != nullptr; }
  /// The same, and says so: work on what is about to go would be lost.
  bool SayOpening();
  void Cancel();
  std::optional<double> ReplayProgress() const;  ///< of the experiment that is run again
  /// The view of an experiment that was opened, once.
  std::optional<WindowView> TakeOpenedView() { return std::exchange(opened_view_, std::nullopt); }
  /// What the status says when the branch of an opened experiment is shown, once; else empty.
  std::string TakeOpenedWords() { return std::exchange(opened_, {}); }

  // Called by the session.
  bool Update();  ///< once per frame; true while something is being opened

 private:
  bool StartReading(const std::string& path, ReadingJob::Read read);
  bool StartLoading(LoadScene load, std::function<void()> begun);
  void StopReading();
  void UpdateReading();
  void Begin(LoadScene load);
  void KeepFormer();
  void PostRemarks();
  void PostFileErrors(const ErrorList& errors, const std::string& what, const std::string& path);
  bool FinishReload(const std::shared_ptr<const Scene>& read,
                    const std::vector<ChannelSpec>& before);
  void SayReadAgain(const std::vector<std::string>& kept, const std::vector<std::string>& gone);
  bool TakeExperiment(const std::string& path, const Result<RecordingFile>& file);
  void BeginReplay(const std::string& path, std::shared_ptr<const Recording> recording);
  void CancelReplay();
  void UpdateReplay();

  Session& session_;
  TakeScene take_;
  ForeignRuns foreign_;
  Studies studies_;
  std::string scene_request_;  ///< last name or path that was asked for
  std::unique_ptr<ReadingJob> reading_;
  std::vector<std::unique_ptr<ReadingJob>> abandoned_;
  double patience_ = kInfinity;
  double reading_since_ = 0;  ///< on the session's clock [s]
  int reading_told_ = -1;     ///< seconds that its message names
  Former former_;
  std::unique_ptr<ReplayJob> replay_;
  std::string opening_;      ///< the experiment that is run again
  bool as_recorded_ = true;  ///< nothing is odd about its file
  std::string opened_;
  std::optional<WindowView> opened_view_;
};

}  // namespace slip::app
