/* device_state.c: the error that the device has failed with, its size, its limits. */
#define _GNU_SOURCE
#include <stdatomic.h>

#include "device/device_state.h"

static _Atomic int sticky;

cudaError_t sticky_error(void) { return (cudaError_t)atomic_load_explicit(&sticky, memory_order_relaxed); }

void set_sticky(cudaError_t e)
{
    int none = 0;
    if (e)
        atomic_compare_exchange_strong(&sticky, &none, (int)e);
}

void clear_sticky(void) { atomic_store(&sticky, 0); }

static int processors;

int processor_count(void) { return processors; }

static int multiprocessors; /* 0: as the processors say */

int multiprocessor_count(void) { return multiprocessors ? multiprocessors : (processors + 1) / 2 * 2; }

void set_processor_count(int count) { processors = count; }

void set_multiprocessor_count(int count) { multiprocessors = count; }

_Atomic size_t device_limits[8] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 128,
    [cudaLimitPersistingL2CacheSize] = 0,
};
