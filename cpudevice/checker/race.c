/* race.c: the report of a race. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#include "race.h"
#include "findings.h"
#include "lines.h"
#include "observer.h"
#include "operation.h"
#include "record.h"
#include "segment.h"
#include "tools.h"
#include "worker.h"

// The host's plain looks at words that a kernel changes atomically, until the
// end tells which of them began a compare-and-swap loop of the host's.
check_finding *check_host_looks[16];

int check_host_look_count;

static pthread_mutex_t host_looks_lock = PTHREAD_MUTEX_INITIALIZER;

static void host_looked_at(const check_finding *f)
{
    pthread_mutex_lock(&host_looks_lock);
    int i = 0;
    while (i < check_host_look_count && check_host_looks[i]->at.pc != f->at.pc)
        i++;
    if (i == check_host_look_count && i < 16 && (check_host_looks[i] = malloc(sizeof *f))) {
        *check_host_looks[i] = *f;
        check_host_look_count++;
    }
    pthread_mutex_unlock(&host_looks_lock);
}

static const char *const race_words[] = {"read after write", "write after read", "write after write"};

static const char *op_words(const check_op *op)
{
    switch (op->kind) {
    case CPUDEV_OP_KERNEL: return "a kernel";
    case CPUDEV_OP_COPY: return "a copy";
    case CPUDEV_OP_SET: return "a memset";
    case CPUDEV_OP_ALLOC: return "the allocation";
    case CPUDEV_OP_FREE: return "a free";
    }
    return "a host function";
}

void check_report_race(worker *w, int how, uintptr_t a, unsigned bytes, int flags, void *pc, uint32_t thread,
                       int shared, uint32_t seg_or_epoch, uint32_t other_thread, void *other_pc, int other_atomic)
{
    check_finding f;
    const char *kind = shared ? "shared-race" : "global-race";
    check_seg *g = shared ? NULL : check_seg_get(seg_or_epoch);
    check_op *other = g && g->op ? check_op_by_id(g->op) : shared ? w->op : NULL;
    int tool = TOOL_RACE;
    if (!shared && (!other || other->kind != CPUDEV_OP_KERNEL || !w->in_kernel)) {
        tool = TOOL_HOST;
        kind = "host-race";
    }
    if (!(check_tools & tool))
        return;
    if (w->op && w->op->killed)
        return;
    if (check_seen(kind, pc))
        return;
    uint32_t keep = w->thread;
    w->thread = thread;
    check_here(&f, tool, kind, pc);
    w->thread = keep;
    char where[160];
    check_describe_address(w, a, shared, f.object, sizeof f.object, where, sizeof where);
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s of %s", check_verb(flags), bytes, bytes == 1 ? "" : "s", where);
    f.has_other = 1;
    f.other.pc = other_pc;
    const char *other_verb = how == 1 ? "read" : other_atomic ? "updated (atomic)" : "wrote";
    if (shared) {
        check_place_thread(&f.other, w->op, w->block_id, other_thread, 1);
        memcpy(f.other.block, w->block, sizeof w->block);
        snprintf(f.other.what, sizeof f.other.what, "%s it, and no barrier stands between", other_verb);
        snprintf(f.title, sizeof f.title, "race in shared memory (%s)", race_words[how]);
        f.cause = other_thread / 32 == thread / 32 ? "threads of one warp do not run in lockstep: a __syncwarp() (or "
                                                     "__syncthreads()) is missing between the two"
                                                   : "a __syncthreads() is missing between the two accesses";
    } else if (other && other == w->op && other->kind == CPUDEV_OP_KERNEL) {
        check_place_thread(&f.other, other, g->block, other_thread, 1);
        int same = g->block == w->block_id;
        snprintf(f.other.what, sizeof f.other.what, "%s it", other_verb);
        snprintf(f.title, sizeof f.title, "race in global memory between %s (%s)",
                 same ? "threads of one block" : "blocks", race_words[how]);
        f.cause = flags & A_BLOCK && other_atomic ? "an atomic of block scope is atomic only for the threads of one "
                                                    "block: use the plain name (atomicAdd), or thread_scope_device"
                  : same     ? "two threads use one element with nothing between them: a __syncthreads(), an atomic or "
                               "another index is missing"
                  : how == 2 ? "blocks run in any order: use atomics, or give each block its own element"
                             : "blocks run in any order: split the kernel in two, or publish with __threadfence() and "
                               "an atomic flag";
    } else if (other) {
        f.other.pc = other_pc ? other_pc : other->caller;
        char k[128] = "";
        if (other->kind == CPUDEV_OP_KERNEL) {
            check_place_thread(&f.other, other, g->block, other_thread, 1);
            snprintf(f.other.what, sizeof f.other.what, "%s it in kernel %.90s", other_verb,
                     check_kernel_name(other->name, k, sizeof k));
        } else {
            f.other.pc = other->caller;
            snprintf(f.other.what, sizeof f.other.what, "%s it: a %s on another stream", other_verb,
                     other->kind == CPUDEV_OP_SET     ? "memset"
                     : other->kind == CPUDEV_OP_COPY  ? "copy"
                     : other->kind == CPUDEV_OP_ALLOC ? "cudaMallocAsync"
                     : other->kind == CPUDEV_OP_FREE  ? "cudaFreeAsync"
                                                      : "host function");
        }
        const check_op *child = w->op ? check_launched(other->id, w->op) : NULL;
        if (child || (w->op && check_launched(w->op->id, other))) {
            snprintf(f.title, sizeof f.title, "race between a kernel and one that it launched (%s)", race_words[how]);
            int before = child && !(g->block == child->launch_block && g->epoch > child->launch_epoch);
            f.cause = before ? "a kernel sees what its launching thread did before the launch, and other threads up to "
                               "a barrier before it: put a __syncthreads() there, or launch it on cudaStreamTailLaunch"
                             : "a kernel cannot wait for one that it launched: what needs the results goes to "
                               "cudaStreamTailLaunch, or into the host's next launch";
            check_report(&f);
            return;
        }
        snprintf(f.title, sizeof f.title, "%s and %s on streams that nothing orders touch the same memory (%s)",
                 w->op ? op_words(w->op) : "an operation", op_words(other), race_words[how]);
        f.cause = "streams run side by side: put both on one stream, or record an event after the first and make the "
                  "second wait for it (cudaStreamWaitEvent)";
    } else { // the host did it while the operation was queued or running
        // The finding stands at the host's line, which is where the synchronize is missing, whoever came first.
        check_place host = f.other;
        host.pc = g ? (void *)((uintptr_t)g->epoch | (uintptr_t)g->grid << 32) : NULL;
        snprintf(host.what, sizeof host.what, "%s it, after the launch and before any synchronize",
                 how == 1 ? "read" : "wrote");
        if (host.pc) {
            if (check_seen(kind, host.pc))
                return;
            f.other = f.at;
            f.at = host;
        } else {
            f.other = host;
        }
        snprintf(f.title, sizeof f.title, "the host and %s use the same memory at the same time (%s)",
                 w->op && w->op->kind == CPUDEV_OP_KERNEL ? "a kernel" : "an asynchronous operation", race_words[how]);
        f.cause = "launches and async copies return before their work is done: synchronize (device, stream or event) "
                  "before the host touches the memory";
        if (how == 1 && flags & A_ATOMIC) { // the host may be about to follow with an atomic
            host_looked_at(&f);
            return;
        }
    }
    check_report(&f);
}
