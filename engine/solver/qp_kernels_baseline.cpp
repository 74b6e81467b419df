// What every processor of the target has: SSE2 on x86-64, plain loops elsewhere.
#include "engine/solver/qp_kernels_impl.h"

namespace slip {
extern const QpKernelTable kQpKernelsBaseline;
#if defined(__SSE2__)
constinit const QpKernelTable kQpKernelsBaseline = MakeQpKernels("sse2");
#else
constinit const QpKernelTable kQpKernelsBaseline = MakeQpKernels("plain");
#endif
}  // namespace slip
