#include "engine/control/holding_gains.h"

#include <algorithm>

namespace slip {
namespace {

// The weight of the robot at its full reach turns a motor by so much at most [rad], and moves a
// sliding one by so much [m].
constexpr double kSagAngle = 0.05, kSagLength = 0.01;
constexpr double kMotorTime = 0.1;  // damping over stiffness [s]
constexpr double kSoftest = 1e-3, kStiffest = 1e6;

}  // namespace

HoldingGains CalcHoldingGains(double weight, double reach, bool slides) {
  const double stiffness =
      std::clamp(slides ? weight / kSagLength : weight * reach / kSagAngle, kSoftest, kStiffest);
  return {stiffness, kMotorTime * stiffness};
}

}  // namespace slip
