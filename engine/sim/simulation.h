// One channel: Model, Config, State and workspace. Step() is the pure function of the house:
// same model, config and state give the same bits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/method/config.h"
#include "engine/method/step_io.h"
#include "engine/sim/snapshot.h"

namespace slip {

class Formulation;
class WorkerPool;

/// A step as it stands: the state and what was measured on the way to it.
struct StepRecord {
  State state;
  bool measured = false;  ///< a step led here: contacts and signals are that step's
  std::vector<ContactFrame> contacts;
  std::vector<CandidatePoint> candidates;  ///< Formulation::Candidates
  SignalValues signals{};
  std::vector<double> part_signals;  ///< of parts, by place behind `signals`
  SolveRecord solve;
  Vec3 grab_force_W = Vec3::Zero();
};

class Simulation {
 public:
  /// Start state for this config (bodies may start at heights that depend on it).
  Simulation(std::shared_ptr<const Model> model, const Config& config);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Advances by config().step.time_step, or leaves everything but failure() untouched.
  StepStatus Step();
  /// Back to the start state of the present config.
  void Reset();
  /// Goes to a recorded step of the same model: state and measurements, and the knobs of then.
  void Restore(const StepRecord& record, const Config& config);
  /// Takes over another channel's state, as at the start: nothing measured yet.
  void SetState(const State& state);
  /// Knobs from now on. A new time step keeps the time continuous.
  void SetConfig(const Config& config);

  /// Whether steps compute the condition number, which costs part of a solve, and the distance from
  /// Coulomb of their contacts; both at first. And whether the parts of every step are timed: at
  /// first only those of long ones, and of short ones now and then. No result depends on it.
  void SetMeasureCondition(bool on, bool distance = true, bool all_times = false);
  /// Threads that share the work of a step, null = the calling thread alone, as at first: the same
  /// bits. They must outlive the last step, and serve one simulation at a time.
  void SetWorkers(WorkerPool* workers);

  /// Asked as steps begin and within them, on whatever thread works on them. True: Step gives up,
  /// as if it had not begun, and returns kStopped.
  void SetStop(StopPoll stop);

  const Model& model() const;
  const Config& config() const;
  /// Grows whenever the config may have become another one.
  int64_t config_version() const;
  const StepRecord& now() const;
  const State& state() const;
  double time() const;
  int64_t step() const;
  /// Of the last step; before the first one NaN where nothing is known yet.
  const SignalValues& signals() const;
  double StepTimeUs() const;  ///< wall time of the last step; 0 before the first
  const std::vector<ContactFrame>& contacts() const;
  const SolveRecord& solve() const;
  /// Sentence about the last failed step: which body, why, what to do. Empty when fine.
  const std::string& failure() const;
  /// Of the last step that was tried, whether it advanced or not.
  const SolveRecord& last_solve() const;
  /// What computes the steps.
  const Formulation& formulation() const;
  /// Forgets the failure, e.g. after the user changed a parameter.
  void ClearFailure();
  /// Joints with one coordinate, in the order of their bodies; memory is reused.
  void GetJoints(std::vector<JointFrame>* joints) const;
  /// The first of Model::robots behind that one whose controller has given up
  /// (ChannelFrame::given_up); -1 = none.
  int NextGivenUp(int robot = -1) const;
  /// Copies what the eyes need; reuses the frame's memory.
  void Fill(ChannelFrame* frame) const;

 private:
  friend class Outlook;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slip
