/* gelu.cu: y = GELU(x) = 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the tanh approximation of Hendrycks and
 * Gimpel, "Gaussian Error Linear Units" (2016), on N elements of fp32 or bf16.
 *
 * One pass over memory is 8 bytes per element in fp32 (4 in bf16). A framework's eager mode makes a kernel of each
 * operation, and each reads and writes the whole array:
 *
 *   1 chain of kernels   9 operations, 9 round trips through memory: what eager PyTorch does with the formula
 *   2 fused              one kernel; every intermediate stays in a register. Predicted 11 x: 22 arrays become 2
 *   3 fused, vectorised  16 bytes in each access; in bf16 these are 8 elements, and tanhf becomes the limit
 *   4 exp2 instead       0.5 (1 + tanh u) = 1 / (1 + exp(-2u)): one fast exponential and one division. Fewer
 *                        instructions than tanhf; needed in bf16, where memory leaves only half the time for them
 *   5 cache hints        rung 4 with ld.global.cs and st.global.cs, since no byte is used again. Predicted 1.0 to 1.02
 *                        x; measured 0.97 to 0.98 x on an H200: its L2 streams better when it is left alone
 *
 * The form (e^2u - 1) / (e^2u + 1) of tanh overflows to inf/inf = NaN from x near 10; 1 / (1 + exp(-2u)) does not.
 * Special values follow the formula: NaN gives NaN, +inf gives +inf, -inf gives -inf * 0 = NaN, as in PyTorch.
 */
#include <cuda_bf16.h>
#include <math.h>
#include <string.h>

#include "lab.h"

#define SQRT_2_OVER_PI 0.7978845608028654

static double gelu_cpu(double x) { return 0.5 * x * (1 + tanh(SQRT_2_OVER_PI * (x + 0.044715 * x * x * x))); }

static __device__ float load(const float *x, size_t i) { return x[i]; }
static __device__ float load(const __nv_bfloat16 *x, size_t i) { return __bfloat162float(x[i]); }
static __device__ void store(float *y, size_t i, float v) { y[i] = v; }
static __device__ void store(__nv_bfloat16 *y, size_t i, float v) { y[i] = __float2bfloat16(v); }

/* ---- rung 1: one kernel an operation, as eager mode runs  0.5 * x * (1 + tanh(c * (x + 0.044715 * x * x * x))) */

// notes: chain
enum Operation { MULTIPLY, SCALE, ADD, ADD_ONE, TANH };

template <typename T> __global__ void operation_kernel1(Operation op, const T *a, const T *b, T *y, float k, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float u = load(a, i), v = 0;
        switch (op) {
        case MULTIPLY: v = u * load(b, i); break;
        case SCALE: v = u * k; break;
        case ADD: v = u + load(b, i); break;
        case ADD_ONE: v = 1.0f + u; break;
        case TANH: v = tanhf(u); break;
        }
        store(y, i, v);
    }
}

// notes end
static unsigned blocks(size_t n) { return (unsigned)((n + 255) / 256); }

/* `scratch` holds 2 n elements. Nine kernels, nine round trips. */
template <typename T> static void gelu1(const T *x, T *y, T *scratch, size_t n, cudaStream_t stream)
{
    T *u = scratch, *h = scratch + n;
    unsigned g = blocks(n);
    const T *none = NULL;
    operation_kernel1<<<g, 256, 0, stream>>>(SCALE, x, none, h, 0.5f, n);            /* h = 0.5 x */
    operation_kernel1<<<g, 256, 0, stream>>>(SCALE, x, none, u, 0.044715f, n);       /* u = 0.044715 x */
    operation_kernel1<<<g, 256, 0, stream>>>(MULTIPLY, (const T *)u, x, u, 0.0f, n); /* u = u x */
    operation_kernel1<<<g, 256, 0, stream>>>(MULTIPLY, (const T *)u, x, u, 0.0f, n); /* u = u x */
    operation_kernel1<<<g, 256, 0, stream>>>(ADD, x, (const T *)u, u, 0.0f, n);      /* u = x + u */
    operation_kernel1<<<g, 256, 0, stream>>>(SCALE, (const T *)u, none, u, (float)SQRT_2_OVER_PI, n);
    operation_kernel1<<<g, 256, 0, stream>>>(TANH, (const T *)u, none, u, 0.0f, n);
    operation_kernel1<<<g, 256, 0, stream>>>(ADD_ONE, (const T *)u, none, u, 0.0f, n); /* u = 1 + u */
    operation_kernel1<<<g, 256, 0, stream>>>(MULTIPLY, (const T *)h, (const T *)u, y, 0.0f, n);
    CUDA_CHECK(cudaGetLastError());
}

/* ---- rung 2: fused */

static __device__ float gelu_tanh(float x)
{
    return 0.5f * x * (1.0f + tanhf((float)SQRT_2_OVER_PI * (x + 0.044715f * x * x * x)));
}

template <typename T> __global__ void gelu_kernel2(const T *x, T *y, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        store(y, i, gelu_tanh(load(x, i)));
}

template <typename T> static void gelu2(const T *x, T *y, T *, size_t n, cudaStream_t stream)
{
    gelu_kernel2<<<blocks(n), 256, 0, stream>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

/* ---- rungs 3 and 4: 16 bytes per access. A pack is what fits: 4 floats or 8 bf16. */

template <typename T> struct alignas(16) Pack {
    T element[16 / sizeof(T)];
};

static __device__ float gelu_exp(float x)
{
    /* exp(-2u) = 2^(-2u log2 e): the constants are multiplied here, not in the kernel */
    const float c = (float)(-2 * SQRT_2_OVER_PI * 1.4426950408889634);
    float t = exp2f(c * (x + 0.044715f * x * x * x));
    return __fdividef(x, 1.0f + t); /* 0 where 1 + t overflows: right for x << 0 */
}

enum { SMALL_BLOCK = 128 }; /* with 16 bytes per thread 1 % faster than 256 in bf16; 64 and 512 are slower */

template <typename T, int EXP> __global__ void gelu_kernel3(const T *x, T *y, size_t n)
{
    const size_t W = 16 / sizeof(T);
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / W) {
        Pack<T> in = ((const Pack<T> *)x)[i], out;
#pragma unroll
        for (size_t k = 0; k < W; k++) {
            float v = load(in.element, k);
            store(out.element, k, EXP ? gelu_exp(v) : gelu_tanh(v));
        }
        ((Pack<T> *)y)[i] = out;
    }
    size_t rest = n - n % W + i; /* the ragged end, one element for each of the first threads */
    if (i < n % W) {
        float v = load(x, rest);
        store(y, rest, EXP ? gelu_exp(v) : gelu_tanh(v));
    }
}

template <typename T, int EXP> static void gelu3(const T *x, T *y, T *, size_t n, cudaStream_t stream)
{
    size_t W = 16 / sizeof(T), threads = n / W > W ? n / W : W;
    gelu_kernel3<T, EXP><<<(unsigned)((threads + SMALL_BLOCK - 1) / SMALL_BLOCK), SMALL_BLOCK, 0, stream>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

/* ---- rung 5: rung 4, with a hint to the caches that no byte is needed again (ld.global.cs, st.global.cs) */

template <typename T> __global__ void gelu_kernel5(const T *x, T *y, size_t n)
{
    const size_t W = 16 / sizeof(T);
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / W) {
        uint4 raw = __ldcs((const uint4 *)x + i);
        Pack<T> in, out;
        memcpy(&in, &raw, sizeof in);
#pragma unroll
        for (size_t k = 0; k < W; k++)
            store(out.element, k, gelu_exp(load(in.element, k)));
        memcpy(&raw, &out, sizeof raw);
        __stcs((uint4 *)y + i, raw);
    }
    size_t rest = n - n % W + i;
    if (i < n % W)
        store(y, rest, gelu_exp(load(x, rest)));
}

template <typename T> static void gelu5(const T *x, T *y, T *, size_t n, cudaStream_t stream)
{
    size_t W = 16 / sizeof(T), threads = n / W > W ? n / W : W;
    gelu_kernel5<<<blocks(threads), 256, 0, stream>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

template <typename T> using Gelu = void(const T *x, T *y, T *scratch, size_t n, cudaStream_t stream);
typedef __nv_bfloat16 bf16;

/* For pytorch/gelu_peers.py, through ctypes: device pointers, n elements, asynchronous on `stream`. */
extern "C" void gelu_f32(const float *x, float *y, size_t n, cudaStream_t stream)
{
    gelu3<float, 1>(x, y, NULL, n, stream);
}
extern "C" void gelu_bf16(const bf16 *x, bf16 *y, size_t n, cudaStream_t stream)
{
    gelu3<bf16, 1>(x, y, NULL, n, stream);
}

static const LabRung rungs[] = {
    {1, "chain of 9 kernels", LAB_LAUNCH(Gelu<float>, gelu1<float>), LAB_F32},
    {2, "fused", LAB_LAUNCH(Gelu<float>, gelu2<float>), LAB_F32},
    {3, "fused, 16 bytes", LAB_LAUNCH(Gelu<float>, gelu3<float, 0>), LAB_F32},
    {4, "exp2 instead of tanh", LAB_LAUNCH(Gelu<float>, gelu3<float, 1>), LAB_F32},
    {5, "cache hints (slower)", LAB_LAUNCH(Gelu<float>, gelu5<float>), LAB_F32},
    {1, "chain of 9 kernels", LAB_LAUNCH(Gelu<bf16>, gelu1<bf16>), LAB_BF16},
    {2, "fused", LAB_LAUNCH(Gelu<bf16>, gelu2<bf16>), LAB_BF16},
    {3, "fused, 16 bytes", LAB_LAUNCH(Gelu<bf16>, gelu3<bf16, 0>), LAB_BF16},
    {4, "exp2 instead of tanh", LAB_LAUNCH(Gelu<bf16>, gelu3<bf16, 1>), LAB_BF16},
    {5, "cache hints (slower)", LAB_LAUNCH(Gelu<bf16>, gelu5<bf16>), LAB_BF16},
};

static const char *setup(LabCase *c)
{
    static const float special[] = {0.0f, -0.0f, 10, -10, 88, -88, 1e4f, -1e4f, INFINITY, -INFINITY, NAN, 1e-30f};
    size_t n = c->dim[0];
    if (n == 0)
        return "N must be at least 1";
    lab_input(c, 0, n, c->type);
    lab_output(c, n, c->type);
    lab_fill_uniform(c, 0, -6, 6);
    for (size_t i = 0; i < n && i < sizeof special / sizeof *special; i++)
        lab_set(c->h_in[0], c->type, i, special[i]);
    lab_scratch(c, 2 * n * lab_type_bytes(c->type));
    return NULL;
}

static void reference(LabCase *c)
{
#pragma omp parallel for
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = gelu_cpu(lab_get(c->h_in[0], c->type, i));
}

static void run(const LabRung *r, LabCase *c)
{
    /* fp32: __fdividef and exp2f are good to 2 ulp. bf16: one rounding; the chain rounds nine times, and 1 + tanh
     * cancels for negative x, so its error is that of tanh near -1, 2^-8, times x. */
    c->atol = c->type == LAB_F32 ? 2e-6 : r->number == 1 ? 0.02 : 1e-4;
    c->rtol = c->type == LAB_F32 ? 1e-5 : r->number == 1 ? 0.03 : 0x1p-8;
    if (c->type == LAB_F32)
        ((Gelu<float> *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), (float *)c->scratch, c->out_count, c->stream);
    else
        ((Gelu<bf16> *)r->launch)(lab_in_bf16(c, 0), lab_out_bf16(c), (bf16 *)c->scratch, c->out_count, c->stream);
}

static double bytes(const LabCase *c) { return 2.0 * (double)lab_type_bytes(c->type) * (double)c->out_count; }

static const Lab gelu = {
    .order = 3,
    .name = "gelu",
    .title = "nine kernels or one: what fusion buys",
    .look = "The chain of nine kernels moves 22 arrays, the fused kernel 2. Ask of each rung what limits it:\n"
            "the memory, or the arithmetic of tanh? In bf16 there are half as many bytes, and as much\n"
            "arithmetic.",
    .dims = "N",
    .size = "268435456",
    .cpu_size = "1048576",
    .test_sizes = "1 2 7 8 9 31 32 33 257 1009 65537",
    .sweep = "1048576:67108864:4194304",
    .cpu_sweep = "65536:1048576:65536",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(gelu)
