/* observers.h: the runtime's side of observer.h: how it calls the observers.
 *
 * TELL(member, arguments) calls that member of every observer; ASK(member) is the first observer that has it, or NULL.
 * An event whose arguments take work to put together has a function: tell_block.h, tell_command.h, call.h. */
#ifndef OBSERVERS_H
#define OBSERVERS_H

#include "observe/observer.h"

/* All observers, in the order of their numbers; NULL behind the last. */
extern const cpudev_observer *cpudev_observers[CPUDEV_OBSERVERS + 1];

/* What they want, taken together. */
extern struct observed {
    bool any;
    bool threads; /* some observer follows the threads of blocks */
    bool timed, sees_host_access, reports_deadlock, waits_at_exit, ends_threads, turns;
    size_t stack_bytes;
    double watchdog_seconds;
} observed;

/* The number of the runtime call that this host thread is in, which its events carry; 0 outside. */
extern __thread uint32_t current_correlation;

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

/* Why the runtime call that is under way is about to fail. */
static inline void tell_why(cpudev_reason reason, const char *text)
{
    if (!observed.any)
        return;
    cpudev_api.reason = reason;
    cpudev_api.why = text;
}

#endif
