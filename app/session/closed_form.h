// The closed form of a mass that stands or slides on one spring and damper with an anchor, as
// samples for the plots.
#pragma once

#include <vector>

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/run/track/command.h"

namespace slip::app {

/// Of the model's lead body on its first surface, touching with one point from the start on, until
/// `end` [s]: height, speed, normal force, and distance and speed along x under friction until it
/// stops. Other signals are NaN. It holds while the contact neither pulls nor slips backwards.
std::vector<Sample> CalcClosedForm(const Model& model, const Config& config, double end);

}  // namespace slip::app
