/* named_barrier.c: PTX's barriers 1 to 15 of a block (bar.sync, bar.arrive): a phase ends when so many threads as each
 * of them named have come. All threads of a block run on one OS thread, so the state is that thread's own. */
#define _GNU_SOURCE
#include <string.h>

#include "stream/command.h"
#include "cpudevice.h"
#include "device/message.h"
#include "observe/observers.h"
#include "launch/pending.h"
#include "device/sizes.h"
#include "exec/thread.h"

enum { NAMED = 16 };

static __thread struct {
    const void *launch; /* whose barriers these are, and of which of its blocks */
    unsigned long long block;
    struct barrier {
        unsigned arrived, expected, phase;
    } barrier[NAMED];
} named;

struct waiting {
    const struct barrier *barrier;
    unsigned phase;
};

static int passed(void *p)
{
    const struct waiting *w = p;
    return w->barrier->phase != w->phase;
}

/* `threads` is 0 where the instruction names no number: all of the block. */
void cpudev_named_barrier(unsigned id, unsigned threads, int wait)
{
    const cpudev_worker *w = cpudev_tls.worker;
    if (named.launch != w->command || named.block != w->block) {
        memset(&named, 0, sizeof named);
        named.launch = w->command;
        named.block = w->block;
    }
    if (!threads)
        threads = w->threads;
    if (id >= NAMED || threads % WARP || threads > MAX_THREADS) {
        message("bar: barrier %u with %u threads: there are barriers 0 to 15, for whole warps of a block", id, threads);
        fail_kernel(cudaErrorIllegalInstruction);
    }
    struct barrier *b = &named.barrier[id];
    if (b->arrived && b->expected != threads) {
        message("bar: barrier %u is used with %u threads while others wait with %u", id, threads, b->expected);
        fail_kernel(cudaErrorIllegalInstruction);
    }
    struct waiting me = {b, b->phase};
    const void *site = __builtin_return_address(0);
    b->expected = threads;
    TELL(point, CPUDEV_POINT_ARRIVE, b, site);
    if (++b->arrived == threads) {
        b->arrived = 0;
        b->phase++;
        cpudev_tls.worker->progress++;
        TELL(point, CPUDEV_POINT_PHASE, b, site);
    } else if (wait) {
        cpudev_wait(passed, &me, "a named barrier (bar.sync)");
    }
    if (wait)
        TELL(point, CPUDEV_POINT_PASSED, b, site);
}
