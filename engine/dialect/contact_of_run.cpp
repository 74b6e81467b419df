#include "engine/dialect/contact_of_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "engine/contact/equivalent.h"
#include "engine/contact/knobs.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/inverse_masses.h"
#include "engine/dynamics/kinematics.h"
#include "engine/export/contact_terms.h"
#include "engine/method/methods.h"
#include "engine/sim/method_list.h"
#include "engine/sim/snapshot.h"

namespace slip {
namespace {

std::string PairName(const Model& model, const ContactFrame& contact) {
  return fmt::format("{}:{}", NameOfA(model, contact), model.body(contact.body).name);
}
std::string PairTurned(const Model& model, const ContactFrame& contact) {
  return fmt::format("{}:{}", model.body(contact.body).name, NameOfA(model, contact));
}

Error TellNoContact(const Simulation& simulation, std::string_view pair) {
  std::set<std::string> known;
  for (const ContactFrame& contact : simulation.contacts())
    if (contact.fn > 0) known.insert(PairName(simulation.model(), contact));
  if (known.empty())
    return {.message = fmt::format("nothing is in contact at {} s", simulation.time()),
            .hint = "--at takes another moment"};
  constexpr std::size_t kNamed = 8;
  const std::size_t named = std::min(known.size(), kNamed);
  const std::string more =
      known.size() > named ? fmt::format(" and {} more", known.size() - named) : "";
  return {.message = fmt::format("no loaded contact '{}'", pair),
          .hint = fmt::format(
              "there {}: {}{}", known.size() == 1 ? "is" : "are",
              fmt::join(known.begin(), std::next(known.begin(), static_cast<std::ptrdiff_t>(named)),
                        ", "),
              more)};
}

/// Damper along the surface at the load, and what it holds for.
void SetCreep(const Config& config, const ContactFrame& contact, DialectContact* out) {
  if (Info(config.method()).family == Family::kEngine) {  // by its own law, as it predicts it
    const double limit = contact.friction * contact.fn;
    if (contact.creep_predicted > 0 && contact.ft > 0) {
      out->c_t = contact.ft / contact.creep_predicted;
    } else if (contact.stiction_tolerance > 0) {
      out->c_t = limit / contact.stiction_tolerance;
    }
    return;
  }
  Material material;
  material.friction = contact.friction;
  out->c_t = CalcCreepDamping(
      config, material, {contact.surface, contact.body_a, contact.body, contact.fn, contact.w});
  const bool by_tolerance = (KnobsOf(config) & knob::kStictionTolerance) != 0;
  out->creep_holds = by_tolerance ? Exactness::kAtLoad : Exactness::kAtStep;
  const double limit = contact.friction * contact.fn;
  // near its limit a regularised contact creeps faster
  if (out->c_t && by_tolerance && !out->slides && contact.ft < limit)
    *out->c_t *= std::sqrt(1 - contact.ft * contact.ft / (limit * limit));
}

void SetSpring(const Config& config, const ContactFrame& contact, DialectContact* out) {
  const KnobMask knobs = KnobsOf(config);
  if (contact.stiffness > 0 && std::isfinite(contact.stiffness)) out->k = contact.stiffness;
  if (!out->k) return;
  const bool engine = Info(config.method()).family == Family::kEngine;
  out->force_bends = engine || (knobs & knob::kStiffness) == 0;
  if (std::isfinite(contact.damping)) {
    out->c = contact.damping;
  } else if (contact.dissipation > 0) {
    const double e = CalcHuntCrossleyRestitution(contact.dissipation, kImpactSpeed);
    out->dissipation = contact.dissipation;
    out->c = *out->k * CalcTouchDampingRelaxation(e, *out->k, 1 / out->inverse_mass);
  }
}

}  // namespace

InverseMasses CalcStartMasses(const Model& model) {
  constexpr int kMostCoordinates = 2000;
  State start;
  SetStart(model, &start);
  return CalcInverseMasses(model, start, kMostCoordinates);
}

const InverseMasses& StartMasses::Of(const std::shared_ptr<const Model>& model) {
  if (model_ != model) masses_ = CalcStartMasses(*model);
  model_ = model;
  return masses_;
}

const ContactFrame* FindMostLoaded(std::span<const ContactFrame> contacts,
                                   const std::function<bool(const ContactFrame&)>& among) {
  const ContactFrame* most = nullptr;
  for (const ContactFrame& c : contacts)
    if (c.fn > 0 && (!among || among(c)) && (most == nullptr || c.fn > most->fn)) most = &c;
  return most;
}

Result<PickedContact> FindDialectContact(const Simulation& simulation, std::string_view pair) {
  const Model& model = simulation.model();
  const auto among = [&](const ContactFrame& c) {
    return pair.empty() || PairName(model, c) == pair || PairTurned(model, c) == pair;
  };
  const ContactFrame* most = FindMostLoaded(simulation.contacts(), among);
  if (most == nullptr) return TellNoContact(simulation, pair);
  return DescribeContact(model, simulation.config(), simulation.contacts(), *most,
                         CalcStartMasses(model));
}

Result<PickedContact> DescribeContact(const Model& model, const Config& config,
                                      std::span<const ContactFrame> contacts,
                                      const ContactFrame& contact, const InverseMasses& masses) {
  PickedContact picked;
  picked.name = PairName(model, contact);
  DialectContact& out = picked.numbers;
  out.fn = contact.fn;
  out.ft = contact.ft;
  out.w = contact.w;
  out.time_step = config.step.time_step;
  out.friction = contact.friction;
  out.torsion = contact.torsional_friction;
  out.points =
      static_cast<int>(std::count_if(contacts.begin(), contacts.end(), [&](const ContactFrame& c) {
        return c.fn > 0 && c.body == contact.body && c.body_a == contact.body_a &&
               c.surface == contact.surface;
      }));
  const auto weigh = [&](int body) {
    return body >= 0 ? At(masses.body, model.body(body).Owner(body)) : 0.0;
  };
  out.inverse_mass = weigh(contact.body) + weigh(contact.body_a);
  if (!(out.inverse_mass > 0))
    return Error{.message = fmt::format("neither body of {} is moved by a contact", picked.name)};
  const auto is_box = [&](int body) {
    return body >= 0 && model.body(body).shape.kind == ShapeKind::kBox;
  };
  out.boxes = is_box(contact.body) && is_box(contact.body_a);
  const MethodInfo& method = Info(config.method());
  out.before_touch =
      method.family != Family::kEngine && (KnobsOf(config) & knob::kRelaxationTime) != 0;
  out.glides = method.glides;
  out.slides = contact.mode == ContactMode::kSlip;
  out.near_rigid = contact.near_rigid;
  SetSpring(config, contact, &out);
  SetCreep(config, contact, &out);
  return picked;
}

}  // namespace slip
