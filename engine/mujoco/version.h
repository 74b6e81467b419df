// Whether this build has MuJoCo, and which.
#pragma once

#include <string_view>

namespace slip {

/// Of the library that runs, "2.2.2"; empty where there is none.
std::string_view MujocoVersion();
/// Why there is none, a phrase; empty where it is.
std::string_view WhyNoMujoco();

}  // namespace slip
