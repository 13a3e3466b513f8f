/* hooks.h: what the runtime tells the checker.  In the plain library nothing is called. */
#ifndef HOOKS_H
#define HOOKS_H
#ifdef CPUDEV_CHECK
#include "hooks_check.h"
#else
#define hook_switch(fiber) ((void)0)
#define hook_thread_begin() ((void)0)
#define hook_thread_end() ((void)0)
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
#define hook_fence(scope) ((void)0)
#endif
#endif
