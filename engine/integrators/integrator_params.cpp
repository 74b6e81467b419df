// The parameters of formulations whose contacts have anchors.
#include <array>

#include "engine/contact/knobs.h"
#include "engine/integrators/integrator_formulation.h"

namespace slip {
namespace {

// SlipPrediction
constexpr std::array<std::string_view, 3> kSlipPredictions = {"cone", "stick", "anchor"};
// SlipSet, AnchorRule, BiasForm
constexpr std::array<std::string_view, 2> kSlipSets = {"consistent", "published"};
constexpr std::array<std::string_view, 2> kAnchorRules = {"yielding", "published"};
constexpr std::array<std::string_view, 2> kBiasForms = {"midpoint", "first-order"};
constexpr std::array<std::string_view, 2> kGainedEnergy = {"refuse", "accept"};

const std::array kIntegratorTable = {
    Param<StepParams>{{.name = "matrix_multiplications",
                       .label = "Matrix products",
                       .symbol = "",
                       .unit = "",
                       .min = MatrixExponential::kAutomatic,
                       .max = MatrixExponential::kMostProducts,
                       .scale = Scale::kInteger,
                       .group = "Solver",
                       .knob = knob::kExponential,
                       .doc = "Products of matrices that the exponential may take, at most; fewer "
                              "are faster and less accurate. -1: as many as full accuracy takes.",
                       .formula = "",
                       .source = "Exponential Integration, section V"},
                      &StepParams::matrix_multiplications},
    Param<StepParams>{
        {.name = "product_tolerance",
         .label = "Error of products",
         .symbol = "",
         .unit = "",
         .min = 1e-12,
         .max = 1e-1,
         .scale = Scale::kLog,
         .zero = true,
         .group = "Solver",
         .knob = knob::kExponential,
         .doc = "Relative error of the mean forces for which the exponential takes as "
                "few products of matrices as it can, up to those permitted. 0: all "
                "that are permitted.",
         .formula = "|δf|/|f|",
         .source = "Exponential Integration, section 6.3, names it as future work; "
                   "engine notes, section 9"},
        &StepParams::product_tolerance},
    Param<StepParams>{{.name = "slip_prediction",
                       .label = "Slip prediction",
                       .symbol = "",
                       .unit = "",
                       .min = 0,
                       .max = 2,
                       .scale = Scale::kChoice,
                       .group = "Solver",
                       .knob = knob::kExponential,
                       .doc = "What a step assumes of a point that slips at its start: friction in "
                              "proportion to the normal force, a point that sticks, or an anchor "
                              "that moves along.",
                       .formula = "",
                       .source = "Exponential Integration, section IV",
                       .choices = kSlipPredictions},
                      &StepParams::slip_prediction},
    Param<StepParams>{
        {.name = "slip_set",
         .label = "Slipping points",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .knob = knob::kExponential,
         .doc = "Which points slide or are open in a step. Consistent: solved again until "
                "what each is taken for agrees with its force. Published: as they begin, "
                "forces cut to the friction cone afterwards, which makes energy.",
         .formula = "",
         .source = "engine notes, section 9; Exponential Integration, section IV",
         .choices = kSlipSets,
         .unnamed = 1},
        &StepParams::slip_set},
    Param<StepParams>{
        {.name = "anchors",
         .label = "Anchors",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .knob = knob::kDamping,
         .doc =
             "Where anchors go after a step. Yielding: along with points without load, and never "
             "so that a spring pulls or holds more than friction allows. Published: with "
             "points that slip alone, the damper's share of friction put into the spring, "
             "which makes energy.",
         .formula = "K |p − p₀| ≤ μ f_n",
         .source = "engine notes, section 9; Exponential Integration, eq. (28)",
         .choices = kAnchorRules,
         .unnamed = 1},
        &StepParams::anchors},
    Param<StepParams>{
        {.name = "bias",
         .label = "Coriolis forces",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .knob = knob::kBias,
         .doc = "Where inertia, Coriolis forces and gravity of a step are taken: in its middle (by "
                "implicit Euler of single bodies in flight alone), or at its start (of implicit "
                "Euler: at its end), where spin in free flight drifts in proportion to the step.",
         .formula = "",
         .source = "engine notes, section 9; Exponential Integration, eq. (34)",
         .choices = kBiasForms,
         .unnamed = 1},
        &StepParams::bias},
    // of convex formulations, too
    Param<StepParams>{
        {.name = "gained_energy",
         .label = "Gained energy",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .knob = knob::kBalance,
         .doc = "A step that makes energy from nothing. Refuse: with anchors, above a share of "
                "0.05, it is made again of halves, and if these make energy too or the method "
                "is beyond its limit of stability, the model stops in its last good state; "
                "other models stop above 0.5. Accept: it goes on.",
         .formula = "E₂ − E₁ − W > 0.05 (T + S + m (g δt)²/2)",
         .source = "engine notes, section 9",
         .choices = kGainedEnergy,
         .unnamed = 1},
        &StepParams::gained_energy},
};

}  // namespace

std::span<const Param<StepParams>> IntegratorFormulation::Params() { return kIntegratorTable; }

}  // namespace slip
