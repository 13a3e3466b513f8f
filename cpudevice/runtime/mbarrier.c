/* mbarrier.c: PTX's mbarrier objects. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbarrier.h"
#include "cpudev_mbarrier.h"
#include "async.h"
#include "command.h"
#include "cpudevice.h"
#include "message.h"
#include "observers.h"
#include "shared_window.h"
#include "thread.h"
#include "tell_block.h"
#include "wait.h"

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

/* ---- what was announced, for messages only: bytes of the phases that are under way ---- */

static __thread struct {
    const void *launch;
    unsigned long long block;
    struct announced {
        const void *object;
        unsigned phase;
        uint32_t bytes;
    } * of;
    int n, room;
} ledger;

static struct announced *announced(const void *object, unsigned phase)
{
    const cpudev_worker *w = cpudev_tls.worker;
    if (ledger.launch != w->command || ledger.block != w->block) {
        ledger.launch = w->command;
        ledger.block = w->block;
        ledger.n = 0;
    }
    struct announced *p = ledger.of;
    while (p < ledger.of + ledger.n && p->object != object)
        p++;
    if (p == ledger.of + ledger.n) {
        if (ledger.n == ledger.room) {
            ledger.room = ledger.room ? 2 * ledger.room : 16;
            ledger.of = realloc(ledger.of, (size_t)ledger.room * sizeof *ledger.of);
            if (!ledger.of)
                abort();
            p = ledger.of + ledger.n;
        }
        *p = (struct announced){object, phase, 0};
        ledger.n++;
    }
    if (p->phase != phase)
        *p = (struct announced){object, phase, 0};
    return p;
}

static void fail(const void *object, const char *what)
{
    char place[96], where[256];
    shared_place(object, place, sizeof place);
    describe_place(where, sizeof where);
    message("%s: mbarrier at %s: %s", where, place, what);
    fail_kernel(cudaErrorIllegalInstruction);
}

static state load(const void *object)
{
    if ((uintptr_t)object % 8) {
        message("an mbarrier lies at %p, which is no multiple of 8", object);
        fail_kernel(cudaErrorMisalignedAddress);
    }
    const uint64_t word = *(const uint64_t *)object;
    const state s = unpacked(word);
    if (word >> 62 != MBARRIER_TAG)
        fail(object, "it was not initialised");
    return s;
}

static void store(void *object, state s)
{
    if (s.pending == 0 && s.bytes == 0) {
        s.phase ^= 1;
        s.pending = s.expected;
        cpudev_tls.worker->events++; /* the watchdog's: threads that go round a ring get on */
    }
    *(uint64_t *)object = packed(s);
    cpudev_tls.worker->progress++;
}

static void add_bytes(void *object, state *s, int64_t bytes)
{
    const int64_t sum = s->bytes + bytes;
    if (sum > MBARRIER_MOST || sum < -MBARRIER_MOST)
        fail(object, "more than 2^20 - 1 bytes are announced, or have come unannounced");
    s->bytes = (int32_t)sum;
}

void cpudev_mbarrier_init(void *object, uint32_t count)
{
    if (count == 0 || count > MBARRIER_MOST)
        fail(object, "it is to expect 0 arrivals, or more than 2^20 - 1");
    if ((uintptr_t)object % 8)
        (void)load(object);
    *(uint64_t *)object = packed((state){0, count, count, 0});
    *announced(object, 0) = (struct announced){object, 0, 0};
    cpudev_tls.worker->progress++;
}

void cpudev_mbarrier_inval(void *object)
{
    (void)load(object);
    *(uint64_t *)object = 0;
}

uint64_t cpudev_mbarrier_arrive(void *object, uint32_t count, uint32_t bytes, int how)
{
    async_step();
    state s = load(object);
    const uint64_t before = packed(s);
    if (how & CPUDEV_MBARRIER_EXPECT) {
        add_bytes(object, &s, bytes);
        announced(object, s.phase)->bytes += bytes;
    }
    if (count == 0 || count > s.pending)
        fail(object, "more arrivals than the phase expects, or none");
    s.pending -= count;
    if (how & CPUDEV_MBARRIER_DROP)
        s.expected -= count;
    if ((how & CPUDEV_MBARRIER_NO_COMPLETE) && s.pending == 0 && s.bytes == 0)
        fail(object, "an arrival with .noComplete completes the phase");
    store(object, s);
    return before;
}

void cpudev_mbarrier_expect(void *object, uint32_t bytes)
{
    state s = load(object);
    add_bytes(object, &s, bytes);
    announced(object, s.phase)->bytes += bytes;
    store(object, s);
}

void mbarrier_bytes(void *object, uint32_t bytes)
{
    state s = load(object);
    add_bytes(object, &s, -(int64_t)bytes);
    store(object, s);
}

void cpudev_mbarrier_complete(void *object, uint32_t bytes)
{
    mbarrier_bytes(object, bytes);
    async_step();
}

typedef struct arrival {
    async_op op;
    void *object;
} arrival;

static void land_arrival(async_op *op, int stage)
{
    void *object = ((arrival *)op)->object;
    state s = load(object);
    (void)stage;
    if (!s.pending)
        fail(object, "more arrivals than the phase expects");
    s.pending--;
    store(object, s);
}

void cpudev_mbarrier_arrive_later(void *object, int noinc)
{
    state s = load(object);
    if (!noinc) {
        s.pending++;
        *(uint64_t *)object = packed(s);
    }
    arrival *a = async_new(sizeof *a, ASYNC_MBARRIER, object, land_arrival);
    a->object = object;
    async_begin(&a->op);
}

uint32_t cpudev_mbarrier_pending(uint64_t word) { return unpacked(word).pending; }

/* Memory is one here: only the checker tells the proxies apart. */
void cpudev_proxy_fence(int what) { (void)what; }

/* ---- waiting ---- */

typedef struct waiting {
    async_waiter list;
    unsigned phase;
} waiting;

static void describe(const async_waiter *me, char *text, size_t size)
{
    const waiting *w = (const waiting *)me;
    const state s = unpacked(*(const uint64_t *)me->object);
    const uint32_t bytes = announced(me->object, s.phase)->bytes;
    char place[96];
    shared_place(me->object, place, sizeof place);
    int n = snprintf(text, size, "the phase with parity %u of the mbarrier at %s: %u of %u arrivals", w->phase, place,
                     s.expected - s.pending, s.expected);
    if ((s.bytes || bytes) && n < (int)size)
        snprintf(text + n, size - (size_t)n, ", %d of %u bytes have come", (int)bytes - s.bytes, bytes);
    else if (n < (int)size)
        snprintf(text + n, size - (size_t)n, " have come");
}

static int test(void *object, unsigned phase, int how)
{
    async_step();
    if (load(object).phase != phase)
        return 1;
    if (!cpudev_tls.current)
        cpudev_fork();
    cpudev_worker *w = cpudev_tls.worker;
    waiting me = {{NULL, object, cpudev_tid(), describe}, phase};
    async_waits(&me.list);
    w->tries++;
    bool passed = false;
    while (wait_try(w) && !(passed = load(object).phase != phase) && (how & CPUDEV_MBARRIER_SUSPEND))
        ;
    w->tries--;
    async_waits_no_more(&me.list);
    if (passed)
        w->progress++; /* what it does next may be what another waits for */
    return passed;
}

int cpudev_mbarrier_test(void *object, uint64_t state, int how) { return test(object, state & 1, how); }

int cpudev_mbarrier_test_parity(void *object, uint32_t parity, int how) { return test(object, parity & 1, how); }
