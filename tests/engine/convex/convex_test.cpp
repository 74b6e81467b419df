// The solver against closed forms, finite differences and its own promises.
#include "engine/convex/convex.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/convex/convex_params.h"
#include "engine/convex/start_state.h"
#include "engine/convex/task_builder.h"
#include "engine/method/mouse_spring.h"
#include "engine/sim/method_list.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

constexpr int kRigidLimit = static_cast<int>(method_id::kAnitescu);

// A = I, J = I, one contact.
ContactProblem Identity(int model) {
  ContactProblem p;
  p.task.h = 0.01;
  p.task.model.contact_model = model;
  p.task.AddTree(3);
  p.task.Resize();
  for (int i = 0; i < 3; ++i) p.task.A[static_cast<std::size_t>(4 * i)] = 1;
  auto& contact = p.task.AddContact(-1, 0);
  for (int i = 0; i < 3; ++i) p.task.J[static_cast<std::size_t>(4 * i)] = 1;
  contact.start.h = 0.01;
  contact.start.mu = 0.5;
  contact.start.phi0 = -2e-3;
  contact.start.law = {.k = 1e4, .k_hertz = 1e6, .d = 0.5, .tau = 0.02};
  p.task.CalcDelassus(&contact);
  return p;
}

TEST(ConvexSolver, ConditionNumberOfSection8) {
  // H = diag(1001, 1001, 2.1) at v_c = 0 when v* carries exactly the contact's impulse
  ContactProblem p = Identity(1);
  p.task.v_star << 0, 0, -0.2;
  ConvexSolver solver;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  EXPECT_NEAR(p.solution.v.norm(), 0, 1e-15);
  EXPECT_EQ(p.solution.record.iterations, 0);
  EXPECT_NEAR(p.solution.record.condition_number, 476.666667, 1e-6);
}

TEST(ConvexSolver, DelassusEstimates12_4) {
  ContactProblem p = Identity(0);
  EXPECT_NEAR(p.task.contacts[0].start.w, std::sqrt(3.0) / 3, 1e-15);
  // free solid sphere on a plane, m = 0.5235987756
  Body sphere;
  sphere.SetJoint(JointKind::kFree);
  sphere.mass = 0.5235987756;
  sphere.inertia_B = Vec3::Constant(0.4 * sphere.mass * 0.05 * 0.05);
  sphere.points_B = {Vec3::Zero()};
  sphere.point_radius = 0.05;
  sphere.X_WB.p.z() = 0.05;
  Model model;
  model.bodies = {sphere};
  model.surfaces = {Surface{}};
  const auto shared = Finish(model);
  Config config = BeltConfig(method_id::kSap, 1e-2);
  const State start = MakeStartState(*shared, config);
  const Vec6 at_rest = Vec6::Zero();
  TaskBuilder().Build(
      {.model = *shared, .config = config, .start = start, .V_WB = std::span(&at_rest, 1)},
      &p.task);
  EXPECT_NEAR(p.task.contacts[0].start.w, 3.21477226743, 1e-11 * 3.2);
}

TEST(ConvexSolver, NoContactIsFreeMotion) {
  ContactProblem p;
  p.task.AddTree(2);
  p.task.Resize();
  p.task.A = {2, 0, 0, 2};
  p.task.v_star << 3, -4;
  ConvexSolver solver;
  ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  EXPECT_EQ(p.solution.v, p.task.v_star);
}

// Random problems of several trees and contacts between them.
ContactProblem RandomProblem(std::mt19937_64* engine, int model, int law) {
  std::uniform_real_distribution<double> u(-1, 1);
  const auto random = [&] { return u(*engine); };
  ContactProblem p;
  p.task.h = 0.01;
  p.task.model.contact_model = model;
  p.task.model.normal_law = law;
  // the rigid limit is conditioned 1e6 times worse: 1e-10 would be below its round-off
  p.settings.tolerance = model == kRigidLimit ? 1e-8 : 1e-10;
  for (int t = 0; t < 3; ++t) p.task.AddTree(3 + t);
  p.task.Resize();
  for (const auto& tree : p.task.trees) {
    const MatrixX B = MatrixX::NullaryExpr(tree.nv, tree.nv, random);
    const MatrixX A = B * B.transpose() + MatrixX::Identity(tree.nv, tree.nv);
    for (int r = 0; r < tree.nv; ++r) {
      for (int c = 0; c < tree.nv; ++c) {
        p.task.A[static_cast<std::size_t>(tree.A_offset + r * tree.nv + c)] = A(r, c);
      }
    }
  }
  p.task.v0 = VectorX::NullaryExpr(p.task.nv, random) * 0.1;
  p.task.v_star = p.task.v0 + VectorX::NullaryExpr(p.task.nv, random);
  const bool barrier = law >= 3;
  // Similar on a steep barrier and the rigid limit are needle-sharp cones: Newton zigzags across
  // them for hundreds of iterations. The minimum is there all the same.
  if (barrier || model == kRigidLimit) p.settings.max_iterations = 5000;
  for (int i = 0; i < 6; ++i) {
    const int b = i % 3, a = i < 3 ? -1 : (b + 1) % 3;
    auto& contact = p.task.AddContact(a, b);
    const std::size_t begin =
        static_cast<std::size_t>(a < 0 ? contact.J_b : std::min(contact.J_a, contact.J_b));
    for (std::size_t j = begin; j < p.task.J.size(); ++j) p.task.J[j] = random();
    contact.start.h = p.task.h;
    contact.start.mu = 0.5 + 0.5 * random();
    contact.start.phi0 = barrier ? 0.01 + 0.005 * random() : 1e-3 * random();
    contact.start.vn0 = 0.1 * random();
    contact.start.law = {1e4, 1e6, 1, 0.01, 0.1, 0.02};
    p.task.CalcDelassus(&contact);
  }
  return p;
}

TEST(ConvexSolver, EveryModelAndLawSatisfiesMomentumBalance) {
  std::mt19937_64 engine(7);
  ConvexSolver solver;
  for (int model = 0; model < kContactModelCount; ++model) {
    for (int law = 0; law < kNormalLawCount; ++law) {
      for (int trial = 0; trial < 20; ++trial) {
        ContactProblem p = RandomProblem(&engine, model, law);
        ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << model << " " << law << " " << trial;
        // A (v − v*) = Jᵀγ, with dense algebra of its own
        VectorX balance = VectorX::Zero(p.task.nv);
        double scale = 0;
        for (const auto& tree : p.task.trees) {
          const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> A(
              p.task.A.data() + tree.A_offset, tree.nv, tree.nv);
          balance.segment(tree.start, tree.nv) =
              A * (p.solution.v - p.task.v_star).segment(tree.start, tree.nv);
        }
        scale = balance.norm();
        for (std::size_t i = 0; i < p.task.contacts.size(); ++i) {
          const auto& c = p.task.contacts[i];
          const std::pair<int, int> sides[] = {{c.tree_a, c.J_a}, {c.tree_b, c.J_b}};
          for (const auto& [t, offset] : sides) {
            if (t < 0) continue;
            const auto& tree = p.task.trees[static_cast<std::size_t>(t)];
            const Eigen::Map<const Eigen::Matrix<double, 3, -1, Eigen::RowMajor>> J(
                p.task.J.data() + offset, 3, tree.nv);
            balance.segment(tree.start, tree.nv) -= J.transpose() * p.solution.impulses[i];
          }
        }
        EXPECT_LT(balance.norm(), 1e-7 * (1 + scale)) << model << " " << law;
        // the Hessian is symmetric and positive definite
        const MatrixX& H = solver.hessian();
        EXPECT_LT((H - H.transpose()).norm(), 1e-12 * H.norm());
        EXPECT_GT(test::CalcEigenvalues(H)[0], 0);
        // cost never rises
        for (int i = 1; i < p.solution.record.recorded; ++i) {
          const double before = p.solution.record.history[static_cast<std::size_t>(i - 1)].cost;
          const double after = p.solution.record.history[static_cast<std::size_t>(i)].cost;
          EXPECT_LE(after, before + 1000 * 2.2e-16 * std::max(1.0, std::abs(before)));
        }
      }
    }
  }
}

TEST(ConvexSolver, BacktrackingFindsTheSameMinimum) {
  std::mt19937_64 engine(11);
  ConvexSolver solver;
  for (int model = 0; model < kContactModelCount; ++model) {
    if (model == kRigidLimit) continue;  // the rigid limit needs the exact search
    ContactProblem exact = RandomProblem(&engine, model, 0);
    ContactProblem armijo = exact;
    armijo.settings.backtracking = true;
    armijo.settings.max_iterations = 1000;
    ASSERT_EQ(solver.Solve(&exact), SolveStatus::kConverged);
    ASSERT_EQ(solver.Solve(&armijo), SolveStatus::kConverged) << model;
    EXPECT_LT((exact.solution.v - armijo.solution.v).norm(), 1e-6 * exact.solution.v.norm())
        << model;
  }
}

TEST(ConvexSolver, BarrierRefusesAnOverlap) {
  ContactProblem p = Identity(1);
  p.task.model.normal_law = 3;
  p.task.contacts[0].start.law.kappa = 0.1;
  ConvexSolver solver;
  EXPECT_EQ(solver.Solve(&p), SolveStatus::kInfeasible);
  EXPECT_EQ(solver.culprit(), 0);
}

TEST(ConvexSolver, NotFiniteIsReported) {
  ContactProblem p = Identity(0);
  p.task.v_star[1] = std::nan("");
  ConvexSolver solver;
  EXPECT_EQ(solver.Solve(&p), SolveStatus::kNotFinite);
}

// Contacts that hold nothing along t1 and t2, where the inertia is to blame.
ContactProblem Indefinite(int model, std::vector<double> A) {
  ContactProblem p = Identity(model);
  p.task.A = std::move(A);
  p.task.contacts[0].start.mu = 0;
  p.task.v_star << 0.1, -0.3, -1;
  return p;
}

TEST(ConvexSolver, IndefiniteInertiaIsReported) {
  const std::vector<double> kInertias[] = {
      {1, 2, 0, 2, 1, 0, 0, 0, 1}, {1, 0, 0, 0, -1, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 0, 0, 0, 1}};
  for (int model = 0; model < kContactModelCount; ++model) {
    for (const SolverId method : {SolverId::kAuto, SolverId::kPlain}) {
      ConvexSolver solver;
      for (const std::vector<double>& A : kInertias) {
        ContactProblem p = Indefinite(model, A);
        p.settings.solver = method;
        EXPECT_EQ(solver.Solve(&p), SolveStatus::kFactorizationFailed)
            << Info(static_cast<MethodId>(model)).id << " " << static_cast<int>(method);
        EXPECT_EQ(solver.culprit(), -1);
        // nothing that could be taken for a solution
        EXPECT_EQ(p.solution.v, p.task.v0);
        EXPECT_EQ(p.solution.impulses[0], Vec3::Zero());
        EXPECT_FALSE(p.solution.record.converged);
        EXPECT_TRUE(std::isfinite(p.solution.record.cost));
        EXPECT_TRUE(std::isfinite(p.solution.record.momentum_residual));
      }
      // and the solver is as good as new
      ContactProblem sound = Indefinite(model, {1, 0.5, 0, 0.5, 1, 0, 0, 0, 1});
      sound.settings.solver = method;
      EXPECT_EQ(solver.Solve(&sound), SolveStatus::kConverged);
    }
  }
}

// Singular to round-off is no error.
TEST(ConvexSolver, NearlySingularInertiaIsSolved) {
  ContactProblem p = Indefinite(0, {1, 1, 0, 1, 1 + 1e-14, 0, 0, 0, 1});
  ConvexSolver solver;
  EXPECT_EQ(solver.Solve(&p), SolveStatus::kConverged);
  EXPECT_TRUE(p.solution.v.allFinite());
}

// A cost so large that a step does not change its last digit, far from the minimum.
TEST(ConvexSolver, RoundOffOfTheCostIsNoConvergence) {
  for (const int model : {4, 5}) {
    ContactProblem p;
    p.task.model.contact_model = model;
    p.settings.solver = SolverId::kPlain;
    p.task.AddTree(2);
    p.task.Resize();
    p.task.A = {1, 0, 0, 1};
    p.task.v0 << 1, 1;
    auto& grazing = p.task.AddContact(-1, 0);
    grazing.bias.y() = -8e16;
    grazing.start.mu = 0.5;
    auto& other = p.task.AddContact(-1, 0);
    other.start.phi0 = -9e-4;
    p.task.J = {-4e7, 0, 0, -1, 0, 1, 0, 0, 0, 0, 0, 0.09};
    for (auto& contact : p.task.contacts) p.task.CalcDelassus(&contact);
    ConvexSolver solver;
    ASSERT_EQ(solver.Solve(&p), SolveStatus::kConverged) << model;
    EXPECT_LT(p.solution.record.momentum_residual, 1e-6) << model;
  }
}

TEST(ConvexSolver, OverflowIsReported) {
  // residuals are finite, the momentum that they are measured by is not
  ContactProblem p = Identity(0);
  p.task.v_star << 0, 0, 1e160;
  p.task.v0 << 0, 0, 1e160 - 1e150;
  ConvexSolver solver;
  EXPECT_EQ(solver.Solve(&p), SolveStatus::kNotFinite);
}

TEST(Materials, Combine5_4) {
  Material soft, hard;
  soft.stiffness = 1e4;
  soft.dissipation = 2;
  soft.relaxation_time = 0.01;
  soft.friction = 0.4;
  hard.stiffness = 3e4;
  hard.dissipation = 6;
  hard.relaxation_time = 0.02;
  hard.friction = 1.2;
  const Material both = CombineMaterials(soft, hard);
  EXPECT_NEAR(both.stiffness, 7500, 1e-9);
  EXPECT_NEAR(both.dissipation, 0.75 * 2 + 0.25 * 6, 1e-12);
  EXPECT_NEAR(both.relaxation_time, 0.03, 1e-15);
  EXPECT_NEAR(both.friction, 0.6, 1e-15);
  hard.friction = soft.friction = 0;
  EXPECT_EQ(CombineMaterials(soft, hard).friction, 0);
}

TEST(Simulation, StepAllocatesNothingAfterWarmUp) {
  for (int model = 0; model < kMethodCount; ++model) {
    const MethodInfo& method = Info(static_cast<MethodId>(model));
    // a step that is refused has a sentence, which takes memory
    const double h = method.stable_step != nullptr ? 1e-5 : 1e-3;
    Config config = BeltConfig(static_cast<MethodId>(model), h);
    config.step.solver_tolerance = 1e-6;
    config.surfaces[0].belt_amplitude = 0.2;
    config.surfaces[0].belt_frequency = 1;
    Simulation sim(BoxOnBelt(JointKind::kXZ, -9.81e-7), config);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    const AllocGuard guard;
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(Advanced(sim.Step()));
    EXPECT_EQ(guard.count(), 0u) << method.id;
  }
}

TEST(Simulation, SameInputSameBits) {
  uint64_t first = 0;
  for (int run = 0; run < 2; ++run) {
    Config config = BeltConfig(method_id::kSimilar, 1e-3);
    config.surfaces[0].belt_amplitude = 0.2;
    config.surfaces[0].belt_frequency = 1;
    Simulation sim(BoxOnBelt(), config);
    for (int i = 0; i < 700; ++i) (void)sim.Step();
    if (run == 0) first = Hash(sim.state());
    EXPECT_EQ(Hash(sim.state()), first);
  }
}

TEST(Simulation, FailedStepLeavesTheStateAndNamesTheBody) {
  Config config = BeltConfig(method_id::kLagged, 1e-3);
  Simulation sim(BoxOnBelt(JointKind::kXZ, -1e-6), config);
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  config.step.part<ConvexParams>().normal_law = static_cast<int>(NormalLawId::kLogBarrier);
  sim.SetConfig(config);
  const uint64_t before = Hash(sim.state());
  EXPECT_EQ(sim.Step(), StepStatus::kInfeasible);
  EXPECT_EQ(Hash(sim.state()), before);
  EXPECT_NE(sim.failure().find("'box'"), std::string::npos) << sim.failure();
  config.step.part<ConvexParams>().normal_law = 0;
  sim.SetConfig(config);
  sim.ClearFailure();
  EXPECT_EQ(sim.Step(), StepStatus::kConverged);
}

TEST(Simulation, NegativeMomentOfInertiaIsExplained) {
  Body ball;
  ball.name = "ball";
  ball.SetJoint(JointKind::kFree);
  ball.inertia_B = Vec3(1e-3, -1e-4, 1e-3);
  // turned, its inertia about the axes of the world is positive
  ball.X_WB = {Vec3(0, 0, 0.05 - 1e-6), Quat(Eigen::AngleAxisd(0.785, Vec3::UnitZ()))};
  ball.points_B = {Vec3::Zero()};
  ball.point_radius = 0.05;
  Model model;
  model.bodies = {ball};
  model.surfaces = {Surface{}};
  Config config = BeltConfig(method_id::kSap, 1e-3);
  config.materials[0].friction = 0;
  Simulation sim(Finish(model), config);
  const uint64_t before = Hash(sim.state());
  EXPECT_EQ(sim.Step(), StepStatus::kFactorizationFailed);
  EXPECT_EQ(Hash(sim.state()), before);
  EXPECT_NE(sim.failure().find("body 'ball': the inertia is not positive definite"),
            std::string::npos)
      << sim.failure();
  ChannelFrame frame;
  sim.Fill(&frame);
  EXPECT_EQ(frame.state, ChannelState::kFailed);
  EXPECT_TRUE(frame.bodies[0].V_WB.allFinite());
}

TEST(Simulation, GrabHoldsTheBodyAtItsAnchor) {
  Config config = BeltConfig(method_id::kSap, 1e-2);
  Simulation sim(BoxOnBelt(JointKind::kFree, 0.5), config);
  // critically damped at 4 Hz, strong enough to carry the weight
  const double w = 2 * 3.14159265358979 * 4;
  config.grab = {0, Vec3(0, 0, 0), Vec3(0.1, 0, 1), w * w, 2 * w, 98.1};
  sim.SetConfig(config);
  ASSERT_TRUE(RunTo(&sim, 3));
  const Vec3 p = sim.state().X_WB[0].p;
  EXPECT_NEAR(p.x(), 0.1, 1e-6);
  EXPECT_NEAR(p.z(), 1 - 9.81 / (w * w), 1e-6);  // sags by m g / k
  EXPECT_NEAR(sim.now().grab_force_W.z(), 9.81, 1e-6);
}

TEST(Simulation, TwistTurnsTheBodyAndPaysForIt) {
  Config config = BeltConfig(method_id::kSap, 1e-3);
  config.step.gravity = 0;
  Simulation sim(BoxOnBelt(JointKind::kFree, 0.5), config);
  const Body& body = sim.model().bodies[0];
  const double inertia = body.inertia_B.sum() / 3;
  config.grab = TwistSpring(MouseSpring(body.mass, 9.81), body.mass, inertia, 0.05);
  config.grab.body = 0;
  config.grab.q_WA = Quat(Eigen::AngleAxisd(1.2, Vec3(0.6, 0, 0.8)));
  sim.SetConfig(config);
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  // the torque of the first step: from rest, about the axis asked for
  const Vec3 first = sim.now().grab_force_W;
  EXPECT_GT(first.normalized().dot(Vec3(0.6, 0, 0.8)), 0.9999);
  EXPECT_LE(first.norm(), config.grab.force_limit * (1 + 1e-9));
  ASSERT_TRUE(RunTo(&sim, 3));
  EXPECT_LT(sim.state().X_WB[0].q.angularDistance(config.grab.q_WA), 1e-6);
  EXPECT_LT(sim.now().grab_force_W.norm(), 1e-6);
  EXPECT_GT(sim.now().signals[static_cast<std::size_t>(Signal::kDriveWork)], 0);
}

}  // namespace
}  // namespace slip::test
