/* pending.c: launches whose arguments are being computed. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "launch/pending.h"
#include "cpudevice.h"
#include "launch/nested.h"
#include "exec/thread.h"
#include "cpudev_must.h"

/* The launches of the host thread whose arguments are being computed. `<<<>>>` before a pointer to a host function leaves its
 * entry behind for good, because no kernel ever takes it; with nvcc the same happens. */
static __thread launch *of_host;
static __thread int nof_host, of_host_room;

static void make_room(launch **list, int n, int *room)
{
    if (n < *room)
        return;
    *room = *room ? 2 * *room : 8;
    *list = realloc(*list, (size_t)*room * sizeof **list);
    if (!*list)
        out_of_memory();
}

/* Of a kernel's threads: one list for the block, in which each finds its own. */
static void push_nested(const launch *l)
{
    cpudev_worker *w = cpudev_tls.worker;
    nested_used(w);
    make_room(&w->calls.launches, w->calls.count, &w->calls.room);
    w->calls.launches[w->calls.count] = *l;
    w->calls.launches[w->calls.count++].thread = cpudev_tid();
}

static int mine(const cpudev_worker *w)
{
    int i = w->calls.count - 1;
    while (i >= 0 && w->calls.launches[i].thread != cpudev_tid())
        i--;
    return i;
}

static launch pop_nested(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    int i = mine(w);
    launch l = w->calls.launches[i];
    w->calls.count--;
    memmove(w->calls.launches + i, w->calls.launches + i + 1, (size_t)(w->calls.count - i) * sizeof l);
    return l;
}

void pending_push(const launch *l)
{
    if (cpudev_on_device()) {
        push_nested(l);
        return;
    }
    make_room(&of_host, nof_host, &of_host_room);
    of_host[nof_host++] = *l;
}

bool pending_any(void) { return cpudev_on_device() ? mine(cpudev_tls.worker) >= 0 : nof_host > 0; }

launch pending_pop(void) { return cpudev_on_device() ? pop_nested() : of_host[--nof_host]; }

const launch *pending_on_host(void) { return cpudev_on_device() || !nof_host ? NULL : &of_host[nof_host - 1]; }
