/* ptx_async.cu: mbarriers, bulk copies and tensor copies against a GPU. Each case is made from its number, run, and the
 * hash of what it left in shared or global memory is compared with what an H200 gave (results/h200/ptx_async.csv).
 *
 *   build/cuda/tests/ptx_async --record >results/h200/ptx_async.csv       on a GPU, built by nvcc for sm_90a */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include "suite.h"

enum { ROOM = 1 << 20 /* bytes of global memory */, BOX = 32768 /* of shared memory */, LINE = 1024 };
enum { TENSORS = 1200, REDUCTIONS = 160, BULKS = 120, BARRIERS = 200, ENCODINGS = 1500, FILLS = 24, IM2COLS = 120 };

static __host__ __device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

typedef struct Random {
    uint64_t state;
} Random;
static __host__ __device__ unsigned below(Random *r, unsigned n)
{
    r->state = mix(r->state);
    return (unsigned)(r->state % n);
}

/* ---- a tensor copy ---- */

typedef struct Copy {
    CUtensorMapDataType type;
    unsigned rank;
    cuuint64_t size[5], stride[5];
    cuuint32_t box[5], step[5];
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapFloatOOBfill fill;
    int at[5], operation; /* OPERATION_... */
    unsigned bytes;       /* that an mbarrier counts */
    int im2col, lower[3], upper[3];
    unsigned channels, pixels;
    unsigned short offset[3];
} Copy;

enum { LOAD, STORE, ADD, MIN, MAX, AND, OR, XOR, INC, DEC };

static const int element[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

/* Mostly small tensors; boxes that reach beyond them on every side. */
static void make_copy(Copy *c, int number, int reduce)
{
    Random r = {mix((uint64_t)number) + 77};
    memset(c, 0, sizeof *c);
    static const int reducible[] = {2, 3, 4, 5, 6, 7, 8, 9};
    c->type = (CUtensorMapDataType)(reduce ? reducible[number % 8] : number % 13);
    c->rank = 1 + (unsigned)(number / 13 % 5);
    c->swizzle = (CUtensorMapSwizzle)(number / 65 % 4);
    const unsigned bytes = (unsigned)element[c->type], span = c->swizzle ? 16u << c->swizzle : 512;
    unsigned units = span / 16;
    if (units * 16 / bytes > 256)
        units = 256 * bytes / 16;
    c->box[0] = (1 + below(&r, units)) * 16 / bytes;
    if (c->swizzle && below(&r, 3)) /* the whole of the span, as programs do */
        c->box[0] = span / bytes;
    unsigned total = c->box[0] * bytes;
    c->size[0] = 1 + below(&r, c->rank < 3 ? 300 : 40);
    c->step[0] = 1;
    c->bytes = c->box[0] * bytes;
    uint64_t stride = (c->size[0] * bytes + 15) / 16 * 16 + 16 * below(&r, 3);
    for (unsigned i = 1; i < c->rank; i++) {
        c->size[i] = 1 + below(&r, c->rank < 3 ? 60 : 6);
        c->stride[i - 1] = stride;
        stride = stride * c->size[i] + 16 * below(&r, 3);
        c->step[i] = below(&r, 3) ? 1 : 1 + below(&r, 4);
        c->box[i] = 1 + below(&r, c->rank < 3 ? 60 : 9);
        while (c->box[i] > 1 && (size_t)(c->swizzle && i == 1 ? span : total) * c->box[i] > BOX / 2)
            c->box[i] /= 2;
        total = (c->swizzle && i == 1 ? span : total) * c->box[i];
        c->bytes *= (c->box[i] + c->step[i] - 1) / c->step[i];
    }
    for (unsigned i = 0; i < c->rank; i++)
        c->at[i] = (int)below(&r, (unsigned)c->size[i] + 2 * c->box[i]) - (int)c->box[i];
    if (below(&r, 3))
        for (unsigned i = 0; i < c->rank; i++)
            c->at[i] = (int)below(&r, (unsigned)c->size[i]);
    c->operation = reduce ? ADD : (int)below(&r, 2);
    if (reduce && c->type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16) {
        const int half = c->type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 || c->type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        c->operation = half ? ADD + (int)below(&r, 3) : ADD;
    } else if (reduce) {
        c->operation = ADD + (int)below(&r, c->type == CU_TENSOR_MAP_DATA_TYPE_UINT32 ? 8 : 6);
    }
    c->fill = (CUtensorMapFloatOOBfill)(c->type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && !below(&r, 4));
    const int unit = 16 / (int)bytes; /* the first coordinate is one of 16 bytes, and none of a store is negative */
    c->at[0] = (c->at[0] - (c->at[0] % unit + unit) % unit);
    for (unsigned i = 0; i < c->rank; i++)
        if (c->operation != LOAD && c->at[i] < 0)
            c->at[i] = 0;
}

/* im2col: images of 3 to 5 dimensions (channels first), a filter's offset, pixels in a row. */
static void make_im2col(Copy *c, int number)
{
    Random r = {mix((uint64_t)number) + 99};
    memset(c, 0, sizeof *c);
    c->im2col = 1;
    c->type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
    c->rank = 3 + (unsigned)(number % 3);
    c->swizzle = (CUtensorMapSwizzle)(number / 3 % 4);
    c->channels = c->swizzle ? 8u << c->swizzle : 8 * (1 + below(&r, 8));
    c->pixels = 1 + below(&r, 64);
    c->size[0] = c->channels + 8 * below(&r, 3);
    uint64_t stride = c->size[0] * 2;
    stride = (stride + 15) / 16 * 16;
    for (unsigned i = 1; i < c->rank; i++) {
        c->size[i] = 2 + below(&r, 7);
        c->stride[i - 1] = stride;
        stride *= c->size[i];
    }
    for (unsigned i = 0; i < c->rank; i++)
        c->step[i] = 1;
    for (unsigned i = 0; i + 2 < c->rank; i++) {
        const int reach = (int)below(&r, 3); /* a filter of 1 + 2 reach, padded by reach */
        c->lower[i] = -reach;
        c->upper[i] = -reach;
        c->offset[i] = (unsigned short)below(&r, 2 * (unsigned)reach + 1);
        c->at[i + 1] = c->lower[i] + (int)below(&r, (unsigned)c->size[i + 1]);
    }
    c->at[0] = 8 * (int)below(&r, 2);
    c->at[c->rank - 1] = (int)below(&r, (unsigned)c->size[c->rank - 1]);
    c->bytes = c->channels * c->pixels * 2;
}

/* ---- the device's side ---- */

static __device__ uint32_t address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

static __device__ int wait_for(uint32_t bar, uint32_t parity)
{
    for (int tries = 0; tries < 2000; tries++) {
        uint32_t done;
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, 100000;\nselp.u32 %0, 1, "
                     "0, p;\n}"
                     : "=r"(done)
                     : "r"(bar), "r"(parity)
                     : "memory");
        if (done)
            return 1;
    }
    return 0;
}

#define TENSOR_LOAD(d, list, bar, ...)                                                                                 \
    asm volatile("cp.async.bulk.tensor." #d "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, " list   \
                 "], [%" #bar "];" ::"r"(to),                                                                          \
                 "l"(map), __VA_ARGS__, "r"(counter)                                                                   \
                 : "memory")
static __device__ void tensor_load(const CUtensorMap *map, const Copy &c, uint32_t to, uint32_t counter)
{
    const int *a = c.at;
    switch (c.rank) {
    case 1: TENSOR_LOAD(1, "{%2}", 3, "r"(a[0])); break;
    case 2: TENSOR_LOAD(2, "{%2, %3}", 4, "r"(a[0]), "r"(a[1])); break;
    case 3: TENSOR_LOAD(3, "{%2, %3, %4}", 5, "r"(a[0]), "r"(a[1]), "r"(a[2])); break;
    case 4: TENSOR_LOAD(4, "{%2, %3, %4, %5}", 6, "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])); break;
    default: TENSOR_LOAD(5, "{%2, %3, %4, %5, %6}", 7, "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4])); break;
    }
}

#define TENSOR_COLUMN(d, list, bar, offsets, ...)                                                                      \
    asm volatile("cp.async.bulk.tensor." #d                                                                            \
                 "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, " list "], [%" #bar          \
                 "], " offsets ";" ::"r"(to),                                                                          \
                 "l"(map), __VA_ARGS__                                                                                 \
                 : "memory")
static __device__ void tensor_column(const CUtensorMap *map, const Copy &c, uint32_t to, uint32_t counter)
{
    const int *a = c.at;
    const unsigned short *o = c.offset;
    switch (c.rank) {
    case 3:
        TENSOR_COLUMN(3, "{%2, %3, %4}", 5, "{%6}", "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(counter), "h"(o[0]));
        break;
    case 4:
        TENSOR_COLUMN(4, "{%2, %3, %4, %5}", 6, "{%7, %8}", "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(counter),
                      "h"(o[0]), "h"(o[1]));
        break;
    default:
        TENSOR_COLUMN(5, "{%2, %3, %4, %5, %6}", 7, "{%8, %9, %10}", "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
                      "r"(a[4]), "r"(counter), "h"(o[0]), "h"(o[1]), "h"(o[2]));
        break;
    }
}

#define TENSOR_STORE(how, d, list, ...)                                                                                \
    asm volatile(how "." #d "d.global.shared::cta" TAIL " [%0, " list "], [%1];" ::"l"(map), "r"(from), __VA_ARGS__    \
                 : "memory")
#define TENSOR_STORES(how)                                                                                             \
    switch (c.rank) {                                                                                                  \
    case 1: TENSOR_STORE(how, 1, "{%2}", "r"(a[0])); break;                                                            \
    case 2: TENSOR_STORE(how, 2, "{%2, %3}", "r"(a[0]), "r"(a[1])); break;                                             \
    case 3: TENSOR_STORE(how, 3, "{%2, %3, %4}", "r"(a[0]), "r"(a[1]), "r"(a[2])); break;                              \
    case 4: TENSOR_STORE(how, 4, "{%2, %3, %4, %5}", "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])); break;               \
    default: TENSOR_STORE(how, 5, "{%2, %3, %4, %5, %6}", "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]));      \
        break;                                                                                                         \
    }
static __device__ void tensor_store(const CUtensorMap *map, const Copy &c, uint32_t from)
{
    const int *a = c.at;
    switch (c.operation) {
#define TAIL ".bulk_group"
    case STORE: TENSOR_STORES("cp.async.bulk.tensor"); break;
#undef TAIL
#define TAIL ".add.bulk_group"
    case ADD: TENSOR_STORES("cp.reduce.async.bulk.tensor"); break;
#undef TAIL
#define TAIL ".min.bulk_group"
    case MIN: TENSOR_STORES("cp.reduce.async.bulk.tensor"); break;
#undef TAIL
#define TAIL ".max.bulk_group"
    case MAX: TENSOR_STORES("cp.reduce.async.bulk.tensor"); break;
#undef TAIL
#define TAIL ".and.bulk_group"
    case AND: TENSOR_STORES("cp.reduce.async.bulk.tensor"); break;
#undef TAIL
#define TAIL ".or.bulk_group"
    case OR: TENSOR_STORES("cp.reduce.async.bulk.tensor"); break;
#undef TAIL
#define TAIL ".xor.bulk_group"
    case XOR: TENSOR_STORES("cp.reduce.async.bulk.tensor"); break;
#undef TAIL
#define TAIL ".inc.bulk_group"
    case INC: TENSOR_STORES("cp.reduce.async.bulk.tensor"); break;
#undef TAIL
#define TAIL ".dec.bulk_group"
    default: TENSOR_STORES("cp.reduce.async.bulk.tensor"); break;
#undef TAIL
    }
}

static __device__ void barrier_init(uint32_t bar, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ void expect(uint32_t bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
                 : "memory");
}

static __device__ void group_end(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

extern __shared__ unsigned char raw[];
static __device__ unsigned char *room(void) { return raw + ((1024 - address(raw) % 1024) % 1024); }

/* Copies shared memory out, behind everything. */
static __device__ void show(const unsigned char *from, unsigned char *out)
{
    __syncthreads();
    for (int i = (int)threadIdx.x; i < BOX; i += (int)blockDim.x)
        out[i] = from[i];
}

static __global__ void copy_box(const __grid_constant__ CUtensorMap map, Copy c, unsigned char *out, int *status)
{
    __shared__ uint64_t bar;
    unsigned char *box = room();
    for (int i = (int)threadIdx.x; i < BOX; i += (int)blockDim.x)
        box[i] = (unsigned char)(c.operation == LOAD ? 0xee
                                                     : mix((uint64_t)i / 4) >> 8 * (i % 4) & (i % 4 == 3 ? 0x3f : 255));
    if (threadIdx.x == 0)
        barrier_init(address(&bar), 1);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0 && c.operation == LOAD) {
        expect(address(&bar), c.bytes);
        if (c.im2col)
            tensor_column(&map, c, address(box), address(&bar));
        else
            tensor_load(&map, c, address(box), address(&bar));
        *status = wait_for(address(&bar), 0);
    } else if (threadIdx.x == 0) {
        tensor_store(&map, c, address(box));
        group_end();
        *status = 1;
    }
    show(box, out);
}

/* ---- bulk copies ---- */

typedef struct Bulk {
    unsigned from, to, bytes;
    int operation;
} Bulk;

enum { BULK_LOAD, BULK_STORE, BULK_REDUCE, BULK_REDUCTIONS = 14 };

static void make_bulk(Bulk *b, int number)
{
    Random r = {mix((uint64_t)number) + 55};
    b->bytes = 16 * (1 + below(&r, number % 2 ? 8 : BOX / 32));
    b->from = 16 * below(&r, 64);
    b->to = 16 * below(&r, 64);
    b->operation = number % (BULK_REDUCE + BULK_REDUCTIONS);
}

#define REDUCE(n, what)                                                                                                \
    case BULK_REDUCE + n:                                                                                              \
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." what " [%0], [%1], %2;" ::"l"(memory),      \
                     "r"(shared), "r"(b.bytes)                                                                         \
                     : "memory");                                                                                      \
        break;
static __global__ void bulk(unsigned char *global, Bulk b, unsigned char *out, int *status)
{
    __shared__ uint64_t bar;
    unsigned char *box = room(), *memory = global + b.from;
    const uint32_t shared = address(box) + b.to;
    for (int i = (int)threadIdx.x; i < BOX; i += (int)blockDim.x)
        box[i] = (unsigned char)(mix((uint64_t)i / 4) >> 8 * (i % 4) & (i % 4 == 3 ? 0x3f : 255));
    if (threadIdx.x == 0)
        barrier_init(address(&bar), 1);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        *status = 1;
        switch (b.operation) {
        case BULK_LOAD:
            expect(address(&bar), b.bytes);
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared),
                "l"(memory), "r"(b.bytes), "r"(address(&bar))
                : "memory");
            *status = wait_for(address(&bar), 0);
            break;
        case BULK_STORE:
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(memory), "r"(shared),
                         "r"(b.bytes)
                         : "memory");
            break;
            REDUCE(0, "add.u32")
            REDUCE(1, "add.u64")
            REDUCE(2, "min.s32")
            REDUCE(3, "max.u32")
            REDUCE(4, "min.s64")
            REDUCE(5, "inc.u32")
            REDUCE(6, "dec.u32")
            REDUCE(7, "xor.b32")
            REDUCE(8, "and.b64")
            REDUCE(9, "add.noftz.f16")
            REDUCE(10, "add.noftz.bf16")
            REDUCE(11, "min.f16")
            REDUCE(12, "max.bf16")
            REDUCE(13, "add.f64")
        }
        group_end();
    }
    show(box, out);
}

/* ---- mbarriers: what one thread sees of a random sequence of operations ---- */

static __global__ void barrier(int number, uint64_t *out)
{
    __shared__ uint64_t object;
    Random r = {mix((uint64_t)number) + 33};
    const uint32_t bar = address(&object);
    unsigned expected = 2 + below(&r, 20), pending = expected;
    int bytes = 0, phase = 0, ended = 0; /* a model, to keep to what is defined */
    uint64_t state = 0, hash = 0;
    barrier_init(bar, expected);
    for (int i = 0; i < 64; i++) {
        const unsigned count = 1 + below(&r, pending == 0 ? 1 : pending < 4 ? pending : 4);
        const unsigned amount = 16 * (1 + below(&r, 200)), what = below(&r, 8);
        const uint64_t was = state;
        uint32_t seen = 0, p;
        if (what < 3 && pending) {
            asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                         : "=l"(state)
                         : "r"(bar), "r"(count)
                         : "memory");
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(seen) : "l"(state));
            pending -= count;
        } else if (what == 3 && pending > 1) {
            asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(seen) : "l"(state));
            pending--, expected--;
        } else if (what == 4 && pending && bytes >= 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
                         : "=l"(state)
                         : "r"(bar), "r"(amount)
                         : "memory");
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(seen) : "l"(state));
            bytes += (int)amount;
            pending--;
        } else if (what == 5) {
            asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(amount) : "memory");
            bytes += (int)amount;
        } else if (what == 6 && bytes > 0) {
            const int part = below(&r, 2) ? bytes : bytes / 2;
            asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(part) : "memory");
            bytes -= part;
        } else if (state) {
            asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                         : "=r"(seen)
                         : "r"(bar), "l"(state)
                         : "memory");
            seen += 4;
        }
        if (state != was || what < 5)
            ended = 0;
        if (!pending && !bytes) {
            pending = expected;
            phase ^= 1;
            if (ended++)
                state = 0; /* two phases on it is of none that may be asked for */
        }
        for (uint32_t parity = 0; parity < 2; parity++) {
            asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, "
                         "p;\n}"
                         : "=r"(p)
                         : "r"(bar), "r"(parity)
                         : "memory");
            seen = seen * 2 + p;
        }
        hash = mix(hash ^ seen ^ (uint64_t)phase << 40);
    }
    *out = hash;
}

/* ---- the host's side ---- */

typedef CUresult Tiled(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                       const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                       CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult Columns(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                         const int *, const int *, cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave,
                         CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static struct {
    unsigned char *global, *out, *host, *pattern;
    int *status, pattern_made;
    Tiled *tiled;
    Columns *columns;
} device;

static void *driver(const char *name)
{
    void *entry = NULL;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess) {
        fprintf(stderr, "the driver has no %s\n", name);
        exit(2);
    }
    return entry;
}

static void prepare(void)
{
    if (device.global)
        return;
    cudaMalloc((void **)&device.global, ROOM);
    cudaMalloc((void **)&device.out, BOX);
    cudaMalloc((void **)&device.status, sizeof *device.status);
    device.host = (unsigned char *)malloc(ROOM);
    device.pattern = (unsigned char *)malloc(ROOM);
    device.tiled = (Tiled *)driver("cuTensorMapEncodeTiled");
    device.columns = (Columns *)driver("cuTensorMapEncodeIm2col");
    cudaFuncSetAttribute(copy_box, cudaFuncAttributeMaxDynamicSharedMemorySize, BOX + 1024);
    cudaFuncSetAttribute(bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, BOX + 1024);
}

/* Global memory as each case finds it: floats of moderate size among others, no NaN in halves or words. */
static void fill_global(void)
{
    for (int i = 0; i < ROOM && !device.pattern_made; i += 4) {
        const uint32_t word = (uint32_t)mix((uint64_t)i + 1) & 0x3fffffff;
        memcpy(device.pattern + i, &word, sizeof word);
    }
    device.pattern_made = 1;
    cudaMemcpy(device.global, device.pattern, ROOM, cudaMemcpyHostToDevice);
}

static uint64_t hash_of(const unsigned char *p, size_t bytes)
{
    uint64_t hash = bytes;
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, sizeof word);
        hash = mix(hash ^ word);
    }
    return hash;
}

static int encode(CUtensorMap *map, const Copy *c)
{
    if (c->im2col)
        return (int)device.columns(map, c->type, c->rank, device.global, c->size, c->stride, c->lower, c->upper,
                                   c->channels, c->pixels, c->step, c->interleave, c->swizzle,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE, c->fill);
    return (int)device.tiled(map, c->type, c->rank, device.global, c->size, c->stride, c->box, c->step, c->interleave,
                             c->swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, c->fill);
}

static void hexadecimal(char *line, const unsigned char *p, int bytes)
{
    for (int i = 0; i < bytes; i++)
        sprintf(line + strlen(line), "%02x", p[i]);
}

/* What happened to the copy, as the record has it; with the first `shown` bytes of the box. */
static void copy_result(const Copy *c, char *line, int shown)
{
    CUtensorMap map;
    const int refused = encode(&map, c);
    int status = 0;
    if (refused) {
        sprintf(line, "refused %d", refused);
        return;
    }
    fill_global();
    cudaMemset(device.status, 0, sizeof(int));
    copy_box<<<1, 128, BOX + 1024>>>(map, *c, device.out, device.status);
    const cudaError_t e = cudaMemcpy(&status, device.status, sizeof status, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess || !status) {
        sprintf(line, "%s", e == cudaSuccess ? "the phase never ended" : cudaGetErrorName(e));
        return;
    }
    const size_t bytes = c->operation == LOAD ? BOX : ROOM;
    cudaMemcpy(device.host, c->operation == LOAD ? device.out : device.global, bytes, cudaMemcpyDeviceToHost);
    sprintf(line, "%016llx", (unsigned long long)hash_of(device.host, bytes));
    if (shown) {
        strcat(line, " ");
        hexadecimal(line, device.host, shown);
    }
}

static void bulk_result(int number, char *line)
{
    Bulk b;
    int status = 0;
    make_bulk(&b, number);
    fill_global();
    bulk<<<1, 128, BOX + 1024>>>(device.global, b, device.out, device.status);
    const cudaError_t e = cudaMemcpy(&status, device.status, sizeof status, cudaMemcpyDeviceToHost);
    if (e != cudaSuccess || !status) {
        sprintf(line, "%s", e == cudaSuccess ? "the phase never ended" : cudaGetErrorName(e));
        return;
    }
    cudaMemcpy(device.host, device.global, ROOM, cudaMemcpyDeviceToHost);
    uint64_t hash = hash_of(device.host, ROOM);
    cudaMemcpy(device.host, device.out, BOX, cudaMemcpyDeviceToHost);
    sprintf(line, "%016llx", (unsigned long long)(hash ^ hash_of(device.host, BOX)));
}

static void barrier_result(int number, char *line)
{
    uint64_t hash = 0;
    barrier<<<1, 1>>>(number, (uint64_t *)device.out);
    const cudaError_t e = cudaMemcpy(&hash, device.out, sizeof hash, cudaMemcpyDeviceToHost);
    sprintf(line, e == cudaSuccess ? "%016llx" : "failed", (unsigned long long)hash);
}

/* Arguments at and beyond their limits: which are refused. Many cases make one hash. */
static void encoding_result(int number, char *line)
{
    uint64_t refused = 0;
    for (int i = 0; i < 50; i++) {
        Copy c;
        CUtensorMap map;
        Random r = {mix((uint64_t)number * 50 + (uint64_t)i) + 11};
        make_copy(&c, (int)below(&r, 100000), 0);
        const unsigned k = below(&r, c.rank);
        switch (below(&r, 12)) {
        case 0: c.box[k] = 0; break;
        case 1: c.box[k] = 255 + below(&r, 3); break;
        case 2: c.step[k] = below(&r, 10); break;
        case 3: c.stride[k] += 8; break;
        case 4: c.stride[k] = (1ull << 40) - 16 * below(&r, 2); break;
        case 5: c.size[k] = below(&r, 2) ? 0 : (1ull << 32) + below(&r, 2); break;
        case 6: c.rank = 6 * below(&r, 2); break;
        case 7: c.box[0] += 1; break;
        case 8: c.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; break;
        case 9: c.interleave = (CUtensorMapInterleave)(1 + below(&r, 2)); break;
        case 10: c.swizzle = (CUtensorMapSwizzle)below(&r, 4); break;
        default: c.box[0] = 512u / (unsigned)element[c.type]; break;
        }
        refused |= (uint64_t)(encode(&map, &c) != 0) << i;
    }
    sprintf(line, "%016llx", (unsigned long long)refused);
}

/* One element outside, of each floating type; numbers as tf32; rows shorter than the swizzle: all with their bytes. */
static void fill_result(int number, char *line)
{
    Copy c;
    make_copy(&c, 0, 0);
    c.operation = LOAD;
    c.rank = 2;
    c.step[1] = 1;
    c.size[1] = 64;
    c.stride[0] = 512;
    c.at[1] = 0;
    if (number < 14) { /* two of each type from 16-bit floats on: the left element outside */
        c.type = (CUtensorMapDataType)(6 + number / 2);
        c.fill = (CUtensorMapFloatOOBfill)(number % 2);
        c.size[0] = 512u / (unsigned)element[c.type];
        c.box[0] = 32u / (unsigned)element[c.type];
        c.box[1] = 1;
        c.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        c.at[0] = -16 / element[c.type];
    } else { /* rows of 16, 32, 48 ... bytes under each swizzle */
        c.type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        c.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
        c.swizzle = (CUtensorMapSwizzle)(number == 14 ? 1 : number < 18 ? 2 : 3);
        c.box[0] = number == 14 ? 16 : number < 18 ? 16u * (unsigned)(number - 14) : 16u * (unsigned)(number - 17);
        c.box[1] = 9;
        c.size[0] = 512;
        c.at[0] = 0;
    }
    c.bytes = c.box[0] * c.box[1] * (unsigned)element[c.type];
    copy_result(&c, line, 288);
}

/* Of the reductions 16 are none that the GPU has: they fail there, and are not on record. */
static const struct {
    const char *name;
    int count, recorded;
} families[] = {{"tensor", TENSORS, TENSORS},
                {"reduction", REDUCTIONS, REDUCTIONS - 16},
                {"bulk", BULKS, BULKS},
                {"mbarrier", BARRIERS, BARRIERS},
                {"encoding", ENCODINGS / 50, ENCODINGS / 50},
                {"fill", FILLS, FILLS},
                {"im2col", IM2COLS, IM2COLS}};
enum { FAMILIES = sizeof families / sizeof *families };

static void result(int family, int number, char *line)
{
    Copy c;
    prepare();
    switch (family) {
    case 0:
    case 1:
        make_copy(&c, number, family);
        copy_result(&c, line, 0);
        break;
    case 2: bulk_result(number, line); break;
    case 3: barrier_result(number, line); break;
    case 4: encoding_result(number, line); break;
    case 5: fill_result(number, line); break;
    default:
        make_im2col(&c, number);
        copy_result(&c, line, 0);
        break;
    }
}

/* From a case on. A kernel that fails takes the process's device with it: the next case runs in a new process. */
static void record(char **argv, int family, int from)
{
    cudaDeviceProp properties;
    int version = 0;
    cudaGetDeviceProperties(&properties, 0);
    cudaDriverGetVersion(&version);
    if (!family && !from)
        printf("# %s, CUDA %d.%d; build/cuda/tests/ptx_async --record\ncase,results\n", properties.name, version / 1000,
               version % 1000 / 10);
    for (int f = family; f < FAMILIES; f++, from = 0)
        for (int i = from; i < families[f].count; i++) {
            char line[LINE], next[2][16];
            result(f, i, line);
            printf("%s %d,%s\n", families[f].name, i, line);
            fflush(stdout);
            if (cudaDeviceSynchronize() != cudaSuccess) {
                snprintf(next[0], sizeof next[0], "%d", f);
                snprintf(next[1], sizeof next[1], "%d", i + 1);
                execl(argv[0], argv[0], "--record", next[0], next[1], (char *)NULL);
                exit(2);
            }
        }
}

/* Every case of one family, as the record has it. */
START_TEST(as_on_a_gpu)
{
    char want[LINE + 64], line[LINE], name[32];
    int number, wrong = 0, tried = 0;
    FILE *f = fopen("results/h200/ptx_async.csv", "r");
    ck_assert_msg(f != NULL, "results/h200/ptx_async.csv cannot be read");
    while (fgets(want, sizeof want, f)) {
        want[strcspn(want, "\n")] = 0;
        if (sscanf(want, "%31s %d,", name, &number) != 2 || strcmp(name, families[_i].name))
            continue;
        result(_i, number, line);
        tried++;
        if (strcmp(line, strchr(want, ',') + 1) && wrong++ < 5)
            fprintf(stderr, "%s here, on an H200 %s\n", line, want);
    }
    fclose(f);
    ck_assert_msg(tried == families[_i].recorded, "results/h200/ptx_async.csv has %d cases of %s, not %d", tried,
                  families[_i].name, families[_i].recorded);
    ck_assert_msg(!wrong, "%s: %d of %d cases differ", families[_i].name, wrong, tried);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--record")) {
        record(argv, argc > 3 ? atoi(argv[2]) : 0, argc > 3 ? atoi(argv[3]) : 0);
        return 0;
    }
    Suite *suite = suite_create("mbarriers and bulk copies");
    TCase *tests = tcase_create("as on a GPU");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, as_on_a_gpu, 0, FAMILIES);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
