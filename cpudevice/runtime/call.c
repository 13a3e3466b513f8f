/* call.c: the beginning and end of each call of the API. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"
#include "tell.h"

__thread uint32_t current_correlation;

static __thread int api_depth;

uint32_t os_thread_id(void)
{
    static __thread uint32_t id;
    if (!id)
        id = (uint32_t)syscall(SYS_gettid);
    return id;
}

/* A number nobody else gets: each thread takes 4096 of them at a time, for an atomic addition costs as much as all else
 * that an event does. */
static uint32_t next_correlation(void)
{
    static _Atomic uint32_t taken;
    static __thread uint32_t last;
    if (last % 4096 == 0)
        last = atomic_fetch_add(&taken, 4096);
    return ++last;
}

static api_call api_enter(const char *name)
{
    static _Atomic bool called;
    api_call c = {name, 0, cudaSuccess, false};
    if (__builtin_expect(!atomic_load_explicit(&called, memory_order_relaxed), 0)) {
        atomic_store(&called, true);
        start_for_injection(); /* a profiler is to see the first call too */
    }
    if (api_depth++ == 0 && observed.timed) {
        current_correlation = next_correlation();
        c.start = now_ticks();
    }
    return c;
}

api_call api_enter_from(const char *name, const void *caller)
{
    if (__builtin_expect(cpudev_on_device(), 0)) {
        nested_enter(name, caller);
        return (api_call){name, 0, cudaSuccess, true};
    }
    if (observed.any)
        tell_call(name, caller);
    return api_enter(name);
}

void api_leave(api_call *c)
{
    if (!c->name)
        return;
    if (c->nested) {
        nested_leave((int)c->status);
        return;
    }
    if (--api_depth)
        return;
    if (observed.any)
        tell_call_end(c);
    current_correlation = 0;
}
