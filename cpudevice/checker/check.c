// The device side of `cucc --check`: the callbacks that the compiler's
// thread-sanitizer pass puts before each access, and the shadow memory behind
// them.
//
// Shadow. Every granule of memory (4 bytes; 2 or 1 in pages where narrower
// accesses occur) has its last write and up to two readers, each a 64-bit
// record: segment, atomic bit, thread, return address. A segment is a stretch
// of one block between two synchronisations; records of one segment and two
// threads are concurrent, whatever the order the fibers ran in. A granule
// without a write record is uninitialised, so no further map is needed.
//
//   bytes of shadow per byte of memory: 5.25 (4-byte accesses), 10 (2), 12 (1)
//
// Shared memory has the same records, 32-bit epochs of the block instead of
// segments, and one more map that says which variable a byte belongs to.
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>
#include <pthread.h>
#include "check_internal.h"

unsigned check_tools = TOOL_MEM | TOOL_RACE | TOOL_INIT | TOOL_SYNC | TOOL_HOST;

// ---- records ---------------------------------------------------------------

typedef uint64_t record; // [segment or epoch: 31][atomic: 1][thread: 10][pc: 22]
#define REC_SEG(r) ((uint32_t)((r) >> 33))
#define REC_ATOMIC(r) ((int)((r) >> 32 & 1))
#define REC_THREAD(r) ((uint32_t)((r) >> 22 & 1023))
#define REC_MAKE(seg, at, thread, pc) ((record)(seg) << 33 | (record)(at) << 32 | (record)(thread) << 22 | pc_code(pc))
// A second reader is kept in 32 bits: the segment's low 22 and the thread.
#define REC32_MAKE(seg, thread) ((uint32_t)(seg) << 10 | (uint32_t)(thread))

static uintptr_t text_lo, text_bytes; // the program's own code
static uintptr_t data_lo, data_bytes; // its variables
static uintptr_t fixed_lo, fixed_bytes; // those among them that only the loader writes: tables of virtual functions, say
static size_t tls_bytes, tls_align;

static inline uint32_t pc_code(void *pc)
{
	uintptr_t d = (uintptr_t)pc - text_lo;
	return d < (1u << 22) ? (uint32_t)d : 0;
}

static void *pc_of(record r)
{
	uint32_t d = (uint32_t)(r & ((1u << 22) - 1));
	return d ? (void *)(text_lo + d) : NULL;
}

struct check_cell { record w, r1, r2; uint64_t byte_epoch; }; // shared memory, per 4 bytes
struct check_byte_cell { record w, r1, r2; };

// ---- what this OS thread is doing --------------------------------------------

enum { A_WRITE = 1, A_ATOMIC = 2, A_VOLATILE = 4, A_READ_TOO = 8, A_RANGE = 16,
	A_PADDED = 32,   // gaps have been looked at
	A_EXCHANGE = 64,
	A_BLOCK = 128 }; // an atomic that promises nothing to other blocks
enum { FENCE_BLOCK = 1, FENCE_DEVICE };
enum { PEND_NONE, PEND_WAW, PEND_READ_OF_ATOMIC };
enum { REGION_RECORDED = 1, REGION_PLAIN };

typedef struct worker {
	uint32_t thread; // cpudev_check_thread
	int in_kernel;
	uint64_t known_key; // see known()
	uint32_t generation;
	int counting;       // the counters alone look at this thread's accesses, and nothing waits to be resolved
	int loops;          // the kernel runs in loops over its threads: no syncwarp, no fence, no release
	uintptr_t stack_lo;
	size_t stack_bytes;
	struct check_area area[2]; // 0: static (TLS), 1: dynamic
	uint32_t epoch, barrier_epoch, first_epoch; // 31 bits, never reset on this worker
	uint32_t segment, floor, grid_epoch;
	int late; // a volatile read may have acquired
	uintptr_t late_a; // what it read, if that lies where the host can write too
	int busy; // something below waits to be resolved
	const struct footprint *lazy; // of this epoch, not yet in the shadow
	uint32_t shared_epoch; // the last in which the shadow of shared memory was touched
	int recording; // a region that is checked in bulk: REGION_*
	uint32_t block_id;
	check_op *op;
	uint32_t threads;
	uint32_t block[3];

	int pend;
	struct { uintptr_t a; unsigned bytes; unsigned char old[16]; record rec; void *pc; uint32_t thread; int shared; } p;

	struct { // an index beyond a declared array, not yet tied to an access
		int on, left;
		void *pc;
		const char *file;
		unsigned line;
		char type[96];
		long index;
		unsigned long bound;
		unsigned elem;
		uint32_t thread;
	} ub;

	uint32_t full_sync[32];        // per warp: epoch of its last full __syncwarp
	uint32_t (*lanes)[32][32];     // per warp: lanes' knowledge of each other, once masks were partial
	uint32_t acquired[1024], block_acquired, max_acquired;
	uint8_t fenced[1024]; // FENCE_...
	int used_sync;

	uintptr_t poll_a; // spinning on one address
	uint32_t poll_thread;
	void *poll_pc;
	int polls;

	struct { uintptr_t a; unsigned bytes; record reader; void *pc; uint32_t thread; } looked[16]; // see conflict()
	int looks;

	int locals; // some local array has been guarded
	struct { uintptr_t key, p; size_t bytes; const char *name; } local[256]; // by where the words behind it begin

	check_variable *last_var;
	struct { const char *name; uintptr_t p; size_t bytes; } var[254];
	int vars;
	struct { const record *cell; uintptr_t a; unsigned bytes; int flags; void *pc; uint32_t thread; } unset[64];
	int unsets;
	uint8_t *own_shared; // arena the dynamic area was built for
	size_t own_shared_bytes, own_dynamic;
	uintptr_t args_lo;
	size_t args_bytes;
} worker;

static __thread worker W __attribute__((aligned(64)));
extern __thread uint32_t cpudev_check_thread __attribute__((alias("W")));

// The way out for most reads: words of which nothing new can come before the
// next epoch, because two threads that no later synchronisation of this epoch
// can tell from others are on record as their readers. An entry is the word's
// address plus a key, which changes with the epoch and is KEY_OFF, which no
// entry has, where each access must be looked at: on the host, and while
// something waits to be resolved.
enum { KNOWN = 16384, GENERATIONS = 16383, WORD = 0, HALF = 1, BYTE = 2 };
#define KEY_OFF ((uint64_t)GENERATIONS << 50)
static uint64_t nothing_known[KNOWN];
static __thread uint64_t *known_words = nothing_known; // an OS thread that runs blocks gets a table of its own

// Rows of one matrix lie a power of two apart: hence the higher bits.
static inline uint64_t *known_slot(uintptr_t a) { return (uint64_t *)((char *)known_words + ((a ^ a >> 9) & 4 * (KNOWN - 1)) * 2); }
static inline int known(const worker *w, uintptr_t a, int kind) { return *known_slot(a) == a + ((uint64_t)kind << 48) + w->known_key; }
static inline void make_known(const worker *w, uintptr_t a, int kind)
{
	if (w->known_key != KEY_OFF) *known_slot(a) = a + ((uint64_t)kind << 48) + w->known_key;
}

static inline void set_key(worker *w)
{
	w->known_key = w->busy || w->recording || !w->in_kernel || check_tools & TOOL_COUNTERS ? KEY_OFF : (uint64_t)w->generation << 50;
	w->counting = check_tools == TOOL_COUNTERS && w->in_kernel && !w->busy && !w->recording;
}

static inline void look_at_all(worker *w) // until set_key
{
	w->known_key = KEY_OFF;
	w->counting = 0;
}

static void next_epoch(worker *w)
{
	w->epoch++;
	w->lazy = NULL; // what has been read and written before a barrier is of no concern behind it
	w->segment = 0;
	if (++w->generation == GENERATIONS) {
		memset(known_words, 0, sizeof nothing_known);
		w->generation = 1;
	}
	set_key(w);
}

void check_hostfn(check_op *op, int on)
{
	W.op = on ? op : NULL;
	W.in_kernel = 0;
	set_key(&W);
}

void check_where(check_place *p, void *pc)
{
	const worker *w = &W;
	p->pc = pc;
	p->device = w->in_kernel;
	if (!w->in_kernel) return;
	memcpy(p->block, w->block, sizeof p->block);
	p->has_thread = 1;
	uint32_t t = w->thread, x = w->op->d.block[0], y = w->op->d.block[1];
	p->thread[0] = x ? t % x : t;
	p->thread[1] = x && y ? t / x % y : 0;
	p->thread[2] = x && y ? t / x / y : 0;
}

static void place_thread(check_place *p, const check_op *op, uint64_t block, uint32_t t, int has_thread)
{
	p->device = 1;
	uint64_t gx = op->d.grid[0], gy = op->d.grid[1];
	if (!gx) gx = 1;
	if (!gy) gy = 1;
	p->block[0] = (uint32_t)(block % gx);
	p->block[1] = (uint32_t)(block / gx % gy);
	p->block[2] = (uint32_t)(block / gx / gy);
	uint32_t x = op->d.block[0] ? op->d.block[0] : 1, y = op->d.block[1] ? op->d.block[1] : 1;
	p->has_thread = has_thread;
	p->thread[0] = t % x;
	p->thread[1] = t / x % y;
	p->thread[2] = t / x / y;
}

void check_here(check_finding *f, int tool, const char *kind, void *pc)
{
	memset(f, 0, sizeof *f);
	f->tool = tool;
	f->kind = f->key = kind;
	check_where(&f->at, pc);
	if (W.in_kernel) {
		check_kernel_name(W.op->name, f->kernel, sizeof f->kernel);
		f->launch_pc = W.op->caller;
	}
}

static const char *verb(int flags)
{
	if (flags & A_ATOMIC) return "updates (atomic)";
	return flags & A_WRITE ? "writes" : "reads";
}

// ---- the heap: one reserved range, allocations far apart -----------------------

typedef struct page { // per 4 KiB of the heap
	uint32_t alloc;  // index + 1 into allocs
	uint16_t lo, hi; // bytes of this page that belong to the allocation
	uintptr_t cells; // shadow; the two low bits are the mode
} page;

enum { MODE_WORD, MODE_HALF, MODE_BYTE };
typedef struct gcell { record w, r1; } gcell;

// 64 bytes in words that threads of one block, one behind the other, have read
// as a row: the first one's record stands for all 16, and so does the second
// reader. `clean` is the operation for which all of them are known to be written
// before it began. Whoever writes settles the line first.
typedef struct line { record r1; uint32_t second, clean; } line;
enum { LINE_WORDS = 16 };

static uintptr_t heap_lo, heap_top;
static size_t heap_bytes;
static page *pages;
static page *var_pages; // the same for the program's own variables
static check_alloc *allocs; // sorted by base, since the heap only grows
static uint32_t alloc_count, alloc_limit;
static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic size_t shadow_bytes;

// Managed memory starts with this in every word: the host may write it in ways
// that are not seen, but hardly ever this.
#define UNSET 0xa5c3b19du
#define UNSET_LIMIT ((size_t)64 << 20)

enum { NEAR = 65536 }; // bytes around an allocation that can be touched without a fault

static size_t shadow_peak;
size_t check_shadow_bytes(void) { return shadow_peak; }

static void *reserve(size_t bytes, int prot)
{
	void *p = mmap(NULL, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

// Plenty of address space, which costs nothing; under a limit (ulimit -v) a part.
static void heap_init(void)
{
	struct rlimit limit;
	size_t most = (size_t)16 << 40;
	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY) most = (size_t)limit.rlim_cur / 4;
	for (size_t bytes = most; bytes >= (size_t)64 << 20; bytes /= 4) {
		void *p = reserve(bytes, PROT_NONE);
		if (!p) continue;
		alloc_limit = bytes / (2 * NEAR) < 1u << 24 ? (uint32_t)(bytes / (2 * NEAR)) : 1u << 24;
		pages = reserve(bytes / 4096 * sizeof(page), PROT_READ | PROT_WRITE);
		allocs = reserve((size_t)alloc_limit * sizeof(check_alloc), PROT_READ | PROT_WRITE);
		if (pages && allocs) {
			heap_lo = ((uintptr_t)p + 4095) & ~(uintptr_t)4095;
			heap_bytes = bytes - 4096;
			heap_top = heap_lo;
			return;
		}
		munmap(p, bytes);
		if (pages) munmap(pages, bytes / 4096 * sizeof(page));
	}
	fprintf(stderr, "cucc --check: no address space for the checked heap (ulimit -v: it needs 1 GB)\n");
	exit(2);
}

// The host's memory that cudaHostRegister has made the device's too.
static check_registered registered[1024]; // free: bytes is 0
static unsigned registered_used;
static uintptr_t registered_lo, registered_bytes; // all of them lie in here
static pthread_mutex_t registered_lock = PTHREAD_MUTEX_INITIALIZER;

check_registered *check_registered_at(uintptr_t a, size_t slack)
{
	if (a - registered_lo >= registered_bytes + slack) return NULL;
	for (unsigned i = 0; i < registered_used; i++) {
		size_t n = __atomic_load_n(&registered[i].bytes, __ATOMIC_ACQUIRE);
		if (n && a - registered[i].p < n + slack) return &registered[i];
	}
	return NULL;
}

static void register_host(void *p, size_t bytes, bool on)
{
	uintptr_t lo = (uintptr_t)p, hi = lo + bytes;
	pthread_mutex_lock(&registered_lock);
	check_registered *r = on ? NULL : check_registered_at(lo, 0);
	for (unsigned i = 0; on && !r && i < sizeof registered / sizeof *registered; i++)
		if (!registered[i].bytes) r = &registered[i];
	if (r && on) {
		if ((unsigned)(r - registered) >= registered_used) registered_used = (unsigned)(r - registered) + 1;
		r->pages = reserve(((hi >> 12) - (lo >> 12) + 2) * sizeof(page), PROT_READ | PROT_WRITE);
		r->p = lo;
		r->caller = cpudev_api.caller;
		if (registered_bytes) {
			if (registered_lo < lo) lo = registered_lo;
			if (registered_lo + registered_bytes > hi) hi = registered_lo + registered_bytes;
		}
		registered_lo = lo;
		registered_bytes = hi - lo;
		if (r->pages) __atomic_store_n(&r->bytes, bytes, __ATOMIC_RELEASE);
	} else if (r) { // what is behind its pages may still be looked at by a kernel: it stays
		r->bytes = 0;
	}
	pthread_mutex_unlock(&registered_lock);
}

static page *page_of(uintptr_t a)
{
	if (a - heap_lo < heap_bytes) return &pages[(a - heap_lo) >> 12];
	if (a - data_lo < data_bytes) return &var_pages[(a - data_lo) >> 12];
	const check_registered *r = check_registered_at(a, 0);
	return r ? (page *)r->pages + ((a >> 12) - (r->p >> 12)) : NULL;
}

static void *check_heap_alloc(int kind, size_t bytes)
{
	size_t zone = bytes < NEAR ? NEAR : bytes > (64u << 20) ? (64u << 20) : bytes;
	// The first ones lie so far apart that even an index of 32 bits finds no neighbour: that takes no memory.
	if (alloc_count < 128 && heap_bytes >= (size_t)1 << 43) zone = (size_t)8 << 30;
	zone = (zone + 4095) & ~(size_t)4095;
	size_t body = (bytes + 4095) & ~(size_t)4095;
	if (!body) body = 4096;
	if (bytes > ((size_t)1 << 46)) return NULL;
	pthread_mutex_lock(&heap_lock);
	if (heap_top + 2 * zone + body > heap_lo + heap_bytes || alloc_count >= alloc_limit) {
		pthread_mutex_unlock(&heap_lock);
		return NULL;
	}
	uintptr_t base = heap_top + zone;
	if (mprotect((void *)(base - NEAR), body + 2 * NEAR, PROT_READ | PROT_WRITE)) {
		pthread_mutex_unlock(&heap_lock);
		return NULL;
	}
	heap_top = base + body + zone - NEAR;
	check_alloc *a = &allocs[alloc_count];
	a->base = base;
	a->bytes = bytes;
	a->kind = kind;
	if (kind == CPUDEV_MEM_MANAGED && bytes <= UNSET_LIMIT)
		for (size_t i = 0; i + 4 <= bytes; i += 4) *(uint32_t *)(base + i) = UNSET;
	a->freed = 0;
	a->number = alloc_count + 1;
	a->alloc_pc = cpudev_api.caller;
	a->alloc_name = cpudev_api.name;
	for (size_t o = 0; o < body; o += 4096) {
		page *p = &pages[(base + o - heap_lo) >> 12];
		p->alloc = alloc_count + 1;
		p->lo = 0;
		p->hi = (uint16_t)(bytes - o < 4096 ? bytes - o : 4096);
	}
	__atomic_store_n(&alloc_count, alloc_count + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&heap_lock);
	return (void *)base;
}

check_alloc *check_alloc_near(const void *ptr, long *offset)
{
	uintptr_t p = (uintptr_t)ptr;
	uint32_t n = __atomic_load_n(&alloc_count, __ATOMIC_ACQUIRE), lo = 0, hi = n;
	if (!n || p - heap_lo >= heap_bytes) return NULL;
	while (lo < hi) { // first allocation beyond p
		uint32_t m = (lo + hi) / 2;
		if (allocs[m].base > p) hi = m;
		else lo = m + 1;
	}
	check_alloc *before = lo ? &allocs[lo - 1] : NULL, *after = lo < n ? &allocs[lo] : NULL, *a = before;
	if (!a || (after && p >= a->base + a->bytes && after->base - p < p - (a->base + a->bytes))) a = after;
	if (offset) *offset = (long)(p - a->base);
	return a;
}

int check_is_heap(const void *p) { return (uintptr_t)p - heap_lo < heap_bytes; }

static size_t cells_bytes(int mode)
{
	return mode == MODE_WORD ? 1024 * (sizeof(gcell) + 4) + 64 * sizeof(line) : mode == MODE_HALF ? 2048 * (sizeof(gcell) + 4) : 4096 * 12;
}

// Shadow pages come from slabs and go to free lists, one a mode.
static pthread_mutex_t cells_lock = PTHREAD_MUTEX_INITIALIZER;
static void *cells_free[3];
static uintptr_t slab, slab_end;

static uintptr_t cells_new(int mode)
{
	size_t bytes = cells_bytes(mode);
	pthread_mutex_lock(&cells_lock);
	void *p = cells_free[mode];
	if (p) {
		cells_free[mode] = *(void **)p;
		memset(p, 0, bytes);
	} else {
		if (slab_end - slab < bytes) {
			slab = (uintptr_t)reserve((size_t)8 << 20, PROT_READ | PROT_WRITE);
			if (!slab) {
				fprintf(stderr, "cucc --check: out of memory for the shadow\n");
				_exit(2);
			}
			slab_end = slab + ((size_t)8 << 20);
		}
		p = (void *)slab;
		slab += bytes;
	}
	shadow_bytes += bytes;
	if (shadow_bytes > shadow_peak) shadow_peak = shadow_bytes;
	pthread_mutex_unlock(&cells_lock);
	return (uintptr_t)p | (uintptr_t)mode;
}

static void cells_drop(uintptr_t c)
{
	if (!c) return;
	int mode = (int)(c & 3);
	void *p = (void *)(c & ~(uintptr_t)3);
	pthread_mutex_lock(&cells_lock);
	*(void **)p = cells_free[mode];
	cells_free[mode] = p;
	shadow_bytes -= cells_bytes(mode);
	pthread_mutex_unlock(&cells_lock);
}

static inline gcell *cells_at(uintptr_t c) { return (gcell *)(c & ~(uintptr_t)3); }
static inline uint32_t *second_at(uintptr_t c)
{
	int mode = (int)(c & 3);
	char *p = (char *)cells_at(c);
	return (uint32_t *)(p + (mode == MODE_WORD ? 1024 * sizeof(gcell) : mode == MODE_HALF ? 2048 * sizeof(gcell) : 4096 * 8));
}

static inline line *lines_at(uintptr_t c) { return (line *)((char *)cells_at(c) + 1024 * (sizeof(gcell) + 4)); }

static uint32_t widen(uint32_t r32);

// Puts what the line knows into its words' own records.
static __attribute__((noinline)) void line_settle(uintptr_t c, unsigned which)
{
	line *l = &lines_at(c)[which];
	gcell *g = cells_at(c) + which * LINE_WORDS;
	uint32_t *second = second_at(c) + which * LINE_WORDS;
	record r1 = l->r1;
	uint32_t y = l->second;
	l->clean = 0;
	l->r1 = 0;
	l->second = 0;
	for (uint32_t i = 0; r1 && i < LINE_WORDS; i++) {
		record old = g[i].r1, me = r1 + ((record)i << 22);
		uint32_t other = y ? y + i : 0, older = old ? REC32_MAKE(REC_SEG(old), REC_THREAD(old)) : 0;
		if (!other || (widen(other) == REC_SEG(me) && older && REC_SEG(old) != REC_SEG(me))) other = older; // one of another segment says more
		g[i].r1 = me;
		if (other && other != REC32_MAKE(REC_SEG(me), REC_THREAD(me))) second[i] = other;
	}
}

static inline void lines_settle(uintptr_t c, unsigned off, unsigned bytes)
{
	for (unsigned k = off / 64; k <= (off + bytes - 1) / 64; k++)
		if (unlikely(lines_at(c)[k].clean)) line_settle(c, k);
}

// Shadow of a page in a mode at least as fine as asked for. Old cells of a
// page that becomes finer stay allocated: another worker may be using them.
static uintptr_t cells_refine(page *p, int mode)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
	if (c && (int)(c & 3) >= mode) return c;
	pthread_mutex_lock(&lock);
	c = p->cells;
	if (!c || (int)(c & 3) < mode) {
		uintptr_t n = cells_new(mode);
		if (c) {
			int old = (int)(c & 3), step = mode == MODE_BYTE ? 4096 : 2048, per = step / (old == MODE_WORD ? 1024 : 2048);
			const gcell *from = cells_at(c);
			const uint32_t *second = second_at(c);
			if (old == MODE_WORD) lines_settle(c, 0, 4096);
			for (int i = 0; i < step; i++) {
				if (mode == MODE_BYTE) {
					((record *)cells_at(n))[i] = from[i / per].w;
					record r1 = from[i / per].r1;
					second_at(n)[i] = r1 ? REC32_MAKE(REC_SEG(r1), REC_THREAD(r1)) : 0;
				} else {
					cells_at(n)[i] = from[i / per];
					second_at(n)[i] = second[i / per];
				}
			}
		}
		__atomic_store_n(&p->cells, n, __ATOMIC_RELEASE);
		c = n;
	}
	pthread_mutex_unlock(&lock);
	return c;
}

static int check_heap_free(int kind, void *ptr)
{
	check_finding f;
	long offset;
	check_alloc *a = check_alloc_near(ptr, &offset);
	const char *cause = NULL;
	memset(&f, 0, sizeof f);
	if (W.in_kernel) check_here(&f, TOOL_MEM, "", cpudev_api.caller);
	f.tool = TOOL_MEM;
	f.at.pc = cpudev_api.caller;
	const char *fn = cpudev_api.name ? cpudev_api.name : "free";
	if (!a || offset < 0 || (size_t)offset > a->bytes + (a->bytes == 0)) {
		check_variable *v = check_variable_at(ptr, 0);
		f.kind = "bad-free";
		if (v) snprintf(f.title, sizeof f.title, "%s of the variable %s", fn, v->name);
		else snprintf(f.title, sizeof f.title, "%s of %p, which is no memory the CUDA runtime gave out", fn, ptr);
		cause = "the pointer came from malloc, from new or from nowhere; give back only what cudaMalloc and its like returned";
	} else if (a->freed) {
		f.kind = "double-free";
		snprintf(f.title, sizeof f.title, "%s of memory that was freed before", fn);
		f.has_other = 1;
		f.other.pc = a->free_pc;
		snprintf(f.other.what, sizeof f.other.what, "freed here first");
		cause = "two owners of one pointer; set it to NULL after the free";
	} else if (offset != 0) {
		f.kind = "interior-free";
		snprintf(f.title, sizeof f.title, "%s of a pointer %ld bytes into an allocation", fn, offset);
		cause = "the pointer was moved after the allocation; free the address that the allocation returned";
	} else if (a->kind != kind && !(kind == CPUDEV_MEM_DEVICE && a->kind == CPUDEV_MEM_MANAGED)) {
		f.kind = "wrong-free";
		snprintf(f.title, sizeof f.title, "%s of memory that came from %s", fn, a->alloc_name ? a->alloc_name : "another allocator");
		cause = "cudaFree belongs to cudaMalloc and cudaMallocManaged, cudaFreeHost to cudaMallocHost, free() to malloc()";
	}
	if (cause) {
		if (a && offset >= 0 && (size_t)offset <= a->bytes) check_describe_alloc(a, f.object, sizeof f.object);
		f.cause = cause;
		check_explained();
		if (check_tools & TOOL_MEM) check_report(&f);
		return 1; // cudaErrorInvalidValue
	}
	pthread_mutex_lock(&heap_lock);
	a->freed = 1;
	a->free_pc = cpudev_api.caller;
	a->free_name = cpudev_api.name;
	size_t body = (a->bytes + 4095) & ~(size_t)4095;
	for (size_t o = 0; o < (body ? body : 4096); o += 4096) {
		page *p = &pages[(a->base + o - heap_lo) >> 12];
		p->hi = 0;
		cells_drop(p->cells);
		p->cells = 0;
	}
	madvise((void *)a->base, body, MADV_DONTNEED);
	pthread_mutex_unlock(&heap_lock);
	return 0;
}

static bool check_heap_find(const void *p, void **base, size_t *bytes)
{
	long off;
	check_alloc *a = check_alloc_near(p, &off);
	if (!a || a->freed || off < 0 || (size_t)off >= a->bytes) return 0;
	if (base) *base = (void *)a->base;
	if (bytes) *bytes = a->bytes;
	return 1;
}

static int check_heap_kind(const void *p)
{
	check_alloc *a;
	long off;
	return check_range(p, 1, &a, &off) == CHECK_RANGE_UNKNOWN ? -1 : a->kind;
}

static void check_heap_reset(void)
{
	for (uint32_t i = 0; i < alloc_count; i++)
		if (!allocs[i].freed) {
			allocs[i].freed = 1;
			allocs[i].free_pc = cpudev_api.caller;
			for (size_t o = 0; o < (allocs[i].bytes ? allocs[i].bytes : 1); o += 4096) pages[(allocs[i].base + o - heap_lo) >> 12].hi = 0;
		}
}

int check_range(const void *p, size_t bytes, check_alloc **out, long *offset)
{
	long off = 0;
	check_alloc *a = check_alloc_near(p, &off);
	if (out) *out = a;
	if (offset) *offset = off;
	if (!a) return CHECK_RANGE_UNKNOWN;
	if (off < -(long)NEAR || off > (long)(a->bytes + NEAR)) return CHECK_RANGE_UNKNOWN;
	if (a->freed && off >= 0 && (size_t)off < a->bytes) return CHECK_RANGE_FREED;
	if (off < 0 || (size_t)off + bytes > a->bytes) return CHECK_RANGE_OVERRUN;
	return CHECK_RANGE_OK;
}

void check_alloc_leaks(void)
{
	for (uint32_t i = 0; i < alloc_count; i++) {
		check_alloc *a = &allocs[i];
		if (a->freed || a->kind == CPUDEV_MEM_HEAP || !a->alloc_pc) continue;
		check_finding f;
		memset(&f, 0, sizeof f);
		f.tool = TOOL_MEM;
		f.kind = "leak";
		f.at.pc = a->alloc_pc;
		char name[64];
		int nth = a->alloc_name && !strcmp(a->alloc_name, "cudaHostAlloc") ? 0 : 0;
		int named = check_argument(a->alloc_pc, a->alloc_name ? a->alloc_name : "", nth, name, sizeof name);
		snprintf(f.title, sizeof f.title, "leak: %zu bytes%s%s are never freed", a->bytes, named ? " of " : "", named ? name : "");
		f.cause = "every cudaMalloc needs its cudaFree, on every way out of the function";
		check_report(&f);
	}
}

// ---- variables of the program: __device__, __constant__, __managed__ --------------

static check_variable *variables;
static int variable_count;

check_variable *check_variable_at(const void *ptr, size_t slack)
{
	uintptr_t p = (uintptr_t)ptr;
	int lo = 0, hi = variable_count;
	while (lo < hi) {
		int m = (lo + hi) / 2;
		if (variables[m].p > p) hi = m;
		else lo = m + 1;
	}
	if (lo && p < variables[lo - 1].p + variables[lo - 1].bytes + slack) return &variables[lo - 1];
	return NULL;
}

void cpudev_check_global_var(void *p, size_t bytes, const char *name, int kind, const char *file, int line);
static void layout_init(void);

static struct { const char *name; size_t offset, bytes; } file_shared[128];
static size_t file_shared_count;

static uintptr_t tls_start(void)
{
	size_t al = tls_align ? tls_align : 1;
#if defined(__x86_64__)
	uintptr_t tp; // gcc 10 has no __builtin_thread_pointer() here
	__asm__("movq %%fs:0, %0" : "=r"(tp));
	return tp - (tls_bytes + al - 1) / al * al;
#else
	uintptr_t tp = (uintptr_t)__builtin_thread_pointer();
	return tp + (16 + al - 1) / al * al;
#endif
}

static void add_variable(const char *name, void *p, size_t bytes, int kind)
{
	layout_init(); // registrars may run before the constructor of this file
	variables = realloc(variables, (size_t)(variable_count + 1) * sizeof *variables);
	int i = variable_count++;
	while (i > 0 && variables[i - 1].p > (uintptr_t)p) {
		variables[i] = variables[i - 1];
		i--;
	}
	variables[i] = (check_variable){name, (uintptr_t)p, bytes, kind, 0};
}

void cpudev_check_global_var(void *p, size_t bytes, const char *name, int kind, const char *file, int line)
{
	(void)file;
	(void)line;
	if (kind == 's') { // __shared__ at file scope: the same place in every thread's storage
		layout_init();
		if (file_shared_count == sizeof file_shared / sizeof *file_shared) return;
		file_shared[file_shared_count].name = name;
		file_shared[file_shared_count].offset = (size_t)((uintptr_t)p - tls_start());
		file_shared[file_shared_count++].bytes = bytes;
		return;
	}
	add_variable(name, p, bytes, kind);
}

// ---- order ---------------------------------------------------------------------

static inline uint32_t my_segment(worker *w)
{
	if (unlikely(!w->segment))
		w->segment = check_seg_new((check_seg){w->op->id, w->block_id, w->epoch, w->grid_epoch});
	return w->segment;
}

static int warp_ordered(const worker *w, uint32_t t, uint32_t epoch)
{
	uint32_t warp = w->thread / 32;
	if (t / 32 != warp) return 0;
	if (epoch < w->full_sync[warp]) return 1;
	return w->lanes && epoch < w->lanes[warp][w->thread % 32][t % 32];
}

// Was the access (block, epoch, thread) published by a fence and a flag that
// this thread has since seen?
static int release_ordered(worker *w, uint32_t block, uint32_t epoch, uint32_t t)
{
	check_op *op = w->op;
	if (!op->sync || block >= op->grid_blocks) return 0;
	uint32_t seen = w->acquired[w->thread & 1023] > w->block_acquired ? w->acquired[w->thread & 1023] : w->block_acquired;
	if (!seen) return 0;
	while (__atomic_exchange_n(&op->cs_lock, 1, __ATOMIC_ACQUIRE)) ;
	int ok = 0;
	check_block_sync *s = op->sync[block];
	if (s) {
		uint32_t lo = 0, hi = s->count;
		while (lo < hi) {
			uint32_t m = (lo + hi) / 2;
			if (s->list[m].epoch >= epoch) hi = m;
			else lo = m + 1;
		}
		for (uint32_t i = lo; i < s->count; i++)
			if ((s->list[i].epoch > epoch || s->list[i].thread == t) && (s->list[i].wide || block == w->block_id)) {
				ok = s->list[i].at <= seen;
				break;
			}
	}
	__atomic_store_n(&op->cs_lock, 0, __ATOMIC_RELEASE);
	return ok;
}

static void release_now(worker *w, int wide)
{
	check_op *op = w->op;
	while (__atomic_exchange_n(&op->cs_lock, 1, __ATOMIC_ACQUIRE)) ;
	if (!op->sync) op->sync = calloc(op->grid_blocks ? op->grid_blocks : 1, sizeof *op->sync);
	if (op->sync && w->block_id < op->grid_blocks) {
		check_block_sync *s = op->sync[w->block_id];
		if (!s) s = op->sync[w->block_id] = calloc(1, sizeof *s);
		if (s->count == s->capacity) {
			if (s->capacity >= 65536) { // forget the older half: taken as seen by all
				memmove(s->list, s->list + 32768, 32768 * sizeof *s->list);
				s->count = 32768;
				s->list[0].at = 0;
				s->list[0].wide = 1;
			} else {
				s->capacity = s->capacity ? 2 * s->capacity : 4;
				s->list = realloc(s->list, s->capacity * sizeof *s->list);
			}
		}
		s->list[s->count++] = (check_release){w->epoch, w->thread, ++op->releases, (uint32_t)wide};
	}
	__atomic_store_n(&op->cs_lock, 0, __ATOMIC_RELEASE);
	next_epoch(w);
	w->fenced[w->thread & 1023] = 0;
	w->used_sync = 1;
}

static void acquire_now(worker *w)
{
	uint32_t n = w->op->releases;
	if (!n) return;
	w->acquired[w->thread & 1023] = n;
	if (n > w->max_acquired) w->max_acquired = n;
	w->used_sync = 1;
}

// Shared memory: is record r (epoch, thread) ordered before the running thread?
static inline int shared_ordered(worker *w, record r)
{
	uint32_t e = REC_SEG(r);
	if (e < w->barrier_epoch || REC_THREAD(r) == w->thread) return 1;
	if (warp_ordered(w, REC_THREAD(r), e)) return 1;
	return w->used_sync && release_ordered(w, w->block_id, e, REC_THREAD(r));
}

// Did thread t of the kernel that launched `child` come by before that?
static int before_launch(const check_op *child, const check_seg *g, uint32_t t)
{
	if (child->d.tail || g->grid < child->launch_grid) return 1;
	if (g->block != child->launch_block) return child->knows_blocks;
	if (t == child->launch_thread) return g->epoch <= child->launch_epoch;
	return g->epoch < child->launch_barrier || (t / 32 == child->launch_thread / 32 && g->epoch < child->launch_epoch);
}

static int global_ordered_slow(worker *w, uint32_t seg, uint32_t t)
{
	check_seg *g = check_seg_get(seg);
	if (!g) return 1;
	if (g->op == 0) return g->block <= w->op->host_clock;
	if (g->op != w->op->id) {
		const check_op *child = check_launched(g->op, w->op);
		return child ? before_launch(child, g, t) : check_op_before(g->op, w->op);
	}
	if (w->op->kind != CPUDEV_OP_KERNEL) return 1;
	if (g->grid < w->grid_epoch) return 1;
	if (g->block == w->block_id) {
		if (t == w->thread || g->epoch < w->barrier_epoch || warp_ordered(w, t, g->epoch)) return 1;
	}
	return (w->used_sync || w->block_acquired) && release_ordered(w, g->block, g->epoch, t);
}

static inline int global_ordered(worker *w, uint32_t seg, uint32_t t)
{
	if (likely(seg < w->floor)) return 1;
	if (seg == w->segment && t == w->thread) return 1;
	return global_ordered_slow(w, seg, t);
}

// The segment of a second reader from its low 22 bits.
static uint32_t widen(uint32_t r32)
{
	uint32_t now = check_seg_next(), low = r32 >> 10;
	uint32_t s = (now & ~((1u << 22) - 1)) | low;
	return s > now ? s - (1u << 22) : s;
}

// ---- reporting races -------------------------------------------------------------

static const char *shared_name(worker *w, uintptr_t a, char *out, size_t bytes, uintptr_t *base)
{
	for (int i = 0; i < 2; i++) {
		struct check_area *ar = &w->area[i];
		if (a - ar->lo >= ar->bytes) continue;
		int o = ar->owner[a - ar->lo];
		if (o == 254) {
			*base = ar->lo;
			snprintf(out, bytes, "dynamic shared memory, %zu bytes", w->own_dynamic);
			return "dynamic shared memory";
		}
		if (o && o < 253) {
			*base = w->var[o].p;
			snprintf(out, bytes, "shared array %s, %zu bytes", w->var[o].name, w->var[o].bytes);
			return w->var[o].name;
		}
	}
	out[0] = 0;
	*base = a;
	return "shared memory";
}

static void describe_address(worker *w, uintptr_t a, int shared, char *object, size_t bytes, char *where, size_t where_bytes)
{
	if (shared) {
		uintptr_t base;
		const char *n = shared_name(w, a, object, bytes, &base);
		snprintf(where, where_bytes, "%s at byte %zu", n, (size_t)(a - base));
		return;
	}
	long off;
	check_alloc *al = check_alloc_near((void *)a, &off);
	if (al) {
		check_describe_alloc(al, object, bytes);
		snprintf(where, where_bytes, "%s memory at byte %ld of the allocation",
			al->kind == CPUDEV_MEM_MANAGED ? "managed" : al->kind == CPUDEV_MEM_PINNED ? "pinned" : "global", off);
		return;
	}
	check_variable *v = check_variable_at((void *)a, 0);
	check_registered *r = check_registered_at(a, 0);
	object[0] = 0;
	if (r) {
		snprintf(object, bytes, "registered host memory, %zu bytes, cudaHostRegister at %s", r->bytes, check_line(r->caller));
		snprintf(where, where_bytes, "registered memory at byte %zu", (size_t)(a - r->p));
	} else if (v) {
		snprintf(object, bytes, "%s variable %s, %zu bytes", v->kind == 'c' ? "__constant__" : v->kind == 'm' ? "__managed__" : "__device__", v->name, v->bytes);
		snprintf(where, where_bytes, "%s at byte %zu", v->name, (size_t)(a - v->p));
	} else {
		snprintf(where, where_bytes, "address 0x%lx", (unsigned long)a);
	}
}

static const char *const race_words[] = {"read after write", "write after read", "write after write"};

// The host's plain looks at words that a kernel changes atomically, until the
// end tells which of them began a compare-and-swap loop of the host's.
static check_finding *host_looks[16];
static int host_look_count;
static pthread_mutex_t host_looks_lock = PTHREAD_MUTEX_INITIALIZER;

static void host_looked_at(const check_finding *f)
{
	pthread_mutex_lock(&host_looks_lock);
	int i = 0;
	while (i < host_look_count && host_looks[i]->at.pc != f->at.pc) i++;
	if (i == host_look_count && i < 16 && (host_looks[i] = malloc(sizeof *f))) {
		*host_looks[i] = *f;
		host_look_count++;
	}
	pthread_mutex_unlock(&host_looks_lock);
}

static const char *op_words(const check_op *op)
{
	switch (op->kind) {
	case CPUDEV_OP_KERNEL: return "a kernel";
	case CPUDEV_OP_COPY: return "a copy";
	case CPUDEV_OP_SET: return "a memset";
	case CPUDEV_OP_ALLOC: return "the allocation";
	case CPUDEV_OP_FREE: return "a free";
	}
	return "a host function";
}

static void report_race(worker *w, int how, uintptr_t a, unsigned bytes, int flags, void *pc, uint32_t thread,
	int shared, uint32_t seg_or_epoch, uint32_t other_thread, void *other_pc, int other_atomic)
{
	check_finding f;
	const char *kind = shared ? "shared-race" : "global-race";
	check_seg *g = shared ? NULL : check_seg_get(seg_or_epoch);
	check_op *other = g && g->op ? check_op_by_id(g->op) : shared ? w->op : NULL;
	int tool = TOOL_RACE;
	if (!shared && (!other || other->kind != CPUDEV_OP_KERNEL || !w->in_kernel)) {
		tool = TOOL_HOST;
		kind = "host-race";
	}
	if (!(check_tools & tool)) return;
	if (w->op && w->op->killed) return;
	if (check_seen(kind, pc)) return;
	uint32_t keep = w->thread;
	w->thread = thread;
	check_here(&f, tool, kind, pc);
	w->thread = keep;
	char where[160];
	describe_address(w, a, shared, f.object, sizeof f.object, where, sizeof where);
	snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s of %s", verb(flags), bytes, bytes == 1 ? "" : "s", where);
	f.has_other = 1;
	f.other.pc = other_pc;
	const char *other_verb = how == 1 ? "read" : other_atomic ? "updated (atomic)" : "wrote";
	if (shared) {
		place_thread(&f.other, w->op, w->block_id, other_thread, 1);
		memcpy(f.other.block, w->block, sizeof w->block);
		snprintf(f.other.what, sizeof f.other.what, "%s it, and no barrier stands between", other_verb);
		snprintf(f.title, sizeof f.title, "race in shared memory (%s)", race_words[how]);
		f.cause = other_thread / 32 == thread / 32
			? "threads of one warp do not run in lockstep: a __syncwarp() (or __syncthreads()) is missing between the two"
			: "a __syncthreads() is missing between the two accesses";
	} else if (other && other == w->op && other->kind == CPUDEV_OP_KERNEL) {
		place_thread(&f.other, other, g->block, other_thread, 1);
		int same = g->block == w->block_id;
		snprintf(f.other.what, sizeof f.other.what, "%s it", other_verb);
		snprintf(f.title, sizeof f.title, "race in global memory between %s (%s)", same ? "threads of one block" : "blocks", race_words[how]);
		f.cause = flags & A_BLOCK && other_atomic ? "an atomic of block scope is atomic only for the threads of one block: use the plain name (atomicAdd), or thread_scope_device"
			: same ? "two threads use one element with nothing between them: a __syncthreads(), an atomic or another index is missing"
			: how == 2 ? "blocks run in any order: use atomics, or give each block its own element"
			: "blocks run in any order: split the kernel in two, or publish with __threadfence() and an atomic flag";
	} else if (other) {
		f.other.pc = other_pc ? other_pc : other->caller;
		char k[128] = "";
		if (other->kind == CPUDEV_OP_KERNEL) {
			place_thread(&f.other, other, g->block, other_thread, 1);
			snprintf(f.other.what, sizeof f.other.what, "%s it in kernel %.90s", other_verb, check_kernel_name(other->name, k, sizeof k));
		} else {
			f.other.pc = other->caller;
			snprintf(f.other.what, sizeof f.other.what, "%s it: a %s on another stream", other_verb, other->kind == CPUDEV_OP_SET ? "memset" : other->kind == CPUDEV_OP_COPY ? "copy" : other->kind == CPUDEV_OP_ALLOC ? "cudaMallocAsync" : other->kind == CPUDEV_OP_FREE ? "cudaFreeAsync" : "host function");
		}
		const check_op *child = w->op ? check_launched(other->id, w->op) : NULL;
		if (child || (w->op && check_launched(w->op->id, other))) {
			snprintf(f.title, sizeof f.title, "race between a kernel and one that it launched (%s)", race_words[how]);
			int before = child && !(g->block == child->launch_block && g->epoch > child->launch_epoch);
			f.cause = before ? "a kernel sees what its launching thread did before the launch, and other threads up to a barrier before it: put a __syncthreads() there, or launch it on cudaStreamTailLaunch"
				: "a kernel cannot wait for one that it launched: what needs the results goes to cudaStreamTailLaunch, or into the host's next launch";
			check_report(&f);
			return;
		}
		snprintf(f.title, sizeof f.title, "%s and %s on streams that nothing orders touch the same memory (%s)",
			w->op ? op_words(w->op) : "an operation",
			op_words(other), race_words[how]);
		f.cause = "streams run side by side: put both on one stream, or record an event after the first and make the second wait for it (cudaStreamWaitEvent)";
	} else { // the host did it while the operation was queued or running
		// The finding stands at the host's line, which is where the synchronize is missing, whoever came first.
		check_place host = f.other;
		host.pc = g ? (void *)((uintptr_t)g->epoch | (uintptr_t)g->grid << 32) : NULL;
		snprintf(host.what, sizeof host.what, "%s it, after the launch and before any synchronize", how == 1 ? "read" : "wrote");
		if (host.pc) {
			if (check_seen(kind, host.pc)) return;
			f.other = f.at;
			f.at = host;
		} else {
			f.other = host;
		}
		snprintf(f.title, sizeof f.title, "the host and %s use the same memory at the same time (%s)",
			w->op && w->op->kind == CPUDEV_OP_KERNEL ? "a kernel" : "an asynchronous operation", race_words[how]);
		f.cause = "launches and async copies return before their work is done: synchronize (device, stream or event) before the host touches the memory";
		if (how == 1 && flags & A_ATOMIC) { // the host may be about to follow with an atomic
			host_looked_at(&f);
			return;
		}
	}
	check_report(&f);
}

// ---- pending: judged at the thread's next access ------------------------------------

// Plain reads that some thread has followed by an atomic on the same word: the
// start of a compare-and-swap loop, or a look before a costly atomic.
static void *leads[1024];
static void note_lead(void *pc)
{
	unsigned h = (unsigned)((uintptr_t)pc * 2654435761u >> 20) & 1023;
	if (pc && leads[h] != pc) leads[h] = pc;
}
static int leads_to_atomic(void *pc) { return leads[(unsigned)((uintptr_t)pc * 2654435761u >> 20) & 1023] == pc; }

// Does this exchange throw away what another has put there? To claim a word
// (0 before) or to find it claimed (the same value before) loses nothing.
static __thread uint64_t exchanged;
static int replaces(uintptr_t a, unsigned bytes, int flags)
{
	uint64_t now = 0;
	if (!(flags & A_EXCHANGE)) return 0;
	memcpy(&now, (void *)a, bytes < 8 ? bytes : 8);
	return now && now != exchanged;
}

// An atomic follows its thread's plain look at the word. It knows what is there
// now; only an exchange that replaces another's value trusts the look.
static void look_then_atomic(void *look, uintptr_t a, unsigned bytes, int flags)
{
	static void *trusted[64]; // these looks lead to no compare-and-swap, whatever else follows them
	static unsigned count;
	unsigned n = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
	for (unsigned i = 0; i < n && i < 64; i++)
		if (trusted[i] == look) return;
	if (!replaces(a, bytes, flags)) {
		note_lead(look);
		return;
	}
	if (leads_to_atomic(look)) leads[(unsigned)((uintptr_t)look * 2654435761u >> 20) & 1023] = NULL;
	n = __atomic_fetch_add(&count, 1, __ATOMIC_ACQ_REL);
	if (n < 64) trusted[n] = look;
}

static void resolve(worker *w, uintptr_t a, int atomic)
{
	if (w->pend) {
		int kind = w->pend;
		w->pend = PEND_NONE;
		if (kind == PEND_WAW) {
			// Equal values: no order of the two writes can be told from another.
			if (memcmp((void *)w->p.a, w->p.old, w->p.bytes))
				report_race(w, 2, w->p.a, w->p.bytes, A_WRITE, w->p.pc, w->p.thread, w->p.shared,
					REC_SEG(w->p.rec), REC_THREAD(w->p.rec), pc_of(w->p.rec), REC_ATOMIC(w->p.rec));
		} else if (!(atomic && a == w->p.a && w->thread == w->p.thread) && !leads_to_atomic(w->p.pc)) { // the first read of a compare-and-swap loop is no race
			report_race(w, 0, w->p.a, w->p.bytes, 0, w->p.pc, w->p.thread, w->p.shared,
				REC_SEG(w->p.rec), REC_THREAD(w->p.rec), pc_of(w->p.rec), 1);
		}
	}
	w->busy = w->ub.on;
	set_key(w);
}

static void pend(worker *w, int kind, uintptr_t a, unsigned bytes, record rec, void *pc, int shared)
{
	if (w->pend) resolve(w, 0, 0);
	w->pend = kind;
	w->busy = 1;
	look_at_all(w);
	w->p.a = a;
	w->p.bytes = bytes > 16 ? 16 : bytes;
	w->p.rec = rec;
	w->p.pc = pc;
	w->p.thread = w->thread;
	w->p.shared = shared;
	memcpy(w->p.old, (void *)a, w->p.bytes);
}

static int host_flags; // the host has written something that kernels may wait for

// The host's last write of a word that the host and kernels both use atomically.
static void acquire_from_host(worker *w, record r)
{
	check_seg *g = REC_ATOMIC(r) ? check_seg_get(REC_SEG(r)) : NULL;
	if (g && g->op == 0 && w->op && g->block > w->op->host_clock) w->op->host_clock = g->block;
}

static record last_write(uintptr_t a)
{
	page *p = page_of(a);
	uintptr_t c = p ? __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE) : 0;
	if (!c) return 0;
	unsigned off = a & 4095;
	return (c & 3) == MODE_BYTE ? ((record *)cells_at(c))[off] : cells_at(c)[off / (4u >> (c & 3))].w;
}

// The load comes after the callback: what it saw is acquired at the next access.
static void acquire_late(worker *w)
{
	w->late = 0;
	acquire_now(w);
	if (host_flags) acquire_from_host(w, last_write(w->late_a));
}

static void bulk_failed(void);

// A record that is not ordered before this access: decide what it is.
static void conflict(worker *w, record r, int how, uintptr_t a, unsigned bytes, int flags, void *pc, int shared)
{
	int mine = flags & A_ATOMIC ? 1 : 0, other = REC_ATOMIC(r);
	bulk_failed();
	if (mine && other && flags & A_BLOCK && !shared) {
		check_seg *g = check_seg_get(REC_SEG(r));
		if (g && w->op && g->op == w->op->id && g->block == w->block_id) return;
	} else if (mine && other) { // atomics, flags
		if (!shared) acquire_from_host(w, r);
		return;
	}
	if (how == 2 && !mine && !other && w->in_kernel) {
		pend(w, PEND_WAW, a, bytes, r, pc, shared);
		return;
	}
	if (how == 0 && other && !mine) {
		pend(w, PEND_READ_OF_ATOMIC, a, bytes, r, pc, shared);
		return;
	}
	if (how == 1 && mine && !shared) { // perhaps the first read of another thread's compare-and-swap loop: the block's end will tell
		check_seg *g = check_seg_get(REC_SEG(r));
		if (g && w->op && (g->op == w->op->id || g->op == 0)) {
			int n = 0;
			while (n < w->looks && pc_of(w->looked[n].reader) != pc_of(r)) n++;
			if (n == w->looks && n < 16) {
				w->looked[n].a = a;
				w->looked[n].bytes = bytes;
				w->looked[n].reader = r;
				w->looked[n].pc = pc;
				w->looked[n].thread = w->thread;
				w->looks++;
			}
			return;
		}
	}
	report_race(w, how, a, bytes, flags, pc, w->thread, shared, REC_SEG(r), REC_THREAD(r), pc_of(r), other);
}

// ---- memcheck's words ------------------------------------------------------------------

static void report_uninit(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc, int shared)
{
	if (!(check_tools & TOOL_INIT) || w->op->killed) return;
	if (check_seen("uninitialised", pc)) return;
	check_op *late = shared ? NULL : check_pending_copy(a, w->op);
	if (late) { // what should have filled it is on a stream that this kernel does not wait for
		report_race(w, 0, a, bytes, flags, pc, w->thread, 0, check_seg_new((check_seg){late->id, 0, 0, 0}), 0, NULL, 0);
		return;
	}
	check_finding f;
	check_here(&f, TOOL_INIT, "uninitialised", pc);
	char where[160];
	describe_address(w, a, shared, f.object, sizeof f.object, where, sizeof where);
	snprintf(f.title, sizeof f.title, "%s memory is read before anything was written there", shared ? "shared" : "device");
	snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s of %s", flags & A_ATOMIC ? "updates" : "reads", bytes, bytes == 1 ? "" : "s", where);
	f.cause = shared ? "shared memory starts with whatever the last block left: every element that is read must first be written, with a __syncthreads() between, and an asynchronous copy to it waited for"
		: "neither cudaMalloc nor cudaMallocManaged clears memory: copy or cudaMemset all of it first (and count bytes, not elements), or let every thread that should write do so";
	check_report(&f);
}

// Can the byte be touched without a fault?
int check_readable(const void *p)
{
	char c;
	struct iovec to = {&c, 1}, from = {(void *)(uintptr_t)p, 1};
	ssize_t n = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	return n == 1 || (n < 0 && errno != EFAULT);
}
static int mapped(uintptr_t a) { return check_readable((void *)a); }

static void out_of_bounds_heap(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	long off = 0;
	check_alloc *al = check_alloc_near((void *)a, &off);
	int fatal = !al || (a < al->base ? al->base - a > NEAR : a > al->base + al->bytes + NEAR - 32);
	if (check_tools & TOOL_MEM && !check_seen("out-of-bounds", pc)) {
		check_finding f;
		check_here(&f, TOOL_MEM, "out-of-bounds", pc);
		if (!al) {
			snprintf(f.title, sizeof f.title, "access to address 0x%lx, where nothing is allocated", (unsigned long)a);
			f.cause = "the pointer was never set, or the index is far off";
		} else if (al->freed && off >= 0 && (size_t)off < al->bytes) {
			f.kind = "use-after-free";
			snprintf(f.title, sizeof f.title, "use of device memory after it was freed");
			f.has_other = 1;
			f.other.pc = al->free_pc;
			snprintf(f.other.what, sizeof f.other.what, "freed");
			f.cause = "the free came before the last kernel that uses the memory";
		} else if (off < 0) {
			snprintf(f.title, sizeof f.title, "out of bounds: %ld byte%s before the start of an allocation", -off, off == -1 ? "" : "s");
			f.cause = "a negative index: guard the left and upper border";
		} else {
			long past = off - (long)al->bytes;
			if (past < 0) snprintf(f.title, sizeof f.title, "out of bounds: the access straddles the end of an allocation");
			else if (past == 0) snprintf(f.title, sizeof f.title, "out of bounds: just past the end of an allocation");
			else snprintf(f.title, sizeof f.title, "out of bounds: %ld bytes past the end of an allocation", past);
			f.cause = "the grid has more threads than the array has elements (if (i < n) is missing), the bound is off by one, or the size was counted in elements instead of bytes";
		}
		snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", verb(flags), bytes, bytes == 1 ? "" : "s");
		if (al) check_describe_alloc(al, f.object, sizeof f.object);
		check_report(&f);
	}
	if (w->in_kernel && fatal) cpudev_thread_kill();
}

static void out_of_bounds_shared(worker *w, struct check_area *ar, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	w->ub.on = 0;
	if (!(check_tools & TOOL_MEM) || check_seen("out-of-bounds", pc)) return;
	check_finding f;
	check_here(&f, TOOL_MEM, "out-of-bounds", pc);
	// The nearest variable is the one that was meant.
	long best = -1;
	int which = 0, before = 0;
	if (ar == &w->area[0])
		for (int i = 1; i <= w->vars; i++) {
			long d = a < w->var[i].p ? (long)(w->var[i].p - a) : (long)(a + bytes - (w->var[i].p + w->var[i].bytes));
			if (d > 0 && (best < 0 || d < best)) {
				best = d;
				which = i;
				before = a < w->var[i].p;
			}
		}
	if (which) {
		long past = before ? best : (long)(a - (w->var[which].p + w->var[which].bytes));
		snprintf(f.title, sizeof f.title, "out of bounds: %ld byte%s %s shared array %s", past, past == 1 ? "" : "s",
			before ? "before" : past == 0 ? "(just) past the end of" : "past the end of", w->var[which].name);
		snprintf(f.object, sizeof f.object, "shared array %s, %zu bytes", w->var[which].name, w->var[which].bytes);
	} else {
		long past = (long)(a - ar->lo) - (long)w->own_dynamic;
		if (past >= 0) snprintf(f.title, sizeof f.title, "out of bounds: %ld bytes past the end of dynamic shared memory", past);
		else snprintf(f.title, sizeof f.title, "out of bounds: the access straddles the end of dynamic shared memory");
		snprintf(f.object, sizeof f.object, "dynamic shared memory, %zu bytes (third launch argument)", w->own_dynamic);
	}
	snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", verb(flags), bytes, bytes == 1 ? "" : "s");
	f.cause = which ? "an index beyond the tile: check it against the array's own dimensions, halo included"
		: "the third launch argument is too small: it counts bytes, and the kernel uses more";
	check_report(&f);
}

static int misaligned(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	// A float4, or a struct of 16 bytes that may lie at a multiple of 8? The source tells.
	if (w->in_kernel && bytes == 16 && a % 8 == 0 && !check_names_wide(pc)) return 0;
	if (check_tools & TOOL_MEM && !check_seen("misaligned", pc)) {
		check_finding f;
		check_here(&f, TOOL_MEM, "misaligned", pc);
		snprintf(f.title, sizeof f.title, "misaligned access: address 0x%lx is no multiple of %u", (unsigned long)a, bytes);
		snprintf(f.at.what, sizeof f.at.what, "%s %u bytes", verb(flags), bytes);
		long off;
		check_alloc *al = check_alloc_near((void *)a, &off);
		if (al) check_describe_alloc(al, f.object, sizeof f.object);
		f.cause = "a cast to a wider type (float4*, int2*, double*) needs an address, and an offset, that is a multiple of that type's size";
		check_report(&f);
	}
	if (w->in_kernel && bytes == 16) cpudev_thread_kill(); // the CPU would fault too
	return 1;
}

// ---- shared memory ------------------------------------------------------------------------

// 1 if two threads are now on record for this epoch that stand for all others:
// any two in a kernel of loops, else two of different warps, since a __syncwarp
// can order a write after all readers of one warp.
static inline int shared_read_note(worker *w, record *r1, record *r2, record me)
{
	record r = *r1;
	if (REC_THREAD(r) == REC_THREAD(me) || REC_SEG(r) < w->barrier_epoch) {
		*r1 = me;
		return 0;
	}
	record s = *r2;
	if (REC_THREAD(s) == REC_THREAD(me) || REC_SEG(s) < REC_SEG(me) || (!w->loops && (REC_THREAD(s) ^ REC_THREAD(r)) < 32)) *r2 = s = me;
	return REC_SEG(r) == REC_SEG(me) && REC_SEG(s) == REC_SEG(me) && (w->loops || (REC_THREAD(s) ^ REC_THREAD(r)) >= 32);
}

// A read of shared memory that nothing has written yet is judged at the next
// barrier: if another thread has written it by then, it was a race instead.
static void unset_read(worker *w, const record *cell, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	if (flags & A_WRITE || w->unsets == 64) {
		report_uninit(w, a, bytes, flags, pc, 1);
		return;
	}
	for (int i = 0; i < w->unsets; i++)
		if (w->unset[i].pc == pc) return;
	w->unset[w->unsets].cell = cell;
	w->unset[w->unsets].a = a;
	w->unset[w->unsets].bytes = bytes;
	w->unset[w->unsets].flags = flags;
	w->unset[w->unsets].pc = pc;
	w->unset[w->unsets++].thread = w->thread;
}

static void unset_settle(worker *w)
{
	uint32_t keep = w->thread;
	for (int i = 0; i < w->unsets; i++) {
		record r = *w->unset[i].cell;
		if (REC_SEG(r) >= w->first_epoch && REC_THREAD(r) != w->unset[i].thread && check_tools & TOOL_RACE) continue;
		w->thread = w->unset[i].thread;
		report_uninit(w, w->unset[i].a, w->unset[i].bytes, w->unset[i].flags, w->unset[i].pc, 1);
	}
	w->thread = keep;
	w->unsets = 0;
}

// An atomic does not take the place of its own thread's plain write of the same
// stretch: what races with the write would no longer be seen.
static inline int hides_plain(record old, record me)
{
	return REC_ATOMIC(me) && !REC_ATOMIC(old) && REC_SEG(old) == REC_SEG(me) && REC_THREAD(old) == REC_THREAD(me);
}

// 1 if further reads of this epoch need no look.
static inline int shared_cell(worker *w, record *cw, record *r1, record *r2, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	int plain = 1;
	// A volatile read races with no flag; a volatile write is one only behind a fence.
	record old = *cw, me = REC_MAKE(w->epoch, flags & (flags & A_WRITE ? A_ATOMIC : A_ATOMIC | A_VOLATILE) ? 1 : 0, w->thread, pc);
	uint32_t e = REC_SEG(old);
	if ((!(flags & A_WRITE) || flags & A_READ_TOO) && !(flags & A_PADDED)) {
		if (unlikely(e < w->first_epoch)) {
			if (check_tools & TOOL_INIT) unset_read(w, cw, a, bytes, flags, pc);
		}
	}
	if (unlikely(e >= w->barrier_epoch)) {
		plain = 0;
		if (REC_THREAD(old) != w->thread && !shared_ordered(w, old)) conflict(w, old, flags & A_WRITE ? 2 : 0, a, bytes, flags, pc, 1);
	}
	if (flags & A_WRITE) {
		record x = *r1, y = *r2;
		if (flags & A_ATOMIC && x && REC_THREAD(x) == w->thread && REC_SEG(x) == w->epoch) look_then_atomic(pc_of(x), a, bytes, flags);
		if (unlikely(REC_SEG(x) >= w->barrier_epoch && REC_THREAD(x) != w->thread) && !shared_ordered(w, x))
			conflict(w, x, 1, a, bytes, flags, pc, 1);
		else if (unlikely(REC_SEG(y) >= w->barrier_epoch && REC_THREAD(y) != w->thread) && !shared_ordered(w, y))
			conflict(w, y, 1, a, bytes, flags, pc, 1);
		if (!hides_plain(old, me)) *cw = me;
		*r1 = *r2 = 0;
	} else if (!(flags & A_ATOMIC)) { // a flag that is polled races with nothing that is a flag too
		return shared_read_note(w, r1, r2, me) && plain && e >= w->first_epoch;
	}
	return 0;
}

// An asynchronous copy is on its way to p: until somebody has waited for it nothing is there.
void cpudev_check_in_flight(void *p, unsigned bytes);
void cpudev_check_in_flight(void *p, unsigned bytes)
{
	worker *w = &W;
	for (int i = 0; i < 2 && w->in_kernel; i++) {
		struct check_area *ar = &w->area[i];
		size_t off = (uintptr_t)p - ar->lo;
		if (off >= ar->bytes) continue;
		for (size_t k = off; k < off + bytes && k < ar->bytes; k++) {
			*known_slot((ar->lo + k) & ~(uintptr_t)3) = 0;
			if (ar->cells[k >> 2].byte_epoch >= w->first_epoch) ar->byte_cells[k].w = 0;
			else ar->cells[k >> 2].w = 0;
		}
	}
}

static struct check_byte_cell *shared_bytes_mode(struct check_area *ar, size_t off, worker *w)
{
	struct check_cell *c = &ar->cells[off >> 2];
	struct check_byte_cell *b = &ar->byte_cells[off & ~(size_t)3];
	if (c->byte_epoch < w->first_epoch) {
		for (int i = 0; i < 4; i++) b[i] = (struct check_byte_cell){c->w, c->r1, c->r2};
		c->byte_epoch = w->first_epoch;
	}
	return b;
}

static void footprint_put(worker *w, const struct footprint *f);

static inline void shared_touched(worker *w)
{
	if (unlikely(w->lazy)) footprint_put(w, w->lazy);
	w->shared_epoch = w->epoch;
}

static void shared_access(worker *w, struct check_area *ar, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	shared_touched(w);
	size_t off = a - ar->lo;
	uint8_t o = ar->owner[off];
	if (unlikely(o == 0 || o == 253)) return; // the core's own thread-local data
	if (unlikely(o == 255 || off + bytes > ar->bytes || ar->owner[off + bytes - 1] != o)) {
		out_of_bounds_shared(w, ar, a, bytes, flags, pc);
		return;
	}
	if (unlikely(!(flags & A_RANGE) && a & (bytes - 1))) misaligned(w, a, bytes, flags, pc);
	if (likely(bytes >= 4 && !(off & 3))) {
		for (unsigned i = 0; i + 4 <= bytes; i += 4) {
			struct check_cell *c = &ar->cells[(off + i) >> 2];
			if (unlikely(c->byte_epoch >= w->first_epoch)) {
				struct check_byte_cell *b = &ar->byte_cells[off + i];
				int part = 0; // a word of which some byte is written: the rest may be a struct's padding
				for (int k = 0; k < 4; k++) part |= REC_SEG(b[k].w) >= w->first_epoch;
				for (int k = 0; k < 4; k++) shared_cell(w, &b[k].w, &b[k].r1, &b[k].r2, a + i + k, 1, flags | (part ? A_PADDED : 0), pc);
			} else {
				if (shared_cell(w, &c->w, &c->r1, &c->r2, a + i, 4, flags, pc)) make_known(w, a + i, WORD);
			}
		}
		unsigned rest = bytes & 3;
		if (!rest) return;
		off += bytes - rest;
		a += bytes - rest;
		bytes = rest;
	}
	for (unsigned i = 0; i < bytes; i++) {
		struct check_byte_cell *b = shared_bytes_mode(ar, off + i, w) + ((off + i) & 3);
		shared_cell(w, &b->w, &b->r1, &b->r2, a + i, 1, flags, pc);
	}
}

static void area_init(struct check_area *ar, uintptr_t lo, size_t bytes)
{
	bytes = (bytes + 15) & ~(size_t)15;
	if (ar->lo == lo && ar->bytes >= bytes) return;
	if (ar->owner) {
		munmap(ar->owner, ar->bytes);
		munmap(ar->cells, (ar->bytes / 4 + 1) * sizeof *ar->cells);
		munmap(ar->byte_cells, (ar->bytes + 4) * sizeof *ar->byte_cells);
	}
	ar->lo = lo & ~(uintptr_t)15;
	ar->bytes = bytes + (lo - ar->lo);
	ar->owner = reserve(ar->bytes, PROT_READ | PROT_WRITE);
	ar->cells = reserve((ar->bytes / 4 + 1) * sizeof *ar->cells, PROT_READ | PROT_WRITE);
	ar->byte_cells = reserve((ar->bytes + 4) * sizeof *ar->byte_cells, PROT_READ | PROT_WRITE);
}

// ---- global memory -------------------------------------------------------------------------

// Thread 0 of another block, or of the host, is not this thread 0.
static __attribute__((noinline)) int of_other_block(const worker *w, record r)
{
	const check_seg *g = check_seg_get(REC_SEG(r));
	return g && (g->op != w->op->id || g->block != w->block_id);
}
static inline int other_reader(const worker *w, record r, uint32_t second)
{
	return REC_THREAD(r) != w->thread || (REC_SEG(r) != w->segment && (!second || widen(second) < w->floor) && of_other_block(w, r));
}

static inline void global_cell(worker *w, record *cw, record *r1, uint32_t *r2, uintptr_t a, unsigned bytes, int flags, void *pc, int init)
{
	record old = __atomic_load_n(cw, __ATOMIC_RELAXED);
	uint32_t s = REC_SEG(old), seg = my_segment(w);
	if (unlikely(!old) && init && (!(flags & A_WRITE) || flags & A_READ_TOO)) report_uninit(w, a, bytes, flags, pc, 0);
	if (unlikely(s >= w->floor) && !global_ordered(w, s, REC_THREAD(old)))
		conflict(w, old, flags & A_WRITE ? 2 : 0, a, bytes, flags, pc, 0);
	if (flags & A_WRITE) {
		record x = r1 ? __atomic_load_n(r1, __ATOMIC_RELAXED) : 0;
		uint32_t y = *r2;
		if (flags & A_ATOMIC && x && REC_THREAD(x) == w->thread && REC_SEG(x) == seg) look_then_atomic(pc_of(x), a, bytes, flags);
		if (unlikely(x && REC_SEG(x) >= w->floor) && !global_ordered(w, REC_SEG(x), REC_THREAD(x))) {
			conflict(w, x, 1, a, bytes, flags, pc, 0);
		} else if (unlikely(y)) {
			uint32_t ys = widen(y);
			if (ys >= w->floor && !global_ordered(w, ys, y & 1023))
				conflict(w, REC_MAKE(ys, 0, y & 1023, r1 ? pc_of(x) : NULL), 1, a, bytes, flags, pc, 0);
		}
		record me = REC_MAKE(seg, flags & A_ATOMIC ? 1 : 0, w->thread, pc);
		if (!hides_plain(old, me)) __atomic_store_n(cw, me, __ATOMIC_RELAXED);
		if (r1 && x) __atomic_store_n(r1, 0, __ATOMIC_RELAXED);
		if (y) *r2 = 0;
	} else if (!(flags & A_ATOMIC)) {
		record me = REC_MAKE(seg, 0, w->thread, pc);
		if (!r1) {
			uint32_t y = *r2;
			if (!y || widen(y) < w->floor) *r2 = REC32_MAKE(seg, w->thread);
			return;
		}
		record x = __atomic_load_n(r1, __ATOMIC_RELAXED);
		if (x == me) return;
		if (x && REC_SEG(x) >= w->floor && other_reader(w, x, *r2)) {
			uint32_t y = *r2;
			if (!y || widen(y) < w->floor || REC_SEG(x) != seg) *r2 = REC32_MAKE(REC_SEG(x), REC_THREAD(x));
		}
		__atomic_store_n(r1, me, __ATOMIC_RELAXED);
	}
}

static void global_bytes(worker *w, page *p, uintptr_t a, unsigned bytes, int flags, void *pc, int init)
{
	uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
	int want = (a | bytes) & 1 ? MODE_BYTE : (a | bytes) & 2 ? MODE_HALF : MODE_WORD;
	if (unlikely(!c || (int)(c & 3) < want)) c = cells_refine(p, want);
	unsigned off = a & 4095, padded = 0;
	gcell *g = cells_at(c);
	uint32_t *second = second_at(c);
	switch (c & 3) {
	case MODE_WORD:
		if (flags & A_WRITE) lines_settle(c, off, bytes);
		for (unsigned i = off / 4; i < (off + bytes) / 4; i++)
			global_cell(w, &g[i].w, &g[i].r1, &second[i], a - off + 4 * i, 4, flags, pc, init);
		break;
	case MODE_HALF:
		for (unsigned i = off / 2; i < (off + bytes) / 2; i++)
			global_cell(w, &g[i].w, &g[i].r1, &second[i], a - off + 2 * i, 2, flags, pc, init);
		break;
	default:
		for (unsigned i = off; i < off + bytes; i++) {
			if (!(i & 3) && i + 4 <= off + bytes) { // a word of which some byte is written: the rest may be a struct's padding
				const record *b = (record *)g + i;
				if (b[0] || b[1] || b[2] || b[3]) padded = i + 4;
			}
			global_cell(w, (record *)g + i, NULL, &second[i], a - off + i, 1, flags, pc, init && i >= padded);
		}
	}
}

static __attribute__((noinline)) int never_written(const check_alloc *al, uintptr_t a, unsigned bytes)
{
	if (al->bytes > UNSET_LIMIT) return 0;
	for (uintptr_t p = a & ~(uintptr_t)3; p < a + bytes; p += 4)
		if (p + 4 > al->base + al->bytes || *(const uint32_t *)p != UNSET || last_write(p)) return 0;
	return 1;
}

static void global_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	page *p = &pages[(a - heap_lo) >> 12];
	unsigned off = a & 4095;
	if (unlikely(!(flags & A_RANGE) && a & (bytes - 1) && p->hi) && misaligned(w, a, bytes, flags, pc)) return;
	if (unlikely(off < p->lo || off + bytes > p->hi)) {
		if (p->hi && off < p->hi && off + bytes > 4096 && p[1].alloc == p->alloc && off + bytes - 4096 <= p[1].hi) {
			unsigned here = 4096 - off; // crosses into the next page of the same allocation
			global_access(w, a, here, flags | A_RANGE, pc);
			global_access(w, a + here, bytes - here, flags | A_RANGE, pc);
			return;
		}
		out_of_bounds_heap(w, a, bytes, flags, pc);
		return;
	}
	if (unlikely(!(check_tools & (TOOL_RACE | TOOL_INIT | TOOL_HOST)))) return;
	int kind = allocs[p->alloc - 1].kind;
	if (kind == CPUDEV_MEM_MANAGED && (!(flags & A_WRITE) || flags & A_READ_TOO) && !(flags & A_PADDED)
		&& *(const uint32_t *)(a & ~(uintptr_t)3) == UNSET && never_written(&allocs[p->alloc - 1], a, bytes)) report_uninit(w, a, bytes, flags, pc, 0);
	global_bytes(w, p, a, bytes, flags, pc, !(flags & A_PADDED) && (kind == CPUDEV_MEM_DEVICE || kind == CPUDEV_MEM_HEAP));
}

// ---- objects with virtual functions -------------------------------------------------------

// On a GPU an object that the host has made has the host's table of functions.
// Here both sides have one table, so what is kept is who has made objects of a
// class: the host, to hand them to the device, or a kernel.
typedef struct vtable_set { uintptr_t at[64]; unsigned count; } vtable_set;
static vtable_set made_by_host, made_by_kernel;

static int in_set(const vtable_set *s, uintptr_t v)
{
	unsigned n = __atomic_load_n(&s->count, __ATOMIC_ACQUIRE);
	for (unsigned i = 0; i < n; i++)
		if (s->at[i] == v) return 1;
	return 0;
}

static void add_to_set(vtable_set *s, uintptr_t v)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	if (in_set(s, v)) return;
	pthread_mutex_lock(&lock);
	if (!in_set(s, v) && s->count < 64) {
		s->at[s->count] = v;
		__atomic_store_n(&s->count, s->count + 1, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&lock);
}

// What a pointer to a table of functions points to: before it stand an offset,
// 0 or negative, and the type (type_info: two pointers, the second to a name).
static int is_vtable(uintptr_t v)
{
	if (v % 8 || v - fixed_lo < 16 || v - fixed_lo >= fixed_bytes) return 0;
	const uintptr_t *t = (const uintptr_t *)v;
	long offset = (long)t[-2];
	if (offset > 0 || offset < -4096 || t[0] - text_lo >= text_bytes) return 0;
	return t[-1] % 8 == 0 && t[-1] - fixed_lo + 16 <= fixed_bytes && ((const uintptr_t *)t[-1])[1] - text_lo < text_bytes;
}

void check_note_vtables(const void *p, size_t bytes)
{
	if (bytes > 65536) bytes = 65536;
	if ((uintptr_t)p % 8 || bytes < 8 || !check_readable(p) || !check_readable((const char *)p + bytes - 1)) return;
	for (const uintptr_t *v = p; (const char *)(v + 1) <= (const char *)p + bytes; v++)
		if (*v - fixed_lo < fixed_bytes && is_vtable(*v)) add_to_set(&made_by_host, *v);
}

static void vtable_read(uintptr_t a, void *pc)
{
	uintptr_t v = a;
	for (int i = 0; i < 64 && v - fixed_lo < fixed_bytes && !is_vtable(v); i++) v -= 8;
	if (!in_set(&made_by_host, v) || in_set(&made_by_kernel, v)) return;
	check_misuse(TOOL_MEM, "host-object", "a virtual function is called on an object that the host made",
		"the object holds the address of the host's table of functions, which means nothing on the device: construct it in a kernel (new, or placement new)", pc);
}

// ---- everything else a kernel may touch ----------------------------------------------------

static void by_page(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	page *p = page_of(a);
	unsigned here = 4096 - (a & 4095);
	if (bytes > here) {
		global_bytes(w, p, a, here, flags, pc, 0);
		global_bytes(w, p + 1, a + here, bytes - here, flags, pc, 0);
	} else {
		global_bytes(w, p, a, bytes, flags, pc, 0);
	}
}

static void other_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	if (a - w->args_lo < w->args_bytes) { // each thread copies the launch's arguments
		if (!(flags & A_WRITE) && !(a & 3)) for (unsigned i = 0; i < bytes; i += 4) make_known(w, a + i, WORD);
		return;
	}
	const check_registered *r = NULL;
	check_variable *v = w->last_var;
	if (!v || a - v->p >= v->bytes) v = check_variable_at((void *)a, 0);
	if (v) {
		w->last_var = v;
		if (!(flags & A_RANGE) && a & (bytes - 1)) {
			misaligned(w, a, bytes, flags, pc);
			return;
		}
		if (a + bytes > v->p + v->bytes) goto bad;
		if (v->kind == 'c') {
			if (!(flags & A_WRITE)) return;
			if (check_tools & TOOL_MEM && !check_seen("constant-write", pc)) {
				check_finding f;
				check_here(&f, TOOL_MEM, "constant-write", pc);
				snprintf(f.title, sizeof f.title, "a kernel writes to constant memory (%s)", v->name);
				f.cause = "__constant__ memory is read-only on the device; the host fills it with cudaMemcpyToSymbol";
				check_report(&f);
			}
			return;
		}
		if (a - data_lo < data_bytes && check_tools & (TOOL_RACE | TOOL_HOST)) by_page(w, a, bytes, flags, pc);
		return;
	}
	r = check_registered_at(a, 64);
	if (r && a + bytes <= r->p + r->bytes) {
		if (!(flags & A_RANGE) && a & (bytes - 1)) misaligned(w, a, bytes, flags, pc);
		else if (check_tools & (TOOL_RACE | TOOL_HOST)) by_page(w, a, bytes, flags, pc);
		return;
	}
	if (a - text_lo < text_bytes && !(flags & A_WRITE)) return; // literals, tables of constants, vtables
	if (a - w->area[0].lo < w->area[0].bytes) return;
bad:;
	check_finding f;
	int is_mapped = a >= 65536 && mapped(a);
	if (is_mapped && !(flags & A_WRITE)) { // read-only data, of shared libraries too
		Dl_info info;
		if (a - fixed_lo < fixed_bytes) {
			vtable_read(a, pc);
			return;
		}
		if (a - data_lo >= data_bytes && dladdr((void *)a, &info)) return;
	}
	if (v && !(bytes & (bytes - 1)) && bytes <= 16 && a & (bytes - 1)) {
		misaligned(w, a, bytes, flags, pc);
		return;
	}
	if (check_tools & TOOL_MEM && !check_seen("out-of-bounds", pc)) {
		check_here(&f, TOOL_MEM, "out-of-bounds", pc);
		v = check_variable_at((void *)a, 4096);
		check_variable *next = check_variable_at((void *)(a + 64), 0);
		if (v && (a - data_lo < data_bytes)) {
			size_t past = a + bytes > v->p + v->bytes ? a + bytes - (v->p + v->bytes) : 0;
			snprintf(f.title, sizeof f.title, "out of bounds: the access ends %zu bytes past the end of %s", past, v->name);
			snprintf(f.object, sizeof f.object, "%s variable %s, %zu bytes", v->kind == 'c' ? "__constant__" : v->kind == 'm' ? "__managed__" : "__device__", v->name, v->bytes);
			f.cause = "an index beyond the array's dimension";
		} else if (next && a < next->p) {
			snprintf(f.title, sizeof f.title, "out of bounds: %zu bytes before the start of %s", (size_t)(next->p - a), next->name);
			f.cause = "a negative index";
		} else if (r) {
			snprintf(f.title, sizeof f.title, "out of bounds: the access ends %zu bytes past the end of registered memory", (size_t)(a + bytes - (r->p + r->bytes)));
			snprintf(f.object, sizeof f.object, "registered host memory, %zu bytes, cudaHostRegister at %s", r->bytes, check_line(r->caller));
			f.cause = "an index beyond the array, or cudaHostRegister was given elements instead of bytes";
		} else if (a < 65536) {
			f.kind = "null";
			snprintf(f.title, sizeof f.title, "a null pointer is dereferenced in a kernel (address 0x%lx)", (unsigned long)a);
			f.cause = "the allocation failed or never happened, and nobody looked at its result";
		} else if (is_mapped) {
			f.kind = "host-memory";
			snprintf(f.title, sizeof f.title, "a kernel dereferences host memory (address 0x%lx)", (unsigned long)a);
			f.cause = "a pointer from malloc, new, a local or a global host variable was handed to a kernel: give it a cudaMalloc or cudaMallocManaged pointer";
		} else {
			snprintf(f.title, sizeof f.title, "access to address 0x%lx, where nothing is allocated", (unsigned long)a);
			f.cause = "the pointer was never set, or was computed wrongly";
		}
		snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", verb(flags), bytes, bytes == 1 ? "" : "s");
		check_report(&f);
	}
	if (!is_mapped) cpudev_thread_kill();
}

// ---- local arrays ---------------------------------------------------------------------------

// The lexer puts a guard before and behind each local array whose address is
// used (cpudev_device.h: guarded_local). Its words hold a value that depends
// on their place, the thread and the block, so that a look at the word itself
// says whether an access hits a guard; what a thread that was ended left on
// its stack means nothing to the next.
static inline uint64_t guard_word(const worker *w, uintptr_t a)
{
	return (a ^ ((uint64_t)w->first_epoch << 32 | w->thread)) * 0x9e3779b97f4a7c15u ^ 0xb5297a4d3f84d5b5u;
}

void cpudev_check_local(void *zones, size_t bytes, void *ptr, size_t size, const char *name, int on);
void cpudev_check_local(void *zones, size_t bytes, void *ptr, size_t size, const char *name, int on)
{
	worker *w = &W;
	if (!w->in_kernel) return;
	uintptr_t p = (uintptr_t)ptr, end = (uintptr_t)zones + bytes, behind = (p + size + 7) & ~(uintptr_t)7;
	for (uintptr_t a = (uintptr_t)zones; a + 8 <= p; a += 8) *(uint64_t *)a = on ? guard_word(w, a) : 0;
	for (uintptr_t a = behind; a + 8 <= end; a += 8) *(uint64_t *)a = on ? guard_word(w, a) : 0;
	if (!on) return;
	w->locals = 1;
	unsigned h = behind >> 3 & 255;
	w->local[h].key = behind;
	w->local[h].p = p;
	w->local[h].bytes = size;
	w->local[h].name = name;
}

static int hits_guard(const worker *w, uintptr_t a, size_t bytes)
{
	uintptr_t word = a & ~(uintptr_t)7;
	for (; word < a + bytes; word += 8)
		if (*(const uint64_t *)word == guard_word(w, word)) return 1;
	// An array of odd length ends inside a word.
	if (word - w->stack_lo >= w->stack_bytes || *(const uint64_t *)word != guard_word(w, word)) return 0;
	unsigned h = word >> 3 & 255;
	return w->local[h].key == word && a + bytes > w->local[h].p + w->local[h].bytes;
}

static __attribute__((noinline)) void out_of_bounds_local(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	w->ub.on = 0;
	if (!(check_tools & TOOL_MEM) || check_seen("out-of-bounds", pc)) return;
	check_finding f;
	check_here(&f, TOOL_MEM, "out-of-bounds", pc);
	snprintf(f.title, sizeof f.title, "out of bounds of a local array");
	for (int i = 0; i < 256; i++) {
		uintptr_t p = w->local[i].p, end = p + w->local[i].bytes;
		if (!w->local[i].key || a + 64 < p || a >= end + 128 || (a >= p && a < end)) continue;
		if (a < p) snprintf(f.title, sizeof f.title, "out of bounds: %zu bytes before the local array %s", (size_t)(p - a), w->local[i].name);
		else if (a == end) snprintf(f.title, sizeof f.title, "out of bounds: just past the end of the local array %s", w->local[i].name);
		else snprintf(f.title, sizeof f.title, "out of bounds: %zu bytes past the end of the local array %s", (size_t)(a - end), w->local[i].name);
		snprintf(f.object, sizeof f.object, "local array %s, %zu bytes", w->local[i].name, w->local[i].bytes);
		break;
	}
	snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", verb(flags), bytes, bytes == 1 ? "" : "s");
	f.cause = "a pointer does not know how long its array is: the count that goes with it is wrong, or a neighbour of the first or last element is used";
	check_report(&f);
}

static __attribute__((noinline)) void dead_local(unsigned bytes, int flags, void *pc)
{
	if (!(check_tools & TOOL_MEM) || check_seen("dead-local", pc)) return;
	check_finding f;
	check_here(&f, TOOL_MEM, "dead-local", pc);
	snprintf(f.title, sizeof f.title, "use of a local variable of a function that has returned");
	snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", verb(flags), bytes, bytes == 1 ? "" : "s");
	f.cause = "a function returned the address of one of its own variables: let the caller pass the memory in";
	check_report(&f);
}

// An access on the running thread's own stack. What lies below the frame that
// makes it is gone; callers jump here, so that this frame stands in for it.
static __attribute__((noinline)) void stack_access(worker *w, uintptr_t a, size_t bytes, int flags, void *pc)
{
	if (unlikely(a < (uintptr_t)__builtin_dwarf_cfa())) dead_local((unsigned)bytes, flags, pc);
	else if (unlikely(w->locals) && unlikely(hits_guard(w, a, bytes))) out_of_bounds_local(w, a, (unsigned)bytes, flags, pc);
}

// ---- the host's own heap ----------

// One byte for 16 of the address space: 0 all may be touched, 1..15 so many of
// them, else none. Blocks that the program's own malloc and new gave out end in
// some bytes that may not, and wait a while after their free.
enum { HOST_END = 0xff, HOST_FREED = 0xfe, HOST_ZONE = 16 };
static uint8_t *host_shadow;
#define HOST_SHADOW ((size_t)1 << 43)

static void host_shadow_set(uintptr_t p, size_t bytes, int freed)
{
	if (!host_shadow || p >> 4 >= HOST_SHADOW - bytes / 16 - 4) return;
	uint8_t *s = host_shadow + (p >> 4);
	if (freed) memset(s, HOST_FREED, bytes / 16);
	s += bytes / 16;
	if (bytes % 16) *s++ = freed ? HOST_FREED : (uint8_t)(bytes % 16);
	*s = HOST_END;
}

static void host_shadow_clear(uintptr_t p, size_t bytes)
{
	if (host_shadow && p >> 4 < HOST_SHADOW - bytes / 16 - 4) memset(host_shadow + (p >> 4), 0, bytes / 16 + 2);
}

static inline int host_granule_bad(uintptr_t a, unsigned bytes)
{
	unsigned s = a >> 4 < HOST_SHADOW ? host_shadow[a >> 4] : 0;
	return unlikely(s) && (s > 15 || (a & 15) + bytes > s);
}

static inline int host_heap_bad(uintptr_t a, unsigned bytes)
{
	if (unlikely(!host_shadow)) return 0;
	unsigned here = 16 - (a & 15);
	if (likely(bytes <= here)) return host_granule_bad(a, bytes);
	if (host_granule_bad(a, here)) return 1;
	for (unsigned i = here; i < bytes; i += 16)
		if (host_granule_bad(a + i, bytes - i < 16 ? bytes - i : 16)) return 1;
	return 0;
}

static int host_block_at(uintptr_t a, uintptr_t *p, size_t *bytes, void **freed_at);

static __attribute__((noinline)) void out_of_bounds_host(uintptr_t a, unsigned bytes, int flags, void *pc)
{
	uintptr_t p;
	size_t whole;
	void *freed_at;
	if (cpudev_api.name || !(check_tools & TOOL_MEM) || check_seen("host-heap", pc)) return;
	if (!host_block_at(a, &p, &whole, &freed_at)) return;
	check_finding f;
	check_here(&f, TOOL_MEM, "host-heap", pc);
	if (freed_at) {
		snprintf(f.title, sizeof f.title, "the host uses memory after it was freed");
		f.has_other = 1;
		f.other.pc = freed_at;
		snprintf(f.other.what, sizeof f.other.what, "freed");
		f.cause = "free and delete come after the last use of the array";
	} else {
		snprintf(f.title, sizeof f.title, "out of bounds of a host array: %zu bytes past its end", (size_t)(a + bytes - (p + whole)));
		f.cause = "an index beyond the last element (i <= n), or the size was counted in elements instead of bytes";
	}
	snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", verb(flags), bytes, bytes == 1 ? "" : "s");
	snprintf(f.object, sizeof f.object, "host array, %zu bytes", whole);
	check_report(&f);
}

// ---- the host's own accesses ------------------------------------------------------------------

// One segment for the host's accesses between two runtime calls from one place
// in the program; the place is kept in it.
static uint32_t host_segment(void *pc)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct { uint32_t clock, seg; void *pc; } recent[64];
	uint32_t now = check_host_clock(), i = (uint32_t)((uintptr_t)pc * 2654435761u >> 20) & 63;
	pthread_mutex_lock(&lock);
	if (recent[i].clock != now || recent[i].pc != pc) {
		recent[i].clock = now;
		recent[i].pc = pc;
		recent[i].seg = check_seg_new((check_seg){0, now, (uint32_t)(uintptr_t)pc, (uint32_t)((uintptr_t)pc >> 32)});
		check_note_host_seg(now, recent[i].seg);
	}
	uint32_t s = recent[i].seg;
	pthread_mutex_unlock(&lock);
	return s;
}

// The host has seen, by an atomic or volatile read, what a kernel wrote so
// behind a fence: all of that kernel up to there comes before it.
static void host_acquire(uintptr_t a)
{
	record r = last_write(a);
	check_seg *g = REC_ATOMIC(r) ? check_seg_get(REC_SEG(r)) : NULL;
	check_op *op = g && g->op ? check_op_by_id(g->op) : NULL;
	if (op && op->releases) op->host_saw = 1;
}

static int host_ordered(uint32_t seg)
{
	if (seg < check_global_floor()) return 1;
	check_seg *g = check_seg_get(seg);
	if (!g || g->op == 0 || check_op_before_host(g->op)) return 1;
	check_op *op = check_op_by_id(g->op);
	return !op || op->host_saw;
}

// The host's plain look at what kernels change atomically is a mistake, unless
// an atomic on the same word follows: then it begins a compare-and-swap loop.
static __thread struct { int on; uintptr_t a; void *pc; check_finding f; } host_look;

static void host_look_settle(uintptr_t a, int atomic)
{
	if (atomic && a == host_look.a) {
		note_lead(host_look.pc);
		host_look.on = 0;
	}
	if (host_look.on && !leads_to_atomic(host_look.pc)) check_report(&host_look.f);
	host_look.on = 0;
	host_look.pc = NULL;
}

void check_host_looked(void)
{
	if (host_look.pc) host_look_settle(0, 0);
	for (int i = 0; i < host_look_count; i++)
		if (!leads_to_atomic(host_looks[i]->at.pc)) check_report(host_looks[i]);
}

static void host_cell(record *cw, record *r1, uint32_t *r2, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	record old = *cw, x = r1 ? *r1 : 0;
	uint32_t y = *r2, seg = host_segment(pc);
	int how = -1;
	record bad = 0;
	if (old && !(flags & A_ATOMIC && REC_ATOMIC(old)) && !host_ordered(REC_SEG(old))) {
		how = flags & A_WRITE ? 2 : 0;
		bad = old;
	} else if (flags & A_WRITE) {
		if (x && !host_ordered(REC_SEG(x))) {
			how = 1;
			bad = x;
		} else if (y && !host_ordered(widen(y))) {
			how = 1;
			bad = REC_MAKE(widen(y), 0, y & 1023, NULL);
		}
	}
	if (how >= 0 && check_tools & TOOL_HOST && !check_seen("host-race", pc)) {
		check_seg *g = check_seg_get(REC_SEG(bad));
		check_op *op = g ? check_op_by_id(g->op) : NULL;
		check_finding f;
		char where[160];
		memset(&f, 0, sizeof f);
		f.tool = TOOL_HOST;
		f.kind = "host-race";
		f.at.pc = pc;
		describe_address(&W, a, 0, f.object, sizeof f.object, where, sizeof where);
		snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s of %s", verb(flags), bytes, bytes == 1 ? "" : "s", where);
		if (op && op->kind == CPUDEV_OP_KERNEL) {
			check_kernel_name(op->name, f.kernel, sizeof f.kernel);
			f.launch_pc = op->caller;
			snprintf(f.title, sizeof f.title, "the host %s memory that a kernel %s, with no synchronize between",
				verb(flags), how == 1 ? "reads" : "writes");
			f.has_other = 1;
			place_thread(&f.other, op, g->block, REC_THREAD(bad), 1);
			f.other.pc = pc_of(bad);
			snprintf(f.other.what, sizeof f.other.what, "%s it", how == 1 ? "reads" : "writes");
		} else if (op) {
			snprintf(f.title, sizeof f.title, "the host %s a buffer while an asynchronous %s may still be %s it", verb(flags),
				op->kind == CPUDEV_OP_SET ? "memset" : op->kind == CPUDEV_OP_HOSTFN ? "host function" : "copy", how == 1 ? "reading" : "filling");
			f.has_other = 1;
			f.other.pc = op->caller;
			snprintf(f.other.what, sizeof f.other.what, "was queued");
		}
		f.cause = "launches and async copies return before their work is done: synchronize (device, stream or event) before the host touches the memory";
		if (op && how == 0 && REC_ATOMIC(bad)) {
			host_look.on = 1;
			host_look.f = f;
		} else if (op)
			check_report(&f);
	}
	if (flags & A_WRITE) {
		*cw = REC_MAKE(seg, flags & A_ATOMIC ? 1 : 0, 0, pc);
		if (r1) *r1 = 0;
		*r2 = 0;
	} else if (flags & A_ATOMIC) { // a flag that is polled
		return;
	} else if (r1) {
		if (!x || host_ordered(REC_SEG(x))) *r1 = REC_MAKE(seg, 0, 0, pc);
		else *r2 = REC32_MAKE(seg, 0);
	} else {
		if (!y || host_ordered(widen(y))) *r2 = REC32_MAKE(seg, 0);
	}
}

static void host_bytes(page *p, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	int want = (a | bytes) & 1 ? MODE_BYTE : (a | bytes) & 2 ? MODE_HALF : MODE_WORD;
	uintptr_t c = cells_refine(p, want);
	unsigned off = a & 4095, size = 4u >> (c & 3);
	if (flags & A_WRITE && (c & 3) == MODE_WORD) lines_settle(c, off, bytes);
	for (unsigned i = off / size; i < (off + bytes) / size; i++) {
		gcell *g = cells_at(c);
		if ((c & 3) == MODE_BYTE) host_cell((record *)g + i, NULL, &second_at(c)[i], a - off + i, 1, flags, pc);
		else host_cell(&g[i].w, &g[i].r1, &second_at(c)[i], a - off + size * i, size, flags, pc);
	}
}

static void host_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	if (w->op && w->op->kind != CPUDEV_OP_HOSTFN) return; // the core at work on a copy
	if (cpudev_api.name) return;                          // inside the runtime
	if (host_look.pc) host_look_settle(a, flags & A_ATOMIC);
	if (!(flags & (A_WRITE | A_ATOMIC))) {
		host_look.a = a;
		host_look.pc = pc;
	}
	if (w->late_a) {
		host_acquire(w->late_a);
		w->late_a = 0;
	}
	if (a - data_lo < data_bytes) {
		check_variable *v = check_variable_at((void *)a, 0);
		if (!v) return;
		if (v->kind == 'm') {
			if (check_tools & TOOL_HOST && !w->op && (a & 4095) + bytes <= 4096)
				host_bytes(&var_pages[(a - data_lo) >> 12], a, bytes, flags, pc);
			return;
		}
		if (check_tools & TOOL_MEM && !check_seen("host-deref", pc)) {
			check_finding f;
			check_here(&f, TOOL_MEM, "host-deref", pc);
			snprintf(f.title, sizeof f.title, "the host %s the %s variable %s directly", verb(flags), v->kind == 'c' ? "__constant__" : "__device__", v->name);
			f.cause = "the host sees its own copy, not the device's: use cudaMemcpyFromSymbol and cudaMemcpyToSymbol";
			check_report(&f);
		}
		return;
	}
	page *p = page_of(a);
	if (!check_is_heap((void *)a)) {
		if (!p) {
			if (host_heap_bad(a, bytes)) out_of_bounds_host(a, bytes, flags, pc);
		} else if (check_tools & TOOL_HOST && !w->op) {
			unsigned here = 4096 - (a & 4095);
			host_bytes(p, a, bytes < here ? bytes : here, flags, pc);
		}
		return;
	}
	check_alloc *al = p->alloc ? &allocs[p->alloc - 1] : NULL;
	unsigned off = a & 4095;
	if (!al || off < p->lo || off + bytes > p->hi) {
		if (al && p->hi && off < p->hi && off + bytes > 4096 && p[1].alloc == p->alloc && off + bytes - 4096 <= p[1].hi) {
			host_access(w, a, 4096 - off, flags, pc);
			host_access(w, a + 4096 - off, bytes - (4096 - off), flags, pc);
			return;
		}
		al = check_alloc_near((void *)a, NULL);
		if (!al || (al->kind != CPUDEV_MEM_DEVICE && al->kind != CPUDEV_MEM_HEAP)) {
			out_of_bounds_heap(w, a, bytes, flags, pc);
			return;
		}
	}
	if (al->kind == CPUDEV_MEM_DEVICE || al->kind == CPUDEV_MEM_HEAP) {
		if (check_tools & TOOL_MEM && !check_seen("host-deref", pc)) {
			check_finding f;
			check_here(&f, TOOL_MEM, "host-deref", pc);
			snprintf(f.title, sizeof f.title, "the host dereferences device memory");
			snprintf(f.at.what, sizeof f.at.what, "%s %u byte%s", verb(flags), bytes, bytes == 1 ? "" : "s");
			check_describe_alloc(al, f.object, sizeof f.object);
			f.cause = "a cudaMalloc pointer means nothing on the host (on a GPU this is a crash): copy the data back with cudaMemcpy first, or use cudaMallocManaged";
			check_report(&f);
		}
		return;
	}
	if (!(check_tools & TOOL_HOST)) return;
	if (w->op) { // a host function in a stream: ordered as that operation
		w->floor = 0;
		w->segment = 0;
		w->block_id = 0;
		w->thread = 0;
		global_bytes(w, p, a, bytes, flags, pc, 0);
		w->segment = 0;
		return;
	}
	host_bytes(p, a, bytes, flags, pc);
}

// A copy's or a set's accesses, on the thread that does it.
void check_touch_op(check_op *op, const void *ptr, size_t bytes, int write)
{
	worker *w = &W;
	uintptr_t a = (uintptr_t)ptr, end = a + bytes;
	if (!bytes || !page_of(a)) return;
	check_variable *v = a - data_lo < data_bytes ? check_variable_at(ptr, 0) : NULL;
	if (a - data_lo < data_bytes && !v) return;
	check_op *keep = w->op;
	uint32_t keep_seg = w->segment, keep_floor = w->floor;
	int keep_kernel = w->in_kernel;
	w->op = op;
	w->in_kernel = 0;
	w->segment = 0;
	w->thread = 0;
	w->block_id = 0;
	w->grid_epoch = 0;
	w->floor = check_op_floor(op);
	while (a < end) {
		uintptr_t stop = (a | 4095) + 1;
		if (stop > end) stop = end;
		page *p = page_of(a);
		if (!p || (check_is_heap((void *)a) && !p->hi)) break;
		// Ragged ends: a granule is taken as touched whole.
		uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
		unsigned g = c ? 4u >> (c & 3) : 4u;
		uintptr_t lo = a, hi = stop;
		if (stop == (uintptr_t)ptr + bytes && check_is_heap((void *)a) && (stop & 4095) == p->hi) hi = (stop + g - 1) & ~(uintptr_t)(g - 1);
		global_bytes(w, p, lo, (unsigned)(hi - lo), write ? A_WRITE : 0, op->caller, 0);
		resolve(w, 0, 0);
		a = stop;
	}
	w->op = keep;
	w->segment = keep_seg;
	w->floor = keep_floor;
	w->in_kernel = keep_kernel;
	set_key(w);
}

size_t check_uninitialised(const void *ptr, size_t bytes, size_t *first)
{
	uintptr_t a = (uintptr_t)ptr, end = a + bytes;
	size_t total = 0, run = 0, runs = 0, longest = 0;
	if (!check_is_heap(ptr)) return 0;
	while (a < end) {
		page *p = &pages[(a - heap_lo) >> 12];
		uintptr_t c = p->cells;
		unsigned g = c ? 4u >> (c & 3) : 4096u, off = a & 4095;
		int set = 0;
		if (c) set = (c & 3) == MODE_BYTE ? ((record *)cells_at(c))[off] != 0 : cells_at(c)[off / g].w != 0;
		uintptr_t next = (a & ~(uintptr_t)(g - 1)) + g;
		if (next > end) next = end;
		if (!set) {
			if (!total && first) *first = (size_t)(a - (uintptr_t)ptr);
			if (!run) runs++;
			run += next - a;
			total += next - a;
			if (run > longest) longest = run;
		} else {
			run = 0;
		}
		a = next;
	}
	// Many short gaps, all alike: the padding of a struct (up to 12 bytes behind a float4 and an int).
	if (runs > 8 && (longest < 8 || longest == 12)) return 0;
	return longest < 4 && runs > 1 ? 0 : total;
}

void check_copy_init(void *dst, const void *src, size_t bytes)
{
	if (!check_is_heap(dst) || !check_is_heap(src) || ((uintptr_t)dst | (uintptr_t)src) & 3) return;
	for (size_t i = 0; i + 4 <= bytes; i += 4) {
		page *s = &pages[((uintptr_t)src + i - heap_lo) >> 12], *d = &pages[((uintptr_t)dst + i - heap_lo) >> 12];
		unsigned so = ((uintptr_t)src + i) & 4095, po = ((uintptr_t)dst + i) & 4095;
		if ((s->cells & 3) != MODE_WORD || (d->cells & 3) != MODE_WORD || !d->cells) continue;
		if (!s->cells || !cells_at(s->cells)[so / 4].w) cells_at(d->cells)[po / 4].w = 0;
	}
}

// ---- the one way in ---------------------------------------------------------------------------------

static void ub_settle(worker *w, uintptr_t a, unsigned bytes);
static void bulk_record(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);
static void struct_access(uintptr_t a, unsigned bytes, int flags, void *pc);
static int is_shared(worker *w, uintptr_t a);

static inline void forget(uintptr_t a, unsigned bytes)
{
	for (uintptr_t p = a & ~(uintptr_t)3; p < a + bytes; p += 4) *known_slot(p) = 0;
}

static void count_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
	uint8_t o = a - w->area[0].lo < w->area[0].bytes ? w->area[0].owner[a - w->area[0].lo] : 0;
	int shared = (o && o != 253) || a - w->area[1].lo < w->area[1].bytes;
	if (!shared && a - heap_lo >= heap_bytes) {
		if (!w->last_var || a - w->last_var->p >= w->last_var->bytes) w->last_var = check_variable_at((void *)a, 0);
		if (!w->last_var || w->last_var->kind == 'c') return;
	}
	counters_access(w->thread, a, bytes, flags & A_WRITE, flags & A_ATOMIC && !(flags & A_VOLATILE), shared, pc);
}

static inline __attribute__((always_inline)) void access_at(uintptr_t a, unsigned bytes, int flags, void *pc)
{
	worker *w = &W;
	if (unlikely(!w->in_kernel)) {
		if (unlikely(a - heap_lo < heap_bytes || a - data_lo < data_bytes || a - registered_lo < registered_bytes)) host_access(w, a, bytes, flags, pc);
		else if (unlikely(host_heap_bad(a, bytes))) out_of_bounds_host(a, bytes, flags, pc);
		return;
	}
	if (a - w->stack_lo < w->stack_bytes) {
		stack_access(w, a, bytes, flags, pc);
		return;
	}
	if (flags & A_WRITE) forget(a, bytes);
	if (unlikely(w->recording)) {
		if (w->recording == REGION_PLAIN) return; // in a function that was not inlined: all is on record
		bulk_record(w, a, bytes, flags, pc);
	}
	if (unlikely(w->busy)) {
		bulk_failed();
		if (w->late) acquire_late(w);
		resolve(w, a, flags & A_ATOMIC && !(w->pend && a == w->p.a && replaces(a, bytes, flags)));
		if (w->ub.on) ub_settle(w, a, bytes);
	}
	if (unlikely(check_tools & TOOL_COUNTERS)) {
		count_access(w, a, bytes, flags, pc);
		if (!(check_tools & ~TOOL_COUNTERS)) return;
	}
	if (a - w->area[0].lo < w->area[0].bytes) shared_access(w, &w->area[0], a, bytes, flags, pc);
	else if (a - heap_lo < heap_bytes) global_access(w, a, bytes, flags, pc);
	else if (a - w->area[1].lo < w->area[1].bytes) shared_access(w, &w->area[1], a, bytes, flags, pc);
	else other_access(w, a, bytes, flags, pc);
}

#define CALLER __builtin_return_address(0)
// ---- the usual accesses ------------------------------------------------------------------------------
//
// What nearly all accesses are: aligned, with nothing on record that this
// thread could be in conflict with. These functions return 1 if that was so and
// the access is on record now, else 0; then the functions above judge it.

// A record of shared memory is out of the way if a barrier has passed or it is
// this thread's own.
static inline int passed(const worker *w, record r) { return REC_SEG(r) < w->barrier_epoch || REC_THREAD(r) == w->thread; }

// Who wrote a granule has checked the bounds; a first write does.
static inline int in_one_variable(const struct check_area *ar, size_t off, unsigned bytes)
{
	uint8_t o = ar->owner[off];
	return ((uint8_t)(o - 1) < 252 || o == 254) && ar->owner[off + bytes - 1] == o;
}

// Of `bytes` at a: 0 if something is in the way, 2 if further reads bring nothing new.
static inline __attribute__((always_inline)) int usual_shared_granule(worker *w, const struct check_area *ar, record *cw, record *r1, record *r2,
	uintptr_t a, unsigned bytes, int write, record me)
{
	record old = *cw;
	if (!write) {
		if (unlikely(REC_SEG(old) < w->first_epoch || !passed(w, old))) return 0;
		return shared_read_note(w, r1, r2, me) && REC_SEG(old) < w->barrier_epoch ? 2 : 1;
	}
	if (REC_SEG(old) < w->first_epoch ? unlikely(!in_one_variable(ar, a - ar->lo, bytes)) : unlikely(!passed(w, old))) return 0;
	if (unlikely(!passed(w, *r1) || !passed(w, *r2))) return 0;
	*cw = me;
	*r1 = *r2 = 0;
	return 1;
}

static inline __attribute__((always_inline)) int usual_shared(worker *w, struct check_area *ar, uintptr_t a, unsigned bytes, int write, void *pc)
{
	record me = REC_MAKE(w->epoch, 0, w->thread, pc);
	unsigned step = bytes < 4 ? bytes : 4;
	shared_touched(w);
	for (uintptr_t end = a + bytes; a < end; a += step) {
		size_t off = a - ar->lo;
		struct check_cell *c = &ar->cells[off >> 2];
		if (likely(step == 4 && c->byte_epoch < w->first_epoch)) {
			int how = usual_shared_granule(w, ar, &c->w, &c->r1, &c->r2, a, 4, write, me);
			if (unlikely(!how)) return 0;
			if (how == 2) make_known(w, a, WORD);
		} else if (c->byte_epoch >= w->first_epoch) {
			struct check_byte_cell *b = &ar->byte_cells[off];
			for (unsigned k = 0; k < step; k++)
				if (!usual_shared_granule(w, ar, &b[k].w, &b[k].r1, &b[k].r2, a + k, 1, write, me)) return 0;
		} else {
			return 0;
		}
	}
	return 1;
}

// A record of global memory: if it is over before this operation, or this
// thread's own.
static inline int over(const worker *w, record r) { return REC_SEG(r) < w->floor || (REC_SEG(r) == w->segment && REC_THREAD(r) == w->thread); }

static inline __attribute__((always_inline)) int usual_granule(worker *w, gcell *g, uint32_t *second, uintptr_t a, int kind, int write, record me)
{
	record old = __atomic_load_n(&g->w, __ATOMIC_RELAXED), r = __atomic_load_n(&g->r1, __ATOMIC_RELAXED);
	if (write) {
		if (unlikely(*second || !over(w, old) || !over(w, r))) return 0;
		__atomic_store_n(&g->w, me, __ATOMIC_RELAXED);
		if (r) __atomic_store_n(&g->r1, 0, __ATOMIC_RELAXED);
		return 1;
	}
	if (unlikely(!old || !over(w, old))) return 0;
	if (r && REC_SEG(r) >= w->floor && other_reader(w, r, *second)) {
		uint32_t y = *second;
		if (!y || widen(y) < w->floor || REC_SEG(r) != w->segment) *second = y = REC32_MAKE(REC_SEG(r), REC_THREAD(r));
		// This thread and another are on record; later readers of the segment are like them.
		if (w->loops && REC_SEG(r) == w->segment && REC_SEG(old) < w->floor && y != REC32_MAKE(w->segment, w->thread)) make_known(w, a, kind);
	}
	__atomic_store_n(&g->r1, me, __ATOMIC_RELAXED);
	return 1;
}

// In pages of single bytes there is room for one reader.
static inline __attribute__((always_inline)) int usual_byte(worker *w, record *cw, uint32_t *reader, int write, record me)
{
	record old = __atomic_load_n(cw, __ATOMIC_RELAXED);
	uint32_t y = *reader;
	if (write) {
		if (unlikely(y || !over(w, old))) return 0;
		__atomic_store_n(cw, me, __ATOMIC_RELAXED);
		return 1;
	}
	if (unlikely(!old || !over(w, old))) return 0;
	if (!y || widen(y) < w->floor) *reader = REC32_MAKE(w->segment, w->thread);
	return 1;
}

static inline __attribute__((always_inline)) int usual_global(worker *w, uintptr_t a, unsigned bytes, int write, void *pc)
{
	const page *p = &pages[(a - heap_lo) >> 12];
	unsigned off = a & 4095;
	uintptr_t cells = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
	if (unlikely(off + bytes > p->hi || !cells || !w->segment)) return 0;
	gcell *g = cells_at(cells);
	record me = REC_MAKE(w->segment, 0, w->thread, pc);
	if (bytes >= 4 && likely((cells & 3) == MODE_WORD)) {
		uint32_t *second = (uint32_t *)((char *)g + 1024 * sizeof *g);
		if (write) lines_settle(cells, off, bytes);
		for (unsigned i = 0; i < bytes; i += 4)
			if (!usual_granule(w, &g[(off + i) / 4], &second[(off + i) / 4], a + i, WORD, write, me)) return 0;
		return 1;
	}
	if (bytes >= 2 && (cells & 3) == MODE_HALF) {
		uint32_t *second = (uint32_t *)((char *)g + 2048 * sizeof *g);
		for (unsigned i = 0; i < bytes; i += 2)
			if (!usual_granule(w, &g[(off + i) / 2], &second[(off + i) / 2], a + i, HALF, write, me)) return 0;
		return 1;
	}
	if ((cells & 3) == MODE_BYTE) {
		uint32_t *reader = (uint32_t *)((char *)g + 4096 * sizeof(record));
		for (unsigned i = 0; i < bytes; i++)
			if (!usual_byte(w, (record *)g + off + i, &reader[off + i], write, me)) return 0;
		return 1;
	}
	return 0;
}

static __attribute__((noinline)) void access_out_of_line(uintptr_t a, unsigned bytes, int flags, void *pc) { access_at(a, bytes, flags, pc); }

static inline __attribute__((always_inline)) void usual(uintptr_t a, unsigned bytes, int write, void *pc)
{
	worker *w = &W;
	if (likely(w->known_key != KEY_OFF && !(a & (bytes - 1)))) {
		if (a - w->stack_lo < w->stack_bytes) {
			stack_access(w, a, bytes, write ? A_WRITE : 0, pc);
			return;
		}
		if (write) forget(a, bytes);
		if (a - heap_lo < heap_bytes) {
			if (likely(usual_global(w, a, bytes, write, pc))) return;
		} else if (a - w->area[0].lo < w->area[0].bytes) {
			if (likely(usual_shared(w, &w->area[0], a, bytes, write, pc))) return;
		} else if (a - w->area[1].lo < w->area[1].bytes) {
			if (likely(usual_shared(w, &w->area[1], a, bytes, write, pc))) return;
		}
	}
	if (w->counting) {
		if (a - w->stack_lo >= w->stack_bytes) count_access(w, a, bytes, write ? A_WRITE : 0, pc);
		return;
	}
	if (bytes == 16 && !write) struct_access(a, bytes, 0, pc);
	else access_out_of_line(a, bytes, write ? A_WRITE : 0, pc);
}

// Are all words of an aligned read known?
static inline int all_known(uintptr_t a, unsigned bytes)
{
	const worker *w = &W;
	if (bytes < 4) return known(w, a, bytes == 2 ? HALF : BYTE);
	if (bytes > 4 && a & (bytes - 1)) return 0;
	for (unsigned i = 0; i < bytes; i += 4)
		if (!known(w, a + i, WORD)) return 0;
	return 1;
}

#define USUAL(n) \
	static __attribute__((noinline)) void read##n(uintptr_t a, void *pc) { usual(a, n, 0, pc); } \
	static __attribute__((noinline)) void write##n(uintptr_t a, void *pc) { usual(a, n, 1, pc); } \
	void __tsan_read##n(void *a); \
	void __tsan_read##n(void *a) { if (!likely(all_known((uintptr_t)a, n))) read##n((uintptr_t)a, CALLER); } \
	void __tsan_write##n(void *a); \
	void __tsan_write##n(void *a) { write##n((uintptr_t)a, CALLER); }
USUAL(1)
USUAL(2)
USUAL(4)
USUAL(8)
USUAL(16)
// The last write of a byte of shared memory.
static const record *shared_record(const worker *w, uintptr_t a)
{
	const struct check_area *ar = a - w->area[0].lo < w->area[0].bytes ? &w->area[0] : &w->area[1];
	size_t off = a - ar->lo;
	return ar->cells[off >> 2].byte_epoch >= w->first_epoch ? &ar->byte_cells[off].w : &ar->cells[off >> 2].w;
}

static int is_variable(const worker *w, uintptr_t a)
{
	const struct check_area *ar = a - w->area[0].lo < w->area[0].bytes ? &w->area[0] : &w->area[1];
	uint8_t o = a - ar->lo < ar->bytes ? ar->owner[a - ar->lo] : 0;
	return o && o != 253 && o != 255;
}

#include "check_bulk.inc"

// A struct is copied whole, its padding too. Padding is never as long as the
// struct's alignment, so a longer gap is a member that nobody has written.
static void range_initialised(worker *w, uintptr_t a, size_t bytes, size_t align, void *pc)
{
	if (!(check_tools & TOOL_INIT)) return;
	size_t gap = 0, set = 0;
	uintptr_t longest = 0;
	int shared = is_shared(w, a);
	for (uintptr_t p = a; p < a + bytes; p++) {
		check_alloc *al = shared ? NULL : (p & 4095) == 0 || p == a ? check_alloc_near((void *)p, NULL) : NULL;
		if (al && (al->freed || a + bytes > al->base + al->bytes)) return; // that will be said
		if (al && al->kind != CPUDEV_MEM_DEVICE && al->kind != CPUDEV_MEM_HEAP) return;
		if (shared && !is_variable(w, p)) return; // the core's own, or beyond the end
		if (shared ? REC_SEG(*shared_record(w, p)) >= w->first_epoch : last_write(p) != 0) {
			gap = 0;
			set++;
		} else if (++gap >= align && !longest)
			longest = p + 1 - gap;
	}
	if (!longest && set) return;
	uintptr_t at = longest ? longest : a;
	unsigned n = (unsigned)(longest ? align : bytes);
	if (shared) unset_read(w, shared_record(w, at), at, n, 0, pc);
	else report_uninit(w, at, n, 0, pc, 0);
}

// 16 bytes, or less that need not lie at a multiple of as many, may be a struct's.
static __attribute__((noinline)) void struct_access(uintptr_t a, unsigned bytes, int flags, void *pc)
{
	worker *w = &W;
	if (w->in_kernel && !(flags & A_WRITE) && bytes > 1 && a - w->stack_lo >= w->stack_bytes && (check_is_heap((void *)a) || is_shared(w, a))) {
		range_initialised(w, a, bytes, bytes / 2, pc);
		flags |= A_PADDED;
	}
	access_at(a, bytes, flags, pc);
}

#define ACCESS(n) \
	void __tsan_unaligned_read##n(void *a); \
	void __tsan_unaligned_read##n(void *a) { struct_access((uintptr_t)a, n, A_RANGE, CALLER); } \
	void __tsan_unaligned_write##n(void *a); \
	void __tsan_unaligned_write##n(void *a) { struct_access((uintptr_t)a, n, A_WRITE | A_RANGE, CALLER); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

static void access_range(uintptr_t a, size_t bytes, int flags, void *pc)
{
	if (check_tools & TOOL_COUNTERS && W.in_kernel && !(check_tools & ~TOOL_COUNTERS)) {
		// As nvcc would: pieces of four bytes, unless size and address allow more.
		unsigned piece = bytes % 16 == 0 && bytes > 16 && a % 16 == 0 ? 16 : bytes % 4 == 0 && a % 4 == 0 ? 4 : bytes % 2 == 0 && a % 2 == 0 ? 2 : 1;
		for (size_t i = 0; i < bytes; i += piece) access_at(a + i, piece, flags | A_RANGE, (char *)pc + (i / piece & 15));
		return;
	}
	if (W.in_kernel && a - W.args_lo < W.args_bytes) return;
	if (W.in_kernel && a - W.stack_lo < W.stack_bytes) {
		stack_access(&W, a, bytes, flags, pc);
		return;
	}
	if (W.in_kernel && !(flags & A_WRITE) && (check_is_heap((void *)a) || is_shared(&W, a))) {
		range_initialised(&W, a, bytes, bytes % 8 ? 4 : bytes % 16 ? 8 : 16, pc);
		flags |= A_PADDED;
	}
	while (bytes) {
		unsigned n = bytes > 64 ? 64 : (unsigned)bytes;
		if ((a & 4095) + n > 4096) n = (unsigned)(4096 - (a & 4095));
		access_at(a, n, flags | A_RANGE, pc);
		a += n;
		bytes -= n;
	}
}

void __tsan_read_range(void *a, unsigned long n);
void __tsan_read_range(void *a, unsigned long n) { access_range((uintptr_t)a, n, 0, CALLER); }
void __tsan_write_range(void *a, unsigned long n);
void __tsan_write_range(void *a, unsigned long n) { access_range((uintptr_t)a, n, A_WRITE, CALLER); }
void __tsan_vptr_update(void **p, void *v);
void __tsan_vptr_update(void **p, void *v) 
{
	if (W.in_kernel) add_to_set(&made_by_kernel, (uintptr_t)v);
	else if (check_is_heap(p)) add_to_set(&made_by_host, (uintptr_t)v);
	access_at((uintptr_t)p, 8, A_WRITE, CALLER);
}
void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p) { access_at((uintptr_t)p, 8, 0, CALLER); }
void __tsan_init(void);
void __tsan_init(void) { }
void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void);
void __tsan_func_exit(void) { }

void *cpudev_check_memcpy(void *restrict d, const void *restrict s, size_t n);
void *cpudev_check_memcpy(void *restrict d, const void *restrict s, size_t n)
{
	access_range((uintptr_t)s, n, 0, CALLER);
	access_range((uintptr_t)d, n, A_WRITE, CALLER);
	return memcpy(d, s, n);
}
void *cpudev_check_memmove(void *d, const void *s, size_t n);
void *cpudev_check_memmove(void *d, const void *s, size_t n)
{
	access_range((uintptr_t)s, n, 0, CALLER);
	access_range((uintptr_t)d, n, A_WRITE, CALLER);
	return memmove(d, s, n);
}
void *cpudev_check_memset(void *d, int c, size_t n);
void *cpudev_check_memset(void *d, int c, size_t n)
{
	access_range((uintptr_t)d, n, A_WRITE, CALLER);
	return memset(d, c, n);
}

// The program's own malloc and new are known by their sizes, for the host's side of copies.
typedef struct host_block { uintptr_t p; size_t bytes, usable; void *freed_at; struct host_block *next; } host_block;
static void *host_blocks;
static pthread_mutex_t host_blocks_lock = PTHREAD_MUTEX_INITIALIZER;

// What was freed last waits a while before it may be given out again, so that a use of it is seen.
enum { QUARANTINE = 16 << 20 };
static host_block *oldest_freed, **newest_freed = &oldest_freed;
static size_t quarantined;

static int zone_byte(uintptr_t p) { return (int)(p * 0x9e3779b97f4a7c15u >> 56) | 1; }

static int by_range(const void *a, const void *b)
{
	const host_block *x = a, *y = b;
	if (x->p + x->bytes <= y->p) return -1;
	return x->p >= y->p + y->bytes;
}

static void *host_malloc(size_t n)
{
	if (n < 16 || n > SIZE_MAX - 64) return malloc(n); // not worth it
	size_t whole = ((n + 15) & ~(size_t)15) + HOST_ZONE;
	void *p = malloc(whole);
	host_block *b = p ? calloc(1, sizeof *b) : NULL;
	if (!b) return p;
	b->p = (uintptr_t)p;
	b->bytes = n;
	b->usable = malloc_usable_size(p);
	memset((char *)p + n, zone_byte(b->p), whole - n); // not up to `usable`: a fortified memset() would abort
	pthread_mutex_lock(&host_blocks_lock);
	for (host_block **at; (at = tsearch(b, &host_blocks, by_range)) && *at != b;) { // the old owner was freed by code that is not watched
		host_block *old = *at;
		tdelete(old, &host_blocks, by_range);
		host_shadow_clear(old->p, old->bytes);
		if (!old->freed_at) free(old); // else it waits in the queue below
		else old->p = 0;
	}
	host_shadow_set(b->p, n, 0);
	pthread_mutex_unlock(&host_blocks_lock);
	return p;
}

// The block that a bad access meant. 0 if what is known of it is out of date:
// code that is not watched has freed it or made it longer.
static int host_block_at(uintptr_t a, uintptr_t *p, size_t *bytes, void **freed_at)
{
	int found = 0;
	pthread_mutex_lock(&host_blocks_lock);
	for (unsigned back = 0; back <= 32 && !found; back += 16) {
		host_block one = {(a - back) & ~(uintptr_t)15, 1, 0, NULL, NULL}, **at = tfind(&one, &host_blocks, by_range);
		const host_block *b = at ? *at : NULL;
		if (!b || a - b->p >= b->bytes + 32 || malloc_usable_size((void *)b->p) != b->usable) continue;
		const unsigned char *zone = (unsigned char *)b->p + b->bytes;
		if (!b->freed_at && zone[0] != zone_byte(b->p) && zone[HOST_ZONE - 1] != zone_byte(b->p)) continue;
		*p = b->p;
		*bytes = b->bytes;
		*freed_at = b->freed_at;
		found = 1;
	}
	pthread_mutex_unlock(&host_blocks_lock);
	return found;
}

static void host_free(void *p, void *pc)
{
	host_block one = {(uintptr_t)p, 1, 0, NULL, NULL}, *b = NULL;
	pthread_mutex_lock(&host_blocks_lock);
	host_block **at = tfind(&one, &host_blocks, by_range);
	if (at && (*at)->p == (uintptr_t)p) b = *at;
	void *before = b ? b->freed_at : NULL;
	if (b && !before) {
		b->freed_at = pc;
		*newest_freed = b;
		newest_freed = &b->next;
		quarantined += b->bytes;
		if (b->bytes <= QUARANTINE) host_shadow_set(b->p, b->bytes, 1);
	}
	while (quarantined > QUARANTINE) {
		host_block *o = oldest_freed;
		oldest_freed = o->next;
		if (!oldest_freed) newest_freed = &oldest_freed;
		quarantined -= o->bytes;
		if (o->p) {
			tdelete(o, &host_blocks, by_range);
			host_shadow_clear(o->p, o->bytes);
			free((void *)o->p);
		}
		free(o);
	}
	pthread_mutex_unlock(&host_blocks_lock);
	if (check_host_free(p, pc, before) && before) return;
	if (!b) free(p);
}

// What the compiler knows of the host's side of the copy that is about to be made (cpudev_templates.h).
static __thread struct { const void *p; size_t bytes; } objects[2];
void cpudev_check_objects(const void *dst, size_t dst_bytes, const void *src, size_t src_bytes);
void cpudev_check_objects(const void *dst, size_t dst_bytes, const void *src, size_t src_bytes)
{
	objects[0].p = dst;
	objects[0].bytes = dst_bytes;
	objects[1].p = src;
	objects[1].bytes = src_bytes;
}

void check_objects_end(void) { objects[0].p = objects[1].p = NULL; }

// Bytes from p to the end of the host block it lies in; -1 if it lies in none that is known.
long check_host_room(const void *p, size_t *bytes, void **freed_at)
{
	host_block one = {(uintptr_t)p, 1, 0, NULL, NULL};
	long room = -1;
	pthread_mutex_lock(&host_blocks_lock);
	host_block **at = tfind(&one, &host_blocks, by_range);
	for (int i = 0; i < 2; i++)
		if (p && objects[i].p == p && objects[i].bytes != (size_t)-1) room = (long)(*bytes = objects[i].bytes);
	if (at) {
		room = (long)((*at)->p + (*at)->bytes - (uintptr_t)p);
		*bytes = (*at)->bytes;
		*freed_at = (*at)->freed_at;
	}
	pthread_mutex_unlock(&host_blocks_lock);
	return room;
}

// malloc and new of a kernel are device memory.
void *cpudev_check_malloc(size_t n);
void cpudev_check_free(void *p);
static void *kernel_malloc(size_t n, void *pc)
{
	if (!W.in_kernel) return host_malloc(n);
	cpudev_call keep = cpudev_api;
	cpudev_api = (cpudev_call){"malloc", pc, NULL};
	void *p = check_heap_alloc(CPUDEV_MEM_HEAP, n);
	cpudev_api = keep;
	return p;
}
static void kernel_free(void *p, void *pc)
{
	if (!p) return;
	if (!check_is_heap(p) && !W.in_kernel) {
		host_free(p, pc);
		return;
	}
	cpudev_call keep = cpudev_api;
	cpudev_api = (cpudev_call){"free", pc, NULL};
	check_heap_free(CPUDEV_MEM_HEAP, p);
	cpudev_api = keep;
}
void *cpudev_check_malloc(size_t n) { return kernel_malloc(n, CALLER); }
void *cpudev_check_calloc(size_t n, size_t each);
void *cpudev_check_calloc(size_t n, size_t each)
{
	if (W.in_kernel || (each && n > SIZE_MAX / each)) return calloc(n, each); // our headers': CUDA has none for kernels
	void *p = host_malloc(n * each);
	return p ? memset(p, 0, n * each) : NULL;
}
void *cpudev_check_realloc(void *old, size_t n);
void *cpudev_check_realloc(void *old, size_t n)
{
	size_t bytes = 0;
	void *freed_at = NULL;
	if (W.in_kernel) return realloc(old, n);
	if (check_is_heap(old)) { // never malloc's: says so
		cpudev_api = (cpudev_call){"realloc", CALLER, NULL};
		check_heap_free(CPUDEV_MEM_HEAP, old);
		cpudev_api.name = NULL;
		return NULL;
	}
	if (!old) return host_malloc(n);
	if (check_host_room(old, &bytes, &freed_at) < 0 || freed_at || !n) return realloc(old, n);
	void *p = host_malloc(n);
	if (!p) return NULL;
	memcpy(p, old, bytes < n ? bytes : n);
	host_free(old, CALLER);
	return p;
}
void cpudev_check_free(void *p) { kernel_free(p, CALLER); }
void *_Znwm(size_t n);
void *_Znam(size_t n);
void _ZdlPv(void *p);
void _ZdaPv(void *p);
void _ZdlPvm(void *p, size_t n);
void _ZdaPvm(void *p, size_t n);
static void *new_or_die(size_t n, void *pc)
{
	void *p = kernel_malloc(n ? n : 1, pc);
	if (!p && !W.in_kernel) {
		fprintf(stderr, "out of memory\n");
		abort();
	}
	return p;
}
void *_Znwm(size_t n) { return new_or_die(n, CALLER); }
void *_Znam(size_t n) { return new_or_die(n, CALLER); }
void _ZdlPv(void *p) { kernel_free(p, CALLER); }
void _ZdaPv(void *p) { kernel_free(p, CALLER); }
void _ZdlPvm(void *p, size_t n) { (void)n; kernel_free(p, CALLER); }
void _ZdaPvm(void *p, size_t n) { (void)n; kernel_free(p, CALLER); }

// For device code of the runtime's own headers that the pass does not see.
void cpudev_check_touch(const void *p, size_t bytes, int write);
void cpudev_check_touch(const void *p, size_t bytes, int write)
{
	access_range((uintptr_t)p, bytes, write ? A_WRITE : 0, CALLER);
}

void check_touch_at(const void *p, size_t bytes, void *pc) { access_range((uintptr_t)p, bytes, 0, pc); }

void check_misuse(int tool, const char *kind, const char *title, const char *cause, void *pc)
{
	if (!W.in_kernel || !(check_tools & tool) || W.op->killed || check_seen(kind, pc)) return;
	check_finding f;
	check_here(&f, tool, kind, pc);
	snprintf(f.title, sizeof f.title, "%s", title);
	f.cause = cause;
	check_report(&f);
}

// ---- volatile and atomic: flags, locks ---------------------------------------------------------------

static inline void poll_note(worker *w, uintptr_t a, void *pc)
{
	if (a == w->poll_a && pc == w->poll_pc && w->thread == w->poll_thread) {
		if (++w->polls >= 2) {
			w->polls = 0;
			resolve(w, 0, 0);
			cpudev_yield();
		}
	} else {
		w->poll_a = a;
		w->poll_pc = pc;
		w->poll_thread = w->thread;
		w->polls = 0;
	}
}

static void host_wrote_flag(void)
{
	host_flags = 1;
	check_host_tick(); // what it writes from here on is not published
}

static int is_shared(worker *w, uintptr_t a)
{
	return a - w->area[0].lo < w->area[0].bytes || a - w->area[1].lo < w->area[1].bytes;
}

static void volatile_read(uintptr_t a, unsigned bytes, void *pc)
{
	worker *w = &W;
	if (!w->in_kernel || a - w->stack_lo < w->stack_bytes) {
		access_at(a, bytes, A_ATOMIC | A_VOLATILE, pc);
		if (!w->in_kernel && page_of(a)) w->late_a = a;
		return;
	}
	// A volatile read of what a volatile write behind a fence wrote is a flag.
	poll_note(w, a, pc);
	if (is_shared(w, a)) {
		struct check_area *ar = a - w->area[0].lo < w->area[0].bytes ? &w->area[0] : &w->area[1];
		record r = ar->cells[(a - ar->lo) >> 2].w;
		if (REC_ATOMIC(r) && REC_SEG(r) >= w->first_epoch) {
			access_at(a, bytes, A_ATOMIC | A_VOLATILE, pc);
			w->late = w->busy = 1;
			look_at_all(w);
		} else {
			access_at(a, bytes, A_VOLATILE, pc);
		}
		return;
	}
	access_at(a, bytes, A_ATOMIC | A_VOLATILE, pc);
	w->late = w->busy = 1; // the load comes after this call: what it sees is acquired at the next access
	w->late_a = a;
	look_at_all(w);
}

static void volatile_write(uintptr_t a, unsigned bytes, void *pc)
{
	worker *w = &W;
	if (!w->in_kernel || a - w->stack_lo < w->stack_bytes) {
		access_at(a, bytes, A_WRITE | A_ATOMIC | A_VOLATILE, pc);
		if (!w->in_kernel && page_of(a)) host_wrote_flag();
		return;
	}
	int fenced = w->fenced[w->thread & 1023];
	access_at(a, bytes, A_WRITE | A_VOLATILE | (fenced || !is_shared(w, a) ? A_ATOMIC : 0), pc);
	if (fenced) release_now(w, fenced == FENCE_DEVICE);
}

#define VOLATILE(n) \
	void __tsan_volatile_read##n(void *a); \
	void __tsan_volatile_read##n(void *a) { volatile_read((uintptr_t)a, n, CALLER); } \
	void __tsan_volatile_write##n(void *a); \
	void __tsan_volatile_write##n(void *a) { volatile_write((uintptr_t)a, n, CALLER); } \
	void __tsan_unaligned_volatile_read##n(void *a); \
	void __tsan_unaligned_volatile_read##n(void *a) { volatile_read((uintptr_t)a, n, CALLER); } \
	void __tsan_unaligned_volatile_write##n(void *a); \
	void __tsan_unaligned_volatile_write##n(void *a) { volatile_write((uintptr_t)a, n, CALLER); }
VOLATILE(1)
VOLATILE(2)
VOLATILE(4)
VOLATILE(8)
VOLATILE(16)

enum { ACQ = 1, REL = 2 };
static inline int order_bits(int mo)
{
	switch (mo & 0xffff) {
	case __ATOMIC_RELAXED: return 0;
	case __ATOMIC_CONSUME:
	case __ATOMIC_ACQUIRE: return ACQ;
	case __ATOMIC_RELEASE: return REL;
	default: return ACQ | REL;
	}
}

// Set around an atomic whose scope is the block (1), and around one that names
// its order (2), as those of <cuda/atomic> do: a relaxed one acquires nothing.
__thread int cpudev_check_atomic_kind;
enum { KIND_BLOCK = 1, KIND_ORDERED = 2 };

// What it returns is for atomic_done: another thread may have run in between.
static int atomic_note(uintptr_t a, unsigned bytes, int flags, int mo, void *pc)
{
	worker *w = &W;
	int kind = cpudev_check_atomic_kind;
	if (!w->in_kernel) {
		if (!page_of(a)) return kind;
		access_at(a, bytes, (flags & A_WRITE) | A_ATOMIC, pc);
		if (flags & A_READ_TOO) host_acquire(a);
		if (flags & A_WRITE) host_wrote_flag();
		return kind;
	}
	if (a - w->stack_lo < w->stack_bytes) return kind;
	if (!(flags & A_WRITE) || flags & A_READ_TOO) poll_note(w, a, pc);
	access_at(a, bytes, flags | A_ATOMIC | (kind & KIND_BLOCK ? A_BLOCK : 0), pc);
	int fenced = w->fenced[w->thread & 1023];
	if (flags & A_WRITE && (fenced || order_bits(mo) & REL)) release_now(w, fenced == FENCE_DEVICE || (order_bits(mo) & REL && !(kind & KIND_BLOCK)));
	return kind;
}

// After the operation, so that a release that it saw is counted.
static inline void atomic_done(const volatile void *a, int mo, int kind)
{
	if (kind & KIND_ORDERED && !(order_bits(mo) & ACQ)) return;
	if (!W.in_kernel) {
		if (page_of((uintptr_t)a)) host_acquire((uintptr_t)a);
		return;
	}
	acquire_now(&W);
	if (unlikely(host_flags)) acquire_from_host(&W, last_write((uintptr_t)a));
}

#define ATOMICS(bits, type) \
	type __tsan_atomic##bits##_load(const volatile type *a, int mo); \
	type __tsan_atomic##bits##_load(const volatile type *a, int mo) \
	{ int kind = atomic_note((uintptr_t)a, sizeof *a, 0, mo, CALLER); type v = __atomic_load_n(a, __ATOMIC_SEQ_CST); atomic_done(a, mo, kind); return v; } \
	void __tsan_atomic##bits##_store(volatile type *a, type v, int mo); \
	void __tsan_atomic##bits##_store(volatile type *a, type v, int mo) \
	{ atomic_note((uintptr_t)a, sizeof *a, A_WRITE, mo, CALLER); __atomic_store_n(a, v, __ATOMIC_SEQ_CST); } \
	type __tsan_atomic##bits##_exchange(volatile type *a, type v, int mo); \
	type __tsan_atomic##bits##_exchange(volatile type *a, type v, int mo) \
	{ exchanged = v; \
	  int kind = atomic_note((uintptr_t)a, sizeof *a, A_WRITE | A_READ_TOO | A_EXCHANGE, mo, CALLER); \
	  type old = __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST); atomic_done(a, mo, kind); return old; } \
	RMW(bits, type, fetch_add, __atomic_fetch_add) \
	RMW(bits, type, fetch_sub, __atomic_fetch_sub) \
	RMW(bits, type, fetch_and, __atomic_fetch_and) \
	RMW(bits, type, fetch_or, __atomic_fetch_or) \
	RMW(bits, type, fetch_xor, __atomic_fetch_xor) \
	RMW(bits, type, fetch_nand, __atomic_fetch_nand) \
	int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int mo, int fmo); \
	int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int mo, int fmo) \
	{ (void)fmo; int kind = atomic_note((uintptr_t)a, sizeof *a, A_WRITE | A_READ_TOO, mo, CALLER); \
	  int done = __atomic_compare_exchange_n(a, c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); atomic_done(a, mo, kind); return done; } \
	int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int mo, int fmo); \
	int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int mo, int fmo) \
	{ (void)fmo; int kind = atomic_note((uintptr_t)a, sizeof *a, A_WRITE | A_READ_TOO, mo, CALLER); \
	  int done = __atomic_compare_exchange_n(a, c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); atomic_done(a, mo, kind); return done; } \
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int mo, int fmo); \
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int mo, int fmo) \
	{ (void)fmo; int kind = atomic_note((uintptr_t)a, sizeof *a, A_WRITE | A_READ_TOO, mo, CALLER); \
	  __atomic_compare_exchange_n(a, &c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); atomic_done(a, mo, kind); return c; }
#define RMW(bits, type, name, builtin) \
	type __tsan_atomic##bits##_##name(volatile type *a, type v, int mo); \
	type __tsan_atomic##bits##_##name(volatile type *a, type v, int mo) \
	{ int kind = atomic_note((uintptr_t)a, sizeof *a, A_WRITE | A_READ_TOO, mo, CALLER); type old = builtin(a, v, __ATOMIC_SEQ_CST); atomic_done(a, mo, kind); return old; }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

static void check_fence(int scope)
{
	worker *w = &W;
	if (!w->in_kernel) return;
	uint8_t *fenced = &w->fenced[w->thread & 1023];
	if (*fenced != FENCE_DEVICE) *fenced = scope ? FENCE_DEVICE : FENCE_BLOCK;
	w->used_sync = 1;
	acquire_now(w);
}

void __tsan_atomic_thread_fence(int mo);
void __tsan_atomic_thread_fence(int mo)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (mo != __ATOMIC_RELAXED) check_fence(1);
}
void __tsan_atomic_signal_fence(int mo);
void __tsan_atomic_signal_fence(int mo) { (void)mo; }

// ---- indices beyond a declared array (-fsanitize=bounds) ------------------------------------------------

typedef struct { uint16_t kind, info; char name[]; } ub_type;
typedef struct { const char *file; uint32_t line, column; ub_type *array, *index; } ub_data;

static void ub_report(worker *w)
{
	w->ub.on = 0;
	w->busy = w->pend != 0;
	set_key(w);
	if (!(check_tools & TOOL_MEM) || check_seen("array-bounds", w->ub.pc)) return;
	check_finding f;
	uint32_t keep = w->thread;
	w->thread = w->ub.thread;
	check_here(&f, TOOL_MEM, "array-bounds", w->ub.pc);
	w->thread = keep;
	f.file = w->ub.file;
	f.line = (int)w->ub.line;
	snprintf(f.title, sizeof f.title, "index %ld is out of bounds of an array of type %s", w->ub.index, w->ub.type);
	f.cause = "valid indices run from 0 to the dimension minus one";
	check_report(&f);
}

// Does this access settle what the index was about? In a matrix declared as
// one object, an index beyond a row may still be inside the whole.
static void ub_settle(worker *w, uintptr_t a, unsigned bytes)
{
	if (w->thread != w->ub.thread) { // loops over the threads do not say when they go on to the next
		ub_report(w);
		return;
	}
	uintptr_t base = 0;
	size_t size = 0;
	if (a - w->area[0].lo < w->area[0].bytes) {
		int o = w->area[0].owner[a - w->area[0].lo];
		if (o && o < 253) {
			base = w->var[o].p;
			size = w->var[o].bytes;
		}
	} else if (a - w->area[1].lo < w->area[1].bytes) {
		base = w->area[1].lo;
		size = w->own_dynamic;
	} else if (a - data_lo < data_bytes) {
		check_variable *v = check_variable_at((void *)a, 0);
		if (v) {
			base = v->p;
			size = v->bytes;
		}
	}
	size_t row = w->ub.bound * bytes;
	if (base && row && size >= 2 * row && (w->ub.elem == 0 || w->ub.elem == bytes)) {
		long start = (long)(a - base) - w->ub.index * (long)bytes;
		if (start >= 0 && start % (long)row == 0 && (size_t)start < size) {
			w->ub.on = 0;
			w->busy = w->pend != 0;
			set_key(w);
			return;
		}
	}
	if (--w->ub.left <= 0) ub_report(w);
}

static unsigned elem_size(const char *type)
{
	static const struct { const char *name; unsigned bytes; } known[] = {{"float", 4}, {"double", 8}, {"int", 4}, {"unsigned int", 4},
		{"char", 1}, {"unsigned char", 1}, {"short int", 2}, {"short unsigned int", 2}, {"long int", 8}, {"long unsigned int", 8}, {"bool", 1}};
	if (*type == '\'') type++;
	if (!strncmp(type, "volatile ", 9)) type += 9;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		size_t n = strlen(known[i].name);
		if (!strncmp(type, known[i].name, n) && type[n] == ' ' && type[n + 1] == '[') return known[i].bytes;
	}
	return 0;
}

void __ubsan_handle_out_of_bounds(ub_data *d, uintptr_t index);
void __ubsan_handle_out_of_bounds(ub_data *d, uintptr_t index)
{
	worker *w = &W;
	if (w->ub.on) ub_report(w);
	long i = (long)index;
	unsigned bits = 1u << (d->index->info >> 1);
	if (d->index->info & 1 && bits < 64) i = (long)((int64_t)((uint64_t)index << (64 - bits)) >> (64 - bits));
	w->ub.on = 1;
	w->ub.left = 12;
	w->ub.pc = CALLER;
	w->ub.file = d->file;
	w->ub.line = d->line;
	w->ub.index = i;
	w->ub.thread = w->thread;
	snprintf(w->ub.type, sizeof w->ub.type, "%s", d->array->name);
	size_t n = strlen(w->ub.type); // drop the quotes
	if (n > 1 && w->ub.type[0] == '\'') {
		memmove(w->ub.type, w->ub.type + 1, n - 2);
		w->ub.type[n - 2] = 0;
	}
	const char *b = strrchr(w->ub.type, '[');
	w->ub.bound = b ? strtoul(b + 1, NULL, 10) : 0;
	w->ub.elem = elem_size(d->array->name);
	const char *first = strchr(w->ub.type, '[');
	if (!w->in_kernel || !b || first != b || !w->ub.bound) ub_report(w);
	else {
		w->busy = 1;
		look_at_all(w);
	}
}
void __ubsan_handle_out_of_bounds_abort(ub_data *d, uintptr_t index);
void __ubsan_handle_out_of_bounds_abort(ub_data *d, uintptr_t index) { __ubsan_handle_out_of_bounds(d, index); }

// ---- what the core tells -------------------------------------------------------------------------------------

static void settle(worker *w)
{
	if (w->late) acquire_late(w);
	resolve(w, 0, 0);
	if (w->ub.on) ub_report(w);
}

static void add_shared(worker *w, const char *name, uintptr_t p, size_t bytes)
{
	struct check_area *ar = &w->area[0];
	if (p - ar->lo >= ar->bytes) {
		ar = &w->area[1];
		if (p - ar->lo >= ar->bytes) return;
	}
	size_t off = p - ar->lo;
	if (off + bytes > ar->bytes) return;
	int o = ar->owner[off];
	if (o && o < 253 && w->var[o].p == p && w->var[o].bytes == bytes && w->var[o].name == name) return;
	if (w->vars >= 252) return;
	o = ++w->vars;
	w->var[o].name = name;
	w->var[o].p = p;
	w->var[o].bytes = bytes;
	memset(ar->owner + off, o, bytes);
	// Red zones on both sides, over nothing that is known to be a variable.
	for (size_t i = 1; i <= 256 && i <= off && (ar->owner[off - i] == 0 || ar->owner[off - i] == 255); i++) ar->owner[off - i] = 255;
	for (size_t i = 0; i < 256 && off + bytes + i < ar->bytes && (ar->owner[off + bytes + i] == 0 || ar->owner[off + bytes + i] == 255); i++)
		ar->owner[off + bytes + i] = 255;
}

void cpudev_check_shared(void *p, size_t bytes, const char *name, const char *file, int line);
void cpudev_check_shared(void *p, size_t bytes, const char *name, const char *file, int line)
{
	(void)file;
	(void)line;
	if (W.in_kernel) add_shared(&W, name, (uintptr_t)p, bytes);
}

void check_launch_place(check_op *op)
{
	worker *w = &W;
	if (w->busy) settle(w);
	op->launch_block = w->block_id;
	op->launch_thread = w->thread;
	op->launch_epoch = w->epoch;
	op->launch_barrier = w->barrier_epoch;
	op->launch_grid = w->grid_epoch;
	op->knows_blocks = w->used_sync || w->block_acquired;
	next_epoch(w); // what follows the launch has no order with it
}

// A kernel's own and its block's memory mean nothing to the kernel that it launches.
void check_nested_args(const void *args, size_t bytes)
{
	worker *w = &W;
	for (size_t i = 0; i + sizeof(uintptr_t) <= bytes; i += sizeof(uintptr_t)) {
		uintptr_t a = *(const uintptr_t *)((const char *)args + i), base;
		char object[256];
		int local = a - w->stack_lo < w->stack_bytes;
		if (!local) {
			shared_name(w, a, object, sizeof object, &base);
			if (!*object) continue; // nobody's shared memory
		}
		check_finding f;
		check_here(&f, TOOL_MEM, "nested-argument", cpudev_api.caller);
		snprintf(f.title, sizeof f.title, "a kernel is launched with a pointer to %s memory of the thread that launches it", local ? "local" : "shared");
		if (!local) memcpy(f.object, object, sizeof f.object);
		f.cause = "the new kernel's threads cannot see it: put the data into memory of cudaMalloc or of malloc in the kernel, or pass it by value";
		check_report(&f);
		return;
	}
}

static void mark_core(void *p, size_t bytes)
{
	struct check_area *ar = &W.area[0];
	if ((uintptr_t)p - ar->lo < ar->bytes) memset(ar->owner + ((uintptr_t)p - ar->lo), 253, bytes);
}

static void check_block_begin(const cpudev_block_info *b)
{
	worker *w = &W;
	if (known_words == nothing_known) known_words = reserve(sizeof nothing_known, PROT_READ | PROT_WRITE);
	w->op = b->op->of[check_observer];
	memcpy(w->block, b->block, sizeof w->block);
	w->block_id = (uint32_t)b->linear_block;
	w->threads = b->threads;
	w->args_lo = (uintptr_t)b->args;
	w->args_bytes = b->args_bytes;
	if (!w->area[0].owner) {
		uintptr_t lo = tls_start();
		area_init(&w->area[0], lo, tls_bytes + 64);
		for (int i = 0; i < b->owns; i++) mark_core(b->own[i].p, b->own[i].bytes);
		for (size_t i = 0; i < file_shared_count; i++) add_shared(w, file_shared[i].name, lo + file_shared[i].offset, file_shared[i].bytes);
	}
	if (b->shared && b->shared_bytes && (b->shared != w->own_shared || b->shared_bytes > w->own_shared_bytes || w->own_dynamic != b->dynamic_bytes)) {
		if (b->shared != w->own_shared || b->shared_bytes > w->own_shared_bytes) {
			area_init(&w->area[1], (uintptr_t)b->shared, b->shared_bytes + 1024);
			w->own_shared = b->shared;
			w->own_shared_bytes = b->shared_bytes;
		}
		memset(w->area[1].owner, 255, w->area[1].bytes);
		w->own_dynamic = b->dynamic_bytes;
		size_t base = (uintptr_t)b->shared - w->area[1].lo;
		memset(w->area[1].owner + base, 254, b->dynamic_bytes);
	} else if (!b->shared || !b->shared_bytes) {
		w->own_dynamic = 0;
		if (w->area[1].owner) memset(w->area[1].owner, 255, w->area[1].bytes);
	}
	w->busy = w->late = w->loops = w->recording = 0;
	next_epoch(w);
	w->first_epoch = w->barrier_epoch = w->epoch;
	w->floor = check_op_floor(w->op);
	w->grid_epoch = 0;
	w->poll_a = 0;
	w->pend = 0;
	w->ub.on = 0;
	w->unsets = w->looks = 0;
	w->last_var = NULL;
	if (w->used_sync) {
		memset(w->acquired, 0, sizeof w->acquired);
		memset(w->fenced, 0, sizeof w->fenced);
		w->block_acquired = w->max_acquired = 0;
		w->used_sync = 0;
	}
	if (check_tools & TOOL_COUNTERS) counters_block_begin(w->op, w->threads);
}

static void check_block_end(void)
{
	worker *w = &W;
	settle(w);
	w->in_kernel = 1;
	if (w->unsets && w->op) unset_settle(w);
	for (int i = 0; i < w->looks && w->op; i++) {
		record r = w->looked[i].reader;
		if (pc_of(r) && !leads_to_atomic(pc_of(r)))
			report_race(w, 1, w->looked[i].a, w->looked[i].bytes, A_WRITE | A_ATOMIC, w->looked[i].pc, w->looked[i].thread, 0, REC_SEG(r), REC_THREAD(r), pc_of(r), 0);
	}
	w->looks = 0;
	if (check_tools & TOOL_COUNTERS) counters_block_end();
	bulk_block_end();
	w->in_kernel = w->recording = 0;
	set_key(w);
	w->op = NULL;
	w->stack_bytes = 0;
}

static void check_thread_now(uint32_t t, void *lo, size_t bytes)
{
	worker *w = &W;
	if (w->busy) settle(w);
	if (!w->in_kernel) {
		w->in_kernel = 1;
		set_key(w);
	}
	cpudev_check_atomic_kind = 0;
	w->thread = t;
	w->stack_lo = (uintptr_t)lo;
	w->stack_bytes = bytes;
	// A thread's static TLS, and shared arrays in it, lies at the end of its stack.
	if (w->area[0].lo - w->stack_lo < bytes) w->stack_bytes = w->area[0].lo - w->stack_lo;
}

static void check_thread_exit(uint32_t t)
{
	(void)t;
	worker *w = &W;
	if (w->busy) settle(w);
	w->in_kernel = 0;
	set_key(w);
}

static void check_loop_begin(void *lo, size_t bytes)
{
	W.loops = 1;
	check_thread_now(0, lo, bytes);
}

static void check_barrier(void)
{
	worker *w = &W;
	settle(w);
	if (w->unsets) unset_settle(w);
	next_epoch(w);
	w->barrier_epoch = w->epoch;
	if (w->max_acquired > w->block_acquired) w->block_acquired = w->max_acquired;
	if (check_tools & TOOL_COUNTERS) counters_barrier();
}

static void check_syncwarp(uint32_t warp, uint32_t mask)
{
	worker *w = &W;
	settle(w);
	if (warp >= 32) return;
	next_epoch(w);
	uint32_t e = w->epoch;
	uint32_t lanes = w->threads - warp * 32 >= 32 ? 0xffffffffu : (1u << (w->threads - warp * 32)) - 1;
	uint32_t best = 0;
	if (w->used_sync) {
		for (int i = 0; i < 32; i++)
			if (mask >> i & 1 && w->acquired[warp * 32 + i] > best) best = w->acquired[warp * 32 + i];
		for (int i = 0; i < 32; i++)
			if (mask >> i & 1) w->acquired[warp * 32 + i] = best;
	}
	if ((mask & lanes) == lanes) {
		w->full_sync[warp] = e;
		return;
	}
	if (!w->lanes) w->lanes = reserve(32 * sizeof *w->lanes, PROT_READ | PROT_WRITE);
	uint32_t joined[32];
	memset(joined, 0, sizeof joined);
	for (int i = 0; i < 32; i++)
		if (mask >> i & 1)
			for (int k = 0; k < 32; k++)
				if (w->lanes[warp][i][k] > joined[k]) joined[k] = w->lanes[warp][i][k];
	for (int i = 0; i < 32; i++)
		if (mask >> i & 1) joined[i] = e;
	for (int i = 0; i < 32; i++)
		if (mask >> i & 1) memcpy(w->lanes[warp][i], joined, sizeof joined);
}

static void check_grid_sync(void)
{
	worker *w = &W;
	check_barrier();
	w->grid_epoch++;
}

int check_device_failed;

// ---- synccheck's words ----------------------------------------------------------------------------------------

static const char *state_words(const cpudev_waiter *w)
{
	switch (w->state) {
	case 0: return "is running or spinning";
	case 1: return "waits at __syncthreads()";
	case 2: return "waits at a warp primitive";
	case 3: return "has left the kernel";
	case 4: return "waits at a grid barrier";
	case 5: return "waits at a barrier of its own (cuda::barrier, pipeline, tile)";
	}
	return "";
}

static void check_sync_error(const cpudev_mistake *m)
{
	worker *w = &W;
	int what = m->what, count = m->count;
	void *pc = m->pc;
	uint32_t thread = m->thread, mask = m->mask;
	const cpudev_waiter *q = m->waiters;
	if (!w->op || (w->op->killed && what != CPUDEV_SYNC_ENDLESS)) return;
	// A deadlock after a wrong mask is that mask's doing.
	if (what == CPUDEV_SYNC_DEADLOCK || what == CPUDEV_SYNC_ENDLESS || what >= CPUDEV_SYNC_ASSERT) check_device_failed = 1;
	if (w->op->wrong_mask && (what == CPUDEV_SYNC_DEADLOCK || what == CPUDEV_SYNC_MASK_EXITED || what == CPUDEV_SYNC_MASK_MISMATCH)) {
		check_device_failed = 1;
		return;
	}
	if (what == CPUDEV_SYNC_MASK_SELF) w->op->wrong_mask = 1;
	if (!(check_tools & TOOL_SYNC) && what != CPUDEV_SYNC_ASSERT && what != CPUDEV_SYNC_STACK && what != CPUDEV_SYNC_FAULT) return;
	check_finding f;
	uint32_t keep = w->thread;
	int keep_in = w->in_kernel;
	w->in_kernel = 1;
	w->thread = thread;
	check_here(&f, TOOL_SYNC, "sync", pc);
	w->thread = keep;
	w->in_kernel = keep_in;
	// The other party: the first waiter that differs.
	const cpudev_waiter *o = NULL;
	for (int i = 0; i < count && !o; i++) {
		if (q[i].thread == thread) continue;
		if (what == CPUDEV_SYNC_DIFFERENT_BARRIERS) {
			if (q[i].state == 1 && (q[i].place != q[thread].place || !check_same_line(q[i].pc, pc))) o = &q[i];
		} else if (what == CPUDEV_SYNC_EXITED ? q[i].state == 3 : q[i].pc != pc) {
			o = &q[i];
		}
	}
	if (what == CPUDEV_SYNC_DIFFERENT_BARRIERS && !o) return; // copies of one barrier
	if (o) {
		f.has_other = 1;
		place_thread(&f.other, w->op, w->block_id, o->thread, 1);
		memcpy(f.other.block, w->block, sizeof w->block);
		f.other.pc = o->pc;
		snprintf(f.other.what, sizeof f.other.what, "%s", state_words(o));
	}
	int left = 0, waiting = 0;
	for (int i = 0; i < count; i++) {
		left += q[i].state == 3;
		waiting += q[i].state == 1 || q[i].state == 5;
	}
	switch (what) {
	case CPUDEV_SYNC_DIFFERENT_BARRIERS:
		f.kind = "different-barriers";
		snprintf(f.title, sizeof f.title, "threads of one block meet at different barriers");
		snprintf(f.at.what, sizeof f.at.what, "waits here");
		f.cause = "__syncthreads() stands in code that only some threads reach: move it out of the if, so that all threads pass the same one";
		break;
	case CPUDEV_SYNC_EXITED:
		f.kind = "barrier-exited";
		snprintf(f.title, sizeof f.title, "barrier in divergent code: %d of %u threads never reach it", left, w->threads);
		snprintf(f.at.what, sizeof f.at.what, "waits at the barrier");
		f.cause = "a return (or a condition) keeps some threads from the barrier: every thread of the block must reach each __syncthreads()";
		break;
	case CPUDEV_SYNC_MASK_SELF:
		f.kind = "mask-self";
		snprintf(f.title, sizeof f.title, "the mask 0x%08x does not name the calling lane %u", mask, thread % 32);
		f.cause = "a thread may only call a warp primitive with a mask that includes itself";
		break;
	case CPUDEV_SYNC_MASK_EXITED:
		f.kind = "mask-inactive";
		snprintf(f.title, sizeof f.title, "the mask 0x%08x names lanes that have left the kernel or never reach the call", mask);
		f.cause = "a full mask in divergent code: use the mask of the lanes that really get here, e.g. of __ballot_sync before the branch";
		break;
	case CPUDEV_SYNC_SHFL_INACTIVE:
		f.kind = "shuffle-inactive";
		snprintf(f.title, sizeof f.title, "a shuffle reads from a lane that is not in its mask 0x%08x, or that the block does not have", mask);
		f.cause = "the value of a lane that does not take part is undefined: all lanes that are read must be in the mask";
		break;
	case CPUDEV_SYNC_MASK_MISMATCH:
		f.kind = "mask-mismatch";
		snprintf(f.title, sizeof f.title, "lanes that meet at one warp primitive give different masks (this one 0x%08x)", mask);
		f.cause = "all lanes named in a mask must call the same primitive with the same mask";
		break;
	case CPUDEV_SYNC_DEADLOCK:
		f.kind = "deadlock";
		snprintf(f.title, sizeof f.title, "deadlock: every live thread of the block waits (%d at barriers, %d have left)", waiting, left);
		snprintf(f.at.what, sizeof f.at.what, "waits here");
		f.cause = "threads wait for others that will never come: a barrier or warp primitive in a branch, or a lock that is never released";
		break;
	case CPUDEV_SYNC_ENDLESS:
		f.kind = "endless";
		snprintf(f.title, sizeof f.title, "the kernel makes no progress");
		snprintf(f.at.what, sizeof f.at.what, "was here when the watchdog looked");
		f.cause = "a loop whose condition never changes, or a lock or flag that nobody sets";
		f.file = w->op->d.file;
		f.line = w->op->d.line;
		f.file_if_none = 1; // between two lines of the kernel: its first says more than one of ours
		break;
	case CPUDEV_SYNC_ASSERT:
		f.tool = TOOL_MEM;
		f.kind = "assert";
		snprintf(f.title, sizeof f.title, "an assertion failed, or __trap() was called, in a kernel");
		f.cause = "see the assertion";
		break;
	case CPUDEV_SYNC_FAULT:
		f.tool = TOOL_MEM;
		f.kind = "fault";
		snprintf(f.title, sizeof f.title, "a kernel touches memory that is not there (seen as a fault of the CPU)");
		f.cause = "a wild or null pointer, handed to a library function such as printf or memcpy";
		break;
	case CPUDEV_SYNC_GRID:
		f.kind = "grid-sync";
		snprintf(f.title, sizeof f.title, "grid.sync() in a kernel that was not launched by cudaLaunchCooperativeKernel");
		f.cause = "only a cooperative launch makes sure that all blocks run at once; with <<<...>>> a barrier of the grid can wait for ever";
		break;
	case CPUDEV_SYNC_GRID_STUCK:
		f.kind = "grid-stuck";
		snprintf(f.title, sizeof f.title, "grid barrier in divergent code: %u block%s left the kernel without it", mask, mask == 1 ? " has" : "s have");
		snprintf(f.at.what, sizeof f.at.what, "waits at the grid barrier");
		f.cause = "every thread of every block must reach each grid.sync()";
		break;
	case CPUDEV_SYNC_STACK:
		f.tool = TOOL_MEM;
		f.kind = "stack-overflow";
		snprintf(f.title, sizeof f.title, "a thread's stack is exhausted");
		f.cause = "endless recursion, or local arrays that are too large";
		break;
	}
	check_report(&f);
	if (what == CPUDEV_SYNC_DEADLOCK || what == CPUDEV_SYNC_ENDLESS || what == CPUDEV_SYNC_ASSERT) w->op->killed = 1;
}

void cpudev_check_width(int width);
void cpudev_check_width(int width)
{
	char title[96];
	snprintf(title, sizeof title, "a shuffle's width is %d: it must be a power of two, and at most 32", width);
	check_misuse(TOOL_SYNC, "shuffle-width", title, "the last argument divides the warp into equal parts; leave it out to use the whole warp", CALLER);
}

// ---- start ---------------------------------------------------------------------------------------------------------

static int find_layout(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	uintptr_t lo = ~(uintptr_t)0, hi = 0, dlo = ~(uintptr_t)0, dhi = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t a = info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_TLS) {
			tls_bytes = p->p_memsz;
			tls_align = p->p_align;
		}
		if (p->p_type == PT_GNU_RELRO) {
			fixed_lo = a;
			fixed_bytes = p->p_memsz;
		}
		if (p->p_type != PT_LOAD) continue;
		if (p->p_flags & PF_W) {
			if (a < dlo) dlo = a;
			if (a + p->p_memsz > dhi) dhi = a + p->p_memsz;
		} else {
			if (a < lo) lo = a;
			if (a + p->p_memsz > hi) hi = a + p->p_memsz;
		}
	}
	text_lo = lo;
	text_bytes = hi - lo;
	data_lo = dlo & ~(uintptr_t)4095;
	data_bytes = dhi - data_lo;
	return 1; // the program itself comes first
}

static void layout_init(void)
{
	if (text_bytes) return;
	dl_iterate_phdr(find_layout, NULL);
	var_pages = reserve((data_bytes / 4096 + 2) * sizeof(page), PROT_READ | PROT_WRITE);
}

void check_host_fill(cpudev_observer *ops);

static cpudev_observer ops;
int check_observer;

static void no_texture(const void *site)
{
	check_misuse(TOOL_MEM, "texture", "a kernel uses a texture or surface object that was destroyed, or never created",
		"cudaDestroyTextureObject belongs behind the synchronize after the last kernel that uses the object", (void *)site);
	cpudev_thread_kill();
}

static void texel(const void *p, unsigned bytes, const void *site) { check_touch_at(p, bytes, (void *)site); }

// wmma: "the pointer must be 256-bit aligned", and rows are multiples of 16 bytes apart.
static void tile(const void *p, size_t row_bytes, const void *site)
{
	if ((uintptr_t)p % 32)
		check_misuse(TOOL_MEM, "misaligned", "misaligned matrix tile: the address is no multiple of 32 bytes",
			"load_matrix_sync and store_matrix_sync want tiles that begin at multiples of 256 bits", (void *)site);
	else if (row_bytes % 16)
		check_misuse(TOOL_MEM, "misaligned", "misaligned matrix tile: the leading dimension is no multiple of 16 bytes",
			"the leading dimension must be a multiple of 8 half or 4 float elements: pad the rows by that much", (void *)site);
}

static bool readable(const void *p)
{
	uintptr_t a = (uintptr_t)p;
	return a % sizeof(void *) == 0 && a >= 65536 && check_readable(p);
}

static uint32_t loop_thread(void) { return cpudev_check_thread; }

static void __attribute__((constructor(101))) check_start(void)
{
	if (access("/proc/self/maps", R_OK)) { // where stacks lie, and the program's file, which names the lines
		fprintf(stderr, "cucc --check: /proc is not mounted here, and nothing can be checked without it\n");
		exit(2);
	}
	layout_init();
	const char *t = getenv("CUDA_CPU_TOOLS");
	if (t && *t) {
		static const struct { const char *name; unsigned bit; } names[] = {{"memcheck", TOOL_MEM}, {"racecheck", TOOL_RACE}, {"initcheck", TOOL_INIT},
			{"synccheck", TOOL_SYNC}, {"hostcheck", TOOL_HOST}, {"counters", TOOL_COUNTERS}, {"none", 0},
			{"all", TOOL_MEM | TOOL_RACE | TOOL_INIT | TOOL_SYNC | TOOL_HOST}};
		unsigned bits = 0;
		while (*t) {
			size_t n = strcspn(t, ","), i;
			for (i = 0; i < sizeof names / sizeof *names; i++)
				if (strlen(names[i].name) == n && !strncmp(t, names[i].name, n)) break;
			if (i == sizeof names / sizeof *names) {
				fprintf(stderr, "CUDA_CPU_TOOLS: unknown tool '%.*s' (memcheck, racecheck, initcheck, synccheck, hostcheck, counters, all, none)\n", (int)n, t);
				exit(2);
			}
			bits |= names[i].bit;
			t += n + (t[n] == ',');
		}
		check_tools = bits;
	}
	const char *bulk = getenv("CUDA_CPU_BULK");
	bulk_off = bulk && !strcmp(bulk, "0");
	heap_init();
	if (check_tools & TOOL_MEM && !(host_shadow = reserve(HOST_SHADOW, PROT_READ | PROT_WRITE)))
		fprintf(stderr, "cucc --check: address space is limited (ulimit -v): the host's own arrays are not checked\n");
	check_host_init();
	ops.alloc = check_heap_alloc;
	ops.free = check_heap_free;
	ops.find = check_heap_find;
	ops.kind_of = check_heap_kind;
	ops.reset = check_heap_reset;
	ops.register_host = register_host;
	ops.block_begin = check_block_begin;
	ops.block_end = check_block_end;
	ops.thread_now = check_thread_now;
	ops.thread_exit = check_thread_exit;
	ops.loop_begin = check_loop_begin;
	ops.barrier = check_barrier;
	ops.syncwarp = check_syncwarp;
	ops.grid_sync = check_grid_sync;
	ops.fence = check_fence;
	ops.mistake = check_sync_error;
	ops.no_texture = no_texture;
	ops.texel = texel;
	ops.tile = tile;
	ops.readable = readable;
	ops.loop_thread = loop_thread;
	ops.sees_host_access = ops.reports_deadlock = ops.waits_at_exit = ops.ends_threads = true;
	ops.stack_bytes = 192 * 1024;
	ops.watchdog_seconds = 10;
	check_host_fill(&ops);
	check_observer = observer_add(&ops);
}
