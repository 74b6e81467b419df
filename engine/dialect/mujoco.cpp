// MuJoCo: a spring, a damper and an inerter side by side, by the impedance of solimp. One impedance
// for all depths makes the spring linear; a small one leaves its contacts next to no mass.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/contact/equivalent.h"
#include "engine/core/quantity_text.h"
#include "engine/dialect/dialect_rows.h"
#include "engine/export/contact_terms.h"
#include "engine/mjcf/mjcf_contact_law.h"

namespace slip {
namespace {

constexpr std::string_view kElliptic = "mujoco", kPyramid = "mujoco-pyramidal";

/// Springs of all rows of a pyramid beside that of a cone.
double RowsOf(double mu, double impratio) {
  return mu > 0 ? 2 * impratio / (mu * mu * (1 + mu * mu)) : 1;
}

/// Restitution of the contact here.
double ReboundHere(const DialectContact& contact) {
  const double tau = contact.c / *contact.k, m = 1 / contact.inverse_mass;
  return contact.before_touch ? CalcKelvinVoigtRestitution(tau, *contact.k, m)
                              : CalcTouchDampingRestitution(tau, *contact.k, m);
}

std::string TellRebound(const DialectContact& contact, double share) {
  const double there = CalcTouchDampingRestitution(contact.c / *contact.k, *contact.k * (1 - share),
                                                   1 / contact.inverse_mass);
  const double here = ReboundHere(contact);
  return std::abs(there - here) < 0.005
             ? ""
             : fmt::format("a free impact leaves {:.3g} of its speed there, {:.3g} here", there,
                           here);
}

void WriteStability(const DialectContact& contact, DialectWriter* rows) {
  const double longest = 0.5 / std::sqrt(*contact.k * contact.inverse_mass);
  if (contact.time_step <= longest) return;
  const double stiffest =
      1 / ((1 - kImpedance) * contact.inverse_mass * 4 * contact.time_step * contact.time_step);
  rows->Lost("stable step",
             fmt::format("its spring is explicit: steps of {} and below follow this one; at {} the "
                         "stiffest rest is {}",
                         FormatQuantity(longest, "s"), FormatQuantity(contact.time_step, "s"),
                         FormatQuantity(stiffest, "N/m")));
}

void WriteFriction(const DialectContact& contact, bool elliptic, DialectWriter* rows) {
  rows->Word("cone", elliptic ? "elliptic" : "pyramidal", "L",
             elliptic ? "" : "inside the circle: mu along its edges, 0.71 mu between them");
  rows->Number("condim",
               !(contact.friction > 0) ? 1
               : contact.torsion > 0   ? 4
                                       : 3,
               "", "L", Exactness::kExact);
  rows->Numbers("friction", {contact.friction, contact.torsion > 0 ? contact.torsion : 0.005, 1e-4},
                "", "L", Exactness::kExact,
                "sliding, torsional [m], rolling [m]; of two geoms the larger ones");
}

void WriteRest(const DialectContact& contact, bool elliptic, DialectWriter* rows) {
  const double mu = contact.friction;
  const double K =
      *contact.k * (1 - kImpedance) * contact.inverse_mass / (elliptic ? 1 : RowsOf(mu, 1));
  rows->Numbers("solref", {-K, 0 - K * contact.c / *contact.k}, "1/s², 1/s", "R I",
                HoldsOf(contact), TellRebound(contact, kImpedance));
  rows->Numbers("solimp", {kImpedance, kImpedance, 1e-3, 0.5, 2}, "", "R I", Exactness::kExact);
  rows->Lost(
      "inerter",
      fmt::format("its contact has a mass, here {}",
                  FormatQuantity(kImpedance / (1 - kImpedance) / contact.inverse_mass, "kg")));
}

void WriteImpact(const DialectContact& contact, DialectWriter* rows) {
  // what our contacts give back, by the damping ratio that gives it back there
  const double m = 1 / contact.inverse_mass, k = *contact.k;
  const double e = std::max(ReboundHere(contact), 1e-3);
  const double tau = contact.before_touch ? CalcTouchDampingRelaxation(e, k, m) : contact.c / k;
  const double ratio = 0.5 * tau * std::sqrt(k / m);
  if (!(ratio > 0)) {
    rows->Lost("solref", "a contact without damping has no time constant; keep the rest instead");
    return;
  }
  constexpr double kUsual = 0.9;
  rows->Numbers("solref", {std::sqrt(m / k) / ratio, ratio}, "s, 1", "I", HoldsOf(contact),
                fmt::format("rest depth is then {} instead of {}",
                            FormatQuantity((1 - kUsual) * contact.fn / k, "m"),
                            FormatQuantity(contact.fn / k, "m")));
  rows->Numbers("solimp", {kUsual, kUsual, 1e-3, 0.5, 2}, "", "I", Exactness::kExact);
}

void WriteCreepOfCones(const DialectContact& contact, DialectWriter* rows) {
  if (!contact.c_t) {
    rows->Number("noslip_iterations", 10, "", "C", Exactness::kNone,
                 "a setting of the solver, no law: creep is then about 0");
  } else if (contact.c > 0) {
    rows->Number("impratio", *contact.c_t / contact.c, "", "C", contact.creep_holds);
  } else {
    rows->Lost("impratio", "creep needs a damper beside the spring, and this contact has none");
  }
}

DialectRows To(const DialectContact& contact, DialectKeep keep, bool elliptic) {
  DialectWriter rows(elliptic ? kElliptic : kPyramid);
  if (!contact.k || !(contact.inverse_mass > 0)) {
    rows.Lost("solref", contact.k ? "neither body has a mass that it would weigh the contact by"
                                  : "its contacts are never rigid");
    return rows.Take();
  }
  if (keep == DialectKeep::kRest) {
    WriteRest(contact, elliptic, &rows);
  } else {
    WriteImpact(contact, &rows);
  }
  if (elliptic && keep == DialectKeep::kRest) {
    WriteCreepOfCones(contact, &rows);
  } else if (elliptic) {
    rows.Lost("impratio", "creep follows from the rest depth: keep the rest instead");
  } else {
    rows.Number("impratio", 1, "", "R", Exactness::kExact);
    const double mu = contact.friction, damper = 0.5 * mu * mu * contact.c;
    rows.Lost("creep", damper > 0 && contact.ft > 0 && !contact.slides
                           ? fmt::format("of a pyramid it follows from mu and the damper: {} here",
                                         FormatQuantity(contact.ft / damper, "m/s"))
                           : "of a pyramid it follows from mu and the damper");
  }
  WriteFriction(contact, elliptic, &rows);
  WriteStability(contact, &rows);
  if (contact.boxes)
    rows.Lost("box on box", "versions before November 2025 let two boxes sink twice as deep");
  if (contact.glides) rows.Lost("glide", "there is no contact across a gap: what slides fast hops");
  WriteLost(contact, {.creep = true, .torsion = true, .glide = true}, &rows);
  return rows.Take();
}

struct Read {
  MjcfContact contact;
  MjcfContactSettings settings;
  MjcfSpring spring;
  double impedance = 0, reference_damper = 0;  ///< δ at that depth, b [1/s]
};

/// Share of what friction can hold that is in use.
double UsedOf(const MjcfContact& contact, const DialectContact& at) {
  const double limit = contact.friction[0] * at.fn;
  constexpr double kMost = 0.999;
  return limit > 0 && !at.slides ? std::min(kMost, at.ft / limit) : 0;
}

/// From half its friction on one row of a pyramid leaves, and the others sink less: they rest as
/// all four would under this share of the load.
double ShareOnAllRows(const MjcfContact& contact, const DialectContact& at) {
  return contact.condim > 1 ? std::min(1.0, 2 * (1 - UsedOf(contact, at))) : 1;
}

Read ReadValues(const DialectValues& values, const DialectContact& at, bool elliptic) {
  Read read;
  for (std::size_t i = 0; i < 2; ++i) read.contact.solref[i] = ValueOf(values, "solref", i);
  for (std::size_t i = 0; i < 5; ++i) read.contact.solimp[i] = ValueOf(values, "solimp", i);
  for (std::size_t i = 0; i < 3; ++i) read.contact.friction[i] = ValueOf(values, "friction", i);
  read.contact.condim = static_cast<int>(ValueOf(values, "condim"));
  read.settings = {at.time_step, elliptic, ValueOf(values, "refsafe") != 0,
                   ValueOf(values, "impratio")};
  const double pressed = at.fn * (elliptic ? 1 : ShareOnAllRows(read.contact, at));
  read.spring = CalcMjcfSpring(read.contact, at.inverse_mass, pressed, read.settings);
  read.impedance = CalcImpedance(read.contact.solimp, read.spring.depth);
  const double mu = read.contact.friction[0];
  const bool pyramid = !elliptic && read.contact.condim > 1;
  const double rows = pyramid ? RowsOf(mu, read.settings.impratio) : 1;
  const double delta = read.impedance;
  const double kappa =
      read.spring.stiffness * (1 - delta) * at.inverse_mass / (rows * delta * delta);
  read.reference_damper = kappa * delta * read.spring.relaxation;
  read.spring.stiffness *= at.fn / pressed;
  return read;
}

/// Damper along the surface of a pyramid's contact that sticks.
double CalcPyramidCreep(const Read& read, const DialectContact& at) {
  const double mu = read.contact.friction[0];
  const double R = at.inverse_mass * (1 - read.impedance) / read.impedance;
  const double damper = read.reference_damper * read.settings.impratio / (R * (1 + mu * mu));
  const double r = UsedOf(read.contact, at);
  return r > 0.5 ? damper * r / (3 * r - 1) : damper;
}

void TellRest(const Read& read, const DialectContact& at, std::string_view id, DialectRows* out) {
  DialectWriter rows(id);
  const double delta = read.impedance;
  rows.Number("depth", read.spring.depth, "m", "R", Exactness::kAtLoad);
  rows.Lost("inerter", fmt::format("a contact here has no mass; there it has {}",
                                   FormatQuantity(delta / (1 - delta) / at.inverse_mass, "kg")));
  const std::array<double, 5>& solimp = read.contact.solimp;
  if (solimp[0] != solimp[1])
    rows.Lost("solimp", "its spring stiffens with depth: this one is that of the load");
  const double tc = read.contact.solref[0];
  if (tc > 0 && read.settings.refsafe && tc < 2 * at.time_step)
    rows.Lost("solref", fmt::format("{} acts as two steps, {}", FormatQuantity(tc, "s"),
                                    FormatQuantity(2 * at.time_step, "s")));
  const double mu = read.contact.friction[0];
  const double R = at.inverse_mass * (1 - delta) / delta;
  if (read.settings.elliptic && mu > 0 && read.reference_damper > 0)
    rows.Lost("glide",
              fmt::format("it slides as SAP does up to {}, and hops beyond",
                          FormatQuantity(R * at.fn * (1 + mu * mu / read.settings.impratio) /
                                             (mu * read.reference_damper),
                                         "m/s")));
  if (read.contact.condim > 4) rows.Lost("rolling", "no model here has rolling friction");
  if (at.boxes)
    rows.Lost("box on box", "versions before November 2025 let two boxes sink twice as deep");
  rows.AppendTo(out);
}

DialectContact From(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                    bool elliptic, DialectRows* rows) {
  const Read read = ReadValues(values, at, elliptic);
  const int condim = read.contact.condim;
  const double k = read.spring.stiffness, c = k * read.spring.relaxation;
  DialectContact out = WithLaw(at, k, c, condim > 1 ? read.contact.friction[0] : 0);
  out.torsion = condim > 3 ? read.contact.friction[1] : 0;
  if (!(ValueOf(values, "noslip_iterations") > 0))
    out.c_t = elliptic ? c * read.settings.impratio : CalcPyramidCreep(read, at);
  TellRest(read, at, elliptic ? kElliptic : kPyramid, rows);
  if (keep == DialectKeep::kRest) return out;
  // the mass that swings is that of the body and the contact together, on springs as much stiffer
  const double m = 1 / at.inverse_mass, tc = read.contact.solref[0], dr = read.contact.solref[1];
  const double time = read.settings.refsafe ? std::max(tc, 2 * at.time_step) : tc;
  out.k = tc > 0 ? m / (time * dr * time * dr) : -tc * m;
  out.c = *out.k * (tc > 0 ? 2 * time * dr * dr : dr / tc);
  return out;
}

}  // namespace

std::vector<Dialect> MujocoDialects() {
  const std::vector<DialectKnob> knobs = {
      {"solref", {0.02, 1}, "time constant and damping ratio, or -stiffness -damping"},
      {"solimp", {0.9, 0.95, 1e-3, 0.5, 2}, "impedance: d0, dwidth, width, midpoint, power"},
      {"friction", {1, 0.005, 1e-4}, "sliding, torsional, rolling, of the pair"},
      {"condim", {3}, "1, 3, 4 or 6"},
      {"impratio", {1}, "friction over normal impedance"},
      {"noslip_iterations", {0}, "sweeps against creep"},
      {"refsafe", {1}, "0: time constants below two steps are taken as they are"}};
  const auto to_cones = [](const DialectContact& contact, DialectKeep keep) {
    return To(contact, keep, true);
  };
  const auto to_pyramids = [](const DialectContact& contact, DialectKeep keep) {
    return To(contact, keep, false);
  };
  const auto from_cones = [](const DialectValues& values, const DialectContact& at,
                             DialectKeep keep,
                             DialectRows* rows) { return From(values, at, keep, true, rows); };
  const auto from_pyramids = [](const DialectValues& values, const DialectContact& at,
                                DialectKeep keep,
                                DialectRows* rows) { return From(values, at, keep, false, rows); };
  constexpr std::string_view kChecked = "libmujoco 2.2.2";
  return {{kElliptic, "MuJoCo, elliptic cones", kChecked, knobs, to_cones, from_cones,
           DialectSyntax::kMjcf},
          {kPyramid, "MuJoCo, pyramids (its default)", kChecked, knobs, to_pyramids, from_pyramids,
           DialectSyntax::kMjcf}};
}

}  // namespace slip
