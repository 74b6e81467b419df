// A coin that rolls round on its rim, tilted by 30 degrees, with its centre at rest: it does so for
// ever.
#pragma once

namespace slip {

inline constexpr const char* kRollingCoin = R"(
title = "A coin rolls round"
duration = 0.6
contact_margin = 0.005
gravity = 9.81
stiction_tolerance = 1e-5
friction_regularization = 1e-5
[material.body]
stiffness = 1e6
dissipation = 0
relaxation_time = 0
friction = 1
[surface.table]
[body.coin]
shape = "cylinder"
radius = 0.0375
length = 0.006
mass = 0.1
inertia = [7.0312499999999995e-05, 3.5456250000000005e-05, 3.5456250000000005e-05]
position = [0, 0, 0.02134807621135331]
quaternion = [0.8660254037844386, 0, -0.5, 0]
angular_velocity = [-19.27851762310242, 0, 13.286411824603231]
)";

}  // namespace slip
