// Whether a step may stand. What no method should make, motion from nothing or speeds beyond
// mechanics, is refused, and the judge keeps what there is to say of it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/sim/failure_words.h"
#include "engine/sim/simulation.h"
#include "engine/sim/step_view.h"

namespace slip {

/// A step from one record to the other. Of one that could not be computed the end is not looked at.
struct JudgedStep {
  const Model& model;
  const Config& config;
  const StepRecord& before;
  const StepRecord& after;
  std::span<const Vec6> V_WB;  ///< of the bodies at its end
  const StepOutput& output;
};

/// What is held against a step; nothing where it may stand.
struct StepVerdict {
  StepStatus status = StepStatus::kConverged;
  int body = -1;  ///< the culprit; -1 = no single one
};

class StepJudge {
 public:
  /// Longest stable step of the points that touch as the step under way begins [s]. Of an explicit
  /// method only, and seldom: it may cost a solve.
  using AskLimit = std::function<double()>;
  explicit StepJudge(AskLimit ask_limit) : ask_limit_(std::move(ask_limit)) {}

  /// Of a step that the formulation made.
  StepVerdict Judge(const JudgedStep& step) const;
  /// The step does not happen. `out_of_control`: a robot's controller had given up before.
  void Refuse(StepVerdict verdict, const JudgedStep& step, bool out_of_control);
  /// The step happened, and came to this.
  void Accept(const SolveRecord& solve);
  /// The channel stands behind a step that came to this, by no step of its own.
  void Begin(const SolveRecord& solve);
  void ForgetLimit() { last_limit_ = kNaN; }
  void ForgetFailure();

  /// Of the step that was refused last: a sentence, and two parts of it; empty when fine.
  const std::string& failure() const { return failure_; }
  const FailureWords& words() const { return words_; }
  /// Longest stable step, where the one refused was longer [s]; else NaN.
  double exceeded_step() const { return exceeded_step_; }
  /// AcceptedBy
  std::string_view accepted_by() const { return AcceptedBy(failed_, exceeded_step_); }

 private:
  double LimitOf(const JudgedStep& step) const;
  bool CreatesEnergy(const JudgedStep& step) const;

  AskLimit ask_limit_;
  std::string failure_;
  FailureWords words_;
  StepStatus failed_ = StepStatus::kConverged;
  double last_limit_ = kNaN;  // of the last step that touched [s]
  double exceeded_step_ = kNaN;
};

}  // namespace slip
