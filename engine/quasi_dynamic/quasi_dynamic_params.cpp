// The parameters of quasi-dynamic steps.
#include <array>

#include "engine/contact/knobs.h"
#include "engine/quasi_dynamic/quasi_dynamic.h"

namespace slip {
namespace {

const std::array kQuasiDynamicTable = {
    Param<StepParams>{{.name = "closest_points",
                       .label = "Closest points",
                       .symbol = "",
                       .unit = "",
                       .min = 1,
                       .max = 32,
                       .scale = Scale::kInteger,
                       .group = "Solver",
                       .knob = knob::kQuadraticProgram,
                       .doc = "Points of a body that a step keeps apart from each obstacle: those "
                              "nearest to it. What is not among them may sink in for a step.",
                       .formula = "",
                       .source = "Convex Quasi-Dynamic Simulation, section III"},
                      &StepParams::closest_points},
    Param<StepParams>{{.name = "qp_tolerance",
                       .label = "Program tolerance",
                       .symbol = "",
                       .unit = "",
                       .min = 1e-12,
                       .max = 1e-2,
                       .scale = Scale::kLog,
                       .group = "Solver",
                       .knob = knob::kQuadraticProgram,
                       .doc = "Of the residuals of a step's quadratic program, in variables scaled "
                              "to the size of one.",
                       .formula = "",
                       .source = "Mehrotra 1992"},
                      &StepParams::qp_tolerance},
};

}  // namespace

std::span<const Param<StepParams>> QuasiDynamic::Params() { return kQuasiDynamicTable; }

}  // namespace slip
