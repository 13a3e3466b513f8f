/* hooks_check.h: the runtime's events, told to the checker (check_hooks.h).  hooks_check.c has the longer ones. */
#ifndef HOOKS_CHECK_H
#define HOOKS_CHECK_H
#include "check_hooks.h"

void hook_switch(cpudev_fiber *to);
void hook_thread_begin(void);
void hook_thread_end(void);
void hook_loop_begin(void);
#define hook_loop_end() cpudev_checker->thread_exit(cpudev_check_thread)
void hook_block_begin(cpudev_worker *w, command *c);
void hook_block_end(cpudev_worker *w, command *c);
void hook_abort(cpudev_worker *w);
void hook_barrier_site(const void *site);
void hook_barrier_at(const void *site, const void *place);
void hook_arrive_at(const void *site);
void hook_barrier_done(void);
void hook_deadlock(cpudev_worker *w);
void hook_endless(const void *pc);
void hook_assert(const void *site);
void hook_fault(bool stack, const void *context);
void hook_grid_misused(const void *site);
void hook_grid_stuck(unsigned left, const void *site);
void hook_wait_site(const void *site);
#define hook_handle_made(what, handle, place) check_handle_made(what, handle, place)
#define hook_handle_gone(handle) check_handle_gone(handle)
void check_handle_made(const char *what, const void *handle, void *place);
void check_handle_gone(const void *handle);
bool hook_handle_ok(const void *p);
void hook_no_texture(const void *site);
void hook_texel(const void *p, unsigned bytes, const void *site);
void hook_tile(const void *p, size_t row_bytes, const void *site);
void hook_warp_arrive(cpudev_worker *w, cpudev_request *r);
void hook_warp_meet(cpudev_worker *w, unsigned warp, unsigned lanes, int op);
void hook_api(const char *name, const void *caller);
void hook_api_done(int status);
void hook_nested(const char *name, const void *caller);
void hook_nested_done(int status);
void hook_nested_refused(const char *name, const void *caller);
void *check_nested_malloc(size_t bytes);
int check_nested_free(void *p);
cudaError_t hook_queue(command *c, struct CUstream_st *s);
cudaError_t hook_copy_args(void *dst, size_t dpitch, size_t dslice, const void *src, size_t spitch, size_t sslice, size_t width, size_t height, size_t depth, int kind);
cudaError_t hook_set_args(void *dst, size_t pitch, size_t slice, size_t width, size_t height, size_t depth);
void hook_async_alloc(void *p, size_t bytes, struct CUstream_st *s);
void hook_op_begin(command *c);
void hook_op_end(command *c);

#define hook_fork(worker) ((void)0)
/* A barrier's site is the address it returns to; __syncthreads_or() and its like set it before they call on. */
#define hook_barrier_arrive() hook_arrive_at(__builtin_return_address(0))
#define hook_grid_sync(worker) cpudev_checker->grid_sync()
#define hook_error_seen(error) cpudev_checker->error_seen(error)
#define hook_fence(scope) cpudev_checker->fence(scope)
#define hook_device_sync() cpudev_checker->device_sync()
#define hook_stream_sync(s) cpudev_checker->stream_sync((s)->id)
#define hook_stream_create(s) cpudev_checker->stream_create((s)->id, ((s)->flags & cudaStreamNonBlocking) != 0)
#define hook_stream_destroy(s) cpudev_checker->stream_destroy((s)->id)
#define hook_stream_wait(s, event) ((s)->grid ? cpudev_checker->nested_event((s)->grid->check) : cpudev_checker->stream_wait((s)->id, event))
#define hook_event_record(event, s) ((s)->grid ? (void)0 : cpudev_checker->event_record(event, (s)->id))
#define hook_event_sync(event) cpudev_checker->event_sync(event)
#define hook_event_destroy(event) cpudev_checker->event_destroy(event)
#define hook_event_elapsed(start, end) (cpudev_checker->event_elapsed(start), cpudev_checker->event_elapsed(end))
#define hook_register_host(p, bytes, on) cpudev_checker->register_host(p, bytes, on)
#define hook_symbol_address(p) cpudev_checker->symbol_address(p)
#define hook_set_value(value) cpudev_checker->set_value(value)
#define hook_why(text) (cpudev_api.why = (text))
#define hook_launch_failed(name, status) cpudev_checker->launch_failed(name, status)
#endif
