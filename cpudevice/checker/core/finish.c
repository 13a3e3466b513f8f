/* finish.c: the end of the process, and the summary. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <signal.h>
#include <stdatomic.h>

#include "core/finish.h"
#include "race/looks.h"
#include "regions/bulk.h"
#include "counters/counters.h"
#include "core/device.h"
#include "host/errors.h"
#include "report/chinese.h"
#include "report/findings.h"
#include "host/host.h"
#include "memory/kernel_memory.h"
#include "race/shadow.h"
#include "core/tools.h"

/* Writes the findings as JSON for graders, and the last line. */
static void summary(void)
{
    const char *path = getenv("CUDA_CPU_REPORT");
    if (path && *path)
        check_write_json(path);
    check_summary();
}

static int exit_status;

/* cudaDeviceReset() frees what the program has not: those are leaks, as at the end of the process. */
void check_reset(void)
{
    if (check_tools & TOOL_MEM && !check_device_failed)
        check_alloc_leaks();
    check_heap_reset();
}

static void note_exit(int status, void *unused)
{
    (void)unused;
    exit_status = status;
}

static void at_exit(void)
{
    static _Atomic int done;
    if (atomic_exchange(&done, 1))
        return;
    check_settle_looks();
    check_host_looked();
    check_unseen_error();
    if (exit_status == 0 && !check_device_failed)
        check_unawaited();
    // A program that gave up early could not free what it had.
    if (check_tools & TOOL_MEM && !check_device_failed && (exit_status == 0 || !check_findings())) {
        check_alloc_leaks();
        check_lost_handles();
    }
    if (check_tools & TOOL_COUNTERS)
        counters_at_exit();
    if (getenv("CUDA_CPU_SHADOW")) {
        fflush(stdout);
        check_say_line("cucc --check: %zu bytes of shadow memory at most; %lu regions ran without callbacks",
                       check_shadow_bytes(), check_regions_plain());
    }
    summary();
    if (check_failed())
        _exit(99);
}

static void on_end(int status, void *unused)
{
    note_exit(status, unused);
    at_exit();
}

// Sums up the findings even where a signal ends the program on the host.
static void on_crash(int sig)
{
    static _Atomic int once;
    signal(sig, SIG_DFL);
    if (!atomic_exchange(&once, 1)) {
        summary();
        if (check_failed())
            _exit(99);
    }
    raise(sig);
}

void check_host_init(void)
{
    on_exit(on_end, NULL);
    signal(SIGABRT, on_crash);
    signal(SIGSEGV, on_crash); // the core's handler comes first and passes on what is not a kernel's
    signal(SIGBUS, on_crash);
}
