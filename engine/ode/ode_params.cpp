#include "engine/ode/ode_params.h"

#include <array>

namespace slip {
namespace {

constexpr std::array<std::string_view, 2> kOdeSolvers = {"quick", "world"};
constexpr std::array<std::string_view, 2> kOdeContacts = {"material", "rigid"};

const std::array kOdeTable = {
    Param<OdeParams>{
        {.name = "ode_solver",
         .label = "Solver",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .doc = "Quick: dWorldQuickStep, sweeps over the constraints one by one. World: "
                "dWorldStep, which factors them; its work grows with their cube.",
         .formula = "",
         .source = "engine notes, section 27",
         .choices = kOdeSolvers},
        &OdeParams::solver},
    Param<OdeParams>{{.name = "ode_iterations",
                      .label = "Sweeps",
                      .symbol = "",
                      .unit = "",
                      .min = 1,
                      .max = 10000,
                      .scale = Scale::kInteger,
                      .group = "Solver",
                      .doc = "Of quick steps, which end after them whatever they came to: what is "
                             "left is the residual of the contacts' equations.",
                      .formula = "",
                      .source = "engine notes, section 27"},
                     &OdeParams::iterations},
    Param<OdeParams>{
        {.name = "ode_contact",
         .label = "Contact parameters",
         .symbol = "",
         .unit = "",
         .min = 0,
         .max = 1,
         .scale = Scale::kChoice,
         .group = "Solver",
         .doc = "Material: soft_erp and soft_cfm of the stiffness and relaxation time of the two "
                "materials at this time step, slip of the friction regularisation. Rigid: ODE's "
                "own defaults, an error reduction of 0.2.",
         .formula = "erp = h k/(h k + c), cfm = 1/(h k + c), c = k τ, slip = σ w h",
         .source = "engine notes, section 27",
         .choices = kOdeContacts},
        &OdeParams::contact},
};

}  // namespace

std::span<const Param<OdeParams>> OdeParams::Table() { return kOdeTable; }

}  // namespace slip
