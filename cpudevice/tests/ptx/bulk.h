/* bulk.h: bulk copies and reductions of bytes between global and shared memory, for cpudevice/tests/ptx/ptx_async.cu. */

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
