// What compilers have done to right code.
#include <gtest/gtest.h>

#include <algorithm>

namespace slip {
namespace {

// Not inlined: the compiler must not see the number.
[[gnu::noinline]] double SquareOfLarger(double y) {
  const double half = 0.5 * std::max(0.01, -y);
  return half * half;
}

TEST(Compiler, KeepsTheSquareOfALargerNumber) {
  volatile double y = -0.4;
  EXPECT_EQ(SquareOfLarger(y), 0.2 * 0.2);
  y = 1;
  EXPECT_EQ(SquareOfLarger(y), 0.005 * 0.005);
}

}  // namespace
}  // namespace slip
