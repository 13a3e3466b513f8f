/* local.c: local arrays.
 *
 * The compiler puts a guard before and behind each local array whose address is used (cpudev_device.h: guarded_local).
 * Its words hold a value that depends on their place, the thread and the block, so that a look at the word itself says
 * whether an access hits a guard; what a thread that was ended left on its stack means nothing to the next. */
#define _GNU_SOURCE
#include <stdio.h>

#include "memory/memcheck.h"
#include "sync/async.h"
#include "report/findings.h"
#include "memory/kernel_memory.h"
#include "core/tools.h"
#include "core/worker.h"

static inline uint64_t guard_word(const worker *w, uintptr_t a)
{
    return (a ^ ((uint64_t)w->first_epoch << 32 | w->thread)) * 0x9e3779b97f4a7c15u ^ 0xb5297a4d3f84d5b5u;
}

void cpudev_check_local(void *zones, size_t bytes, void *ptr, size_t size, const char *name, int on)
{
    worker *w = &check_self;
    if (!w->in_kernel)
        return;
    uintptr_t p = (uintptr_t)ptr, end = (uintptr_t)zones + bytes, behind = (p + size + 7) & ~(uintptr_t)7;
    for (uintptr_t a = (uintptr_t)zones; a + 8 <= p; a += 8)
        *(uint64_t *)a = on ? guard_word(w, a) : 0;
    for (uintptr_t a = behind; a + 8 <= end; a += 8)
        *(uint64_t *)a = on ? guard_word(w, a) : 0;
    if (!on)
        return;
    if (w->async.registers)
        check_registers_new(w, p, size);
    w->locals.guarded = 1;
    unsigned h = behind >> 3 & 255;
    w->locals.at[h].key = behind;
    w->locals.at[h].p = p;
    w->locals.at[h].bytes = size;
    w->locals.at[h].name = name;
}

static int hits_guard(const worker *w, uintptr_t a, size_t bytes)
{
    uintptr_t word = a & ~(uintptr_t)7;
    for (; word < a + bytes; word += 8)
        if (*(const uint64_t *)word == guard_word(w, word))
            return 1;
    // An array of odd length ends inside a word.
    if (word - w->stack.lo >= w->stack.bytes || *(const uint64_t *)word != guard_word(w, word))
        return 0;
    unsigned h = word >> 3 & 255;
    return w->locals.at[h].key == word && a + bytes > w->locals.at[h].p + w->locals.at[h].bytes;
}

static __attribute__((noinline)) void out_of_bounds_local(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    w->index.on = 0;
    if (!(check_tools & TOOL_MEM) || check_seen("out-of-bounds", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "out-of-bounds", pc);
    snprintf(f.title, sizeof f.title, "out of bounds of a local array");
    for (int i = 0; i < 256; i++) {
        uintptr_t p = w->locals.at[i].p, end = p + w->locals.at[i].bytes;
        if (!w->locals.at[i].key || a + 64 < p || a >= end + 128 || (a >= p && a < end))
            continue;
        if (a < p)
            snprintf(f.title, sizeof f.title, "out of bounds: %zu bytes before the local array %s", (size_t)(p - a),
                     w->locals.at[i].name);
        else if (a == end)
            snprintf(f.title, sizeof f.title, "out of bounds: just past the end of the local array %s",
                     w->locals.at[i].name);
        else
            snprintf(f.title, sizeof f.title, "out of bounds: %zu bytes past the end of the local array %s",
                     (size_t)(a - end), w->locals.at[i].name);
        snprintf(f.object, sizeof f.object, "local array %s, %zu bytes", w->locals.at[i].name, w->locals.at[i].bytes);
        break;
    }
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
    f.cause = "a pointer does not know how long its array is: the count that goes with it is wrong, or a neighbour of "
              "the first or last element is used";
    check_report(&f);
}

static __attribute__((noinline)) void dead_local(unsigned bytes, int flags, void *pc)
{
    if (!(check_tools & TOOL_MEM) || check_seen("dead-local", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "dead-local", pc);
    snprintf(f.title, sizeof f.title, "use of a local variable of a function that has returned");
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
    f.cause = "a function returned the address of one of its own local variables: let the caller pass the memory in";
    check_report(&f);
}

void cpudev_check_slots(void *p, size_t bytes, size_t each, const char *name, int on)
{
    struct worker_slots *s = &check_self.slots;
    if (on && s->count < (int)(sizeof s->of / sizeof s->of[0])) {
        s->of[s->count].p = (uintptr_t)p;
        s->of[s->count].bytes = bytes;
        s->of[s->count].each = each;
        s->of[s->count++].name = name;
    }
    while (!on && s->count && s->of[s->count - 1].p == (uintptr_t)p)
        s->count--;
}

__attribute__((noinline)) void check_local_of_another(unsigned bytes, int flags, void *pc, const char *name, int owner)
{
    if (!(check_tools & TOOL_MEM) || check_seen("local-of-another", pc))
        return;
    check_finding f;
    check_here(&f, TOOL_MEM, "local-of-another", pc);
    if (name)
        snprintf(f.title, sizeof f.title,
                 "a thread uses a local variable of another thread: %s of thread %d of the block", name, owner);
    else
        snprintf(f.title, sizeof f.title, "a thread uses a local variable of another thread");
    snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", check_verb(flags), bytes, bytes == 1 ? "" : "s");
    f.cause = "on a GPU the address of a local variable means the running thread's own memory, whichever thread has "
              "stored it: "
              "pass values between threads through shared memory or a shuffle, not pointers to locals";
    check_report(&f);
}

static __attribute__((noinline)) void slot_access(const worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    for (int i = 0; i < w->slots.count; i++) {
        const uintptr_t off = a - w->slots.of[i].p;
        if (off < w->slots.of[i].bytes && off / w->slots.of[i].each != w->thread)
            check_local_of_another(bytes, flags, pc, w->slots.of[i].name, (int)(off / w->slots.of[i].each));
    }
}

// An access on the running thread's own stack. What lies below the frame that
// makes it is gone; callers jump here, so that this frame takes its place.
__attribute__((noinline)) void check_stack_access(worker *w, uintptr_t a, size_t bytes, int flags, void *pc)
{
    if (unlikely(a < (uintptr_t)__builtin_dwarf_cfa()))
        dead_local((unsigned)bytes, flags, pc);
    else if (unlikely(w->locals.guarded) && unlikely(hits_guard(w, a, bytes)))
        out_of_bounds_local(w, a, (unsigned)bytes, flags, pc);
    if (unlikely(w->slots.count))
        slot_access(w, a, (unsigned)bytes, flags, pc);
    if (unlikely(w->async.registers != NULL))
        check_registers_accessed(w, a, bytes, flags, pc);
}
