// Recorded runs beside the channels of a run: read before it, aligned and measured after it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/foreign/foreign_compare.h"
#include "engine/run/study/run_plan.h"

namespace slip {

/// What a command line asks for.
struct ForeignRequest {
  std::vector<std::string> files = {};  ///< "[NAME=]PATH"
  std::vector<std::string> meta = {};   ///< "KEY=VALUE", of all of them
  std::string align = {};               ///< a word of kForeignAligns; empty = none

  bool empty() const { return files.empty() && meta.empty() && align.empty(); }
};

/// What there is to say of one when it has been measured.
struct ForeignReport {
  std::string name, path, engine;
  double shift = 0;  ///< [s]
  std::vector<std::string> notes;
  std::map<std::string, std::string> settings;
  ForeignForces forces;
  /// To each channel that was stepped, by its label.
  std::vector<std::pair<std::string, ForeignDifference>> differences;
};

class ForeignChannels {
 public:
  /// All files, on the plan's scene. Errors: of names, and then *usage is set, or of files.
  static Result<ForeignChannels> Read(const ForeignRequest& request, const RunPlan& plan,
                                      bool* usage);

  bool empty() const { return channels_.empty(); }
  std::size_t size() const { return channels_.size(); }
  ForeignAlign align() const { return align_; }
  /// In the order of the files.
  const std::shared_ptr<ForeignRun>& run(std::size_t i) const { return channels_[i].run; }
  std::vector<std::string> Names() const;
  /// The plan with these as its last channels: what is written, not what is stepped.
  RunPlan Widen(const RunPlan& plan) const;
  /// After each step of the run, and once before.
  void Watch(int channel, const Simulation& simulation);
  /// Those of the run are over: aligns, measures every sample up to the run's end and gives it to
  /// `step` as a step of the widened plan's channel. Errors of what cannot be aligned.
  Status Measure(const RunPlan& plan,
                 const std::function<void(int channel, const Simulation&)>& step);
  /// Of a channel of the widened plan; null for those that were stepped. After Measure.
  std::shared_ptr<const ForeignReport> ReportOf(std::size_t channel) const;

 private:
  struct Channel {
    std::shared_ptr<ForeignRun> run;
    std::shared_ptr<ForeignReport> report;
    Config config;
  };
  std::vector<Channel> channels_;
  std::vector<MotionTrail> trails_;  // of those that are stepped
  std::size_t stepped_ = 0;
  ForeignAlign align_ = ForeignAlign::kNone;
};

/// "NAME=PATH" or a path alone, whose stem is the name then. Error: a name that cannot be one.
Result<std::pair<std::string, std::string>> SplitForeign(const std::string& text);

}  // namespace slip
