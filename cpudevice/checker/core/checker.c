/* checker.c: the checker subscribes to the runtime. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hooks.h"
#include "race/order.h"
#include "sync/async.h"
#include "race/cluster.h"
#include "race/atomics.h"
#include "regions/bulk.h"
#include "counters/counters_units.h"
#include "core/device.h"
#include "device/device_state.h"
#include "host/errors.h"
#include "core/finish.h"
#include "host/host.h"
#include "core/layout.h"
#include "memory/kernel_memory.h"
#include "core/operation.h"
#include "core/tools.h"
#include "report/chinese.h"

#include <unistd.h>

static const cpudev_observer checker = {
    .sees_host_access = true,
    .reports_deadlock = true,
    .waits_at_exit = true,
    .ends_threads = true,
    .turns = true,
    .stack_bytes = 192 * 1024,
    .watchdog_seconds = 10,

    .call_end = check_call_end,
    .error_seen = check_error_seen,
    .launch_failed = check_launch_failed,
    .launch_args = check_launch_args,
    .symbol_address = check_symbol_address,
    .result_at = check_result_at,
    .set_value = check_set_value,
    .handle_made = check_handle_made,
    .handle_gone = check_handle_gone,

    .op_enqueue = check_op_enqueue,
    .op_begin = check_op_begin,
    .op_end = check_op_end,
    .stream_create = check_stream_create,
    .stream_destroy = check_stream_destroy,
    .stream_sync = check_stream_sync,
    .device_sync = check_device_sync,
    .event_record = check_event_record,
    .event_sync = check_event_sync,
    .event_elapsed = check_event_elapsed,
    .event_destroy = check_event_destroy,
    .stream_wait = check_stream_wait,
    .nested_wait = check_nested_wait,

    .register_memory = check_register_memory,
    .reset = check_reset,

    .block_begin = check_block_begin,
    .block_end = check_block_end,
    .cluster_left = check_cluster_left,
    .thread_now = check_thread_now,
    .thread_exit = check_thread_exit,
    .loop_begin = check_loop_begin,
    .barrier = check_barrier,
    .syncwarp = check_syncwarp,
    .grid_sync = check_grid_sync,
    .fence = check_fence,
    .mistake = check_sync_error,
    .no_texture = check_no_texture,
    .texture_memory = check_texture_memory,
    .surface_misaligned = check_surface_misaligned,
    .surface_outside = check_surface_outside,
    .texel = check_texel,
    .tile = check_tile,
    .unit = counters_unit,

    .async_new = check_async_new,
    .async_touches = check_async_touches,
    .async_holds = check_async_holds,
    .registers_fence = check_registers_fence,
    .async_layout = check_async_layout,
    .async_lands = check_async_lands,
    .async_waited = check_async_waited,
    .async_mistake = check_async_mistake,
    .async_end = check_async_end,
    .proxy_fence = check_proxy_fence,
    .point = check_point,
    .point_mistake = check_point_mistake,

    .alloc = check_heap_alloc,
    .free = check_heap_free,
    .find = check_heap_find,
    .kind_of = check_heap_kind,
    .copy_args = check_copy_args,
    .readable = check_handle_readable,
    .loop_thread = check_loop_thread,
};

/* CUDA_CPU_TOOLS: the tools named, by commas. */
static unsigned tools_named(const char *t)
{
    static const struct {
        const char *name;
        unsigned bit;
    } names[] = {{"memcheck", TOOL_MEM},
                 {"racecheck", TOOL_RACE},
                 {"initcheck", TOOL_INIT},
                 {"synccheck", TOOL_SYNC},
                 {"hostcheck", TOOL_HOST},
                 {"counters", TOOL_COUNTERS},
                 {"none", 0},
                 {"all", TOOL_MEM | TOOL_RACE | TOOL_INIT | TOOL_SYNC | TOOL_HOST}};
    unsigned bits = 0;
    while (*t) {
        size_t n = strcspn(t, ","), i;
        for (i = 0; i < sizeof names / sizeof *names; i++)
            if (strlen(names[i].name) == n && !strncmp(t, names[i].name, n))
                break;
        if (i == sizeof names / sizeof *names) {
            check_say_line("CUDA_CPU_TOOLS: unknown tool '%.*s' (memcheck, racecheck, initcheck, synccheck, hostcheck, "
                           "counters, all, none)",
                           (int)n, t);
            exit(2);
        }
        bits |= names[i].bit;
        t += n + (t[n] == ',');
    }
    return bits;
}

static void __attribute__((constructor(101))) start(void)
{
    if (access("/proc/self/maps", R_OK)) { /* where stacks lie, and the program's file, which names the lines */
        check_say_line("cucc --check: /proc is not mounted here, and nothing can be checked without it");
        exit(2);
    }
    check_variables_init();
    const char *tools = getenv("CUDA_CPU_TOOLS");
    if (tools && *tools)
        check_tools = tools_named(tools);
    const char *classes = getenv("CUDA_CPU_EXIT");
    if (classes && !check_exit_classes(classes))
        exit(2);
    check_pageable = pageable_access(false);
    const char *bulk = getenv("CUDA_CPU_BULK");
    check_bulk_off = bulk && !strcmp(bulk, "0");
    check_heap_init();
    if (check_tools & TOOL_MEM && !(check_host_shadow = check_reserve(HOST_SHADOW, PROT_READ | PROT_WRITE)))
        check_say_line("cucc --check: address space is limited (ulimit -v): the host's own arrays are not checked");
    check_host_init();
    check_hooks.free_sync = check_sync_free;
    check_observer = observer_add(&checker);
}
