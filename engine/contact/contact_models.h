// THE LIST of contact models, and the one place where a model id and a law id become types.
// To add a model: write its header, include it here, add a case below, a row in
// formulation/contact_model_info.cpp and an id in formulation/config.h.
#pragma once

#include "engine/contact/cone_projection.h"
#include "engine/contact/lagged.h"
#include "engine/contact/normal_law.h"
#include "engine/contact/similar.h"

namespace slip {

/// Calls fn.template operator()<Law>() for the law with this index (order of NormalLawId).
template <class Fn>
decltype(auto) VisitLaw(int law, Fn&& fn) {
  switch (law) {
    case 1:
      return fn.template operator()<Hertz>();
    case 2:
      return fn.template operator()<KelvinVoigt>();
    case 3:
      return fn.template operator()<LogBarrier>();
    case 4:
      return fn.template operator()<IpcBarrier>();
    default:
      return fn.template operator()<HuntCrossley>();
  }
}

/// Cases in VisitContactModel below; convex.cpp checks it against the list of ids.
inline constexpr int kListedContactModels = 6;

/// Calls fn.template operator()<Model, Law>() for this model and law (order of ContactModelId).
/// Cone projections bring their own compliance; the law they are visited with is Kelvin-Voigt.
template <class Fn>
decltype(auto) VisitContactModel(int model, int law, Fn&& fn) {
  switch (model) {
    case 1:
      return VisitLaw(law, [&]<class L>() { return fn.template operator()<Lagged<L>, L>(); });
    case 2:
      return VisitLaw(law,
                      [&]<class L>() { return fn.template operator()<LaggedRegularized<L>, L>(); });
    case 3:
      return VisitLaw(law, [&]<class L>() { return fn.template operator()<Similar<L>, L>(); });
    case 4:
      return fn.template operator()<Anitescu, KelvinVoigt>();
    case 5:
      return fn.template operator()<Todorov, KelvinVoigt>();
    default:
      return fn.template operator()<Sap, KelvinVoigt>();
  }
}

static_assert(NormalLaw<HuntCrossley> && NormalLaw<Hertz> && NormalLaw<KelvinVoigt> &&
              NormalLaw<LogBarrier> && NormalLaw<IpcBarrier>);
static_assert(ContactModel<Sap> && ContactModel<Todorov> && ContactModel<Anitescu>);
static_assert(ContactModel<Lagged<HuntCrossley>> && ContactModel<LaggedRegularized<Hertz>> &&
              ContactModel<Similar<LogBarrier>>);
static_assert(ConicModel<Sap> && ConicModel<Todorov> && ConicModel<Anitescu>);
static_assert(ConicModel<Similar<HuntCrossley>> && ConicModel<Similar<Hertz>> &&
              ConicModel<Similar<KelvinVoigt>> && !ConicModel<Similar<LogBarrier>>);
static_assert(ConicModel<Lagged<HuntCrossley>> && ConicModel<LaggedRegularized<KelvinVoigt>> &&
              !ConicModel<Lagged<IpcBarrier>>);

}  // namespace slip
