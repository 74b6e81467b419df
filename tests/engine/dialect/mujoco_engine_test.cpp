// What the card says of MuJoCo, beside what MuJoCo does: depth and creep of a box on a slope.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <array>
#include <cmath>
#include <random>
#include <string>

#include "engine/dialect/dialect.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

struct Slope {
  double mass = 1, angle = 0, friction = 1, impratio = 1;
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 3> solimp{0.9, 0.95, 1e-3};
  bool elliptic = true;

  double down() const { return 9.81 * std::sin(angle); }
  double into() const { return 9.81 * std::cos(angle); }
};

struct Measured {
  double depth = 0, creep = 0;  // [m], [m/s]
};

// Its mass is in the plane that it lies on, so that friction does not tip it and all four corners
// carry as much.
Measured RunInMuJoCo(const Slope& slope) {
  const std::string contact = fmt::format(
      "friction='{} 0.005 0.0001' solref='{} {}' solimp='{} {} {}'", slope.friction,
      slope.solref[0], slope.solref[1], slope.solimp[0], slope.solimp[1], slope.solimp[2]);
  const std::string xml = fmt::format(
      "<mujoco><option timestep='0.001' cone='{}' impratio='{}' gravity='{} 0 {}' "
      "tolerance='1e-14' "
      "iterations='200'/><worldbody><geom type='plane' size='5 5 1' {}/>"
      "<body pos='0 0 0.02'><freejoint/>"
      "<inertial pos='0 0 -0.02' mass='{}' diaginertia='0.02 0.02 0.02'/>"
      "<geom type='box' size='0.1 0.1 0.02' {}/></body></worldbody></mujoco>",
      slope.elliptic ? "elliptic" : "pyramidal", slope.impratio, slope.down(), -slope.into(),
      contact, slope.mass, contact);
  const TempFolder folder;
  WriteText(folder.path("slope.xml"), xml);
  char error[500] = "";
  mjModel* m = mj_loadXML(folder.path("slope.xml").c_str(), nullptr, error, sizeof error);
  EXPECT_NE(m, nullptr) << error;
  if (m == nullptr) return {};
  mjData* d = mj_makeData(m);
  constexpr int kSettle = 4000, kMeasure = 500;
  for (int i = 0; i < kSettle; ++i) mj_step(m, d);
  const double from = d->qpos[0];
  for (int i = 0; i < kMeasure; ++i) mj_step(m, d);
  const Measured measured{0.02 - d->qpos[2], (d->qpos[0] - from) / (kMeasure * 1e-3)};
  mj_deleteData(d);
  mj_deleteModel(m);
  return measured;
}

TEST(DialectOfMuJoCo, DepthAndCreepAreThoseOfTheEngine) {
  std::mt19937 random(7);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0; i < 12; ++i) {
    Slope slope;
    slope.mass = between(0.3, 4);
    slope.friction = between(0.4, 1);
    slope.angle = std::atan(slope.friction * between(0.1, 0.85));
    slope.impratio = between(1, 8);
    slope.solref = {between(0.01, 0.03), between(0.7, 1.3)};
    slope.solimp = {between(0.6, 0.9), between(0.9, 0.97), between(1e-3, 4e-3)};
    slope.elliptic = i % 2 == 0;
    SCOPED_TRACE(fmt::format("{} {}", i, slope.elliptic ? "elliptic" : "pyramidal"));

    DialectContact at;
    at.fn = slope.mass * slope.into() / 4;
    at.ft = slope.mass * slope.down() / 4;
    at.inverse_mass = 1 / slope.mass;
    at.time_step = 1e-3;
    const Dialect& dialect = *FindDialect(slope.elliptic ? "mujoco" : "mujoco-pyramidal");
    const auto values = ParseDialectValues(
        dialect, fmt::format("solref=\"{} {}\" solimp=\"{} {} {}\" friction={} impratio={}",
                             slope.solref[0], slope.solref[1], slope.solimp[0], slope.solimp[1],
                             slope.solimp[2], slope.friction, slope.impratio));
    ASSERT_TRUE(values.ok());
    DialectRows rows;
    const DialectContact card = dialect.from(*values, at, DialectKeep::kRest, &rows);
    const Measured measured = RunInMuJoCo(slope);
    EXPECT_NEAR(at.fn / *card.k / measured.depth, 1, 1e-4);
    EXPECT_NEAR(CalcCreep(card) / measured.creep, 1, 1e-4);
  }
}

}  // namespace
}  // namespace slip
