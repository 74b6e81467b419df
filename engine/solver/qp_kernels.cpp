#include "engine/solver/qp_kernels.h"

#include "engine/solver/kernels6.h"

namespace slip {

extern const QpKernelTable kQpKernelsBaseline;
#if defined(SLIP_X86_KERNELS)
extern const QpKernelTable kQpKernelsAvx2, kQpKernelsAvx512;
#endif

namespace {

int PlaceOf(int n) {
  for (int place = 0; place < kQpSizes; ++place) {
    if (kQpUnknowns[place] == n) return place;
  }
  return 0;
}

}  // namespace

const QpKernels* FindQpKernels(int index, int n) {
  if (FindKernels6(index) == nullptr) return nullptr;
#if defined(SLIP_X86_KERNELS)
  if (index == 1) return &kQpKernelsAvx2.sizes[PlaceOf(n)];
  if (index == 2) return &kQpKernelsAvx512.sizes[PlaceOf(n)];
#endif
  return &kQpKernelsBaseline.sizes[PlaceOf(n)];
}

const QpKernels& GetQpKernels(int n) {
  static const int chosen = [] {
    int i = 0;
    while (FindKernels6(i) != &GetKernels6()) ++i;
    return i;
  }();
  return *FindQpKernels(chosen, n);
}

}  // namespace slip
