/* warp.h: what the lanes of a warp do together, for ptx_cost.cu. The CUDA C has the warp functions of CUDA. */

enum { WARP_THREADS = 1 << 15, WARP_STEPS = 8 };

template <bool ptx> static __global__ void warp(uint32_t *out, const uint32_t *in)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x = in[i];
    for (int k = 0; k < WARP_STEPS; k++) {
        uint32_t other, votes, sum;
        if (ptx) {
            asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(x), "r"(1 + k % 31));
            asm volatile("{\n.reg .pred p;\nsetp.gt.u32 p, %1, %2;\nvote.sync.ballot.b32 %0, p, 0xffffffff;\n}"
                         : "=r"(votes)
                         : "r"(x), "r"(other));
            asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(x));
        } else {
            other = __shfl_xor_sync(0xffffffff, x, 1 + k % 31);
            votes = __ballot_sync(0xffffffff, x > other);
            sum = __reduce_add_sync(0xffffffff, x);
        }
        x = x * 5 + (other ^ votes) + sum;
    }
    out[i] = x;
}

static void make_warp(Words &in) { random_words(in, WARP_THREADS); }
static void want_warp(Words &out, const Words &in)
{
    out = in;
    for (uint32_t *w = out.data(); w < out.data() + WARP_THREADS; w += 32)
        for (int k = 0; k < WARP_STEPS; k++) {
            uint32_t was[32], votes = 0, sum = 0;
            memcpy(was, w, sizeof was);
            for (uint32_t l = 0; l < 32; l++) {
                votes |= (uint32_t)(was[l] > was[l ^ (1u + k % 31)]) << l;
                sum += was[l];
            }
            for (uint32_t l = 0; l < 32; l++)
                w[l] = was[l] * 5 + (was[l ^ (1u + k % 31)] ^ votes) + sum;
        }
}
static void warp_c(uint32_t *out, const uint32_t *in) { warp<false><<<WARP_THREADS / 256, 256>>>(out, in); }
static void warp_ptx(uint32_t *out, const uint32_t *in) { warp<true><<<WARP_THREADS / 256, 256>>>(out, in); }
