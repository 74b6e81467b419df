// Everything that depends on the contact model, as loops over contacts: dispatched once per pass,
// and the solver itself is compiled once. `frozen` points at the M::Frozen of the first contact.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "engine/contact/contact_models.h"
#include "engine/convex/contact_problem.h"
#include "engine/convex/contact_work.h"
#include "engine/core/numbers.h"
#include "engine/solver/line_search.h"

namespace slip {

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

/// Calls fn.operator()<kSlip>() for the directions of slip that the contact has. Where no contact
/// of a task has torsion, nobody asks.
template <bool kTorsion, class Fn>
decltype(auto) VisitSlip([[maybe_unused]] const ContactWork& work, Fn&& fn) {
  if constexpr (kTorsion) {
    return work.Visit(std::forward<Fn>(fn));
  } else {
    return fn.template operator()<2>();
  }
}

/// For tasks in which some contact has torsion, and for the others.
template <class M, class Law, bool kTorsion>
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
      new (out) F(M::Freeze(task.model.params, At(task.contacts, contacts[i]).start));
    }
  };
  passes.find_infeasible = [](const void* frozen, const ContactWork* work, int count,
                              double alpha) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      const ContactWork& w = work[i];
      const bool feasible = VisitSlip<kTorsion>(w, [&]<int kSlip>() {
        return M::template Feasible<kSlip>(f[i], w.velocity<kSlip>() + alpha * w.step<kSlip>());
      });
      if (!feasible) return i;
    }
    return -1;
  };
  passes.evaluate = [](const void* frozen, ContactWork* work, int count) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      ContactWork& w = work[i];
      VisitSlip<kTorsion>(w, [&]<int kSlip>() {
        w.SetValue<kSlip>(M::template Evaluate<kSlip>(f[i], w.velocity<kSlip>()));
        if constexpr (!M::kTraits.cost_ends_at_zero) {
          const auto along =
              M::template Along<kSlip>(f[i], w.velocity<kSlip>(), ContactVector<kSlip>::Zero());
          w.value.cost = along.cost;
        }
      });
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
      ContactWork& w = work[i];
      VisitSlip<kTorsion>(w, [&]<int kSlip>() {
        w.SetValue<kSlip>(
            M::template EvaluateDual<kSlip>(f[i], w.velocity<kSlip>(), w.direction<kSlip>()));
      });
    }
  };
  passes.update_dual = [](const void* frozen, ContactWork* work, int count) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      ContactWork& w = work[i];
      VisitSlip<kTorsion>(w, [&]<int kSlip>() {
        w.SetDirection<kSlip>(M::template UpdateDual<kSlip>(f[i], w.velocity<kSlip>(),
                                                            w.step<kSlip>(), w.direction<kSlip>()));
      });
    }
  };
  passes.add_along = [](const void* frozen, const ContactWork* work, int count, double alpha,
                        LinePoint* point) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      const ContactWork& w = work[i];
      const ContactAlong along = VisitSlip<kTorsion>(w, [&]<int kSlip>() {
        return M::template Along<kSlip>(f[i], w.velocity<kSlip>() + alpha * w.step<kSlip>(),
                                        w.step<kSlip>());
      });
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
