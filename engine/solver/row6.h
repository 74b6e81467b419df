// Six doubles as vector registers: the rows and columns of 6x6 blocks. Written for AVX-512, AVX,
// SSE2 and plain loops, with the same sums in the same order and nothing fused. Lanes beyond the
// sixth hold nothing. For engine/solver/kernels6_impl.h alone.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "engine/solver/unroll.h"

namespace slip {
namespace {  // one copy per instruction set

#if defined(__AVX512F__)

struct Row6 {
  __m512d x;

  static Row6 Zero() { return {_mm512_setzero_pd()}; }
  static Row6 Fill(double s) { return {_mm512_set1_pd(s)}; }
  /// Six doubles anywhere.
  static Row6 Load(const double* p) { return {_mm512_maskz_loadu_pd(0x3f, p)}; }
  /// The same, if they were stored a moment ago: as they were stored, so that the store forwards.
  static Row6 LoadFresh(const double* p) {
    return {_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p)),
                               _mm256_castpd128_pd256(_mm_loadu_pd(p + 4)), 1)};
  }
  void Store(double* p) const {
    _mm256_storeu_pd(p, _mm512_castpd512_pd256(x));
    _mm_storeu_pd(p + 4, _mm256_castpd256_pd128(_mm512_extractf64x4_pd(x, 1)));
  }
  /// A column of a stored block.
  static Row6 LoadColumn(const double* p) { return {_mm512_load_pd(p)}; }
  void StoreColumn(double* p) const { _mm512_store_pd(p, x); }
  /// this += a b, this -= a b
  void Add(Row6 a, Row6 b) { x = _mm512_add_pd(x, _mm512_mul_pd(a.x, b.x)); }
  void Subtract(Row6 a, Row6 b) { x = _mm512_sub_pd(x, _mm512_mul_pd(a.x, b.x)); }
  Row6 operator*(Row6 b) const { return {_mm512_mul_pd(x, b.x)}; }
  Row6 operator+(Row6 b) const { return {_mm512_add_pd(x, b.x)}; }
  Row6 operator-(Row6 b) const { return {_mm512_sub_pd(x, b.x)}; }
  template <int kLane>
  Row6 Splat() const {
    if constexpr (kLane == 0) return {_mm512_broadcastsd_pd(_mm512_castpd512_pd128(x))};
    return {_mm512_permutexvar_pd(_mm512_set1_epi64(kLane), x)};
  }
  template <int kLane>
  double Get() const {
    return _mm_cvtsd_f64(_mm512_castpd512_pd128(Splat<kLane>().x));
  }
  /// Lanes 0 + 2 + 4 and 1 + 3 + 5.
  __m128d Halves() const {
    const __m128d s =
        _mm_add_pd(_mm512_castpd512_pd128(x), _mm256_extractf128_pd(_mm512_castpd512_pd256(x), 1));
    return _mm_add_pd(s, _mm256_castpd256_pd128(_mm512_extractf64x4_pd(x, 1)));
  }
  static Row6 FromPairs(__m128d a, __m128d b, __m128d c) {
    const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1);
    return {_mm512_insertf64x4(_mm512_castpd256_pd512(low), _mm256_castpd128_pd256(c), 1)};
  }
};

SLIP_INLINE inline void Transpose(Row6* r) {
  const __m512d low[3] = {_mm512_unpacklo_pd(r[0].x, r[1].x), _mm512_unpacklo_pd(r[2].x, r[3].x),
                          _mm512_unpacklo_pd(r[4].x, r[5].x)};
  const __m512d high[3] = {_mm512_unpackhi_pd(r[0].x, r[1].x), _mm512_unpackhi_pd(r[2].x, r[3].x),
                           _mm512_unpackhi_pd(r[4].x, r[5].x)};
  Unroll<3>([&](auto lane) SLIP_INLINE {
    constexpr int k = 2 * lane;
    const __m512i first = _mm512_setr_epi64(k, k + 1, 8 + k, 9 + k, 0, 0, 0, 0);
    const __m512i last = _mm512_setr_epi64(0, 0, 0, 0, k, k + 1, 6, 7);
    r[k].x = _mm512_mask_permutexvar_pd(_mm512_permutex2var_pd(low[0], first, low[1]), 0xf0, last,
                                        low[2]);
    r[k + 1].x = _mm512_mask_permutexvar_pd(_mm512_permutex2var_pd(high[0], first, high[1]), 0xf0,
                                            last, high[2]);
  });
}

#elif defined(__AVX__)

struct Row6 {
  __m256d x;
  __m128d z;

  static Row6 Zero() { return {_mm256_setzero_pd(), _mm_setzero_pd()}; }
  static Row6 Fill(double s) {
    __m256d x = _mm256_set1_pd(s);
    asm("" : "+x"(x));  // one broadcast for both registers, not two
    return {x, _mm256_castpd256_pd128(x)};
  }
  static Row6 Load(const double* p) { return {_mm256_loadu_pd(p), _mm_loadu_pd(p + 4)}; }
  static Row6 LoadFresh(const double* p) { return Load(p); }
  void Store(double* p) const { _mm256_storeu_pd(p, x), _mm_storeu_pd(p + 4, z); }
  static Row6 LoadColumn(const double* p) { return Load(p); }
  void StoreColumn(double* p) const { Store(p); }
  void Add(Row6 a, Row6 b) {
    x = _mm256_add_pd(x, _mm256_mul_pd(a.x, b.x));
    z = _mm_add_pd(z, _mm_mul_pd(a.z, b.z));
  }
  void Subtract(Row6 a, Row6 b) {
    x = _mm256_sub_pd(x, _mm256_mul_pd(a.x, b.x));
    z = _mm_sub_pd(z, _mm_mul_pd(a.z, b.z));
  }
  Row6 operator*(Row6 b) const { return {_mm256_mul_pd(x, b.x), _mm_mul_pd(z, b.z)}; }
  Row6 operator+(Row6 b) const { return {_mm256_add_pd(x, b.x), _mm_add_pd(z, b.z)}; }
  Row6 operator-(Row6 b) const { return {_mm256_sub_pd(x, b.x), _mm_sub_pd(z, b.z)}; }
  template <int kLane>
  __m128d Pair() const {
    if constexpr (kLane < 2) return _mm256_castpd256_pd128(x);
    if constexpr (kLane < 4) return _mm256_extractf128_pd(x, 1);
    return z;
  }
  template <int kLane>
  double Get() const {
    const __m128d pair = Pair<kLane>();
    return _mm_cvtsd_f64(kLane % 2 == 0 ? pair : _mm_unpackhi_pd(pair, pair));
  }
  template <int kLane>
  Row6 Splat() const {
    return Fill(Get<kLane>());
  }
  __m128d Halves() const {
    return _mm_add_pd(_mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1)), z);
  }
  static Row6 FromPairs(__m128d a, __m128d b, __m128d c) {
    return {_mm256_insertf128_pd(_mm256_castpd128_pd256(a), b, 1), c};
  }
};

SLIP_INLINE inline void Transpose(Row6* r) {
  const __m256d low01 = _mm256_unpacklo_pd(r[0].x, r[1].x);
  const __m256d low23 = _mm256_unpacklo_pd(r[2].x, r[3].x);
  const __m256d low45 = _mm256_unpacklo_pd(r[4].x, r[5].x);
  const __m256d high01 = _mm256_unpackhi_pd(r[0].x, r[1].x);
  const __m256d high23 = _mm256_unpackhi_pd(r[2].x, r[3].x);
  const __m256d high45 = _mm256_unpackhi_pd(r[4].x, r[5].x);
  const Row6 out[6] = {
      {_mm256_permute2f128_pd(low01, low23, 0x20), _mm256_castpd256_pd128(low45)},
      {_mm256_permute2f128_pd(high01, high23, 0x20), _mm256_castpd256_pd128(high45)},
      {_mm256_permute2f128_pd(low01, low23, 0x31), _mm256_extractf128_pd(low45, 1)},
      {_mm256_permute2f128_pd(high01, high23, 0x31), _mm256_extractf128_pd(high45, 1)},
      Row6::FromPairs(_mm_unpacklo_pd(r[0].z, r[1].z), _mm_unpacklo_pd(r[2].z, r[3].z),
                      _mm_unpacklo_pd(r[4].z, r[5].z)),
      Row6::FromPairs(_mm_unpackhi_pd(r[0].z, r[1].z), _mm_unpackhi_pd(r[2].z, r[3].z),
                      _mm_unpackhi_pd(r[4].z, r[5].z))};
  Unroll<6>([&](auto k) SLIP_INLINE { r[k] = out[k]; });
}

#elif defined(__SSE2__)

struct Row6 {
  __m128d x, y, z;

  static Row6 Zero() { return {_mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd()}; }
  static Row6 Fill(double b) {
    const __m128d s = _mm_set1_pd(b);
    return {s, s, s};
  }
  static Row6 Load(const double* p) {
    return {_mm_loadu_pd(p), _mm_loadu_pd(p + 2), _mm_loadu_pd(p + 4)};
  }
  static Row6 LoadFresh(const double* p) { return Load(p); }
  void Store(double* p) const {
    _mm_storeu_pd(p, x), _mm_storeu_pd(p + 2, y), _mm_storeu_pd(p + 4, z);
  }
  static Row6 LoadColumn(const double* p) { return Load(p); }
  void StoreColumn(double* p) const { Store(p); }
  void Add(Row6 a, Row6 b) {
    x = _mm_add_pd(x, _mm_mul_pd(a.x, b.x));
    y = _mm_add_pd(y, _mm_mul_pd(a.y, b.y));
    z = _mm_add_pd(z, _mm_mul_pd(a.z, b.z));
  }
  void Subtract(Row6 a, Row6 b) {
    x = _mm_sub_pd(x, _mm_mul_pd(a.x, b.x));
    y = _mm_sub_pd(y, _mm_mul_pd(a.y, b.y));
    z = _mm_sub_pd(z, _mm_mul_pd(a.z, b.z));
  }
  Row6 operator*(Row6 b) const {
    return {_mm_mul_pd(x, b.x), _mm_mul_pd(y, b.y), _mm_mul_pd(z, b.z)};
  }
  Row6 operator+(Row6 b) const {
    return {_mm_add_pd(x, b.x), _mm_add_pd(y, b.y), _mm_add_pd(z, b.z)};
  }
  Row6 operator-(Row6 b) const {
    return {_mm_sub_pd(x, b.x), _mm_sub_pd(y, b.y), _mm_sub_pd(z, b.z)};
  }
  template <int kLane>
  Row6 Splat() const {
    const __m128d pair = kLane < 2 ? x : kLane < 4 ? y : z;
    const __m128d s = kLane % 2 == 0 ? _mm_unpacklo_pd(pair, pair) : _mm_unpackhi_pd(pair, pair);
    return {s, s, s};
  }
  template <int kLane>
  double Get() const {
    return _mm_cvtsd_f64(Splat<kLane>().x);
  }
  __m128d Halves() const { return _mm_add_pd(_mm_add_pd(x, y), z); }
  static Row6 FromPairs(__m128d a, __m128d b, __m128d c) { return {a, b, c}; }
};

SLIP_INLINE inline void Transpose(Row6* r) {
  const Row6 out[6] = {{_mm_unpacklo_pd(r[0].x, r[1].x), _mm_unpacklo_pd(r[2].x, r[3].x),
                        _mm_unpacklo_pd(r[4].x, r[5].x)},
                       {_mm_unpackhi_pd(r[0].x, r[1].x), _mm_unpackhi_pd(r[2].x, r[3].x),
                        _mm_unpackhi_pd(r[4].x, r[5].x)},
                       {_mm_unpacklo_pd(r[0].y, r[1].y), _mm_unpacklo_pd(r[2].y, r[3].y),
                        _mm_unpacklo_pd(r[4].y, r[5].y)},
                       {_mm_unpackhi_pd(r[0].y, r[1].y), _mm_unpackhi_pd(r[2].y, r[3].y),
                        _mm_unpackhi_pd(r[4].y, r[5].y)},
                       {_mm_unpacklo_pd(r[0].z, r[1].z), _mm_unpacklo_pd(r[2].z, r[3].z),
                        _mm_unpacklo_pd(r[4].z, r[5].z)},
                       {_mm_unpackhi_pd(r[0].z, r[1].z), _mm_unpackhi_pd(r[2].z, r[3].z),
                        _mm_unpackhi_pd(r[4].z, r[5].z)}};
  Unroll<6>([&](auto k) SLIP_INLINE { r[k] = out[k]; });
}

#else

struct Row6 {
  double x[6];

  static Row6 Zero() { return {{0, 0, 0, 0, 0, 0}}; }
  static Row6 Fill(double s) { return {{s, s, s, s, s, s}}; }
  static Row6 Load(const double* p) { return {{p[0], p[1], p[2], p[3], p[4], p[5]}}; }
  static Row6 LoadFresh(const double* p) { return Load(p); }
  void Store(double* p) const {
    for (int i = 0; i < 6; ++i) p[i] = x[i];
  }
  static Row6 LoadColumn(const double* p) { return Load(p); }
  void StoreColumn(double* p) const { Store(p); }
  void Add(Row6 a, Row6 b) {
    for (int i = 0; i < 6; ++i) x[i] += a.x[i] * b.x[i];
  }
  void Subtract(Row6 a, Row6 b) {
    for (int i = 0; i < 6; ++i) x[i] -= a.x[i] * b.x[i];
  }
  Row6 operator*(Row6 b) const {
    for (int i = 0; i < 6; ++i) b.x[i] *= x[i];
    return b;
  }
  Row6 operator+(Row6 b) const {
    for (int i = 0; i < 6; ++i) b.x[i] += x[i];
    return b;
  }
  Row6 operator-(Row6 b) const {
    for (int i = 0; i < 6; ++i) b.x[i] = x[i] - b.x[i];
    return b;
  }
  template <int kLane>
  double Get() const {
    return x[kLane];
  }
  template <int kLane>
  Row6 Splat() const {
    return Fill(x[kLane]);
  }
  double Sum() const { return x[0] + x[2] + x[4] + (x[1] + x[3] + x[5]); }
};

SLIP_INLINE inline void Transpose(Row6* r) {
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < i; ++j) {
      const double swapped = r[i].x[j];
      r[i].x[j] = r[j].x[i];
      r[j].x[i] = swapped;
    }
  }
}

#endif

#if defined(__SSE2__)
/// Sums of two pairs of lanes.
SLIP_INLINE inline __m128d SumPairs(__m128d a, __m128d b) {
  return _mm_add_pd(_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b));
}
/// The sums of six rows, as a row.
SLIP_INLINE inline Row6 Sums(const Row6* r) {
  return Row6::FromPairs(SumPairs(r[0].Halves(), r[1].Halves()),
                         SumPairs(r[2].Halves(), r[3].Halves()),
                         SumPairs(r[4].Halves(), r[5].Halves()));
}
SLIP_INLINE inline void Sums3(const Row6* r, double* out) {
  _mm_storeu_pd(out, SumPairs(r[0].Halves(), r[1].Halves()));
  const __m128d last = r[2].Halves();
  _mm_store_sd(out + 2, _mm_add_sd(last, _mm_unpackhi_pd(last, last)));
}
SLIP_INLINE inline double SquareRoot(double s) {
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(s)));
}
#else
SLIP_INLINE inline Row6 Sums(const Row6* r) {
  return {{r[0].Sum(), r[1].Sum(), r[2].Sum(), r[3].Sum(), r[4].Sum(), r[5].Sum()}};
}
SLIP_INLINE inline void Sums3(const Row6* r, double* out) {
  for (int i = 0; i < 3; ++i) out[i] = r[i].Sum();
}
SLIP_INLINE inline double SquareRoot(double s) { return __builtin_sqrt(s); }
#endif

}  // namespace
}  // namespace slip
