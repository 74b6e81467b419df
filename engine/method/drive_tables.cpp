// Parameters of single things in a scene: surfaces, piles, bodies, pushes and joints.
#include <array>

#include "engine/contact/knobs.h"
#include "engine/method/config.h"

namespace slip {
namespace {

constexpr std::array<std::string_view, 2> kOffOn = {"off", "on"};

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
    Param<PileDrive>{{.name = "rows",
                      .label = "Rows",
                      .symbol = "n",
                      .unit = "",
                      .min = 1,
                      .max = 150,
                      .scale = Scale::kInteger,
                      .group = "Drive",
                      .doc = "Makes the pile a pyramid: as many bodies in its lowest row, one "
                             "less in each row above.",
                      .formula = "N = n(n + 1)/2",
                      .source = "",
                      .applies = Applies::kRebuild},
                     &PileDrive::rows},
};

const std::array kBodyTable = {
    Param<BodyDrive>{{.name = "mass",
                      .label = "Mass",
                      .symbol = "m",
                      .unit = "kg",
                      .min = 1e-9,
                      .max = 1e9,
                      .scale = Scale::kLog,
                      .group = "Bodies",
                      .doc = "Mass of the body; its moments of inertia go along.",
                      .formula = "",
                      .source = "",
                      .applies = Applies::kRebuild},
                     &BodyDrive::mass},
    Param<BodyDrive>{{.name = "own_material",
                      .label = "Own material",
                      .symbol = "",
                      .unit = "",
                      .min = 0,
                      .max = 1,
                      .scale = Scale::kChoice,
                      .group = "Bodies",
                      .doc = "Gives the body a copy of its material, which then changes for it "
                             "alone: material.NAME:own.friction and so on.",
                      .formula = "",
                      .source = "",
                      .choices = kOffOn,
                      .applies = Applies::kRebuild},
                     &BodyDrive::own_material},
};

const std::array kPushTable = {
    Param<PushDrive>{
        {.name = "push_scale",
         .label = "Push",
         .symbol = "",
         .unit = "",
         .min = -10,
         .max = 10,
         .group = "Drive",
         .doc = "Times the force and torque that the scene applies to a body over time.",
         .formula = "f = s f(t), τ = s τ(t)",
         .source = "engine/sim: applied forces"},
        &PushDrive::scale},
};

using J = JointDrive;
constexpr std::array<Param<J>, 4> MakeJointTable(bool slides) {
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
                   &J::damping},
          Param<J>{{.name = "impedance",
                    .label = "Impedance",
                    .symbol = "K",
                    .unit = slides ? "N/m" : "N m/rad",
                    .min = 1e-3,
                    .max = 1e7,
                    .scale = Scale::kLog,
                    .zero = true,
                    .group = "Joints",
                    .knob = knob::kImpedance,
                    .doc = "Stiffness of the joint's actuator in the quasi-dynamic method, which "
                           "knows no motor: what squeezes is how far the joint is from its target.",
                    .formula = "τ = K (q_d − q − δq)",
                    .source = "Convex Quasi-Dynamic Simulation, eq. (1)"},
                   &J::impedance}};
}
const std::array kTurningTable = MakeJointTable(false);
const std::array kSlidingTable = MakeJointTable(true);

}  // namespace

std::span<const Param<SurfaceDrive>> SurfaceTable() { return kSurfaceTable; }
std::span<const Param<PileDrive>> PileTable() { return kPileTable; }

std::span<const Param<PileDrive>> PileTable(const PileDrive& pile) {
  return PileTable().subspan(pile.pyramid ? 1 : 0, 1);
}
std::span<const Param<BodyDrive>> BodyTable() { return kBodyTable; }
std::span<const Param<PushDrive>> PushTable() { return kPushTable; }
std::span<const Param<JointDrive>> JointTable(bool slides) {
  return slides ? kSlidingTable : kTurningTable;
}

}  // namespace slip
