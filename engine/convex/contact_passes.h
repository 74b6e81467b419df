// Everything that depends on the contact model, as loops over contacts: dispatched once per pass,
// and the solver itself is compiled once. `frozen` points at the M::Frozen of the first contact.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "engine/contact/contact_models.h"
#include "engine/convex/contact_problem.h"
#include "engine/solver/line_search.h"

namespace slip {

/// One contact's numbers while the solver runs.
struct ContactWork {
  Vec3 v_c, dv_c;  ///< velocity, and its change over a full step
  ContactValue value;
  Vec2 q;  ///< dual slip direction
  Vec3 bias;
  double w;        ///< Delassus estimate [1/kg]
  double v_floor;  ///< speed below which nothing is measured: 10 m/s^2 x h [m/s]
};

struct ContactPasses {
  std::size_t frozen_size;
  bool conic;    ///< ConicModel: `cones` and `invert` exist
  bool barrier;  ///< some velocities are infeasible
  bool sharp;    ///< Newton zigzags across its cones: a cold island starts with the interior point
  void (*freeze)(const ContactTask& task, const int* contacts, int count, void* frozen);
  /// First contact that is infeasible at v_c + alpha dv_c; -1 if none.
  int (*find_infeasible)(const void* frozen, const ContactWork* work, int count, double alpha);
  /// Cost, impulse and exact Hessian; costs leave out the constants of CostOffset.
  void (*evaluate)(const void* frozen, ContactWork* work, int count);
  double (*cost_offset)(const void* frozen, int count);
  void (*evaluate_dual)(const void* frozen, ContactWork* work, int count);
  void (*update_dual)(const void* frozen, ContactWork* work, int count);
  /// Adds the contacts' part of cost, slope and curvature at v_c + alpha dv_c.
  void (*add_along)(const void* frozen, const ContactWork* work, int count, double alpha,
                    LinePoint* point);
  void (*cones)(const void* frozen, int count, ConeForm* out);
  void (*invert)(const void* frozen, int count, const double* gamma_n, NormalInverse* out);
};

template <class M, class Law>
constexpr ContactPasses MakePasses() {
  using F = typename M::Frozen;
  static_assert(std::is_trivially_copyable_v<F> && alignof(F) <= alignof(std::max_align_t));
  ContactPasses passes{};
  passes.frozen_size = sizeof(F);
  passes.conic = ConicModel<M>;
  passes.barrier = !InvertibleLaw<Law>;
  passes.sharp = M::kTraits.needs_cones;
  passes.freeze = [](const ContactTask& task, const int* contacts, int count, void* frozen) {
    auto* out = static_cast<std::byte*>(frozen);
    for (int i = 0; i < count; ++i, out += sizeof(F)) {
      new (out) F(
          M::Freeze(task.model.params, task.contacts[static_cast<std::size_t>(contacts[i])].start));
    }
  };
  passes.find_infeasible = [](const void* frozen, const ContactWork* work, int count,
                              double alpha) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      if (!M::Feasible(f[i], work[i].v_c + alpha * work[i].dv_c)) return i;
    }
    return -1;
  };
  passes.evaluate = [](const void* frozen, ContactWork* work, int count) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      work[i].value = M::Evaluate(f[i], work[i].v_c);
      if constexpr (!M::kTraits.cost_ends_at_zero) {
        work[i].value.cost = M::Along(f[i], work[i].v_c, Vec3::Zero()).cost;
      }
    }
  };
  passes.cost_offset = [](const void* frozen, int count) {
    const F* f = static_cast<const F*>(frozen);
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += M::CostOffset(f[i]);
    return sum;
  };
  passes.evaluate_dual = [](const void* frozen, ContactWork* work, int count) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      work[i].value = M::EvaluateDual(f[i], work[i].v_c, work[i].q);
    }
  };
  passes.update_dual = [](const void* frozen, ContactWork* work, int count) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      work[i].q = M::UpdateDual(f[i], work[i].v_c, work[i].dv_c, work[i].q);
    }
  };
  passes.add_along = [](const void* frozen, const ContactWork* work, int count, double alpha,
                        LinePoint* point) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      const ContactAlong along = M::Along(f[i], work[i].v_c + alpha * work[i].dv_c, work[i].dv_c);
      point->cost += along.cost;
      point->slope += along.slope;
      point->curvature += along.curvature;
    }
  };
  if constexpr (ConicModel<M>) {
    passes.cones = [](const void* frozen, int count, ConeForm* out) {
      const F* f = static_cast<const F*>(frozen);
      for (int i = 0; i < count; ++i) out[i] = M::Cone(f[i]);
    };
    passes.invert = [](const void* frozen, int count, const double* gamma_n, NormalInverse* out) {
      const F* f = static_cast<const F*>(frozen);
      for (int i = 0; i < count; ++i) out[i] = M::Inverse(f[i], gamma_n[i]);
    };
  }
  return passes;
}

}  // namespace slip
