// All state behind the panels: the parts of a session, and what ties them together, above all what
// comes from the engine. Holds no pixels, so tests can drive it without ImGui.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/branches.h"
#include "app/session/channel_looks.h"
#include "app/session/engine_link.h"
#include "app/session/experiments.h"
#include "app/session/lessons.h"
#include "app/session/notebook.h"
#include "app/session/param_edits.h"
#include "app/session/playback.h"
#include "app/session/reference_curve.h"
#include "app/session/run_series.h"
#include "app/session/scene_files.h"
#include "app/session/session_core.h"
#include "app/session/step_warnings.h"
#include "app/session/written_moment.h"

namespace slip::app {

class Session : public SessionCore {
 public:
  explicit Session(std::unique_ptr<EngineLink> link);
  ~Session() override;

  /// Once per frame: drains telemetry and events, reads the newest snapshot. Never waits; in a
  /// program without threads it gives engine and jobs their part of the frame first.
  void Update(double now);
  /// Something arrived in the last Update, so the picture is out of date.
  bool changed() const { return changed_; }

  /// SceneFiles::Load
  bool Load(const std::string& name_or_path) { return files_.Load(name_or_path); }

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
  /// What was measured.
  const RunSeries& series() const { return series_; }
  RunSeries& series() { return series_; }
  /// Other branches of the run.
  const Branches& branches() const { return branches_; }
  Branches& branches() { return branches_; }
  /// What was done, as a file and as a command.
  const Experiments& experiments() const { return experiments_; }
  Experiments& experiments() { return experiments_; }
  /// How scenes and experiments are opened.
  const SceneFiles& files() const { return files_; }
  SceneFiles& files() { return files_; }

  void Send(Command command) override { playback_.Send(std::move(command)); }
  bool IsOpening() override { return files_.SayOpening(); }

 private:
  void DrainTelemetry();
  void DrainEvents();
  void TakeEvent(const Event& event);
  void TakeRefused(const Refused& refused, double time);
  void ForgetRemoved(int gone);
  void Forget(std::shared_ptr<const Scene> scene);

  std::unique_ptr<EngineLink> link_;
  RunSeries series_;
  ChannelLooks looks_;
  ParamEdits params_;
  Playback playback_;
  Notebook notebook_;
  ReferenceCurve reference_;
  Lessons lessons_;
  StepWarnings warnings_;
  WrittenMoment written_;
  Branches branches_;
  Experiments experiments_;
  SceneFiles files_;
  bool changed_ = true;
  uint64_t seen_generation_ = 0;
  double seen_time_ = -1;
  uint64_t seen_edits_ = 0;  // of notes
};

}  // namespace slip::app
