// What ODE's contacts have come to, what they store, and where bodies rest under it.
#include <algorithm>
#include <cmath>

#include "engine/core/thread_stop.h"
#include "engine/dynamics/kinematics.h"
#include "engine/method/outcome_place.h"
#include "engine/method/rest_load.h"
#include "engine/ode/ode_formulation.h"

namespace slip {

Vec3 OdeFormulation::EndVelocity(const Model& model, const ContactGeometry& g) const {
  return CalcEndVelocity(model, g.body, g.p_W) - CalcEndVelocity(model, g.body_a, g.p_W);
}

Vec3 OdeFormulation::ForceOf(const ContactGeometry& g, const Contact& contact) const {
  if (contact.place < 0) return Vec3::Zero();
  const Vec3 f = engine_.Force(static_cast<std::size_t>(contact.place));
  return {f.dot(g.t1_W), f.dot(g.t2_W), f.dot(g.n_W)};
}

void OdeFormulation::SetOutcome(const Model& model, std::size_t i, ContactOutcome* outcome) const {
  ContactOutcome& out = *outcome;
  const ContactGeometry& g = geometry_[i];
  const Contact& contact = contacts_[i];
  const OdeLaw& law = contact.law;
  out = PlaceOutcome(model, g, EndVelocity(model, g), time_step_);
  out.mu = law.friction;
  out.w = contact.w;
  out.f_C = ForceOf(g, contact);
  out.ft = out.f_C.head<2>().norm();
  const double fn = out.f_C.z();
  out.drive_work = time_step_ * out.f_C.x() * g.belt;
  out.prediction = law.Predict(fn, out.ft);
  // without a creep of its own it slips where friction is at its bound
  if (!(law.slip > kOdeCfm))
    out.sticks = out.f_C.head<2>().cwiseAbs().maxCoeff() < kSlipShare * law.friction * fn ? 1 : 0;
  if (measure_distance_) {
    const double v_law = law.erp * -g.phi0 / time_step_ - law.cfm * fn;
    out.coulomb =
        CalcCoulombDistance(out.Measured(time_step_, std::min(v_law, -g.phi0 / time_step_)));
  }
  out.elastic_energy = law.Energy(-out.phi);
  out.start_energy = law.Energy(-g.phi0);
  out.unloaded_energy = std::max(0.0, out.elastic_energy - law.Energy(law.Depth(fn)));
  // the damper can take back what the spring pushes, and no more than all of the force
  if (contact.place >= 0 && law.soft) {
    const double most = std::max(fn, 0.0);
    out.damping_force =
        std::clamp(law.damping * -out.v_C.z(), -std::min(law.Force(-g.phi0), most), most);
  }
}

std::span<const ContactOutcome> OdeFormulation::Contacts(std::size_t first) {
  constexpr std::size_t kBlock = 8;
  const std::size_t count = std::min(kBlock, geometry_.size() - first);
  if (block_.size() < count) block_.resize(kBlock);
  for (std::size_t k = 0; k < count; ++k) SetOutcome(*model_, first + k, &block_[k]);
  return {block_.data(), count};
}

// Rows of contacts by the velocities and forces of the end: as impulses, each by the square root of
// its own inertia, beside all that contacts gave.
double OdeFormulation::CalcResidual() const {
  double off = 0, given = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    if (contact.place < 0 || !(contact.w > 0)) continue;
    const ContactGeometry& g = geometry_[i];
    const Vec3 v_C = CalcContactVelocity(g, EndVelocity(*model_, g)), f_C = ForceOf(g, contact);
    const OdeLaw& law = contact.law;
    const double wanted = law.erp * -g.phi0 / time_step_;
    const double normal = v_C.z() + law.cfm * f_C.z() - wanted;
    const double bound = law.friction * f_C.z();
    // a row at its bound may have any velocity that its force works against
    double sum = f_C.z() > 0 ? normal * normal : std::pow(std::min(normal, 0.0), 2);
    for (int axis = 0; axis < 2; ++axis) {
      constexpr double kAtBound = 1 - 1e-9;
      const double f = f_C[axis], row = v_C[axis] + law.slip * f;
      const bool bounded = std::abs(f) >= kAtBound * bound && row * f <= 0;
      if (!bounded) sum += row * row;
    }
    off += sum / contact.w;
    given += std::pow(time_step_, 2) * f_C.squaredNorm() * contact.w;
  }
  return given > 0 ? std::sqrt(off / given) : 0;
}

double OdeFormulation::ElasticEnergy(const StepInput& input) const {
  ContactFinder finder;
  std::vector<ContactGeometry> found;
  finder.Find(input.model, input.config, input.start, input.V_WB, {}, &found);
  if (ThreadStop::Asked()) return kNaN;
  double elastic = 0;
  for (const ContactGeometry& g : found)
    elastic += LawOf(input.config, finder.material(input.model, g), 0).Energy(-g.phi0);
  return elastic;
}

double OdeFormulation::ElasticEnergy(const StepInput& input,
                                     std::span<const StoredContact> left) const {
  double elastic = 0;
  for (const StoredContact& contact : left) {
    const Material material = ContactMaterial(input.model, input.config.materials, contact.surface,
                                              contact.body_a, contact.body);
    elastic += LawOf(input.config, material, 0).Energy(-contact.phi);
  }
  return elastic;
}

State OdeFormulation::StartState(const Model& model, const Config& config) const {
  State state;
  SetStart(model, &state);
  bool moved = false;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const StartOffset offset = model.bodies[b].start_offset;
    if (offset == StartOffset::kNone) continue;
    moved = true;
    const auto body = static_cast<int>(b);
    const RestLoad rest = FindRestLoad(model, config, body);
    if (rest.surface < 0 || offset == StartOffset::kGlide) continue;
    const Material material = ContactMaterial(model, config.materials, rest.surface, -1, body);
    state.X_WB[b].p -=
        LawOf(config, material, 0).Depth(rest.load) * At(model.surfaces, rest.surface).normal;
  }
  if (moved) UpdatePoses(model, &state);
  return state;
}

}  // namespace slip
