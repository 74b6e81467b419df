// The classic Runge-Kutta method of order four for contacts with anchors.
#pragma once

#include "engine/integrators/integrator_formulation.h"
#include "engine/integrators/trial_dynamics.h"

namespace slip {

/// Four stages on positions and velocities; each finds its own contacts, with the anchors of the
/// start, which move once, at the end (Hammoud et al., section VI).
class RungeKutta4 : public IntegratorFormulation {
 protected:
  void Begin(const StepInput& input, const MaterialPairs& materials) override;
  bool Integrate(const StepInput& input, TreeStep* step, SolveRecord* record) override;

 private:
  TrialDynamics trial_;
  VectorX displacement_, v_;
};

}  // namespace slip
