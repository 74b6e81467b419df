// What the ground does to a foot of a robot.
#pragma once

#include <span>

#include "engine/core/numbers.h"
#include "engine/method/force_prediction.h"
#include "engine/sim/snapshot.h"

namespace slip {

/// Sums over the contacts of the foot's points with surfaces; forces act on the foot.
struct FootLoad {
  Vec3 force_W = Vec3::Zero();  ///< [N]
  /// Centre of pressure: mean of the loaded points by normal force. Without load, the lowest point.
  Vec3 cop_W = Vec3::Zero();     ///< [m]
  Vec3 moment_W = Vec3::Zero();  ///< of the contact forces about cop_W [N m]
  double normal = 0;             ///< sum of normal forces [N]
  double friction = 0;           ///< size of the sum of friction forces [N]
  /// At the contact with the largest normal force [m/s], and friction over the sum of its Coulomb
  /// limits [-]; both NaN without load.
  double slip_speed = kNaN;
  double friction_used = kNaN;
  ContactMode mode = ContactMode::kOpen;  ///< of that contact
  int contacts = 0;                       ///< that carry load
  /// Least signed distance of its points to the surfaces [m]; infinite where there is none.
  double height = kInfinity;
};

/// Of a foot whose body is at X_WB, among the contacts of its channel.
FootLoad CalcFootLoad(const Model& model, const Robot::Foot& foot, const Pose& X_WB,
                      std::span<const ContactFrame> contacts);

/// Whether a contact is of one of the foot's points.
bool IsOfFoot(const Model& model, const Robot::Foot& foot, const ContactFrame& contact);

/// Fills the sums over the feet of all robots from the contacts that were foretold.
void SumFeet(const Model& model, ForcePrediction* prediction);

/// What a leg, the links from the robot's base to a foot, rests on.
enum class LegRest {
  kAir,    ///< nothing
  kFoot,   ///< its foot
  kOther,  ///< other parts of it: it lies there
};
LegRest FindLegRest(const Model& model, const Robot& robot, const Robot::Foot& foot,
                    std::span<const ContactFrame> contacts);

}  // namespace slip
