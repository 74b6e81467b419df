// Keys by the order in which they are first seen, in one flat table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/core/numbers.h"

namespace slip {

/// `Words` numbers of 32 bits make a key.
template <std::size_t Words>
class FirstSeen {
 public:
  using Key = std::array<std::uint32_t, Words>;

  /// For about so many different keys; more may come.
  explicit FirstSeen(std::size_t expected) { Spread(std::bit_ceil(2 * expected + 16)); }

  /// How many other keys came before this one.
  int Find(const Key& key) {
    if (2 * keys_.size() >= table_.size()) Spread(2 * table_.size());
    int* const at = PlaceOf(key);
    if (*at < 0) {
      *at = static_cast<int>(keys_.size());
      keys_.push_back(key);
    }
    return *at;
  }
  std::size_t size() const { return keys_.size(); }

 private:
  static std::size_t Hash(const Key& key) {
    std::uint64_t hash = 0;
    for (const std::uint32_t word : key) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
  /// Without a call for a few words.
  static bool AreSame(const Key& a, const Key& b) {
    for (std::size_t i = 0; i < Words; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }
  /// Of the key, or free.
  int* PlaceOf(const Key& key) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = Hash(key) & mask;
    while (table_[at] >= 0 && !AreSame(keys_[ToIndex(table_[at])], key)) at = (at + 1) & mask;
    return &table_[at];
  }
  void Spread(std::size_t places) {
    table_.assign(places, -1);
    for (std::size_t i = 0; i < keys_.size(); ++i) *PlaceOf(keys_[i]) = static_cast<int>(i);
  }

  std::vector<int> table_;  ///< into keys_, -1 = free; a power of two
  std::vector<Key> keys_;
};

}  // namespace slip
