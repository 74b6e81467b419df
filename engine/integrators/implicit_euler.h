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
  /// With `whole` also of the lengths that positions are computed from, and of ramps.
  double CalcRoundOff(double h, bool whole);
  bool MovesFreely(const StepInput& input, TreeStep* step);
  bool Solve(const StepInput& input, double h, double* norm, bool* moved, SolveRecord* record);
  /// Newton's direction at v, where the residual was evaluated last.
  void CalcDirection(const Model& model, const VectorX& v, double h, double regularization);

  /// How well the iterate v_ is solved, whose residual was evaluated last.
  struct Balance {
    double change = 0, scale = 0, relative = 0;
    bool converged = false;  ///< by the tolerance
  };
  Balance CalcBalance(const StepInput& input, double norm);
  bool IsWithinRoundOff(const Balance& balance, double norm, double h);

  // implicit_pieces.cpp
  /// Takes the memory that pieces need, before any are held: few runs ever hold one, and late.
  void Reserve(const Model& model);
  bool FindOtherWays(const StepInput& input, double h, double* norm, SolveRecord* record);
  bool FollowPieces(const StepInput& input, double h, double* norm, int* iterations);
  bool TryPieces(const Model& model, double h, double pace, double goal, int* iterations);
  bool ChangePieces(int* repeats);
  void RampDifference();
  bool SolveOnPiece(const Model& model, double h, double pace, double goal, int* iterations);

  const Model* reserved_for_ = nullptr;
  TrialDynamics trial_;
  const Tree* tree_ = nullptr;
  StageTimes* times_ = nullptr;  // null = they are not asked for
  MiddleBias middle_;
  double free_change_ = 0;  // of the velocity by all but contacts [m/s], [rad/s]
  TrialPieces piece_, own_;
  std::vector<TrialPieces> seen_;
  std::size_t seen_count_ = 0;
  VectorX best_, best_on_piece_;
  VectorX v0_, v_, next_, residual_, scaled_, displacement_, direction_;
  MatrixX by_position_, by_velocity_, rows_;
  Eigen::Matrix<double, Eigen::Dynamic, 3> columns_;
  Eigen::PartialPivLU<MatrixX> lu_;
};

}  // namespace slip
