// THE LIST of methods. The convex formulation is one with each contact model; another formulation
// is a folder, a row here and its include in method_list.cpp; one with parameters of its own also
// has their table in the list of tables. What the rows name is compiled there alone.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

#include "engine/contact/contact_models.h"
#include "engine/convex/convex_params.h"
#include "engine/core/numbers.h"
#include "engine/integrators/integrator_params.h"
#include "engine/integrators/stable_step.h"
#include "engine/method/methods.h"
#include "engine/mujoco/mujoco_params.h"
#include "engine/mujoco/version.h"
#include "engine/ode/ode_params.h"
#include "engine/ode/version.h"
#include "engine/quasi_dynamic/quasi_dynamic_params.h"

namespace slip {

/// THE LIST of tables of step parameters: the common ones, and those of formulations, whose structs
/// and tables stand in their folders. Within a group of the panel rows have this order.
inline constexpr std::tuple kStepTables = {
    &CommonParamTable,    &IterationParamTable, &ConvexParams::Table, &ExponentialParams::Table,
    &AnchorParams::Table, &BiasParams::Table,   &BalanceParamTable,   &QuasiDynamicParams::Table,
    &MujocoParams::Table, &OdeParams::Table};

/// The structs of formulations among them, as a tuple.
template <class Part>
using OwnPart =
    std::conditional_t<std::is_same_v<Part, CommonParams>, std::tuple<>, std::tuple<Part>>;
template <class... Part>
auto OwnPartsOf(const std::tuple<std::span<const Param<Part>> (*)()...>&)
    -> decltype(std::tuple_cat(OwnPart<Part>()...));
using OwnParts = decltype(OwnPartsOf(kStepTables));

class ConvexFormulation;
class CoulombReport;
class MujocoFormulation;

template <class T>
std::unique_ptr<Formulation> Make();
template <class T>
void Report(const SolvedStep& step, StepReport* report);

consteval MethodInfo MujocoMethod(std::string_view id, std::string_view label, std::string_view doc,
                                  std::unique_ptr<Formulation> (*make)()) {
  return {.id = id,
          .label = label,
          .doc = doc,
          .gap_formula = "φ = 0; hops above v₀",
          .source = "engine notes, section 19",
          .make_formulation = make,
          .missing = WhyNoMujoco,
          .version = MujocoVersion,
          .report = Report<MujocoFormulation>,
          .family = Family::kEngine,
          .tables = kTablesOf<MujocoParams>,
          .knobs = knob::kStiffness | knob::kRelaxationTime | knob::kTorsion | knob::kNewton |
                   knob::kIterations};
}

/// Formulations without contact models.
inline constexpr std::array kOtherFormulations = {
    MethodInfo{.id = "exponential",
               .label = "Exponential",
               .doc = "Springs and dampers with anchors, integrated exactly within the step.",
               .gap_formula = "",
               .source = "Exponential Integration, sections III and IV",
               .make_formulation = Make<class Exponential>,
               .report = Report<class Exponential>,
               .family = Family::kAnchored,
               .tables = kTablesOf<ExponentialParams, AnchorParams, BiasParams>,
               .knobs = knob::kStiffness | knob::kDamping | knob::kBalance},
    MethodInfo{.id = "explicit-euler",
               .label = "Explicit Euler",
               .doc = "Springs and dampers with anchors, their forces those of the step's start.",
               .gap_formula = "",
               .source = "Exponential Integration, eq. (34)",
               .make_formulation = Make<class ExplicitEuler>,
               .report = Report<class ExplicitEuler>,
               .family = Family::kAnchored,
               .tables = kTablesOf<AnchorParams, BiasParams>,
               .knobs = knob::kStiffness | knob::kDamping | knob::kBalance,
               .stable_step = ExplicitEulerStableStep},
    MethodInfo{.id = "rk4",
               .label = "Runge-Kutta 4",
               .doc = "Springs and dampers with anchors, in four explicit stages a step.",
               .gap_formula = "",
               .source = "Exponential Integration, section VI",
               .make_formulation = Make<class RungeKutta4>,
               .report = Report<class RungeKutta4>,
               .family = Family::kAnchored,
               .tables = kTablesOf<AnchorParams>,
               .knobs = knob::kStiffness | knob::kDamping | knob::kBalance,
               .stable_step = RungeKuttaStableStep},
    MethodInfo{.id = "implicit-euler",
               .label = "Implicit Euler",
               .doc = "Springs and dampers with anchors, their forces those of the step's end.",
               .gap_formula = "",
               .source = "Exponential Integration, appendix A",
               .make_formulation = Make<class ImplicitEuler>,
               .report = Report<class ImplicitEuler>,
               .family = Family::kAnchored,
               .tables = kTablesOf<AnchorParams, BiasParams>,
               .knobs = knob::kStiffness | knob::kDamping | knob::kNewton | knob::kIterations |
                        knob::kLostSteps | knob::kBalance},
    MethodInfo{.id = "quasi-dynamic",
               .label = "Quasi-dynamic",
               .doc = "From rest in every step: one quadratic program balances forces over it.",
               .gap_formula = "φ = μ δt |v_t|",
               .source = "Convex Quasi-Dynamic Simulation, eq. (13)",
               .make_formulation = Make<class QuasiDynamic>,
               .report = Report<class QuasiDynamic>,
               .family = Family::kProgram,
               .glides = true,
               .tables = kTablesOf<QuasiDynamicParams>,
               .knobs = knob::kTorsion | knob::kImpedance | knob::kIterations | knob::kLostSteps},
    MujocoMethod("mujoco", "MuJoCo",
                 "The engine itself, with elliptic friction cones; our contacts handed in.",
                 Make<class MujocoElliptic>),
    MujocoMethod("mujoco-pyramidal", "MuJoCo pyramidal",
                 "The same with pyramids in place of cones, as it has them by default.",
                 Make<class MujocoPyramidal>),
    MethodInfo{.id = "ode",
               .label = "ODE",
               .doc = "The Open Dynamics Engine itself, with boxes of friction; our contacts "
                      "handed in.",
               .gap_formula = "φ = 0",
               .source = "engine notes, section 27",
               .make_formulation = Make<class OdeFormulation>,
               .missing = WhyNoOde,
               .version = OdeVersion,
               .report = Report<class OdeFormulation>,
               .family = Family::kEngine,
               .tables = kTablesOf<OdeParams, ConvexParams>,  // of these the friction's
               .knobs = knob::kStiffness | knob::kRelaxationTime | knob::kFrictionRegularization},
};

inline constexpr int kMethodCount = kAllModelCount + static_cast<int>(kOtherFormulations.size());

inline constexpr auto kMethods = [] {
  std::array<MethodInfo, kMethodCount> methods;
  for (std::size_t i = 0; i < kContactModels.size(); ++i) {
    const auto& [traits, takes_law] = kContactModels[i];
    methods[i] = {.id = traits.id,
                  .label = traits.label,
                  .doc = traits.doc,
                  .gap_formula = traits.gap_formula,
                  .source = traits.source,
                  .make_formulation = Make<ConvexFormulation>,
                  .report = traits.coupled ? Report<CoulombReport> : Report<ConvexFormulation>,
                  .family = Family::kConvex,
                  .contact_model = static_cast<int>(i),
                  .glides = traits.glides,
                  .takes_law = takes_law,
                  .tables = kTablesOf<ConvexParams>,
                  .knobs = traits.knobs | knob::kOutOfPlane | knob::kNewton | knob::kIterations |
                           knob::kLostSteps | knob::kBalance |
                           (takes_law ? knob::kNormalLaw : KnobMask{0}) |
                           (traits.coupled ? KnobMask{0} : knob::kMinimum)};
  }
  std::copy(kOtherFormulations.begin(), kOtherFormulations.end(), methods.begin() + kAllModelCount);
  return methods;
}();

/// A method known when this is compiled; an unknown id does not compile.
consteval MethodId MethodNamed(std::string_view id) {
  for (int i = 0; i < kMethodCount; ++i) {
    if (At(kMethods, i).id == id) return static_cast<MethodId>(i);
  }
  throw "no such method";
}
inline constexpr auto kMethodIds = IdsOf(kMethods);

}  // namespace slip
