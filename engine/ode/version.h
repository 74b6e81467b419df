// Whether this build has ODE, and which.
#pragma once

#include <string_view>

namespace slip {

/// Of the library that it was built with, "0.16.2"; empty where there is none.
std::string_view OdeVersion();
/// Why there is none, a phrase; empty where it is.
std::string_view WhyNoOde();

}  // namespace slip
