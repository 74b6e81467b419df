// MJCF: surfaces, who touches whom, and how. A shape carries the numbers of its contact with
// something rigid; what two shapes do not combine to by MuJoCo's rules is a <pair>.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/collide/contact_material.h"
#include "engine/core/numbers.h"
#include "engine/export/mjcf_parts.h"

namespace slip {
namespace {

constexpr std::size_t kMostPairs = 2000;
constexpr double kSameNumber = 1e-12;  // relative

bool Same(double a, double b) {
  return std::abs(a - b) <= kSameNumber * std::max(std::abs(a), std::abs(b));
}

/// What MuJoCo makes of two shapes of equal priority; against a plane the shape's own holds.
MujocoContact Combine(const WrittenGeom& a, const WrittenGeom& b) {
  if (a.surface >= 0) return b.contact;
  MujocoContact out;
  const bool springs = a.contact.solref[0] < 0 || b.contact.solref[0] < 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const double x = a.contact.solref[i], y = b.contact.solref[i];
    out.solref[i] = springs ? std::min(x, y) : (x + y) / 2;
  }
  out.impedance = (a.contact.impedance + b.contact.impedance) / 2;
  out.condim = std::max(a.contact.condim, b.contact.condim);
  out.friction = std::max(a.contact.friction, b.contact.friction);
  out.torsion = std::max(a.contact.torsion, b.contact.torsion);
  return out;
}

bool Same(const MujocoContact& a, const MujocoContact& b) {
  return a.condim == b.condim && Same(a.impedance, b.impedance) && Same(a.solref[0], b.solref[0]) &&
         Same(a.solref[1], b.solref[1]) && (a.condim == 1 || Same(a.friction, b.friction)) &&
         (a.condim < 4 || Same(a.torsion, b.torsion));
}

double InverseMassOf(int body, const MjcfWork& work) {
  return body < 0 ? 0
                  : work.masses.body[static_cast<std::size_t>(
                        work.model().bodies[static_cast<std::size_t>(body)].Owner(body))];
}

struct PairContact {
  MujocoContact mujoco;
  bool damped_by_impact = false;
};

/// Of a body against another, against a surface, or (without both) against something rigid.
PairContact CalcPairContact(int surface, int body_a, int body, const MjcfWork& work) {
  const double A = InverseMassOf(body_a, work) + InverseMassOf(body, work);
  const Config& config = work.input.config;
  const bool rigid = surface < 0 && body_a < 0;
  const Material material =
      rigid ? config.materials[static_cast<std::size_t>(work.body(body).material)]
            : ContactMaterial(work.model(), config.materials, surface, body_a, body);
  const double load = work.input.load ? work.input.load->normal_force : 0;
  // of two that stand nothing is ever asked
  const double mass = A > 0 ? A : 1;
  const ContactTerms terms = CalcContactTerms(config, material, mass, load);
  return {CalcMujocoContact(terms, mass, config.step.time_step), terms.damped_by_impact};
}

/// That of the contact that carries most; before anything touches the weight of all that moves.
double LoadOf(const ExportInput& input) {
  if (input.load) return input.load->normal_force;
  double mass = 0;
  for (const Body& body : input.model.bodies)
    if (body.shape_of_link < 0 && body.Moves()) mass += body.mass;
  return mass * input.config.step.gravity;
}

/// What is not as it is here; `who` touches.
void AddContactLosses(const PairContact& contact, const std::string& who, const MjcfWork& work) {
  if (contact.mujoco.held_back) {
    const double load = LoadOf(work.input), k = contact.mujoco.stiffness;
    work.losses->Add(
        LossId::kStiffness,
        fmt::format(
            "contacts are stiffer, or more damped, than MuJoCo's explicit spring can be at "
            "a step of {} s: they take up a share of the body's mass there, do not rebound, "
            "and are at most so stiff (depth of one under {:.3g} N); half the time_step "
            "lets them be four times as stiff",
            FormatNumber(work.input.config.step.time_step), load),
        fmt::format("{} ({:.3g} N/m, {:.3g} mm)", who, k, 1e3 * load / k));
  } else if (contact.damped_by_impact) {
    work.losses->Add(LossId::kDamping,
                     fmt::format("the damper of contacts is the one that rebounds alike at {} m/s",
                                 FormatNumber(kImpactSpeed)));
  }
}

class ContactWriter {
 public:
  ContactWriter(const MjcfWork& work, const MjcfParts& parts) : work_(work), parts_(parts) {}

  void Write() {
    Find();
    if (pairs_.empty() && excluded_.empty()) return;
    XmlText& xml = *work_.xml;
    xml.Open("contact");
    for (const auto& [a, b] : excluded_) {
      xml.Open("exclude");
      xml.Set("body1", work_.body(a).name);
      xml.Set("body2", work_.body(b).name);
      xml.Close();
    }
    for (const Pair& pair : pairs_) {
      xml.Open("pair");
      xml.Set("geom1", pair.a->name);
      xml.Set("geom2", pair.b->name);
      if (!work_.input.contacts) {
        xml.Close();
        continue;
      }
      xml.Set("condim", static_cast<double>(pair.contact.condim));
      const double mu = pair.contact.friction;
      xml.Set("friction", NumberText({mu, mu, pair.contact.torsion, 0, 0}));
      xml.Set("solref", NumberText(pair.contact.solref));
      xml.Set("solimp", NumberText({pair.contact.impedance, pair.contact.impedance, 0.001}));
      xml.Close();
    }
    xml.Close();
  }

 private:
  struct Pair {
    const WrittenGeom *a, *b;
    MujocoContact contact;
    bool needed = false;  ///< they touch by this alone
  };

  using Geoms = std::vector<const WrittenGeom*>;

  void Find() {
    std::vector<Geoms> links;
    Geoms surfaces;
    for (const WrittenGeom& geom : parts_.geoms) {
      if (geom.link < 0) {
        surfaces.push_back(&geom);
        continue;
      }
      if (links.empty() || links.back().front()->link != geom.link) links.emplace_back();
      links.back().push_back(&geom);
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (work_.body(links[i].front()->link).Moves())
        for (const WrittenGeom* surface : surfaces)
          for (const WrittenGeom* geom : links[i])
            if (TouchesSurfaces(geom->role) &&
                work_.model().CanTouch(ToIndex(geom->body), ToIndex(surface->surface)))
              AddPair(*surface, *geom, !BitsMeet(*surface, *geom));
      for (std::size_t j = i + 1; j < links.size(); ++j) FindBetween(links[i], links[j]);
    }
    if (combined_ <= kMostPairs) return;
    std::erase_if(pairs_, [](const Pair& pair) { return !pair.needed; });
    work_.losses->Add(
        LossId::kCombining,
        fmt::format("{} pairs of shapes are too many to name: MuJoCo combines the parameters of "
                    "two bodies by its own rules",
                    combined_));
  }

  // Shapes of two bodies touch there by their bits, but for those of a body and of its parent that
  // moves. Where a shape is not to touch, the bodies are kept apart and what touches all the same
  // is named.
  void FindBetween(const Geoms& of_a, const Geoms& of_b) {
    const int a = of_a.front()->link, b = of_b.front()->link;
    const Body &A = work_.body(a), &B = work_.body(b);
    if (!(A.Moves() || B.Moves())) return;
    const bool joined =
        A.Moves() && B.Moves() && (ParentOf(B) == A.group || ParentOf(A) == B.group);
    const bool by_bits = A.group != B.group && !joined;
    const auto touch = [&](const WrittenGeom& one, const WrittenGeom& other) {
      return RolesTouch(one.role, other.role) && !work_.model().Linked(one.body, other.body);
    };
    bool too_much = false;
    for (const WrittenGeom* one : of_a)
      for (const WrittenGeom* other : of_b)
        too_much = too_much || (by_bits && BitsMeet(*one, *other) && !touch(*one, *other));
    if (too_much) excluded_.emplace_back(a, b);
    for (const WrittenGeom* one : of_a)
      for (const WrittenGeom* other : of_b)
        if (touch(*one, *other))
          AddPair(*one, *other, too_much || !by_bits || !BitsMeet(*one, *other));
  }
  bool BitsMeet(const WrittenGeom& a, const WrittenGeom& b) const {
    const Meetings::Mask own =
        a.surface >= 0 ? work_.touch.OfSurface(a.surface) : work_.touch.Of(a.role, a.body);
    return own.Meets(work_.touch.Of(b.role, b.body));
  }
  // Among the bodies that the file has.
  int ParentOf(const Body& body) const {
    int parent = body.parent_group;
    while (parent >= 0 && parts_.written_in[ToIndex(parent)] != parent)
      parent = work_.body(parent).parent_group;
    return parent;
  }

  void AddPair(const WrittenGeom& a, const WrittenGeom& b, bool needed) {
    PairContact contact;
    if (work_.input.contacts) {
      contact = CalcPairContact(a.surface, a.body, b.body, work_);
      const bool same = Same(contact.mujoco, Combine(a, b));
      if (same && !needed) return;
      if (!needed && ++combined_ > kMostPairs) return;
      // said of one of them already
      if (!same && !a.contact.held_back && !b.contact.held_back)
        AddContactLosses(contact, a.name + " with " + b.name, work_);
    } else if (!needed) {
      return;
    }
    pairs_.push_back({&a, &b, contact.mujoco, needed});
  }

  const MjcfWork& work_;
  const MjcfParts& parts_;
  std::vector<Pair> pairs_;
  std::size_t combined_ = 0;
  std::vector<std::pair<int, int>> excluded_;
};

/// Nothing is said where MuJoCo's own hold.
void SetBits(const Meetings::Mask& bits, XmlText* xml) {
  if (bits.type == 1 && bits.affinity == 1) return;
  xml->Set("contype", std::to_string(static_cast<int32_t>(bits.type)));
  xml->Set("conaffinity", std::to_string(static_cast<int32_t>(bits.affinity)));
}

}  // namespace

MujocoContact CalcGeomContact(int body, const MjcfWork& work) {
  if (!work.input.contacts) return {};
  const PairContact contact = CalcPairContact(-1, -1, body, work);
  const Body& own = work.body(body);
  if (own.Moves()) AddContactLosses(contact, work.body(own.Owner(body)).name, work);
  return contact.mujoco;
}

double CalcImpedanceRatio(const MjcfWork& work) {
  constexpr double kNoCreep = 100;  // what its users take for little creep
  const ExportInput& input = work.input;
  if (!input.load) {
    work.losses->Add(
        LossId::kCreep,
        "nothing is in contact, so contacts that stick creep as MuJoCo's do by itself");
    return 1;
  }
  const ExportLoad& load = *input.load;
  const Material material =
      ContactMaterial(input.model, input.config.materials, load.surface, load.body_a, load.body);
  const MujocoContact contact = CalcPairContact(load.surface, load.body_a, load.body, work).mujoco;
  const double A = InverseMassOf(load.body_a, work) + InverseMassOf(load.body, work);
  // its damper along the surface is impratio times the one along the normal
  const double b = contact.solref[0] < 0 ? -contact.solref[1] / contact.impedance
                                         : 2 / (contact.impedance * contact.solref[0]);
  const double c = b * contact.impedance / ((1 - contact.impedance) * A);
  const std::optional<double> along = CalcCreepDamping(input.config, material, load);
  if (!along || !(c > 0) || !(A > 0)) {
    work.losses->Add(LossId::kCreep,
                     along ? "contacts have no damper, so their creep there is not ours"
                           : "contacts that stick creep there a little");
    return along ? 1 : kNoCreep;
  }
  work.losses->Add(LossId::kCreep,
                   fmt::format("MuJoCo has one ratio of creep for all contacts: that of one under "
                               "{:.3g} N",
                               load.normal_force),
                   work.body(load.body).name);
  return *along / c;
}

void SetMjcfContact(const Meetings::Mask& bits, const MujocoContact* given, XmlText* xml) {
  SetBits(bits, xml);
  if (given == nullptr) return;
  const MujocoContact& contact = *given;
  xml->Set("condim", std::to_string(contact.condim));
  if (contact.condim > 1) xml->Set("friction", NumberText({contact.friction, contact.torsion, 0}));
  xml->Set("solref", NumberText(contact.solref));
  xml->Set("solimp", NumberText({contact.impedance, contact.impedance, 0.001}));
  // the body's values hold against a surface without a material
  xml->Set("priority", "1");
}

void WriteMjcfSurfaces(const MjcfWork& work, MjcfParts* parts) {
  XmlText& xml = *work.xml;
  for (std::size_t s = 0; s < work.model().surfaces.size(); ++s) {
    const Surface& surface = work.model().surfaces[s];
    const bool taken = std::any_of(work.model().bodies.begin(), work.model().bodies.end(),
                                   [&](const Body& body) { return body.name == surface.name; });
    const std::string name = taken ? "surface:" + surface.name : surface.name;
    xml.Open("geom");
    xml.Set("name", name);
    xml.Set("type", "plane");
    xml.Set("size", NumberText({surface.display_size.x() / 2, surface.display_size.y() / 2, 0.01}));
    if (!surface.point.isZero(0)) xml.Set("pos", surface.point);
    Mat3 axes;
    axes << surface.belt_axis, surface.normal.cross(surface.belt_axis), surface.normal;
    if (!axes.isIdentity(0)) xml.Set("quat", Quat(axes));
    SetBits(work.touch.OfSurface(static_cast<int>(s)), &xml);
    if (work.input.contacts) {
      xml.Set("condim", "1");
      xml.Set("friction", "0 0 0");
    }
    xml.Close();
    parts->geoms.push_back({name, -1, static_cast<int>(s), -1, GeomRole::kSolid, {}});
    if (surface.drive >= 0)
      work.losses->Add(LossId::kBelt, "MuJoCo has no belts: the surface stands still",
                       surface.name);
  }
}

void WriteMjcfContacts(const MjcfWork& work, const MjcfParts& parts) {
  if (!work.touch.exact())
    work.losses->Add(LossId::kFilter,
                     "MuJoCo has too few bits for whom these shapes touch: surfaces are touched by "
                     "all, and pairs of bodies are named");
  if (!parts.geoms.empty())
    work.losses->Add(
        LossId::kContactLaw,
        !work.input.contacts
            ? std::string("parameters of contacts are left out, as was "
                          "asked for: MuJoCo's own hold")
            : fmt::format("a contact there is a spring and a damper from the touch on, with "
                          "an inerter of {} of the body's mass",
                          FormatNumber(kImpedance)));
  ContactWriter(work, parts).Write();
}

void WriteMjcfMotors(const MjcfWork& work, MjcfParts* parts) {
  XmlText& xml = *work.xml;
  const Model& model = work.model();
  bool open = false;
  for (const Body& body : model.bodies) {
    if (body.shape_of_link >= 0 || body.joint.leader < 0) continue;
    if (!open) xml.Open("equality");
    open = true;
    xml.Open("joint");
    xml.Set("joint1", body.joint.name);
    xml.Set("joint2", work.body(body.joint.leader).joint.name);
    xml.Set("polycoef", NumberText({body.joint.offset, body.joint.ratio, 0, 0, 0}));
    xml.Close();
    work.losses->Add(LossId::kFollower, "a joint follows another by a spring there",
                     body.joint.name);
  }
  for (const auto& [joint, position] : parts->locked) {
    if (!open) xml.Open("equality");
    open = true;
    xml.Open("joint");
    xml.Set("joint1", joint);
    xml.Set("polycoef", NumberText({position, 0, 0, 0, 0}));
    xml.Close();
  }
  if (open) xml.Close();
  open = false;
  for (const Body& body : model.bodies) {
    if (body.drive < 0 || body.shape_of_link >= 0) continue;
    const JointDrive& drive = work.input.config.joints[static_cast<std::size_t>(body.drive)];
    const bool limited = std::isfinite(body.joint.effort);
    const bool holds = drive.stiffness > 0 || drive.damping > 0;
    if (!holds && !limited) continue;
    if (!open) xml.Open("actuator");
    open = true;
    // one without gains waits for torques
    xml.Open(holds ? "general" : "motor");
    xml.Set("name", drive.name);
    xml.Set("joint", body.joint.name);
    if (holds) {
      xml.Set("biastype", "affine");
      xml.Set("gainprm", drive.stiffness);
      xml.Set("biasprm", NumberText({0, -drive.stiffness, -drive.damping}));
    }
    if (limited) {
      xml.Set("forcelimited", "true");
      xml.Set("forcerange", NumberText({-body.joint.effort, body.joint.effort}));
    }
    xml.Close();
    parts->control.push_back(holds ? drive.target : 0);
    const double A = work.masses.coordinate[static_cast<std::size_t>(body.v_start)];
    const double h = work.input.config.step.time_step;
    if (h * h * drive.stiffness * A > 0.25)
      work.losses->Add(LossId::kMotor,
                       "the spring of a motor is explicit there, and stiff for this time step",
                       body.joint.name);
  }
  if (open) xml.Close();
}

}  // namespace slip
