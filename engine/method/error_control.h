// Steps of controlled error: a formulation's step of length H is made of inner steps whose lengths
// are chosen by their error, that of one step against two halves (step doubling; Hairer, Norsett,
// Wanner, Solving Ordinary Differential Equations I, II.4).
#pragma once

#include <memory>
#include <vector>

#include "engine/dynamics/kinematics.h"
#include "engine/method/formulation.h"

namespace slip {

/// Runs another formulation. Its memory, the length that the controller wants next, is part of the
/// State: same input, same bits. The error is that of positions, in m and rad: velocities jump at
/// impacts whatever the step. What halves do not show, the formulation knows
/// (StepOutput::hidden_error).
class ErrorControlled : public Formulation {
 public:
  explicit ErrorControlled(std::unique_ptr<Formulation> inner) : inner_(std::move(inner)) {}

  StepStatus Step(const StepInput& input, StepOutput* output) override;
  std::span<const ContactOutcome> Contacts(std::size_t first) override;
  /// Of its last inner step.
  std::span<const CandidatePoint> Candidates() const override { return inner_->Candidates(); }
  MotorLoad LoadOfMotor(const Body& body, const Config& config, const State& state,
                        double held) const override {
    return inner_->LoadOfMotor(body, config, state, held);
  }
  void SetWorkers(WorkerPool* workers) override { inner_->SetWorkers(workers); }
  void TakeOver(const Model& model, const Config& config, std::span<const LeftContact> contacts,
                State* state) override {
    inner_->TakeOver(model, config, contacts, state);
  }
  State StartState(const Model& model, const Config& config) const override {
    return inner_->StartState(model, config);
  }
  double ElasticEnergy(const StepInput& input) const override {
    return inner_->ElasticEnergy(input);
  }
  double ElasticEnergy(const Model& model, const Config& config,
                       std::span<const StoredContact> contacts) const override {
    return inner_->ElasticEnergy(model, config, contacts);
  }
  bool PredictForces(const StepInput& input, double span, int samples,
                     ForcePrediction* out) const override {
    return inner_->PredictForces(input, span, samples, out);
  }

 private:
  /// A step of the formulation itself, and what it came to.
  struct Part {
    StepStatus status = StepStatus::kNotFinite;
    StepOutput output;
    std::vector<ContactOutcome> contacts;
  };
  StepStatus Try(const StepInput& input, const State& from, double time, double h, bool last,
                 Kinematics* kinematics, Part* part);
  /// `weight` of the part's work and forces; `h` is its length.
  void Accept(const Part& part, double weight, double h, double outer);
  void AddContacts(const Part& part, double weight, double share);
  /// Whether twice the halves less the whole is a step: the same contacts, all of them pushing,
  /// without anchors.
  bool MayExtrapolate() const;
  /// x₂ (+) (x₂ (-) x₁), of the second half's end and of the contacts, which have been accepted.
  void Extrapolate(const Model& model);

  std::unique_ptr<Formulation> inner_;
  Config config_;  // with the inner step's length
  Kinematics now_, halfway_;
  State from_, state_;
  VectorX difference_;  // halves (-) whole
  Part whole_, first_, second_;
  double friction_loss_ = 0, damping_loss_ = 0, motor_work_ = 0;
  PullOutcome pull_;
  double joint_damping_loss_ = 0, joint_friction_loss_ = 0;
  std::vector<ContactOutcome> contacts_, merged_;  // of the outer step, ascending by key
  std::vector<Vec3> forces_, merged_forces_;       // theirs, mean over the outer step [N]
};

}  // namespace slip
