/* cudaProfiler.h: the driver interface's names for cudaProfilerStart() and cudaProfilerStop(). C-clean. */
#ifndef CUDA_PROFILER_H
#define CUDA_PROFILER_H

#include "cuda.h"

CPUDEV_DRIVER CUresult cuProfilerStart(void) { return (CUresult)cudaProfilerStart(); }
CPUDEV_DRIVER CUresult cuProfilerStop(void) { return (CUresult)cudaProfilerStop(); }

#endif
