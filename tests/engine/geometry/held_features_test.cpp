#include "engine/geometry/held_features.h"

#include <gtest/gtest.h>

#include <vector>

namespace slip {
namespace {

constexpr int64_t kPair = int64_t{5} << 20, kNextPair = int64_t{6} << 20;
// bits of two halves that differ in the upper one alone
constexpr uint32_t kLong = 3u << 30 | 0x12345, kLongOther = 1u << 30 | 0x12345;

TEST(HeldFeatures, NoneHoldsNothing) {
  const HeldFeatures none, empty({}, kPair);
  for (const uint32_t feature : {0u, 1u, kLong}) {
    EXPECT_FALSE(none.Has(feature));
    EXPECT_FALSE(empty.Has(feature));
  }
  EXPECT_FALSE(none.Only().has_value());
  EXPECT_FALSE(empty.Only().has_value());
}

TEST(HeldFeatures, HasThoseOfItsOwnPair) {
  const std::vector<int64_t> keys = {
      kPair - 1, kPair + 3,    kPair + ShortFeature(kLong), kPair + kLastShortFeature,
      kNextPair, kNextPair + 4};
  const HeldFeatures held(keys, kPair);
  EXPECT_TRUE(held.Has(3));
  EXPECT_TRUE(held.Has(kLong));
  EXPECT_TRUE(held.Has(kLastShortFeature));
  // the neighbours' features 0 and 4, and the one below the range
  EXPECT_FALSE(held.Has(0));
  EXPECT_FALSE(held.Has(4));
  EXPECT_FALSE(held.Has(2));
  EXPECT_FALSE(held.Has(kLongOther));
  const HeldFeatures next(keys, kNextPair);
  EXPECT_TRUE(next.Has(0));
  EXPECT_TRUE(next.Has(4));
  EXPECT_FALSE(next.Has(3));
}

TEST(HeldFeatures, OnlyIsTheKeyOfALonePoint) {
  struct Case {
    const char* name;
    std::vector<int64_t> keys;
    int64_t only;  // -1: none
  };
  const int64_t last = kPair + kLastShortFeature;
  const Case cases[] = {
      {"nobody touches", {}, -1},
      {"others touch", {kPair - 1, kNextPair}, -1},
      {"one", {kPair + 7}, kPair + 7},
      {"one, the first of its names", {kPair}, kPair},
      {"one, the last of its names", {last}, last},
      {"one between others", {1, kPair - 1, kPair + 7, kNextPair, kNextPair + 1}, kPair + 7},
      {"the first name between others", {kPair - 1, kPair, kNextPair}, kPair},
      {"the last name between others", {kPair - 1, last, kNextPair}, last},
      {"two", {kPair + 7, kPair + 8}, -1},
      {"two at the ends of the range", {kPair, last}, -1},
      {"two between others", {kPair - 1, kPair, last, kNextPair}, -1},
      {"many", {kPair, kPair + 1, kPair + 2, kPair + 3}, -1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(HeldFeatures(c.keys, kPair).Only().value_or(-1), c.only);
  }
}

}  // namespace
}  // namespace slip
