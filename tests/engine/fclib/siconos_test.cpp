// Exact friction in the rigid limit beside Siconos, where its library is installed (Debian 12): its
// Gauss-Seidel sweeps solve the same complementarity another way.
#ifdef SLIP_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <gtest/gtest.h>

#include "engine/contact/contact_models.h"
#include "engine/convex/inverse_inertia.h"
#include "engine/fclib/fclib_problem.h"
#include "engine/fclib/rigid_limit.h"
#include "tests/support/fclib_files.h"

namespace slip::test {
namespace {

/// W = J A⁻¹ Jᵀ and q = J v* + b in its order: n, t1, t2.
struct Reduced {
  MatrixX W;
  VectorX q;
  std::vector<double> mu;
};

Reduced Reduce(const ContactTask& task) {
  const auto rows = static_cast<Eigen::Index>(3 * task.contacts.size());
  MatrixX J = MatrixX::Zero(rows, task.nv);
  Reduced out{.W = {}, .q = VectorX::Zero(rows), .mu = {}};
  for (std::size_t i = 0; i < task.contacts.size(); ++i) {
    const ContactTask::Contact& c = task.contacts[i];
    out.mu.push_back(c.start.mu);
    for (int k = 0; k < 3; ++k) {
      const auto row = static_cast<Eigen::Index>(3 * i) + (k + 1) % 3;
      out.q[row] = c.bias[k];
      const auto add = [&](int tree, int begin) {
        if (tree < 0) return;
        const ContactTask::Tree& of = At(task.trees, tree);
        for (int j = 0; j < of.nv; ++j) J(row, of.start + j) += At(task.J, begin + k * of.nv + j);
      };
      add(c.tree_a, c.J_a);
      add(c.tree_b, c.J_b);
    }
  }
  out.q += J * task.v_star;
  MatrixX solved = J.transpose();
  InverseInertia inverse;
  inverse.Update(task);
  for (Eigen::Index k = 0; k < rows; ++k)
    for (std::size_t t = 0; t < task.trees.size(); ++t)
      inverse.Solve(static_cast<int>(t), solved.col(k).data() + task.trees[t].start);
  out.W = J * solved;
  return out;
}

TEST(Siconos, FindsTheSameVelocities) {
  for (const double mu : {0.1, 0.3, 0.8}) {
    Result<FclibProblem> read = MakeFclibProblem(Column(3, mu), "a.hdf5");
    ASSERT_TRUE(read.ok());
    ContactTask task = read->task;
    while (!At(kContactModels, task.model.contact_model).traits.coupled) ++task.model.contact_model;
    ConvexSolver solver;
    ContactSolution own, theirs;
    SolverSettings settings;
    settings.tolerance = 1e-9;
    settings.max_iterations = 2000;
    ASSERT_EQ(SolveRigid(task, settings, 1e-9, &solver, &own), SolveStatus::kConverged);

    Reduced reduced = Reduce(task);
    FrictionContactProblem problem{
        .dimension = 3,
        .numberOfContacts = static_cast<int>(reduced.mu.size()),
        .M = NM_create_from_data(NM_DENSE, static_cast<int>(reduced.W.rows()),
                                 static_cast<int>(reduced.W.cols()), reduced.W.data()),
        .q = reduced.q.data(),
        .mu = reduced.mu.data()};
    VectorX r = VectorX::Zero(reduced.q.size()), u = r;
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    EXPECT_EQ(fc3d_driver(&problem, r.data(), u.data(), options), 0);
    solver_options_delete(options);
    for (std::size_t i = 0; i < reduced.mu.size(); ++i)
      theirs.impulses.emplace_back(r[Eigen::Index(3 * i) + 1], r[Eigen::Index(3 * i) + 2],
                                   r[Eigen::Index(3 * i)]);
    EXPECT_LT(CalcNcpResidual(task, theirs, {}).natural_map, 1e-8) << mu;
    // impulses are not unique, what they do to the bodies is
    VectorX gamma(reduced.q.size());
    for (std::size_t i = 0; i < own.impulses.size(); ++i) {
      const Vec3& g = own.impulses[i];
      gamma.segment<3>(Eigen::Index(3 * i)) << g.z(), g.x(), g.y();
    }
    const VectorX mine = reduced.W * gamma + reduced.q;
    EXPECT_LT((mine - (reduced.W * r + reduced.q)).lpNorm<Eigen::Infinity>(),
              1e-7 * reduced.q.lpNorm<Eigen::Infinity>())
        << mu;
  }
}

}  // namespace
}  // namespace slip::test
#endif
