// How heavy a contact is: the inverse inertia that its models see, from a frame of the picture.
#pragma once

#include "engine/sim/snapshot.h"

namespace slip {

struct ContactInertia {
  double w = 0;            ///< Delassus estimate of the models, see ContactTask [1/kg]
  double normal_mass = 0;  ///< effective mass along the normal, 1/(J_n M^-1 J_n^T) [kg]
};

/// At the contact's point, with the poses of `frame`; `contact` is one of its contacts. Infinite
/// mass and w = 0 where nothing can move along the normal.
ContactInertia CalcContactInertia(const Model& model, const ChannelFrame& frame,
                                  const ContactFrame& contact);

}  // namespace slip
