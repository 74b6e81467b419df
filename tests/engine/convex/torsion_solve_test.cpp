// Contacts with torsion beside contacts without, against the dense oracle.
#include <gtest/gtest.h>

#include <random>

#include "engine/convex/convex.h"
#include "engine/convex/problem_file.h"
#include "engine/sim/method_list.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/dense_oracle.h"
#include "tests/support/pile.h"

namespace slip::test {
namespace {

constexpr int kAnitescuModel = static_cast<int>(method_id::kAnitescu);
constexpr PileState kPileStates[] = {PileState::kFirstImpact, PileState::kMidFall,
                                     PileState::kResting};

ContactProblem SpinningPile(int model, PileState state, int bodies = 40) {
  PileSpec spec;
  spec.bodies = bodies;
  spec.model = model;
  spec.state = state;
  spec.torsional_friction = 0.02;
  ContactProblem p = MakePile(spec);
  // the rigid limit is conditioned 1e6 times worse
  p.settings.tolerance = model == kAnitescuModel ? 1e-9 : 1e-12;
  return p;
}

std::string_view ModelName(int model) { return MethodIds()[static_cast<std::size_t>(model)]; }

TEST(TorsionSolve, AgreesWithTheDenseOracle) {
  ConvexSolver solver;
  for (int model = 0; model < kContactModelCount; ++model) {
    for (const PileState state : kPileStates) {
      ContactProblem p = SpinningPile(model, state);
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << ModelName(model);
      const OracleSolution oracle = SolveDense(p.task, p.solution.v, 1e-13, 4);
      EXPECT_LE(oracle.residual, model == kAnitescuModel ? 1e-8 : 1e-10) << ModelName(model);
      EXPECT_LT((p.solution.v - oracle.v).norm(), 1e-9 * oracle.v.norm()) << ModelName(model);
      EXPECT_LT((solver.hessian() - oracle.hessian).norm(), 1e-6 * oracle.hessian.norm());
      EXPECT_EQ(p.solution.record.fallbacks, 0) << ModelName(model);
      EXPECT_LE(p.solution.record.iterations, 45) << ModelName(model);
      // the budget of each, and that torsion does something
      int loaded = 0;
      for (std::size_t i = 0; i < p.task.contacts.size(); ++i) {
        const ContactStart& start = p.task.contacts[i].start;
        const double torque = p.solution.spin_impulses[i];
        if (start.mu_w == 0) {
          EXPECT_EQ(torque, 0);
          continue;
        }
        loaded += torque != 0;
        if (model == 1 || model == 2) continue;  // Lagged's bound is that of the step before
        const Vec3& gamma = p.solution.impulses[i];
        const double used = std::hypot(gamma.head<2>().norm() / start.mu, torque / start.mu_w);
        EXPECT_LE(used, gamma.z() * (1 + 1e-9) + 1e-12) << ModelName(model);
      }
      EXPECT_GT(loaded, 0);
    }
  }
}

TEST(TorsionSolve, AllMethodsAgree) {
  ConvexSolver solver;
  for (int model = 0; model < kContactModelCount; ++model) {
    if (model == kAnitescuModel) continue;  // plain Newton does not get there
    for (const PileState state : kPileStates) {
      ContactProblem fast = SpinningPile(model, state);
      fast.settings.tolerance = 1e-10;
      ContactProblem plain = fast, warm = fast, backtracking = fast;
      plain.settings.solver = SolverId::kPlain;
      plain.settings.max_iterations = 300;
      backtracking.settings.backtracking = true;
      for (auto& contact : warm.task.contacts) contact.warm = true;
      for (ContactProblem* p : {&fast, &plain, &warm, &backtracking}) {
        ASSERT_EQ(solver.Solve(p), SolveStatus::kConverged) << ModelName(model);
        EXPECT_LT((p->solution.v - fast.solution.v).norm(), 1e-6 * fast.solution.v.norm())
            << ModelName(model);
      }
    }
  }
}

TEST(TorsionSolve, ThreadsAndIterationGiveTheSame) {
  WorkerPool pool(3);
  for (const int model : {0, 1, 3}) {
    ContactProblem alone = SpinningPile(model, PileState::kMidFall, 400), shared = alone;
    ContactProblem iterative = alone;
    ConvexSolver one, many, products;
    many.SetWorkers(&pool);
    products.SetExpensiveFill(0);
    ASSERT_EQ(one.Solve(&alone), SolveStatus::kConverged);
    ASSERT_EQ(many.Solve(&shared), SolveStatus::kConverged);
    ASSERT_EQ(products.Solve(&iterative), SolveStatus::kConverged);
    EXPECT_EQ(alone.solution.v, shared.solution.v);
    EXPECT_EQ(alone.solution.spin_impulses, shared.solution.spin_impulses);
    EXPECT_LT((iterative.solution.v - alone.solution.v).norm(), 1e-8 * alone.solution.v.norm());
  }
}

TEST(TorsionSolve, ComesAndGoesWithoutAllocation) {
  ContactProblem p = SpinningPile(0, PileState::kMidFall);
  ConvexSolver solver;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  const VectorX with = p.solution.v;
  ContactProblem plain = p;
  for (auto& contact : plain.task.contacts) contact.start.mu_w = 0;
  ASSERT_EQ(solver.Solve(&plain), SolveStatus::kConverged);
  // as if there had never been a fourth row
  PileSpec spec;
  ContactProblem never = MakePile(spec);
  never.settings.tolerance = 1e-12;
  ConvexSolver fresh;
  ASSERT_EQ(fresh.Solve(&never), SolveStatus::kConverged);
  EXPECT_EQ(plain.solution.v, never.solution.v);
  EXPECT_TRUE(plain.solution.spin_impulses.empty());
  EXPECT_GT((with - never.solution.v).norm(), 1e-3);
  const AllocGuard guard;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  EXPECT_EQ(p.solution.v, with);
  ASSERT_EQ(solver.Solve(&plain), SolveStatus::kConverged);
  EXPECT_EQ(guard.bytes(), 0u);
}

// Trees of other sizes than six, both kinds of contact between them.
TEST(TorsionSolve, TreesOfAnySize) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> u(-1, 1);
  const auto random = [&] { return u(engine); };
  ConvexSolver solver;
  for (int model = 0; model < kContactModelCount; ++model) {
    for (int trial = 0; trial < 10; ++trial) {
      ContactProblem p;
      p.task.h = 0.01;
      p.task.model.contact_model = model;
      p.settings.tolerance = model == kAnitescuModel ? 1e-8 : 1e-10;
      if (model == kAnitescuModel) p.settings.max_iterations = 5000;
      for (const int nv : {4, 6, 9}) p.task.AddTree(nv);
      p.task.Resize();
      for (const auto& tree : p.task.trees) {
        const MatrixX B = MatrixX::NullaryExpr(tree.nv, tree.nv, random);
        Eigen::Map<MatrixX>(p.task.A.data() + tree.A_offset, tree.nv, tree.nv) =
            B * B.transpose() + MatrixX::Identity(tree.nv, tree.nv);
      }
      p.task.v0 = VectorX::NullaryExpr(p.task.nv, random) * 0.1;
      p.task.v_star = p.task.v0 + VectorX::NullaryExpr(p.task.nv, random);
      for (int i = 0; i < 6; ++i) {
        const int b = i % 3, a = i < 3 ? -1 : (b + 1) % 3, rows = i % 2 == trial % 2 ? 4 : 3;
        const std::size_t begin = p.task.J.size();
        auto& contact = p.task.AddContact(a, b, -1, rows);
        for (std::size_t j = begin; j < p.task.J.size(); ++j) p.task.J[j] = random();
        contact.start.h = p.task.h;
        contact.start.mu = 0.6 + 0.4 * random();
        contact.start.mu_w = rows == 4 ? 0.3 : 0;
        contact.start.phi0 = 1e-3 * random();
        contact.start.vn0 = 0.1 * random();
        contact.start.law = {1e4, 1e6, 1, 0.01, 0.1, 0.02};
        p.task.CalcDelassus(&contact);
      }
      ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << ModelName(model) << " " << trial;
      const OracleSolution oracle = SolveDense(p.task, p.solution.v, 1e-13, 6);
      EXPECT_LT((p.solution.v - oracle.v).norm(), 1e-6 * oracle.v.norm()) << ModelName(model);
      EXPECT_LT((solver.hessian() - oracle.hessian).norm(), 1e-5 * oracle.hessian.norm());
      double scaled = 0, raw = 0;
      CalcDenseCondition(p.task, solver.hessian(), &scaled, &raw);
      EXPECT_NEAR(p.solution.record.condition_number, scaled, 1e-6 * scaled);
    }
  }
}

TEST(TorsionSolve, ProblemFileKeepsTheRowOfSpin) {
  ContactProblem p = SpinningPile(3, PileState::kMidFall);
  ConvexSolver solver;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  Result<ProblemFile> file = ReadProblemText(FormatProblem(p), "p.json");
  ASSERT_TRUE(file.ok()) << file.error().Text();
  ContactProblem& read = file.value().problem;
  EXPECT_EQ(read.solution.spin_impulses, p.solution.spin_impulses);
  ASSERT_EQ(solver.Solve(&read), SolveStatus::kConverged);
  EXPECT_EQ(read.solution.v, p.solution.v);
  const auto apply = [&](std::string_view assignment) {
    const Status status = ApplyProblemAssignment(&read.task, &read.settings, assignment);
    return status.ok() ? std::string() : status.error().message;
  };
  EXPECT_EQ(apply("torsional_friction=0"), "");
  ASSERT_EQ(solver.Solve(&read), SolveStatus::kConverged);
  EXPECT_TRUE(read.solution.spin_impulses.empty());
  EXPECT_NE(apply("torsional_friction=1cm").find("no row of spin"), std::string::npos);
}

TEST(TorsionSolve, ProblemFileRefusesTorsionWithoutFriction) {
  const std::string text =
      R"({"schema":"slipscope.problem/1","model":"sap","time_step":0.01,)"
      R"("trees":[{"nv":2,"A":[1,0,0,1],"v0":[0,0],"v_star":[0,0]}],)"
      R"("contacts":[{"tree_a":-1,"tree_b":0,"J_a":[],"J_b":[0,0,0,0,1,0,0,1],"bias":[0,0,0],)"
      R"("signed_distance":0,"stiffness":1e6,"friction":0,"torsional_friction":0.01}]})";
  const Result<ProblemFile> file = ReadProblemText(text, "p.json");
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().Text().find("friction must be > 0 where torsional_friction is"),
            std::string::npos);
}

}  // namespace
}  // namespace slip::test
