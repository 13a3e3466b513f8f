/* memory_ops.c: a stream writes a value into memory, or waits until memory holds one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "stream/memory_ops.h"
#include "device/clock.h"
#include "stream/command.h"
#include "device/device_state.h"
#include "memory/memory.h"
#include "observe/observers.h"
#include "exec/os_thread.h"
#include "stream/scheduler.h"
#include "observe/tell_command.h"

enum { SHORTEST_NS = 20000, LONGEST_NS = 1000000 }; /* between two looks */

static command *begun, *last; /* with the scheduler's lock */

static pthread_cond_t some_begun = PTHREAD_COND_INITIALIZER;

/* `is` and `value` in the low `bytes` bytes; the numbers are those of CUstreamWaitValue_flags. */
static bool holds(const command *c)
{
    enum { GEQ, EQ, AND, NOR };
    const bool wide = c->copy.width == 8;
    const uint64_t mask = wide ? ~0ull : 0xffffffffu, value = c->copy.wide_value & mask;
    const uint64_t is = wide ? __atomic_load_n((uint64_t *)(void *)c->copy.dst, __ATOMIC_ACQUIRE)
                             : __atomic_load_n((uint32_t *)(void *)c->copy.dst, __ATOMIC_ACQUIRE);
    switch (c->copy.value) {
    case GEQ: return wide ? (int64_t)(is - value) >= 0 : (int32_t)(uint32_t)(is - value) >= 0;
    case EQ: return is == value;
    case AND: return (is & value) != 0;
    case NOR: return (~(is | value) & mask) != 0;
    default: return true;
    }
}

static bool over(command *c)
{
    if (sticky_error())
        return true;
    if (c->kind == C_WAIT_VALUE)
        return holds(c);
    if (c->copy.width == 8)
        __atomic_store_n((uint64_t *)(void *)c->copy.dst, c->copy.wide_value, __ATOMIC_SEQ_CST);
    else
        __atomic_store_n((uint32_t *)(void *)c->copy.dst, (uint32_t)c->copy.wide_value, __ATOMIC_SEQ_CST);
    return true;
}

void memory_op_begin(command *c)
{
    c->next_ready = NULL;
    if (last)
        last->next_ready = c;
    else
        begun = c;
    last = c;
    pthread_cond_signal(&some_begun);
}

/* With the scheduler's lock, which it may drop in between: what is over is taken out of the list. Returns whether any
 * was. */
static bool look(void)
{
    command *list = begun, *next;
    bool any = false;
    begun = last = NULL; /* what begins meanwhile comes into a list of its own */
    for (command *c = list; c; c = next) {
        next = c->next_ready;
        if (!c->start) {
            c->start = now_ticks();
            if (c->kind == C_WRITE_VALUE)
                TELL(op_begin, &c->op);
        }
        if (!over(c)) {
            memory_op_begin(c);
            continue;
        }
        any = true;
        c->end = now_ticks();
        if (c->kind == C_WRITE_VALUE && observed.any) {
            pthread_mutex_unlock(&scheduler.lock);
            tell_done(c);
            pthread_mutex_lock(&scheduler.lock);
        }
        command_ended(c);
    }
    return any;
}

static void *look_main(void *unused)
{
    (void)unused;
    long pause = SHORTEST_NS;
    pthread_mutex_lock(&scheduler.lock);
    for (;;) {
        while (!begun)
            pthread_cond_wait(&some_begun, &scheduler.lock);
        if (!scheduler.device_open) {
            device_memory_open();
            scheduler.device_open = true;
        }
        pause = look() ? SHORTEST_NS : pause * 2 > LONGEST_NS ? LONGEST_NS : pause * 2;
        if (begun) {
            const struct timespec nap = {0, pause};
            pthread_mutex_unlock(&scheduler.lock);
            nanosleep(&nap, NULL);
            pthread_mutex_lock(&scheduler.lock);
        }
    }
    return NULL;
}

bool memory_ops_ready(void)
{
    static bool looks; /* with the scheduler's lock */
    pthread_mutex_lock(&scheduler.lock);
    looks = looks || start_os_thread(look_main, NULL);
    const bool ready = looks;
    pthread_mutex_unlock(&scheduler.lock);
    return ready;
}
