// Recorded runs of others in the window: their curves, measured little by little, where their
// bodies are at the moment that is shown, and how far they are from the channels. They are looked
// at, never steered.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/plots/series.h"
#include "app/session/session_core.h"
#include "engine/foreign/foreign_compare.h"
#include "engine/foreign/foreign_measure.h"
#include "engine/run/study/foreign_channels.h"
#include "render/scene/view_request.h"

namespace slip::app {

class ForeignRuns {
 public:
  explicit ForeignRuns(Session* session);

  /// Files of recorded runs: .csv, .npz, a folder by its path.
  static bool IsForeign(const std::string& path);
  /// Opened as soon as the engine runs the scene, and not before.
  void Ask(ForeignRequest request) {
    if (!request.empty()) asked_.push_back(std::move(request));
  }
  bool waiting() const { return !asked_.empty(); }
  /// Beside the present scene, read beside the frames where it takes long; a path that is open is
  /// read again. What is wrong is a message, and all stays as it is. False where it was wrong at
  /// once.
  bool Open(const ForeignRequest& request);
  void Remove(int index);
  void ToggleVisible(int index);
  /// All channels go on from its bodies and velocities at the moment that is shown.
  void StartHere(int index);
  /// Why they cannot, a sentence; empty = they can.
  std::string WhyNotStart(int index) const;
  /// Moves its times by what was asked for.
  void Align(int index, ForeignAlign how);
  /// Longest stretch of a frame that goes into measuring [s]; without limit at first.
  void SetBudget(double seconds) { budget_ = seconds; }

  /// Another number when one was opened.
  int opened() const { return opened_; }

  int count() const { return static_cast<int>(runs_.size()); }
  const ForeignRun& run(int index) const { return *At(runs_, index).run; }
  const SeriesStore& series(int index) const { return At(runs_, index).series; }  ///< channel 0
  bool Visible(int index) const { return At(runs_, index).visible; }
  /// It has bodies at the moment that is shown.
  bool Has(int index) const { return At(runs_, index).shown; }
  /// Part of its samples that have been measured.
  double Progress(int index) const;
  const ForeignForces& forces(int index) const { return At(runs_, index).forces; }
  /// To a channel, as far as that was on the screen.
  ForeignDifference Difference(int index, int channel) const;
  /// Of a channel to another one, likewise.
  ForeignDifference Between(int channel, int other) const;
  /// For the picture; null = none.
  const std::shared_ptr<const render::ForeignGhosts>& ghosts() const { return ghosts_; }

  // Called by the session.
  bool Update();               ///< once per frame; true when something has changed
  void Truncate(double time);  ///< channels go another way from there on
  void Restart();              ///< channels begin again, or are others
  void Forget(bool same);      ///< another scene, or `same`: its file once more

 private:
  struct Run {
    std::shared_ptr<ForeignRun> run;
    std::unique_ptr<ForeignMeasure> measure;
    SeriesStore series;
    ForeignForces forces;
    ForeignRequest request;  // that opened it
    int64_t next = 0, stride = 1;
    bool visible = true, shown = false;
  };
  /// One difference, kept while it is of use.
  struct Known {
    double end = kNaN, shift = 0, at = 0;
    ForeignDifference difference;
  };
  bool Take(const ForeignRequest& request, ForeignChannels channels);
  void PostErrors(const ForeignRequest& request, const ErrorList& errors);
  void Begin(Run* run);
  bool Measure(Run* run, double budget);
  void Watch();
  void Show();
  template <class Make>
  ForeignDifference Keep(int of, int to, double shift, const Make& make) const;

  Session& session_;
  std::vector<ForeignRequest> asked_;
  std::vector<Run> runs_;
  std::vector<MotionTrail> trails_;  // of the channels, as they were shown
  mutable std::map<std::pair<int, int>, Known> known_;
  std::shared_ptr<const render::ForeignGhosts> ghosts_;
  double shown_at_ = kNaN;
  bool stale_ = false;
  int opened_ = 0;
  double budget_ = kInfinity;
};

}  // namespace slip::app
