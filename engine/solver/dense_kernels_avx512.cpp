#if defined(__AVX512F__)
#include "engine/solver/dense_kernels_impl.h"

namespace slip {
extern const DenseKernels kDenseKernelsAvx512;
constinit const DenseKernels kDenseKernelsAvx512 = MakeDenseKernels("avx512");
}  // namespace slip
#endif
