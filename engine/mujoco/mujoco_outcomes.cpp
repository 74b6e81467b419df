// What MuJoCo's contacts have come to, what they store, and where bodies rest under it.
#include <algorithm>
#include <cmath>

#include "engine/core/thread_stop.h"
#include "engine/dynamics/kinematics.h"
#include "engine/method/outcome_place.h"
#include "engine/method/rest_load.h"
#include "engine/mujoco/mujoco_formulation.h"

namespace slip {

void MujocoFormulation::SetOutcome(const Model& model, std::size_t i, ContactOutcome* outcome) {
  ContactOutcome& out = *outcome;
  const ContactGeometry& g = geometry_[i];
  const MujocoLaw& law = laws_[i];
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  Vec3 linear_a = Vec3::Zero(), angular_a = Vec3::Zero();
  engine_.Velocity(model.body(g.body).Owner(g.body), g.p_W, &linear, &angular);
  if (g.body_a >= 0 && model.body(g.body_a).Moves())
    engine_.Velocity(model.body(g.body_a).Owner(g.body_a), g.p_W, &linear_a, &angular_a);
  out = PlaceOutcome(model, g, linear - linear_a, time_step_);
  out.mu = law.friction;
  out.w = inverse_masses_[i];
  if (place_[i] >= 0) {
    const MujocoTouch& c = given_[static_cast<std::size_t>(place_[i])];
    const MujocoForce force = engine_.Force(place_[i]);
    out.f_C = force.f_C;
    out.ft = out.f_C.head<2>().norm();
    if (c.torsion > 0 && c.friction > 0) {
      out.torsion = {.rho = c.torsion / c.friction,
                     .spin = (angular - angular_a).dot(g.n_W),
                     .torque = force.torque};
    }
  }
  out.drive_work = time_step_ * out.f_C.x() * g.belt;
  out.prediction = law.Predict(out.w, out.f_C.z(), out.ft, out.v_C.head<2>());
  if (measure_distance_) {  // from its spring and damper as they are at this load
    const double v_law = CalcTouchVelocity(out.prediction.stiffness, out.prediction.damping, g.phi0,
                                           time_step_, out.f_C.z());
    out.coulomb = CalcCoulombDistance(out.Measured(time_step_, v_law));
  }
  out.elastic_energy = law.Energy(out.w, -out.phi);
  out.start_energy = law.Energy(out.w, -g.phi0);
  const double held = out.f_C.z() > 0 ? law.Energy(out.w, -out.prediction.rest_distance) : 0;
  out.unloaded_energy = std::max(0.0, out.elastic_energy - held);
  // the damper can take back what the spring pushes, and no more than all of the force
  const double damping = out.prediction.damping * -out.v_C.z();
  if (place_[i] >= 0 && std::isfinite(damping)) {
    const double most = std::max(out.f_C.z(), 0.0);
    out.damping_force = std::clamp(damping, -std::min(law.Force(out.w, -g.phi0), most), most);
  }
}

std::span<const ContactOutcome> MujocoFormulation::Contacts(std::size_t first) {
  constexpr std::size_t kBlock = 8;
  const std::size_t count = std::min(kBlock, geometry_.size() - first);
  if (block_.size() < count) block_.resize(kBlock);
  for (std::size_t k = 0; k < count; ++k) SetOutcome(*model_, first + k, &block_[k]);
  return {block_.data(), count};
}

double MujocoFormulation::ElasticEnergy(const StepInput& input) const {
  if (!Prepare(input.model, input.config).empty()) return 0;
  ContactFinder finder;
  std::vector<ContactGeometry> found;
  finder.Find(input.model, input.config, input.start, input.V_WB, {}, &found);
  if (ThreadStop::Asked()) return kNaN;
  double elastic = 0;
  for (const ContactGeometry& g : found) {
    const double inverse_mass = InverseMass(input.model, g.body_a, g.body);
    elastic += LawOf(input.config, finder.material(input.model, g), inverse_mass)
                   .Energy(inverse_mass, -g.phi0);
  }
  return elastic;
}

double MujocoFormulation::ElasticEnergy(const StepInput& input,
                                        std::span<const StoredContact> left) const {
  if (!Prepare(input.model, input.config).empty()) return 0;
  double elastic = 0;
  for (const StoredContact& contact : left) {
    // another method has left it with a weight of its own
    const double inverse_mass = InverseMass(input.model, contact.body_a, contact.body);
    const Material material = ContactMaterial(input.model, input.config.materials, contact.surface,
                                              contact.body_a, contact.body);
    elastic += LawOf(input.config, material, inverse_mass).Energy(inverse_mass, -contact.phi);
  }
  return elastic;
}

// How far along the normal the body rests on, where its weight is shared by its lowest points.
Vec3 MujocoFormulation::StartOffsetOf(const Model& model, const Config& config, int b) const {
  const RestLoad rest = FindRestLoad(model, config, b);
  if (rest.surface < 0 || model.body(b).start_offset == StartOffset::kGlide) return Vec3::Zero();
  const double inverse_mass = InverseMass(model, -1, b);
  const MujocoLaw law =
      LawOf(config, ContactMaterial(model, config.materials, rest.surface, -1, b), inverse_mass);
  return -law.Depth(inverse_mass, rest.load) * At(model.surfaces, rest.surface).normal;
}

State MujocoFormulation::StartState(const Model& model, const Config& config) const {
  State state;
  SetStart(model, &state);
  if (!Prepare(model, config).empty()) return state;
  bool moved = false;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].start_offset == StartOffset::kNone) continue;
    state.X_WB[b].p += StartOffsetOf(model, config, static_cast<int>(b));
    moved = true;
  }
  if (moved) UpdatePoses(model, &state);
  return state;
}

}  // namespace slip
