#include "engine/core/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace slip {
namespace {

/// Fractions of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRoots = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Sha256State = std::array<std::uint32_t, 8>;

std::uint32_t Sha256Word(const unsigned char* b) {
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
}

/// The eight words keep their places: those that a round changes are named anew by the caller.
void Sha256Round(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t* d,
                 std::uint32_t e, std::uint32_t f, std::uint32_t g, std::uint32_t* h,
                 std::uint32_t added) {
  const std::uint32_t one =
      *h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + (g ^ (e & (f ^ g))) + added;
  *d += one;
  *h = one + (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) | (c & (a | b)));
}

void AddBlocksPortably(const unsigned char* block, std::size_t count, Sha256State* state) {
  for (; count > 0; --count, block += 64) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i) w[i] = Sha256Word(block + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = *state;
    for (std::size_t i = 0; i < 64; i += 8) {
      const auto added = [&](std::size_t k) { return kRoots[i + k] + w[i + k]; };
      Sha256Round(a, b, c, &d, e, f, g, &h, added(0));
      Sha256Round(h, a, b, &c, d, e, f, &g, added(1));
      Sha256Round(g, h, a, &b, c, d, e, &f, added(2));
      Sha256Round(f, g, h, &a, b, c, d, &e, added(3));
      Sha256Round(e, f, g, &h, a, b, c, &d, added(4));
      Sha256Round(d, e, f, &g, h, a, b, &c, added(5));
      Sha256Round(c, d, e, &f, g, h, a, &b, added(6));
      Sha256Round(b, c, d, &e, f, g, h, &a, added(7));
    }
    const Sha256State after = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < after.size(); ++i) (*state)[i] += after[i];
  }
}

#ifdef __x86_64__
bool HasShaInstructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSE4_1) == 0 || (c & bit_SSSE3) == 0)
    return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

/// The instructions want the state as the words (a, b, e, f) and (c, d, g, h), first ones highest.
__attribute__((target("sha,sse4.1,ssse3"))) void AddBlocksByProcessor(const unsigned char* block,
                                                                      std::size_t count,
                                                                      Sha256State* state) {
  const auto word = [&](std::size_t i) { return static_cast<int>((*state)[i]); };
  __m128i abef = _mm_set_epi32(word(0), word(1), word(4), word(5));
  __m128i cdgh = _mm_set_epi32(word(2), word(3), word(6), word(7));
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (; count > 0; --count, block += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i)
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i)),
                              big_endian);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      const __m128i roots = _mm_loadu_si128(
          reinterpret_cast<const __m128i*>(&kRoots[4 * static_cast<std::size_t>(i)]));
      __m128i added = _mm_add_epi32(w[i % 4], roots);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      added = _mm_shuffle_epi32(added, 0x0e);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, added);
      if (i >= 12) continue;
      // the words 16 later in place of these
      const __m128i nine = _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4);
      w[i % 4] = _mm_sha256msg2_epu32(
          _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]), nine), w[(i + 3) % 4]);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  std::array<std::uint32_t, 4> high, low;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(high.data()), abef);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(low.data()), cdgh);
  *state = {high[3], high[2], low[3], low[2], high[1], high[0], low[1], low[0]};
}
#endif

}  // namespace

void Sha256::AddBlocks(const unsigned char* blocks, std::size_t count) {
#ifdef __x86_64__
  static const bool has_instructions = HasShaInstructions();
  if (has_instructions && by_ == By::kFastest) return AddBlocksByProcessor(blocks, count, &state_);
#endif
  AddBlocksPortably(blocks, count, &state_);
}

void Sha256::Add(std::string_view bytes) {
  std::size_t held = size_ % 64;
  size_ += bytes.size();
  while (!bytes.empty()) {
    if (held == 0 && bytes.size() >= 64) {
      AddBlocks(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size() / 64);
      bytes.remove_prefix(bytes.size() / 64 * 64);
      continue;
    }
    const std::size_t taken = std::min(bytes.size(), 64 - held);
    std::memcpy(open_.data() + held, bytes.data(), taken);
    bytes.remove_prefix(taken);
    held += taken;
    if (held == 64) AddBlocks(open_.data(), 1);
    held %= 64;
  }
}

std::string Sha256::Finish() {
  const std::uint64_t bits = 8 * size_;
  Add(std::string_view("\x80", 1));
  while (size_ % 64 != 56) Add(std::string_view("\0", 1));
  std::string length;
  for (int i = 7; i >= 0; --i) length += static_cast<char>(bits >> (8 * i) & 0xff);
  Add(length);
  std::string text;
  for (const std::uint32_t word : state_)
    for (int i = 28; i >= 0; i -= 4) text += "0123456789abcdef"[word >> i & 0xf];
  return text;
}

}  // namespace slip
