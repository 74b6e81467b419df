// What every processor of the target has: SSE2 on x86-64, plain loops elsewhere.
#include "engine/solver/kernels6_impl.h"

namespace slip {
extern const Kernels6 kKernels6Baseline;
#if defined(__SSE2__)
constinit const Kernels6 kKernels6Baseline = MakeKernels6("sse2");
#else
constinit const Kernels6 kKernels6Baseline = MakeKernels6("plain");
#endif
}  // namespace slip
