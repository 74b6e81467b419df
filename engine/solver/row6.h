// Six doubles as vector registers: the rows and columns of 6x6 blocks, which free bodies make.
// Written once for AVX-512, AVX and SSE2 (or plain loops); fused only where the build says so.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <utility>

namespace slip {

/// fn(0), .. fn(N - 1) written out, with compile-time indices: -O2 alone leaves register arrays in
/// memory.
template <int kCount, class Fn>
[[gnu::always_inline]] inline void Unroll(Fn&& fn) {
  [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) __attribute__((always_inline)) {
    (fn(std::integral_constant<int, kIndex>{}), ...);
  }
  (std::make_integer_sequence<int, kCount>{});
}

struct Row6 {
#if defined(__AVX512F__) && defined(__AVX512VL__)
  __m512d x;

  static Row6 Zero() { return {_mm512_setzero_pd()}; }
  static Row6 Load(const double* p) { return {_mm512_maskz_loadu_pd(0x3f, p)}; }
  void Store(double* p) const { _mm512_mask_storeu_pd(p, 0x3f, x); }
  /// this += a b
  void Add(Row6 a, double b) { x = _mm512_fmadd_pd(a.x, _mm512_set1_pd(b), x); }
  /// this -= a b
  void Subtract(Row6 a, double b) { x = _mm512_fnmadd_pd(a.x, _mm512_set1_pd(b), x); }
  /// this += a b, entry by entry
  void AddProduct(Row6 a, Row6 b) { x = _mm512_fmadd_pd(a.x, b.x, x); }
  void Scale(double s) { x = _mm512_mul_pd(x, _mm512_set1_pd(s)); }
  double Sum() const {
    const __m256d s = _mm256_add_pd(_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd(x, 1));
    const __m128d t = _mm_add_pd(_mm256_castpd256_pd128(s), _mm256_extractf128_pd(s, 1));
    return _mm_cvtsd_f64(_mm_add_sd(t, _mm_unpackhi_pd(t, t)));
  }
#elif defined(__AVX__)
  __m256d x;
  __m128d z;

  static Row6 Zero() { return {_mm256_setzero_pd(), _mm_setzero_pd()}; }
  static Row6 Load(const double* p) { return {_mm256_loadu_pd(p), _mm_loadu_pd(p + 4)}; }
  void Store(double* p) const { _mm256_storeu_pd(p, x), _mm_storeu_pd(p + 4, z); }
#if defined(__FMA__)
  void AddProduct(Row6 a, Row6 b) {
    x = _mm256_fmadd_pd(a.x, b.x, x);
    z = _mm_fmadd_pd(a.z, b.z, z);
  }
  void Subtract(Row6 a, double b) {
    x = _mm256_fnmadd_pd(a.x, _mm256_set1_pd(b), x);
    z = _mm_fnmadd_pd(a.z, _mm_set1_pd(b), z);
  }
#else
  void AddProduct(Row6 a, Row6 b) {
    x = _mm256_add_pd(x, _mm256_mul_pd(a.x, b.x));
    z = _mm_add_pd(z, _mm_mul_pd(a.z, b.z));
  }
  void Subtract(Row6 a, double b) {
    x = _mm256_sub_pd(x, _mm256_mul_pd(a.x, _mm256_set1_pd(b)));
    z = _mm_sub_pd(z, _mm_mul_pd(a.z, _mm_set1_pd(b)));
  }
#endif
  void Add(Row6 a, double b) { AddProduct(a, {_mm256_set1_pd(b), _mm_set1_pd(b)}); }
  void Scale(double s) {
    x = _mm256_mul_pd(x, _mm256_set1_pd(s));
    z = _mm_mul_pd(z, _mm_set1_pd(s));
  }
  double Sum() const {
    const __m128d t =
        _mm_add_pd(_mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1)), z);
    return _mm_cvtsd_f64(_mm_add_sd(t, _mm_unpackhi_pd(t, t)));
  }
#elif defined(__SSE2__)
  __m128d x, y, z;

  static Row6 Zero() { return {_mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd()}; }
  static Row6 Load(const double* p) {
    return {_mm_loadu_pd(p), _mm_loadu_pd(p + 2), _mm_loadu_pd(p + 4)};
  }
  void Store(double* p) const {
    _mm_storeu_pd(p, x), _mm_storeu_pd(p + 2, y), _mm_storeu_pd(p + 4, z);
  }
  void AddProduct(Row6 a, Row6 b) {
    x = _mm_add_pd(x, _mm_mul_pd(a.x, b.x));
    y = _mm_add_pd(y, _mm_mul_pd(a.y, b.y));
    z = _mm_add_pd(z, _mm_mul_pd(a.z, b.z));
  }
  void Add(Row6 a, double b) {
    const __m128d s = _mm_set1_pd(b);
    AddProduct(a, {s, s, s});
  }
  void Subtract(Row6 a, double b) {
    const __m128d s = _mm_set1_pd(b);
    x = _mm_sub_pd(x, _mm_mul_pd(a.x, s));
    y = _mm_sub_pd(y, _mm_mul_pd(a.y, s));
    z = _mm_sub_pd(z, _mm_mul_pd(a.z, s));
  }
  void Scale(double b) {
    const __m128d s = _mm_set1_pd(b);
    x = _mm_mul_pd(x, s), y = _mm_mul_pd(y, s), z = _mm_mul_pd(z, s);
  }
  double Sum() const {
    const __m128d t = _mm_add_pd(_mm_add_pd(x, y), z);
    return _mm_cvtsd_f64(_mm_add_sd(t, _mm_unpackhi_pd(t, t)));
  }
#else
  double x[6];

  static Row6 Zero() { return {{0, 0, 0, 0, 0, 0}}; }
  static Row6 Load(const double* p) { return {{p[0], p[1], p[2], p[3], p[4], p[5]}}; }
  void Store(double* p) const {
    for (int i = 0; i < 6; ++i) p[i] = x[i];
  }
  void Add(Row6 a, double b) {
    for (int i = 0; i < 6; ++i) x[i] += a.x[i] * b;
  }
  void Subtract(Row6 a, double b) {
    for (int i = 0; i < 6; ++i) x[i] -= a.x[i] * b;
  }
  void AddProduct(Row6 a, Row6 b) {
    for (int i = 0; i < 6; ++i) x[i] += a.x[i] * b.x[i];
  }
  void Scale(double s) {
    for (double& value : x) value *= s;
  }
  double Sum() const { return x[0] + x[2] + x[4] + (x[1] + x[3] + x[5]); }
#endif
};

}  // namespace slip
