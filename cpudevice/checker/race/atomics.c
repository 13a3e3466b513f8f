/* atomics.c: atomics, volatile accesses and fences. */
#define _GNU_SOURCE
#include <string.h>
#include <stdatomic.h>

#include "race/atomics.h"
#include "core/access.h"
#include "core/hooks.h"
#include "memory/area.h"
#include "regions/bulk.h"
#include "race/cluster.h"
#include "race/held.h"
#include "host/host.h"
#include "memory/kernel_memory.h"
#include "observe/observer.h"
#include "race/order.h"
#include "race/race.h"
#include "race/record.h"
#include "race/release.h"
#include "race/passed.h"
#include "race/results.h"
#include "core/running.h"
#include "race/shadow.h"
#include "core/tools.h"
#include "core/worker.h"

static inline void poll_note(worker *w, uintptr_t a, void *pc)
{
    if (a == w->strong.poll_a && pc == w->strong.poll_pc && w->thread == w->strong.poll_thread) {
        if (++w->strong.polls >= 2) {
            w->strong.polls = 0;
            check_resolve(w, 0, 0);
            cpudev_yield();
        }
    } else {
        w->strong.poll_a = a;
        w->strong.poll_pc = pc;
        w->strong.poll_thread = w->thread;
        w->strong.polls = 0;
        if (++w->strong.looks_around >= 1024) { /* it polls several words in turn */
            w->strong.looks_around = 0;
            check_resolve(w, 0, 0);
            cpudev_yield();
        }
    }
}

static inline void flag(const worker *w, uintptr_t a, int what)
{
    if (unlikely(check_hooks.flag != NULL))
        check_hooks.flag(a, w->thread, what);
}

/* The running block has changed a word that others may poll. */
static void changed(worker *w)
{
    w->strong.looks_around = 0;
    cpudev_turn_changed();
}

/* A volatile access of global memory, which comes after this call. */
static void held_volatile(worker *w, const check_strong *sync, unsigned bytes, int writes)
{
    check_word_access s = {.sync = sync, .bytes = bytes, .reads = !writes, .writes = writes, .later = writes};
    memcpy(&s.before, (const void *)sync->a, bytes < 8 ? bytes : 8);
    check_held_word(w, &s);
}

/* The load itself comes after the callback, and sees what is there now: no other block writes a flag before this one
 * has passed its turn on. */
static void volatile_seen(worker *w, uintptr_t a, unsigned bytes)
{
    check_strong s = {.a = a};
    check_strong_begin(w);
    if (bytes)
        held_volatile(w, &s, bytes, 0);
    check_strong_end(w, &s, 1, 0);
}

static void volatile_read(uintptr_t a, unsigned bytes, void *pc)
{
    worker *w = &check_self;
    if (!w->in_kernel || a - w->stack.lo < w->stack.bytes) {
        check_access(a, bytes, A_ATOMIC | A_VOLATILE, pc);
        if (!w->in_kernel && page_of(a))
            w->strong.late_a = a;
        return;
    }
    // A volatile read of what a volatile write behind a fence wrote is a flag.
    poll_note(w, a, pc);
    if (is_shared(w, a)) {
        struct check_area *ar = area_of(w, a);
        shared_touched(w);
        record r = ar->cells[(a - ar->lo) >> 2].w;
        if ((REC_ATOMIC(r) && REC_SEG(r) >= w->first_epoch) || check_remotely_written(w, a)) {
            check_access(a, bytes, A_ATOMIC | A_VOLATILE, pc);
            volatile_seen(w, a, 0);
        } else {
            check_access(a, bytes, A_VOLATILE, pc);
        }
        return;
    }
    check_take_turn(w);
    cpudev_turn_publishes();
    flag(w, a, FLAG_LOOK);
    check_access(a, bytes, A_ATOMIC | A_VOLATILE, pc);
    check_passed_by_volatile(w, a, bytes, pc);
    volatile_seen(w, a, bytes);
    w->strong.late_a = a; /* but the host may write it in between: that is looked at with the next access */
    w->strong.late = w->busy = 1;
    look_at_all(w);
}

static void volatile_write(uintptr_t a, unsigned bytes, void *pc)
{
    worker *w = &check_self;
    if (!w->in_kernel || a - w->stack.lo < w->stack.bytes) {
        check_access(a, bytes, A_WRITE | A_ATOMIC | A_VOLATILE, pc);
        if (!w->in_kernel && page_of(a))
            check_host_wrote_flag();
        return;
    }
    if (!is_shared(w, a)) {
        check_take_turn(w);
        flag(w, a, FLAG_STORE);
        changed(w);
        cpudev_turn_publishes();
        cpudev_turn_shown();
    }
    check_access(a, bytes, A_WRITE | A_VOLATILE | (check_has_fenced(w) || !is_shared(w, a) ? A_ATOMIC : 0), pc);
    check_strong s = {.a = a, .is_volatile = !is_shared(w, a)};
    check_strong_begin(w);
    if (s.is_volatile)
        held_volatile(w, &s, bytes, 1);
    check_strong_end(w, &s, 0, 1);
}

#define VOLATILE(n)                                                                                                    \
    void __tsan_volatile_read##n(void *a);                                                                             \
    void __tsan_volatile_read##n(void *a) { volatile_read((uintptr_t)a, n, CALLER); }                                  \
    void __tsan_volatile_write##n(void *a);                                                                            \
    void __tsan_volatile_write##n(void *a) { volatile_write((uintptr_t)a, n, CALLER); }                                \
    void __tsan_unaligned_volatile_read##n(void *a);                                                                   \
    void __tsan_unaligned_volatile_read##n(void *a) { volatile_read((uintptr_t)a, n, CALLER); }                        \
    void __tsan_unaligned_volatile_write##n(void *a);                                                                  \
    void __tsan_unaligned_volatile_write##n(void *a) { volatile_write((uintptr_t)a, n, CALLER); }

VOLATILE(1)

VOLATILE(2)

VOLATILE(4)

VOLATILE(8)

VOLATILE(16)

enum { ACQ = 1, REL = 2 };

static inline int order_bits(int mo)
{
    switch (mo & 0xffff) {
    case __ATOMIC_RELAXED: return 0;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE: return ACQ;
    case __ATOMIC_RELEASE: return REL;
    default: return ACQ | REL;
    }
}

enum { KIND_BLOCK = 1, KIND_ORDERED = 2 }; /* of cpudev_check_atomic_kind */

/* An atomic that is under way. */
typedef struct atomic {
    check_strong sync;
    int kernel; /* of a kernel's thread, on memory that others can see */
    int host;   /* of the host, on memory that kernels use */
    int asked;  /* it names its order, as those of <cuda/atomic> do */
    int looks;  /* its result is used, or it is a load */
    void *pc;
    int writes;     /* FLAG_... if it changes the word */
    unsigned bytes; /* 0: no other block sees it */
    uint64_t before[2];
} atomic;

static atomic atomic_begin(uintptr_t a, unsigned bytes, int flags, int mo, void *pc)
{
    worker *w = &check_self;
    int kind = cpudev_check_atomic_kind;
    atomic at = {.sync = {.a = a, .narrow = kind & KIND_BLOCK}};
    at.sync.acquires = (order_bits(mo) & ACQ) != 0;
    at.sync.orders = (order_bits(mo) & REL) != 0;
    at.asked = kind & KIND_ORDERED;
    if (!w->in_kernel) {
        if (!page_of(a))
            return at;
        at.host = 1;
        check_access(a, bytes, (flags & A_WRITE) | A_ATOMIC, pc);
        if (flags & A_READ_TOO)
            check_host_acquire(a);
        if (flags & A_WRITE)
            check_host_wrote_flag();
        return at;
    }
    if (a - w->stack.lo < w->stack.bytes)
        return at;
    at.kernel = 1;
    at.sync.load = flags & A_WRITE ? NULL : pc;
    if (!(flags & A_WRITE) || flags & A_READ_TOO)
        poll_note(w, a, pc);
    if (!is_shared(w, a)) {
        check_take_turn(w);
        if (at.sync.acquires || at.sync.orders)
            cpudev_turn_publishes();
        at.bytes = bytes;
        at.pc = pc;
        at.looks = !(flags & A_WRITE) || (flags & A_READ_TOO && check_result_used((uintptr_t)pc));
        at.writes = flags & A_CAS ? FLAG_COMPARE : !(flags & A_READ_TOO) || flags & A_EXCHANGE ? FLAG_STORE : FLAG_ADD;
    }
    check_access(a, bytes, flags | A_ATOMIC | (kind & KIND_BLOCK ? A_BLOCK : 0), pc);
    memcpy(at.before, (const void *)a, at.bytes);
    check_strong_begin(w);
    return at;
}

static inline void held_atomic(worker *w, const atomic *at, int read, int written)
{
    check_word_access s = {.sync = &at->sync,
                           .bytes = at->bytes,
                           .reads = read,
                           .writes = written,
                           .replaces = at->writes == FLAG_COMPARE || (at->writes == FLAG_STORE && read),
                           .adds = at->writes == FLAG_ADD,
                           .before = at->before[0],
                           .pc = at->pc};
    memcpy(&s.after, (const void *)at->sync.a, at->bytes < 8 ? at->bytes : 8);
    check_held_word(w, &s);
}

static inline void atomic_end(atomic *at, int read, int written)
{
    worker *w = &check_self;
    if (at->bytes)
        held_atomic(w, at, read, written);
    if (at->kernel)
        check_strong_end(w, &at->sync, read, written);
    if (unlikely(w->held.before_it != NULL))
        check_held_judge(w);
    const bool changes = at->bytes && written && memcmp(at->before, (const void *)at->sync.a, at->bytes);
    if (at->bytes && (changes || (at->looks && !(written && at->writes == FLAG_COMPARE))))
        flag(w, at->sync.a, changes ? at->writes : FLAG_LOOK);
    if (changes) {
        changed(w);
        if (at->sync.orders || check_has_fenced(w))
            cpudev_turn_shown();
    }
    if (at->asked && !at->sync.acquires)
        return;
    if (at->host)
        check_host_acquire(at->sync.a);
    else if (at->kernel && read && unlikely(check_host_flags))
        check_acquire_from_host(w, check_last_write(at->sync.a));
}

/* An exchange whose result nobody uses writes, and does not read. */
static int exchange_flags(const void *pc)
{
    return A_WRITE | A_EXCHANGE | (check_result_used((uintptr_t)pc) ? A_READ_TOO : 0);
}

#define ATOMICS(bits, type)                                                                                            \
    type __tsan_atomic##bits##_load(const volatile type *a, int mo);                                                   \
    type __tsan_atomic##bits##_load(const volatile type *a, int mo)                                                    \
    {                                                                                                                  \
        atomic at = atomic_begin((uintptr_t)a, sizeof *a, 0, mo, CALLER);                                              \
        type v = __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                                 \
        atomic_end(&at, 1, 0);                                                                                         \
        return v;                                                                                                      \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(volatile type *a, type v, int mo);                                                \
    void __tsan_atomic##bits##_store(volatile type *a, type v, int mo)                                                 \
    {                                                                                                                  \
        atomic at = atomic_begin((uintptr_t)a, sizeof *a, A_WRITE, mo, CALLER);                                        \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                      \
        atomic_end(&at, 0, 1);                                                                                         \
    }                                                                                                                  \
    type __tsan_atomic##bits##_exchange(volatile type *a, type v, int mo);                                             \
    type __tsan_atomic##bits##_exchange(volatile type *a, type v, int mo)                                              \
    {                                                                                                                  \
        check_exchanged = v;                                                                                           \
        atomic at = atomic_begin((uintptr_t)a, sizeof *a, exchange_flags(CALLER), mo, CALLER);                         \
        type old = __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                        \
        atomic_end(&at, 1, 1);                                                                                         \
        return old;                                                                                                    \
    }                                                                                                                  \
    RMW(bits, type, fetch_add, __atomic_fetch_add)                                                                     \
    RMW(bits, type, fetch_sub, __atomic_fetch_sub)                                                                     \
    RMW(bits, type, fetch_and, __atomic_fetch_and)                                                                     \
    RMW(bits, type, fetch_or, __atomic_fetch_or)                                                                       \
    RMW(bits, type, fetch_xor, __atomic_fetch_xor)                                                                     \
    RMW(bits, type, fetch_nand, __atomic_fetch_nand)                                                                   \
    static inline int compare_exchange_##bits(volatile type *a, type *expected, type v, int mo, void *pc)              \
    {                                                                                                                  \
        atomic at = atomic_begin((uintptr_t)a, sizeof *a, A_WRITE | A_READ_TOO | A_CAS, mo, pc);                       \
        int done = __atomic_compare_exchange_n(a, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                 \
        atomic_end(&at, 1, done);                                                                                      \
        return done;                                                                                                   \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int mo, int fmo);             \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int mo, int fmo)              \
    {                                                                                                                  \
        (void)fmo;                                                                                                     \
        return compare_exchange_##bits(a, c, v, mo, CALLER);                                                           \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int mo, int fmo);               \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int mo, int fmo)                \
    {                                                                                                                  \
        (void)fmo;                                                                                                     \
        return compare_exchange_##bits(a, c, v, mo, CALLER);                                                           \
    }                                                                                                                  \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int mo, int fmo);                \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int mo, int fmo)                 \
    {                                                                                                                  \
        (void)fmo;                                                                                                     \
        compare_exchange_##bits(a, &c, v, mo, CALLER);                                                                 \
        return c;                                                                                                      \
    }

#define RMW(bits, type, name, builtin)                                                                                 \
    type __tsan_atomic##bits##_##name(volatile type *a, type v, int mo);                                               \
    type __tsan_atomic##bits##_##name(volatile type *a, type v, int mo)                                                \
    {                                                                                                                  \
        atomic at = atomic_begin((uintptr_t)a, sizeof *a, A_WRITE | A_READ_TOO, mo, CALLER);                           \
        type old = builtin(a, v, __ATOMIC_SEQ_CST);                                                                    \
        atomic_end(&at, 1, 1);                                                                                         \
        return old;                                                                                                    \
    }

ATOMICS(8, uint8_t)

ATOMICS(16, uint16_t)

ATOMICS(32, uint32_t)

ATOMICS(64, uint64_t)

/* Of 16 bytes there are an exchange and a compare-and-swap. By gcc's older name, which it compiles to the instruction. */
typedef unsigned __int128 wide;
static wide compare_exchange_128(volatile wide *a, wide expected, wide v, int mo, void *pc)
{
    atomic at = atomic_begin((uintptr_t)a, sizeof *a, A_WRITE | A_READ_TOO | A_CAS, mo, pc);
    const wide old = __sync_val_compare_and_swap(a, expected, v);
    atomic_end(&at, 1, old == expected);
    return old;
}
wide __tsan_atomic128_compare_exchange_val(volatile wide *a, wide c, wide v, int mo, int fmo);
wide __tsan_atomic128_compare_exchange_val(volatile wide *a, wide c, wide v, int mo, int fmo)
{
    (void)fmo;
    return compare_exchange_128(a, c, v, mo, CALLER);
}
int __tsan_atomic128_compare_exchange_strong(volatile wide *a, wide *c, wide v, int mo, int fmo);
int __tsan_atomic128_compare_exchange_strong(volatile wide *a, wide *c, wide v, int mo, int fmo)
{
    (void)fmo;
    const wide old = compare_exchange_128(a, *c, v, mo, CALLER);
    const int done = old == *c;
    *c = old;
    return done;
}
wide __tsan_atomic128_exchange(volatile wide *a, wide v, int mo);
wide __tsan_atomic128_exchange(volatile wide *a, wide v, int mo)
{
    check_exchanged = (uint64_t)v;
    atomic at = atomic_begin((uintptr_t)a, sizeof *a, exchange_flags(CALLER), mo, CALLER);
    wide old = 0;
    for (wide seen; (seen = __sync_val_compare_and_swap(a, old, v)) != old;)
        old = seen;
    atomic_end(&at, 1, 1);
    return old;
}

/* ---- atomics that are no instruction of the host's: cpudev_device.h computes the new value between begin and try ----
 */

typedef struct update {
    atomic at;
    void *a;
    unsigned bytes;
} update;
static __thread update update_self;

static uint64_t word_at(const void *a, unsigned bytes)
{
    switch (bytes) {
    case 1: return __atomic_load_n((const uint8_t *)a, __ATOMIC_SEQ_CST);
    case 2: return __atomic_load_n((const uint16_t *)a, __ATOMIC_SEQ_CST);
    case 4: return __atomic_load_n((const uint32_t *)a, __ATOMIC_SEQ_CST);
    default: return __atomic_load_n((const uint64_t *)a, __ATOMIC_SEQ_CST);
    }
}

#define REPLACE(type)                                                                                                  \
    {                                                                                                                  \
        type expected = (type)*old;                                                                                    \
        if (__atomic_compare_exchange_n((type *)a, &expected, (type)v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))         \
            return 1;                                                                                                  \
        *old = expected;                                                                                               \
        return 0;                                                                                                      \
    }
static int replace(void *a, unsigned bytes, uint64_t *old, uint64_t v)
{
    switch (bytes) {
    case 1: REPLACE(uint8_t)
    case 2: REPLACE(uint16_t)
    case 4: REPLACE(uint32_t)
    default: REPLACE(uint64_t)
    }
}
#undef REPLACE

/* Tells of an atomic on the 1, 2, 4 or 8 bytes at a and returns what is there. The launch's other atomics wait until
 * cpudev_check_update_try has been called with success. */
unsigned long long cpudev_check_update_begin(void *a, unsigned bytes, int order)
{
    update *u = &update_self;
    *u = (update){atomic_begin((uintptr_t)a, bytes, A_WRITE | A_READ_TOO, order, CALLER), a, bytes};
    return word_at(a, bytes);
}

/* Writes v if *old is there still, and returns 1; else *old becomes what the host or another launch wrote meanwhile. */
int cpudev_check_update_try(unsigned long long v, unsigned long long *old)
{
    update *u = &update_self;
    uint64_t seen = *old;
    int done = replace(u->a, u->bytes, &seen, v);
    *old = seen;
    if (done)
        atomic_end(&u->at, 1, 1);
    return done;
}

void check_fence(int scope)
{
    worker *w = &check_self;
    if (!w->in_kernel)
        return;
    if (scope)
        cpudev_turn_publishes();
    if (w->strong.late)
        check_acquire_late(w);
    check_fence_passed(w, FENCE_BLOCK + scope);
    if (w->held.open)
        check_held_fence(w, FENCE_BLOCK + scope);
}

void __tsan_atomic_thread_fence(int mo)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (mo != __ATOMIC_RELAXED)
        check_fence(2);
}

void __tsan_atomic_signal_fence(int mo) { (void)mo; }
