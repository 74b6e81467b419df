// Numbers that begin on a cache line.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace slip {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

using AlignedVector = std::vector<double, CacheLineAllocator<double>>;

}  // namespace slip
