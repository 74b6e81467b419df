// Quasi-dynamic motion: every step starts from rest, and one convex quadratic program balances
// forces and contacts over it (engine/README.md section 14).
#pragma once

#include <string>

#include "engine/method/formulation.h"
#include "engine/quasi_dynamic/step_program.h"

namespace slip {

class QuasiDynamic : public Formulation {
 public:
  static void Report(const SolvedStep& step, StepReport* report);

  StepStatus Step(const StepInput& input, StepOutput* output) override;
  std::span<const ContactOutcome> Contacts(std::size_t first) override;
  std::span<const CandidatePoint> Candidates() const override { return chosen_; }
  /// Of the joint's impedance; the effort limit of its motor is not part of the program.
  MotorLoad LoadOfMotor(const Body& body, const Config& config, const State& state,
                        double held) const override;
  void SetWorkers(WorkerPool*) override {}
  State StartState(const Model& model, const Config& config) const override;
  double ElasticEnergy(const StepInput&) const override { return 0; }
  double ElasticEnergy(const StepInput&, std::span<const StoredContact>) const override {
    return 0;
  }

  /// Of the last step.
  const ConvexQp& qp() const { return program_.qp(); }
  const QpResult& result() const { return result_; }
  const std::vector<Candidate>& candidates() const { return candidates_; }

 private:
  void SetRecord(SolveRecord* record);
  void SetOutcomes(const StepInput& input);
  /// Says in `output` what keeps the program from holding all rows.
  void Blame(const StepInput& input, StepOutput* output);

  CandidateFinder finder_;
  StepProgram program_;
  ConvexQpSolver solver_;
  QpResult result_;
  VectorX momentum_;  // H δq [N s], [N m s]
  std::vector<Candidate> candidates_;
  std::vector<ContactOutcome> outcomes_;
  std::vector<CandidatePoint> chosen_;
  ContactLosses losses_;
  std::string reason_;
};

}  // namespace slip
