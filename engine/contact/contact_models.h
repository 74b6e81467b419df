// THE LIST of contact models and that of normal laws, where an id becomes a type. To add a model:
// write its header, include it here and add it to the list.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "engine/contact/cone_projection.h"
#include "engine/contact/coulomb.h"
#include "engine/contact/lagged.h"
#include "engine/contact/normal_law.h"
#include "engine/contact/similar.h"
#include "engine/core/check.h"

namespace slip {

/// A model that takes any normal law.
template <template <NormalLaw Law> class M>
struct OverLaw {
  template <class Law>
  using Type = M<Law>;
  static constexpr bool kTakesLaw = true;
};

/// A model with a compliance of its own. The law it is visited with is Kelvin-Voigt.
template <class M>
struct OwnCompliance {
  template <class Law>
  using Type = M;
  static constexpr bool kTakesLaw = false;
};

/// In the order of the user interface.
using ContactModelList =
    std::tuple<OwnCompliance<Sap>, OverLaw<Lagged>, OverLaw<LaggedRegularized>, OverLaw<Similar>,
               OwnCompliance<Anitescu>, OwnCompliance<Todorov>>;
/// Laws without a potential, which follow them in every list. What the contract gives of one is its
/// convex member: contact/coulomb.h.
using CoupledModelList = std::tuple<OverLaw<Coulomb>>;
using AllModelList = decltype(std::tuple_cat(ContactModelList{}, CoupledModelList{}));
/// In the order of NormalLawId.
using NormalLawList = std::tuple<HuntCrossley, Hertz, KelvinVoigt, LogBarrier, IpcBarrier>;

/// Those that are potentials, which come first; all of them.
inline constexpr int kContactModelCount = std::tuple_size_v<ContactModelList>;
inline constexpr int kAllModelCount = std::tuple_size_v<AllModelList>;
inline constexpr int kNormalLawCount = std::tuple_size_v<NormalLawList>;

/// Calls fn.template operator()<Law>() for the law with this index.
template <int kIndex = 0, class Fn>
decltype(auto) VisitLaw(int law, Fn&& fn) {
  if constexpr (kIndex + 1 < kNormalLawCount) {
    if (law != kIndex) return VisitLaw<kIndex + 1>(law, std::forward<Fn>(fn));
  }
  SLIP_CHECK(law == kIndex);
  return fn.template operator()<std::tuple_element_t<kIndex, NormalLawList>>();
}

/// Calls fn.template operator()<Model, Law>() for the model and the law with these indices.
template <int kIndex = 0, class Fn>
decltype(auto) VisitContactModel(int model, int law, Fn&& fn) {
  if constexpr (kIndex + 1 < kAllModelCount) {
    if (model != kIndex) return VisitContactModel<kIndex + 1>(model, law, std::forward<Fn>(fn));
  }
  SLIP_CHECK(model == kIndex);
  using Listed = std::tuple_element_t<kIndex, AllModelList>;
  if constexpr (Listed::kTakesLaw) {
    return VisitLaw(law, [&]<class L>() {
      return fn.template operator()<typename Listed::template Type<L>, L>();
    });
  } else {
    return fn.template operator()<typename Listed::template Type<KelvinVoigt>, KelvinVoigt>();
  }
}

/// What the list says of a contact model.
struct ContactModelRow {
  ContactModelTraits traits;
  bool takes_law = false;
};
inline constexpr auto kContactModels = []<class... Listed>(std::tuple<Listed...>*) {
  return std::array{
      ContactModelRow{Listed::template Type<HuntCrossley>::kTraits, Listed::kTakesLaw}...};
}(static_cast<AllModelList*>(nullptr));

/// The normal laws of the list.
inline constexpr auto kNormalLaws = []<class... Law>(std::tuple<Law...>*) {
  return std::array{Law::kTraits...};
}(static_cast<NormalLawList*>(nullptr));

/// Ids of a table's rows.
template <class Row, std::size_t kSize>
constexpr std::array<std::string_view, kSize> IdsOf(const std::array<Row, kSize>& rows) {
  std::array<std::string_view, kSize> ids;
  for (std::size_t i = 0; i < kSize; ++i) ids[i] = rows[i].id;
  return ids;
}
inline constexpr auto kNormalLawIds = IdsOf(kNormalLaws);
inline constexpr auto kContactModelIds = [] {
  std::array<std::string_view, kAllModelCount> ids;
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kContactModels[i].traits.id;
  return ids;
}();

// every model fulfils the contract over every law
static_assert([]<class... Law>(std::tuple<Law...>*) {
  return []<class... Listed>(std::tuple<Listed...>*) {
    const auto holds = []<class F>(F*) {
      return (ContactModel<typename F::template Type<Law>> && ...);
    };
    return (holds(static_cast<Listed*>(nullptr)) && ...);
  }(static_cast<AllModelList*>(nullptr));
}(static_cast<NormalLawList*>(nullptr)));
static_assert(ConicModel<Sap> && ConicModel<Todorov> && ConicModel<Anitescu>);
static_assert(ConicModel<Similar<HuntCrossley>> && ConicModel<Similar<Hertz>> &&
              ConicModel<Similar<KelvinVoigt>> && !ConicModel<Similar<LogBarrier>>);
static_assert(ConicModel<Lagged<HuntCrossley>> && ConicModel<LaggedRegularized<KelvinVoigt>> &&
              !ConicModel<Lagged<IpcBarrier>>);

}  // namespace slip
