// The host side of `cucc --check`: what comes before what.
//
// Every operation (kernel, copy, set, host function) gets a vector clock when
// it is queued: for each stream, how many of its operations are over before
// this one starts. Stream order, events, the legacy default stream and the
// host's synchronizations are all that make order; the order in which the
// operations happened to run is never used. The host has a clock too: its own
// accesses are ordered before what it queues later, and after what it has
// waited for.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_internal.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, NOT_READY = 600 };
enum { H2H, H2D, D2H, D2D, DEFAULT };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- operations ------------------------------------------------------------------

enum { OPS_CHUNK = 4096, OPS_CHUNKS = 1 << 20 };
static check_op **op_chunk[OPS_CHUNKS];
static uint32_t op_count = 1; // ids start at 1; 0 is the host
static uint32_t op_live_from = 1;
static _Atomic uint32_t last_begun; // the largest id of an operation that has started

check_op *check_op_by_id(uint32_t id)
{
	if (!id) return NULL;
	check_op **c = __atomic_load_n(&op_chunk[id / OPS_CHUNK], __ATOMIC_ACQUIRE);
	return c ? __atomic_load_n(&c[id % OPS_CHUNK], __ATOMIC_ACQUIRE) : NULL;
}

// ---- streams -----------------------------------------------------------------------

typedef struct stream {
	uint64_t id;
	int nonblocking, destroyed;
	uint32_t last;   // operations so far
	uint32_t *clock; // what its next operation comes after
	uint32_t clocks;
} stream;
static stream *streams;
static uint32_t stream_count;
static uint32_t *host_clock_v; // what the host has waited for
static uint32_t host_clocks;
static _Atomic uint32_t host_time = 1;
static _Atomic uint32_t global_floor;

uint32_t check_host_clock(void) { return host_time; }
void check_host_tick(void) { host_time++; }
uint32_t check_global_floor(void) { return global_floor; }

static void join(uint32_t **to, uint32_t *n, const uint32_t *from, uint32_t m)
{
	if (m > *n) {
		*to = realloc(*to, m * sizeof **to);
		memset(*to + *n, 0, (m - *n) * sizeof **to);
		*n = m;
	}
	for (uint32_t i = 0; i < m; i++)
		if (from[i] > (*to)[i]) (*to)[i] = from[i];
}

static void set_clock(uint32_t **to, uint32_t *n, uint32_t i, uint32_t v)
{
	if (i >= *n) {
		*to = realloc(*to, (i + 1) * sizeof **to);
		memset(*to + *n, 0, (i + 1 - *n) * sizeof **to);
		*n = i + 1;
	}
	if (v > (*to)[i]) (*to)[i] = v;
}

static uint32_t stream_index(uint64_t id)
{
	for (uint32_t i = stream_count; i-- > 0;)
		if (streams[i].id == id) return i;
	streams = realloc(streams, (stream_count + 1) * sizeof *streams);
	streams[stream_count] = (stream){.id = id};
	return stream_count++;
}

// The legacy default stream waits for all blocking streams, and they for it.
static void legacy_join(uint32_t s)
{
	stream *me = &streams[s];
	if (me->nonblocking) return;
	for (uint32_t i = 0; i < stream_count; i++)
		if (i != s && !streams[i].nonblocking && (me->id == 0 || streams[i].id == 0)) {
			join(&me->clock, &me->clocks, streams[i].clock, streams[i].clocks);
		}
}

const check_op *check_launched(uint32_t a, const check_op *b)
{
	while (b->parent && b->parent->id != a) b = b->parent;
	return b->parent ? b : NULL;
}

// A launch is over when all that its kernel launched is, so two operations are
// in the order of those of their forebears that one kernel launched, or the host.
int check_op_before(uint32_t a, const check_op *b)
{
	const check_op *o = check_op_by_id(a);
	if (!o) return 1;
	while (o->depth > b->depth) o = o->parent;
	while (b->depth > o->depth) b = b->parent;
	if (o == b) return 0; // one has launched the other, and does not wait for it
	for (; o->parent != b->parent; b = b->parent) o = o->parent;
	if (!o->parent) return o->stream < b->clocks && b->clock[o->stream] >= o->index;
	if (o->d.tail != b->d.tail) return b->d.tail;
	return o->parent->events || (o->d.nested_stream && o->d.nested_stream == b->d.nested_stream && o->index < b->index);
}

int check_op_before_host(uint32_t a)
{
	const check_op *o = check_op_by_id(a);
	if (!o) return 1;
	while (o->parent) o = o->parent;
	pthread_mutex_lock(&lock);
	int before = o->stream < host_clocks && host_clock_v[o->stream] >= o->index;
	pthread_mutex_unlock(&lock);
	return before;
}

// ---- segments --------------------------------------------------------------------------

enum { SEG_CHUNK = 1 << 16 };
static check_seg *seg_chunk[1 << 15];
static _Atomic uint32_t seg_count = 1;
static uint32_t seg_freed; // chunks below are gone

uint32_t check_seg_next(void) { return seg_count; }

uint32_t check_seg_new(check_seg s)
{
	uint32_t id = atomic_fetch_add(&seg_count, 1) & 0x7fffffffu;
	check_seg **c = &seg_chunk[id / SEG_CHUNK];
	if (!__atomic_load_n(c, __ATOMIC_ACQUIRE)) {
		check_seg *n = calloc(SEG_CHUNK, sizeof *n), *none = NULL;
		if (!__atomic_compare_exchange_n(c, &none, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) free(n);
	}
	(*c)[id % SEG_CHUNK] = s;
	return id;
}

check_seg *check_seg_get(uint32_t id)
{
	check_seg *c = __atomic_load_n(&seg_chunk[id / SEG_CHUNK], __ATOMIC_ACQUIRE);
	return c && id >= global_floor ? &c[id % SEG_CHUNK] : NULL;
}

void check_seg_free_below(uint32_t floor)
{
	for (; (seg_freed + 1) * SEG_CHUNK <= floor; seg_freed++) {
		check_seg *c = seg_chunk[seg_freed];
		seg_chunk[seg_freed] = NULL;
		free(c);
	}
}

// Host accesses of the last clocks, so that an operation's floor stays below those it races with.
static struct { uint32_t clock, seg; } host_segs[256];
static _Atomic uint32_t host_segs_n;

uint32_t check_first_host_seg_after(uint32_t clock)
{
	uint32_t n = host_segs_n, best = ~0u;
	if (n > 256 && host_segs[n % 256].clock > clock) return 0; // forgotten: nothing is known to be ordered
	for (uint32_t i = 0; i < (n < 256 ? n : 256); i++)
		if (host_segs[i].clock > clock && host_segs[i].seg < best) best = host_segs[i].seg;
	return best;
}

void check_note_host_seg(uint32_t clock, uint32_t seg)
{
	uint32_t i = host_segs_n;
	host_segs[i % 256].clock = clock;
	host_segs[i % 256].seg = seg;
	host_segs_n = i + 1;
}

// ---- findings of the host side --------------------------------------------------------------

static check_finding host_finding(int tool, const char *kind)
{
	check_finding f;
	check_here(&f, tool, kind, cpudev_api.caller);
	return f;
}

static const char *side(int kind)
{
	switch (kind) {
	case CPUDEV_MEM_MANAGED: return "managed memory";
	case CPUDEV_MEM_PINNED: return "pinned host memory";
	}
	return "device memory";
}

// One end of a copy or a set. 1 if something is wrong with it.
static int check_end(const char *what, const void *p, size_t bytes, size_t rows, size_t pitch, int device, int host)
{
	size_t span = rows ? (rows - 1) * pitch + bytes : 0;
	check_alloc *a;
	long off;
	const char *fn = cpudev_api.name ? cpudev_api.name : "copy";
	if (!span) return 0;
	int state = check_range(p, span, &a, &off);
	if (state == CHECK_RANGE_UNKNOWN) {
		check_variable *v = check_variable_at(p, 0);
		if (v) {
			if ((uintptr_t)p + span <= v->p + v->bytes) return 0;
			check_finding f = host_finding(TOOL_MEM, "copy-overrun");
			snprintf(f.title, sizeof f.title, "%s of %zu bytes runs over the %s: %s has %zu bytes", fn, span, what, v->name, v->bytes);
			f.cause = "the count is in bytes: elements times sizeof, no more than the array holds";
			check_report(&f);
			return 1;
		}
		size_t whole = 0;
		void *freed_at = NULL;
		long room = device || !p ? -1 : check_host_room(p, &whole, &freed_at);
		if (freed_at) {
			check_finding f = host_finding(TOOL_MEM, "use-after-free");
			snprintf(f.title, sizeof f.title, "%s: the %s is host memory that was freed before", fn, what);
			f.has_other = 1;
			f.other.pc = freed_at;
			snprintf(f.other.what, sizeof f.other.what, "freed");
			f.cause = "an asynchronous copy needs its host memory until it is done: free it after the synchronize";
			check_report(&f);
			return 1;
		}
		if (room >= 0 && (size_t)room < span) {
			check_finding f = host_finding(TOOL_MEM, "copy-overrun");
			snprintf(f.title, sizeof f.title, "%s of %zu bytes runs over the %s: %zu bytes past the %zu bytes of a host array", fn, span, what, span - (size_t)room, whole);
			f.cause = "the count is in bytes: elements times sizeof, no more than the host array holds";
			check_report(&f);
			return 1;
		}
		if (!device || !p) return 0; // null is the runtime's own error
		check_finding f = host_finding(TOOL_MEM, "copy-kind");
		snprintf(f.title, sizeof f.title, "%s: the %s %p should be device memory, and is not", fn, what, p);
		f.cause = "the arguments or the kind are swapped: the order is destination, source, bytes, kind";
		check_report(&f);
		return 1;
	}
	if (state == CHECK_RANGE_OK) {
		if (host && a->kind == CPUDEV_MEM_DEVICE) {
			check_finding f = host_finding(TOOL_MEM, "copy-kind");
			snprintf(f.title, sizeof f.title, "%s: the %s should be host memory by the kind given, and is device memory", fn, what);
			check_describe_alloc(a, f.object, sizeof f.object);
			f.cause = "cudaMemcpyHostToDevice goes to the device, cudaMemcpyDeviceToHost comes from it; or let cudaMemcpyDefault decide";
			check_report(&f);
			return 1;
		}
		return 0;
	}
	check_finding f = host_finding(TOOL_MEM, state == CHECK_RANGE_FREED ? "use-after-free" : "copy-overrun");
	check_describe_alloc(a, f.object, sizeof f.object);
	if (state == CHECK_RANGE_FREED) {
		snprintf(f.title, sizeof f.title, "%s: the %s was freed before", fn, what);
		f.has_other = 1;
		f.other.pc = a->free_pc;
		snprintf(f.other.what, sizeof f.other.what, "freed");
		f.cause = "the free came too early, or the pointer is stale";
	} else {
		long past = off + (long)span - (long)a->bytes;
		snprintf(f.title, sizeof f.title, "%s of %zu bytes runs over the %s: %ld bytes %s %zu bytes of %s", fn, span, what,
			off < 0 ? -off : past, off < 0 ? "before the" : "past the", a->bytes, side(a->kind));
		f.cause = "the count is in bytes: elements times sizeof, no more than was allocated";
	}
	check_report(&f);
	return 1;
}

// ---- operations ------------------------------------------------------------------------------


// One finding says why; the call's own failure is not reported again.
static __thread void *explained;
void check_explained(void) { explained = cpudev_api.caller; }

// A __device__ or __constant__ variable's own name in a call or launch: on the host it means the host's shadow of it.
static int bare_symbol(const void *p, const char *what)
{
	check_variable *v = check_variable_at(p, 0);
	if (!v || v->kind == 'm' || v->address_known) return 0;
	check_finding f = host_finding(TOOL_MEM, "bare-symbol");
	snprintf(f.title, sizeof f.title, "%s is given the %s variable %s where it wants an address on the device", what, v->kind == 'c' ? "__constant__" : "__device__", v->name);
	snprintf(f.object, sizeof f.object, "%s variable %s, %zu bytes", v->kind == 'c' ? "__constant__" : "__device__", v->name, v->bytes);
	f.cause = "on the host the name means the host's own copy: use cudaMemcpyToSymbol or cudaMemcpyFromSymbol, or ask cudaGetSymbolAddress for the address";
	check_report(&f);
	return 1;
}

static void launch_args(const void *args, size_t bytes)
{
	if (!(check_tools & TOOL_MEM)) return;
	if (cpudev_on_device()) {
		check_nested_args(args, bytes);
		return;
	}
	check_note_vtables(args, bytes);
	for (size_t i = 0; i + sizeof(void *) <= bytes; i += sizeof(void *))
		if (bare_symbol(((void *const *)args)[i / sizeof(void *)], "a launch")) return;
}

static void symbol_address(const void *p)
{
	check_variable *v = check_variable_at(p, 0);
	if (v) v->address_known = 1;
}

static void set_value(int value)
{
	if (!(check_tools & TOOL_MEM) || (value >= -128 && value <= 255) || (unsigned)value == (value & 255u) * 0x01010101u) return;
	check_finding f = host_finding(TOOL_MEM, "memset-value");
	snprintf(f.title, sizeof f.title, "%s fills bytes: of the value %d only the lowest byte, %d, is used", cpudev_api.name ? cpudev_api.name : "cudaMemset", value, value & 255);
	f.cause = "to fill an array of int or float with a number other than 0 write a kernel";
	check_report(&f);
}

static int overlap(const cpudev_op_desc *d)
{
	uintptr_t dst = (uintptr_t)d->dst, src = (uintptr_t)d->src;
	if (d->rows != 1 || d->slices > 1 || dst == src || dst >= src + d->bytes || src >= dst + d->bytes) return 0;
	check_finding f = host_finding(TOOL_MEM, "copy-overlap");
	snprintf(f.title, sizeof f.title, "%s: source and destination overlap by %zu bytes", cpudev_api.name ? cpudev_api.name : "copy", d->bytes - (dst > src ? dst - src : src - dst));
	check_alloc *a = check_alloc_near(d->dst, NULL);
	if (a && check_is_heap(d->dst)) check_describe_alloc(a, f.object, sizeof f.object);
	f.cause = "a copy within one array promises nothing about its order, so it may read what it has just written: copy through a second array";
	check_report(&f);
	return 0; // the copy itself goes on
}

static int judge_copy(const cpudev_op_desc *d)
{
	if (!(check_tools & TOOL_MEM) || !d->bytes) return SUCCESS;
	int bad = 0, k = d->copy_kind;
	size_t rows = d->rows, dp = d->dpitch, sp = d->spitch;
	if (d->slices > 1) { // as rows of one long picture, which is what a pitched volume is
		rows = (d->slices - 1) * (dp ? d->dslice / dp : 1) + d->rows;
	}
	const char *fn = cpudev_api.name ? cpudev_api.name : "";
	if (!strstr(fn, "Symbol")) {
		bad |= bare_symbol(d->dst, fn);
		if (d->kind == CPUDEV_OP_COPY) bad |= bare_symbol(d->src, fn);
	}
	if (bad) {
		explained = cpudev_api.caller;
		return INVALID_VALUE;
	}
	if (d->kind == CPUDEV_OP_COPY) bad |= overlap(d);
	if (d->kind == CPUDEV_OP_SET) {
		bad = check_end("memory", d->dst, d->bytes, rows, dp, 1, 0);
	} else {
		bad |= check_end("destination", d->dst, d->bytes, rows, dp, k == H2D || k == D2D, k == D2H || k == H2H);
		if (d->slices > 1) rows = (d->slices - 1) * (sp ? d->sslice / sp : 1) + d->rows;
		bad |= check_end("source", d->src, d->bytes, rows, sp, k == D2H || k == D2D, k == H2D || k == H2H);
	}
	if (!bad && d->kind == CPUDEV_OP_COPY && !check_is_heap(d->src)) check_note_vtables(d->src, d->bytes);
	if (bad) explained = cpudev_api.caller;
	return bad ? INVALID_VALUE : SUCCESS;
}

static int copy_args(const cpudev_op_desc *d)
{
	int error = judge_copy(d);
	check_objects_end();
	return error;
}

static void put_in_stream(check_op *op)
{
	uint32_t s = stream_index(op->d.stream);
	legacy_join(s);
	stream *st = &streams[s];
	join(&st->clock, &st->clocks, host_clock_v, host_clocks);
	op->stream = s;
	op->index = ++st->last;
	join(&op->clock, &op->clocks, st->clock, st->clocks);
	op->ordered_after_all = 1;
	for (uint32_t i = 0; i < stream_count; i++) {
		uint32_t last = streams[i].last - (i == s);
		if (last && (i >= op->clocks || op->clock[i] < last)) op->ordered_after_all = 0;
	}
	set_clock(&st->clock, &st->clocks, s, st->last);
	op->host_clock = host_time;
	host_time++;
	// A copy that returns when it is done has been waited for, and so has all before it.
	if (!op->d.async && (op->kind == CPUDEV_OP_COPY || op->kind == CPUDEV_OP_SET)) join(&host_clock_v, &host_clocks, st->clock, st->clocks);
}

static void op_enqueue(cpudev_op *work, const cpudev_op_desc *d)
{
	check_op *op = work->of[check_observer] = calloc(1, sizeof *op);
	op->kind = d->kind;
	op->d = *d;
	op->name = d->name ? strdup(d->name) : NULL;
	op->caller = cpudev_api.caller;
	op->grid_blocks = (uint64_t)(d->grid[0] ? d->grid[0] : 1) * (d->grid[1] ? d->grid[1] : 1) * (d->grid[2] ? d->grid[2] : 1);

	pthread_mutex_lock(&lock);
	if (d->parent) {
		check_op *parent = d->parent->of[check_observer];
		op->parent = parent;
		op->depth = parent->depth + 1;
		op->index = ++parent->launches;
		op->host_clock = parent->host_clock;
		check_launch_place(op);
	} else
		put_in_stream(op);
	op->id = op_count++;
	check_op ***c = &op_chunk[op->id / OPS_CHUNK];
	if (!*c) __atomic_store_n(c, calloc(OPS_CHUNK, sizeof **c), __ATOMIC_RELEASE);
	__atomic_store_n(&(*c)[op->id % OPS_CHUNK], op, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
}

uint32_t check_op_floor(check_op *op) { return op->floor_at_issue; }

// A copy or memset that is queued, has not begun, would write to `a`, and does not come before op.
check_op *check_pending_copy(uintptr_t a, const check_op *op)
{
	for (uint32_t id = op_live_from; id < op_count; id++) {
		check_op *o = check_op_by_id(id);
		if (!o || o == op || (o->kind != CPUDEV_OP_COPY && o->kind != CPUDEV_OP_SET) || a - (uintptr_t)o->d.dst >= o->d.bytes) continue;
		if (!check_op_before(id, op) && !check_op_before(op->id, o)) return o;
	}
	return NULL;
}

static void touch(check_op *op, const void *p, size_t pitch, int write)
{
	size_t slices = op->d.slices ? op->d.slices : 1, slice = write ? op->d.dslice : op->d.sslice;
	for (size_t z = 0; z < slices; z++)
		for (size_t r = 0; r < op->d.rows; r++) check_touch_op(op, (const char *)p + z * slice + r * pitch, op->d.bytes, write);
}

// What was allocated when the copy was queued may be gone when its turn comes: a cudaFreeAsync stood before it.
static int gone(const check_op *op, const void *p, const char *what)
{
	check_alloc *a;
	if (check_range(p, op->d.bytes, &a, NULL) != CHECK_RANGE_FREED) return 0;
	if (!(check_tools & TOOL_MEM)) return 1;
	check_finding f;
	memset(&f, 0, sizeof f);
	f.tool = TOOL_MEM;
	f.kind = "use-after-free";
	f.at.pc = op->caller;
	snprintf(f.title, sizeof f.title, "%s: the %s is freed before this operation's turn comes", op->kind == CPUDEV_OP_SET ? "memset" : "copy", what);
	f.has_other = 1;
	f.other.pc = a->free_pc;
	snprintf(f.other.what, sizeof f.other.what, "freed");
	check_describe_alloc(a, f.object, sizeof f.object);
	f.cause = "cudaFreeAsync takes its place in the stream: queue it behind the last operation that uses the memory";
	check_report(&f);
	return 1;
}

static void op_begin(cpudev_op *work)
{
	check_op *op = work->of[check_observer];
	if (!op) return;
	uint32_t floor = global_floor, newest = last_begun;
	if (op->ordered_after_all && newest < op->id) {
		uint32_t next = check_seg_next(), host = check_first_host_seg_after(op->host_clock);
		floor = host < next ? host : next;
		if (floor < global_floor) floor = global_floor;
	}
	op->floor_at_issue = op->parent ? op->parent->floor_at_issue : floor;
	while (newest < op->id && !atomic_compare_exchange_weak(&last_begun, &newest, op->id)) ;
	if (op->kind == CPUDEV_OP_SET && op->d.bytes && op->d.rows && gone(op, op->d.dst, "memory")) return;
	if (op->kind == CPUDEV_OP_COPY && op->d.bytes && op->d.rows && (gone(op, op->d.src, "source") | gone(op, op->d.dst, "destination"))) return;
	if (op->kind == CPUDEV_OP_COPY && op->d.bytes && op->d.rows) {
		touch(op, op->d.src, op->d.spitch, 0);
		if (check_tools & TOOL_INIT && check_is_heap(op->d.src) && !check_is_heap(op->d.dst)) {
			size_t missing = 0, first = 0, row_first;
			check_alloc *a = check_alloc_near(op->d.src, NULL);
			for (size_t r = 0; r < op->d.rows; r++) {
				size_t m = check_uninitialised((const char *)op->d.src + r * op->d.spitch, op->d.bytes, &row_first);
				if (m && !missing) first = r * op->d.spitch + row_first;
				missing += m;
			}
			if (missing && a && (a->kind == CPUDEV_MEM_DEVICE)) {
				check_finding f;
				memset(&f, 0, sizeof f);
				f.tool = TOOL_INIT;
				f.kind = "copy-uninitialised";
				f.at.pc = op->caller;
				snprintf(f.title, sizeof f.title, "the copy to the host reads %zu bytes of device memory that nothing has written (the first at byte %zu of %zu)",
					missing, first, op->d.bytes * op->d.rows);
				check_describe_alloc(a, f.object, sizeof f.object);
				f.cause = "the kernel was not launched, failed, or covers only a part of the array (the grid is too small, or the last elements are left out)";
				check_report(&f);
			}
		}
		touch(op, op->d.dst, op->d.dpitch, 1);
		if (check_is_heap(op->d.src) && check_is_heap(op->d.dst))
			for (size_t r = 0; r < op->d.rows; r++)
				check_copy_init((char *)op->d.dst + r * op->d.dpitch, (const char *)op->d.src + r * op->d.spitch, op->d.bytes);
	}
	if (op->kind == CPUDEV_OP_SET && op->d.bytes && op->d.rows) touch(op, op->d.dst, op->d.dpitch, 1);
	// A look at the first page is enough to tell who uses the memory too early or too late.
	if (op->kind == CPUDEV_OP_ALLOC) check_touch_op(op, op->d.dst, op->d.bytes < 4096 ? op->d.bytes & ~(size_t)3 : 4096, 0);
	if (op->kind == CPUDEV_OP_FREE) {
		check_alloc *a = check_alloc_near(op->d.dst, NULL);
		if (a && !a->freed) check_touch_op(op, op->d.dst, a->bytes < 4096 ? a->bytes : 4096, 1);
	}
	if (check_tools & TOOL_COUNTERS && op->kind == CPUDEV_OP_KERNEL) counters_op_begin(op);
	if (op->kind == CPUDEV_OP_HOSTFN) {
		// What runs in the function may tell the host's threads, in ways that are not seen here.
		pthread_mutex_lock(&lock);
		join(&host_clock_v, &host_clocks, op->clock, op->clocks);
		check_host_tick();
		pthread_mutex_unlock(&lock);
		check_hostfn(op, 1);
	}
}

static void op_end(cpudev_op *work, const cpudev_event *e)
{
	(void)e;
	check_op *op = work->of[check_observer];
	if (!op) return;
	if (check_tools & TOOL_COUNTERS && op->kind == CPUDEV_OP_KERNEL) counters_op_end(op);
	if (op->kind == CPUDEV_OP_HOSTFN) check_hostfn(op, 0);
}

// Everything queued so far is over: nothing new can race with it.
static void forget(void)
{
	uint32_t floor = check_seg_next();
	global_floor = floor;
	check_seg_free_below(floor);
	for (; op_live_from < op_count; op_live_from++) {
		check_op **slot = &op_chunk[op_live_from / OPS_CHUNK][op_live_from % OPS_CHUNK], *op = *slot;
		*slot = NULL;
		if (!op) continue;
		if (op->sync)
			for (uint64_t i = 0; i < op->grid_blocks; i++)
				if (op->sync[i]) {
					free(op->sync[i]->list);
					free(op->sync[i]);
				}
		free(op->sync);
		free(op->clock);
		free(op->name);
		free(op);
	}
}

static void stream_create(uint64_t id, bool nonblocking)
{
	pthread_mutex_lock(&lock);
	uint32_t s = stream_index(id);
	streams[s].nonblocking = nonblocking;
	streams[s].destroyed = 0;
	pthread_mutex_unlock(&lock);
}

static void stream_destroy(uint64_t id)
{
	pthread_mutex_lock(&lock);
	streams[stream_index(id)].destroyed = 1;
	pthread_mutex_unlock(&lock);
}

static int all_waited(void)
{
	for (uint32_t i = 0; i < stream_count; i++)
		if (streams[i].last && (i >= host_clocks || host_clock_v[i] < streams[i].last)) return 0;
	return 1;
}

static void stream_sync(uint64_t id)
{
	pthread_mutex_lock(&lock);
	uint32_t s = stream_index(id);
	legacy_join(s);
	join(&host_clock_v, &host_clocks, streams[s].clock, streams[s].clocks);
	check_host_tick();
	if (all_waited()) forget();
	pthread_mutex_unlock(&lock);
}

static void device_sync(void)
{
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < stream_count; i++) join(&host_clock_v, &host_clocks, streams[i].clock, streams[i].clocks);
	check_host_tick();
	forget();
	pthread_mutex_unlock(&lock);
}

// ---- events ----------------------------------------------------------------------------------

typedef struct event { const void *handle; uint32_t *clock; uint32_t clocks; struct event *next; } event;
static event *events[256];

static event *event_of(const void *h)
{
	unsigned k = (unsigned)((uintptr_t)h * 2654435761u >> 16) & 255;
	for (event *e = events[k]; e; e = e->next)
		if (e->handle == h) return e;
	event *e = calloc(1, sizeof *e);
	e->handle = h;
	e->next = events[k];
	return events[k] = e;
}

static void event_record(const void *h, uint64_t id)
{
	pthread_mutex_lock(&lock);
	uint32_t s = stream_index(id);
	legacy_join(s);
	event *e = event_of(h);
	e->clocks = 0;
	join(&e->clock, &e->clocks, streams[s].clock, streams[s].clocks);
	join(&e->clock, &e->clocks, host_clock_v, host_clocks);
	check_host_tick();
	pthread_mutex_unlock(&lock);
}

static void event_sync(const void *h)
{
	pthread_mutex_lock(&lock);
	event *e = event_of(h);
	join(&host_clock_v, &host_clocks, e->clock, e->clocks);
	check_host_tick();
	if (all_waited()) forget();
	pthread_mutex_unlock(&lock);
}

static void stream_wait(uint64_t id, const void *h)
{
	pthread_mutex_lock(&lock);
	event *e = event_of(h);
	uint32_t s = stream_index(id);
	join(&streams[s].clock, &streams[s].clocks, e->clock, e->clocks);
	pthread_mutex_unlock(&lock);
}

static void nested_wait(cpudev_op *parent)
{
	((check_op *)parent->of[check_observer])->events = 1;
}

static void event_elapsed(const void *h)
{
	pthread_mutex_lock(&lock);
	event *e = event_of(h);
	int waited = 1;
	for (uint32_t i = 0; i < e->clocks; i++) waited &= !e->clock[i] || (i < host_clocks && host_clock_v[i] >= e->clock[i]);
	pthread_mutex_unlock(&lock);
	if (waited || !(check_tools & TOOL_HOST)) return;
	check_finding f = host_finding(TOOL_HOST, "event-not-waited");
	snprintf(f.title, sizeof f.title, "the time of an event is asked for before anybody has waited for it");
	f.cause = "the event is recorded when the device gets there: call cudaEventSynchronize(stop) before cudaEventElapsedTime (which otherwise fails with cudaErrorNotReady)";
	check_report(&f);
}

static void event_destroy(const void *h)
{
	pthread_mutex_lock(&lock);
	event_of(h)->clocks = 0;
	pthread_mutex_unlock(&lock);
}

// Streams and events. One that lives until the end is nobody's loss; but one
// whose variable was given another while it was alive can never be destroyed,
// unless a copy of it is kept.
typedef struct handle { const char *what; const void *handle; void *place, *pc; int lost; struct handle *next; } handle;
static handle *handles;
static unsigned handles_alive;
enum { HANDLES = 4096 }; // more are not watched

void check_handle_made(const char *what, const void *new, void *place)
{
	pthread_mutex_lock(&lock);
	for (handle *h = handles; h; h = h->next)
		if (h->place == place && h->handle == *(void **)place) h->lost = 1;
	handle *h = handles_alive < HANDLES ? malloc(sizeof *h) : NULL;
	if (h) {
		handles_alive++;
		*h = (handle){what, new, place, cpudev_api.caller, 0, handles};
		handles = h;
	}
	pthread_mutex_unlock(&lock);
}

void check_handle_gone(const void *gone)
{
	pthread_mutex_lock(&lock);
	for (handle **at = &handles; *at; at = &(*at)->next)
		if ((*at)->handle == gone) {
			handle *h = *at;
			*at = h->next;
			free(h);
			handles_alive--;
			break;
		}
	pthread_mutex_unlock(&lock);
}

static void lost_handles(void)
{
	for (const handle *h = handles; h; h = h->next) {
		if (!h->lost) continue;
		check_finding f = host_finding(TOOL_MEM, "leak");
		f.at.pc = h->pc;
		snprintf(f.title, sizeof f.title, "leak: %ss are created again and again into one variable, and never destroyed", h->what);
		f.cause = "each turn of a loop, each call of a function makes another: create it once, or destroy it in the same turn";
		check_report(&f);
	}
}

// The host frees p: 1 if a finding says why it may not.
int check_host_free(void *p, void *pc, void *freed_at)
{
	check_finding f;
	memset(&f, 0, sizeof f);
	f.tool = TOOL_MEM;
	f.at.pc = pc;
	f.has_other = 1;
	if (freed_at) {
		f.kind = "double-free";
		f.other.pc = freed_at;
		snprintf(f.title, sizeof f.title, "free of host memory that was freed before");
		snprintf(f.other.what, sizeof f.other.what, "freed here first");
		f.cause = "two owners of one pointer; set it to NULL after the free";
	} else {
		f.kind = "free-registered";
		check_registered *r = check_registered_at((uintptr_t)p, 0);
		if (!r || r->p != (uintptr_t)p) return 0;
		f.other.pc = r->caller;
		snprintf(f.title, sizeof f.title, "free of host memory that is still registered with cudaHostRegister");
		snprintf(f.other.what, sizeof f.other.what, "registered");
		f.cause = "call cudaHostUnregister before the memory goes: the driver keeps its pages pinned";
	}
	if (check_tools & TOOL_MEM) check_report(&f);
	return 1;
}

// ---- runtime calls that fail, and failures nobody looks at ----------------------------------------

extern const char *cudaGetErrorName(int) __attribute__((weak));
extern const char *cudaGetErrorString(int) __attribute__((weak));

static struct { int status; void *caller; char kernel[192]; } unseen;

static void call_end(int status, const cpudev_event *e)
{
	(void)e;
	if (status == SUCCESS || status == NOT_READY) return;
	if (!(check_tools & TOOL_MEM)) return;
	const char *fn = cpudev_api.name ? cpudev_api.name : "a runtime call";
	if (explained) {
		void *same = explained;
		explained = NULL;
		if (same == cpudev_api.caller) return;
	}
	// A kernel's failure comes back from every later call: the kernel's own finding has said it.
	if (check_findings() && status >= 700 && status <= 720) return;
	// These return the state that another call left behind.
	if (!strcmp(fn, "cudaGetLastError") || !strcmp(fn, "cudaPeekAtLastError")) return;
	check_finding f = host_finding(TOOL_MEM, "api");
	snprintf(f.title, sizeof f.title, "%s failed: %s (%d, %s)", fn, cudaGetErrorName ? cudaGetErrorName(status) : "error", status,
		cudaGetErrorString ? cudaGetErrorString(status) : "");
	if (cpudev_api.why && *cpudev_api.why) snprintf(f.note, sizeof f.note, "%s", cpudev_api.why);
	f.cause = status == 400 ? "the handle was destroyed before, or never created"
		: status == 9 ? "the launch configuration breaks a limit (at most 1024 threads a block, no zero dimension, shared memory up to the limit)"
		: status == 2 ? "more memory is asked for than there is: look at the byte count"
		: status >= 700 && status <= 720 ? "a kernel failed before: see its own message"
		: status == 800 && f.at.device ? "the host calls it; a kernel has cudaMalloc, cudaFree, launches, streams and the asynchronous copies"
		: status == 800 ? "a host function that runs in a stream may not call CUDA: it would wait for itself"
		: status == 904 ? "work on a stream that joined the capture must be waited for (an event, cudaStreamWaitEvent) by the stream that began it"
		: status >= 900 && status <= 907 ? "while a stream is captured nothing runs: no synchronize, no allocation, and no work on the default stream until cudaStreamEndCapture"
		: status == 21 ? "the direction argument does not fit the pointers"
		: "an argument is not what the function asks for";
	check_report(&f);
}

static void error_seen(int status)
{
	if (status != SUCCESS) unseen.status = 0;
}

static void launch_failed(const char *kernel, int status)
{
	unseen.status = status;
	unseen.caller = cpudev_api.caller;
	check_kernel_name(kernel, unseen.kernel, sizeof unseen.kernel);
}

static int exit_status;
static void note_exit(int status, void *unused)
{
	(void)unused;
	exit_status = status;
}

static void at_exit(void)
{
	static _Atomic int done;
	if (atomic_exchange(&done, 1)) return;
	check_host_looked();
	if (unseen.status && check_tools & TOOL_HOST && !(cpudev_errors_expected_now())) {
		check_finding f = host_finding(TOOL_HOST, "unseen-error");
		f.at.pc = unseen.caller;
		snprintf(f.title, sizeof f.title, "the launch of %s failed (%s), and no call ever looked at the error", unseen.kernel,
			cudaGetErrorName ? cudaGetErrorName(unseen.status) : "error");
		f.cause = "a launch returns nothing: call cudaGetLastError() after it and look at the result";
		check_report(&f);
	}
	// A program that gave up early could not free what it had.
	if (check_tools & TOOL_MEM && !check_device_failed && (exit_status == 0 || !check_findings())) {
		check_alloc_leaks();
		lost_handles();
	}
	if (check_tools & TOOL_COUNTERS) counters_at_exit();
	check_summary();
	if (check_findings()) _exit(99);
}

static void on_end(int status, void *unused)
{
	note_exit(status, unused);
	at_exit();
}

// The program dies of a signal on the host: what was found is still summed up.
static void on_crash(int sig)
{
	static _Atomic int once;
	signal(sig, SIG_DFL);
	if (!atomic_exchange(&once, 1)) {
		check_summary();
		if (check_findings()) _exit(99);
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

void check_host_fill(cpudev_observer *o)
{
	o->op_enqueue = op_enqueue;
	o->copy_args = copy_args;
	o->op_begin = op_begin;
	o->op_end = op_end;
	o->stream_create = stream_create;
	o->stream_destroy = stream_destroy;
	o->stream_sync = stream_sync;
	o->device_sync = device_sync;
	o->event_record = event_record;
	o->event_sync = event_sync;
	o->stream_wait = stream_wait;
	o->event_destroy = event_destroy;
	o->event_elapsed = event_elapsed;
	o->nested_wait = nested_wait;
	o->symbol_address = symbol_address;
	o->set_value = set_value;
	o->launch_args = launch_args;
	o->call_end = call_end;
	o->error_seen = error_seen;
	o->launch_failed = launch_failed;
	o->handle_made = check_handle_made;
	o->handle_gone = check_handle_gone;
}
