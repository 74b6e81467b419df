#include "engine/convex/problem_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/contact/contact_models.h"
#include "engine/convex/convex_formulation.h"
#include "tests/support/alloc_guard.h"

namespace slip {
namespace {

std::string Repeat(const std::string& text, int count, const std::string& between = ",") {
  std::string all = text;
  all.reserve((text.size() + between.size()) * static_cast<std::size_t>(count));
  // by doubling: some are long
  for (int have = 1; have < count;) {
    const int more = std::min(have, count - have);
    const std::size_t part = static_cast<std::size_t>(more) * (text.size() + between.size());
    all += between;
    all.append(all, 0, part - between.size());
    have += more;
  }
  return all;
}

std::string Problem(const std::string& trees, const std::string& contacts) {
  return R"({"schema":"slipscope.problem/1","model":"sap","time_step":0.01,"trees":[)" + trees +
         R"(],"contacts":[)" + contacts + "]}";
}

const std::string kTree = R"({"nv":1,"A":[2],"v0":[0],"v_star":[-0.1]})";
const std::string kContact =
    R"({"tree_a":-1,"tree_b":0,"J_a":[],"J_b":[0,0,1],"bias":[0,0,0],"signed_distance":0,)"
    R"("stiffness":1e6,"friction":0.5})";

struct Refused {
  std::string message;
  std::size_t bytes = 0;  ///< allocated on the way
};

Refused Refuse(const std::string& text) {
  const test::AllocGuard guard;
  const Result<ProblemFile> file = ReadProblemText(text, "p.json");
  const std::size_t bytes = guard.bytes();
  if (file.ok()) return {"accepted", bytes};
  return {file.error().Text(), bytes};
}

TEST(ProblemFile, ReadsTreesAndContacts) {
  const Result<ProblemFile> file =
      ReadProblemText(Problem(kTree + "," + kTree, kContact), "p.json");
  ASSERT_TRUE(file.ok()) << file.error().Text();
  EXPECT_EQ(file->problem.task.trees.size(), 2u);
  EXPECT_EQ(file->problem.task.contacts.size(), 1u);
  // w = |J A^-1 J^T| / 3
  EXPECT_DOUBLE_EQ(file->problem.task.contacts[0].start.w, 0.5 / 3);
}

// An inertia that cannot be inverted in double precision is refused, not carried on as infinity.
TEST(ProblemFile, MobilityMustBeFinite) {
  const std::string light = R"({"nv":1,"A":[1e-300],"v0":[0],"v_star":[0]})";
  EXPECT_NE(Refuse(Problem(light, kContact)).message.find("delassus must be <= 1e20"),
            std::string::npos)
      << Refuse(Problem(light, kContact)).message;
}

// A tree asks for nv^2 numbers: none of them are made before the file has shown them.
TEST(ProblemFile, TreesThatOnlyPromiseTheirNumbersCostNothing) {
  const Refused refused = Refuse(Problem(Repeat(R"({"nv":1000})", 250), ""));
  EXPECT_NE(refused.message.find("trees[0].A must be a list of 1000000 numbers"), std::string::npos)
      << refused.message;
  EXPECT_LT(refused.bytes, std::size_t{4} << 20);
  EXPECT_NE(Refuse(Problem(R"({"nv":2,"A":[1]})", "")).message.find("(found 1)"),
            std::string::npos);
}

TEST(ProblemFile, ContactsThatOnlyPromiseTheirNumbersCostNothing) {
  const int nv = 300;
  std::string A;
  for (int i = 0; i < nv * nv; ++i) A += (i > 0 ? "," : "") + std::string(i % (nv + 1) ? "0" : "1");
  const std::string zeros = Repeat("0", nv);
  const std::string tree =
      fmt::format(R"({{"nv":{},"A":[{}],"v0":[{}],"v_star":[{}]}})", nv, A, zeros, zeros);
  const std::string contact = R"({"tree_a":-1,"tree_b":0})";
  const Refused few = Refuse(Problem(tree, Repeat(contact, 1)));
  const Refused many = Refuse(Problem(tree, Repeat(contact, 2000)));
  EXPECT_NE(many.message.find("contacts[0].J_a"), std::string::npos) << many.message;
  EXPECT_LT(many.bytes, few.bytes + (std::size_t{8} << 20));
}

// Two bytes of text, a hundred of memory.
TEST(ProblemFile, CountsTheMillionsOfPartsOfADocumentLong) {
  const std::string lists = "[" + Repeat("[]", 5 << 20) + "]";
  EXPECT_NE(Refuse(lists).message.find("lists, objects and keys"), std::string::npos);
  const std::string numbers = "[" + Repeat("0", 17 << 20) + "]";
  EXPECT_NE(Refuse(numbers).message.find("numbers"), std::string::npos);
}

// What the convex step or a contact reads can be set on a recorded problem; the rest is part of its
// numbers.
TEST(ProblemFile, TakesEveryParameterThatAProblemHas) {
  const std::string contact =
      R"({"tree_a":-1,"tree_b":0,"J_a":[],"J_b":[0,0,1,1],"bias":[0,0,0],"signed_distance":0,)"
      R"("stiffness":1e6,"friction":0.5,"torsional_friction":0.01})";
  Result<ProblemFile> file = ReadProblemText(Problem(kTree, contact), "p.json");
  ASSERT_TRUE(file.ok()) << file.error().Text();
  const auto assign = [&](const ParamInfo& info, const std::string& path) {
    ContactProblem& problem = file.value().problem;
    const std::string text = path + "=" + FormatValue(info, info.max);
    return ApplyProblemAssignment(&problem.task, &problem.settings, text).ok();
  };
  for (const auto& row : ConvexParams::Table()) {
    const bool part = row.info.name != "turning";  // what turns is in its numbers
    EXPECT_EQ(assign(row.info, std::string(row.info.name)), part) << row.info.name;
  }
  for (const auto& row : IterationParamTable()) {
    const bool part = row.info.name != "lost_steps";  // what to do with one is no part of a step
    EXPECT_EQ(assign(row.info, std::string(row.info.name)), part) << row.info.name;
  }
  for (const auto& row : MaterialTable()) {
    const bool part = row.info.name != "damping";  // no convex model reads it
    EXPECT_EQ(assign(row.info, std::string(row.info.name)), part) << row.info.name;
    EXPECT_EQ(assign(row.info, "material.NAME." + std::string(row.info.name)), part);
  }
  for (const auto& row : CommonParamTable()) {
    // the last of the methods is no contact model
    EXPECT_EQ(assign(row.info, std::string(row.info.name)), row.info.name == "time_step")
        << row.info.name;
  }
  ContactProblem& problem = file.value().problem;
  EXPECT_TRUE(ApplyProblemAssignment(&problem.task, &problem.settings, "method=todorov").ok());
  const auto& [task, settings, solution] = file->problem;
  EXPECT_EQ(task.h, 0.1);
  EXPECT_EQ(task.model.contact_model, kContactModelCount - 1);
  EXPECT_EQ(task.model.normal_law, kNormalLawCount - 1);
  EXPECT_EQ(task.model.params.alpha, 10);
  EXPECT_EQ(settings.solver, SolverId::kPlain);
  EXPECT_TRUE(settings.backtracking);
  const ContactStart& start = task.contacts[0].start;
  EXPECT_EQ(start.h, 0.1);
  EXPECT_EQ(start.mu, 3);
  EXPECT_EQ(start.mu_w, 0.1);
  EXPECT_EQ(start.law.k, 1e14);
  EXPECT_EQ(start.law.kappa, 1e8);
  EXPECT_EQ(start.law.dh, 0.1);
}

}  // namespace
}  // namespace slip
