/* scalar.h: instructions of one thread, for ptx_cost.cu: integers and bits, packed conversions, memory and atomics. */

enum { SCALAR_THREADS = 1 << 16, SCALAR_STEPS = 64, BINS = 256, SAMPLES = 1 << 19 };

/* ---- scalar ALU: mad, shf, lop3, popc, prmt, bfe, selp ---- */

static __host__ __device__ inline uint32_t step_c(uint32_t x, uint32_t y)
{
    x = x * 1664525u + y;
    x = x << 7 | x >> 25;
    x = (x & y) ^ ~x;
    x += (uint32_t)__builtin_popcount(y);
    x = (x & 0xff) << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
    y = x >> 5 & 0x3ff;
    return x > 0x80000000u ? x ^ y : x + y;
}

static __device__ inline uint32_t step_ptx(uint32_t x, uint32_t y)
{
    asm volatile("{\n.reg .pred p;\n.reg .b32 t, u;\n"
                 "mad.lo.u32 %0, %0, 1664525, %1;\n"
                 "shf.l.wrap.b32 %0, %0, %0, 7;\n"
                 "lop3.b32 %0, %0, %1, 0, 0xcf;\n" /* (a & b) ^ ~a */
                 "popc.b32 t, %1;\n"
                 "add.u32 %0, %0, t;\n"
                 "prmt.b32 %0, %0, 0, 0x0123;\n"
                 "bfe.u32 t, %0, 5, 10;\n"
                 "setp.gt.u32 p, %0, 0x80000000;\n"
                 "xor.b32 u, %0, t;\n"
                 "add.u32 t, %0, t;\n"
                 "selp.b32 %0, u, t, p;\n}"
                 : "+r"(x)
                 : "r"(y));
    return x;
}

template <bool ptx> static __global__ void scalar(uint32_t *out, const uint32_t *in)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x = in[i];
    for (uint32_t k = 0; k < SCALAR_STEPS; k++)
        x = ptx ? step_ptx(x, i ^ k) : step_c(x, i ^ k);
    out[i] = x;
}

static void make_scalar(Words &in) { random_words(in, SCALAR_THREADS); }
static void want_scalar(Words &out, const Words &in)
{
    out = in;
    for (uint32_t i = 0; i < SCALAR_THREADS; i++)
        for (uint32_t k = 0; k < SCALAR_STEPS; k++)
            out[i] = step_c(out[i], i ^ k);
}
static void scalar_c(uint32_t *out, const uint32_t *in) { scalar<false><<<SCALAR_THREADS / 256, 256>>>(out, in); }
static void scalar_ptx(uint32_t *out, const uint32_t *in) { scalar<true><<<SCALAR_THREADS / 256, 256>>>(out, in); }

/* ---- packed cvt: two floats to a pair of bf16, rounded to nearest even; 32 pairs a thread ---- */

enum { PAIRS = 32 };

/* No NaN comes here. */
static __host__ __device__ inline uint32_t to_bf16(uint32_t bits) { return (bits + 0x7fff + (bits >> 16 & 1)) >> 16; }

template <bool ptx> static __global__ void convert(uint32_t *out, const uint32_t *in)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    for (uint32_t k = 0; k < PAIRS; k++) {
        const uint32_t at = k * SCALAR_THREADS / 8 + i, low = in[2 * at], high = in[2 * at + 1];
        uint32_t pair = 0;
        if (ptx)
            asm volatile("cvt.rn.bf16x2.f32 %0, %1, %2;"
                         : "=r"(pair)
                         : "f"(__uint_as_float(high)), "f"(__uint_as_float(low)));
        else
            pair = to_bf16(low) | to_bf16(high) << 16;
        out[at] = pair;
    }
}

static void make_convert(Words &in)
{
    random_words(in, (size_t)2 * PAIRS * SCALAR_THREADS / 8);
    for (uint32_t &x : in)
        x &= 0xbfffffff; /* finite: the exponent is below 128 */
}
static void want_convert(Words &out, const Words &in)
{
    out.resize(in.size() / 2);
    for (size_t i = 0; i < out.size(); i++)
        out[i] = to_bf16(in[2 * i]) | to_bf16(in[2 * i + 1]) << 16;
}
static void convert_c(uint32_t *out, const uint32_t *in) { convert<false><<<SCALAR_THREADS / 8 / 256, 256>>>(out, in); }
static void convert_ptx(uint32_t *out, const uint32_t *in)
{
    convert<true><<<SCALAR_THREADS / 8 / 256, 256>>>(out, in);
}

/* ---- ld, st, atom: a histogram, first of each block in shared memory ---- */

template <bool ptx> static __global__ void histogram(uint32_t *out, const uint32_t *in)
{
    __shared__ uint32_t bins[BINS];
    const uint32_t t = threadIdx.x, first = (blockIdx.x * blockDim.x + t) * 4;
    const uint32_t mine = (uint32_t)__cvta_generic_to_shared(bins);
    uint32_t x[4];
    if (ptx) {
        asm volatile("st.shared.u32 [%0], 0;" ::"r"(mine + 4 * t) : "memory");
        asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "l"(in + first));
    } else {
        bins[t] = 0;
        for (int k = 0; k < 4; k++)
            x[k] = in[first + k];
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        if (ptx)
            asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(mine + 4 * (x[k] % BINS)) : "memory");
        else
            atomicAdd(&bins[x[k] % BINS], 1);
    }
    __syncthreads();
    if (ptx) {
        uint32_t count;
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(count) : "r"(mine + 4 * t) : "memory");
        asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(out + t), "r"(count) : "memory");
    } else {
        atomicAdd(&out[t], bins[t]);
    }
}

static void make_histogram(Words &in) { random_words(in, SAMPLES); }
static void want_histogram(Words &out, const Words &in)
{
    out.assign(BINS, 0);
    for (uint32_t x : in)
        out[x % BINS]++;
}
static void histogram_c(uint32_t *out, const uint32_t *in) { histogram<false><<<SAMPLES / 4 / BINS, BINS>>>(out, in); }
static void histogram_ptx(uint32_t *out, const uint32_t *in) { histogram<true><<<SAMPLES / 4 / BINS, BINS>>>(out, in); }
