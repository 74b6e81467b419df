// What a process of the tests that is to read a mesh file does instead, as an environment variable
// tells it: see main.cpp.
#pragma once

namespace slip {

inline constexpr const char* kHelperHabit = "SLIPSCOPE_TEST_HELPER";

inline constexpr const char *kAborts = "aborts", *kIsKilled = "is killed", *kFails = "fails",
                            *kSleeps = "sleeps", *kSpins = "spins", *kEats = "eats",
                            *kFloods = "floods", *kSaysNothing = "says nothing",
                            *kSaysRubbish = "says rubbish", *kSaysHalf = "says half",
                            *kLiesAboutCounts = "lies about counts", *kReachesOut = "reaches out";

}  // namespace slip
