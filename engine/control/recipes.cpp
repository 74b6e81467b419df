#include "engine/control/recipes.h"

#include <array>

namespace slip {
namespace {

using enum ControllerId;
using enum RobotKind;

// Periods, clips: controller notes and exponential-integration notes, section 5.
// clang-format off
constexpr std::array kRecipes = {
    //     controller    robot       [s]    [N m] memory        function
    Recipe{kStand,       kQuadruped, 10e-3,   8, 0,            TickStand},
    Recipe{kStand,       kBiped,     10e-3, 300, kShiftMemory, TickBipedStand},
    Recipe{kSquat,       kQuadruped, 40e-3,   8, kSquatMemory, TickSquat},
    Recipe{kJump,        kQuadruped, 10e-3,   8, kJumpMemory,  TickJump},
    Recipe{kJumpHigh,    kQuadruped, 10e-3,   8, kJumpMemory,  TickJumpHigh},
    Recipe{kTrotInPlace, kQuadruped,  2e-3,   8, kTrotMemory,  TickTrotInPlace},
    Recipe{kTrot,        kQuadruped,  2e-3,   8, kTrotMemory,  TickTrot},
    Recipe{kShift,       kBiped,     40e-3, 300, kShiftMemory, TickShift},
    Recipe{kWalk,        kBiped,     10e-3, 300, kWalkMemory,  TickWalk},
    Recipe{kPress,       kArm,        2e-3, 300, kPressMemory, TickPress}};
// clang-format on

}  // namespace

std::span<const Recipe> Recipes() { return kRecipes; }

}  // namespace slip
