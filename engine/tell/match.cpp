#include "engine/tell/match.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "engine/collide/contact_material.h"
#include "engine/contact/equivalent.h"
#include "engine/contact/knobs.h"
#include "engine/core/numbers.h"
#include "engine/sim/contact_inertia.h"
#include "engine/tell/format.h"

namespace slip {
namespace {

// Slower touches are no impacts; without one, that of a fall of 5 cm is taken [m/s].
constexpr double kLeastImpact = 1e-3, kAssumedImpact = 1;
// A contact that uses more of its friction slips; one that uses less has no creep to speak of.
constexpr double kMostUsed = 0.999, kLeastUsed = 1e-3;

constexpr std::size_t kLongName = 8;

/// Parameters of other models that have its effect, the first of them first.
std::span<const std::string_view> PartnersOf(std::string_view name) {
  struct Row {
    std::string_view name;
    std::array<std::string_view, 2> partners;
  };
  static constexpr Row kRows[] = {{"dissipation", {"relaxation_time", "damping"}},
                                  {"relaxation_time", {"dissipation", "damping"}},
                                  {"damping", {"dissipation", "relaxation_time"}},
                                  {"stiction_tolerance", {"friction_regularization"}},
                                  {"friction_regularization", {"stiction_tolerance"}},
                                  {"stiffness", {"stiffness"}}};
  for (const Row& row : kRows) {
    if (row.name == name) return std::span(row.partners).first(row.partners[1].empty() ? 1 : 2);
  }
  return {};
}

/// One side of the comparison: a channel, and the contact of it that the numbers are taken from.
struct Side {
  int channel = -1;
  const ChannelFrame* frame = nullptr;
  const ContactFrame* contact = nullptr;
  Material material;  ///< of the contact
  ContactInertia inertia;
};

class Matcher {
 public:
  Matcher(const RunMoment& moment, const ParamEntry& entry, const ParamInfo& partner,
          std::string partner_path)
      : moment_(moment), entry_(entry), partner_(partner), partner_path_(std::move(partner_path)) {}

  /// False when nothing is to be matched.
  bool Choose(int channel) {
    const auto uses = [&](int i, const ParamInfo& info) {
      return Uses(*moment_.model, moment_.frame(i).config, info);
    };
    const auto first = [&](const auto& fits) {
      if (fits(moment_.lead)) return moment_.lead;
      for (int i = 0; i < moment_.count(); ++i) {
        if (fits(i)) return i;
      }
      return -1;
    };
    const auto anchored = [&](int i) {
      return Info(moment_.frame(i).config.method()).family == Family::kAnchored;
    };
    // one stiffness for two models of contact: the spring with an anchor follows the other one
    const bool same = entry_.info->name == partner_.name;
    own_.channel = channel >= 0 ? channel : first([&](int i) {
      return uses(i, *entry_.info) && (!same || anchored(i));
    });
    other_.channel = first(
        [&](int i) { return same ? !anchored(i) : uses(i, partner_) && !uses(i, *entry_.info); });
    return own_.channel >= 0 && other_.channel >= 0 && uses(own_.channel, *entry_.info) &&
           (!same || anchored(own_.channel));
  }

  Match Run() {
    Match match;
    const double partner =
        GetParam(moment_.frame(other_.channel).config, partner_path_).value_or(0);
    // a long name leaves no room for the number, which the details have
    const std::string_view model = Info(moment_.frame(other_.channel).config.method()).label;
    match.partner = model.size() > kLongName
                        ? fmt::format("{} of {}", partner_.symbol, model)
                        : fmt::format("{} {} of {}", partner_.symbol,
                                      FormatQuantity(partner, partner_.unit), model);
    if (!FindContacts()) {
      match.obstacle = "Needs a contact to compare at: nothing touches now.";
      return match;
    }
    const std::string_view name = entry_.info->name;
    double value = 0;
    if (name == partner_.name) {
      match.partner = fmt::format("penetration in {}",
                                  Info(moment_.frame(other_.channel).config.method()).label);
      value = MatchPenetration(&match);
    } else if (name == "dissipation" || name == "relaxation_time" || name == "damping") {
      value = MatchDamping(&match);
    } else {
      value = MatchStiction(name == "stiction_tolerance", &match);
    }
    if (!match.obstacle.empty()) return match;
    match.value = value;
    if (!CheckValue(*entry_.info, value).ok()) {
      match.obstacle = fmt::format("Would need {}, which is out of range.",
                                   FormatQuantity(value, entry_.info->unit));
    }
    const double now = GetParam(moment_.frame(own_.channel).config, entry_.path).value_or(0);
    match.met = std::abs(now - value) <= 1e-3 * std::abs(value);
    return match;
  }

 private:
  bool IsOfMaterial(const ChannelFrame& frame, const ContactFrame& contact) const {
    if (entry_.owner.empty()) return true;
    const Model& model = *moment_.model;
    const auto named = [&](int material) {
      const auto i = static_cast<std::size_t>(material);
      return material >= 0 && i < frame.config.materials.size() &&
             frame.config.materials[i].name == entry_.owner;
    };
    const auto of = [&](int body) { return model.body(body).material; };
    const int other =
        contact.body_a >= 0 ? of(contact.body_a) : At(model.surfaces, contact.surface).material;
    return named(of(contact.body)) || named(other);
  }

  const ContactFrame* Strongest(const ChannelFrame& frame) const {
    const ContactFrame* best = nullptr;
    for (const ContactFrame& contact : frame.contacts) {
      if ((best == nullptr || contact.fn > best->fn) && IsOfMaterial(frame, contact))
        best = &contact;
    }
    return best;
  }

  Material MaterialOf(const Config& config, const ContactFrame& contact) const {
    return ContactMaterial(*moment_.model, config.materials, contact.surface, contact.body_a,
                           contact.body);
  }

  bool FindContacts() {
    if (moment_.model == nullptr || moment_.outdated) return false;
    for (Side* side : {&own_, &other_}) {
      side->frame = &moment_.frame(side->channel);
      side->contact = Strongest(*side->frame);
    }
    // one of two models may be in the air
    if (own_.contact == nullptr) own_.contact = other_.contact;
    if (other_.contact == nullptr) other_.contact = own_.contact;
    if (own_.contact == nullptr) return false;
    for (Side* side : {&own_, &other_}) {
      side->material = MaterialOf(side->frame->config, *side->contact);
      if (side->contact->near_rigid) side->material.stiffness = side->contact->stiffness;
      side->inertia = CalcContactInertia(*moment_.model, *side->frame, *side->contact);
      if (!std::isfinite(side->inertia.normal_mass)) return false;
    }
    return true;
  }

  /// The material's value with which the contact, made of two materials, has `wanted`: dampings
  /// are linear in it, and so is the reciprocal of a stiffness in its own.
  double OfMaterial(double wanted, double Material::*member) const {
    Config config = own_.frame->config;
    const auto at = [&](double value) {
      return SetParam(&config, entry_.path, value).ok() ? MaterialOf(config, *own_.contact).*member
                                                        : kNaN;
    };
    if (member == &Material::stiffness) {
      const double low = 1 / at(1e4), slope = (low - 1 / at(1e5)) / (1e-4 - 1e-5);
      return 1 / (1e-4 + (1 / wanted - low) / slope);
    }
    const double zero = at(0), slope = at(1) - zero;
    return (wanted - zero) / slope;
  }

  /// The spring of the own side that is as short under the present load as the other's contact.
  double MatchPenetration(Match* match) const {
    const ContactFrame& contact = *other_.contact;
    const double depth = contact.gliding_offset - contact.signed_distance;
    if (other_.frame == own_.frame || !(contact.fn > 0) || !(depth > 0)) {
      match->obstacle = "Needs a contact under load: the rule compares the penetration at rest.";
      return 0;
    }
    const std::string fn = FormatQuantity(contact.fn, "N");
    match->rule = fmt::format("same penetration {} under f_n = {}", FormatQuantity(depth, "m"), fn);
    match->details = fmt::format(
        "Equal static penetration under the present load: K = f_n/x.\n"
        "x is what the other model's normal law has at rest under f_n = {}: {}.",
        fn, FormatQuantity(depth, "m"));
    return OfMaterial(contact.fn / depth, &Material::stiffness);
  }

  /// Which damper a side has: of Hunt & Crossley, by a time, or by a constant.
  double RestitutionOf(const Side& side, std::string_view name, double speed) const {
    const Material& m = side.material;
    if (name == "dissipation") return CalcHuntCrossleyRestitution(m.dissipation, speed);
    const double k = m.stiffness, mass = side.inertia.normal_mass;
    return name == "damping" ? CalcTouchDampingRestitution(m.damping / k, k, mass)
                             : CalcKelvinVoigtRestitution(m.relaxation_time, k, mass);
  }
  /// The value of the own damper with this restitution.
  double DamperOf(std::string_view name, double restitution, double speed) const {
    if (name == "dissipation") return CalcHuntCrossleyDissipation(restitution, speed);
    const double k = own_.material.stiffness, mass = own_.inertia.normal_mass;
    return name == "damping" ? k * CalcTouchDampingRelaxation(restitution, k, mass)
                             : CalcKelvinVoigtRelaxation(restitution, k, mass);
  }
  std::string Describe(const Side& side, std::string_view name, double value) const {
    if (name == "dissipation") {
      return fmt::format("Hunt-Crossley: ln(1 + d v) − d v = ln(1 − d e v) + d e v, d = {}\n",
                         FormatQuantity(value, "s/m"));
    }
    const double k = side.material.stiffness, m = side.inertia.normal_mass;
    const double tau = name == "damping" ? value / k : value;
    const double zeta = tau / 2 * std::sqrt(k / m);
    const std::string spring =
        fmt::format("k = {}, m = {}\n", FormatQuantity(k, "N/m"), FormatQuantity(m, "kg"));
    if (name == "damping") {
      return fmt::format(
          "Damper from the touch on: ζ = B/(2 k) √(k/m) = {:.3g} = cos a, e = exp(−2 a cot a), "
          "B = {}, {}",
          zeta, FormatQuantity(value, "N s/m"), spring);
    }
    return fmt::format(
        "Damper from a gap of τ_d v on: ζ = τ_d/2 √(k/m) = {:.3g}, e = exp(−π ζ/√(1 − ζ²)), "
        "τ_d = {}, {}",
        zeta, FormatQuantity(value, "s"), spring);
  }

  double MatchDamping(Match* match) const {
    double speed = moment_.hardest_impact;
    const bool measured = speed > kLeastImpact;
    if (!measured) speed = kAssumedImpact;
    const std::string_view name = entry_.info->name;
    const double e = RestitutionOf(other_, partner_.name, speed);
    const double k = own_.material.stiffness, m = own_.inertia.normal_mass;
    if (!(e > 0) && name != "relaxation_time") {
      match->obstacle =
          "The other model's damper is beyond critical: nothing of an impact is left.";
      return 0;
    }
    const double wanted = DamperOf(name, e, speed);
    const std::string at = FormatQuantity(speed, "m/s");
    match->by_impact = measured;
    match->rule =
        fmt::format("same loss: e = {:.3g} at {}, {}", e, at,
                    measured ? "hardest impact in the plots" : "assumed: no impact in the plots");
    const Material& other = other_.material;
    const double partner = partner_.name == "dissipation" ? other.dissipation
                           : partner_.name == "damping"   ? other.damping
                                                          : other.relaxation_time;
    // Hunt & Crossley first
    const bool own_first = name == "dissipation";
    const std::string own = Describe(own_, name, wanted),
                      others = Describe(other_, partner_.name, partner);
    match->details = fmt::format(
        "Equal energy loss in an impact at v = {}: e = {:.3g} of the speed is left, {:.0f} % of "
        "the energy is lost.\n"
        "{}{}These are values of the contact, of both materials together; gravity is left out. It "
        "holds where the time step resolves the contact period of {}.",
        at, e, 100 * (1 - e * e), own_first ? own : others, own_first ? others : own,
        FormatQuantity(CalcContactPeriod(k, m), "s"));
    double Material::*const member = name == "dissipation" ? &Material::dissipation
                                     : name == "damping"   ? &Material::damping
                                                           : &Material::relaxation_time;
    return OfMaterial(wanted, member);
  }

  double MatchStiction(bool to_tolerance, Match* match) const {
    const Side& cone = to_tolerance ? other_ : own_;
    const Config& config = cone.frame->config;
    const ContactFrame& contact = other_.contact->fn > 0 ? *other_.contact : *own_.contact;
    if (!(contact.fn > 0) || !(contact.friction > 0)) {
      match->obstacle = "Needs a contact under load: the rule compares creep at the present force.";
      return 0;
    }
    StictionLoad load;
    load.limit = contact.friction * contact.fn * config.step.time_step;
    load.used = contact.ft / (contact.friction * contact.fn);
    load.compliance = cone.inertia.w;
    if ((Info(config.method()).knobs & knob::kTodorovAlpha) != 0) {
      const double alpha = GetParam(config, "todorov_alpha").value_or(0);
      load.compliance *= alpha * alpha / (4 * std::numbers::pi * std::numbers::pi);
    }
    const bool creeps = load.used > kLeastUsed && load.used < kMostUsed;
    if (!creeps) load.used = 0;
    const double partner =
        GetParam(moment_.frame(other_.channel).config, partner_path_).value_or(0);
    const double value = to_tolerance ? CalcEquivalentStictionTolerance(partner, load)
                                      : CalcEquivalentRegularization(partner, load);
    const double sigma = to_tolerance ? partner : value, v_s = to_tolerance ? value : partner;
    const double r = load.used;
    const std::string fn = FormatQuantity(contact.fn, "N");
    if (creeps) {
      match->rule = fmt::format("same creep {} under f_n = {}",
                                FormatQuantity(v_s * r / std::sqrt(1 - r * r), "m/s"), fn);
    } else {
      match->rule = fmt::format("same tolerance {} under f_n = {}", FormatQuantity(v_s, "m/s"), fn);
    }
    match->details = fmt::format(
        "{}\nσ w δt f_t = v_s r/√(1 − r²), so v_s = σ w δt μ f_n √(1 − r²)\n"
        "σ = {}, v_s = {}, w = {} 1/kg, δt = {}, μ = {:.3g}, f_n = {}, r = f_t/(μ f_n) = {:.3g}",
        creeps ? "Equal creep under the present load."
               : "Equal stiction tolerance μ σ w γ_n: there is no creep to compare (r = 0).",
        FormatSignificant(sigma), FormatQuantity(v_s, "m/s"), FormatSignificant(load.compliance),
        FormatQuantity(config.step.time_step, "s"), contact.friction, fn, r);
    return value;
  }

  const RunMoment& moment_;
  const ParamEntry& entry_;
  const ParamInfo& partner_;
  std::string partner_path_;
  Side own_, other_;
};

}  // namespace

std::optional<Match> FindMatch(const RunMoment& moment, const ParamEntry& entry, int channel) {
  if (moment.count() < 2) return std::nullopt;
  for (const std::string_view name : PartnersOf(entry.info->name)) {
    const std::string path =
        entry.path.substr(0, entry.path.size() - entry.info->name.size()) + std::string(name);
    const ParamInfo* partner = FindParam(moment.frame(moment.lead).config, path);
    if (partner == nullptr) continue;
    Matcher matcher(moment, entry, *partner, path);
    if (matcher.Choose(channel)) return matcher.Run();
  }
  return std::nullopt;
}

}  // namespace slip
