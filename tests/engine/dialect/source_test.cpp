// Numbers of a contact as the files and calls of other engines have them.
#include <gtest/gtest.h>

#include "engine/dialect/dialect.h"

namespace slip {
namespace {

std::string SourceOf(std::string_view id) {
  DialectContact contact;
  contact.k = 1e6;
  contact.c = 100;
  contact.c_t = 2e6;
  contact.friction = 0.5;
  contact.fn = 9.66;
  contact.ft = 1.7;
  contact.inverse_mass = 0.667;
  const Dialect& dialect = *FindDialect(id);
  return FormatForEngine(dialect, dialect.to(contact, DialectKeep::kRest), "a:b");
}

TEST(DialectSource, EachEngineInItsSyntax) {
  const std::string mjcf = SourceOf("mujoco");
  EXPECT_EQ(mjcf.rfind("<!-- MuJoCo, elliptic cones: a:b -->\n<option impratio=\"", 0), 0u) << mjcf;
  EXPECT_NE(mjcf.find("cone=\"elliptic\"/>\n<geom solref=\"-"), mjcf.npos) << mjcf;
  const std::string sdf = SourceOf("sdf");
  EXPECT_NE(sdf.find("<contact><ode><kp>2000000</kp><kd>50</kd></ode></contact>"), sdf.npos) << sdf;
  EXPECT_NE(sdf.find("<mu>0.5</mu><mu2>0.5</mu2><slip1>5e-07</slip1><slip2>5e-07</slip2>"),
            sdf.npos)
      << sdf;
  const std::string bullet = SourceOf("bullet");
  EXPECT_NE(bullet.find("p.changeDynamics(body, link, contactStiffness=1000000, "
                        "contactDamping=99.9, lateralFriction=0.707106781)"),
            bullet.npos)
      << bullet;
  EXPECT_NE(bullet.find("# creep: "), bullet.npos) << bullet;
  const std::string newton = SourceOf("newton");
  EXPECT_NE(newton.find("ke = 1000000  # N/m\n"), newton.npos) << newton;
}

TEST(DialectSource, NothingIsLeftOut) {
  for (const Dialect& dialect : Dialects()) {
    DialectContact contact;
    contact.k = 1e6;
    contact.glides = contact.before_touch = true;
    const DialectRows rows = dialect.to(contact, DialectKeep::kRest);
    const std::string text = FormatForEngine(dialect, rows, "a:b");
    for (const DialectRow& row : rows) {
      if (row.values.empty() && row.word.empty()) {
        EXPECT_NE(text.find(row.name + ": " + row.note), text.npos) << text;
      } else {
        EXPECT_NE(text.find(row.ValueText(9)), text.npos) << dialect.id << " " << row.name << text;
      }
    }
  }
}

}  // namespace
}  // namespace slip
