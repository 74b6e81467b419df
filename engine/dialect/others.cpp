// Engines with a law of their own between rigid and soft: Drake, PhysX, Box2D, Newton.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/contact/equivalent.h"
#include "engine/core/quantity_text.h"
#include "engine/dialect/dialect_rows.h"

namespace slip {
namespace {

// Drake's regularisation of SAP's friction is no parameter of its users.
constexpr double kDrakeRegularization = 1e-3;

/// v_s of a regularised law with this damper under the load.
double ToleranceOf(const DialectContact& contact) {
  const double limit = contact.friction * contact.fn;
  const double r = limit > 0 && !contact.slides ? std::min(contact.ft / limit, 1.0) : 0;
  return limit * std::sqrt(1 - r * r) / *contact.c_t;
}

DialectRows ToDrake(const DialectContact& contact, DialectKeep) {
  DialectWriter rows("drake");
  const Exactness law = contact.force_bends ? Exactness::kAtLoad : Exactness::kExact;
  if (contact.k) {
    rows.Number("point_contact_stiffness", 2 * *contact.k, "N/m", "R I", law,
                "of each of two alike bodies: springs in series");
    rows.Number("relaxation_time", contact.c / *contact.k / 2, "s", "I", HoldsOf(contact),
                "of each of two alike bodies: times add; read by sap");
    rows.Number("hunt_crossley_dissipation", contact.dissipation, "s/m", "I", law,
                "of two alike bodies; read by similar and lagged");
  } else {
    rows.Lost("point_contact_stiffness", "its contacts are never rigid");
  }
  rows.Number("dynamic_friction", contact.friction, "", "L", Exactness::kExact,
              "of each of two alike bodies");
  if (contact.c_t) {
    rows.Number("stiction_tolerance", ToleranceOf(contact), "m/s", "C", Exactness::kAtLoad,
                "of similar and lagged");
    if (!contact.slides)
      rows.Number("creep by sap", contact.ft * kDrakeRegularization * contact.w * contact.time_step,
                  "m/s", "", Exactness::kAtStep, "its regularisation is fixed at 1e-3");
  }
  WriteLost(
      contact,
      {.creep = true, .dissipation = true, .before_touch = true, .glide = true, .near_rigid = true},
      &rows);
  return rows.Take();
}

DialectContact FromDrake(const DialectValues& values, const DialectContact& at, DialectKeep,
                         DialectRows* out) {
  DialectWriter rows("drake");
  const auto pair = [&](std::string_view name) {
    return std::pair(ValueOf(values, name, 0), ValueOf(values, name, 1));
  };
  const auto [k1, k2] = pair("point_contact_stiffness");
  const auto [t1, t2] = pair("relaxation_time");
  const auto [d1, d2] = pair("hunt_crossley_dissipation");
  const auto [m1, m2] = pair("dynamic_friction");
  const double k = 1 / (1 / k1 + 1 / k2);
  DialectContact made = WithLaw(at, k, k * (t1 + t2), m1 + m2 > 0 ? 2 * m1 * m2 / (m1 + m2) : 0);
  made.dissipation = (k2 * d1 + k1 * d2) / (k1 + k2);
  made.before_touch = made.glides = true;
  made.c_t = 1 / (kDrakeRegularization * at.w * at.time_step);
  made.creep_holds = Exactness::kAtStep;
  const double limit = made.friction * at.fn, tolerance = ValueOf(values, "stiction_tolerance");
  const double r = limit > 0 ? at.ft / limit : 0;
  if (tolerance > 0 && r < 1)
    rows.Number("creep by lagged and similar", tolerance * r / std::sqrt(1 - r * r), "m/s", "C",
                Exactness::kAtLoad, "the other rows are those of sap");
  rows.AppendTo(out);
  return made;
}

DialectRows ToPhysx(const DialectContact& contact, DialectKeep) {
  DialectWriter rows("physx");
  if (contact.k) {
    rows.Number("restitution", -*contact.k, "N/m", "R I", HoldsOf(contact),
                "a negative one is a stiffness; against a rigid body it holds alone");
    rows.Number("damping", contact.c, "N s/m", "I", HoldsOf(contact));
  } else {
    rows.Number("restitution", 0, "", "R", Exactness::kExact, "rigid");
  }
  rows.Numbers("staticFriction dynamicFriction", {contact.friction, contact.friction}, "", "L",
               Exactness::kExact);
  WriteLost(contact, {.before_touch = true}, &rows);
  return rows.Take();
}

DialectContact FromPhysx(const DialectValues& values, const DialectContact& at, DialectKeep,
                         DialectRows* out) {
  DialectWriter rows("physx");
  const double e = ValueOf(values, "restitution");
  const bool scaled = ValueOf(values, "accelerationSpring") != 0;
  const double scale = scaled ? 1 / at.inverse_mass : 1;
  const double k = -e * scale, c = ValueOf(values, "damping") * scale;
  DialectContact made = WithLaw(at, k, c, ValueOf(values, "dynamicFriction"));
  if (!(e < 0)) {
    made.k = std::nullopt;
    made.c = 0;
    rows.Lost("restitution", e > 0 ? fmt::format("rigid, and {:.3g} of the speed is left: one "
                                                 "speed of a spring's dissipation",
                                                 e)
                                   : "rigid: no spring holds it");
  }
  made.before_touch = true;
  const double fixed = ValueOf(values, "staticFriction");
  if (fixed != made.friction)
    rows.Lost("staticFriction", fmt::format("{:.3g}: a model here has one coefficient", fixed));
  rows.AppendTo(out);
  return made;
}

DialectRows ToBox2d(const DialectContact& contact, DialectKeep) {
  DialectWriter rows("box2d");
  if (contact.k && contact.inverse_mass > 0) {
    const double m = 1 / contact.inverse_mass, omega = std::sqrt(*contact.k / m);
    const double hertz = omega / (2 * std::numbers::pi), most = 0.25 / contact.time_step;
    rows.Number("contactHertz", hertz, "Hz", "R", HoldsOf(contact),
                hertz > most ? fmt::format("beyond a quarter of the step's rate, {}",
                                           FormatQuantity(most, "Hz"))
                             : "");
    rows.Number("contactDampingRatio", contact.c / (2 * m * omega), "", "", HoldsOf(contact),
                "its relaxation takes the spring's push out: nothing bounces");
  } else {
    rows.Lost("contactHertz", "its contacts are never rigid");
  }
  rows.Number("friction", contact.friction, "", "L", Exactness::kExact,
              "of two the root of their product");
  if (contact.c > 0) rows.Lost("impact", "a spring does not bounce there; restitution does");
  WriteLost(contact, {}, &rows);
  return rows.Take();
}

DialectContact FromBox2d(const DialectValues& values, const DialectContact& at, DialectKeep,
                         DialectRows* out) {
  DialectWriter rows("box2d");
  const double m = 1 / at.inverse_mass;
  const double asked = ValueOf(values, "contactHertz"), most = 0.25 / at.time_step;
  const double omega = 2 * std::numbers::pi * std::min(asked, most);
  if (asked > most)
    rows.Lost("contactHertz",
              fmt::format("acts as {}, a quarter of the step's rate", FormatQuantity(most, "Hz")));
  DialectContact made =
      WithLaw(at, m * omega * omega, 2 * m * ValueOf(values, "contactDampingRatio") * omega,
              ValueOf(values, "friction"));
  rows.Lost("impact", "its spring gives nothing back, this one does");
  if (ValueOf(values, "restitution") > 0)
    rows.Lost("restitution", "a share of the speed; a spring's dissipation has it at one speed");
  rows.AppendTo(out);
  return made;
}

DialectRows ToNewton(const DialectContact& contact, DialectKeep) {
  DialectWriter rows("newton");
  if (contact.k) {
    rows.Number("ke", *contact.k, "N/m", "R I", HoldsOf(contact), "the mean of both shapes");
    rows.Number("kd", contact.c, "N s/m", "I", HoldsOf(contact),
                "it damps on approach only, so more of the speed is left");
    const double longest = 0.5 / std::sqrt(*contact.k * contact.inverse_mass);
    if (contact.time_step > longest)
      rows.Lost("stable step", fmt::format("it is explicit: steps of {} and below follow this "
                                           "spring",
                                           FormatQuantity(longest, "s")));
  } else {
    rows.Lost("ke", "its contacts are never rigid");
  }
  if (contact.c_t) {
    rows.Number("kf", *contact.c_t, "N s/m", "C", contact.creep_holds);
  } else {
    rows.Lost("kf", "a contact that sticks always creeps there; the larger kf, the less");
  }
  rows.Number("mu", contact.friction, "", "L", Exactness::kExact,
              "before pull request 4010 friction leaves the cone below 1 m/s");
  rows.Lost("SolverMuJoCo", "it reads ke and kd as 1/s² and 1/s: another contact; see mujoco");
  WriteLost(contact, {.creep = true}, &rows);
  return rows.Take();
}

DialectContact FromNewton(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                          DialectRows* out) {
  DialectWriter rows("newton");
  const double k = ValueOf(values, "ke"), kd = ValueOf(values, "kd");
  DialectContact made = WithLaw(at, k, kd, ValueOf(values, "mu"));
  if (const double kf = ValueOf(values, "kf"); kf > 0) made.c_t = kf;
  const double m = 1 / at.inverse_mass;
  // a damper of the approach alone leaves the root of what one of both ways leaves
  const double e = std::sqrt(CalcTouchDampingRestitution(kd / k, k, m));
  if (keep == DialectKeep::kImpact && e > 0)
    made.c = k * CalcTouchDampingRelaxation(std::min(1.0, e), k, m);
  rows.Lost("kd", fmt::format("it damps on approach only and leaves {:.3g} of the speed", e));
  if (ValueOf(values, "ka") > 0) rows.Lost("ka", "no contact here holds on to another");
  rows.AppendTo(out);
  return made;
}

DialectRows ToVbd(const DialectContact& contact, DialectKeep) {
  DialectWriter rows("vbd");
  if (contact.k) {
    rows.Number("ke", *contact.k, "N/m", "R I", HoldsOf(contact));
    rows.Number("kd", contact.c, "N s/m", "I", HoldsOf(contact));
  } else {
    rows.Lost("ke", "its contacts are never rigid");
  }
  if (contact.c_t) {
    rows.Number("friction_epsilon", 2 * contact.friction * contact.fn / *contact.c_t, "m/s", "C",
                Exactness::kAtLoad);
  } else {
    rows.Lost("friction_epsilon",
              "a contact that sticks always creeps there; the smaller epsilon, the less");
  }
  rows.Number("mu", contact.friction, "", "L", Exactness::kExact);
  WriteLost(contact, {.creep = true}, &rows);
  return rows.Take();
}

DialectContact FromVbd(const DialectValues& values, const DialectContact& at, DialectKeep,
                       DialectRows*) {
  DialectContact made =
      WithLaw(at, ValueOf(values, "ke"), ValueOf(values, "kd"), ValueOf(values, "mu"));
  const double epsilon = ValueOf(values, "friction_epsilon");
  if (epsilon > 0 && made.friction > 0) made.c_t = 2 * made.friction * at.fn / epsilon;
  return made;
}

}  // namespace

std::vector<Dialect> OtherDialects() {
  return {
      {"drake",
       "Drake, point contact",
       "documentation",
       {{"point_contact_stiffness", {1e6, 1e6}, "of both bodies"},
        {"relaxation_time", {0.1, 0.1}, "of both bodies, sap"},
        {"hunt_crossley_dissipation", {0, 0}, "of both bodies, similar and lagged"},
        {"dynamic_friction", {0.5, 0.5}, "of both bodies"},
        {"stiction_tolerance", {1e-3}, "similar and lagged"}},
       ToDrake,
       FromDrake},
      {"physx",
       "PhysX and Isaac, compliant contact",
       "documentation",
       {{"restitution", {0}, "a negative one is a stiffness"},
        {"damping", {0}, ""},
        {"accelerationSpring", {0}, "1: both are per unit of mass"},
        {"staticFriction", {0.5}, ""},
        {"dynamicFriction", {0.5}, ""}},
       ToPhysx,
       FromPhysx},
      {"box2d",
       "Box2D 3, Box3D; Rapier alike",
       "documentation",
       {{"contactHertz", {30}, ""},
        {"contactDampingRatio", {10}, ""},
        {"friction", {0.6}, ""},
        {"restitution", {0}, ""}},
       ToBox2d,
       FromBox2d},
      {"newton",
       "Newton, SemiImplicit",
       "source",
       {{"ke", {1e4}, ""},
        {"kd", {1e2}, ""},
        {"kf", {1e3}, ""},
        {"mu", {0.5}, ""},
        {"ka", {0}, ""}},
       ToNewton,
       FromNewton},
      {"vbd",
       "Newton, VBD",
       "source",
       {{"ke", {1e4}, ""}, {"kd", {1e2}, ""}, {"mu", {0.5}, ""}, {"friction_epsilon", {1e-2}, ""}},
       ToVbd,
       FromVbd}};
}

}  // namespace slip
