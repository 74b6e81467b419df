// What holds unless the program itself is wrong.
#pragma once

namespace slip {

/// Says on stderr what did not hold, and where; aborts.
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);

}  // namespace slip

/// Always on: cheap conditions only.
#define SLIP_CHECK(condition) \
  ((condition) ? void(0) : ::slip::CheckFailed(#condition, __FILE__, __LINE__))
