// Sums of a few scaled rows of numbers, two numbers at a time. Internal to the including file.
#pragma once

#include <cstring>

#include "engine/solver/unroll.h"

namespace slip {
namespace {

// Two numbers at a time: the same bits as one by one.
using Two = double __attribute__((vector_size(16)));
// Copies, because the numbers stand at any multiple of 8 bytes: Clang trusts a pointer to Two to be
// aligned, whatever its type says.
SLIP_INLINE inline Two LoadTwo(const double* x) {
  Two value;
  std::memcpy(&value, x, sizeof(value));
  return value;
}
SLIP_INLINE inline void StoreTwo(const Two& value, double* x) {
  std::memcpy(x, &value, sizeof(value));
}

// y += sum of f_i x_i
template <int kTerms>
SLIP_INLINE inline void AddScaled(int n, const double* f, const double* const* x, double* y) {
  Two ff[kTerms];
  Unroll<kTerms>([&](auto i) SLIP_INLINE { ff[i] = Two{f[i], f[i]}; });
  int at = 0;
  for (; at + 2 <= n; at += 2) {
    Two sum = LoadTwo(y + at);
    Unroll<kTerms>([&](auto i) SLIP_INLINE { sum += ff[i] * LoadTwo(x[i] + at); });
    StoreTwo(sum, y + at);
  }
  if (at == n) return;
  double sum = y[at];
  Unroll<kTerms>([&](auto i) SLIP_INLINE { sum += f[i] * x[i][at]; });
  y[at] = sum;
}

}  // namespace
}  // namespace slip
