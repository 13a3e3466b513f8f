/* thread_exit.c: a thread that leaves its kernel from within: PTX's exit ("Control Flow Instructions: exit").
 *
 * A thread that runs on the worker's own stack leaves by a jump. To prepare it takes longer than a short thread runs, so
 * that is done only in a program that has an exit: cpudev_ptx/warp.h has it call cpudev_threads_exit(). */
#include <stdatomic.h>
#include <stdlib.h>

#include "stream/command.h"
#include "cpudevice.h"
#include "launch/kernel_info.h"
#include "device/message.h"
#include "observe/observer.h"
#include "exec/thread.h"

static const cpudev_observer exits = {.ends_threads = true};

bool cpudev_threads_exit(void)
{
    static atomic_flag subscribed = ATOMIC_FLAG_INIT; /* each object of a program calls */
    if (!atomic_flag_test_and_set(&subscribed))
        observer_add(&exits);
    return true;
}

void cpudev_thread_exit(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w || w->work->run_block) {
        message("internal error: a thread ends where it cannot: %s",
                w ? kernel_display(w->command->kernel) : "the host");
        abort();
    }
    cpudev_thread_kill();
}
