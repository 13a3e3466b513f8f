/* profiler_warm.cu: the one kernel the profiler launches itself. A tracer that has just been switched on takes its time
 * over the first kernel it sees (150 us on an H200): let that be this one, and not the program's. It is never reported. */
#include <cuda_runtime.h>

static __global__ void profiler_warm_up_kernel() {}

extern "C" void prof_warm_launch(void);
extern "C" void prof_warm_launch(void) { profiler_warm_up_kernel<<<1, 1>>>(); }
