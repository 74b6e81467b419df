// The methods as constants, for tables that must have a row for each.
#pragma once

#include <array>

#include "engine/contact/contact_models.h"
#include "engine/method/methods.h"

namespace slip {

inline constexpr int kMethodCount = kContactModelCount;

/// The convex formulation is a method with each contact model.
inline constexpr auto kMethods = [] {
  std::array<MethodInfo, kMethodCount> methods;
  for (std::size_t i = 0; i < kContactModels.size(); ++i) {
    const auto& [traits, takes_law] = kContactModels[i];
    methods[i] = {.id = traits.id,
                  .label = traits.label,
                  .doc = traits.doc,
                  .gap_formula = traits.gap_formula,
                  .source = traits.source,
                  .method = {FormulationId::kConvex, static_cast<int>(i)},
                  .glides = traits.glides,
                  .takes_law = takes_law,
                  .knobs = traits.knobs | (takes_law ? knob::kNormalLaw : KnobMask{0})};
  }
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
