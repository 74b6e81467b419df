// The parameters that are no formulation's own: every slider, scene key, option, help text and CSV
// header reads these tables. Those of a formulation stand in its folder, those of a robot in
// robot_table.cpp.
#include <array>

#include "engine/contact/knobs.h"
#include "engine/method/config.h"

namespace slip {
namespace {

constexpr double kTiltLimit = 1.0471975511965976;  // 60 degrees [rad]

constexpr std::array<std::string_view, 2> kNarrowPhases = {"own", "libccd"};

using S = StepParams;
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
         .max = 1e12,
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
};

using D = SurfaceDrive;
const std::array kSurfaceTable = {
    Param<D>{{.name = "belt_speed",
              .label = "Belt speed",
              .symbol = "u₀",
              .unit = "m/s",
              .min = -10,
              .max = 10,
              .group = "Drive",
              .doc = "Steady part of the belt's motion along its axis.",
              .formula = "u = u₀ + b t + a ω sin ωt",
              .source = "Practical Convex Formulation, section 6.1"},
             &D::belt_speed},
    Param<D>{{.name = "belt_acceleration",
              .label = "Belt acceleration",
              .symbol = "b",
              .unit = "m/s^2",
              .min = -20,
              .max = 20,
              .group = "Drive",
              .doc = "Steady acceleration of the belt from the start of the run.",
              .formula = "u = u₀ + b t + a ω sin ωt",
              .source = "engine notes, section 10.8"},
             &D::belt_acceleration},
    Param<D>{{.name = "belt_amplitude",
              .label = "Belt amplitude",
              .symbol = "a",
              .unit = "m",
              .min = 0,
              .max = 1,
              .group = "Drive",
              .doc = "Half the stroke of the belt's oscillation.",
              .formula = "u = u₀ + b t + a ω sin ωt",
              .source = "Irrotational Contact Fields, section IX-A"},
             &D::belt_amplitude},
    Param<D>{{.name = "belt_frequency",
              .label = "Belt frequency",
              .symbol = "f",
              .unit = "Hz",
              .min = 0,
              .max = 10,
              .group = "Drive",
              .doc = "Oscillations of the belt per second.",
              .formula = "ω = 2π f",
              .source = "Irrotational Contact Fields, section IX-A"},
             &D::belt_frequency},
};

const std::array kPileTable = {
    Param<PileDrive>{{.name = "bodies",
                      .label = "Bodies",
                      .symbol = "N",
                      .unit = "",
                      .min = 1,
                      .max = 4000,
                      .scale = Scale::kInteger,
                      .group = "Drive",
                      .doc = "Number of bodies in the pile, counted layer by layer.",
                      .formula = "",
                      .source = "",
                      .applies = Applies::kRebuild},
                     &PileDrive::bodies},
};

using J = JointDrive;
constexpr std::array<Param<J>, 3> MakeJointTable(bool slides) {
  const double far = slides ? 10 : 12.566370614359172;  // two turns [rad]
  return {Param<J>{{.name = "joint_target",
                    .label = "Target",
                    .symbol = "q_d",
                    .unit = slides ? "m" : "rad",
                    .min = -far,
                    .max = far,
                    .group = "Joints",
                    .doc = "Position that the joint's motor goes to.",
                    .formula = "τ = k_p (q_d − q) − k_d q̇",
                    .source = "Practical Convex Formulation, section 2: springs of joints"},
                   &J::target},
          Param<J>{{.name = "joint_stiffness",
                    .label = "Motor stiffness",
                    .symbol = "k_p",
                    .unit = slides ? "N/m" : "N m/rad",
                    .min = 1e-3,
                    .max = 1e7,
                    .scale = Scale::kLog,
                    .zero = true,
                    .group = "Joints",
                    .doc = "Gain of the joint's motor on position, implicit in the step.",
                    .formula = "τ = k_p (q_d − q) − k_d q̇",
                    .source = "Practical Convex Formulation, section 2: springs of joints"},
                   &J::stiffness},
          Param<J>{{.name = "joint_damping",
                    .label = "Motor damping",
                    .symbol = "k_d",
                    .unit = slides ? "N s/m" : "N m s/rad",
                    .min = 1e-4,
                    .max = 1e6,
                    .scale = Scale::kLog,
                    .zero = true,
                    .group = "Joints",
                    .doc = "Gain of the joint's motor on the rate, implicit in the step.",
                    .formula = "τ = k_p (q_d − q) − k_d q̇",
                    .source = "Practical Convex Formulation, section 2: springs of joints"},
                   &J::damping}};
}
const std::array kTurningTable = MakeJointTable(false);
const std::array kSlidingTable = MakeJointTable(true);

}  // namespace

std::span<const Param<StepParams>> CommonParamTable() { return kCommonTable; }
std::span<const Param<StepParams>> DetectionParamTable() { return kDetectionTable; }
std::span<const Param<Material>> MaterialTable() { return kMaterialTable; }
std::span<const Param<SurfaceDrive>> SurfaceTable() { return kSurfaceTable; }
std::span<const Param<PileDrive>> PileTable() { return kPileTable; }
std::span<const Param<JointDrive>> JointTable(bool slides) {
  return slides ? kSlidingTable : kTurningTable;
}

}  // namespace slip
