#include "engine/integrators/runge_kutta.h"

#include <algorithm>

namespace slip {

void RungeKutta4::Begin(const StepInput& input, const MaterialPairs& materials) {
  trial_.Begin(input, materials);
}

bool RungeKutta4::Integrate(const StepInput& input, TreeStep* step, SolveRecord*) {
  const double h = step->h;
  const auto v0 = input.start.v.segment(step->tree->v_start, step->tree->nv);
  // where a stage stands in the step, and its weight
  constexpr struct {
    double at, weight;
  } kStages[] = {{0, 1.0 / 6}, {0.5, 1.0 / 3}, {0.5, 1.0 / 3}, {1, 1.0 / 6}};
  trial_.Start(*step->tree, step->touches);
  step->acceleration.setZero(step->tree->nv);
  step->drift.setZero(step->tree->nv);  // sum of the velocities first
  step->motors.setZero(step->tree->nv);
  step->dampers.setZero(step->tree->nv);
  v_ = v0;
  displacement_.setZero(step->tree->nv);
  for (const auto& stage : kStages) {
    if (stage.at > 0) {
      displacement_ = stage.at * h * v_;  // by the velocity of the stage before
      v_ = v0 + stage.at * h * trial_.acceleration();
    }
    if (!trial_.Evaluate(displacement_, v_, stage.at * h)) return false;
    step->acceleration += stage.weight * trial_.acceleration();
    step->drift += stage.weight * v_;
    step->motors += stage.weight * trial_.motion().motors();
    step->dampers += stage.weight * trial_.motion().dampers();
    step->pull.force_W += stage.weight * trial_.motion().pull_W();
    step->pull.work += stage.weight * h * trial_.motion().CalcPullPower(v_);
    for (const TrialContact& contact : trial_.contacts()) {
      const Touch& touch = contact.at.touch;
      auto place =
          std::lower_bound(step->forces.begin(), step->forces.end(), touch.key,
                           [](const PointForce& a, ContactKey key) { return a.touch.key < key; });
      if (place == step->forces.end() || place->touch.key != touch.key)
        place = step->forces.insert(place, {touch, Vec3::Zero()});
      place->f_W += stage.weight * contact.force.f_W;
    }
  }
  step->drift = 2 / h * (step->drift - v0);
  return true;
}

}  // namespace slip
