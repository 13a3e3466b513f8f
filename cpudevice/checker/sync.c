/* sync.c: synccheck: the words for what the runtime saw, and the callbacks that take no more than words. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "access.h"
#include "findings.h"
#include "layout.h"
#include "lines.h"
#include "memcheck.h"
#include "observer.h"
#include "tools.h"
#include "worker.h"

int check_device_failed;

static const char *state_words(const cpudev_waiter *w)
{
    switch (w->state) {
    case 0: return "is running or spinning";
    case 1: return "waits at __syncthreads()";
    case 2: return "waits at a warp primitive";
    case 3: return "has left the kernel";
    case 4: return "waits at a grid barrier";
    case 5: return "waits at a barrier of its own (cuda::barrier, pipeline, tile)";
    }
    return "";
}

void check_sync_error(const cpudev_mistake *m)
{
    worker *w = &check_self;
    int what = m->what, count = m->count;
    void *pc = m->pc;
    uint32_t thread = m->thread, mask = m->mask;
    const cpudev_waiter *q = m->waiters;
    if (!w->op || (w->op->killed && what != CPUDEV_SYNC_ENDLESS))
        return;
    // A deadlock after a wrong mask is that mask's doing.
    if (what == CPUDEV_SYNC_DEADLOCK || what == CPUDEV_SYNC_ENDLESS || what >= CPUDEV_SYNC_ASSERT)
        check_device_failed = 1;
    if (w->op->wrong_mask &&
        (what == CPUDEV_SYNC_DEADLOCK || what == CPUDEV_SYNC_MASK_EXITED || what == CPUDEV_SYNC_MASK_MISMATCH)) {
        check_device_failed = 1;
        return;
    }
    if (what == CPUDEV_SYNC_MASK_SELF)
        w->op->wrong_mask = 1;
    if (!(check_tools & TOOL_SYNC) && what != CPUDEV_SYNC_ASSERT && what != CPUDEV_SYNC_STACK &&
        what != CPUDEV_SYNC_FAULT)
        return;
    if (what == CPUDEV_SYNC_DEADLOCK && w->unsets)
        check_unset_settle(w); /* the kernel's first mistake may be that it read too early */
    check_finding f;
    uint32_t keep = w->thread;
    int keep_in = w->in_kernel;
    w->in_kernel = 1;
    w->thread = thread;
    check_here(&f, TOOL_SYNC, "sync", pc);
    w->thread = keep;
    w->in_kernel = keep_in;
    // The other party: the first waiter that differs.
    const cpudev_waiter *o = NULL;
    for (int i = 0; i < count && !o; i++) {
        if (q[i].thread == thread)
            continue;
        if (what == CPUDEV_SYNC_DIFFERENT_BARRIERS) {
            if (q[i].state == 1 && (q[i].place != q[thread].place || !check_same_line(q[i].pc, pc)))
                o = &q[i];
        } else if (what == CPUDEV_SYNC_EXITED ? q[i].state == 3 : q[i].pc != pc) {
            o = &q[i];
        }
    }
    if (what == CPUDEV_SYNC_DIFFERENT_BARRIERS && !o)
        return; // copies of one barrier
    if (o) {
        f.has_other = 1;
        check_place_thread(&f.other, w->op, w->block_id, o->thread, 1);
        memcpy(f.other.block, w->block, sizeof w->block);
        f.other.pc = o->pc;
        snprintf(f.other.what, sizeof f.other.what, "%s", state_words(o));
    }
    int left = 0, waiting = 0;
    for (int i = 0; i < count; i++) {
        left += q[i].state == 3;
        waiting += q[i].state == 1 || q[i].state == 5;
    }
    switch (what) {
    case CPUDEV_SYNC_DIFFERENT_BARRIERS:
        f.kind = "different-barriers";
        snprintf(f.title, sizeof f.title, "threads of one block meet at different barriers");
        snprintf(f.at.what, sizeof f.at.what, "waits here");
        f.cause = "__syncthreads() stands in code that only some threads reach: move it out of the if, so that all "
                  "threads pass the same one";
        break;
    case CPUDEV_SYNC_EXITED:
        f.kind = "barrier-exited";
        snprintf(f.title, sizeof f.title, "barrier in divergent code: %d of %u threads never reach it", left,
                 w->threads);
        snprintf(f.at.what, sizeof f.at.what, "waits at the barrier");
        f.cause = "a return (or a condition) keeps some threads from the barrier: every thread of the block must reach "
                  "each __syncthreads()";
        break;
    case CPUDEV_SYNC_MASK_SELF:
        f.kind = "mask-self";
        snprintf(f.title, sizeof f.title, "the mask 0x%08x does not name the calling lane %u", mask, thread % 32);
        f.cause = "a thread may only call a warp primitive with a mask that includes itself";
        break;
    case CPUDEV_SYNC_MASK_EXITED:
        f.kind = "mask-inactive";
        snprintf(f.title, sizeof f.title,
                 "the mask 0x%08x names lanes that have left the kernel or never reach the call", mask);
        f.cause = "a full mask in divergent code: use the mask of the lanes that really get here, e.g. of "
                  "__ballot_sync before the branch";
        break;
    case CPUDEV_SYNC_SHFL_INACTIVE:
        f.kind = "shuffle-inactive";
        snprintf(f.title, sizeof f.title,
                 "a shuffle reads from a lane that is not in its mask 0x%08x, or that the block does not have", mask);
        f.cause =
            "the value of a lane that does not take part is undefined: all lanes that are read must be in the mask";
        break;
    case CPUDEV_SYNC_MASK_MISMATCH:
        f.kind = "mask-mismatch";
        snprintf(f.title, sizeof f.title,
                 "lanes that meet at one warp primitive give different masks (this one 0x%08x)", mask);
        f.cause = "all lanes named in a mask must call the same primitive with the same mask";
        break;
    case CPUDEV_SYNC_DEADLOCK:
        f.kind = "deadlock";
        snprintf(f.title, sizeof f.title,
                 "deadlock: every live thread of the block waits (%d at barriers, %d have left)", waiting, left);
        snprintf(f.at.what, sizeof f.at.what, "waits here");
        if (m->note)
            snprintf(f.note, sizeof f.note, "%s", m->note);
        if (m->announced) {
            f.has_other = 1;
            check_place_thread(&f.other, w->op, w->block_id, thread, 0);
            memcpy(f.other.block, w->block, sizeof w->block);
            f.other.pc = (void *)m->announced;
            snprintf(f.other.what, sizeof f.other.what, "here its bytes were announced, or the mbarrier was made");
        }
        f.cause = "threads wait for others that will never come: a barrier or warp primitive in a branch, or a lock "
                  "that is never released";
        break;
    case CPUDEV_SYNC_ENDLESS:
        f.kind = "endless";
        snprintf(f.title, sizeof f.title, "the kernel makes no progress");
        snprintf(f.at.what, sizeof f.at.what, "was here when the watchdog looked");
        f.cause = "a loop whose condition never changes, or a lock or flag that nobody sets";
        f.file = w->op->d.file;
        f.line = w->op->d.line;
        f.file_if_none = 1; // between two lines of the kernel: its first says more than one of ours
        break;
    case CPUDEV_SYNC_ASSERT:
        f.tool = TOOL_MEM;
        f.kind = "assert";
        snprintf(f.title, sizeof f.title, "an assertion failed, or __trap() was called, in a kernel");
        f.cause = "see the assertion";
        break;
    case CPUDEV_SYNC_FAULT:
        f.tool = TOOL_MEM;
        f.kind = "fault";
        snprintf(f.title, sizeof f.title, "a kernel touches memory that is not there (seen as a fault of the CPU)");
        f.cause = "a wild or null pointer, handed to a library function such as printf or memcpy";
        break;
    case CPUDEV_SYNC_GRID:
        f.kind = "grid-sync";
        snprintf(f.title, sizeof f.title,
                 "grid.sync() in a kernel that was not launched by cudaLaunchCooperativeKernel");
        f.cause = "only a cooperative launch makes sure that all blocks run at once; with <<<...>>> a barrier of the "
                  "grid can wait for ever";
        break;
    case CPUDEV_SYNC_GRID_STUCK:
        f.kind = "grid-stuck";
        snprintf(f.title, sizeof f.title, "grid barrier in divergent code: %u block%s left the kernel without it", mask,
                 mask == 1 ? " has" : "s have");
        snprintf(f.at.what, sizeof f.at.what, "waits at the grid barrier");
        f.cause = "every thread of every block must reach each grid.sync()";
        break;
    case CPUDEV_SYNC_STACK:
        f.tool = TOOL_MEM;
        f.kind = "stack-overflow";
        snprintf(f.title, sizeof f.title, "a thread's stack is exhausted");
        f.cause = "endless recursion, or local arrays that are too large";
        break;
    }
    check_report(&f);
    if (what == CPUDEV_SYNC_DEADLOCK || what == CPUDEV_SYNC_ENDLESS || what == CPUDEV_SYNC_ASSERT)
        w->op->killed = 1;
}

void cpudev_check_width(int width)
{
    char title[96];
    snprintf(title, sizeof title, "a shuffle's width is %d: it must be a power of two, and at most 32", width);
    check_misuse(TOOL_SYNC, "shuffle-width", title,
                 "the last argument divides the warp into equal parts; leave it out to use the whole warp", CALLER);
}

void check_no_texture(const void *site)
{
    check_misuse(TOOL_MEM, "texture", "a kernel uses a texture or surface object that was destroyed, or never created",
                 "cudaDestroyTextureObject belongs behind the synchronize after the last kernel that uses the object",
                 (void *)site);
    cpudev_thread_kill();
}

void check_texel(const void *p, unsigned bytes, const void *site) { check_touch_at(p, bytes, (void *)site); }

// wmma: "the pointer must be 256-bit aligned", and rows are multiples of 16 bytes apart.
void check_tile(const void *p, size_t row_bytes, const void *site)
{
    if ((uintptr_t)p % 32)
        check_misuse(TOOL_MEM, "misaligned", "misaligned matrix tile: the address is no multiple of 32 bytes",
                     "load_matrix_sync and store_matrix_sync want tiles that begin at multiples of 256 bits",
                     (void *)site);
    else if (row_bytes % 16)
        check_misuse(
            TOOL_MEM, "misaligned", "misaligned matrix tile: the leading dimension is no multiple of 16 bytes",
            "the leading dimension must be a multiple of 8 half or 4 float elements: pad the rows by that much",
            (void *)site);
}

bool check_handle_readable(const void *p)
{
    uintptr_t a = (uintptr_t)p;
    return a % sizeof(void *) == 0 && a >= 65536 && check_readable(p);
}

uint32_t check_loop_thread(void) { return cpudev_check_thread; }
