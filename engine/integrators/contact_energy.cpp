// Energy that contacts with anchors store, take and, where a step goes wrong, make from nothing.
#include <algorithm>
#include <limits>

#include "engine/dynamics/rigid_dynamics.h"
#include "engine/integrators/integrator_formulation.h"

namespace slip {
namespace {

struct Stored {
  double normal = 0, tangential = 0;  // [J]
};

// A spring that would pull is open: it holds nothing that it could give back.
Stored StoredEnergies(const AnchoredTouch& at) {
  const Vec3 stretch = at.touch.p_W - at.anchor_W;
  const double normal = stretch.dot(at.touch.n_W), half = 0.5 * at.touch.params.stiffness;
  if (normal > 0) return {};
  return {half * normal * normal, half * (stretch - normal * at.touch.n_W).squaredNorm()};
}

// What a body gives of its potential energy, and the last bits of that, which are nobody's [J].
double CalcFall(const StepInput& input, const State& end, std::size_t b) {
  constexpr double kLastBits = 16 * std::numeric_limits<double>::epsilon();
  const Vec3 weight = input.model.bodies[b].mass * CalcGravity(input.config.step);
  const Vec3 &from = input.start.X_WB[b].p, &to = end.X_WB[b].p;
  return weight.dot(to - from) + kLastBits * weight.cwiseAbs().dot(from.cwiseAbs() + to.cwiseAbs());
}

}  // namespace

double IntegratorFormulation::StoredEnergy(const AnchoredTouch& at) {
  const Stored stored = StoredEnergies(at);
  return stored.normal + stored.tangential;
}

// The mean force does its work at the mean of both velocities (exactly so for a constant inertia);
// what the springs have not kept of it is lost. What a damper seems to give from nothing is the
// stepping's. Friction may give: the springs of a point that slips follow the normal force, and
// keep now what they give back later.
double IntegratorFormulation::AddLosses(double h, const Vec3& f_C, const Vec3& v0_C,
                                        const Vec3& v_C, const AnchoredTouch* before,
                                        const AnchoredTouch* now, bool slips) {
  const Stored from = before != nullptr ? StoredEnergies(*before) : Stored{};
  const Stored to = now != nullptr ? StoredEnergies(*now) : Stored{};
  const Vec3 v = 0.5 * (v0_C + v_C);
  const double normal = -h * f_C.z() * v.z() + from.normal - to.normal;
  const double tangential = -h * f_C.head<2>().dot(v.head<2>()) + from.tangential - to.tangential;
  slips |= before != nullptr && before->slid;
  if (slips) losses_.friction += tangential;
  losses_.damping += std::max(0.0, slips ? normal : normal + tangential);
  return normal + tangential;
}

// Of the tree that gains the largest share. Mean forces at mean velocities do exactly what they
// change of the motion's energy while the inertia is constant; belts and motors are not in it. A
// body that turns far within the step can hide a gain there, but not in its own balance.
EnergyGain IntegratorFormulation::CalcGain(const StepInput& input, const State& end) {
  const Model& model = input.model;
  const double fall = input.config.step.time_step * input.config.step.gravity;
  const auto add = [&model](int body, double energy, std::vector<double>* sums) {
    (*sums)[static_cast<std::size_t>(model.bodies[static_cast<std::size_t>(body)].tree)] += energy;
  };
  for (auto* sums : {&stored_, &still_stored_}) sums->assign(model.trees.size(), 0.0);
  for (const AnchoredTouch& at : touches_) add(at.touch.body, StoredEnergy(at), &stored_);
  for (const ContactOutcome& out : outcomes_) add(out.body, out.elastic_energy, &still_stored_);
  EnergyGain gain;
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    const Tree& tree = model.trees[t];
    const auto first = static_cast<std::size_t>(tree.first_body),
               last = first + static_cast<std::size_t>(tree.bodies);
    const bool alone = tree.articulated < 0;
    if (!alone && !(gains_[t] > 0)) continue;
    const double before =
        stored_[t] + CalcKineticEnergy(model, first, last, input.start, input.V_WB);
    const double after =
        still_stored_[t] + CalcKineticEnergy(model, first, last, end, kinematics_.V_WB);
    double handled = std::max(before, after), gained = gains_[t];
    for (std::size_t b = first; b < last; ++b) handled += 0.5 * model.bodies[b].mass * fall * fall;
    if (alone && !(gained > kGainOfAnchors * handled))
      gained = std::max(gained, after - before - works_[t] - CalcFall(input, end, first));
    if (!(gained > 0)) continue;
    const double share = gained / handled;
    if (share > gain.share) gain = {gained, share, tree.first_body};
  }
  return gain;
}

double IntegratorFormulation::ElasticEnergy(const StepInput& input) const {
  MaterialPairs materials;
  materials.Combine(input.config.materials);
  std::vector<Touch> found;
  std::vector<AnchoredTouch> touches;
  FindTouches(input.model, input.config, materials, input.start.Time(input.config.step.time_step),
              input.start, &found);
  FindAnchors(found, input.start.memory, &touches);
  double energy = 0;
  for (const AnchoredTouch& at : touches) energy += StoredEnergy(at);
  return energy;
}

// Anchors remember what is stored, along the surface too.
double IntegratorFormulation::ElasticEnergy(const StepInput& input,
                                            std::span<const StoredContact>) const {
  return ElasticEnergy(input);
}

}  // namespace slip
