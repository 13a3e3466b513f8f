/* mbarrier.c: PTX's mbarrier objects. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async/mbarrier.h"
#include "cpudev_abi.h"
#include "async/async.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "device/message.h"
#include "exec/held.h"
#include "observe/observers.h"
#include "exec/shared_window.h"
#include "exec/thread.h"
#include "observe/tell_block.h"
#include "exec/wait.h"
#include "cpudev_must.h"

typedef struct state {
    unsigned phase;
    uint32_t expected, pending;
    int32_t bytes;
} state;

static uint64_t packed(state s)
{
    return (uint64_t)s.phase | (uint64_t)s.expected << 1 | (uint64_t)s.pending << 21 |
           ((uint64_t)s.bytes & 0x1fffff) << 41 | (uint64_t)MBARRIER_TAG << 62;
}

static state unpacked(uint64_t word)
{
    const uint32_t bytes = (uint32_t)(word >> 41) & 0x1fffff;
    return (state){word & 1, (uint32_t)(word >> 1) & 0xfffff, (uint32_t)(word >> 21) & 0xfffff,
                   (int32_t)(bytes << 11) >> 11};
}

/* ---- what was announced in the phases that are under way, and where: for messages only ---- */

static __thread struct {
    const void *launch;
    unsigned long long block;
    struct announced {
        const void *object, *made, *site; /* where it was initialised, and bytes were announced last */
        uint32_t bytes;
    } * of;
    int n, room;
} ledger;

static struct announced *announced(const void *object)
{
    const cpudev_worker *w = cpudev_tls.worker;
    if (ledger.launch != w->command || ledger.block != w->block) {
        ledger.launch = w->command;
        ledger.block = w->block;
        ledger.n = 0;
    }
    int i = 0;
    while (i < ledger.n && ledger.of[i].object != object)
        i++;
    if (i == ledger.n) {
        if (ledger.n == ledger.room) {
            ledger.room = ledger.room ? 2 * ledger.room : 16;
            ledger.of = held_realloc(ledger.of, (size_t)ledger.room * sizeof *ledger.of);
            if (!ledger.of)
                out_of_memory();
        }
        ledger.of[ledger.n++] = (struct announced){object, NULL, NULL, 0};
    }
    return &ledger.of[i];
}

static void fail(const void *object, const void *site, const char *what)
{
    char place[96], where[256];
    TELL(point_mistake, object, site, what);
    shared_place(object, place, sizeof place);
    describe_place(where, sizeof where);
    if (!observed.reports_deadlock)
        message("%s: mbarrier at %s: %s", where, place, what);
    fail_kernel(cudaErrorIllegalInstruction);
}

static bool is_made(const void *object) { return *(const uint64_t *)object >> 62 == MBARRIER_TAG; }

/* A thread uses an mbarrier of its block before the thread that initialises it, and nothing orders the two. In a checked
 * program it waits for that thread, so that the finding is the same in each order of the threads. */
static void await_init(const void *object)
{
    enum { TURNS = 64 };
    if (!observed.reports_deadlock || (uintptr_t)object % 8 || is_made(object) || !cpudev_is_shared(object))
        return;
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    w->tries++;
    for (int turn = 0; turn < TURNS && !is_made(object) && wait_try(w); turn++)
        ;
    w->tries--;
}

static state load(const void *object, const void *site)
{
    if ((uintptr_t)object % 8)
        fail(object, site, "its address is not a multiple of 8");
    const uint64_t word = *(const uint64_t *)object;
    const state s = unpacked(word);
    if (!is_made(object))
        fail(object, site, "it was not initialised");
    return s;
}

static void store(void *object, state s)
{
    if (s.pending == 0 && s.bytes == 0) {
        s.phase ^= 1;
        s.pending = s.expected;
        cpudev_tls.worker->watch.events++; /* the watchdog's: threads that go round a ring get on */
        announced(object)->bytes = 0;
        TELL(point, CPUDEV_POINT_PHASE, object, NULL);
    }
    *(uint64_t *)object = packed(s);
    cpudev_tls.worker->progress++;
}

static void add_bytes(void *object, state *s, int64_t bytes, const void *site)
{
    const int64_t sum = s->bytes + bytes;
    if (sum > MBARRIER_MOST || sum < -MBARRIER_MOST)
        fail(object, site, "more than 2^20 - 1 bytes are announced, or have come unannounced");
    s->bytes = (int32_t)sum;
}

void cpudev_mbarrier_init(void *object, uint32_t count)
{
    const void *site = __builtin_return_address(0);
    if (count == 0 || count > MBARRIER_MOST)
        fail(object, site, "it was set to expect 0 arrivals, or more than 2^20 - 1");
    if ((uintptr_t)object % 8)
        fail(object, site, "its address is not a multiple of 8");
    *(uint64_t *)object = packed((state){0, count, count, 0});
    *announced(object) = (struct announced){object, site, NULL, 0};
    TELL(point, CPUDEV_POINT_INIT, object, site);
    cpudev_tls.worker->progress++;
}

void cpudev_mbarrier_inval(void *object)
{
    (void)load(object, __builtin_return_address(0));
    *(uint64_t *)object = 0;
}

static void expect(void *object, state *s, uint32_t bytes, const void *site)
{
    add_bytes(object, s, bytes, site);
    struct announced *a = announced(object);
    a->bytes += bytes;
    a->site = site;
}

uint64_t cpudev_mbarrier_arrive(void *object, uint32_t count, uint32_t bytes, int how)
{
    const void *site = __builtin_return_address(0);
    async_step();
    await_init(object);
    state s = load(object, site);
    const uint64_t before = packed(s);
    if (how & CPUDEV_MBARRIER_EXPECT)
        expect(object, &s, bytes, site);
    if (count == 0 || count > s.pending)
        fail(object, site, count ? "more arrivals than the phase expects" : "an arrival with a count of 0");
    s.pending -= count;
    if (how & CPUDEV_MBARRIER_DROP)
        s.expected -= count;
    if ((how & CPUDEV_MBARRIER_NO_COMPLETE) && s.pending == 0 && s.bytes == 0)
        fail(object, site, "an arrival with .noComplete completes the phase");
    if (!(how & CPUDEV_MBARRIER_RELAXED))
        TELL(point, CPUDEV_POINT_ARRIVE, object, site);
    store(object, s);
    return before;
}

void cpudev_mbarrier_expect(void *object, uint32_t bytes)
{
    const void *site = __builtin_return_address(0);
    await_init(object);
    state s = load(object, site);
    expect(object, &s, bytes, site);
    store(object, s);
}

void mbarrier_bytes(void *object, uint32_t bytes, const void *site)
{
    state s = load(object, site);
    add_bytes(object, &s, -(int64_t)bytes, site);
    store(object, s);
}

void cpudev_mbarrier_complete(void *object, uint32_t bytes)
{
    mbarrier_bytes(object, bytes, __builtin_return_address(0));
    async_step();
}

typedef struct arrival {
    async_op op;
    void *object;
    const void *site;
} arrival;

static void land_arrival(async_op *op, int stage)
{
    const arrival *a = (arrival *)op;
    state s = load(a->object, a->site);
    (void)stage;
    if (!s.pending)
        fail(a->object, a->site, "more arrivals than the phase expects");
    s.pending--;
    store(a->object, s);
}

void cpudev_mbarrier_arrive_later(void *object, int noinc)
{
    const void *site = __builtin_return_address(0);
    await_init(object);
    state s = load(object, site);
    if (!noinc) {
        s.pending++;
        *(uint64_t *)object = packed(s);
    }
    TELL(point, CPUDEV_POINT_ARRIVE, object, site);
    arrival *a = async_new(sizeof *a, ASYNC_MBARRIER, object, land_arrival);
    a->object = object;
    a->site = site;
    async_begin(&a->op);
}

uint32_t cpudev_mbarrier_pending(uint64_t word) { return unpacked(word).pending; }

/* All proxies see the same memory here, so the fence does nothing itself. Observers keep the proxies apart. */
void cpudev_proxy_fence(int what) { TELL(proxy_fence, what); }

/* ---- waiting ---- */

typedef struct waiting {
    async_waiter list;
    unsigned phase;
} waiting;

static bool describe(const async_waiter *me, char *text, size_t size, const void **at_fault)
{
    const waiting *w = (const waiting *)me;
    const state s = unpacked(*(const uint64_t *)me->object);
    const struct announced *a = announced(me->object);
    const uint32_t bytes = a->bytes;
    char place[96];
    shared_place(me->object, place, sizeof place);
    int n = snprintf(text, size, "the phase with parity %u of the mbarrier at %s: %u of %u arrivals", w->phase, place,
                     s.expected - s.pending, s.expected);
    if ((s.bytes || bytes) && n < (int)size)
        snprintf(text + n, size - (size_t)n, ", %d of %u bytes have come", (int)bytes - s.bytes, bytes);
    else if (n < (int)size)
        snprintf(text + n, size - (size_t)n, " have come");
    *at_fault = s.bytes && a->site ? a->site : a->made;
    return s.bytes != 0;
}

static int passed(void *object, int how, const void *site)
{
    if (!(how & CPUDEV_MBARRIER_RELAXED))
        TELL(point, CPUDEV_POINT_PASSED, object, site);
    return 1;
}

static int test(void *object, unsigned phase, int how, const void *site)
{
    async_step();
    await_init(object);
    if (load(object, site).phase != phase)
        return passed(object, how, site);
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    cpudev_fiber *fiber = cpudev_tls.current;
    waiting me = {{NULL, NULL, object, cpudev_tid(), describe}, phase};
    bool done = false;
    async_waits(&me.list);
    if (observed.threads)
        tell_wait(site);
    w->tries++;
    fiber->waiting = 1;
    while (wait_try(w) && !(done = load(object, site).phase != phase) && (how & CPUDEV_MBARRIER_SUSPEND))
        ;
    fiber->waiting = 0;
    w->tries--;
    async_waits_no_more(&me.list);
    if (!done)
        return 0;
    w->progress++; /* what it does next may be what another waits for */
    return passed(object, how, site);
}

int cpudev_mbarrier_test(void *object, uint64_t state, int how)
{
    return test(object, state & 1, how, __builtin_return_address(0));
}

int cpudev_mbarrier_test_parity(void *object, uint32_t parity, int how)
{
    return test(object, parity & 1, how, __builtin_return_address(0));
}
