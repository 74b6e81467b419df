// Doubles side by side, as many as the instruction set of the including file has in a register:
// kernels that are compiled once per set are written in them. Sums over rows keep one order
// whatever the lanes. Everything is internal to the file: see engine/solver/kernels6_impl.h.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "engine/solver/panel.h"
#include "engine/solver/unroll.h"

namespace slip {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8;
#elif defined(__AVX2__)
constexpr int kLanes = 4;
#else
constexpr int kLanes = 2;
#endif
using Lanes = double __attribute__((vector_size(8 * kLanes)));
using Bits = long long __attribute__((vector_size(8 * kLanes)));

SLIP_INLINE inline Lanes LoadLanes(const double* p) {
  Lanes x;
  __builtin_memcpy(&x, p, sizeof(x));
  return x;
}
SLIP_INLINE inline void StoreLanes(Lanes x, double* p) { __builtin_memcpy(p, &x, sizeof(x)); }
SLIP_INLINE inline Lanes FillLanes(double s) { return s - Lanes{}; }
SLIP_INLINE inline Lanes AbsLanes(Lanes x) {
  return reinterpret_cast<Lanes>(reinterpret_cast<Bits>(x) & 0x7fffffffffffffffLL);
}
SLIP_INLINE inline double Larger(double a, double b) { return a > b ? a : b; }

SLIP_INLINE inline Lanes SqrtLanes(Lanes x) {
#if defined(__AVX512F__)
  return reinterpret_cast<Lanes>(_mm512_sqrt_pd(reinterpret_cast<__m512d>(x)));
#elif defined(__AVX2__)
  return reinterpret_cast<Lanes>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(x)));
#elif defined(__SSE2__)
  return reinterpret_cast<Lanes>(_mm_sqrt_pd(reinterpret_cast<__m128d>(x)));
#else
  return Lanes{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])};
#endif
}

// The eight sums or maxima of a panel's rows become one, in the same order whatever the lanes.
template <class Join>
SLIP_INLINE inline double JoinRows(const Lanes* parts, Join join) {
  double x[kPanel];
  Unroll<kPanel / kLanes>([&](auto i) SLIP_INLINE { StoreLanes(parts[i], x + i * kLanes); });
  return join(join(join(x[0], x[4]), join(x[2], x[6])), join(join(x[1], x[5]), join(x[3], x[7])));
}

constexpr int kParts = kPanel / kLanes;  // of a panel

// The sums of eight panels side by side, each in the order of JoinRows.
SLIP_INLINE inline void JoinEight(const Lanes (*x)[kParts], Lanes* out) {
#if defined(__AVX512F__)
  Lanes four[4], two[2];
  Unroll<4>([&](auto i) SLIP_INLINE {
    const Lanes a = x[2 * i][0], b = x[2 * i + 1][0];
    four[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
              __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  });
  Unroll<2>([&](auto i) SLIP_INLINE {
    const Lanes a = four[2 * i], b = four[2 * i + 1];
    two[i] = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13) +
             __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
  });
  out[0] = __builtin_shufflevector(two[0], two[1], 0, 2, 4, 6, 8, 10, 12, 14) +
           __builtin_shufflevector(two[0], two[1], 1, 3, 5, 7, 9, 11, 13, 15);
#elif defined(__AVX2__)
  Unroll<2>([&](auto half) SLIP_INLINE {
    Lanes two[2];
    Unroll<2>([&](auto i) SLIP_INLINE {
      constexpr int k = 4 * half + 2 * i;
      const Lanes a = x[k][0] + x[k][1], b = x[k + 1][0] + x[k + 1][1];
      two[i] =
          __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
    });
    out[half] = __builtin_shufflevector(two[0], two[1], 0, 2, 4, 6) +
                __builtin_shufflevector(two[0], two[1], 1, 3, 5, 7);
  });
#else
  Unroll<4>([&](auto i) SLIP_INLINE {
    const auto join = [&](const Lanes* y) SLIP_INLINE { return (y[0] + y[2]) + (y[1] + y[3]); };
    const Lanes a = join(x[2 * i]), b = join(x[2 * i + 1]);
    out[i] = __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
  });
#endif
}

constexpr int PanelsOf(int rows) { return (rows + kPanel - 1) / kPanel; }

}  // namespace
}  // namespace slip
