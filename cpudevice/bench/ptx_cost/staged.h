/* staged.h: copies to shared memory ahead of their use, for ptx_cost.cu: a ring of three stages of 4 KB, filled by
 * cp.async groups or by TMA; in CUDA C by loads and stores, with a barrier. Each block adds up the words of its steps, each
 * thread one of another thread's copies. */

enum { RING_THREADS = 256, RING_WORDS = 1024, RING_STAGES = 3, RING_STEPS = 32, RING_BLOCKS = 16 };

/* The word of a stage that thread t adds in round i: none that it copied itself. */
static __host__ __device__ inline uint32_t ring_word(uint32_t t, uint32_t i)
{
    return ((t * 4 + i) * 5 + 129) % RING_WORDS;
}

static __device__ inline uint32_t ring_sum(const uint32_t *stage)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        sum += stage[ring_word(threadIdx.x, i)];
    return sum;
}

static void make_ring(Words &in) { random_words(in, RING_BLOCKS * RING_STEPS * RING_WORDS); }
static void want_ring(Words &out, const Words &in)
{
    out.assign(RING_BLOCKS * RING_THREADS, 0);
    for (uint32_t b = 0; b < RING_BLOCKS; b++)
        for (uint32_t step = 0; step < RING_STEPS; step++)
            for (uint32_t t = 0; t < RING_THREADS; t++)
                for (uint32_t i = 0; i < 4; i++)
                    out[b * RING_THREADS + t] += in[(b * RING_STEPS + step) * RING_WORDS + ring_word(t, i)];
}

static __global__ void ring_kernel_c(uint32_t *out, const uint32_t *in)
{
    __shared__ uint32_t stage[RING_WORDS];
    uint32_t sum = 0;
    for (int step = 0; step < RING_STEPS; step++) {
        const uint32_t *from = in + ((int)blockIdx.x * RING_STEPS + step) * RING_WORDS;
        for (int i = 0; i < 4; i++)
            stage[4 * threadIdx.x + i] = from[4 * threadIdx.x + i];
        __syncthreads();
        sum += ring_sum(stage);
        __syncthreads();
    }
    out[blockIdx.x * RING_THREADS + threadIdx.x] = sum;
}

/* A group a step, empty behind the last. */
static __device__ inline void ring_fetch(uint32_t (*ring)[RING_WORDS], const uint32_t *in, int step)
{
    const uint32_t *from = in + ((int)blockIdx.x * RING_STEPS + step) * RING_WORDS + 4 * threadIdx.x;
    if (step < RING_STEPS)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                         shared_address(&ring[step % RING_STAGES][4 * threadIdx.x])),
                     "l"(from)
                     : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
}

static __global__ void ring_kernel_cp_async(uint32_t *out, const uint32_t *in)
{
    __shared__ __align__(16) uint32_t ring[RING_STAGES][RING_WORDS];
    uint32_t sum = 0;
    for (int step = 0; step < RING_STAGES - 1; step++)
        ring_fetch(ring, in, step);
    for (int step = 0; step < RING_STEPS; step++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(RING_STAGES - 2) : "memory");
        __syncthreads(); /* all see the stage, and all are done with the one before, which is filled now */
        ring_fetch(ring, in, step + RING_STAGES - 1);
        sum += ring_sum(ring[step % RING_STAGES]);
    }
    out[blockIdx.x * RING_THREADS + threadIdx.x] = sum;
}

/* The input as a matrix: a box is 16 rows of 64 words. */
static __global__ void ring_kernel_tma(uint32_t *out, const __grid_constant__ CUtensorMap map)
{
#ifdef HOPPER_CODE
    __shared__ __align__(128) uint32_t ring[RING_STAGES][RING_WORDS];
    __shared__ uint64_t full[RING_STAGES];
    const int first = (int)blockIdx.x * RING_STEPS * 16;
    uint32_t sum = 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < RING_STAGES; i++)
            mbarrier_init(shared_address(&full[i]), 1);
        mbarrier_init_fence();
        for (int i = 0; i < RING_STAGES - 1; i++) {
            mbarrier_arrive_expect(shared_address(&full[i]), RING_WORDS * 4);
            tma_load(shared_address(ring[i]), &map, 0, first + i * 16, shared_address(&full[i]));
        }
    }
    __syncthreads();
    for (int step = 0; step < RING_STEPS; step++) {
        const int ahead = step + RING_STAGES - 1, stage = ahead % RING_STAGES;
        mbarrier_wait(shared_address(&full[step % RING_STAGES]), step / RING_STAGES % 2);
        __syncthreads(); /* all are done with the stage before, which is filled now */
        if (threadIdx.x == 0 && ahead < RING_STEPS) {
            mbarrier_arrive_expect(shared_address(&full[stage]), RING_WORDS * 4);
            tma_load(shared_address(ring[stage]), &map, 0, first + ahead * 16, shared_address(&full[stage]));
        }
        sum += ring_sum(ring[step % RING_STAGES]);
    }
    out[blockIdx.x * RING_THREADS + threadIdx.x] = sum;
#else
    (void)out, (void)map;
#endif
}

static void ring_c(uint32_t *out, const uint32_t *in) { ring_kernel_c<<<RING_BLOCKS, RING_THREADS>>>(out, in); }
static void ring_cp_async(uint32_t *out, const uint32_t *in)
{
    ring_kernel_cp_async<<<RING_BLOCKS, RING_THREADS>>>(out, in);
}
static void ring_tma(uint32_t *out, const uint32_t *in)
{
    CUtensorMap map;
    const char *why =
        tensor_map_2d(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, in, RING_BLOCKS * RING_STEPS * 16, 64, 64, 16, 64, 0);
    if (why) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    ring_kernel_tma<<<RING_BLOCKS, RING_THREADS>>>(out, map);
}
