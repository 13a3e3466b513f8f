/* copies.h: copies between a tensor and shared memory by a tensor map, tiled and im2col, loads, stores and reductions, for
 * cpudevice/tests/ptx/ptx_async.cu. */

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
