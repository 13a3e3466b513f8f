/* sync.c: synccheck: the texts of the mistakes that the runtime reports, and callbacks that only report. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "core/device.h"
#include "core/access.h"
#include "report/findings.h"
#include "core/layout.h"
#include "report/lines.h"
#include "memory/memcheck.h"
#include "observe/observer.h"
#include "core/tools.h"
#include "core/worker.h"

int check_device_failed;

static const char *state_words(const cpudev_waiter *w)
{
    switch (w->state) {
    case CPUDEV_RUNS: return "is running or spinning";
    case CPUDEV_AT_BARRIER: return "waits at __syncthreads()";
    case CPUDEV_AT_WARP: return "waits at a warp primitive";
    case CPUDEV_LEFT: return "has left the kernel";
    case CPUDEV_AT_GRID: return "waits at a grid barrier";
    case CPUDEV_WAITS: return "waits at another kind of barrier (cuda::barrier, pipeline, tile)";
    }
    return "";
}

// What is said of each kind of mistake. A title of NULL has numbers in it: see title_with_numbers().
typedef struct words {
    const char *kind, *title, *stands, *cause; // stands: what the thread at the finding's line does there
    int tool;                                  // 0: synccheck, which CUDA_CPU_TOOLS may leave out
} words;
static const words words_of[] = {
    [CPUDEV_SYNC_DIFFERENT_BARRIERS] =
        {"different-barriers", "threads of one block meet at different barriers", "waits here",
         "__syncthreads() is in code that only some threads reach: move it out of the if, so that all threads pass "
         "the same one",
         0},
    [CPUDEV_SYNC_EXITED] =
        {"barrier-exited", NULL, "waits at the barrier",
         "a return (or a condition) keeps some threads from the barrier: every thread of the block must reach each "
         "__syncthreads()",
         0},
    [CPUDEV_SYNC_MASK_SELF] = {"mask-self", NULL, "",
                               "a thread may only call a warp primitive with a mask that includes itself", 0},
    [CPUDEV_SYNC_MASK_EXITED] =
        {"mask-inactive", NULL, "",
         "a full mask in divergent code: let all lanes of the mask make the call, before the branch and not inside it, "
         "or name only the lanes that get here, by the mask of a __ballot_sync() before the branch",
         0},
    [CPUDEV_SYNC_SHFL_INACTIVE] =
        {"shuffle-inactive", NULL, "",
         "the value of a lane that does not take part is undefined: all lanes that are read must be in the mask", 0},
    [CPUDEV_SYNC_MASK_MISMATCH] = {"mask-mismatch", NULL, "",
                                   "all lanes named in a mask must call the same primitive with the same mask", 0},
    [CPUDEV_SYNC_DEADLOCK] =
        {"deadlock", NULL, "waits here",
         "threads wait for others that will never come: a barrier or warp primitive in a branch, or a lock that is "
         "never released",
         0},
    [CPUDEV_SYNC_LONG] =
        {"long-running", NULL, "was here when the watchdog looked",
         "perhaps a loop whose condition never becomes false: check what it counts; if the kernel is meant to run "
         "that long, CUDA_CPU_WATCHDOG=SECONDS gives it more time",
         0},
    [CPUDEV_SYNC_ENDLESS] = {"endless", "the kernel makes no progress", "was here when the watchdog looked",
                             "a loop whose condition never changes, or a lock or flag that nobody sets", 0},
    [CPUDEV_SYNC_ASSERT] = {"assert", "an assertion failed, or __trap() was called, in a kernel", "",
                            "see the assertion", TOOL_MEM},
    [CPUDEV_SYNC_FAULT] = {"fault", "a kernel touches memory that does not exist (seen as a fault of the CPU)", "",
                           "a wild or null pointer, passed to a library function such as printf or memcpy", TOOL_MEM},
    [CPUDEV_SYNC_GRID] = {"grid-sync", "grid.sync() in a kernel that was not launched by cudaLaunchCooperativeKernel",
                          "",
                          "only a cooperative launch makes sure that all blocks run at once; with <<<...>>> a grid "
                          "barrier can wait for ever",
                          0},
    [CPUDEV_SYNC_GRID_STUCK] = {"grid-stuck", NULL, "waits at the grid barrier",
                                "every thread of every block must reach each grid.sync()", 0},
    [CPUDEV_SYNC_STACK] = {"stack-overflow", "a thread's stack is exhausted", "",
                           "endless recursion, or local arrays that are too large", TOOL_MEM},
};

static void title_with_numbers(char *out, size_t size, const cpudev_mistake *m, const worker *w)
{
    int left = 0, waiting = 0;
    for (int i = 0; i < m->count; i++) {
        left += m->waiters[i].state == CPUDEV_LEFT;
        waiting += m->waiters[i].state == CPUDEV_AT_BARRIER || m->waiters[i].state == CPUDEV_WAITS;
    }
    switch (m->what) {
    case CPUDEV_SYNC_EXITED:
        snprintf(out, size, "barrier in divergent code: %d of %u threads never reach it", left, w->threads);
        break;
    case CPUDEV_SYNC_MASK_SELF:
        snprintf(out, size, "the mask 0x%08x does not name the calling lane %u", m->mask, m->thread % 32);
        break;
    case CPUDEV_SYNC_MASK_EXITED:
        snprintf(out, size, "the mask 0x%08x names lanes that have left the kernel or never reach the call", m->mask);
        break;
    case CPUDEV_SYNC_SHFL_INACTIVE:
        snprintf(out, size,
                 "a shuffle reads from a lane that is not in its mask 0x%08x, or that the block does not have",
                 m->mask);
        break;
    case CPUDEV_SYNC_MASK_MISMATCH:
        snprintf(out, size, "lanes that meet at one warp primitive give different masks (this one 0x%08x)", m->mask);
        break;
    case CPUDEV_SYNC_DEADLOCK:
        snprintf(out, size, "deadlock: every live thread of the block waits (%d at barriers, %d have left)", waiting,
                 left);
        break;
    case CPUDEV_SYNC_LONG:
        snprintf(out, size,
                 "the block has run for a long time: it has passed %u barriers, and none of its threads has ended",
                 m->mask);
        break;
    case CPUDEV_SYNC_GRID_STUCK:
        snprintf(out, size, "grid barrier in divergent code: %u block%s left the kernel without it", m->mask,
                 m->mask == 1 ? " has" : "s have");
        break;
    default: *out = 0;
    }
}

static bool ends_the_kernel(int what)
{
    return what == CPUDEV_SYNC_DEADLOCK || what == CPUDEV_SYNC_ENDLESS || what == CPUDEV_SYNC_ASSERT;
}

// Notes what the mistake means for the launch. Is it to be told? A deadlock after a wrong mask is that mask's doing.
static bool is_told(struct check_op *op, int what)
{
    if (op->killed && what != CPUDEV_SYNC_ENDLESS)
        return false;
    if (ends_the_kernel(what) || what > CPUDEV_SYNC_ASSERT)
        check_device_failed = 1;
    if (op->wrong_mask &&
        (what == CPUDEV_SYNC_DEADLOCK || what == CPUDEV_SYNC_MASK_EXITED || what == CPUDEV_SYNC_MASK_MISMATCH)) {
        check_device_failed = 1;
        return false;
    }
    if (what == CPUDEV_SYNC_MASK_SELF)
        op->wrong_mask = 1;
    return check_tools & TOOL_SYNC || words_of[what].tool;
}

// The other party: the first thread of the block that waits somewhere else; NULL if there is none.
static const cpudev_waiter *other_party(const cpudev_mistake *m)
{
    const cpudev_waiter *q = m->waiters;
    for (int i = 0; i < m->count; i++) {
        bool other = q[i].pc != m->pc;
        if (m->what == CPUDEV_SYNC_DIFFERENT_BARRIERS)
            other = q[i].state == CPUDEV_AT_BARRIER &&
                    (q[i].place != q[m->thread].place || !check_same_line(q[i].pc, m->pc));
        if (m->what == CPUDEV_SYNC_EXITED)
            other = q[i].state == CPUDEV_LEFT;
        if (q[i].thread != m->thread && other)
            return &q[i];
    }
    return NULL;
}

// The beginnings of a finding at m->pc in the thread that m names, whichever thread runs.
static void begin_finding(check_finding *f, worker *w, const cpudev_mistake *m)
{
    uint32_t thread = w->thread;
    int in_kernel = w->in_kernel;
    w->in_kernel = 1;
    w->thread = m->thread;
    check_here(f, words_of[m->what].tool ? words_of[m->what].tool : TOOL_SYNC, words_of[m->what].kind, m->pc);
    w->thread = thread;
    w->in_kernel = in_kernel;
}

void check_sync_error(const cpudev_mistake *m)
{
    worker *w = &check_self;
    const words *say = &words_of[m->what];
    if (!w->op || !is_told(w->op, m->what))
        return;
    if (m->what == CPUDEV_SYNC_DEADLOCK && w->unset.count)
        check_unset_settle(w); /* the kernel's first mistake may be that it read too early */
    const cpudev_waiter *o = other_party(m);
    if (m->what == CPUDEV_SYNC_DIFFERENT_BARRIERS && !o)
        return; // copies of one barrier
    check_finding f;
    begin_finding(&f, w, m);
    if (o) {
        f.has_other = 1;
        check_place_thread(&f.other, w->op, w->block_id, o->thread, 1);
        memcpy(f.other.block, w->block, sizeof w->block);
        f.other.pc = o->pc;
        snprintf(f.other.what, sizeof f.other.what, "%s", state_words(o));
    }
    if (say->title)
        snprintf(f.title, sizeof f.title, "%s", say->title);
    else
        title_with_numbers(f.title, sizeof f.title, m, w);
    if (m->note)
        snprintf(f.note, sizeof f.note, "%s", m->note);
    if (m->announced) {
        f.has_other = 1;
        check_place_thread(&f.other, w->op, w->block_id, m->thread, 0);
        memcpy(f.other.block, w->block, sizeof w->block);
        f.other.pc = (void *)m->announced;
        snprintf(f.other.what, sizeof f.other.what, "here its bytes were announced, or the mbarrier was made");
    }
    if (*say->stands)
        snprintf(f.at.what, sizeof f.at.what, "%s", say->stands);
    f.cause = say->cause;
    if (m->what == CPUDEV_SYNC_ENDLESS || m->what == CPUDEV_SYNC_LONG) {
        f.file = w->op->d.file;
        f.line = w->op->d.line;
        f.file_if_none = 1; // between two lines of the kernel: its first says more than one of ours
    }
    f.only_note = m->what == CPUDEV_SYNC_LONG;
    check_report(&f);
    if (ends_the_kernel(m->what))
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
                 "call cudaDestroyTextureObject only after the last kernel that uses the object, and a synchronization",
                 (void *)site);
    cpudev_thread_kill();
}

void check_surface_misaligned(const void *site)
{
    check_misuse(TOOL_MEM, "misaligned", "misaligned surface access: x is not a multiple of the element's size",
                 "surface functions count x in bytes: x * sizeof(T)", (void *)site);
}

void check_surface_outside(int dimension, long at, long size, const void *site)
{
    char title[128];
    snprintf(title, sizeof title, "out of bounds: a surface is accessed at %s = %ld, and has %ld %s",
             dimension ? dimension == 1 ? "y" : "z" : "x", at, size,
             dimension ? dimension == 1 ? "rows" : "layers" : "bytes per row");
    check_misuse(TOOL_MEM, "out-of-bounds", title,
                 "guard the index (x counts in bytes), or pass cudaBoundaryModeZero or cudaBoundaryModeClamp: "
                 "cudaBoundaryModeTrap, the default, ends the kernel",
                 (void *)site);
    cpudev_thread_kill();
}

void check_texel(const void *p, unsigned bytes, const void *site) { check_touch_at(p, bytes, (void *)site); }

// wmma: "the pointer must be 256-bit aligned", and rows are multiples of 16 bytes apart.
void check_tile(const void *p, size_t row_bytes, const void *site)
{
    if ((uintptr_t)p % 32)
        check_misuse(TOOL_MEM, "misaligned", "misaligned matrix tile: the address is not a multiple of 32 bytes",
                     "load_matrix_sync and store_matrix_sync want tiles that begin at multiples of 256 bits",
                     (void *)site);
    else if (row_bytes % 16)
        check_misuse(
            TOOL_MEM, "misaligned", "misaligned matrix tile: the leading dimension is not a multiple of 16 bytes",
            "the leading dimension must be a multiple of 8 half or 4 float elements: pad the rows by that much",
            (void *)site);
}

bool check_handle_readable(const void *p)
{
    uintptr_t a = (uintptr_t)p;
    return a % sizeof(void *) == 0 && a >= 65536 && check_readable(p);
}

uint32_t check_loop_thread(void) { return cpudev_check_thread; }
