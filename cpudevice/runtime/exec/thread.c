/* thread.c: the state of the block that this OS thread runs, and of the kernel's thread that it is running. */
#undef _FORTIFY_SOURCE /* its longjmp() takes a jump from a fiber's stack to the worker's for an error */
#define _GNU_SOURCE
#include <stdio.h>

#include "exec/thread.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "device/device_state.h"
#include "launch/kernel_info.h"
#include "observe/observer.h"
#include "observe/observers.h"
#include "device/sizes.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;
__thread cpudev_block cpudev_tls;
__thread cpudev_double_counts cpudev_doubles;
__thread cpudev_pipe_counts cpudev_issued;
__thread cpudev_worker *this_worker;
__thread volatile int cpudev_holds;

unsigned cpudev_tid(void) { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

unsigned cpudev_lane(void) { return cpudev_tid() % WARP; }

int cpudev_on_device(void) { return cpudev_tls.worker && cpudev_tls.worker->in_kernel; }

unsigned cpudev_nsmid(void) { return (unsigned)multiprocessor_count(); }

unsigned cpudev_smid(void) { return this_worker ? (unsigned)this_worker->index % cpudev_nsmid() : 0; }

unsigned running_thread(void)
{
    const cpudev_worker *w = cpudev_tls.worker;
    const cpudev_observer *o = w && w->work->run_block ? ASK(loop_thread) : NULL;
    return o ? o->loop_thread() : cpudev_tid();
}

void describe_place(char *text, size_t size)
{
    cpudev_worker *w = this_worker;
    command *c = w ? w->command : NULL;
    if (!c) {
        snprintf(text, size, "host code");
        return;
    }
    if (w->work->run_block && ASK(loop_thread)) {
        unsigned t = running_thread();
        threadIdx = (uint3){t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
    } else if (w->work->run_block) { /* a loop over threads: which of them is not known here */
        snprintf(text, size, "kernel %s (%s:%d), block (%u,%u,%u) (cucc --check names the thread and the line)",
                 kernel_display(c->kernel), c->kernel->file, c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z);
        return;
    }
    snprintf(text, size, "kernel %s (%s:%d), block (%u,%u,%u), thread (%u,%u,%u)", kernel_display(c->kernel),
             c->kernel->file, c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
             threadIdx.z);
}

void fail_kernel(int status)
{
    cpudev_worker *w = this_worker;
    w->abort_status = status;
    cpudev_holds = 0;
    _longjmp(w->abort, 1);
}
