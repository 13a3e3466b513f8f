// Shared by the files of `cucc --check`: the tools, findings, and what the
// checker knows about the thread, the operation and the memory at hand.
#ifndef CPUDEVICE_CHECK_INTERNAL_H
#define CPUDEVICE_CHECK_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include "observer.h"

extern __thread uint32_t cpudev_check_thread; // the running thread; loops over threads set it themselves
extern int check_observer;                    // the checker's number

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum { TOOL_MEM = 1, TOOL_RACE = 2, TOOL_INIT = 4, TOOL_SYNC = 8, TOOL_HOST = 16, TOOL_COUNTERS = 32 };
extern unsigned check_tools; // CUDA_CPU_TOOLS

// ---- operations and their order (check_host.c) ---------------------------

enum { OP_HOST = 100 }; // the host itself, as the author of an access

typedef struct check_op {
	uint32_t id;
	int kind;        // CPUDEV_OP_*
	uint32_t stream; // dense index
	uint32_t index;  // how many operations the stream had before, plus one
	uint32_t *clock; // per stream: the last operation that is over before this one
	uint32_t clocks;
	uint32_t host_clock; // host accesses up to this clock come before
	int ordered_after_all;
	uint32_t floor_at_issue;
	char *name; // kernel
	void *caller;
	cpudev_op_desc d;
	uint64_t grid_blocks;
	_Atomic uint32_t releases; // the operation's clock of releases (fence + flag)
	struct check_block_sync **sync;
	int cs_lock;
	int wrong_mask;
	int host_saw; // the host has read a flag that it wrote behind a fence
	// Launched by a kernel: by which thread of it, when, and what that thread knew of the others.
	struct check_op *parent;
	uint32_t depth, launches; // of this operation's own kernel, so far
	int events;               // its kernel made streams wait for each other
	int knows_blocks;
	uint32_t launch_block, launch_thread, launch_epoch, launch_barrier, launch_grid;
	int killed; // a fatal finding was written: later ones of this launch are consequences
} check_op;

check_op *check_op_by_id(uint32_t id); // NULL: long over
// Is operation `a` over before `b` starts, by the program's own ordering?
int check_op_before(uint32_t a, const check_op *b);
// The operation that the kernel of `a` launched and that led to `b`; NULL if b does not come from a.
const check_op *check_launched(uint32_t a, const check_op *b);
void check_launch_place(check_op *op);                      // by the running thread
void check_nested_args(const void *args, size_t bytes);     // of its launch
// Has the host waited for operation `a`? `host_clock` of an access: order of b after it.
int check_op_before_host(uint32_t a);
check_op *check_pending_copy(uintptr_t a, const check_op *op);
uint32_t check_host_clock(void);
void check_host_tick(void); // what the host writes from here on comes later
uint32_t check_global_floor(void);
uint32_t check_op_floor(check_op *op); // segments below it are ordered before op

// ---- segments: stretches of one block between two synchronisations -------

typedef struct check_seg {
	uint32_t op;    // 0: the host
	uint32_t block; // host: the host clock
	uint32_t epoch; // of the block
	uint32_t grid;  // grid barriers passed
} check_seg;
uint32_t check_seg_new(check_seg s);
check_seg *check_seg_get(uint32_t id);
uint32_t check_seg_next(void);
void check_seg_free_below(uint32_t floor);
uint32_t check_first_host_seg_after(uint32_t host_clock);

// ---- memory ---------------------------------------------------------------

typedef struct check_alloc {
	uintptr_t base;
	size_t bytes;
	int kind;
	int freed;
	uint32_t number;
	void *alloc_pc, *free_pc;
	const char *alloc_name, *free_name; // "cudaMalloc"
} check_alloc;

// Host memory of cudaHostRegister; NULL if a lies in none, or beyond its end by `slack` or more.
typedef struct check_registered { uintptr_t p; size_t bytes; void *caller, *pages; } check_registered;
check_registered *check_registered_at(uintptr_t a, size_t slack);

// The allocation p lies in or next to; *offset is p - base (may be negative).
check_alloc *check_alloc_near(const void *p, long *offset);
int check_is_heap(const void *p);

enum { CHECK_RANGE_OK, CHECK_RANGE_OVERRUN, CHECK_RANGE_FREED, CHECK_RANGE_UNKNOWN };
// For copies and sets at the time of the call.
int check_range(const void *p, size_t bytes, check_alloc **a, long *offset);
typedef struct check_variable { const char *name; uintptr_t p; size_t bytes; int kind, address_known; } check_variable; // _known: cudaGetSymbolAddress gave it out
check_variable *check_variable_at(const void *p, size_t slack);
size_t check_uninitialised(const void *p, size_t bytes, size_t *first);
void check_touch_op(check_op *op, const void *p, size_t bytes, int write); // a copy's or set's access
void check_copy_init(void *dst, const void *src, size_t bytes);
void check_alloc_leaks(void);
// A stream or event is about to be put into the variable at `place`; or is destroyed.
void check_handle_made(const char *what, const void *handle, void *place);
void check_handle_gone(const void *handle);
void check_note_vtables(const void *p, size_t bytes); // the host is about to hand this to the device
size_t check_shadow_bytes(void);
unsigned long check_regions_plain(void);

// ---- findings (check_report.c) ---------------------------------------------

typedef struct check_place { // one access, or one call
	void *pc;
	int device;      // block and thread are meant
	uint32_t block[3], thread[3];
	int has_thread;
	char what[256];  // "writes 4 bytes of ..."
} check_place;

typedef struct check_finding {
	int tool;
	const char *kind;     // "out-of-bounds"
	const char *key;      // what check_seen() asks for, if not the kind
	char title[512];
	char kernel[192];
	check_place at, other;
	int has_other;
	char object[256];     // "d_x, 4000 bytes, cudaMalloc at add.cu:12"
	char note[256];
	const char *cause;
	void *launch_pc;
	const char *file; int line; // instead of at.pc
	int file_if_none;           // only if that is in no line of the student's
} check_finding;

// 1 if this is the first of its kind at this place, and it was written.
int check_report(check_finding *f);
// Cheap early test: has this (kind, pc) been reported? Counts it if so.
int check_seen(const char *kind, void *pc);
int check_findings(void);
void check_summary(void);
// "add.cu:12" for a return address; "" where nothing is known.
const char *check_line(void *pc);
int check_same_line(void *a, void *b);
// Does the line of pc name a type whose 16 bytes lie at a multiple of 16, or its file, which has no structs?
int check_names_wide(void *pc);
// The name the student gave the first (nth) argument of a call on the line of pc.
int check_argument(void *pc, const char *function, int nth, char *out, size_t bytes);
void check_describe_alloc(const check_alloc *a, char *out, size_t bytes);
const char *check_kernel_name(const char *mangled, char *out, size_t bytes);

// ---- what the running OS thread does (check.c) ------------------------------

struct check_area { // shared memory: static variables in TLS, or the dynamic arena
	uintptr_t lo;
	size_t bytes;
	uint8_t *owner;       // per byte: 0 nothing known, 1..253 variable, 254 dynamic, 255 red zone
	struct check_cell *cells;
	struct check_byte_cell *byte_cells;
};
typedef struct check_release { uint32_t epoch, thread, at, wide; } check_release; // wide: for other blocks too
typedef struct check_block_sync { check_release *list; uint32_t count, capacity; } check_block_sync;

void check_where(check_place *p, void *pc);
void check_here(check_finding *f, int tool, const char *kind, void *pc); // begins one of the running thread's
int cpudev_on_device(void);

// ---- counters.c -------------------------------------------------------------
void counters_block_begin(check_op *op, uint32_t threads);
void counters_block_end(void);
void counters_barrier(void);
void counters_access(uint32_t thread, uintptr_t a, unsigned bytes, int write, int atomic, int shared, void *pc);
// One instruction of each warp of the block: the lanes' addresses, 0 for none. It counts once counters_rows_done(1) says so.
void counters_row(const unsigned long *at, uint32_t threads, unsigned bytes, int write, void *pc);
void counters_rows_done(int keep);
// What is counted from the first call (end = 0) to the second, of shared memory; and the same once more.
typedef struct counters_delta counters_delta;
int counters_record(counters_delta **out, int end);
void counters_replay(const counters_delta *d, int n);
void counters_op_begin(check_op *op);
void counters_op_end(check_op *op);
void counters_at_exit(void);

int check_readable(const void *p);
void check_misuse(int tool, const char *kind, const char *title, const char *cause, void *pc); // by the running thread of a kernel
void check_touch_at(const void *p, size_t bytes, void *pc); // a read by the running thread
long check_host_room(const void *p, size_t *bytes, void **freed_at); // freed_at: where it was freed, if it was
int check_host_free(void *p, void *pc, void *freed_at);
void check_objects_end(void); // the copy that it was about is judged
void check_host_looked(void); // nothing follows the host's last look
void check_hostfn(check_op *op, int on); // a host function of a stream starts or ends on this thread
extern int check_device_failed; // a kernel was ended: what follows returns its error
void check_explained(void); // the runtime call under way fails for a reason that a finding has given
void check_note_host_seg(uint32_t clock, uint32_t seg);
int cpudev_errors_expected_now(void);
void check_host_init(void);
#endif
