#include "engine/control/recipes.h"

#include <array>

namespace slip {
namespace {

using enum ControllerId;
using enum RobotKind;
using D = RobotDrive;

// Periods, clips: controller notes and exponential-integration notes, section 5.
// clang-format off
constexpr std::array kRecipes = {
    //     controller    robot       [s]    [N m] memory        function
    Recipe{kStand,       kQuadruped, 10e-3,   8, 0,            TickStand,       {&D::stand_height}},
    Recipe{kStand,       kBiped,     10e-3, 300, kShiftMemory, TickBipedStand},
    Recipe{kSquat,       kQuadruped, 40e-3,   8, kSquatMemory, TickSquat,       {&D::stand_height, &D::squat_amplitude, &D::squat_rate}},
    Recipe{kJump,        kQuadruped, 10e-3,   8, kJumpMemory,  TickJump,        {&D::stand_height}},
    Recipe{kJumpHigh,    kQuadruped, 10e-3,   8, kJumpMemory,  TickJumpHigh,    {&D::stand_height}},
    Recipe{kTrotInPlace, kQuadruped,  2e-3,   8, kTrotMemory,  TickTrotInPlace, {&D::stand_height, &D::trot_lift, &D::trot_period}},
    Recipe{kTrot,        kQuadruped,  2e-3,   8, kTrotMemory,  TickTrot,        {&D::stand_height, &D::trot_lift, &D::trot_period, &D::trot_speed}},
    Recipe{kShift,       kBiped,     40e-3, 300, kShiftMemory, TickShift,       {&D::sway_amplitude, &D::sway_rate}},
    Recipe{kWalk,        kBiped,     10e-3, 300, kWalkMemory,  TickWalk,        {&D::step_length, &D::step_lift}},
    Recipe{kPress,       kArm,        2e-3, 300, kPressMemory, TickPress,       {&D::press_force, &D::approach_speed}}};
// clang-format on

}  // namespace

std::span<const Recipe> Recipes() { return kRecipes; }

}  // namespace slip
