// How a step is computed. Virtual, because it is called once per step.
#pragma once

#include <span>

#include "engine/core/worker_pool.h"
#include "engine/method/force_prediction.h"
#include "engine/method/joint_motor.h"
#include "engine/method/solve_trace.h"
#include "engine/method/step_io.h"
#include "engine/method/step_report.h"

namespace slip {

/// What the motor of a joint does in a state.
struct MotorLoad {
  double force = 0;  ///< [N] or [N m]
  double limit = 0;  ///< of that
  bool has_target = false;
};

class Formulation {
 public:
  virtual ~Formulation() = default;

  /// Computes output->end from input.start, and nothing else that the next step depends on: same
  /// input, same bits. Allocates only while the number of contacts grows.
  virtual StepStatus Step(const StepInput& input, StepOutput* output) = 0;

  /// Contacts of the last step, which advanced, ascending by key: a block of those from place
  /// `first` on, empty behind the last. In the formulation's memory until the next call. Blocks,
  /// because thousands of contacts would leave the cache before they are read.
  virtual std::span<const ContactOutcome> Contacts(std::size_t first) = 0;

  /// Of the last step, which advanced: the points that it chose out of clouds, as Contacts ordered.
  /// None where every point that is near enough acts.
  virtual std::span<const CandidatePoint> Candidates() const { return {}; }

  /// Of a joint with one coordinate; `held` is what a controller asked for [N] or [N m].
  virtual MotorLoad LoadOfMotor(const Body& body, const Config& config, const State& state,
                                double held) const {
    return {.force = CalcMotorForce(body, config, state, held),
            .limit = body.joint.effort,
            .has_target = MotorOf(body, config).stiffness > 0};
  }

  /// Threads that share the work of a step, null = the calling thread alone: the same bits.
  virtual void SetWorkers(WorkerPool* workers) = 0;

  /// Adds to the state what the formulation keeps from step to step and does not find there, when
  /// it goes on where another one has left these contacts: so that forces are continuous.
  virtual void TakeOver(const Model&, const Config&, std::span<const PreviousContact>, State*) {}

  /// Where the model starts: bodies may start at heights that the method predicts of itself.
  virtual State StartState(const Model& model, const Config& config) const = 0;

  /// Elastic energy of the contacts that are found at input.start [J]; NaN when ThreadStop said so
  /// before they all were.
  virtual double ElasticEnergy(const StepInput& input) const = 0;

  /// The same of the contacts that the step which led there has left, as a step counts them.
  virtual double ElasticEnergy(const StepInput& input,
                               std::span<const StoredContact> left) const = 0;

  /// The step once more with the search lines of its solver. False where there are none.
  virtual bool Trace(const StepInput&, SolveRecord*, SolveTrace*) const { return false; }

  /// Contact forces from input.start on, over `span` [s] in so many equal intervals: fills contacts
  /// and their sum. False where nothing touches, or where the formulation foretells nothing.
  virtual bool PredictForces(const StepInput&, double /*span*/, int /*samples*/,
                             ForcePrediction*) const {
    return false;
  }
};

}  // namespace slip
