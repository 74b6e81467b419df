// The studies of the program and of the user in the window: their list, those that run and wait,
// what is known of each, and what is done with it.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/kept_studies.h"
#include "app/session/reading_job.h"
#include "app/session/study_job.h"

namespace slip::app {

class Session;

enum class StudyState : int {
  kFresh,  ///< never run
  kWaits,  ///< behind others
  kRuns,
  kDone,
  kStopped,  ///< cells that were made are kept
  kFailed
};

struct StudyEntry {
  std::string id, file, title, source, shows, story;
  bool own = false;   ///< no study of the program
  std::string error;  ///< of the file, or why it could not go on; a sentence
  /// Whole and quick; null where the file cannot be read.
  std::array<std::shared_ptr<const StudyPlan>, 2> plans;
  StudyState state = StudyState::kFresh;
  bool quick = false;                       ///< which of both was asked for last
  double seconds = 0;                       ///< that the last run took
  std::shared_ptr<const StudyShown> shown;  ///< null before the first run
  std::shared_ptr<const KeptCells> cells;   ///< null unless it is whole
  std::array<std::string, 2> folders;       ///< of cells of runs that were stopped
  /// Of results that were kept: the version that made them. Empty: they are of this session.
  std::string made_by;
  bool outdated = false;  ///< another version or build made them

  const std::shared_ptr<const StudyPlan>& plan() const { return plans[quick ? 1 : 0]; }
  /// Of what is shown.
  const std::shared_ptr<const StudyPlan>& ShownPlan() const {
    return shown != nullptr ? shown->plan : plan();
  }
  bool Waits() const { return state == StudyState::kWaits || state == StudyState::kRuns; }
};

class Studies {
 public:
  explicit Studies(Session* session);
  ~Studies();  ///< stops what runs

  /// Where results outlive the program; empty (the start) = nowhere. Before anything is listed.
  void KeepIn(const std::string& folder) { kept_ = KeptStudies(folder); }
  /// Those of the program and of the current folder, read beside the frames, once.
  void List();
  bool listing() const { return listing_ != nullptr; }
  const std::vector<StudyEntry>& list() const { return list_; }
  /// Reads a file, and again when it is there already. Errors are messages.
  void Open(const std::string& path);
  /// How often a file was opened, and as which entry.
  int opened() const { return opened_; }
  std::size_t opened_as() const { return opened_as_; }

  void Run(std::size_t entry, bool quick);
  void RunAll(bool quick);
  void Stop(std::size_t entry);
  void StopAll();
  /// The job of the entry that runs; null when none does.
  const StudyJob* job() const { return job_.get(); }
  std::size_t waiting() const { return queue_.size(); }

  /// The same folder as the command writes, under a name that is free. One at a time.
  void Save(const std::vector<std::size_t>& entries);
  bool saving() const { return saving_ != nullptr; }
  /// Opens the run's scene with the values of that point of its axes, all its models side by side.
  void ShowMe(std::size_t entry, std::size_t run, std::size_t point);

  // Called by the session.
  bool Update();  ///< once per frame; true when something changed

 private:
  StudyEntry Read(const std::string& name, bool own) const;
  void Take(std::vector<StudyEntry> read);
  void StartNext();
  void EndJob();
  std::string NewFolder();

  Session& session_;
  std::vector<StudyEntry> list_;
  bool listed_ = false;
  int opened_ = 0;
  std::size_t opened_as_ = 0;
  std::deque<std::size_t> queue_;
  std::unique_ptr<StudyJob> job_;
  std::size_t job_of_ = 0;
  KeptStudies kept_;
  std::string folder_;  ///< of cells; goes with us
  int folders_ = 0;
  std::unique_ptr<ReadingJob> listing_, opening_, saving_;
};

/// A point of a run's axes as the window opens it: the scene with all models of the run, and the
/// changes to come.
struct CellScene {
  std::shared_ptr<const Scene> scene;
  std::vector<TimedChange> changes;
};
/// Places in the run's models of those that are shown: as many as a window has, of a question those
/// that it is for.
std::vector<std::size_t> ShownModels(const StudyRun& run, std::size_t point);
/// "shows SAP, Lagged; 12 left out, as a window has five: A, B, ..." of what is shown and what is
/// not.
std::string ShownWords(const StudyRun& run, std::size_t point);
CellScene SceneOfPoint(const StudyRun& run, std::size_t point);

}  // namespace slip::app
