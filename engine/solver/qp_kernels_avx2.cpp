#if defined(__AVX2__)
#include "engine/solver/qp_kernels_impl.h"

namespace slip {
extern const QpKernelTable kQpKernelsAvx2;
constinit const QpKernelTable kQpKernelsAvx2 = MakeQpKernels("avx2");
}  // namespace slip
#endif
