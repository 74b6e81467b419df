#if defined(__AVX512F__)
#include "engine/solver/kernels6_impl.h"

namespace slip {
extern const Kernels6 kKernels6Avx512;
constinit const Kernels6 kKernels6Avx512 = MakeKernels6("avx512");
}  // namespace slip
#endif
