/* worker.h: what the running OS thread does: the block, the thread of it, and what is known about them. */
#ifndef CHECKER_WORKER_H
#define CHECKER_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "report/findings.h"
#include "memory/kernel_memory.h"
#include "core/operation.h"
#include "race/record.h"

struct check_cell {
    record w, r1, r2;
    uint64_t byte_epoch;
}; // shared memory, per 4 bytes

struct check_byte_cell {
    record w, r1, r2;
};

struct check_area { // shared memory: static variables in TLS, or the dynamic arena
    uintptr_t lo;
    size_t bytes;
    uint8_t *owner; // per byte: 0 nothing known, 1..253 variable, 254 dynamic, 255 red zone
    struct check_cell *cells;
    struct check_byte_cell *byte_cells;
};

enum {
    A_WRITE = 1,
    A_ATOMIC = 2,
    A_VOLATILE = 4,
    A_READ_TOO = 8,
    A_RANGE = 16,
    A_PADDED = 32, // gaps have been looked at
    A_EXCHANGE = 64,
    A_CAS = 256,
    A_UNIT = 512,    // by a unit beside load and store, which is counted by itself
    A_PIECES = 1024, // counted in pieces of range_piece bytes
    A_BLOCK = 128
}; // an atomic that promises nothing to other blocks

enum { FENCE_BLOCK = 1, FENCE_DEVICE, FENCE_SYSTEM };

enum { PEND_NONE, PEND_WAW, PEND_READ_OF_ATOMIC };

enum { REGION_RECORDED = 1, REGION_PLAIN };

struct check_span {
    uintptr_t lo;
    size_t bytes;
};

// What each file keeps of the block that a worker runs.
struct worker_global { // race/global.c: what orders accesses to global memory
    uint32_t segment, floor, grid_epoch;
    int in_access; // the granules of one access are judged: meanwhile the thread learns of no release
    struct check_asked {
        uint32_t seg, thread;
        int is_ordered;
    } asked[2]; // what check_global_ordered_slow() has answered in this access
};
struct worker_region {            // regions: loops over threads that are checked in bulk
    const struct footprint *lazy; // of this epoch, not yet in the shadow
    int deferred;                 // that one, or others of the block's, are not in the shadow yet
    uint32_t print_epoch;         // the last in which a region left its footprint
    uint32_t shared_epoch;        // the last in which anything else touched the shadow of shared memory
    int failed;                   // the region that is recorded cannot be run without callbacks
    int recording;                // a region that is checked in bulk: REGION_*
};
struct worker_strong { // race/atomics.c: atomic and volatile accesses
    int now;           // the access under way is one
    int late;          // a volatile read may have acquired
    uintptr_t late_a;  // what it read, if that lies where the host can write too
    uintptr_t poll_a;  // spinning on one address
    uint32_t poll_thread;
    void *poll_pc;
    int polls;
    int looks_around; // strong reads since the block has changed a word by a strong write
    struct {          // what the last load would have its thread know, unless the same load follows: release.c
        struct check_clock *clock, **to; // clock NULL: nothing
        uintptr_t a;
        const void *pc;
        uint32_t thread;
    } looked;
};
struct worker_whole { // race/judge.c: the access under way, of which granules are judged one by one
    uintptr_t a;
    unsigned bytes;
};
struct worker_pending { // race/judge.c: an unordered pair that the next accesses decide
    int kind;           // PEND_*
    uintptr_t a;
    unsigned bytes;
    unsigned char old[16];
    uintptr_t whole_a; // of the whole access
    unsigned whole_bytes;
    record rec;
    void *pc;
    uint32_t thread;
    int shared;
    struct worker *owner; // of distributed shared memory; NULL: it is none
    uint32_t block;       // of the other access
};
struct worker_looked { // race/judge.c: see check_conflict()
    struct {
        uintptr_t a;
        unsigned bytes;
        record reader;
        void *pc;
        uint32_t thread;
    } at[16];
    int count;
};
struct worker_index { // memory/index.c: an index beyond a declared array, not yet tied to an access
    int on, left;
    void *pc;
    const char *file;
    unsigned line;
    char type[96];
    long index;
    unsigned long bound;
    unsigned elem;
    uint32_t thread;
};
struct worker_order {                  // race/order.c, race/release.c: what the block's threads know of others
    uint32_t full_sync[32];            // per warp: epoch of its last full __syncwarp
    uint32_t (*lanes)[32][32];         // per warp: lanes' knowledge of each other, once masks were partial
    struct check_thread_sync *sync;    // by thread; NULL while none has passed a fence or read what was released
    struct check_clock *block_known;   // what all threads of the block have known since the last barrier
    uint8_t fences[128];               // threads that have passed a fence since then
    int fences_scope;                  // the narrowest of these
    const struct check_fenced *fenced; // those that had before the last barrier at which some had
    int warps_meet;                    // threads of the block have met by warps: __syncwarp(), groups
};
struct worker_held {                 // race/held.c: locks
    int open;                        // a thread of the block holds one, and the section is put on record
    int follows;                     // plain accesses of the running thread belong to it
    uintptr_t lock;                  // which
    struct check_section *section;   // the OS thread's place for it
    uintptr_t word;                  // what the block has last read of what others may change
    uint64_t at, before;             // when, and when it has last read another such word
    struct check_section *before_it; // the section before that one, if the two are to be judged; else NULL
};
struct worker_async {                  // sync
    struct check_async *now;           // of the block, once it has begun an asynchronous operation
    struct check_async *own;           // what now is when it is any
    struct check_registers *registers; // by thread, once the block has come to a wgmma.fence or a wgmma
};
struct worker_cluster {              // race/peers.c, race/cluster.c
    int in;                          // one of more than one block
    struct worker *next_peer;        // in the list of blocks of clusters that run
    struct worker *peer;             // the block of the cluster whose shared memory was asked for last
    struct check_remote *own_remote; // of the OS thread's blocks, once one was in a cluster
    struct check_remote *remote;     // the same, once other blocks have accessed the block's shared memory
};
struct worker_locals { // memory/local.c
    int guarded;       // some local array has been
    struct {
        uintptr_t key, p;
        size_t bytes;
        const char *name;
    } at[256]; // by where the words after it begin
};
struct worker_slots { // memory/local.c: variables of which the block has one slot for each thread
    struct {
        uintptr_t p;
        size_t bytes, each;
        const char *name;
    } of[16];
    int count;
};
struct worker_shared { // memory/area.c, memory/bounds.c: variables in shared memory
    struct {
        const char *name;
        uintptr_t p;
        size_t bytes;
    } var[254];
    int vars;
    uint8_t *arena; // which the dynamic area was built for
    size_t arena_bytes, dynamic;
};
struct worker_unset { // memory/init.c: reads of words that nothing has written yet
    struct {
        const record *cell;
        uintptr_t a;
        unsigned bytes;
        int flags;
        void *pc;
        uint32_t thread;
        bool copied; // an asynchronous copy has filled it since
    } at[64];
    int count;
};

typedef struct worker {
    uint32_t thread; // cpudev_check_thread
    int in_kernel;
    uint64_t known_key; // see known()
    uint32_t generation;
    int counting; // the counters alone look at this thread's accesses, and nothing waits to be resolved
    int loops;    // the kernel runs in loops over its threads: no syncwarp, no fence, no release
    bool apart;   // some device has memory that this kernel's device may not access: each access is looked at
    int busy;     // something below waits to be resolved
    struct check_span stack, args;              // the thread's; args: of the kernel
    struct check_span os_stack, fiber_stacks;   // on which other threads of the block may have their frames
    struct check_area area[2];                  // 0: static (TLS), 1: dynamic
    uint32_t epoch, barrier_epoch, first_epoch; // 31 bits, never reset on this worker
    struct worker_global global;
    struct worker_region region;
    uint32_t block_id;
    check_op *op;
    uint32_t threads;
    uint32_t block[3];
    int slot; // running.c: where it says that the block runs, plus one
    check_variable *last_var;
    struct worker_strong strong;
    struct worker_whole whole;
    unsigned range_piece; // ranges.c: what one instruction of nvcc's accesses of the range under way
    struct worker_async async;
    struct worker_cluster cluster;
    struct worker_pending pending;
    struct worker_index index;
    struct worker_order order;
    struct worker_held held;
    struct worker_looked looked;
    struct worker_locals locals;
    struct worker_slots slots;
    struct worker_shared shared;
    struct worker_unset unset;
} worker;

// The way out for most reads: words of which nothing new can come before the
// next epoch, because two threads that no later synchronisation of this epoch
// can tell from others are on record as their readers. An entry is the word's
// address plus a key, which changes with the epoch and is KEY_OFF, which no
// entry has, where each access must be looked at: on the host, and while
// something waits to be resolved.
enum { KNOWN = 16384, GENERATIONS = 16383, WORD = 0, HALF = 1, BYTE = 2 };

#define KEY_OFF ((uint64_t)GENERATIONS << 50)

extern __thread worker check_self;

static inline void bulk_failed(void) { check_self.region.failed = 1; }

extern uint64_t check_nothing_known[KNOWN];
extern __thread uint64_t *check_known_words; // an OS thread that runs blocks gets a table of its own
void check_next_epoch(worker *w);
void check_hostfn(check_op *op, int on); // a host function of a stream starts or ends on this thread
void check_place_thread(check_place *p, const check_op *op, uint64_t block, uint32_t t, int has_thread);
void check_here(check_finding *f, int tool, const char *kind, void *pc); // begins one of the running thread's
const char *check_verb(int flags);
void check_misuse(int tool, const char *kind, const char *title, const char *cause,
                  void *pc); // by the running thread of a kernel
check_finding check_host_finding(int tool, const char *kind);

// Rows of one matrix lie a power of two apart: hence the higher bits.
static inline uint64_t *known_slot(uintptr_t a)
{
    return (uint64_t *)((char *)check_known_words + ((a ^ a >> 9) & 4 * (KNOWN - 1)) * 2);
}

static inline int known(const worker *w, uintptr_t a, int kind)
{
    return *known_slot(a) == a + ((uint64_t)kind << 48) + w->known_key;
}

static inline void make_known(const worker *w, uintptr_t a, int kind)
{
    if (w->known_key != KEY_OFF)
        *known_slot(a) = a + ((uint64_t)kind << 48) + w->known_key;
}

static inline void set_key(worker *w)
{
    w->known_key = w->busy || w->held.follows || w->async.now || w->cluster.remote || w->region.recording || w->apart ||
                           !w->in_kernel || check_tools & TOOL_COUNTERS
                       ? KEY_OFF
                       : (uint64_t)w->generation << 50;
    w->counting = check_tools == TOOL_COUNTERS && w->in_kernel && !w->busy && !w->region.recording;
}

static inline void look_at_all(worker *w) // until set_key
{
    w->known_key = KEY_OFF;
    w->counting = 0;
}

#endif
