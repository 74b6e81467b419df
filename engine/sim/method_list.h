// THE LIST of methods. The convex formulation is one with each contact model; another formulation
// is a folder, its include and a row here; one with parameters of its own also names their table.
#pragma once

#include <algorithm>
#include <array>

#include "engine/contact/contact_models.h"
#include "engine/convex/convex_formulation.h"
#include "engine/method/methods.h"

namespace slip {

/// What each formulation reads beside the common parameters.
inline constexpr std::array kOwnParams = {&ConvexFormulation::Params};

/// Formulations without contact models.
inline constexpr std::array<MethodInfo, 0> kOtherFormulations = {};

inline constexpr int kMethodCount =
    kContactModelCount + static_cast<int>(kOtherFormulations.size());

template <class T>
std::unique_ptr<Formulation> Make() {
  return std::make_unique<T>();
}

inline constexpr auto kMethods = [] {
  std::array<MethodInfo, kMethodCount> methods;
  for (std::size_t i = 0; i < kContactModels.size(); ++i) {
    const auto& [traits, takes_law] = kContactModels[i];
    methods[i] = {
        .id = traits.id,
        .label = traits.label,
        .doc = traits.doc,
        .gap_formula = traits.gap_formula,
        .source = traits.source,
        .make_formulation = Make<ConvexFormulation>,
        .contact_model = static_cast<int>(i),
        .glides = traits.glides,
        .takes_law = takes_law,
        .knobs = traits.knobs | knob::kConvexSolver | (takes_law ? knob::kNormalLaw : KnobMask{0})};
  }
  std::copy(kOtherFormulations.begin(), kOtherFormulations.end(),
            methods.begin() + kContactModelCount);
  return methods;
}();

/// A method known when this is compiled; an unknown id does not compile.
consteval MethodId MethodNamed(std::string_view id) {
  for (int i = 0; i < kMethodCount; ++i) {
    if (kMethods[static_cast<std::size_t>(i)].id == id) return static_cast<MethodId>(i);
  }
  throw "no such method";
}
inline constexpr auto kMethodIds = IdsOf(kMethods);

}  // namespace slip
