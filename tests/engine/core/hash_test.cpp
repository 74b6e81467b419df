#include "engine/core/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

namespace slip {
namespace {

uint64_t ByteByByte(const std::vector<uint64_t>& words) {
  uint64_t value = 0xcbf29ce484222325ull;
  for (const uint64_t word : words) {
    for (int i = 0; i < 8; ++i) value = (value ^ (word >> (8 * i) & 0xff)) * 0x100000001b3ull;
  }
  return value;
}

// Zeros are hashed faster than by the definition.
TEST(Fnv1a, IsItsDefinitionWhereverZerosAre) {
  std::mt19937_64 random(5);
  std::vector<uint64_t> words{0, 1, 0x100, uint64_t{1} << 63, ~uint64_t{0}, 0x00ff00ff00ff00ffull};
  for (const double x : {0.0, -0.0, 1.0, 0.1, -2.5e300})
    words.push_back(std::bit_cast<uint64_t>(x));
  for (int k = 0; k < 2000; ++k) {
    uint64_t word = random();
    const uint64_t keep = random();
    for (int i = 0; i < 8; ++i) {
      if ((keep >> i & 1) != 0) word &= ~(uint64_t{0xff} << (8 * i));
    }
    words.push_back(word);
  }
  Fnv1a hash;
  for (const uint64_t word : words) hash.Add(word);
  EXPECT_EQ(hash.value(), ByteByByte(words));
  for (const uint64_t word : words) {
    Fnv1a own;
    own.Add(word);
    EXPECT_EQ(own.value(), ByteByByte({word})) << std::hex << word;
  }
}

}  // namespace
}  // namespace slip
