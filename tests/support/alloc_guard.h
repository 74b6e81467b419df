// Counts heap allocations of this thread, so that a test can assert there were none.
#pragma once

#include <cstddef>

namespace slip::test {

/// Allocations by the calling thread since the program started.
std::size_t AllocationCount();

class AllocGuard {
 public:
  AllocGuard() : start_(AllocationCount()) {}
  std::size_t count() const { return AllocationCount() - start_; }

 private:
  std::size_t start_;
};

}  // namespace slip::test
