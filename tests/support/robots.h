// Solo12 and the biped romeo12 straight from the tables of the exponential-integration notes,
// section 4: what their controllers were verified on.
#pragma once

#include <memory>
#include <string>

#include "engine/dynamics/model.h"
#include "engine/method/config.h"

namespace slip::test {

/// Place and angles of the start.
struct RobotStart {
  Pose X_WL;                    ///< of the base link's frame
  bool mirrored_knees = false;  ///< hind knees bend the other way (Solo12)
};

/// A floor z = 0 with Config::materials[0], contact points without radius.
Model MakeSolo(const RobotStart& start);
Model MakeBiped(const RobotStart& start);
/// An arm of seven joints on a fixed base, its tool 0.245 m above the floor.
Model MakeArm();
/// As their controllers expect them: 1e-5 m below the height at which their feet touch.
RobotStart SoloStart(bool mirrored_knees);
RobotStart BipedStart();

/// K 1e5, B 300, mu 1; one robot with this controller.
Config RobotConfig(const std::string& method, const std::string& robot, ControllerId id, double h);

}  // namespace slip::test
