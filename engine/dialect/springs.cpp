// Engines whose contacts are a spring and a damper taken implicitly: Bullet, ODE and the tags of
// SDF.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/contact/error_reduction.h"
#include "engine/core/quantity_text.h"
#include "engine/dialect/dialect_rows.h"

namespace slip {
namespace {

// Bullet's bodies have this damping unless told otherwise, and this stiffness [N s/m, N/m].
constexpr double kBulletDamping = 0.1, kBulletRigid = 1e18;

DialectRows ToBullet(const DialectContact& contact, DialectKeep) {
  DialectWriter rows("bullet");
  if (contact.k) {
    rows.Number("contactStiffness", *contact.k, "N/m", "R I", HoldsOf(contact),
                "on one of the two bodies; the other stays at its default");
    const double C = contact.c - kBulletDamping;
    rows.Number(
        "contactDamping", std::max(0.0, C), "N s/m", "I", HoldsOf(contact),
        C < 0 ? "the other body brings 0.1 N s/m of its own, which is more than this contact has"
              : "less 0.1 N s/m, which the other body brings");
  } else {
    rows.Lost("contactStiffness", "leave it out: without it a contact is rigid");
  }
  rows.Number("friction", std::sqrt(contact.friction), "", "L", Exactness::kExact,
              "of each body: the two are multiplied");
  WriteLost(contact, {.before_touch = true}, &rows);
  if (contact.k && contact.fn / *contact.k < 1e-6)
    rows.Lost("precision",
              "in single precision positions some metres away carry less than this depth");
  return rows.Take();
}

DialectContact FromBullet(const DialectValues& values, const DialectContact& at, DialectKeep,
                          DialectRows* out) {
  DialectWriter rows("bullet");
  const double mu = ValueOf(values, "friction", 0) * ValueOf(values, "friction", 1);
  const double K1 = ValueOf(values, "contactStiffness", 0);
  const double K2 = ValueOf(values, "contactStiffness", 1);
  const double C = ValueOf(values, "contactDamping", 0) + ValueOf(values, "contactDamping", 1);
  const double erp = ValueOf(values, "contactERP"), cfm = ValueOf(values, "contactCFM");
  DialectContact made = WithLaw(at, std::nullopt, 0, mu);
  if (std::min(K1, K2) < kBulletRigid) {
    made.k = 1 / (1 / K1 + 1 / K2);
    made.c = C;
  } else if (cfm > 0) {
    made.k = erp / (at.time_step * cfm);
    made.c = (1 - erp) / cfm;
    rows.Lost("contactERP", "another step makes another contact of it");
  } else {
    rows.Lost("contactStiffness",
              fmt::format("rigid: no spring holds it. An overlap of 1 mm is thrown out at {}",
                          FormatQuantity(erp * 1e-3 / at.time_step, "m/s")));
  }
  made.before_touch = true;
  if (const double e = ValueOf(values, "restitution"); e > 0)
    rows.Lost("restitution",
              fmt::format("{:.3g} less the gap at the impact over the step: a number "
                          "that depends on the phase",
                          e));
  rows.AppendTo(out);
  return made;
}

DialectRows ToOde(const DialectContact& contact, DialectKeep) {
  DialectWriter rows("ode");
  const double h = contact.time_step;
  if (contact.k) {
    const ErrorReduction soft = CalcErrorReduction(*contact.k, contact.c, h);
    const std::string step = fmt::format("at a step of {}", FormatQuantity(h, "s"));
    rows.Number("soft_erp", soft.erp, "", "R I", Exactness::kAtStep, step);
    rows.Number("soft_cfm", soft.cfm, "m/(N s)", "R I", Exactness::kAtStep, step);
  } else {
    rows.Lost("soft_cfm", "leave it out: without it a contact is rigid");
  }
  if (contact.c_t) {
    const double slip = 1 / *contact.c_t;
    rows.Numbers("slip1 slip2", {slip, slip}, "m/(N s)", "C", contact.creep_holds);
  } else {
    rows.Word("slip1 slip2", "off", "C", "leave the flags off: with them at 0 contacts creep");
  }
  rows.Number("mu", contact.friction, "", "L", Exactness::kExact,
              "around the circle: 1.41 mu between its axes");
  WriteLost(contact, {.creep = true}, &rows);
  return rows.Take();
}

DialectContact FromOde(const DialectValues& values, const DialectContact& at, DialectKeep,
                       DialectRows* out) {
  DialectWriter rows("ode");
  const double erp = ValueOf(values, "soft_erp"), cfm = ValueOf(values, "soft_cfm");
  DialectContact made = WithLaw(at, std::nullopt, 0, ValueOf(values, "mu"));
  if (cfm > 0) {
    made.k = erp / (at.time_step * cfm);
    made.c = (1 - erp) / cfm;
    rows.Lost("soft_erp soft_cfm", "another step makes another contact of them");
  } else {
    rows.Lost("soft_cfm", fmt::format("rigid: no spring holds it. An overlap of 1 mm is thrown out "
                                      "at {}",
                                      FormatQuantity(erp * 1e-3 / at.time_step, "m/s")));
  }
  if (const double slip = ValueOf(values, "slip"); slip > 0) made.c_t = 1 / slip;
  rows.Lost("pyramid", "friction has no axes here: between theirs it is 1.41 times as much");
  if (ValueOf(values, "bounce") > 0)
    rows.Lost("bounce", cfm > 0 ? "a soft contact does not heed it"
                                : "it leaves that share of the speed; no spring here does");
  rows.AppendTo(out);
  return made;
}

DialectRows ToSdf(const DialectContact& contact, DialectKeep) {
  DialectWriter rows("sdf");
  if (contact.k) {
    rows.Number("kp", 2 * *contact.k, "N/m", "R I", HoldsOf(contact),
                "of each of two alike surfaces: springs in series");
    rows.Number("kd", contact.c / 2, "N s/m", "I", HoldsOf(contact),
                "of each of two alike surfaces: dampers add");
  } else {
    rows.Lost("kp", "leave it out, or take 1e12");
  }
  rows.Number("mu", contact.friction, "", "L", Exactness::kExact, "mu2 alike; of two the smaller");
  if (contact.c_t)
    rows.Number("slip1", 1 / *contact.c_t, "m/(N s)", "C", contact.creep_holds, "slip2 alike");
  rows.Lost("engine", "what it means depends on the engine below: ODE reads all, DART mu and slip");
  WriteLost(contact, {.creep = true}, &rows);
  return rows.Take();
}

DialectContact FromSdf(const DialectValues& values, const DialectContact& at, DialectKeep,
                       DialectRows* out) {
  DialectWriter rows("sdf");
  const double k = 1 / (1 / ValueOf(values, "kp", 0) + 1 / ValueOf(values, "kp", 1));
  const double c = ValueOf(values, "kd", 0) + ValueOf(values, "kd", 1);
  const double mu = std::min(ValueOf(values, "mu", 0), ValueOf(values, "mu", 1));
  DialectContact made = WithLaw(at, k, c, mu);
  if (const double slip = ValueOf(values, "slip1"); slip > 0) made.c_t = 1 / slip;
  rows.Lost("pyramid", "friction has no axes here: between theirs it is 1.41 times as much");
  rows.AppendTo(out);
  return made;
}

}  // namespace

std::vector<Dialect> SpringDialects() {
  return {{"ode",
           "ODE",
           "libode 0.16.2",
           {{"soft_erp", {0.2}, "error reduction"},
            {"soft_cfm", {1e-10}, "constraint force mixing"},
            {"slip", {0}, "slip1 and slip2; 0 = flags off"},
            {"mu", {0.5}, ""},
            {"bounce", {0}, ""}},
           ToOde,
           FromOde},
          {"sdf",
           "SDF, as Gazebo Classic hands it to ODE",
           "documentation",
           {{"kp", {1e12, 1e12}, "of both surfaces"},
            {"kd", {1, 1}, "of both surfaces"},
            {"mu", {1, 1}, "of both surfaces"},
            {"slip1", {0}, ""}},
           ToSdf,
           FromSdf,
           DialectSyntax::kSdf},
          {"bullet",
           "Bullet, sequential impulse",
           "recorded runs of Bullet 3.24",
           {{"contactStiffness", {kBulletRigid, kBulletRigid}, "of both bodies"},
            {"contactDamping", {kBulletDamping, kBulletDamping}, "of both bodies"},
            {"contactERP", {0.2}, "of a contact without stiffness"},
            {"contactCFM", {0}, "of a contact without stiffness"},
            {"friction", {0.5, 0.5}, "of both bodies"},
            {"restitution", {0}, "of both, multiplied"}},
           ToBullet,
           FromBullet,
           DialectSyntax::kPyBullet}};
}

}  // namespace slip
