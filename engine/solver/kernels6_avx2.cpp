#if defined(__AVX2__)
#include "engine/solver/kernels6_impl.h"

namespace slip {
extern const Kernels6 kKernels6Avx2;
constinit const Kernels6 kKernels6Avx2 = MakeKernels6("avx2");
}  // namespace slip
#endif
