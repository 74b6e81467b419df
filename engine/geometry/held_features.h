// The points that a pair had in the step before, for reductions to hold on to. A manifold of many
// equally good points would otherwise trade some for others in every step, and shake what rests on
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

namespace slip {

/// Twenty bits of a feature, all that a contact's key has room for.
inline constexpr uint32_t kLastShortFeature = 0xFFFFF;
constexpr uint32_t ShortFeature(uint32_t feature) {
  return (feature ^ (feature >> 20)) & kLastShortFeature;
}

class HeldFeatures {
 public:
  /// None: the choice is that of the geometry alone.
  HeldFeatures() = default;
  /// Keys of contacts, ascending. Those of this pair are pair_key + ShortFeature.
  HeldFeatures(std::span<const int64_t> keys, int64_t pair_key)
      : keys_(keys), pair_key_(pair_key) {}

  bool Has(uint32_t feature) const {
    return std::binary_search(keys_.begin(), keys_.end(), pair_key_ + ShortFeature(feature));
  }
  /// The pair's key, if it had a single one.
  std::optional<int64_t> Only() const {
    const auto first = std::lower_bound(keys_.begin(), keys_.end(), pair_key_);
    const auto is_own = [&](auto key) {
      return key != keys_.end() && *key <= pair_key_ + kLastShortFeature;
    };
    if (!is_own(first) || is_own(first + 1)) return std::nullopt;
    return *first;
  }

 private:
  std::span<const int64_t> keys_;
  int64_t pair_key_ = 0;
};

}  // namespace slip
