// Counts heap allocations of this thread, so that a test can assert there were none.
#pragma once

#include <cstddef>

namespace slip::test {

/// Allocations by the calling thread since the program started, and the bytes asked for.
std::size_t AllocationCount();
std::size_t AllocatedBytes();

class AllocGuard {
 public:
  AllocGuard() : start_(AllocationCount()), start_bytes_(AllocatedBytes()) {}
  std::size_t count() const { return AllocationCount() - start_; }
  std::size_t bytes() const { return AllocatedBytes() - start_bytes_; }

 private:
  std::size_t start_, start_bytes_;
};

}  // namespace slip::test
