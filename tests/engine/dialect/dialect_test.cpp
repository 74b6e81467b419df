// Numbers of one contact in the words of other engines: what their runs measured, and there and
// back again.
#include "engine/dialect/dialect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/contact/equivalent.h"

namespace slip {
namespace {

constexpr double kGravity = 9.81;

/// A body at rest on so many points of a slope [rad].
DialectContact Rest(double mass, int points, double slope = 0) {
  DialectContact at;
  at.fn = mass * kGravity * std::cos(slope) / points;
  at.ft = mass * kGravity * std::sin(slope) / points;
  at.inverse_mass = 1 / mass;
  at.w = 1.3 / mass;
  at.points = points;
  return at;
}

DialectContact From(std::string_view id, std::string_view values, const DialectContact& at,
                    DialectKeep keep = DialectKeep::kRest, DialectRows* rows = nullptr) {
  const Dialect* dialect = FindDialect(id);
  const auto read = ParseDialectValues(*dialect, values);
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().Text());
  DialectRows none;
  return dialect->from(*read, at, keep, rows != nullptr ? rows : &none);
}

const DialectRow* FindRow(const DialectRows& rows, std::string_view name) {
  for (const DialectRow& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}
double ValueIn(const DialectRows& rows, std::string_view name) {
  const DialectRow* row = FindRow(rows, name);
  return row != nullptr && !row->values.empty() ? row->values.front() : std::nan("");
}

double DepthOf(const DialectContact& contact) { return contact.fn / contact.k.value_or(0); }

// Depths that MuJoCo has at rest [m].
TEST(Dialect, MujocoRestsAsDeepAsMeasured) {
  for (const double mass : {0.1, 1.0, 7.0})
    EXPECT_NEAR(DepthOf(From("mujoco", "", Rest(mass, 1))) / 0.367182e-3, 1, 1e-5) << mass;
  const DialectContact box = Rest(1.3, 4);
  EXPECT_NEAR(DepthOf(From("mujoco", "", box)) / 0.107755e-3, 1, 1e-5);
  EXPECT_NEAR(DepthOf(From("mujoco-pyramidal", "friction=0.5", box)) / 0.017072e-3, 1, 3e-5);
  EXPECT_NEAR(DepthOf(From("mujoco", "solref=\"-1000 -80\"", box)) / 0.252284e-3, 1, 1e-5);
  EXPECT_NEAR(
      DepthOf(From("mujoco", "solref=\"0.05 0.5\" solimp=\"0.7 0.99 0.01\"", box)) / 0.893710e-3, 1,
      1e-5);
}

// Creep on a slope [m/s]: of cones linear in the load, of pyramids only up to half of what friction
// can hold.
TEST(Dialect, MujocoCreepsAsMeasured) {
  const DialectContact slope = Rest(1.3, 4, 0.1);
  for (const auto& [impratio, creep] :
       {std::pair(1, 255.1448e-6), {10, 25.5145e-6}, {100, 2.5514e-6}})
    EXPECT_NEAR(CalcCreep(From("mujoco", fmt::format("impratio={}", impratio), slope)) / creep, 1,
                3e-5)
        << impratio;
  const DialectContact steep = Rest(1.3, 4, 0.3);
  EXPECT_NEAR(CalcCreep(From("mujoco-pyramidal", "friction=0.5", steep)) / 1322.92e-6, 1, 2e-5);
  EXPECT_EQ(CalcCreep(From("mujoco", "noslip_iterations=10", slope)), 0);
  // c = 300 N s/m, whatever the impedance
  for (const double delta : {0.01, 0.5, 0.9}) {
    const double B = 300 * (1 - delta) / 1.3;
    const std::string values =
        fmt::format("solref=\"{} {}\" solimp=\"{} {}\" impratio=5", -100 * B, -B, delta, delta);
    EXPECT_NEAR(CalcCreep(From("mujoco", values, slope)) / 212.1959e-6, 1, 1e-5) << delta;
  }
}

// MuJoCo's box in our models: the same creep by sigma and by v_s.
TEST(Dialect, MujocosBoxHereCreepsAlike) {
  DialectContact slope = Rest(1.3, 4, 0.1);
  const DialectRows lagged = ToSlipscope(From("mujoco", "friction=0.5", slope));
  EXPECT_NEAR(ValueIn(lagged, "stiction_tolerance") / 1.2456e-3, 1, 1e-4);
  const double u =
      slope.ft * ValueIn(lagged, "friction_regularization") * slope.w * slope.time_step;
  EXPECT_NEAR(u / 255.1448e-6, 1, 2e-5);
}

// Rebounds [of the speed]: by the time constant it is e(dr), by a stiffness e(zeta sqrt(1 - d)).
TEST(Dialect, MujocoReboundsAsMeasured) {
  const DialectContact ball = Rest(1, 1);
  const auto rebound = [&](const DialectContact& made) {
    return CalcTouchDampingRestitution(made.c / *made.k, *made.k, 1);
  };
  for (const auto& [dr, e] : {std::pair(0.05, 0.8587),
                              {0.1, 0.7440},
                              {0.3, 0.4509},
                              {0.5, 0.2983},
                              {0.8, 0.1797},
                              {1.0, 0.1352},
                              {1.5, 0.0755}})
    EXPECT_NEAR(
        rebound(From("mujoco", fmt::format("solref=\"0.02 {}\"", dr), ball, DialectKeep::kImpact)),
        e, 1.3e-3 * e + 5e-5)
        << dr;
  // the rest kept, the rebound there: 0.7440 here at zeta 0.1
  for (const auto& [delta, e] :
       {std::pair(0.01, 0.7450), {0.1, 0.7547}, {0.5, 0.8084}, {0.9, 0.9072}}) {
    const double k = 1e4, c = 2 * 0.1 * std::sqrt(k);
    const DialectContact there = From("mujoco",
                                      fmt::format("solref=\"{} {}\" solimp=\"{} {}\"",
                                                  -k * (1 - delta), -c * (1 - delta), delta, delta),
                                      ball, DialectKeep::kImpact);
    EXPECT_NEAR(rebound(there), e, 3e-4 * e) << delta;
  }
}

TEST(Dialect, BulletAndOdeRestAndCreepAsMeasured) {
  EXPECT_NEAR(DepthOf(From("bullet", "contactStiffness=\"2e4 1e18\" contactDamping=\"60 0.1\"",
                           Rest(1, 1))),
              0.49050e-3, 1e-7);
  EXPECT_NEAR(DepthOf(From("bullet", "contactStiffness=\"2e4 1e18\"", Rest(8, 1))), 3.924e-3, 1e-6);
  DialectContact two = Rest(2, 1);
  const double hk = two.time_step * 2e4;
  const std::string soft = fmt::format("soft_erp={} soft_cfm={}", hk / (hk + 60), 1 / (hk + 60));
  EXPECT_NEAR(DepthOf(From("ode", soft, two)) / 0.981e-3, 1, 1e-6);
  DialectContact slope = Rest(1.3, 4, 0.1);
  EXPECT_NEAR(CalcCreep(From("ode", soft + " slip=1e-4", slope)) / 31.829e-6, 1, 4e-5);
  EXPECT_NEAR(CalcCreep(From("ode", soft + " slip=1e-3", slope)) / 318.294e-6, 1, 4e-5);
}

/// Contacts of our own to translate: of SAP, of Lagged, and one that does not creep.
std::vector<DialectContact> OurContacts() {
  DialectContact sap = Rest(1.3, 4, 0.1);
  sap.k = 2e5, sap.c = 30, sap.friction = 0.5;
  sap.before_touch = sap.glides = true;
  sap.c_t = 1 / (1e-3 * sap.w * sap.time_step);
  sap.creep_holds = Exactness::kAtStep;
  DialectContact lagged = sap;
  lagged.before_touch = lagged.glides = false;
  lagged.dissipation = 0.2;
  lagged.c_t = 0.5 * lagged.fn / 1e-4;
  lagged.torsion = 0.01;
  DialectContact anchored = sap;
  anchored.before_touch = anchored.glides = false;
  anchored.c_t = std::nullopt;
  return {sap, lagged, anchored};
}

/// What --values would read of the rows of --to.
std::string AsValues(std::string_view id, const DialectRows& rows) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{}=\"{}\" ", name, value);
  };
  for (const DialectRow& row : rows) {
    if (row.values.empty()) continue;
    const std::string value = row.ValueText(17);
    const bool of_one = id == "bullet" && row.name.starts_with("contact");
    if (row.name == "slip1 slip2") {
      add("slip", FindRow(rows, row.name)->ValueText(17).substr(0, value.find(' ')));
    } else if (row.name == "staticFriction dynamicFriction") {
      add("staticFriction", value.substr(0, value.find(' ')));
      add("dynamicFriction", value.substr(0, value.find(' ')));
    } else if (of_one) {
      add(row.name, value + (row.name == "contactStiffness" ? " 1e18" : " 0.1"));
    } else if (const auto values = ParseDialectValues(*FindDialect(id), "");
               values->contains(row.name)) {
      add(row.name, value);
    }
  }
  return text;
}

TEST(Dialect, ThereAndBackAgain) {
  for (const DialectContact& contact : OurContacts()) {
    for (const char* id :
         {"mujoco", "ode", "sdf", "bullet", "drake", "physx", "box2d", "newton", "vbd"}) {
      SCOPED_TRACE(id);
      const DialectRows rows = FindDialect(id)->to(contact, DialectKeep::kRest);
      const DialectContact back = From(id, AsValues(id, rows), contact);
      ASSERT_TRUE(back.k.has_value());
      EXPECT_NEAR(*back.k / *contact.k, 1, 1e-9);
      EXPECT_NEAR(back.c / contact.c, 1, 1e-9);
      EXPECT_NEAR(back.friction, contact.friction, 1e-12);
      const bool creeps = std::string_view(id) != "bullet" && std::string_view(id) != "physx" &&
                          std::string_view(id) != "box2d" && std::string_view(id) != "drake";
      if (creeps && contact.c_t) {
        ASSERT_TRUE(back.c_t.has_value());
        EXPECT_NEAR(*back.c_t / *contact.c_t, 1, 1e-9);
      }
      // these two always creep, and say so
      const bool always = std::string_view(id) == "newton" || std::string_view(id) == "vbd";
      if (creeps && !contact.c_t && !always) {
        EXPECT_FALSE(back.c_t.has_value());
      }
    }
  }
}

// The rest depth of a pyramid is kept, too; its creep is another one, and the card says which.
TEST(Dialect, APyramidKeepsTheRest) {
  for (const DialectContact& contact : OurContacts()) {
    const DialectRows rows = FindDialect("mujoco-pyramidal")->to(contact, DialectKeep::kRest);
    const DialectContact back =
        From("mujoco-pyramidal", AsValues("mujoco-pyramidal", rows), contact);
    EXPECT_NEAR(*back.k / *contact.k, 1, 1e-9);
    EXPECT_NEAR(back.c / contact.c, 1, 1e-9);
    const double mu = contact.friction;
    EXPECT_NEAR(*back.c_t / (0.5 * mu * mu * contact.c), 1, 1e-9);
    ASSERT_NE(FindRow(rows, "creep"), nullptr);
  }
}

// Whatever an engine does not have stands in a row without a value, with its reason.
TEST(Dialect, NothingIsLostInSilence) {
  for (const Dialect& dialect : Dialects()) {
    SCOPED_TRACE(dialect.id);
    DialectContact contact = OurContacts()[1];
    contact.near_rigid = contact.force_bends = contact.glides = contact.before_touch = true;
    const DialectRows rows = dialect.to(contact, DialectKeep::kRest);
    std::set<std::string> lost;
    for (const DialectRow& row : rows) {
      if (row.exactness != Exactness::kNone) continue;
      EXPECT_FALSE(row.note.empty()) << row.name;
      EXPECT_TRUE(lost.insert(row.name).second) << row.name << " is said twice";
    }
    EXPECT_TRUE(lost.contains("normal law"));
    if (dialect.id != "drake") {
      EXPECT_TRUE(lost.contains("dissipation"));
      EXPECT_TRUE(lost.contains("near_rigid"));
      EXPECT_TRUE(lost.contains("glide"));
    }
    if (!dialect.id.starts_with("mujoco")) {
      EXPECT_TRUE(lost.contains("torsional friction"));
    }
  }
}

// Of one solref: twice the mass has twice the stiffness, and rests as deep.
TEST(Dialect, AnotherLoadIsAnotherStiffness) {
  const DialectContact one = From("mujoco", "", Rest(1, 1)), two = From("mujoco", "", Rest(2, 1));
  EXPECT_NEAR(*two.k / *one.k, 2, 1e-12);
  EXPECT_NEAR(DepthOf(two) / DepthOf(one), 1, 1e-12);
}

// This impratio at 1 ms asks for more regularisation than the knob has; v_s is in range.
TEST(Dialect, AValueBeyondItsKnobSaysSo) {
  DialectContact at = Rest(1.3, 4, 0.1);
  at.w = 2.071;
  const DialectRows rows = ToSlipscope(From("mujoco", "friction=0.5 impratio=0.1", at));
  EXPECT_NEAR(ValueIn(rows, "friction_regularization"), 3.87, 1e-2);
  EXPECT_NE(FindRow(rows, "friction_regularization")->note.find("outside its range"),
            std::string::npos);
  EXPECT_EQ(FindRow(rows, "stiction_tolerance")->note.find("outside its range"), std::string::npos);
}

TEST(Dialect, ValuesThatCannotBeReadSaySo) {
  const Dialect& mujoco = *FindDialect("mujoco");
  const auto error = [&](std::string_view text) {
    const auto read = ParseDialectValues(mujoco, text);
    return read.ok() ? std::string() : read.error().Text();
  };
  EXPECT_EQ(error("solref=\"0.02 1\" impratio=10"), "");
  EXPECT_EQ(error(""), "");
  EXPECT_NE(error("solreff=1").find("did you mean 'solref'?"), std::string::npos);
  EXPECT_NE(error("impratio=ten").find("'ten' is no number"), std::string::npos);
  EXPECT_NE(error("impratio=\"1 2\"").find("takes a number"), std::string::npos);
  EXPECT_NE(error("solref=").find("takes 1 to 2 numbers"), std::string::npos);
  EXPECT_NE(error("solref").find("no NAME=NUMBERS"), std::string::npos);
}

}  // namespace
}  // namespace slip
