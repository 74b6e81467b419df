#pragma once

#include <string>

#include "engine/method/config.h"

namespace slip {

/// Of a pull where it begins: grabbed point in the body's frame, anchor in the world, stiffness and
/// limit with their units; of a twist the last two.
std::string DescribeGrab(const Grab& grab);

}  // namespace slip
