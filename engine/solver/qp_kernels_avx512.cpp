#if defined(__AVX512F__)
#include "engine/solver/qp_kernels_impl.h"

namespace slip {
extern const QpKernelTable kQpKernelsAvx512;
constinit const QpKernelTable kQpKernelsAvx512 = MakeQpKernels("avx512");
}  // namespace slip
#endif
