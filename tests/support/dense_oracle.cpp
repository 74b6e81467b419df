#include "tests/support/dense_oracle.h"

#include <cmath>
#include <functional>
#include <vector>

#include "engine/contact/contact_models.h"
#include "tests/support/dense_algebra.h"

namespace slip::test {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Side {
  int start, nv, J;
};

// Only these depend on the contact model: the dense algebra is compiled once, not for every model
// and law.
// Axes are those of the task: (t1, t2, n) and, with torsion, rho times the spin.
struct Value {
  double cost;
  VectorX gamma;
  MatrixX hessian;
};
using Potential = std::function<Value(const VectorX& v_c)>;

// A model has slip first, then the normal.
const Eigen::PermutationMatrix<4> kSlipFirst(Eigen::Vector4i(0, 1, 3, 2));

std::vector<Potential> MakePotentials(const ContactTask& task) {
  return VisitContactModel(
      task.model.contact_model, task.model.normal_law, [&]<class M, class L>() {
        std::vector<Potential> potentials;
        for (const auto& contact : task.contacts) {
          const auto frozen = M::Freeze(task.model.params, contact.start);
          if (contact.start.mu_w > 0) {
            potentials.emplace_back([frozen](const VectorX& v_c) -> Value {
              const auto value = M::template Evaluate<3>(frozen, kSlipFirst * v_c);
              return {value.cost, kSlipFirst.transpose() * value.gamma,
                      kSlipFirst.transpose() * value.hessian * kSlipFirst};
            });
          } else {
            potentials.emplace_back([frozen](const VectorX& v_c) -> Value {
              const auto value = M::template Evaluate<2>(frozen, v_c);
              return {value.cost, value.gamma, value.hessian};
            });
          }
        }
        return potentials;
      });
}

struct Dense {
  const ContactTask& p;
  MatrixX A;
  VectorX D;
  std::vector<Potential> potentials;

  explicit Dense(const ContactTask& task)
      : p(task), A(MatrixX::Zero(p.nv, p.nv)), potentials(MakePotentials(task)) {
    for (const auto& t : p.trees) {
      A.block(t.start, t.start, t.nv, t.nv) =
          Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(p.A.data() + t.A_offset,
                                                                           t.nv, t.nv);
    }
    D = A.diagonal().cwiseSqrt().cwiseInverse();
  }

  double CalcErrorBound(const VectorX& v) const {
    VectorX JTg;
    Evaluate(v, &JTg, nullptr);
    const VectorX grad = A * (v - p.v_star) - JTg;
    // A is diagonal in these tests
    return grad.cwiseProduct(D).norm() / v.cwiseQuotient(D).norm();
  }

  std::vector<Side> Sides(const ContactTask::Contact& c) const {
    std::vector<Side> sides;
    for (const auto& [tree, J] : {std::pair(c.tree_a, c.J_a), std::pair(c.tree_b, c.J_b)}) {
      if (tree < 0) continue;
      const auto& t = p.trees[static_cast<std::size_t>(tree)];
      sides.push_back({t.start, t.nv, J});
    }
    return sides;
  }

  double Evaluate(const VectorX& v, VectorX* JTg, MatrixX* H) const {
    const VectorX delta = v - p.v_star;
    double cost = 0.5 * delta.dot(A * delta);
    JTg->setZero(p.nv);
    if (H != nullptr) *H = A;
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const ContactTask::Contact& contact = p.contacts[i];
      const std::vector<Side> sides = Sides(contact);
      const int rows = contact.start.mu_w > 0 ? 4 : 3;
      const auto rows_of = [&](const Side& s) {
        MatrixX J = Eigen::Map<const RowMajor>(p.J.data() + s.J, rows, s.nv);
        if (rows == 4) J.row(3) *= contact.start.mu_w / contact.start.mu;
        return J;
      };
      VectorX v_c = VectorX::Zero(rows);
      v_c.head<3>() = contact.bias;
      for (const Side& s : sides) v_c += rows_of(s) * v.segment(s.start, s.nv);
      const Value value = potentials[i](v_c);
      cost += value.cost;
      for (const Side& s : sides) {
        const MatrixX J = rows_of(s);
        JTg->segment(s.start, s.nv) += J.transpose() * value.gamma;
        if (H == nullptr) continue;
        for (const Side& o : sides) {
          H->block(s.start, o.start, s.nv, o.nv) += J.transpose() * value.hessian * rows_of(o);
        }
      }
    }
    return cost;
  }

  OracleSolution Solve(const VectorX& guess, double tolerance, int max_iterations) const {
    OracleSolution out;
    out.v = guess;
    VectorX JTg, trial_JTg;
    double previous = HUGE_VAL;
    for (;; ++out.iterations) {
      out.cost = Evaluate(out.v, &JTg, &out.hessian);
      const VectorX grad = A * (out.v - p.v_star) - JTg;
      const double scale = std::max(D.cwiseProduct(A * out.v).norm(), D.cwiseProduct(JTg).norm());
      out.residual = D.cwiseProduct(grad).norm() / scale;
      const bool floor = out.residual < 1e-9 && out.residual > 0.5 * previous;
      if (out.residual <= tolerance || floor || out.iterations >= max_iterations) return out;
      previous = out.residual;
      const VectorX dv = -SolveDefinite(out.hessian, grad);
      // bisection on the slope
      const auto slope = [&](double a) {
        const VectorX v = out.v + a * dv;
        Evaluate(v, &trial_JTg, nullptr);
        return dv.dot(A * (v - p.v_star) - trial_JTg);
      };
      double low = 0, high = 1;
      if (slope(1) > 1e-9 * -slope(0)) {
        for (int k = 0; k < 40; ++k) {
          const double middle = 0.5 * (low + high);
          (slope(middle) < 0 ? low : high) = middle;
        }
      }
      out.v += high * dv;
    }
  }
};

}  // namespace

OracleSolution SolveDense(const ContactTask& task, const VectorX& guess, double tolerance,
                          int max_iterations) {
  return Dense(task).Solve(guess, tolerance, max_iterations);
}

double CalcErrorBound(const ContactTask& task, const VectorX& v) {
  return Dense(task).CalcErrorBound(v);
}

void CalcDenseCondition(const ContactTask& task, const MatrixX& H, double* scaled, double* raw) {
  VectorX D(task.nv);
  for (const auto& t : task.trees) {
    for (int i = 0; i < t.nv; ++i) {
      D[t.start + i] = 1 / std::sqrt(task.A[static_cast<std::size_t>(t.A_offset + i * (t.nv + 1))]);
    }
  }
  const auto kappa = [](const MatrixX& matrix) {
    const VectorX eigenvalues = CalcEigenvalues(matrix);
    return eigenvalues.maxCoeff() / eigenvalues.minCoeff();
  };
  *raw = kappa(H);
  *scaled = kappa(D.asDiagonal() * H * D.asDiagonal());
}

}  // namespace slip::test
