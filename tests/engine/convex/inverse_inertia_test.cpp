// w of contacts against dense algebra, for every form that an inertia has.
#include "engine/convex/inverse_inertia.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "engine/convex/convex_formulation.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

MatrixX InertiaOf(const ContactTask& task, const ContactTask::Tree& tree) {
  RowMatrix A(tree.nv, tree.nv);
  task.GetInertia(tree, A.data());
  return A;
}

/// The definition, for a contact of two trees at most.
double DenseDelassus(const ContactTask& task, const ContactTask::Contact& contact) {
  const auto inertia = [&](int t) {
    return InertiaOf(task, task.trees[static_cast<std::size_t>(t)]);
  };
  const auto rows = [&](int tree, int J) -> MatrixX {
    const int nv = task.trees[static_cast<std::size_t>(tree)].nv;
    return Eigen::Map<const RowMatrix>(task.J.data() + J, 3, nv);
  };
  MatrixX J_b(3, 0);
  if (contact.tree_b >= 0) {
    RowMatrix full(3, task.trees[static_cast<std::size_t>(contact.tree_b)].nv);
    task.GetRows(contact, 0, 3, full.data());
    J_b = full;
  }
  MatrixX W = MatrixX::Zero(3, 3);
  if (contact.tree_a == contact.tree_b) {
    const MatrixX J = J_b + rows(contact.tree_a, contact.J_a);
    W = J * inertia(contact.tree_a).inverse() * J.transpose();
  } else {
    if (contact.tree_b >= 0) W += J_b * inertia(contact.tree_b).inverse() * J_b.transpose();
    if (contact.tree_a >= 0) {
      const MatrixX J = rows(contact.tree_a, contact.J_a);
      W += J * inertia(contact.tree_a).inverse() * J.transpose();
    }
  }
  return W.norm() / 3;
}

/// Trees that are diagonal, a body, and full.
ContactTask RandomTask(unsigned seed) {
  std::mt19937 random(seed);
  const auto any = [&] { return std::uniform_real_distribution<double>(-1, 1)(random); };
  ContactTask task;
  for (const int nv : {3, 6, 6, 4}) task.AddTree(nv);
  task.Resize();
  for (std::size_t t = 0; t < task.trees.size(); ++t) {
    const ContactTask::Tree& tree = task.trees[t];
    Eigen::Map<RowMatrix> A(task.A.data() + tree.A_offset, tree.nv, tree.nv);
    MatrixX B(tree.nv, tree.nv);
    for (double& x : B.reshaped()) x = any();
    const MatrixX full = B * B.transpose() + MatrixX::Identity(tree.nv, tree.nv);
    if (t == 0) {
      A = full.diagonal().asDiagonal();
    } else if (t == 1) {
      A.topLeftCorner(3, 3) = full.topLeftCorner(3, 3);
      A.bottomRightCorner(3, 3) = 0.7 * Mat3::Identity();
    } else {
      A = full;
    }
  }
  for (const auto& [a, b] : {std::pair(-1, 0), {-1, 1}, {-1, 2}, {0, 1}, {1, 2}, {2, 3}, {3, 3}}) {
    task.AddContact(a, b);
  }
  for (double& x : task.J) x = any();
  return task;
}

TEST(InverseInertia, GivesWOfEveryForm) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactTask task = RandomTask(seed);
    InverseInertia inverse;
    inverse.Update(task);
    for (const ContactTask::Contact& contact : task.contacts) {
      const double w = DenseDelassus(task, contact);
      EXPECT_NEAR(inverse.CalcDelassus(contact), w, 1e-12 * w)
          << contact.tree_a << " " << contact.tree_b;
    }
    for (std::size_t t = 0; t < task.trees.size(); ++t) {
      VectorX x = VectorX::LinSpaced(task.trees[t].nv, -1, 2);
      const VectorX right = x;
      inverse.Solve(static_cast<int>(t), x.data());
      EXPECT_LT((InertiaOf(task, task.trees[t]) * x - right).norm(), 1e-13);
    }
  }
}

TEST(InverseInertia, FollowsTheBranchesOfRobots) {
  const auto scene = FindScene("quadruped-stand");
  ASSERT_TRUE(scene.ok());
  Simulation sim((*scene)->model, (*scene)->channels[0].config);
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  const ContactTask& task = ProblemOf(sim.formulation())->task;
  ASSERT_TRUE(task.branched);
  ASSERT_FALSE(task.contacts.empty());
  for (const ContactTask::Contact& contact : task.contacts)
    EXPECT_NEAR(contact.start.w, DenseDelassus(task, contact), 1e-12 * contact.start.w);
}

TEST(InverseInertia, AnInertiaWithoutInverseIsNoSolution) {
  ContactTask task;
  task.AddTree(2);
  task.Resize();
  task.A = {1, 2, 2, 1};
  InverseInertia inverse;
  inverse.Update(task);
  double x[] = {1, 1};
  inverse.Solve(0, x);
  EXPECT_TRUE(std::isnan(x[0]) && std::isnan(x[1]));
}

}  // namespace
}  // namespace slip
