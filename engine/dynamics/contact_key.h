// Names of contacts.
#pragma once

#include <cstdint>

#include "engine/geometry/held_features.h"

namespace slip {

/// Names one contact, the same from step to step while the same features touch. Below 2^53, so that
/// histories and CSV files keep it exactly.
/// Point of a body on a surface: first_key + surface * points + point, small numbers counted over
/// the scene. Anything else: kind, 15 bits each for the two partners, 20 for the feature.
using ContactKey = int64_t;

enum class ContactKeyKind : int { kPoint, kSurface, kPair };

inline constexpr int kMaxBodies = 1 << 15;

/// Partners in the order in which the detector visits them, so that keys come out sorted.
constexpr ContactKey MakeContactKey(ContactKeyKind kind, int first, int second, uint32_t feature) {
  return (ContactKey{static_cast<int>(kind)} << 50) | (ContactKey{first} << 35) |
         (ContactKey{second} << 20) | static_cast<ContactKey>(ShortFeature(feature));
}

}  // namespace slip
