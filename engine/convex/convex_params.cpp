#include "engine/convex/convex_params.h"

#include <array>

#include "engine/contact/contact_models.h"
#include "engine/contact/knobs.h"

namespace slip {
namespace {

constexpr std::array<std::string_view, 2> kSolvers = {"auto", "plain"};
constexpr std::array<std::string_view, 2> kLineSearches = {"exact", "backtracking"};
constexpr std::array<std::string_view, 2> kTurnings = {"middle", "start"};

const std::array kConvexTable = {
    Param<ConvexParams>{{.name = "normal_law",
                         .label = "Normal law",
                         .symbol = "",
                         .unit = "",
                         .min = 0,
                         .max = kNormalLawCount - 1,
                         .scale = Scale::kChoice,
                         .group = "Contact",
                         .knob = knob::kNormalLaw,
                         .doc = "Normal force as a function of penetration and its rate.",
                         .formula = "n(v) = δt f(x₀ − δt v, −v)",
                         .source = "Irrotational Contact Fields, eq. (5)-(8)",
                         .choices = kNormalLawIds},
                        &ConvexParams::normal_law},
    Param<ConvexParams>{
        {.name = "near_rigid",
         .label = "Near-rigid threshold",
         .symbol = "β",
         .unit = "",
         .min = 0,
         .max = 2,
         .group = "Contact",
         .knob = knob::kNearRigid,
         .doc = "Contact periods below β δt are not resolved: stiffness is capped there.",
         .formula = "R_n = max(β²/(4π²) w, 1/(δt k (δt + τ_d)))",
         .source = "engine notes, section 2.1"},
        &ConvexParams::near_rigid},
    Param<ConvexParams>{{.name = "todorov_alpha",
                         .label = "Regularisation period",
                         .symbol = "α",
                         .unit = "",
                         .min = 0.01,
                         .max = 10,
                         .scale = Scale::kLog,
                         .group = "Contact",
                         .knob = knob::kTodorovAlpha,
                         .doc = "Natural period of the regularised contact, in time steps.",
                         .formula = "R_n = α²/(4π²) w",
                         .source = "Practical Convex Formulation, eq. (12)"},
                        &ConvexParams::todorov_alpha},
    Param<ConvexParams>{
        {.name = "barrier_stiffness",
         .label = "Barrier stiffness",
         .symbol = "κ",
         .unit = "",
         .min = 1e-8,
         .max = 1e8,
         .scale = Scale::kLog,
         .group = "Contact",
         .knob = knob::kBarrierStiffness,
         .doc = "Strength of the barrier laws: J for the log barrier, J/m² for the IPC barrier.",
         .formula = "ℓ = −κ ln φ",
         .source = "Irrotational Contact Fields, eq. (9)-(12)"},
        &ConvexParams::barrier_stiffness},
    Param<ConvexParams>{{.name = "barrier_distance",
                         .label = "Barrier distance",
                         .symbol = "φ_b",
                         .unit = "m",
                         .min = 1e-6,
                         .max = 1e-1,
                         .scale = Scale::kLog,
                         .group = "Contact",
                         .knob = knob::kBarrierDistance,
                         .doc = "Distance at which the IPC barrier begins to act.",
                         .formula = "b = −κ (φ − φ_b)² ln(φ/φ_b)",
                         .source = "Irrotational Contact Fields, eq. (11)"},
                        &ConvexParams::barrier_distance},
    Param<ConvexParams>{
        {.name = "stiction_tolerance",
         .label = "Stiction tolerance",
         .symbol = "v_s",
         .unit = "m/s",
         .min = 1e-8,
         .max = 1e-1,
         .scale = Scale::kLog,
         .group = "Friction",
         .knob = knob::kStictionTolerance,
         .doc =
             "Slip speed at which friction reaches 71 % of Coulomb's; smaller is harder to solve.",
         .formula = "|v|ₛ = √(|v|² + v_s²) − v_s",
         .source = "Irrotational Contact Fields, eq. (45)"},
        &ConvexParams::stiction_tolerance},
    Param<ConvexParams>{
        {.name = "friction_regularization",
         .label = "Friction regularisation",
         .symbol = "σ",
         .unit = "",
         .min = 1e-6,
         .max = 1,
         .scale = Scale::kLog,
         .group = "Friction",
         .knob = knob::kFrictionRegularization,
         .doc = "Tangential regularisation relative to the contact's inverse mass w (to R_n for "
                "Todorov).",
         .formula = "R_t = σ w",
         .source = "engine notes, sections 2.1, 2.3, 5.2"},
        &ConvexParams::friction_regularization},
    Param<ConvexParams>{
        {.name = "turning",
         .label = "Turning",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Friction",
         .knob = knob::kOutOfPlane,
         .doc =
             "Where friction and gyroscopic moments of what turns in space are taken. Middle: of "
             "second order, what rolls or spins keeps its energy. Start: the step as published, "
             "which gives rolling bodies energy in proportion to the step.",
         .formula = "v_c = J v + b, b = ω × (r(δt/2) − r)",
         .source = "engine notes, section 9",
         .choices = kTurnings,
         .unnamed = static_cast<double>(Turning::kStart)},
        &ConvexParams::turning},
    Param<ConvexParams>{
        {.name = "solver",
         .label = "Method",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .knob = knob::kMinimum,
         .doc = "Fast: islands, primal-dual friction directions, interior point. Plain: Newton "
                "on the whole, as published. Both find the same minimum.",
         .formula = "v = argmin ½‖v − v*‖²_A + Σ ℓ(v_c)",
         .source = "Chan, Golub, Mulet 1999; Mehrotra 1992; plain: engine notes, section 8",
         .choices = kSolvers},
        &ConvexParams::solver},
    Param<ConvexParams>{
        {.name = "line_search",
         .label = "Line search",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .knob = knob::kMinimum,
         .doc = "Minimisation along the Newton direction (exact in the plain method), or "
                "halving until "
                "the cost falls.",
         .formula = "ℓ(α) = ℓ(v + α Δv)",
         .source = "engine notes, section 8",
         .choices = kLineSearches},
        &ConvexParams::line_search},
};

}  // namespace

std::span<const Param<ConvexParams>> ConvexParams::Table() { return kConvexTable; }

}  // namespace slip
