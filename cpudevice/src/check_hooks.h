// What the CPU device tells `cucc --check`, and what it asks of it.
//
// The core (streams, fibers, memory) calls through `cpudev_checker`, which is
// NULL in a plain program: one load and a branch is all a plain program pays.
// A program built with `cucc --check` links check.o, whose constructor fills
// the pointer in before main. Host-side calls happen on the thread that made
// the CUDA call, in the order of the calls; device-side calls on the worker
// that runs the block.
#ifndef CPUDEVICE_CHECK_HOOKS_H
#define CPUDEVICE_CHECK_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The runtime call this host thread is in. Every API function of the core
// fills it at its entry (outermost call only: an API function that calls
// another must not overwrite it).
typedef struct cpudev_api_site {
	const char *name; // "cudaMemcpy"; NULL outside the runtime
	void *caller;     // __builtin_return_address(0) of the API function
	const char *why;  // set by the core when it fails: the reason in words
} cpudev_api_site;
extern __thread cpudev_api_site cpudev_api;

enum { // where memory lives
	CPUDEV_MEM_DEVICE,  // cudaMalloc, cudaMallocAsync, cudaMallocPitch ...
	CPUDEV_MEM_MANAGED, // cudaMallocManaged
	CPUDEV_MEM_PINNED,  // cudaMallocHost, cudaHostAlloc
	CPUDEV_MEM_HEAP     // malloc/new in a kernel
};

enum { CPUDEV_OP_KERNEL, CPUDEV_OP_COPY, CPUDEV_OP_SET, CPUDEV_OP_HOSTFN, CPUDEV_OP_ALLOC, CPUDEV_OP_FREE };

// A piece of work put on a stream. For 1-D copies and sets rows = 1.
typedef struct cpudev_op_desc {
	int kind;
	uint64_t stream; // id; 0 = the legacy default stream
	// kernel
	const char *name;
	const void *function; // host address of the kernel
	const char *file;     // and where it is written
	int line;
	uint32_t grid[3], block[3];
	size_t dynamic_smem, static_smem;
	int cooperative;
	// copy, set: `rows` rows of `bytes`, `dpitch`/`spitch` apart
	void *dst;
	const void *src;
	size_t bytes, rows, dpitch, spitch, slices, dslice, sslice;
	int copy_kind; // cudaMemcpyKind as the caller gave it
	int async;     // the call may return before the work is done
	// launched by a kernel
	void *parent;              // what op_enqueue returned for that kernel; else NULL
	const void *nested_stream; // whose work comes in its order; NULL: in no order
	int tail;                  // after the parent and all else that it launched
} cpudev_op_desc;

typedef struct cpudev_shared_var {
	const char *name; // as written by the student
	uint32_t offset, size;
} cpudev_shared_var;

typedef struct cpudev_block_info {
	void *op;              // what op_enqueue returned for this launch
	uint32_t block[3];     // blockIdx
	uint64_t linear_block; // x fastest
	uint32_t threads;      // threads in the block
	uint8_t *shared;       // the arena: static variables, then dynamic
	size_t shared_bytes;   // all of the arena that may be touched, gaps included
	size_t dynamic_offset; // where extern __shared__ starts
	size_t dynamic_bytes;
	const void *args;      // the launch's arguments, which each thread copies
	size_t args_bytes;
} cpudev_block_info;

enum { // device-side mistakes the core itself sees; the checker words them
	CPUDEV_SYNC_DIFFERENT_BARRIERS, // threads of one block stand at different barriers
	CPUDEV_SYNC_EXITED,             // a barrier released while others had left the kernel
	CPUDEV_SYNC_MASK_SELF,          // caller is not in its own mask
	CPUDEV_SYNC_MASK_EXITED,        // mask names a lane that has left the kernel (or never was)
	CPUDEV_SYNC_SHFL_INACTIVE,      // shuffle reads a lane outside the mask
	CPUDEV_SYNC_MASK_MISMATCH,      // lanes that meet gave different masks
	CPUDEV_SYNC_DEADLOCK,           // every live fiber of the block is blocked
	CPUDEV_SYNC_ENDLESS,            // watchdog: no progress for N seconds
	CPUDEV_SYNC_ASSERT,             // device assert / __trap
	CPUDEV_SYNC_FAULT,              // the CPU refused an access that no callback saw
	CPUDEV_SYNC_GRID,               // grid.sync() without a cooperative launch
	CPUDEV_SYNC_GRID_STUCK,         // blocks have left the kernel while others wait at a grid barrier
	CPUDEV_SYNC_STACK               // a fiber ran into its stack's guard page
};

typedef struct cpudev_waiter { // one blocked fiber, for DEADLOCK/DIFFERENT/EXITED
	uint32_t thread;
	int state;      // 0 runnable/spinning, 1 at __syncthreads, 2 at a warp primitive, 3 exited, 4 at grid sync
	void *pc;       // return address of the barrier or primitive (NULL if exited)
	uint32_t mask;  // for a warp primitive
	uint32_t place; // of __syncthreads(): line and column in one, 0 if unknown
} cpudev_waiter;

typedef struct cpudev_check_ops {
	// ---- host side: memory --------------------------------------------
	void *(*alloc)(int kind, size_t bytes);      // NULL: out of memory. 256-aligned; red zones are mine
	// Before the core frees p. 0: go on (memory is released by me); else a
	// cudaError_t to return (the finding is already written).
	int (*free)(int kind, void *p);
	// Base and size of the live allocation p lies in; 0 if none.
	int (*find)(const void *p, void **base, size_t *bytes, int *kind);
	int (*kind_of)(const void *p); // CPUDEV_MEM_* of the allocation at or near p, freed or not; -1: none of ours
	void (*reset)(void);           // cudaDeviceReset: all memory is gone
	// cudaHostRegister / Unregister
	void (*register_host)(void *p, size_t bytes, int on);
	// Instances of __device__, __constant__, __managed__ (static constructors).
	void (*variable)(const char *name, void *p, size_t bytes, int kind); // kind: 'd', 'c', 'm'

	// ---- host side: order ---------------------------------------------
	// Before work is queued. Checks the arguments of copies and sets (bounds,
	// freed memory, wrong side, wrong kind); *error != 0: do not queue, return it.
	void *(*op_enqueue)(const cpudev_op_desc *d, int *error);
	int (*copy_args)(const cpudev_op_desc *d); // before anything is queued: 0, or the error to return
	void (*launch_args)(const void *args, size_t bytes); // before a kernel is queued
	void (*op_begin)(void *op); // on the worker, before the work
	void (*op_end)(void *op);   // on the worker, after the work
	void (*stream_create)(uint64_t stream, int nonblocking);
	void (*stream_destroy)(uint64_t stream);
	void (*stream_sync)(uint64_t stream);  // it returned: also a query that said success
	void (*device_sync)(void);
	void (*event_record)(const void *event, uint64_t stream);
	void (*event_sync)(const void *event); // it returned: also a query that said success
	void (*stream_wait)(uint64_t stream, const void *event);
	void (*event_destroy)(const void *event);
	void (*nested_event)(void *parent); // a kernel makes a stream of its own wait for another
	void (*event_elapsed)(const void *event); // its time is asked for
	void (*symbol_address)(const void *p);    // cudaGetSymbolAddress has given p out
	void (*set_value)(int value);             // of a memset
	// Every API call, at its end, with its status; also the ones that succeed.
	// `why` is in cpudev_api. Not for NotReady answers of queries.
	void (*api_done)(int status);
	// The error state was looked at (GetLastError, Peek) and held `status`.
	void (*error_seen)(int status);
	void (*launch_failed)(const char *kernel, int status); // a launch set the error state
	void (*at_exit)(void); // after the core has drained its streams: leaks, unseen errors

	// ---- device side ---------------------------------------------------
	void (*block_begin)(const cpudev_block_info *b, const cpudev_shared_var *vars, int count);
	void (*block_end)(void);
	// From now on this OS thread runs thread `linear` of its block, on the
	// stack [lo, lo + bytes). Called on every switch between fibers, and
	// before each plain call.
	void (*thread_now)(uint32_t linear, void *lo, size_t bytes);
	void (*thread_exit)(uint32_t linear);
	// The block's threads run in loops on this stack: the program itself sets
	// cpudev_check_thread.
	void (*loop_begin)(void *lo, size_t bytes);
	void (*barrier)(void);                        // the block's barrier has just released (once a barrier)
	void (*syncwarp)(uint32_t warp, uint32_t mask); // __syncwarp, tile.sync(): just released (once, not per lane)
	void (*grid_sync)(void);                      // this block has passed a grid barrier (once a block)
	void (*fence)(int scope);                     // 0 block, 1 device, 2 system: called by the running thread
	// Shared variables met while the block runs (templates, file scope): may come late.
	void (*shared_variable)(const char *name, void *p, size_t bytes);
	// A sync mistake. `pc` = the return address of the primitive at fault, in
	// the thread that is running. The checker reports; the core then decides.
	void (*sync_error)(int what, void *pc, uint32_t thread, uint32_t mask, const cpudev_waiter *w, int count);
} cpudev_check_ops;

extern const cpudev_check_ops *cpudev_checker;

// The running thread of the block, which loops over the threads set themselves.
extern __thread uint32_t cpudev_check_thread;

// The checker's wish, implemented by the core: leave the kernel with this
// CUDA thread at once (as after a fatal fault); its barriers count it as
// exited without any further finding. Does not return.
void cpudev_thread_kill(void) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
