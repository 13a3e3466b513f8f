/* cluster.h: distributed shared memory, for ptx_cost.cu: four blocks of a cluster each read, between two barriers, a word of
 * each of the four. In CUDA C one block of four times the threads does the same in its own shared memory. */

enum { PART = 128, PARTS = 4, CLUSTER_STEPS = 32, CLUSTERS = 8 };

static void make_cluster(Words &in) { random_words(in, CLUSTERS * PARTS * PART); }
static void want_cluster(Words &out, const Words &in)
{
    out = in;
    for (uint32_t *x = out.data(); x < out.data() + out.size(); x += PARTS * PART)
        for (uint32_t step = 0; step < CLUSTER_STEPS; step++) {
            const Words was(x, x + PARTS * PART);
            for (uint32_t i = 0; i < PARTS * PART; i++)
                for (uint32_t part = 0; part < PARTS; part++)
                    x[i] += was[part * PART + (i + step) % PART];
        }
}

static __global__ void cluster_kernel_c(uint32_t *out, const uint32_t *in)
{
    __shared__ uint32_t word[PARTS * PART];
    const uint32_t i = blockIdx.x * PARTS * PART + threadIdx.x;
    uint32_t x = in[i];
    for (uint32_t step = 0; step < CLUSTER_STEPS; step++) {
        word[threadIdx.x] = x;
        __syncthreads();
        for (uint32_t part = 0; part < PARTS; part++)
            x += word[part * PART + (threadIdx.x + step) % PART];
        __syncthreads();
    }
    out[i] = x;
}

static __global__ void HOPPER_CLUSTER(PARTS) cluster_kernel_ptx(uint32_t *out, const uint32_t *in)
{
#ifdef HOPPER_CODE
    __shared__ uint32_t word[PART];
    const uint32_t i = blockIdx.x * PART + threadIdx.x;
    uint32_t x = in[i];
    for (uint32_t step = 0; step < CLUSTER_STEPS; step++) {
        word[threadIdx.x] = x;
        cluster_sync();
        for (uint32_t part = 0; part < PARTS; part++) {
            uint32_t there;
            asm volatile("{\n.reg .b32 remote;\nmapa.shared::cluster.u32 remote, %1, %2;\n"
                         "ld.shared::cluster.u32 %0, [remote];\n}"
                         : "=r"(there)
                         : "r"(shared_address(&word[(threadIdx.x + step) % PART])), "r"(part)
                         : "memory");
            x += there;
        }
        cluster_sync();
    }
    out[i] = x;
#else
    (void)out, (void)in;
#endif
}

static void cluster_c(uint32_t *out, const uint32_t *in) { cluster_kernel_c<<<CLUSTERS, PARTS * PART>>>(out, in); }
static void cluster_ptx(uint32_t *out, const uint32_t *in) { cluster_kernel_ptx<<<CLUSTERS * PARTS, PART>>>(out, in); }
