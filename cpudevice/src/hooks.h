/* hooks.h: what the runtime tells the checker.  In the plain library nothing is called. */
#ifndef HOOKS_H
#define HOOKS_H
#ifdef CPUDEV_CHECK
#include "hooks_check.h"
#else
#define hook_switch(fiber) ((void)0)
#define hook_thread_begin() ((void)0)
#define hook_thread_end() ((void)0)
#define hook_loop_begin() ((void)0)
#define hook_loop_end() ((void)0)
#define hook_fork(worker) ((void)0)
#define hook_abort(worker) ((void)0)
#define hook_block_begin(worker, command) ((void)0)
#define hook_block_end(worker, command) ((void)0)
#define hook_barrier_arrive() ((void)0)
#define hook_barrier_done() ((void)0)
#define hook_deadlock(worker) ((void)0)
#define hook_warp_arrive(worker, request) ((void)0)
#define hook_warp_meet(worker, warp, lanes, op) ((void)0)
#define hook_grid_sync(worker) ((void)0)
#define hook_error_seen(error) ((void)0)
#define hook_barrier_site(site) ((void)0)
#define hook_api(name, caller) ((void)0)
#define hook_nested(name, caller) ((void)0)
#define hook_nested_done(status) ((void)0)
#define hook_nested_refused(name, caller) ((void)0)
#define hook_api_done(status) ((void)0)
#define hook_queue(command, stream) cudaSuccess
#define hook_copy_args(...) cudaSuccess
#define hook_set_args(...) cudaSuccess
#define hook_op_begin(command) ((void)0)
#define hook_op_end(command) ((void)0)
#define hook_device_sync() ((void)0)
#define hook_stream_sync(s) ((void)0)
#define hook_stream_create(s) ((void)0)
#define hook_stream_destroy(s) ((void)0)
#define hook_stream_wait(s, event) ((void)0)
#define hook_event_record(event, s) ((void)0)
#define hook_event_sync(event) ((void)0)
#define hook_event_destroy(event) ((void)0)
#define hook_event_elapsed(start, end) ((void)0)
#define hook_symbol_address(p) ((void)0)
#define hook_set_value(value) ((void)0)
#define hook_async_alloc(p, bytes, s) ((void)(s))
#define hook_register_host(p, bytes, on) ((void)0)
#define hook_grid_stuck(left, site) ((void)0)
#define hook_wait_site(site) ((void)0)
#define hook_assert(site) ((void)0)
#define hook_fault(stack, context) ((void)0)
#define hook_grid_misused(site) ((void)0)
#define hook_handle_ok(p) true
#define hook_why(text) ((void)0)
#define hook_launch_failed(name, status) ((void)0)
#define hook_fence(scope) ((void)0)
#define hook_endless(pc) ((void)0)
#define hook_handle_made(what, handle, place) ((void)0)
#define hook_handle_gone(handle) ((void)0)
#define hook_no_texture(site) ((void)(site))
#define hook_texel(p, bytes, site) ((void)(site))
#define hook_tile(p, row_bytes, site) ((void)(p), (void)(row_bytes))
#endif
#endif
