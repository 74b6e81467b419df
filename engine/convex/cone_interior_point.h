// Primal-dual interior point method for the models that are complementarities of cones
// (Mehrotra 1992, predictor-corrector; Nesterov-Todd scaling; infeasible start).
#pragma once

#include <cmath>
#include <vector>

#include "engine/convex/cone.h"
#include "engine/convex/newton.h"
#include "engine/convex/scalar_pair.h"

namespace slip {

class ConeInteriorPoint {
 public:
  /// Room for islands of so many contacts and scalars, and some more.
  void Reserve(int contacts, int scalars);
  /// Iterates from system->v() until complementarity and momentum balance are near their end, or
  /// nothing moves any more. Leaves v, contact velocities and dual directions q for CGM Newton
  /// to polish; `gap_factor` scales the gap at which to stop. `best_cost` is what the history shows
  /// meanwhile: l of the best Newton iterate, since l means nothing inside. A stop ends it
  /// anywhere.
  void Run(IslandSystem* system, const Island& island, double gap_factor, double best_cost,
           int max_iterations, const StopPoll* stop, IslandRecord* record);

  /// The largest order of an impulse per speed of the island's contacts, beside the mass each
  /// moves.
  double FindStiffest(IslandSystem* system, const Island& island);

  /// Pairs of the last run in the order of their contacts, without those with torsion, for tests.
  const std::vector<ConePair<2>>& cones() const { return cones_; }

 private:
  void Start(IslandSystem* system, const Island& island);
  template <int kSlip>
  void AddPairs(int contact, const ConeForm& form, double momentum,
                std::vector<ConePair<kSlip>>* cones);
  // Calls fn(pair) for every contact's pairs: first those without torsion, then the others.
  template <class Fn>
  void ForEachCone(Fn&& fn) {
    for (ConePair<2>& cone : cones_) fn(cone);
    for (ConePair<3>& cone : spin_cones_) fn(cone);
  }
  void AddScalars(const IslandSystem& system, const Island& island, double v_floor);
  void Invert(const IslandSystem& system, const Island& island);
  // What is left of complementarity, in all and a pair, and of the momentum balance.
  struct Residuals {
    double complementarity = 0, gap = 0;
    MomentumBalance momentum;
    bool finite() const {
      return std::isfinite(complementarity) && std::isfinite(momentum.residual);
    }
  };
  Residuals CalcResiduals(IslandSystem* system, const Island& island);
  bool Condense(IslandSystem* system, const Island& island, bool first, IslandRecord* record);
  double CalcCentre(IslandSystem* system, const Island& island, const Residuals& residuals);
  double Correct(IslandSystem* system, const Island& island, double centre);
  double CalcMaxStep(double alpha);
  void Advance(IslandSystem* system, const Island& island, double alpha);
  void SolveStep(IslandSystem* system, const Island& island);
  void SetDualDirections(IslandSystem* system, const Island& island);
  void StepOnActiveSet(IslandSystem* system, const Island& island, IslandRecord* record);

  // Friction whose bound is beyond all momentum there is: gamma_u = -stiffness u, the soft norm
  // near zero. As a disc it would put everything out of scale.
  struct Stick {
    int contact = 0;
    double stiffness = 0;  // [kg]
    double eps = 0;        // [m/s]
  };

  std::vector<ConePair<2>> cones_;
  std::vector<ConePair<3>> spin_cones_;
  std::vector<Stick> sticks_;
  std::vector<ScalarPair> scalars_;
  std::vector<double> scalar_stiffness_;
  std::vector<ConeForm> forms_;
  std::vector<NormalInverse> inverse_;
  std::vector<double> gamma_n_;
  double gap_tolerance_ = 0;
};

}  // namespace slip
