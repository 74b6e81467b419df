// What every processor of the target has: SSE2 on x86-64, plain loops elsewhere.
#include "engine/solver/dense_kernels_impl.h"

namespace slip {
extern const DenseKernels kDenseKernelsBaseline;
#if defined(__SSE2__)
constinit const DenseKernels kDenseKernelsBaseline = MakeDenseKernels("sse2");
#else
constinit const DenseKernels kDenseKernelsBaseline = MakeDenseKernels("plain");
#endif
}  // namespace slip
