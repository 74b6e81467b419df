#pragma once

#include <string>

#include "engine/dynamics/model.h"
#include "engine/method/config.h"

namespace slip {

/// Of a pull where it begins: grabbed point from the centre of mass along the axes of the body's
/// own frame, anchor in the world, stiffness and limit with their units; of a twist the last two.
std::string DescribeGrab(const Grab& grab, const Body& body);

}  // namespace slip
