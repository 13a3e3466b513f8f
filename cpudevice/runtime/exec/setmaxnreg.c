/* setmaxnreg.c: warpgroups give registers back and take more ("setmaxnreg" of the PTX ISA). A CPU's registers have nothing
 * to do with it: only the rules are kept. A warpgroup takes what others of its block have given back; how many registers
 * the block began with is ptxas's choice, but each thread has the same number of them, a multiple of 8, and together no
 * more than a multiprocessor has. What is more than that is refused. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "cpudev_abi.h"
#include "cpudevice.h"
#include "device/message.h"
#include "observe/observers.h"
#include "exec/setmaxnreg.h"
#include "observe/tell_block.h"
#include "device/sizes.h"

enum {
    LEAST = 24,
    MOST = 256,
    GRAIN = 8,
    OF_MULTIPROCESSOR = 65536,
    WARPGROUP = 128,
    GROUPS = MAX_THREADS / WARPGROUP
};

/* Of the running block. */
static __thread struct {
    unsigned long long block; /* cpudev_worker.begun */
    struct warpgroup {
        unsigned registers; /* that it has asked for last, */
        const void *site;   /* where, */
        unsigned thread;    /* by which thread, */
        int increase;       /* whether to take more, */
        unsigned times;     /* and how often: the thread of it that has most often */
    } of[GROUPS];
    unsigned times[MAX_THREADS]; /* how often each thread has */
} have;

static void refuse(const char *what, const void *site) __attribute__((noreturn));
static void refuse(const char *what, const void *site)
{
    char place[512];
    describe_place(place, sizeof place);
    TELL(async_mistake, site, "setmaxnreg", what);
    if (!observed.reports_deadlock)
        message("setmaxnreg: %s: %s", what, place);
    fail_kernel(cudaErrorIllegalInstruction);
}

/* One that takes waits, not one that gives back: whoever comes last, it is the first that the refusal names. */
static const void *blame_who_takes(const cpudev_worker *w, const struct warpgroup *g)
{
    for (unsigned i = 0; !g->increase && i < GROUPS; i++)
        if (have.of[i].increase) {
            g = &have.of[i];
            if (observed.threads && cpudev_tls.current)
                tell_turn(w->fibers + g->thread);
        }
    return g->site;
}

void cpudev_setmaxnreg(unsigned registers, int increase)
{
    const cpudev_worker *w = cpudev_tls.worker;
    const void *site = __builtin_return_address(0);
    const unsigned thread = cpudev_tid();
    unsigned all = 0;
    if (have.block != w->begun) {
        memset(&have, 0, sizeof have);
        have.block = w->begun;
    }
    struct warpgroup *g = &have.of[thread / WARPGROUP];
    if (registers % GRAIN || registers < LEAST || registers > MOST)
        refuse("registers per thread must be a multiple of 8 from 24 to 256", site);
    if (have.times[thread] < g->times && registers != g->registers)
        refuse("the threads of a warpgroup ask for different numbers of registers", site);
    if (++have.times[thread] > g->times)
        g->times = have.times[thread];
    g->registers = registers;
    g->site = site;
    g->thread = thread;
    g->increase = increase;
    for (unsigned i = 0; i < GROUPS; i++)
        all += have.of[i].registers * WARPGROUP;
    const unsigned most = OF_MULTIPROCESSOR / w->threads / GRAIN * GRAIN;
    if (all > w->threads * (most < MOST ? most : MOST)) {
        char what[128];
        snprintf(
            what, sizeof what,
            "with the other warpgroups, more registers than %u threads can begin with, %u each: it would wait for ever",
            w->threads, most < MOST ? most : MOST);
        refuse(what, blame_who_takes(w, g));
    }
}

void setmaxnreg_block_ends(const cpudev_worker *w)
{
    if (have.block != w->begun)
        return;
    for (unsigned t = 0; t < w->threads; t++)
        if (have.times[t] != have.of[t / WARPGROUP].times) {
            char what[128];
            snprintf(what, sizeof what,
                     "not all threads of a warpgroup have reached it: thread %u of the block has not", t);
            refuse(what, have.of[t / WARPGROUP].site);
        }
}
