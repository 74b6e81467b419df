#include "engine/formulation/convex.h"

#include <cstddef>
#include <memory>
#include <new>

#include "engine/contact/contact_models.h"
#include "engine/formulation/config.h"
#include "engine/solver/line_search.h"

namespace slip {
static_assert(kListedContactModels == kContactModelCount, "a model id without a case");

namespace {

constexpr double kAbsoluteTolerance = 1e-14;  // eps_a [sqrt(J)]
constexpr double kMaxAlpha = 1.5;

// y = J x for one contact, without its bias
Vec3 ApplyJ(const ContactProblem& p, const ContactProblem::Contact& c, const VectorX& x) {
  Vec3 y = Vec3::Zero();
  const auto add = [&](int tree_index, int offset) {
    if (tree_index < 0) return;
    const auto& tree = p.trees[static_cast<std::size_t>(tree_index)];
    const double* row = p.J.data() + offset;
    for (int r = 0; r < 3; ++r, row += tree.nv) {
      double sum = 0;
      for (int k = 0; k < tree.nv; ++k) sum += row[k] * x[tree.start + k];
      y[r] += sum;
    }
  };
  add(c.tree_a, c.J_a);
  add(c.tree_b, c.J_b);
  return y;
}

// y += J^T g for one contact
void AddTransposed(const ContactProblem& p, const ContactProblem::Contact& c, const Vec3& g,
                   VectorX* y) {
  const auto add = [&](int tree_index, int offset) {
    if (tree_index < 0) return;
    const auto& tree = p.trees[static_cast<std::size_t>(tree_index)];
    const double* J = p.J.data() + offset;
    for (int k = 0; k < tree.nv; ++k) {
      (*y)[tree.start + k] += J[k] * g[0] + J[tree.nv + k] * g[1] + J[2 * tree.nv + k] * g[2];
    }
  };
  add(c.tree_a, c.J_a);
  add(c.tree_b, c.J_b);
}

// y = A x
void ApplyA(const ContactProblem& p, const VectorX& x, VectorX* y) {
  for (const auto& tree : p.trees) {
    const double* row = p.A.data() + tree.A_offset;
    for (int r = 0; r < tree.nv; ++r, row += tree.nv) {
      double sum = 0;
      for (int k = 0; k < tree.nv; ++k) sum += row[k] * x[tree.start + k];
      (*y)[tree.start + r] = sum;
    }
  }
}

struct ContactWork {
  Vec3 v_c, dv_c;
  ContactValue value;
};

// Everything that depends on the model, as loops over all contacts: dispatched once per pass, and
// the solver itself is compiled once. `frozen` is an array of M::Frozen.
struct ContactPasses {
  std::size_t frozen_size;
  void (*freeze)(const ContactProblem& problem, void* frozen);
  /// First contact that is infeasible at v_c + alpha dv_c; -1 if none.
  int (*find_infeasible)(const void* frozen, const std::vector<ContactWork>& work, double alpha);
  void (*evaluate)(const void* frozen, std::vector<ContactWork>* work);
  /// Adds the contacts' part of cost, slope and curvature at v_c + alpha dv_c.
  void (*add_along)(const void* frozen, const std::vector<ContactWork>& work, double alpha,
                    LinePoint* point);
};

template <class M>
constexpr ContactPasses MakePasses() {
  using F = typename M::Frozen;
  static_assert(std::is_trivially_copyable_v<F> && alignof(F) <= alignof(std::max_align_t));
  return {
      sizeof(F),
      [](const ContactProblem& problem, void* frozen) {
        auto* out = static_cast<std::byte*>(frozen);
        for (const auto& contact : problem.contacts) {
          new (out) F(M::Freeze(problem.params, contact.start));
          out += sizeof(F);
        }
      },
      [](const void* frozen, const std::vector<ContactWork>& work, double alpha) {
        const F* f = static_cast<const F*>(frozen);
        for (std::size_t i = 0; i < work.size(); ++i) {
          if (!M::Feasible(f[i], work[i].v_c + alpha * work[i].dv_c)) {
            return static_cast<int>(i);
          }
        }
        return -1;
      },
      [](const void* frozen, std::vector<ContactWork>* work) {
        const F* f = static_cast<const F*>(frozen);
        for (ContactWork& w : *work) w.value = M::Evaluate(*f++, w.v_c);
      },
      [](const void* frozen, const std::vector<ContactWork>& work, double alpha, LinePoint* point) {
        const F* f = static_cast<const F*>(frozen);
        for (const ContactWork& w : work) {
          const ContactValue value = M::Evaluate(*f++, w.v_c + alpha * w.dv_c);
          point->cost += value.cost;
          point->slope -= w.dv_c.dot(value.gamma);
          point->curvature += w.dv_c.dot(value.hessian * w.dv_c);
        }
      }};
}

}  // namespace

struct ConvexSolver::Impl {
  // Frozen contacts of whatever model runs: trivially copyable, so one block serves them all.
  void* Storage(std::size_t bytes) {
    storage.resize((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    return storage.data();
  }
  std::vector<std::max_align_t> storage;
  std::vector<ContactWork> work;
  VectorX D, delta, Adelta, Av, JTg, grad, dv, dp, trial;
  MatrixX H, scaled;
  Eigen::LLT<MatrixX> factor;
  Eigen::SelfAdjointEigenSolver<MatrixX> eigen;
  int culprit = -1;

  void Reserve(const ContactProblem& p) {
    work.resize(p.contacts.size());
    for (VectorX* x : {&D, &delta, &Adelta, &Av, &JTg, &grad, &dv, &dp, &trial}) x->resize(p.nv);
    H.resize(p.nv, p.nv);
    scaled.resize(p.nv, p.nv);
  }

  void Assemble(const ContactProblem& p) {
    H.setZero();
    for (const auto& tree : p.trees) {
      for (int r = 0; r < tree.nv; ++r) {
        for (int c = 0; c < tree.nv; ++c) {
          H(tree.start + r, tree.start + c) =
              p.A[static_cast<std::size_t>(tree.A_offset + r * tree.nv + c)];
        }
      }
    }
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const auto& contact = p.contacts[i];
      const Mat3& G = work[i].value.hessian;
      const std::pair<int, int> sides[2] = {{contact.tree_a, contact.J_a},
                                            {contact.tree_b, contact.J_b}};
      for (const auto& [row_tree, row_offset] : sides) {
        if (row_tree < 0) continue;
        const auto& tr = p.trees[static_cast<std::size_t>(row_tree)];
        const double* Jr = p.J.data() + row_offset;
        for (int r = 0; r < tr.nv; ++r) {
          // JᵀG, one row
          const Vec3 JG = G * Vec3(Jr[r], Jr[tr.nv + r], Jr[2 * tr.nv + r]);
          for (const auto& [column_tree, column_offset] : sides) {
            if (column_tree < 0) continue;
            const auto& tc = p.trees[static_cast<std::size_t>(column_tree)];
            const double* Jc = p.J.data() + column_offset;
            for (int c = 0; c < tc.nv; ++c) {
              H(tr.start + r, tc.start + c) +=
                  JG[0] * Jc[c] + JG[1] * Jc[tc.nv + c] + JG[2] * Jc[2 * tc.nv + c];
            }
          }
        }
      }
    }
  }

  // Factor of H, helped if need be; false when even that fails.
  bool Factorize(bool* helped) {
    factor.compute(H);
    if (factor.info() == Eigen::Success) return true;
    *helped = true;
    for (const double shift : {1e-12, 1e-9}) {
      scaled = H;
      scaled.diagonal() *= 1 + shift;
      factor.compute(scaled);
      if (factor.info() == Eigen::Success) return true;
    }
    return false;
  }

  double Condition(const MatrixX& matrix) {
    if (matrix.rows() == 1) return 1;
    if (matrix.rows() == 2) {
      // λ₁λ₂ = det and λ₁ + λ₂ = trace: the small one from the product, not the difference
      const double half = 0.5 * (matrix(0, 0) + matrix(1, 1));
      const double q = 0.5 * (matrix(0, 0) - matrix(1, 1));
      const double large = half + std::hypot(q, matrix(0, 1));
      const double small = (matrix(0, 0) * matrix(1, 1) - matrix(0, 1) * matrix(1, 0)) / large;
      return large / small;
    }
    eigen.compute(matrix, Eigen::EigenvaluesOnly);
    return eigen.eigenvalues()[matrix.rows() - 1] / eigen.eigenvalues()[0];
  }

  SolveStatus Solve(ContactProblem* problem, const ContactPasses& passes);
};

SolveStatus ConvexSolver::Impl::Solve(ContactProblem* problem, const ContactPasses& passes) {
  ContactProblem& p = *problem;
  const std::size_t count = p.contacts.size();
  culprit = -1;
  Reserve(p);
  p.record = SolveRecord{};
  SolveRecord& record = p.record;
  record.system_size = p.nv;
  record.contacts = static_cast<int>(count);
  for (const auto& tree : p.trees) {
    for (int i = 0; i < tree.nv; ++i) {
      const auto diagonal = static_cast<std::size_t>(tree.A_offset + i * (tree.nv + 1));
      D[tree.start + i] = 1 / std::sqrt(p.A[diagonal]);
    }
  }
  if (count == 0) {
    p.v = p.v_star;
    Assemble(p);
    scaled.noalias() = D.asDiagonal() * H * D.asDiagonal();
    record.condition_number = Condition(scaled);
    record.condition_number_raw = Condition(H);
    return p.v.allFinite() ? SolveStatus::kConverged : SolveStatus::kNotFinite;
  }

  void* const frozen = Storage(count * passes.frozen_size);
  passes.freeze(p, frozen);

  // feasible guess: the previous velocities, else rest (which keeps every positive distance)
  const auto contact_velocities = [&](const VectorX& v) {
    for (std::size_t i = 0; i < count; ++i) {
      work[i].v_c = ApplyJ(p, p.contacts[i], v) + p.contacts[i].bias;
      work[i].dv_c.setZero();
    }
    return passes.find_infeasible(frozen, work, 0);
  };
  p.v = p.v0;
  if (contact_velocities(p.v) >= 0) {
    p.v.setZero();
    culprit = contact_velocities(p.v);
    if (culprit >= 0) return SolveStatus::kInfeasible;
  }

  double cost = 0, cost_A = 0, previous_cost = 0, previous_residual = 0, last_alpha = 0;
  bool at_floor = false;  // the last step promised less decrease than the cost's round-off
  for (int iteration = 0;; ++iteration) {
    // cost, impulses and gradient at v
    delta = p.v - p.v_star;
    ApplyA(p, delta, &Adelta);
    ApplyA(p, p.v, &Av);
    cost_A = 0.5 * delta.dot(Adelta);
    cost = cost_A;
    JTg.setZero();
    passes.evaluate(frozen, &work);
    for (std::size_t i = 0; i < count; ++i) {
      cost += work[i].value.cost;
      AddTransposed(p, p.contacts[i], work[i].value.gamma, &JTg);
      if (culprit < 0 && !work[i].value.gamma.allFinite()) culprit = static_cast<int>(i);
    }
    grad = Adelta - JTg;
    if (!grad.allFinite() || !std::isfinite(cost)) return SolveStatus::kNotFinite;

    // scaled convergence test, and the round-off floor of the cost
    const double residual = grad.cwiseProduct(D).norm();
    const double impulse_norm = JTg.cwiseProduct(D).norm();
    const double scale = std::max(Av.cwiseProduct(D).norm(), impulse_norm);
    record.momentum_residual = scale > 0 ? residual / scale : residual;
    record.inverse_dynamics_residual = impulse_norm > 0 ? residual / impulse_norm : 0;
    record.cost = cost;
    IterationRecord* entry = record.recorded < kMaxRecordedIterations
                                 ? &record.history[static_cast<std::size_t>(record.recorded++)]
                                 : nullptr;
    if (entry != nullptr) *entry = {cost, record.momentum_residual, 0, 0};
    const bool small = residual <= kAbsoluteTolerance + p.tolerance * scale;
    const bool stalled = iteration > 0 && last_alpha > 0.5 &&
                         (std::abs(cost - previous_cost) <
                              1e-30 + 1e-15 * 0.5 * (std::abs(cost) + std::abs(previous_cost)) ||
                          (at_floor && residual > 0.5 * previous_residual));
    record.converged = small || stalled;
    if (record.converged || iteration >= p.max_iterations) break;
    previous_cost = cost;
    previous_residual = residual;

    // Newton direction
    Assemble(p);
    bool helped = false;
    const bool factored = Factorize(&helped);
    if (factored) {
      dv = -grad;
      factor.solveInPlace(dv);
    }
    double slope = factored ? grad.dot(dv) : 0;
    if (!factored || !(slope < 0)) {
      helped = true;
      dv = -grad.cwiseProduct(D).cwiseProduct(D);
      slope = grad.dot(dv);
      if (!(slope < 0)) return SolveStatus::kFactorizationFailed;
    }
    record.fallback = record.fallback || helped;
    ApplyA(p, dv, &dp);
    for (std::size_t i = 0; i < count; ++i) work[i].dv_c = ApplyJ(p, p.contacts[i], dv);

    // largest feasible step: barriers end the line before the overlap
    double alpha_max = kMaxAlpha;
    const auto feasible = [&](double alpha) {
      return passes.find_infeasible(frozen, work, alpha) < 0;
    };
    if (!feasible(alpha_max)) {
      double low = 0, high = alpha_max;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (feasible(middle) ? low : high) = middle;
      }
      alpha_max = 0.99 * low;
    }

    const double dv_dp = dv.dot(dp), dp_delta = dp.dot(delta);
    const auto along = [&](double alpha) {
      LinePoint point;
      point.cost = cost_A + alpha * dp_delta + 0.5 * alpha * alpha * dv_dp;
      point.slope = dp_delta + alpha * dv_dp;
      point.curvature = dv_dp;
      passes.add_along(frozen, work, alpha, &point);
      return point;
    };
    const LinePoint here{cost, slope, -slope};
    const LineSearchResult line = p.backtracking ? BacktrackingLineSearch(here, alpha_max, along)
                                                 : ExactLineSearch(here, alpha_max, along);
    last_alpha = line.alpha;
    at_floor = line.evaluations == 0;
    p.v += line.alpha * dv;
    for (std::size_t i = 0; i < count; ++i) work[i].v_c += line.alpha * work[i].dv_c;
    if (entry != nullptr) {
      entry->alpha = line.alpha;
      entry->line_search_iterations = line.evaluations;
    }
    record.line_search_iterations += line.evaluations;
    ++record.iterations;
  }

  for (std::size_t i = 0; i < count; ++i) p.contacts[i].gamma = work[i].value.gamma;
  Assemble(p);
  scaled.noalias() = D.asDiagonal() * H * D.asDiagonal();
  record.condition_number = Condition(scaled);
  record.condition_number_raw = Condition(H);
  return record.converged ? SolveStatus::kConverged : SolveStatus::kIterationLimit;
}

ConvexSolver::ConvexSolver() : impl_(std::make_unique<Impl>()) {}
ConvexSolver::~ConvexSolver() = default;
ConvexSolver::ConvexSolver(ConvexSolver&&) noexcept = default;
ConvexSolver& ConvexSolver::operator=(ConvexSolver&&) noexcept = default;

SolveStatus ConvexSolver::Solve(ContactProblem* problem) {
  return VisitContactModel(problem->contact_model, problem->normal_law, [&]<class M, class L>() {
    static constexpr ContactPasses kPasses = MakePasses<M>();
    return impl_->Solve(problem, kPasses);
  });
}

int ConvexSolver::culprit() const { return impl_->culprit; }
const MatrixX& ConvexSolver::hessian() const { return impl_->H; }

ContactPrediction CalcPrediction(const ContactProblem& problem,
                                 const ContactProblem::Contact& contact, const ContactLoad& load) {
  return VisitContactModel(problem.contact_model, problem.normal_law, [&]<class M, class L>() {
    return M::Predict(M::Freeze(problem.params, contact.start), contact.start, load);
  });
}

double CalcElasticEnergy(const ContactProblem& problem, const ContactStart& start, double phi) {
  return VisitContactModel(problem.contact_model, problem.normal_law, [&]<class M, class L>() {
    if constexpr (std::is_base_of_v<ConeProjection, M>) {
      // the stiffness that the clamp leaves
      const auto frozen = M::Freeze(problem.params, start);
      const double x = Positive(-phi);
      return 0.5 * x * x / (start.h * frozen.lift_time * frozen.Rn);
    } else {
      return L::Energy(start.law, -phi);
    }
  });
}

double CalcDampingForce(const ContactProblem& problem, const ContactStart& start, double phi,
                        double vn) {
  return VisitContactModel(problem.contact_model, problem.normal_law, [&]<class M, class L>() {
    if constexpr (std::is_base_of_v<ConeProjection, M>) {
      const auto frozen = M::Freeze(problem.params, start);
      const double k = 1 / (start.h * frozen.lift_time * frozen.Rn);
      // across a gap the linear law pulls while its damper pushes: only their sum acts
      return Positive(k * (-phi - (frozen.lift_time - start.h) * vn)) - k * Positive(-phi);
    } else {
      return L::Force(start.law, -phi, -vn) - L::Force(start.law, -phi, 0.0);
    }
  });
}

}  // namespace slip
