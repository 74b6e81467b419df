#include "engine/integrators/integrator_params.h"

#include <array>

#include "engine/solver/matrix_exponential.h"

namespace slip {
namespace {

// SlipPrediction
constexpr std::array<std::string_view, 3> kSlipPredictions = {"cone", "stick", "anchor"};
// SlipSet, AnchorRule, BiasForm
constexpr std::array<std::string_view, 2> kSlipSets = {"consistent", "published"};
constexpr std::array<std::string_view, 2> kAnchorRules = {"yielding", "published"};
constexpr std::array<std::string_view, 2> kBiasForms = {"midpoint", "first-order"};

const std::array kExponentialTable = {
    Param<ExponentialParams>{
        {.name = "matrix_multiplications",
         .label = "Matrix products",
         .symbol = "",
         .unit = "",
         .min = MatrixExponential::kAutomatic,
         .max = MatrixExponential::kMostProducts,
         .scale = Scale::kInteger,
         .group = "Solver",
         .doc = "Products of matrices that the exponential may take, at most; fewer "
                "are faster and less accurate. -1: as many as full accuracy takes.",
         .formula = "",
         .source = "Exponential Integration, section V"},
        &ExponentialParams::matrix_multiplications},
    Param<ExponentialParams>{
        {.name = "product_tolerance",
         .label = "Error of products",
         .symbol = "",
         .unit = "",
         .min = 1e-12,
         .max = 1e-1,
         .scale = Scale::kLog,
         .zero = true,
         .group = "Solver",
         .doc = "Relative error of the mean forces for which the exponential takes as "
                "few products of matrices as it can, up to those permitted. 0: all "
                "that are permitted.",
         .formula = "|δf|/|f|",
         .source = "Exponential Integration, section 6.3, names it as future work; "
                   "engine notes, section 9"},
        &ExponentialParams::product_tolerance},
    Param<ExponentialParams>{
        {.name = "slip_prediction",
         .label = "Slip prediction",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 2,
         .scale = Scale::kChoice,
         .group = "Solver",
         .doc = "What a step assumes of a point that slips at its start: friction in "
                "proportion to the normal force, a point that sticks, or an anchor "
                "that moves along.",
         .formula = "",
         .source = "Exponential Integration, section IV",
         .choices = kSlipPredictions},
        &ExponentialParams::slip_prediction},
    Param<ExponentialParams>{
        {.name = "slip_set",
         .label = "Slipping points",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .doc = "Which points slide or are open in a step. Consistent: solved again until "
                "what each is taken for agrees with its force. Published: as they begin, "
                "forces cut to the friction cone afterwards, which makes energy.",
         .formula = "",
         .source = "engine notes, section 9; Exponential Integration, section IV",
         .choices = kSlipSets,
         .unnamed = 1},
        &ExponentialParams::slip_set},
};

const std::array kAnchorTable = {
    Param<AnchorParams>{
        {.name = "anchors",
         .label = "Anchors",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .doc =
             "Where anchors go after a step. Yielding: along with points without load, and never "
             "so that a spring pulls or holds more than friction allows. Published: with "
             "points that slip alone, the damper's share of friction put into the spring, "
             "which makes energy.",
         .formula = "K |p − p₀| ≤ μ f_n",
         .source = "engine notes, section 9; Exponential Integration, eq. (28)",
         .choices = kAnchorRules,
         .unnamed = 1},
        &AnchorParams::anchors},
};

const std::array kBiasTable = {
    Param<BiasParams>{
        {.name = "bias",
         .label = "Coriolis forces",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .doc = "Where inertia, Coriolis forces and gravity of a step are taken: in its middle (by "
                "implicit Euler of single bodies in flight alone), or at its start (of implicit "
                "Euler: at its end), where spin in free flight drifts in proportion to the step.",
         .formula = "",
         .source = "engine notes, section 9; Exponential Integration, eq. (34)",
         .choices = kBiasForms,
         .unnamed = 1},
        &BiasParams::bias},
};

}  // namespace

std::span<const Param<ExponentialParams>> ExponentialParams::Table() { return kExponentialTable; }
std::span<const Param<AnchorParams>> AnchorParams::Table() { return kAnchorTable; }
std::span<const Param<BiasParams>> BiasParams::Table() { return kBiasTable; }

}  // namespace slip
