// A formulation that makes its steps of those of another one.
#pragma once

#include <memory>
#include <utility>

#include "engine/method/formulation.h"

namespace slip {

/// All but the steps and their contacts is the other's.
class Wrapped : public Formulation {
 public:
  explicit Wrapped(std::unique_ptr<Formulation> inner) : inner_(std::move(inner)) {}

  std::span<const CandidatePoint> Candidates() const override { return inner_->Candidates(); }
  MotorLoad LoadOfMotor(const Body& body, const Config& config, const State& state,
                        double held) const override {
    return inner_->LoadOfMotor(body, config, state, held);
  }
  void SetWorkers(WorkerPool* workers) override { inner_->SetWorkers(workers); }
  void TakeOver(const Model& model, const Config& config, std::span<const PreviousContact> contacts,
                State* state) override {
    inner_->TakeOver(model, config, contacts, state);
  }
  State StartState(const Model& model, const Config& config) const override {
    return inner_->StartState(model, config);
  }
  double ElasticEnergy(const StepInput& input) const override {
    return inner_->ElasticEnergy(input);
  }
  double ElasticEnergy(const StepInput& input, std::span<const StoredContact> left) const override {
    return inner_->ElasticEnergy(input, left);
  }
  bool PredictForces(const StepInput& input, double span, int samples,
                     ForcePrediction* out) const override {
    return inner_->PredictForces(input, span, samples, out);
  }

 protected:
  std::unique_ptr<Formulation> inner_;
};

}  // namespace slip
