/* call.c: the beginning and end of each call of the runtime. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/call.h"
#include "device/hooks.h"
#include "device/clock.h"
#include "cpudevice.h"
#include "launch/nested.h"
#include "observe/observers.h"

static __thread int api_depth;

static void tell_call(const char *name, const void *caller)
{
    if (!cpudev_api.name)
        cpudev_api = (cpudev_call){.name = name, .caller = (void *)caller};
}

static void tell_call_end(const api_call *call)
{
    cpudev_event e = {.kind = CPUDEV_EVENT_API,
                      .name = call->name,
                      .correlation = current_correlation,
                      .start = call->start,
                      .status = (int)call->status};
    if (call->start) {
        e.end = now_ticks();
        e.thread = os_thread_id();
    }
    TELL(call_end, (int)call->status, call->start ? &e : NULL);
    cpudev_api.name = NULL;
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
    static __thread bool calling; /* the first call starts a profiler, which may call CUDA */
    api_call c = {name, 0, cudaSuccess, false};
    if (__builtin_expect(!atomic_load_explicit(&called, memory_order_relaxed), 0) && !calling) {
        calling = true;
        runtime_hooks.first_call();
        calling = false;
        atomic_store(&called, true);
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

void tell_result(void *p, size_t bytes)
{
    if (observed.any && p && !cpudev_on_device())
        TELL(result_at, p, bytes);
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
