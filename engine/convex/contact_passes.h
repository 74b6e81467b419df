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

/// How the coupled law is to be taken: contact/coulomb.h.
struct CoupledLook {
  bool exact = true;               ///< the symmetric block too; else by the dual slip directions
  double share = 1;                ///< of the step's own impulse in the bounds of friction
  const double* bounds = nullptr;  ///< the rest of them, one per contact; null where share = 1
};

struct ContactPasses {
  std::size_t frozen_size;
  bool conic;    ///< ConicModel: `cones` and `invert` exist
  bool barrier;  ///< some velocities are infeasible
  bool sharp;    ///< Newton zigzags across its cones: a cold island starts with the interior point
  bool coupled;  ///< a law without a potential: the last five exist
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
  /// Impulse and symmetric block of the coupled law, and its column.
  void (*evaluate_coupled)(const void* frozen, ContactWork* work, int count,
                           const CoupledLook& look, Coupling* out);
  /// The contacts' part of F . dv at v_c + alpha dv_c.
  double (*work_coupled)(const void* frozen, const ContactWork* work, int count, double alpha);
  /// Bounds of friction of the convex member: read and set.
  void (*read_bounds)(const void* frozen, int count, double* s);
  void (*set_bounds)(void* frozen, int count, const double* s);
  /// Of the first contact.
  void (*read_friction)(const void* frozen, double* mu, double* eps);
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

/// Those of a law without a potential.
template <class M, bool kTorsion>
constexpr void AddCoupledPasses(ContactPasses* passes) {
  using F = typename M::Frozen;
  passes->evaluate_coupled = [](const void* frozen, ContactWork* work, int count,
                                const CoupledLook& look, Coupling* out) {
    const F* f = static_cast<const F*>(frozen);
    for (int i = 0; i < count; ++i) {
      ContactWork& w = work[i];
      const double s = look.bounds != nullptr ? look.bounds[i] : 0;
      VisitSlip<kTorsion>(w, [&]<int kSlip>() {
        const SlipVector<kSlip> q = w.direction<kSlip>();
        const auto at = M::template EvaluateCoupled<kSlip>(
            f[i], w.velocity<kSlip>(), look.exact ? nullptr : &q, look.share, s);
        w.SetValue<kSlip>(at.value);
        out[i] = at.coupling;
      });
    }
  };
  passes->work_coupled = [](const void* frozen, const ContactWork* work, int count, double alpha) {
    const F* f = static_cast<const F*>(frozen);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      const ContactWork& w = work[i];
      sum += VisitSlip<kTorsion>(w, [&]<int kSlip>() {
        return M::template CalcWork<kSlip>(f[i], w.velocity<kSlip>() + alpha * w.step<kSlip>(),
                                           w.step<kSlip>());
      });
    }
    return sum;
  };
  passes->read_bounds = [](const void* frozen, int count, double* s) {
    for (int i = 0; i < count; ++i) s[i] = static_cast<const F*>(frozen)[i].n0;
  };
  passes->read_friction = [](const void* frozen, double* mu, double* eps) {
    *mu = static_cast<const F*>(frozen)->mu, *eps = static_cast<const F*>(frozen)->eps;
  };
  passes->set_bounds = [](void* frozen, int count, const double* s) {
    for (int i = 0; i < count; ++i) static_cast<F*>(frozen)[i].n0 = s[i];
  };
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
  passes.coupled = M::kTraits.coupled;
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
  if constexpr (M::kTraits.coupled) AddCoupledPasses<M, kTorsion>(&passes);
  return passes;
}

}  // namespace slip
