// FNV-1a over 64-bit words, byte by byte, so that the value is the same on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace slip {

class Fnv1a {
 public:
  void Add(uint64_t word) {
    int left = 8;
    // bytes that are zero only multiply: those at either end do so at once
    if ((word & 0xff) == 0) {
      left = word == 0 ? 0 : 8 - std::countr_zero(word) / 8;
      Multiply(8 - left);
      if (left == 0) return;
      word >>= 64 - 8 * left;
    }
    for (; word != 0; word >>= 8, --left) value_ = (value_ ^ (word & 0xff)) * kPrime;
    if (left > 0) Multiply(left);
  }
  uint64_t value() const { return value_; }

 private:
  void Multiply(int times) { value_ *= kPowers[static_cast<std::size_t>(times)]; }
  static constexpr uint64_t kPrime = 0x100000001b3;
  static constexpr std::array<uint64_t, 9> kPowers = [] {
    std::array<uint64_t, 9> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * kPrime;
    return powers;
  }();
  uint64_t value_ = 0xcbf29ce484222325ull;
};

}  // namespace slip
