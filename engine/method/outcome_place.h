// What a contact's outcome says of where it is and how its bodies move there: for methods that hand
// our contacts to another engine.
#pragma once

#include "engine/collide/contact_detector.h"
#include "engine/method/step_io.h"

namespace slip {

/// v_C of a contact between velocities of B relative to A: (t1, t2, n), less the belt's [m/s].
Vec3 CalcContactVelocity(const ContactGeometry& g, const Vec3& v_W);

/// All that follows from geometry and the relative velocity at the step's end; no forces.
ContactOutcome PlaceOutcome(const Model& model, const ContactGeometry& g, const Vec3& v_W,
                            double time_step);

}  // namespace slip
