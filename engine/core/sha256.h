// SHA-256 [FIPS 180-4]: a name for bytes that nobody can forge.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slip {

class Sha256 {
 public:
  enum class By {
    kFastest,   ///< the processor's own instructions where it has them
    kPortable,  ///< the same digits
  };
  explicit Sha256(By by = By::kFastest) : by_(by) {}
  void Add(std::string_view bytes);
  /// Once, at the end: 64 hexadecimal digits.
  std::string Finish();

 private:
  void AddBlocks(const unsigned char* blocks, std::size_t count);

  By by_;
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> open_{};  ///< bytes that are no whole block yet
  std::uint64_t size_ = 0;                ///< bytes so far
};

inline std::string CalcSha256(std::string_view bytes) {
  Sha256 hash;
  hash.Add(bytes);
  return hash.Finish();
}

}  // namespace slip
