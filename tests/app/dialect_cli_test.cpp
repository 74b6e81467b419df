// `slipscope dialect`: tables, JSON, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

const nlohmann::json* Find(const nlohmann::json& rows, const std::string& engine,
                           const std::string& name) {
  for (const auto& row : rows)
    if (row["engine"] == engine && row["name"] == name) return &row;
  return nullptr;
}

// What the belt's box would be in MuJoCo, and what that is here: the same stiffness again.
TEST(CliDialect, ThereAndBackAgain) {
  const ProgramResult to = RunProgram({"dialect", "conveyor", "--to", "mujoco", "--json"});
  ASSERT_EQ(to.exit, 0) << to.err;
  const auto rows = nlohmann::json::parse(to.out);
  const auto* solref = Find(rows, "mujoco", "solref");
  ASSERT_NE(solref, nullptr);
  const double K = (*solref)["value"][0], B = (*solref)["value"][1];
  const double k = (*Find(rows, "slipscope", "stiffness"))["value"];
  EXPECT_NEAR(-K / ((1 - 0.01) * k * double((*Find(rows, "state", "inverse mass"))["value"])), 1,
              1e-12);
  const std::string values =
      "solref=\"" + std::to_string(K) + " " + std::to_string(B) + "\" solimp=\"0.01 0.01\"";
  const ProgramResult from =
      RunProgram({"dialect", "conveyor", "--from", "mujoco", "--values", values, "--json"});
  ASSERT_EQ(from.exit, 0) << from.err;
  const auto back = nlohmann::json::parse(from.out);
  EXPECT_NEAR(double((*Find(back, "slipscope", "stiffness"))["value"]) / k, 1, 1e-9);
}

TEST(CliDialect, ATableSaysWhereItHolds) {
  const ProgramResult all =
      RunProgram({"dialect", "conveyor", "--to", "all", "--contact", "box:belt"});
  ASSERT_EQ(all.exit, 0) << all.err;
  EXPECT_EQ(all.out.rfind("belt:box at 1 s\n", 0), 0u) << all.out;
  for (const char* word :
       {"normal force", "solref", "soft_erp", "contactHertz", "friction_epsilon"})
    EXPECT_NE(all.out.find(word), std::string::npos) << word;
  const ProgramResult list = RunProgram({"list", "dialects", "--json"});
  ASSERT_EQ(list.exit, 0);
  EXPECT_GE(nlohmann::json::parse(list.out).size(), 10u);
}

// A link of two shapes is as heavy to a contact of either.
TEST(CliDialect, AShapeHasTheMassOfItsLink) {
  const TempFolder folder;
  WriteText(folder.path("foot.urdf"),
            "<robot name='r'><link name='foot'><inertial><mass value='2'/><inertia ixx='.01' "
            "iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/></inertial>"
            "<collision><origin xyz='.1 0 0'/><geometry><box size='.1 .1 .1'/></geometry>"
            "</collision><collision><origin xyz='-.1 0 0'/><geometry><sphere radius='.05'/>"
            "</geometry></collision></link></robot>");
  const ProgramResult done =
      RunProgram({"dialect", folder.path("foot.urdf"), "--to", "ode", "--json"});
  ASSERT_EQ(done.exit, 0) << done.err;
  const auto rows = nlohmann::json::parse(done.out);
  EXPECT_NEAR(double((*Find(rows, "state", "inverse mass"))["value"]), 0.5, 1e-12);
}

TEST(CliDialect, RefusesWithASentence) {
  const struct {
    std::vector<std::string> arguments;
    int exit;
    const char* says;
  } cases[] = {
      {{"dialect", "conveyor"}, 2, "one of --to and --from"},
      {{"dialect", "conveyor", "--to", "ode", "--from", "ode"}, 2, "one of --to and --from"},
      {{"dialect", "conveyor", "--to", "mujuco"}, 2, "did you mean 'mujoco'?"},
      {{"dialect", "conveyor", "--from", "mujoco", "--values", "solreff=1"},
       2,
       "did you mean 'solref'?"},
      {{"dialect", "conveyor", "--to", "ode", "--values", "mu=1"}, 2, "--from"},
      {{"dialect", "conveyor", "--to", "ode", "--contact", "a:b"}, 5, "belt:box"},
      {{"dialect", "falling-sphere", "--to", "ode", "--at", "0.001"},
       5,
       "--at takes another moment"},
      {{"dialect", "clutter", "--to", "ode", "--contact", "a:b"}, 5, " more)"},
      {{"dialect", "nowhere", "--to", "ode"}, 5, "no scene 'nowhere'"},
  };
  for (const auto& row : cases) {
    const ProgramResult refused = RunProgram(row.arguments);
    EXPECT_EQ(refused.exit, row.exit) << refused.err;
    EXPECT_NE(refused.err.find(row.says), std::string::npos) << row.says << ": " << refused.err;
    EXPECT_EQ(refused.out, "");
  }
}

}  // namespace
}  // namespace slip
