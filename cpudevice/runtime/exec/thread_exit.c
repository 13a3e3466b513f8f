/* thread_exit.c: a thread that leaves its kernel from within: PTX's exit ("Control Flow Instructions: exit").
 *
 * A thread that runs on the worker's own stack leaves by a jump, which has to be prepared before it begins. So a
 * program that has this file in it, which is one that has an exit, subscribes an observer that wants that. */
#include <stdlib.h>

#include "stream/command.h"
#include "cpudevice.h"
#include "launch/kernel_info.h"
#include "device/message.h"
#include "observe/observer.h"
#include "exec/thread.h"

static const cpudev_observer exits = {.ends_threads = true};

__attribute__((constructor)) static void prepare(void) { observer_add(&exits); }

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
