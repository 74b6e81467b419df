// Loops written out: for register arrays, and for small sizes that the compiler knows.
#pragma once

/// For the bodies of unrolled loops.
#define SLIP_INLINE __attribute__((always_inline))

namespace slip {
namespace {  // one copy per file, so also per instruction set

template <int kValue>
struct Index {
  SLIP_INLINE constexpr operator int() const { return kValue; }
};

/// fn(0), .. fn(N - 1) written out, with compile-time indices: -O2 alone leaves register arrays in
/// memory.
template <int kCount, int kFirst = 0, class Fn>
SLIP_INLINE inline void Unroll(Fn&& fn) {
  if constexpr (kFirst < kCount) {
    fn(Index<kFirst>{});
    Unroll<kCount, kFirst + 1>(fn);
  }
}

}  // namespace
}  // namespace slip
