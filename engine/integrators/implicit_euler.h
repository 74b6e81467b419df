// Implicit Euler for contacts with anchors.
#pragma once

#include "engine/integrators/integrator_formulation.h"
#include "engine/integrators/trial_dynamics.h"

namespace slip {

/// v+ = v + h v̇(q+, v+), q+ = q (+) h v+, all forces those of the step's end (Hammoud et al.,
/// appendix A). Newton's method on v+ alone: positions follow, so their residual is zero.
class ImplicitEuler : public IntegratorFormulation {
 public:
  static void Report(const SolvedStep& step, StepReport* report);

 protected:
  void Begin(const StepInput& input, const MaterialPairs& materials) override;
  bool Integrate(const StepInput& input, TreeStep* step, SolveRecord* record) override;

 private:
  /// residual_ = v - v0 - h v̇(q0 (+) h v, v), and its norm [m/s], [rad/s]; infinite where the state
  /// is out of reach.
  double Evaluate(const VectorX& v, double h);
  /// Residual that no iterate can be held to [m/s], [rad/s].
  double CalcRoundOff(double h);
  bool MovesFreely(const StepInput& input, TreeStep* step);
  bool Solve(const StepInput& input, double h, double* norm, bool* moved, SolveRecord* record);
  void CalcDirection(const Model& model, double h, double regularization);

  TrialDynamics trial_;
  const Tree* tree_ = nullptr;
  MiddleBias middle_;
  VectorX v0_, v_, next_, residual_, scaled_, displacement_, direction_;
  MatrixX by_position_, by_velocity_, rows_;
  Eigen::Matrix<double, Eigen::Dynamic, 3> columns_;
  Eigen::PartialPivLU<MatrixX> lu_;
};

}  // namespace slip
