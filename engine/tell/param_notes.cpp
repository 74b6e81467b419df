#include "engine/tell/param_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/equivalent.h"
#include "engine/core/hash.h"
#include "engine/dynamics/inverse_masses.h"
#include "engine/dynamics/kinematics.h"
#include "engine/method/joint_motor.h"
#include "engine/sim/contact_inertia.h"
#include "engine/tell/format.h"

namespace slip {
namespace {

// A contact period of fewer steps than this is not followed through an impact.
constexpr double kStepsPerPeriod = 10;
// Contacts close by this many steps of gravity at rest; faster ones are impacts.
constexpr double kRestSteps = 5;
// Overlap and creep that a person would see: a share of the body, and of it over the scene's time.
constexpr double kVisibleShare = 0.02;
// A spring this many times stronger than the contact's force is not what holds it: a step left it.
constexpr double kUnloaded = 10;
// Overlap that a step left, as a share of the body: this much turns or throws it, however soon it
// opens.
constexpr double kDeepShare = 0.2;
// Drag of starting from rest beside the weight.
constexpr double kNoticedDrag = 0.1;

// Overlap over the distance slid in a step: with less no step begins.
constexpr double kShallow = 1e-4;

/// One contact that bears out a note.
struct Worst {
  int channel = -1;
  const ContactFrame* contact = nullptr;
  double value = 0;
  void Offer(int i, const ContactFrame& c, double v) {
    if (v > value) *this = {i, &c, v};
  }
};

const Body& BodyOf(const RunMoment& moment, const ContactFrame& contact) {
  return moment.model->body(contact.body);
}

/// Overlap over the size of the body; 0 where nobody would see it.
double VisibleOverlap(const Body& body, const ContactFrame& contact) {
  const double share = -contact.signed_distance / body.bound;
  return share > kVisibleShare ? share : 0.0;
}
/// Creep in `duration` of a contact that should hold, likewise.
double VisibleCreep(const Body& body, const ContactFrame& contact, double duration) {
  if (contact.mode != ContactMode::kStick || !std::isfinite(contact.creep_predicted)) return 0.0;
  const double share = contact.creep_predicted * duration / body.bound;
  return share > kVisibleShare ? share : 0.0;
}

template <class Value>
Worst FindWorst(const RunMoment& moment, const ParamEntry& entry, Value value) {
  Worst worst;
  for (int i = 0; i < moment.count(); ++i) {
    const ChannelFrame& frame = moment.frame(i);
    if (!Uses(*moment.model, frame.config, *entry.info)) continue;
    for (const ContactFrame& contact : frame.contacts) {
      if (HasMaterial(moment, i, contact, entry.owner))
        worst.Offer(i, contact, value(frame, contact));
    }
  }
  return worst;
}

using Notes = std::vector<ParamNote>;

/// The near-rigid clamp of SAP replaces the stiffness that was asked for; say so where it is set.
bool NearRigidNote(const RunMoment& moment, const ParamEntry& entry, Notes* notes) {
  for (int i = 0; i < moment.count(); ++i) {
    int active = 0, all = 0;
    double effective = std::numeric_limits<double>::infinity();  // the softest
    for (const ContactFrame& contact : moment.frame(i).contacts) {
      if (!HasMaterial(moment, i, contact, entry.owner)) continue;
      ++all;
      if (!contact.near_rigid) continue;
      ++active;
      effective = std::min(effective, contact.stiffness);
    }
    if (active == 0) continue;
    const std::string text =
        fmt::format("{} softens contact here: near-rigid limit active on {} of {} contacts.",
                    moment.name(i), active, all);
    const std::string asked =
        FormatQuantity(GetParam(moment.frame(i).config, entry.path).value_or(0), "N/m");
    notes->push_back(
        {"near_rigid",
         "near_rigid",
         {},
         i,
         static_cast<double>(active) / all,
         "the largest share",
         text,
         fmt::format("k_eff {} of {}", FormatQuantity(effective, "N/m"), asked),
         {"Why is the contact softer than asked?",
          "A contact whose natural period is shorter than β time steps cannot be resolved, and a "
          "stiffness beyond that only makes the problem harder to solve. SAP caps it there: "
          "R_n = max(β²/(4π²) w, 1/(δt k (δt + τ_d))). A smaller time step or a smaller "
          "near-rigid threshold β gives back the stiffness."}});
    return true;
  }
  return false;
}

/// Whether most of a contact's overlap was there before the first step: the same point of B against
/// the same place of A, where the model starts.
bool BeganSo(const RunMoment& moment, int channel, const ContactFrame& contact) {
  State start;
  SetStart(*moment.model, &start);
  const auto in_A = [&](const Pose& A, const Pose& B) -> Vec3 {
    return A.q.conjugate() * (B * contact.p_BP - A.p);
  };
  const std::vector<BodyFrame>& bodies = moment.frame(channel).bodies;
  const auto b = static_cast<std::size_t>(contact.body);
  Pose A, start_A;  // a surface stays
  if (contact.body_a >= 0) {
    A = bodies[static_cast<std::size_t>(contact.body_a)].X_WB;
    start_A = start.X_WB[static_cast<std::size_t>(contact.body_a)];
  }
  const Vec3 way = in_A(A, bodies[b].X_WB) - in_A(start_A, start.X_WB[b]);
  const Vec3 n = A.q.conjugate() * contact.n_W;
  const double before = contact.signed_distance - n.dot(way);
  if (!(before < 0.5 * contact.signed_distance)) return false;
  // who was farther away than its size was elsewhere, and in nothing
  const Body& body = moment.model->bodies[b];
  if (contact.body_a < 0) return -before < body.bound;
  const double size = std::min(body.bound, moment.model->body(contact.body_a).bound);
  return -before < size && (way - n.dot(way) * n).norm() < size;
}

ParamNote StartOverlap(const RunMoment& moment, const Worst& worst) {
  const ContactFrame& contact = *worst.contact;
  const std::string overlap = FormatQuantity(-contact.signed_distance, "m");
  return {"start_overlap",
          "start",
          {},
          worst.channel,
          worst.value,
          "the deepest",
          fmt::format("Overlap of {} in {}: the scene starts so, no load pressed it in.", overlap,
                      moment.name(worst.channel)),
          fmt::format("k x {}, f_n {}",
                      FormatQuantity(contact.stiffness * -contact.signed_distance, "N"),
                      FormatQuantity(contact.fn, "N")),
          {"Where does the overlap come from?",
           "Bodies start where the scene puts them, in the ground or in each other, too. Under "
           "Hunt & Crossley the overlap opens at 1/d at most, under other laws at once, and throws "
           "the bodies apart. Contacts with anchors take the place where they are found for their "
           "rest: they stay there. Start the body higher, or with start_offset = \"rest\"."}};
}

/// Overlap that can be seen: static, there from the start, or left by a step that was too long for
/// what turned in it.
void OverlapNote(const RunMoment& moment, const ParamEntry& entry, Notes* notes) {
  const Worst worst =
      FindWorst(moment, entry, [&](const ChannelFrame&, const ContactFrame& contact) {
        return VisibleOverlap(BodyOf(moment, contact), contact);
      });
  if (worst.contact == nullptr) return;
  const ContactFrame& contact = *worst.contact;
  const double overlap = -contact.signed_distance, spring = contact.stiffness * overlap;
  const double h = moment.frame(worst.channel).config.step.time_step;
  if (spring > kUnloaded * contact.fn) {
    if (BeganSo(moment, worst.channel, contact)) {
      notes->push_back(StartOverlap(moment, worst));
      return;
    }
    notes->push_back(
        {"left_over",
         "overlap",
         {},
         worst.channel,
         worst.value,
         "the deepest",
         fmt::format("Overlap of {} in {}: made by a step of {}, not by a load.",
                     FormatQuantity(overlap, "m"), moment.name(worst.channel),
                     FormatQuantity(h, "s")),
         fmt::format("k x {}, f_n {}", FormatQuantity(spring, "N"),
                     FormatQuantity(contact.fn, "N")),
         {"Where does the overlap come from?",
          "Contact points and normals are those of the start of a step. What turns or slides far "
          "within it overlaps at its end, whatever the stiffness. The elastic energy k x²/2 is "
          "what the law says of that overlap; no body ever had it. It opens in the next steps: "
          "under Hunt & Crossley at 1/d at most, otherwise at once, and thin bodies may then fly "
          "off. A smaller time step makes it smaller."},
         worst.value > kDeepShare});
    return;
  }
  if (!(contact.fn > 0)) return;
  notes->push_back(
      {"soft",
       "",
       {},
       worst.channel,
       worst.value,
       "the deepest",
       fmt::format("Overlap of {} in {}: {:.0f} % of the body's radius.",
                   FormatQuantity(overlap, "m"), moment.name(worst.channel), 100 * worst.value),
       "softer than it looks",
       {"Why does it matter?",
        "Contact points and normals are those of rigid shapes. They are exact as long as the "
        "overlap is small beside the body; beyond a few percent, lever arms and the moment of "
        "touch drift. At rest the overlap is f_n/k: a larger stiffness makes it smaller."}});
}

/// Lagged contacts that carry load and slide without any friction: they are never pressed when a
/// step begins.
void LagNote(const RunMoment& moment, const ParamEntry& entry, Notes* notes) {
  const Worst worst =
      FindWorst(moment, entry, [&](const ChannelFrame& frame, const ContactFrame& contact) {
        const double way = frame.config.step.time_step * contact.vt;
        // one that has just closed is so too, for a step
        const bool shallow = contact.fn < kShallow * contact.stiffness * way;
        return contact.friction_off && shallow ? contact.fn : 0.0;
      });
  if (worst.contact == nullptr) return;
  const ContactFrame& contact = *worst.contact;
  const double way = moment.frame(worst.channel).config.step.time_step * contact.vt;
  notes->push_back(
      {"lag",
       "",
       {},
       worst.channel,
       worst.value,
       "the largest load",
       fmt::format("{}: the lagged normal impulse is zero, so friction is off.",
                   moment.name(worst.channel)),
       fmt::format("overlap {}, way {}", FormatQuantity(contact.fn / contact.stiffness, "m", 2),
                   FormatQuantity(way, "m", 2)),
       {"Why is there no friction?",
        "Lagged bounds friction by the normal impulse that the contact has at the start of a step. "
        "One that has just closed has none. With a stiffness this high the overlap under load is "
        "smaller than the way of a step by orders, so a moving contact is open at the start of the "
        "next step, too, and never grips: a robot trots in place. A smaller stiffness or time step "
        "brings the friction back. SAP and Similar couple both within a step."}});
}

/// Impacts that one step jumps over.
void ImpactNote(const RunMoment& moment, const ParamEntry& entry, Notes* notes) {
  const double speed = moment.hardest_impact;
  const Worst worst =
      FindWorst(moment, entry, [&](const ChannelFrame& frame, const ContactFrame& contact) {
        // by the mass of the body, which is cheap: piles have thousands of contacts
        const double h = frame.config.step.time_step;
        const bool impacts = speed > 0 && speed >= kRestSteps * frame.config.step.gravity * h;
        return impacts && contact.stiffness > 0
                   ? h * h * contact.stiffness / BodyOf(moment, contact).mass
                   : 0.0;
      });
  if (worst.contact == nullptr) return;
  const ChannelFrame& frame = moment.frame(worst.channel);
  const double mass = CalcContactInertia(*moment.model, frame, *worst.contact).normal_mass;
  const double period = CalcContactPeriod(worst.contact->stiffness, mass);
  const double steps = period / frame.config.step.time_step;
  if (!(steps < kStepsPerPeriod)) return;
  notes->push_back(
      {"impact",
       "impact",
       {},
       worst.channel,
       speed,
       "the hardest",
       fmt::format("Impacts at {} in {} are not resolved: the rebound depends on the step.",
                   FormatQuantity(speed, "m/s"), moment.name(worst.channel)),
       fmt::format("period {} = {:.2g} δt", FormatQuantity(period, "s"), steps),
       {"Why does the rebound depend on the time step?",
        "A contact swings with the period 2π √(m/k). With fewer than about ten steps in it, the "
        "implicit step itself damps the impact: what is lost then is the time stepping's doing "
        "and not the dissipation's. Resting and sliding contacts are not affected. A smaller time "
        "step or a smaller stiffness resolves it. The speed is that of the hardest impact in the "
        "plots; Forget impacts in the menu Edit goes by later ones."},
       true});
}

/// Creep of contacts that should hold.
void CreepNote(const RunMoment& moment, const ParamEntry& entry, Notes* notes) {
  const double duration = moment.duration;
  const Worst worst =
      FindWorst(moment, entry, [&](const ChannelFrame&, const ContactFrame& contact) {
        return VisibleCreep(BodyOf(moment, contact), contact, duration);
      });
  if (worst.contact == nullptr) return;
  notes->push_back(
      {"creep",
       "",
       {},
       worst.channel,
       worst.value,
       "the fastest",
       fmt::format("{} creeps where it should hold: {} over the {} of this scene.",
                   moment.name(worst.channel),
                   FormatQuantity(worst.contact->creep_predicted * duration, "m"),
                   FormatQuantity(duration, "s")),
       FormatQuantity(worst.contact->creep_predicted, "m/s"),
       {"Why does a sticking contact creep?",
        "Regularised friction needs some slip to carry a force: v_s r/√(1 − r²) with the stiction "
        "tolerance v_s, and σ w δt f_t with the regularisation σ, where r = f_t/(μ f_n). A "
        "smaller tolerance creeps less and is harder to solve: watch the condition number."}});
}

/// Motion from rest in every step: the drag of it beside the weight.
void RestNote(const RunMoment& moment, Notes* notes) {
  for (int i = 0; i < moment.count(); ++i) {
    const RestDrag drag = CalcRestDrag(*moment.model, moment.frame(i));
    if (drag.formula.empty() || !(drag.share > kNoticedDrag)) continue;
    notes->push_back(
        {"rest",
         "",
         {},
         i,
         drag.share,
         "the most",
         fmt::format("{}: motion at this speed costs {:.0f} % of the weight as drag.",
                     moment.name(i), 100 * drag.share),
         "m v/δt = " + drag.formula,
         {"Why does motion cost a force?",
          "Quasi-dynamic: every step starts from rest, so each one builds the momentum m v again "
          "and a lift at speed v needs an extra force of m v/δt, which friction must carry. It "
          "grows as the time step shrinks: move slower, or take longer steps. Falls and throws "
          "are not for this method: a free body falls at δt g, no faster."}});
    return;
  }
}

// Beyond this share of what an implicit spring would hold back, an explicit one overshoots: h is
// half of √(M/k_p).
constexpr double kExplicitShare = 0.25;

/// MuJoCo's motors pull by the position at the start of a step, ours by that at its end.
void MotorNote(const RunMoment& moment, const ParamEntry& entry, Notes* notes) {
  for (int i = 0; i < moment.count(); ++i) {
    const Config& config = moment.frame(i).config;
    const std::vector<Body>& bodies = moment.model->bodies;
    const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const Body& each) {
      return each.drive >= 0 && At(config.joints, each.drive).name == entry.owner;
    });
    const bool pulls_by_start = Info(config.method()).id.starts_with("mujoco");
    if (!pulls_by_start || body == bodies.end()) continue;
    State start;
    SetStart(*moment.model, &start);
    constexpr int kMostCoordinates = 100;
    const InverseMasses masses = CalcInverseMasses(*moment.model, start, kMostCoordinates);
    const double h = config.step.time_step, inverse = At(masses.coordinate, body->v_start);
    const Motor motor = MotorOf(*body, config);
    const double held = 1 + h * (motor.damping + body->joint.damping) * inverse;
    const double share = h * h * motor.stiffness * inverse / held;
    if (!(share > kExplicitShare)) continue;
    notes->push_back(
        {"explicit_motor",
         {},
         {},
         i,
         share,
         "the stiffest",
         fmt::format("Motor '{}' is stiff for steps of {} in {}, which pulls by the position at "
                     "their start.",
                     entry.owner, FormatQuantity(h, "s"), moment.name(i)),
         fmt::format("h² k_p/(M + h k_d) is {:.2g}, above {:.2g}", share, kExplicitShare),
         {"What does a stiff motor do here?",
          "It takes a step's force from the position before it, so it pulls on when the joint has "
          "arrived: the joint swings, and beyond some stiffness ever farther. Our own methods "
          "take the position after the step. A shorter step, more damping or less stiffness "
          "keeps both alike."}});
    return;
  }
}

}  // namespace

bool HasMaterial(const RunMoment& moment, int channel, const ContactFrame& contact,
                 const std::string& name) {
  if (name.empty()) return true;
  const auto& materials = moment.frame(channel).config.materials;
  const auto material = static_cast<std::size_t>(BodyOf(moment, contact).material);
  return material < materials.size() && materials[material].name == name;
}

std::vector<ParamNote> NotesOf(const RunMoment& moment, const ParamEntry& entry) {
  Notes notes;
  if (moment.model == nullptr || moment.outdated) return notes;
  const std::string_view name = entry.info->name;
  if (name == "stiffness") {
    if (!NearRigidNote(moment, entry, &notes)) OverlapNote(moment, entry, &notes);
    LagNote(moment, entry, &notes);
  } else if (name == "time_step") {
    ImpactNote(moment, entry, &notes);
    RestNote(moment, &notes);
  } else if (name == "stiction_tolerance" || name == "friction_regularization") {
    CreepNote(moment, entry, &notes);
  } else if (name == "joint_stiffness") {
    MotorNote(moment, entry, &notes);
  }
  for (ParamNote& note : notes) note.path = entry.path;
  return notes;
}

NoteGrounds FindNoteGrounds(const Model& model, const Config& config,
                            const std::vector<ContactFrame>& contacts, double duration) {
  NoteGrounds grounds;
  Fnv1a hash;
  grounds.passing = Info(config.method()).family == Family::kProgram;
  for (const ContactFrame& contact : contacts) {
    const Body& body = model.body(contact.body);
    const double creep = VisibleCreep(body, contact, duration);
    grounds.creep = std::max(grounds.creep, creep);
    grounds.passing |= contact.friction_off || VisibleOverlap(body, contact) > 0;
    const auto of = static_cast<uint64_t>(body.material) * 4 + (contact.near_rigid ? 2 : 0) +
                    (creep > 0 ? 1 : 0);
    hash.Add(of);
  }
  grounds.contacts = hash.value();
  return grounds;
}

RestDrag CalcRestDrag(const Model& model, const ChannelFrame& frame) {
  const auto b = static_cast<std::size_t>(model.lead_body);
  if (Info(frame.config.method()).family != Family::kProgram || b >= frame.bodies.size() ||
      !frame.measured)
    return {};
  const StepParams& step = frame.config.step;
  const double speed = frame.bodies[b].V_WB.tail<3>().norm(), mass = model.bodies[b].mass;
  const double drag = mass * speed / step.time_step;
  return {.formula = fmt::format("{} × {} / {} = {}", FormatQuantity(mass, "kg"),
                                 FormatQuantity(speed, "m/s"), FormatQuantity(step.time_step, "s"),
                                 FormatQuantity(drag, "N")),
          .share = step.gravity > 0 ? drag / (mass * step.gravity) : 0};
}

}  // namespace slip
