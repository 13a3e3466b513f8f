/* cpudev_abi.h: what compiled kernels, and the inline functions of our headers, call in the runtime and in the checker: all
 * functions with the types that they take. It is C and C++. The runtime's and the checker's files include it, so that
 * the compiler compares each definition with its declaration, and neither of the two sides includes the other.
 *
 * cpudev_core.h adds the switch of fibers, cpudevice.h what tools call. tests/house/abi.sh checks that no file declares
 * one of these functions again. */
#ifndef CPUDEV_ABI_H
#define CPUDEV_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpudev_pipes.h"
#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- fibers and launches ----
 *
 * A block is run by one OS thread.  Its threads start as plain calls; the first that has to wait turns all of them into
 * fibers (cpudev_fork).  The fibers of a block form a ring.  A thread that waits hands over to the next in the ring, so
 * that a barrier costs one switch per thread and no queue. */

typedef struct cpudev_fiber {
    void *sp, *ip;                    /* where it goes on */
    struct cpudev_fiber *next, *prev; /* the ring of the block's live fibers */
    uint3 tid;
    unsigned barrier;               /* 1 + the epoch in which it came to the block's barrier */
    struct cpudev_request *request; /* what it waits for in its warp */
    unsigned char live, waiting, pad[6];
} cpudev_fiber;

typedef struct cpudev_block { /* one per OS thread */
    cpudev_fiber *current;    /* NULL until the block has fibers */
    unsigned arrived, live;   /* threads at the barrier; threads not yet ended */
    unsigned epoch;           /* barriers completed */
    unsigned polls;
    void *dynamic_shared;
    struct cpudev_worker *worker; /* NULL on a thread that runs no kernel now */
} cpudev_block;

extern __thread cpudev_block cpudev_tls;

/* What the threads of this OS thread have computed in double (cpudev_doubles.h): in multiply-adds, and conversions. */
typedef struct cpudev_double_counts {
    unsigned long long operations, conversions;
} cpudev_double_counts;
extern __thread cpudev_double_counts cpudev_doubles;
/* The instructions that they have issued, as the compiler estimates them (cpudev_instructions.h). */
extern __thread cpudev_pipe_counts cpudev_issued;

/* One per kernel function (per instantiation of a template). */
typedef struct cpudev_kernel {
    const char *name;   /* as written */
    const char *pretty; /* with types, from __PRETTY_FUNCTION__ */
    const char *file;
    int line;
    unsigned max_threads;     /* __launch_bounds__, 0 if none */
    unsigned static_shared;   /* bytes */
    int max_dynamic_shared;   /* cudaFuncSetAttribute; 0: the default limit */
    char *display;            /* the name that tools show; made at first use */
    const char *(*tag)(void); /* see cpudev_work */
    char *symbol;             /* the mangled name; made at first use */
    uint3 cluster;            /* __cluster_dims__; 0: none (a dim3 would begin as 1, 1, 1) */
    int nonportable_cluster;  /* cudaFuncAttributeNonPortableClusterSizeAllowed */
    int turns;                /* what the runtime has seen of its blocks' communication */
    int subnormal;            /* does it keep subnormal numbers with -ftz=true? 0: not asked, 1: no, 2: yes */
} cpudev_kernel;

/* What a launch needs to run: a closure with the arguments, and how to run it. */
typedef struct cpudev_work {
    size_t size, align;
    void (*run_block)(const void *closure);  /* all threads of the current block, in one loop; or NULL */
    void (*run_thread)(const void *closure); /* the current thread */
    const char *(*tag)(void); /* the type's name of a class local to the kernel: the kernel's own is in it */
    bool flush;               /* -ftz=true */
} cpudev_work;

/* 0: go on and submit; 1: return at once (the kernel was only asked who it is); 2: call cpudev::unpack. */
int cpudev_enter(cpudev_kernel *k, const char *name, const char *pretty, const char *file, int line,
                 unsigned max_threads);
void cpudev_submit(cpudev_kernel *k, const void *closure, const cpudev_work *work);
/* A kernel's parameter. The runtime asks cpudev::unpack for them by giving it no arguments back. */
typedef struct cpudev_parameter {
    size_t size, align;
} cpudev_parameter;
void cpudev_current_args(void ***args, void (**function)(void), const cpudev_parameter *parameters, size_t count);
/* Is the launch that a kernel is entered for captured into a graph? Then it gives its function and its arguments, of a file that
 * asks for a node's parameters. */
int cpudev_keeps(void);
void cpudev_keep(const void *function, const void *const *arguments, const cpudev_parameter *parameters, size_t count);
int cpudev_push_launch_at(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const char *file, int line);
int cpudev_default_stream_per_thread(void); /* from now on the default stream of each host thread is its own */

void cpudev_fork(void);
void cpudev_barrier_wait(void);
void cpudev_barrier_again(unsigned epoch);

/* ---- the running thread, its block, its warp, its cluster ---- */

unsigned cpudev_tid(void); /* linear thread index in the block */
unsigned cpudev_lane(void);
unsigned cpudev_smid(void);
unsigned cpudev_nsmid(void);
uint64_t cpudev_globaltimer(void);
long long cpudev_clock(void);

void cpudev_syncthreads(void);
void cpudev_fence(int scope); /* 0 block, 1 device, 2 system */
/* sum of pred over the block's threads (op 0), all (1), any (2) */
int cpudev_syncthreads_reduce(int pred, int op);

/* Lanes in mask meet; each gets all lanes' contributions, by lane number (32 * bytes; absent lanes zero). */
void cpudev_warp_allgather(unsigned mask, const void *mine, void *all, unsigned bytes);
/* Each lane gives bytes and gets those of lane src (its own if src >= 32 or absent). */
void cpudev_warp_shuffle(unsigned mask, const void *mine, void *result, unsigned bytes, unsigned src);
unsigned cpudev_ballot(unsigned mask, int pred);
void cpudev_syncwarp(unsigned mask);
unsigned cpudev_activemask(const void *site);
/* The lanes wait for each other where the order is the same, and for those whose order is smaller. */
void cpudev_lockstep(unsigned order);

/* Suspends the thread until ready(arg) != 0; counts as waiting for the deadlock report. */
void cpudev_wait(int (*ready)(void *), void *arg, const char *what);
void cpudev_yield(void); /* let other threads run now */
void cpudev_poll(void);  /* in a waiting loop: yields now and then */
void cpudev_grid_sync(void);

/* Clusters: of the running block, one of its own if the launch has none. */
void cpudev_cluster_arrive(void);
void cpudev_cluster_wait(void);
uint3 cpudev_cluster_place(void); /* the block's place in its cluster */
#ifdef __clang__                  /* warns of dim3's constructors, though it is returned as C's is */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#endif
dim3 cpudev_cluster_size(void); /* in blocks */
#ifdef __clang__
#pragma clang diagnostic pop
#endif
int cpudev_cluster_explicit(void);
void **cpudev_thread_slot(void); /* a pointer of the running thread's own: NULL at first, passed to free() in the end */
int cpudev_grid_is_cooperative(void);

/* This thread of the block is at a warp function, to which some lanes that its mask names do not come: a deadlock. */
void cpudev_lane_missing(unsigned thread, unsigned mask, unsigned lanes) __attribute__((noreturn, cold));

void cpudev_trap(void) __attribute__((noreturn));
/* The running thread leaves its kernel. The program has called cpudev_threads_exit() before its first launch, so that a thread
 * can; the answer says nothing. */
void cpudev_thread_exit(void) __attribute__((noreturn));
bool cpudev_threads_exit(void);
/* Ends the kernel with `why` and cudaErrorNotSupported: what a library's header has and the CPU device has not. */
void cpudev_unsupported(const char *why) __attribute__((noreturn));
void cpudev_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));
int cpudev_on_device(void);           /* is the caller a kernel's thread? */
double cpudev_watchdog_seconds(void); /* how long a kernel may get nowhere (CUDA_CPU_WATCHDOG); 0: for ever */

/* Tiles of several warps: the `threads` threads of the block from number `first` on. */
void cpudev_tile_sync(unsigned first, unsigned threads);
void cpudev_tile_allgather(unsigned first, unsigned threads, const void *mine, void *all, unsigned bytes);
/* PTX's barrier `id`, for `threads` threads (0: the block's); arrives, and with `wait` waits for the others. */
void cpudev_named_barrier(unsigned id, unsigned threads, int wait);

/* ---- shared memory as PTX addresses it ----
 *
 * The shared window: a block's shared memory in 32 bits, and other blocks' of its cluster above it. */

uint32_t cpudev_to_shared(const void *generic);
void *cpudev_from_shared(uint32_t address);
int cpudev_is_shared(const void *generic);         /* of this block */
int cpudev_is_cluster_shared(const void *generic); /* of a block of its cluster */
int cpudev_is_local(const void *generic);
/* a + b as an atomic at this address adds them: subnormal numbers are 0 in global memory. */
float cpudev_add_float(const void *generic, float a, float b);
uint32_t cpudev_mapa(uint32_t address, uint32_t rank); /* the same place in block `rank` of the cluster */
void *cpudev_map_shared_rank(const void *generic, unsigned rank);
uint32_t cpudev_rank_of(uint32_t address);
int cpudev_block_has_ended(uint32_t rank); /* of the cluster */

/* ---- textures and surfaces ---- */

void cpudev_texture_fetch(cudaTextureObject_t t, int dims, float x, float y, float z, int layer, float lod, void *out,
                          unsigned size);
void cpudev_texture_gather(cudaTextureObject_t t, float x, float y, int channel, void *out, unsigned size);
void *cpudev_surface_at(cudaSurfaceObject_t s, int x, int y, int z, unsigned bytes, int mode);

/* ---- bulk copies and tensor copies ----
 *
 * Addresses are plain pointers; shared ones may lie in another block of the cluster.  `bar` is the mbarrier that counts
 * the bytes; where there is none the copy joins the thread's bulk group. */

enum { /* of cp.reduce.async.bulk */
       CPUDEV_BULK_COPY,
       CPUDEV_BULK_ADD,
       CPUDEV_BULK_MIN,
       CPUDEV_BULK_MAX,
       CPUDEV_BULK_INC,
       CPUDEV_BULK_DEC,
       CPUDEV_BULK_AND,
       CPUDEV_BULK_OR,
       CPUDEV_BULK_XOR
};

/* global -> shared; `blocks`: of the cluster, one bit each, to the same place in each; 0: to this place only. */
void cpudev_bulk_load(uint32_t to, const void *from, uint32_t bytes, uint32_t bar, uint32_t blocks);
/* shared -> another block's shared */
void cpudev_bulk_send(uint32_t to, uint32_t from, uint32_t bytes, uint32_t bar, int reduce, int type);
/* registers -> shared, of this block or another: st.async and red.async */
void cpudev_async_value(uint32_t to, const void *value, uint32_t bytes, uint32_t bar, int reduce, int type);
/* shared -> global; of each 16 bytes those whose bit is set in `bytes_kept` */
void cpudev_bulk_store(void *to, uint32_t from, uint32_t bytes, uint32_t bytes_kept, int reduce, int type);
void cpudev_bulk_commit(void);
void cpudev_bulk_wait(uint32_t pending, int read); /* read: only until the sources may be written again */

/* The box of a tensor map at these coordinates, `rank` of them. `offsets`: of im2col, rank - 2; NULL: tiled. */
void cpudev_tensor_load(uint32_t to, const void *map, int rank, const int32_t *at, const uint16_t *offsets,
                        uint32_t bar, uint32_t blocks);
void cpudev_tensor_store(const void *map, int rank, const int32_t *at, uint32_t from, int reduce, int im2col);
void cpudev_tensor_prefetch(const void *map, int rank, const int32_t *at, const uint16_t *offsets);

/* ---- mbarriers and proxy fences ----
 *
 * An object is in the running block's shared memory or in another's of its cluster. */

enum { /* how */
       CPUDEV_MBARRIER_NO_COMPLETE = 1,
       CPUDEV_MBARRIER_DROP = 2,
       CPUDEV_MBARRIER_EXPECT = 4,
       CPUDEV_MBARRIER_RELAXED = 8,
       CPUDEV_MBARRIER_SUSPEND = 16
};
enum {
    CPUDEV_FENCE_MBARRIER_INIT,
    CPUDEV_FENCE_ALIAS,
    CPUDEV_FENCE_ASYNC, /* of all memory */
    CPUDEV_FENCE_ASYNC_SHARED,
    CPUDEV_FENCE_ASYNC_GLOBAL,
    CPUDEV_FENCE_TENSORMAP
};

void cpudev_mbarrier_init(void *object, uint32_t count);
void cpudev_mbarrier_inval(void *object);
/* `count` arrivals, and before them with EXPECT the announcement of `bytes`. Returns the state before. */
uint64_t cpudev_mbarrier_arrive(void *object, uint32_t count, uint32_t bytes, int how);
void cpudev_mbarrier_expect(void *object, uint32_t bytes);
void cpudev_mbarrier_complete(void *object, uint32_t bytes);
/* Has the phase ended that `state` is of, or that has this parity? With SUSPEND the thread waits for it as long as
 * something can happen meanwhile; without it lets the others have one turn. */
int cpudev_mbarrier_test(void *object, uint64_t state, int how);
int cpudev_mbarrier_test_parity(void *object, uint32_t parity, int how);
void cpudev_mbarrier_arrive_later(void *object,
                                  int noinc);     /* an arrival, some time; without noinc one more is awaited */
uint32_t cpudev_mbarrier_pending(uint64_t state); /* arrivals that were missing */
void cpudev_proxy_fence(int what);

/* ---- the warp's matrix instructions (cpudev_mma.h says how fragments are laid out) ---- */

/* d += a * b. A is row by column, B column by row ("row.col"); see the PTX ISA for which lane holds what. */
void cpudev_mma_m16n8k16_bf16(float d[4], const uint32_t a[4], const uint32_t b[2]);
void cpudev_mma_m16n8k16_f16(float d[4], const uint32_t a[4], const uint32_t b[2]);
void cpudev_mma_m16n8k8_tf32(float d[4], const uint32_t a[4], const uint32_t b[2]);
void cpudev_mma_m16n8k32_s8(int d[4], const uint32_t a[4], const uint32_t b[2]);

/* A holds 2 of every 4 values along k; meta their places, 2 bits each, the lower place first ("ordered"). */
void cpudev_mma_sp_m16n8k32_bf16(float d[4], const uint32_t a[4], const uint32_t b[4], uint32_t meta, int selector);
void cpudev_mma_sp_m16n8k64_s8(int d[4], const uint32_t a[4], const uint32_t b[4], uint32_t meta, int selector);

/* wmma: see mma.h. */
enum cpudev_wmma_type {
    CPUDEV_WMMA_F16,
    CPUDEV_WMMA_BF16,
    CPUDEV_WMMA_TF32,
    CPUDEV_WMMA_F32,
    CPUDEV_WMMA_F64,
    CPUDEV_WMMA_S8,
    CPUDEV_WMMA_U8,
    CPUDEV_WMMA_S32
};
void cpudev_wmma(int m, int n, int k, int type, int accumulator, int result, void *d, const void *a, const void *b,
                 const void *c, int saturate);
/* The loads and stores of a tile wait for the whole warp; returns the lane. */
unsigned cpudev_wmma_meet(const void *tile, size_t row_bytes);
/* For ldmatrix: the addresses of the rows that this lane reads, given by other lanes. */
void cpudev_ldmatrix_rows(const void *mine, const void **needed, int matrices, int transposed);

/* ---- mma.sync and mma.sp of compiled PTX ---- */

enum cpudev_mma_format {
    CPUDEV_MMA_F16,
    CPUDEV_MMA_BF16,
    CPUDEV_MMA_TF32,
    CPUDEV_MMA_F32,
    CPUDEV_MMA_F64,
    CPUDEV_MMA_S8,
    CPUDEV_MMA_U8,
    CPUDEV_MMA_S4,
    CPUDEV_MMA_U4,
    CPUDEV_MMA_B1,
    CPUDEV_MMA_E4M3,
    CPUDEV_MMA_E5M2,
    CPUDEV_MMA_S32
};

typedef struct cpudev_mma_form {
    uint16_t m, n, k;
    uint8_t d, a, b, c;   /* cpudev_mma_format */
    uint8_t saturate;     /* .satfinite */
    uint8_t sparse;       /* mma.sp: A holds half of its values, k counts all */
    uint8_t popc_and;     /* of b1: .and.popc, else .xor.popc */
    uint8_t col_a, row_b; /* of m8n8k4 in f16: A by columns (.col first), B by rows (.row second) */
} cpudev_mma_form;

/* m8n8k4 of half precision: four products in a warp, one of each eight lanes 4 q .. 4 q + 3, 4 q + 16 .. 4 q + 19. */
#define CPUDEV_MMA_IN_QUADS(m, a) ((m) == 8 && (a) == CPUDEV_MMA_F16)

/* One lane's part of d = a b + c: registers as the PTX ISA lists them, each in the low bits of a word; `meta` and
 * `selector` are a sparse A's. All lanes call. */
void cpudev_mma(const cpudev_mma_form *form, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                uint32_t meta, uint32_t selector);

/* ---- wgmma ("Asynchronous Warpgroup Level Matrix Instructions" of the PTX ISA) ----
 *
 * D (64 x n) = A (64 x k) B (k x n) + D. Each of the 128 threads of a warpgroup (four warps, the first a multiple of 4)
 * gives the addresses of its registers of D, so that the product can land in them after the instruction is over. */

typedef struct cpudev_wgmma_form {
    uint16_t n, k;            /* k: of B; a sparse A has half as many columns */
    uint8_t d, a, b;          /* cpudev_mma_format; d: F16, F32 or S32 */
    uint8_t sparse;           /* .sp */
    uint8_t registers;        /* A comes from registers, not from shared memory */
    uint8_t saturate;         /* .satfinite */
    uint8_t popc_and;         /* of b1: .and.popc, else .xor.popc */
    int8_t sign_a, sign_b;    /* imm-scale: 1 or -1 */
    uint8_t trans_a, trans_b; /* "MN-major": elements that follow each other are in one column of A, one row of B */
    uint8_t zero;             /* no padding: forms are compared as bytes */
} cpudev_wgmma_form;

typedef struct cpudev_wgmma_operands {
    uint64_t a, b; /* matrix descriptors; a: unless registers */
    uint32_t a_registers[4];
    uint32_t metadata, selector; /* of a sparse A */
    int accumulate;              /* scale-d: 0 takes D for zeros */
} cpudev_wgmma_operands;

/* One thread's part of the product. d: its registers of D, 32 bits each, as the ISA lists them. */
void cpudev_wgmma(const cpudev_wgmma_form *form, uint32_t *const *d, const cpudev_wgmma_operands *operands);
void cpudev_wgmma_fence(void);
void cpudev_wgmma_commit(void);
/* Until at most `pending` of the groups that the thread has committed are unfinished. */
void cpudev_wgmma_wait(unsigned pending);

/* setmaxnreg.inc or .dec: from now on the thread's warpgroup has so many registers a thread. */
void cpudev_setmaxnreg(unsigned registers, int increase);

/* ---- what only programs of cucc --check call ---- */

/* __syncthreads(); `place` is what the compiler says of its place, or NULL. Two calls stay two, each with its own return
 * address. */
#if defined(__clang__) && __clang_major__ > 11 /* 11 has it for statements only */
__attribute__((nomerge))
#endif
void cpudev_syncthreads_at(const void *place);
void cpudev_loop_barrier(void); /* between two loops over the threads: none of them can have missed it */

extern __thread unsigned cpudev_check_thread; /* the running thread's index in its block; loops over threads set it */
extern __thread int
    cpudev_check_atomic_kind; /* of the atomic to come: bit 0 of the block's scope, bit 1 its order is named */

/* The program's variables, and the places of arrays on a thread's stack. */
void cpudev_check_shared(const volatile void *p, size_t bytes, const char *name);
void cpudev_check_global_var(void *p, size_t bytes, const char *name, int kind, const char *file, int line);
void cpudev_check_static_var(bool *told, void *p, size_t bytes, const char *name, const char *file, int line);
void cpudev_check_local(void *zones, size_t bytes, void *p, size_t size, const char *name, int on);
/* One slot of `each` bytes for each thread of a block, for a variable whose address is used: on 1, off 0. */
void cpudev_check_slots(void *p, size_t bytes, size_t each, const char *name, int on);
/* What the compiler knows of the size of a copy's two ends. */
void cpudev_check_objects(const void *dst, size_t dst_bytes, const void *src, size_t src_bytes);
void cpudev_check_width(int width); /* of a shuffle: it is none */
/* In which rounds of loops and calls of functions the running thread is, for the counters; 0 outside of all. */
unsigned long cpudev_check_round(void);
/* It enters function `id`, which returns to that place: what it was before. */
unsigned long cpudev_check_enter(unsigned long id, const void *back);
void cpudev_check_set_round(unsigned long round);
void cpudev_check_block_round(void); /* all threads of the block begin the next round of a loop around them */

/* cp.async: the bytes may change from now on; a wait has left so many copies. */
void cpudev_check_in_flight(void *to, unsigned bytes);
void cpudev_check_under_way(unsigned copies);
/* When a copy is ordered: in which phase. And as it lands: the accesses that follow are those of such a copy (0: of none). */
unsigned cpudev_check_ordered(void);
void cpudev_check_landing(unsigned ordered);

/* Tells of an atomic on the 2, 4 or 8 bytes at a and returns what is there. The launch's other atomics wait until
 * cpudev_check_update_try has been called with success. */
unsigned long long cpudev_check_update_begin(void *a, unsigned bytes, int order);
/* Writes v if *old is there still, and returns 1; else *old becomes what the host or another launch wrote meanwhile. */
int cpudev_check_update_try(unsigned long long v, unsigned long long *old);

/* A kernel's argument before its launch; `type` as in "... [with __T = float*]". */
void cpudev_check_argument(const char *names, int index, const char *type, const void *value, size_t bytes,
                           bool scalar);

/* A region that is checked in bulk (checker/regions/bulk.h). */
typedef struct cpudev_bulk {
    int sites, writes; /* accesses to global memory in it; is one of them a write? */
    int number;
} cpudev_bulk;
int cpudev_region(cpudev_bulk *r, unsigned block_x, unsigned long a, unsigned long b, unsigned long c, unsigned long d);
unsigned long *cpudev_region_addresses(void);
bool cpudev_region_touch(cpudev_bulk *r, int site, size_t bytes, int write);
int cpudev_region_not(cpudev_bulk *r);
int cpudev_region_plain(cpudev_bulk *r);
void cpudev_region_end(cpudev_bulk *r);

/* malloc(), free() and printf() of kernels */
void *cpudev_kernel_malloc(size_t bytes);
void cpudev_kernel_free(void *p);
int cpudev_kernel_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What printf() returns in a kernel: the number of arguments behind the format, or -1. */
static inline int cpudev_printed(int length, int arguments) { return length < 0 ? -1 : arguments; }

/* cpudev_check_pre.h gives the C library's functions of these names' ends to the program. */
void *cpudev_check_memcpy(void *to, const void *from, size_t n);
void *cpudev_check_memmove(void *to, const void *from, size_t n);
void *cpudev_check_memset(void *to, int c, size_t n);
void *cpudev_check_malloc(size_t n);
void *cpudev_check_calloc(size_t n, size_t each);
void *cpudev_check_realloc(void *old, size_t n);
void cpudev_check_free(void *p);

#ifdef __cplusplus
}
#endif
#endif
