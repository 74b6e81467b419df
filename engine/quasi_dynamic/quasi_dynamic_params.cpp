#include "engine/quasi_dynamic/quasi_dynamic_params.h"

#include <array>

namespace slip {
namespace {

const std::array kQuasiDynamicTable = {
    Param<QuasiDynamicParams>{
        {.name = "closest_points",
         .label = "Closest points",
         .symbol = "",
         .unit = "",
         .min = 1,
         .max = 32,
         .scale = Scale::kInteger,
         .group = "Solver",
         .doc = "Points of a body that a step keeps apart from each obstacle: those "
                "nearest to it. What is not among them may sink in for a step.",
         .formula = "",
         .source = "Convex Quasi-Dynamic Simulation, section III"},
        &QuasiDynamicParams::closest_points},
    Param<QuasiDynamicParams>{
        {.name = "qp_tolerance",
         .label = "Program tolerance",
         .symbol = "",
         .unit = "",
         .min = 1e-12,
         .max = 1e-2,
         .scale = Scale::kLog,
         .group = "Solver",
         .doc = "Of the residuals of a step's quadratic program, in variables scaled "
                "to the size of one.",
         .formula = "",
         .source = "Mehrotra 1992"},
        &QuasiDynamicParams::qp_tolerance},
};

}  // namespace

std::span<const Param<QuasiDynamicParams>> QuasiDynamicParams::Table() {
  return kQuasiDynamicTable;
}

}  // namespace slip
