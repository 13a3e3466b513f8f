/* kernel_heap.c: the heap that kernels' malloc() takes from, whose size is cudaLimitMallocHeapSize.
 *
 * The memory is the C library's. Bytes that live in it are counted, and what would not fit is refused as a GPU refuses it.
 * A GPU keeps some of it for itself: of 8 MB an H100 gives 7 in one piece, and 6 pieces of 1 MB where here are 7. */
#include "launch/kernel_heap.h"
#include "device/device_state.h"
#include "cpudev_abi.h"
#include "cuda_runtime_api.h"
#include "observe/observer.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic size_t live;
static atomic_bool used;

bool cpudev_heap_take(size_t bytes)
{
    const size_t limit = device_limits[cudaLimitMallocHeapSize];
    size_t now = atomic_load(&live);
    atomic_store_explicit(&used, true, memory_order_relaxed);
    do
        if (bytes >= limit || now >= limit - bytes)
            return false;
    while (!atomic_compare_exchange_weak(&live, &now, now + bytes));
    return true;
}

void cpudev_heap_give(size_t bytes)
{
    size_t now = atomic_load(&live), left;
    do
        left = now > bytes ? now - bytes : 0;
    while (!atomic_compare_exchange_weak(&live, &now, left));
}

bool kernel_heap_used(void) { return atomic_load(&used); }

/* malloc() and free() in device code (compiler/emit/arithmetic.c), which a function of both may run on the host */
void *cpudev_kernel_malloc(size_t bytes)
{
    if (!cpudev_on_device())
        return malloc(bytes);
    if (!cpudev_heap_take(bytes))
        return NULL;
    cpudev_hold();
    void *p = malloc(bytes);
    cpudev_let_go();
    const size_t room = p ? malloc_usable_size(p) : 0;
    if (room > bytes) /* it is what free() will give back */
        atomic_fetch_add(&live, room - bytes);
    else if (!p)
        cpudev_heap_give(bytes);
    return p;
}

void cpudev_kernel_free(void *p)
{
    if (!cpudev_on_device()) {
        free(p);
        return;
    }
    if (p)
        cpudev_heap_give(malloc_usable_size(p));
    cpudev_hold();
    free(p);
    cpudev_let_go();
}
