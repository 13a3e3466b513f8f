/* running.c: which blocks run at this moment, on which OS threads. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "observe/observer.h"
#include "core/running.h"
#include "race/peers.h"
#include "race/shadow.h"

enum { SLOTS = 1024, NONE = 0, STANDS = 1 };

static _Atomic uint64_t slots[SLOTS]; /* NONE, STANDS, or the operation and its block */
static _Atomic int used;              /* slots from here on have never been taken */

static uint64_t name_of(uint32_t op, uint32_t block) { return (uint64_t)op << 32 | block; } /* op is 2 at least */

void check_runs(worker *w)
{
    const uint64_t me = name_of(w->op->id + 1, w->block_id);
    if (w->slot) {
        slots[w->slot - 1] = me;
        return;
    }
    for (int i = 0; i < SLOTS; i++) {
        uint64_t none = NONE;
        if (slots[i] != NONE || !atomic_compare_exchange_strong(&slots[i], &none, me))
            continue;
        w->slot = i + 1;
        int n = used;
        while (n <= i && !atomic_compare_exchange_weak(&used, &n, i + 1))
            ;
        return;
    }
}

void check_stands(worker *w)
{
    if (w->slot)
        slots[w->slot - 1] = STANDS;
}

void check_runs_not(worker *w)
{
    if (w->slot)
        slots[w->slot - 1] = NONE;
    w->slot = 0;
}

void check_take_turn(worker *w)
{
    if (cpudev_has_turn())
        return;
    check_stands(w);
    cpudev_turn();
    check_runs(w);
}

/* Ten seconds are more than a store takes on any machine; only a block that polls what the running one is to write
 * would keep this going for longer. */
void check_let_land(worker *w, const check_seg *g)
{
    if (check_active <= 1 || !g || g->op != w->op->id || g->block == w->block_id || check_is_peer(w, g->block))
        return;
    const uint64_t other = name_of(g->op + 1, g->block);
    for (int i = 0; i < used; i++) {
        if (slots[i] != other)
            continue;
        check_stands(w);
        for (int n = 0; slots[i] == other && n < 200000; n++) {
            struct timespec nap = {0, 50000};
            if (n < 64)
                sched_yield();
            else
                nanosleep(&nap, NULL);
        }
        check_runs(w);
    }
}
