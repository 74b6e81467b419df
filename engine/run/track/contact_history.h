// What one contact went through on the way to the present step: read from recorded steps when
// somebody asks, because samples hold sums over contacts alone.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/dynamics/contact_key.h"
#include "engine/sim/timeline.h"

namespace slip {

/// The contact at the end of a step; NaN where it was not among the step's contacts.
struct ContactMoment {
  double time = 0;                ///< [s]
  double fn = kNaN;               ///< [N]
  double ft = kNaN;               ///< [N]
  double slip_speed = kNaN;       ///< [m/s]
  double signed_distance = kNaN;  ///< [m]
};

/// Of one contact in all channels.
struct ContactHistory {
  static constexpr std::size_t kMostSteps = 4000;  ///< of a channel

  ContactKey key = -1;
  uint64_t session = 0;  ///< Snapshot::session
  uint64_t asked = 0;    ///< number of the request that it answers
  std::vector<std::vector<ContactMoment>> channels;
};

/// The recorded steps later than `after` [s], all of them or kMostSteps spread evenly, the newest
/// among them.
std::vector<ContactMoment> ReadContact(const Timeline& history, ContactKey key, double after);

}  // namespace slip
