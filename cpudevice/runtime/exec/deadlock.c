/* deadlock.c: where the threads of a block wait when none can go on. */
#define _GNU_SOURCE

#include "exec/deadlock.h"
#include "async/async.h"
#include "device/message.h"
#include "stream/command.h"
#include "launch/kernel_info.h"
#include "exec/thread.h"

enum { SHOWN = 8 /* of the threads at mbarriers */ };

/* Where a kernel is split at its shuffles (compiler/kernel/lanes.c). */
void cpudev_lane_missing(unsigned thread, unsigned mask, unsigned lanes)
{
    const command *c = cpudev_tls.worker->command;
    message_lines(
        "CPU device: deadlock in kernel %s (%s:%d), block (%u,%u,%u): thread %u is at a warp function with mask "
        "0x%08x, and lanes 0x%08x of its warp do not reach it\n"
        "  usual cause: a warp function inside a branch that some of the threads do not take\n",
        kernel_display(c->kernel), c->kernel->file, c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z, thread, mask,
        lanes);
    fail_kernel(cudaErrorLaunchFailure);
}

void report_deadlock(const cpudev_worker *w)
{
    static const char *const names[] = {"warp function (shuffle, match or reduce)",
                                        "shuffle (__shfl_sync, __shfl_up_sync, ...)",
                                        "vote (__ballot_sync, __any_sync, ...)",
                                        "__syncwarp",
                                        "__activemask",
                                        "matrix instruction"};
    const command *c = w->command;
    message_lines(
        "CPU device: deadlock in kernel %s (%s:%d), block (%u,%u,%u): every thread that has not ended waits\n",
        kernel_display(c->kernel), c->kernel->file, c->kernel->line, blockIdx.x, blockIdx.y, blockIdx.z);
    unsigned at_barrier = 0, ended = 0, in_warp[OPS] = {0}, elsewhere = 0;
    const cpudev_fiber *first_barrier = NULL, *first_warp[OPS] = {0};
    for (unsigned t = 0; t < w->threads; t++) {
        const cpudev_fiber *f = &w->fibers[t];
        if (!f->live)
            ended++;
        else if (f->request && !f->request->done) {
            if (!in_warp[f->request->op]++)
                first_warp[f->request->op] = f;
        } else if (f->barrier == cpudev_tls.epoch + 1) {
            if (!at_barrier++)
                first_barrier = f;
        } else
            elsewhere++;
    }
    if (at_barrier)
        message_lines("  %u at __syncthreads(), the first of them thread (%u,%u,%u)\n", at_barrier,
                      first_barrier->tid.x, first_barrier->tid.y, first_barrier->tid.z);
    for (int i = 0; i < OPS; i++)
        if (in_warp[i])
            message_lines("  %u at %s with mask 0x%08x, the first of them thread (%u,%u,%u)\n", in_warp[i], names[i],
                          first_warp[i]->request->mask, first_warp[i]->tid.x, first_warp[i]->tid.y,
                          first_warp[i]->tid.z);
    unsigned at_mbarrier = 0;
    for (const async_waiter *p = async_waiters(); p; p = p->next, at_mbarrier++) {
        char what[256];
        const cpudev_fiber *f = &w->fibers[p->thread];
        if (at_mbarrier >= SHOWN)
            continue;
        const void *at_fault;
        p->describe(p, what, sizeof what, &at_fault);
        message_lines("  thread (%u,%u,%u) waits for %s\n", f->tid.x, f->tid.y, f->tid.z, what);
    }
    if (at_mbarrier > SHOWN)
        message_lines("  and %u more at mbarriers\n", at_mbarrier - SHOWN);
    elsewhere -= at_mbarrier < elsewhere ? at_mbarrier : elsewhere;
    if (elsewhere)
        message_lines("  %u at another barrier (cooperative groups, cuda::barrier)\n", elsewhere);
    if (ended)
        message_lines("  %u have ended\n", ended);
    message_lines("  usual cause: a barrier or a warp function inside a branch that some of the threads do not take\n");
}
