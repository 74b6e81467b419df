#if defined(__AVX2__)
#include "engine/solver/dense_kernels_impl.h"

namespace slip {
extern const DenseKernels kDenseKernelsAvx2;
constinit const DenseKernels kDenseKernelsAvx2 = MakeDenseKernels("avx2");
}  // namespace slip
#endif
