// What the engine remembers of a pair's contact points from step to step.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/collide/pair_contact.h"
#include "engine/geometry/held_features.h"

namespace slip::test {

/// The points of one pair; those of two others lie before and behind them.
class HeldPoints {
 public:
  explicit HeldPoints(const std::vector<uint32_t>& features)
      : keys_{kPair - 1, kPair + kLastShortFeature + 1} {
    for (const uint32_t feature : features) keys_.push_back(kPair + ShortFeature(feature));
    std::sort(keys_.begin(), keys_.end());
  }

  /// Valid as long as this.
  HeldFeatures get() const { return {keys_, kPair}; }

 private:
  static constexpr int64_t kPair = int64_t{7} << 20;
  std::vector<int64_t> keys_;
};

inline std::vector<uint32_t> FeaturesOf(const PairContacts& contacts) {
  std::vector<uint32_t> features;
  for (const PairContact& contact : contacts) features.push_back(contact.feature);
  std::sort(features.begin(), features.end());
  return features;
}

}  // namespace slip::test
