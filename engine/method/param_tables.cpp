// The parameters that are no formulation's own: every slider, scene key, option, help text and CSV
// header reads these tables. Those of a formulation stand in its folder, those of a robot in
// robot_table.cpp.
#include <array>

#include "engine/contact/knobs.h"
#include "engine/method/config.h"

namespace slip {
namespace {

constexpr std::array<std::string_view, 2> kSwitch = {"off", "on"};
constexpr std::array<std::string_view, 2> kAccuracyOf = {"inner-step", "time-step"};

constexpr double kTiltLimit = 1.0471975511965976;  // 60 degrees [rad]

constexpr std::array<std::string_view, 2> kLostSteps = {"refuse", "accept"};
constexpr std::array<std::string_view, 2> kGainedEnergy = {"refuse", "accept"};
constexpr std::array<std::string_view, 2> kNarrowPhases = {"own", "libccd"};

using S = CommonParams;
const std::array kCommonTable = {
    Param<S>{{.name = "time_step",
              .label = "Time step",
              .symbol = "δt",
              .unit = "s",
              .min = 1e-7,
              .max = 1e-1,
              .scale = Scale::kLog,
              .group = "Time",
              .doc = "Length of one step. SAP and Similar glide in proportion to it.",
              .formula = "φ = μ δt |v_t|",
              .source = "Irrotational Contact Fields, eq. (1)"},
             &S::time_step},
    Param<S>{{.name = "error_control",
              .label = "Error control",
              .symbol = "",
              .unit = "",
              .min = 0,
              .max = 1,
              .scale = Scale::kChoice,
              .group = "Time",
              .doc = "Makes each step of inner steps, whose lengths follow from their error: one "
                     "step against two halves. It sees the time stepping alone, not what a model "
                     "such as SAP changes with the step.",
              .formula = "e = max|q₂ − q₁| ≤ a",
              .source = "Hairer, Nørsett, Wanner, Solving ODEs I, II.4",
              .choices = kSwitch},
             &S::error_control},
    Param<S>{
        {.name = "accuracy",
         .label = "Accuracy",
         .symbol = "a",
         .unit = "",
         .min = 1e-9,
         .max = 1,
         .scale = Scale::kLog,
         .group = "Time",
         .knob = knob::kErrorControl,
         .doc = "Largest error of a position coordinate, in m and rad: of an inner step, or of "
                "those of a time step together.",
         .formula = "δt ← δt · 0.9 √(a/e)",
         .source = "Hairer, Nørsett, Wanner, Solving ODEs I, II.4"},
        &S::accuracy},
    Param<S>{
        {.name = "accuracy_of",
         .label = "Accuracy of",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Time",
         .knob = knob::kErrorControl,
         .doc =
             "What the accuracy limits. inner-step: the error of each inner step; the error of a "
             "run "
             "goes with the root of the accuracy. time-step: the errors of all inner steps of a "
             "time step together; the error of a run goes with the accuracy, but takes many more "
             "steps.",
         .formula = "e ≤ a, or e ≤ a δt/H",
         .source = "Hairer, Nørsett, Wanner, Solving ODEs I, II.4",
         .choices = kAccuracyOf},
        &S::accuracy_of},
    Param<S>{
        {.name = "local_extrapolation",
         .label = "Local extrapolation",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Time",
         .knob = knob::kErrorControl,
         .doc = "An inner step ends at twice its halves less the whole: one order better where the "
                "motion is smooth. For models such as Lagged: SAP's own law changes with the step. "
                "Steps in which a contact comes, goes or has an anchor end at their halves.",
         .formula = "x = 2 x₂ − x₁",
         .source = "Hairer, Nørsett, Wanner, Solving ODEs I, II.4",
         .choices = kSwitch},
        &S::local_extrapolation},
    Param<S>{{.name = "min_step",
              .label = "Smallest inner step",
              .symbol = "",
              .unit = "s",
              .min = 1e-12,
              .max = 1e-2,
              .scale = Scale::kLog,
              .group = "Time",
              .knob = knob::kErrorControl,
              .doc = "Inner steps are not shorter; one of this length counts whatever its error.",
              .formula = "",
              .source = "engine notes, section 9"},
             &S::min_step},
    Param<S>{{.name = "max_inner",
              .label = "Inner step limit",
              .symbol = "",
              .unit = "",
              .min = 1,
              .max = 1000000,
              .scale = Scale::kInteger,
              .group = "Time",
              .knob = knob::kErrorControl,
              .doc = "Inner steps, rejected ones included, after which a step is given up.",
              .formula = "",
              .source = "engine notes, section 9"},
             &S::max_inner},
    Param<S>{
        {.name = kMethodParam,
         .label = "Method",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = static_cast<double>(MethodIds().size()) - 1,
         .scale = Scale::kChoice,
         .group = "Contact",
         .doc = "What turns contacts into forces: a convex potential, or springs with anchors.",
         .formula = "γ = −∂ℓ/∂v_c",
         .source = "Irrotational Contact Fields, eq. (3)",
         .choices = MethodIds()},
        &S::method},
    Param<S>{{.name = "gravity",
              .label = "Gravity",
              .symbol = "g",
              .unit = "m/s^2",
              .min = 0,
              .max = 20,
              .group = "Drive",
              .doc = "Acceleration of gravity, downwards before any tilt.",
              .formula = "",
              .source = "9.81 on Earth, 1.62 on the Moon"},
             &S::gravity},
    Param<S>{{.name = "tilt",
              .label = "Tilt",
              .symbol = "θ",
              .unit = "rad",
              .min = -kTiltLimit,
              .max = kTiltLimit,
              .group = "Drive",
              .doc = "Gravity leans towards +x by this angle, as if the ground were a slope.",
              .formula = "a = g (sin θ, 0, −cos θ)",
              .source = ""},
             &S::tilt},
};
const std::array kIterationTable = {
    Param<S>{{.name = "solver_tolerance",
              .label = "Solver tolerance",
              .symbol = "ε_r",
              .unit = "",
              .min = 1e-14,
              .max = 1e-2,
              .scale = Scale::kLog,
              .group = "Solver",
              .knob = knob::kNewton,
              .doc = "Newton stops when the scaled momentum residual falls below it.",
              .formula = "‖D∇ℓ‖ ≤ ε_a + ε_r max(‖DAv‖, ‖D J^T γ‖)",
              .source = "engine notes, section 8"},
             &S::solver_tolerance},
    Param<S>{{.name = "max_iterations",
              .label = "Iteration limit",
              .symbol = "",
              .unit = "",
              .min = 1,
              .max = 1000,
              .scale = Scale::kInteger,
              .group = "Solver",
              .knob = knob::kIterations,
              .doc = "Newton iterations after which a step is flagged as not converged.",
              .formula = "",
              .source = "engine notes, section 8"},
             &S::max_iterations},
    Param<S>{
        {.name = "lost_steps",
         .label = "Lost steps",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .knob = knob::kLostSteps,
         .doc = "A step that ends above a residual of 0.01 is no solution, nor is a quasi-dynamic "
                "one whose constraints give way by more than 1 um. Refuse: the model "
                "stops in its last good state. Accept: it goes on, and bodies may gain "
                "energy from nowhere.",
         .formula = "‖D∇ℓ‖ > 0.01 max(‖DAv‖, ‖D J^T γ‖)",
         .source = "engine notes, section 8",
         .choices = kLostSteps},
        &S::lost_steps},
};

const std::array kBalanceTable = {
    Param<S>{
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
        &S::gained_energy},
};

const std::array kDetectionTable = {
    Param<S>{{.name = "narrow_phase",
              .label = "Narrow phase",
              .symbol = "",
              .unit = "",
              .min = 0,
              .max = 1,
              .scale = Scale::kChoice,
              .group = "Contact",
              .knob = knob::kNarrowPhase,
              .doc = "Who measures the overlap of cylinders and convex meshes: GJK and EPA of our "
                     "own, or libccd, to 1e-6 m and slower. All other pairs have closed forms.",
              .formula = "φ = max over n of min n·(b − a)",
              .source = "Gilbert, Johnson, Keerthi 1988; van den Bergen 2001; libccd 2.1",
              .choices = kNarrowPhases},
             &S::narrow_phase},
};

using M = Material;
const std::array kMaterialTable = {
    Param<M>{
        {.name = "stiffness",
         .label = "Stiffness",
         .symbol = "k",
         .unit = "N/m",
         .min = 1e2,
         .max = 1e14,
         .scale = Scale::kLog,
         .group = "Contact",
         .knob = knob::kStiffness,
         .doc = "Normal contact stiffness; two materials that touch are springs in series. Order "
                "of steel spheres: 1e7 N/m.",
         .formula = "f = k x",
         .source = "Irrotational Contact Fields, eq. (13)"},
        &M::stiffness},
    Param<M>{{.name = "hertz_stiffness",
              .label = "Hertz stiffness",
              .symbol = "k_H",
              .unit = "N/m^1.5",
              .min = 1e2,
              .max = 1e14,
              .scale = Scale::kLog,
              .group = "Contact",
              .knob = knob::kHertzStiffness,
              .doc = "Stiffness of the Hertz law, from elasticity and radius of curvature.",
              .formula = "k_H = 4/3 E* √R",
              .source = "engine notes, section 3.2"},
             &M::hertz_stiffness},
    Param<M>{{.name = "dissipation",
              .label = "Dissipation",
              .symbol = "d",
              .unit = "s/m",
              .min = 1e-3,
              .max = 1e3,
              .scale = Scale::kLog,
              .zero = true,
              .group = "Contact",
              .knob = knob::kDissipation,
              .doc = "Hunt & Crossley damping; no body rebounds faster than 1/d.",
              .formula = "f = k x (1 + d ẋ)₊",
              .source = "Irrotational Contact Fields, eq. (13)"},
             &M::dissipation},
    Param<M>{{.name = "relaxation_time",
              .label = "Relaxation time",
              .symbol = "τ_d",
              .unit = "s",
              .min = 1e-7,
              .max = 1,
              .scale = Scale::kLog,
              .zero = true,
              .group = "Contact",
              .knob = knob::kRelaxationTime,
              .doc = "Linear damping as a time; SAP's gliding keeps it as the step shrinks. The "
                     "Kelvin-Voigt law uses it too.",
              .formula = "φ = μ (δt + τ_d)|v_t|",
              .source = "Irrotational Contact Fields, eq. (41)"},
             &M::relaxation_time},
    Param<M>{{.name = "damping",
              .label = "Contact damping",
              .symbol = "B",
              .unit = "N s/m",
              .min = 1e-1,
              .max = 1e6,
              .scale = Scale::kLog,
              .zero = true,
              .group = "Contact",
              .knob = knob::kDamping,
              .doc = "Damper of a contact with an anchor, in all directions. Explicit Euler is "
                     "unstable above a time step in proportion to 1/B.",
              .formula = "f = −K (p − p₀) − B v",
              .source = "Exponential Integration, eq. (2)"},
             &M::damping},
    Param<M>{{.name = "friction",
              .label = "Friction coefficient",
              .symbol = "μ",
              .unit = "",
              .min = 0,
              .max = 3,
              .group = "Friction",
              .doc = "Coulomb's coefficient, the same in stiction and slip.",
              .formula = "|f_t| ≤ μ f_n",
              .source = "Irrotational Contact Fields, section II"},
             &M::friction},
    Param<M>{{.name = "torsional_friction",
              .label = "Torsional friction",
              .symbol = "μ_w",
              .unit = "m",
              .min = 0,
              .max = 0.1,
              .group = "Friction",
              .knob = knob::kTorsion,
              .doc = "Torque about the normal, per newton of normal force, that a patch holds "
                     "against spin; sliding and spinning share one budget. 0 = a point, which "
                     "spins freely.",
              .formula = "|(f_t/μ, T/μ_w)| ≤ f_n",
              .source = "engine notes, section 5.6"},
             &M::torsional_friction},
};

}  // namespace

std::span<const Param<CommonParams>> CommonParamTable() { return kCommonTable; }
std::span<const Param<CommonParams>> IterationParamTable() { return kIterationTable; }
std::span<const Param<CommonParams>> BalanceParamTable() { return kBalanceTable; }
std::span<const Param<CommonParams>> DetectionParamTable() { return kDetectionTable; }
std::span<const Param<Material>> MaterialTable() { return kMaterialTable; }

}  // namespace slip
