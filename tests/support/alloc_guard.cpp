// malloc is wrapped, not operator new alone: Eigen allocates through malloc.
#include "tests/support/alloc_guard.h"

#include <cerrno>
#include <cstdlib>

namespace {
thread_local std::size_t allocation_count = 0, allocated_bytes = 0;

void Count(std::size_t size) {
  ++allocation_count;
  allocated_bytes += size;
}
}  // namespace

namespace slip::test {
std::size_t AllocationCount() { return allocation_count; }
std::size_t AllocatedBytes() { return allocated_bytes; }
}  // namespace slip::test

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));
namespace {
[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t size) { Count(size); }, [](const volatile void*) {});
}
#else
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  Count(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  Count(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  Count(size);
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  Count(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  Count(size);
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
}
#endif
