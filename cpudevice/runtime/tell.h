/* tell.h: the runtime's side of observer.h: who is told, and the runtime's state in an observer's terms.
 *
 * TELL(member, arguments) calls that member of every observer; ASK(member) is the first observer that has it, or NULL.
 * The functions are for events whose arguments take work to put together. */
#ifndef TELL_H
#define TELL_H

#include "observer.h"
#include "runtime.h"

/* All observers, in the order of their numbers; NULL behind the last. */
extern const cpudev_observer *cpudev_observers[CPUDEV_OBSERVERS + 1];

/* What they want, taken together. */
extern struct observed {
    bool any;
    bool threads; /* some observer follows the threads of blocks */
    bool timed, sees_host_access, reports_deadlock, waits_at_exit, ends_threads;
    size_t stack_bytes;
    double watchdog_seconds;
} observed;

#define TELL(member, ...)                                                                                              \
    do                                                                                                                 \
        for (const cpudev_observer *const *o_ = cpudev_observers; __builtin_expect(*o_ != NULL, 0); o_++)              \
            if ((*o_)->member)                                                                                         \
                (*o_)->member(__VA_ARGS__);                                                                            \
    while (0)

#define ASK(member)                                                                                                    \
    ({                                                                                                                 \
        const cpudev_observer *const *o_ = cpudev_observers;                                                           \
        while (__builtin_expect(*o_ != NULL, 0) && !(*o_)->member)                                                     \
            o_++;                                                                                                      \
        *o_;                                                                                                           \
    })

/* May a stream's, event's or texture's handle be looked at? */
static inline bool handle_ok(const void *p)
{
    const cpudev_observer *o = ASK(readable);
    return !o || o->readable(p);
}

/* ---- runtime calls ---- */

void tell_call(const char *name, const void *caller);
void tell_call_end(const api_call *call);
void tell_nested_call(const char *name, const void *caller); /* by a thread of a kernel */
void tell_nested_call_end(int status);
void tell_nested_refused(const char *name, const void *caller); /* no kernel may make this call */
cudaError_t ask_copy(const cpudev_op_desc *d);
static inline void tell_why(const char *text)
{
    if (observed.any)
        cpudev_api.why = text;
}

/* ---- work on streams ---- */

void tell_queue(command *c, struct CUstream_st *s);
void tell_done(command *c); /* by the thread that ran its last unit, without the scheduler's lock */
void tell_async_alloc(void *p, size_t bytes, struct CUstream_st *s);
void tell_stream_wait(struct CUstream_st *s, const void *event);
void tell_event_record(const void *event, struct CUstream_st *s);

/* ---- blocks and threads; only where observed.threads ---- */

void tell_block(cpudev_worker *w, command *c);
void tell_loop(void);
void tell_thread(void);             /* the running thread begins */
void tell_turn(cpudev_fiber *to);   /* the worker goes on with this fiber */
void tell_arrive(const void *site); /* the running thread has come to the block's barrier */
void tell_barrier(void);
void tell_wait(const void *site);                    /* the running thread waits in a way of its own */
void tell_site(const void *site, const void *place); /* the barrier that is about to come stands here */
void tell_lane(const cpudev_request *r);
void tell_meet(cpudev_worker *w, unsigned warp, unsigned lanes, int op);

void tell_deadlock(cpudev_worker *w);
void tell_mistake(int what, const void *pc, unsigned mask); /* by the running thread */
void tell_fault(bool stack, const void *context);           /* `context` is the signal's ucontext_t */
unsigned running_thread(void); /* its linear index; of a loop over threads the observer knows it */

#endif
