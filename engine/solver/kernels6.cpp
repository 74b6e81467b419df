#include "engine/solver/kernels6.h"

#include <cstdlib>
#include <cstring>

namespace slip {

extern const Kernels6 kKernels6Baseline;
#if defined(SLIP_X86_KERNELS)
extern const Kernels6 kKernels6Avx2, kKernels6Avx512;
#endif

const Kernels6* FindKernels6(int index) {
  if (index == 0) return &kKernels6Baseline;
#if defined(SLIP_X86_KERNELS)
  if (index == 1 && __builtin_cpu_supports("avx2")) return &kKernels6Avx2;
  if (index == 2 && __builtin_cpu_supports("avx512f")) return &kKernels6Avx512;
#endif
  return nullptr;
}

const Kernels6& GetKernels6() {
  static const Kernels6& chosen = []() -> const Kernels6& {
    const char* name = std::getenv("SLIPSCOPE_KERNELS");
    const Kernels6* widest = nullptr;
    for (int i = 0; const Kernels6* each = FindKernels6(i); ++i) {
      if (name != nullptr && std::strcmp(name, each->name) == 0) return *each;
      widest = each;
    }
    return *widest;
  }();
  return chosen;
}

}  // namespace slip
