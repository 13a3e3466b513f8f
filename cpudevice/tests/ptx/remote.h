/* remote.h: what a block writes into another block's shared memory, counted by an mbarrier there (st.async, red.async, bulk
 * copies and reductions between blocks of a cluster), and cp.async's groups; for cpudevice/tests/ptx/ptx_async.cu. */

enum { REMOTE_STORES = 6, REMOTE_REDUCTIONS = 12, REMOTE_OPERATIONS = REMOTE_STORES + 1 + 2 * REMOTE_REDUCTIONS };

typedef struct Remote {
    int operation, slots; /* of 16 bytes, which the 128 threads write to */
    unsigned from, to, bytes;
} Remote;

static void make_remote(Remote *r, int number)
{
    Random random = {mix((uint64_t)number) + 44};
    r->operation = number % REMOTE_OPERATIONS;
    r->slots = r->operation < REMOTE_STORES ? 128 : 1 + (int)below(&random, 128);
    r->from = 16 * below(&random, 64);
    r->to = 16 * below(&random, 64);
    r->bytes = 16 * (1 + below(&random, 512));
    if (r->operation == REMOTE_STORES || r->operation >= REMOTE_STORES + 1 + REMOTE_REDUCTIONS)
        return; /* one copy of `bytes` */
    static const unsigned char size[REMOTE_STORES + 1 + REMOTE_REDUCTIONS] = {4, 8, 8, 16, 16, 16, 0, 4, 4,
                                                                              4, 4, 4, 4,  4,  4,  8, 4, 4, 4};
    r->bytes = 128u * size[r->operation];
    if (r->operation == REMOTE_STORES + 1 || r->operation == REMOTE_STORES + 2)
        r->slots = 128; /* inc and dec give what their order makes of them */
}

#define SEND_VALUE(n, text, constraint, value)                                                                         \
    case n:                                                                                                            \
        asm volatile(text " [%0], %1, [%2];" ::"r"(to), constraint(value), "r"(counter) : "memory");                   \
        break;
#define STORE(n, type, constraint, value)                                                                              \
    SEND_VALUE(n, "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes." type, constraint, value)
#define REDUCTIONS_OF(R)                                                                                               \
    R(0, "inc.u32", "r", x)                                                                                            \
    R(1, "dec.u32", "r", x)                                                                                            \
    R(2, "min.u32", "r", x)                                                                                            \
    R(3, "max.u32", "r", x)                                                                                            \
    R(4, "min.s32", "r", x)                                                                                            \
    R(5, "max.s32", "r", x)                                                                                            \
    R(6, "add.u32", "r", x)                                                                                            \
    R(7, "add.s32", "r", x)                                                                                            \
    R(8, "add.u64", "l", wide)                                                                                         \
    R(9, "and.b32", "r", x)                                                                                            \
    R(10, "or.b32", "r", x)                                                                                            \
    R(11, "xor.b32", "r", x)

/* One value of the running thread. */
static __device__ void send_value(int operation, uint32_t to, uint32_t counter, uint64_t wide)
{
    const uint32_t x = (uint32_t)wide, y = (uint32_t)(wide >> 32);
    switch (operation) {
        STORE(0, "b32", "r", x)
        STORE(1, "u64", "l", wide)
    case 2:
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(to),
                     "r"(x), "r"(y), "r"(counter)
                     : "memory");
        break;
    case 3:
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, "
                     "[%5];" ::"r"(to),
                     "r"(x), "r"(y), "r"(x + 1), "r"(y + 1), "r"(counter)
                     : "memory");
        break;
    case 4:
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(to),
                     "l"(wide), "l"(wide + 1), "r"(counter)
                     : "memory");
        break;
    case 5:
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, "
                     "[%5];" ::"r"(to),
                     "f"(1.5f), "f"((float)(x & 255)), "f"(-2.0f), "f"((float)(y & 255)), "r"(counter)
                     : "memory");
        break;
#define R(n, type, constraint, value)                                                                                  \
    SEND_VALUE(REMOTE_STORES + 1 + n, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." type,  \
               constraint, value)
        REDUCTIONS_OF(R)
#undef R
    }
}

/* Shared memory from `from` on, by one thread. */
static __device__ void send_bytes(int operation, uint32_t to, uint32_t counter, uint32_t from, uint32_t bytes)
{
    switch (operation) {
    case REMOTE_STORES:
        asm volatile(
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
            "r"(from), "r"(bytes), "r"(counter)
            : "memory");
        break;
#define R(n, type, constraint, value)                                                                                  \
    case REMOTE_STORES + 1 + REMOTE_REDUCTIONS + n:                                                                    \
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." type             \
                     " [%0], [%1], %2, [%3];" ::"r"(to),                                                               \
                     "r"(from), "r"(bytes), "r"(counter)                                                               \
                     : "memory");                                                                                      \
        break;
        REDUCTIONS_OF(R)
#undef R
    }
}

/* Block 0 sends, block 1 waits and shows its shared memory; what mapa and getctarank say is in its last words. */
static __global__ void __cluster_dims__(2, 1, 1) remote(int number, Remote r, unsigned char *out, int *status)
{
    __shared__ uint64_t bar;
    unsigned char *box = room();
    const bool values = r.operation < REMOTE_STORES ||
                        (r.operation > REMOTE_STORES && r.operation <= REMOTE_STORES + REMOTE_REDUCTIONS);
    uint32_t to, counter, rank;
    for (int i = (int)threadIdx.x; i < BOX; i += (int)blockDim.x)
        box[i] = (unsigned char)(mix((uint64_t)i / 4 + blockIdx.x) >> 8 * (i % 4));
    if (threadIdx.x == 0) {
        barrier_init(address(&bar), 1);
        expect(address(&bar), r.bytes);
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(to) : "r"(address(box) + r.to));
    asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(counter) : "r"(address(&bar)));
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(to));
    if (blockIdx.x == 0 && values)
        send_value(r.operation, to + 16 * (threadIdx.x % r.slots), counter, mix((uint64_t)number * 128 + threadIdx.x));
    else if (blockIdx.x == 0 && threadIdx.x == 0)
        send_bytes(r.operation, to, counter, address(box) + r.from, r.bytes);
    if (blockIdx.x == 1) {
        int done = 0;
        for (int tries = 0; tries < 2000 && !done; tries++)
            asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0, "
                         "100000;\nselp.u32 %0, 1, 0, p;\n}"
                         : "=r"(done)
                         : "r"(address(&bar))
                         : "memory");
        if (threadIdx.x == 0)
            *status = done;
        __syncthreads();
        if (threadIdx.x == 0)
            box[BOX - 1] = (unsigned char)rank;
        show(box, out);
    }
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

/* ---- cp.async: three copies a thread of 4, 8 or 16 bytes, of which `whole` come from memory and the rest are zeros ---- */

enum { GROUP_WAYS = 5 };

#define COPY_BYTES(size)                                                                                               \
    asm volatile("cp.async.ca.shared.global [%0], [%1], " #size ", %2;" ::"r"(at), "l"(from), "r"(whole) : "memory")
static __global__ void groups(const unsigned char *global, int number, unsigned char *out, int *status)
{
    __shared__ uint64_t bar;
    unsigned char *box = room();
    Random r = {mix((uint64_t)number) + 22};
    const unsigned size = 4u << below(&r, 3), whole = below(&r, size + 1), way = (unsigned)number % GROUP_WAYS;
    for (int i = (int)threadIdx.x; i < BOX; i += (int)blockDim.x)
        box[i] = 0xee;
    if (threadIdx.x == 0)
        barrier_init(address(&bar), 128);
    __syncthreads();
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t at = address(box) + (i * 128 + threadIdx.x) * size;
        const unsigned char *from = global + ((i * 128 + threadIdx.x) * 7 % 4096) * 16;
        switch (size) {
        case 4: COPY_BYTES(4); break;
        case 8: COPY_BYTES(8); break;
        default: COPY_BYTES(16); break;
        }
        if (way < 2)
            asm volatile("cp.async.commit_group;" ::: "memory");
    }
    int done = 1;
    switch (way) {
    case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;\ncp.async.wait_group 0;" ::: "memory"); break;
    case 2: asm volatile("cp.async.wait_all;" ::: "memory"); break;
    case 3: /* it makes one more pending, and takes it back when the copies have landed */
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(address(&bar)) : "memory");
        asm volatile("{\n.reg .b64 s;\nmbarrier.arrive.shared::cta.b64 s, [%0];\n}" ::"r"(address(&bar)) : "memory");
        done = wait_for(address(&bar), 0);
        break;
    default:
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address(&bar)) : "memory");
        done = wait_for(address(&bar), 0);
        break;
    }
    if (threadIdx.x == 0)
        *status = done;
    show(box, out);
}
