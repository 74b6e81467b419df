#include "engine/solver/dense_kernels.h"

#include "engine/solver/kernels6.h"

namespace slip {

extern const DenseKernels kDenseKernelsBaseline;
#if defined(SLIP_X86_KERNELS)
extern const DenseKernels kDenseKernelsAvx2, kDenseKernelsAvx512;
#endif

const DenseKernels* FindDenseKernels(int index) {
  if (FindKernels6(index) == nullptr) return nullptr;
#if defined(SLIP_X86_KERNELS)
  if (index == 1) return &kDenseKernelsAvx2;
  if (index == 2) return &kDenseKernelsAvx512;
#endif
  return &kDenseKernelsBaseline;
}

const DenseKernels& GetDenseKernels() {
  static const DenseKernels& chosen = []() -> const DenseKernels& {
    int i = 0;
    while (FindKernels6(i) != &GetKernels6()) ++i;
    return *FindDenseKernels(i);
  }();
  return chosen;
}

}  // namespace slip
