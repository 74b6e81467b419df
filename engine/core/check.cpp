#include "engine/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace slip {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "slipscope: %s:%d: does not hold: %s\n", file, line, condition);
  std::abort();
}

}  // namespace slip
