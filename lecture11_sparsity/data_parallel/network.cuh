/* network.cuh: a network of two layers on one GPU, y = relu(x W1') W2', its loss 1/2 sum (y - t)^2 / (all tokens), its
 * gradients, and Adam. bf16 with fp32 sums; Adam's weights and moments are fp32. The products are lecture 14's ring and
 * sparse_step's columns.cuh, which reads both operands by columns, so that only two small matrices are transposed:
 *
 *   h = relu(x W1')   y = h W2'   e = (y - t) / tokens   dW2 = e' h   d' = W2' e'   d = (d')' where h > 0   dW1 = d' x
 *
 * W1 is H x D and W2 O x H; both are in one vector of n = H D + O H weights, W1 first. Gradients have the same order. */
#ifndef NETWORK_CUH
#define NETWORK_CUH

#include <cuda_bf16.h>

#include "../../common/ceil_div.cuh"
#include "../../common/error.h"
#include "../../common/hopper.cuh"
#include "../../lecture14_tiling/hopper/10_whole.cuh"
#include "../sparse_step/columns.cuh"
#include "../sparse_step/elementwise.cuh"
#include "device.h"

typedef uint16_t bf16; /* its bits */

typedef struct Shape {
    int B, D, H, O; /* tokens of this GPU, inputs, hidden, outputs */
    int all;        /* tokens of all GPUs */
} Shape;

/* Adam's part of the weights: all of them, or this GPU's share. */
typedef struct Adam {
    float *master, *m, *v;
    size_t n;
} Adam;

typedef struct Network {
    int device;
    Shape s;
    size_t n;
    cudaStream_t stream, side;
    bf16 *x, *t;        /* B x D, B x O */
    bf16 *h, *y;        /* B x H, B x O */
    bf16 *e, *e_turned; /* B x O, O x B */
    bf16 *d_turned, *d; /* H x B, B x H */
    bf16 *w, *g;        /* n */
    Adam adam;
} Network;

static inline bf16 *network_w2(const Network *k) { return k->w + (size_t)k->s.H * (size_t)k->s.D; }
static inline bf16 *network_g2(const Network *k) { return k->g + (size_t)k->s.H * (size_t)k->s.D; }

__device__ static inline float from_bits(uint32_t high) { return __uint_as_float(high << 16); }

/* e = (y - t) scale, and its transpose. */
__global__ void error_kernel(const bf16 *y, const bf16 *t, bf16 *e, bf16 *turned, int rows, int columns, float scale)
{
    __shared__ bf16 tile[32][34];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < rows && c < columns) {
            const size_t at = (size_t)(r + i) * columns + c;
            const bf16 v = (bf16)pack_bf16((from_bits(y[at]) - from_bits(t[at])) * scale, 0);
            e[at] = v;
            tile[threadIdx.y + i][threadIdx.x] = v;
        }
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < columns && c < rows)
            turned[(size_t)(r + i) * rows + c] = tile[threadIdx.x][threadIdx.y + i];
}

/* d (tokens x hidden) = the transpose of `turned`, zero where h is. */
__global__ void mask_kernel(const bf16 *turned, const bf16 *h, bf16 *d, int hidden, int tokens)
{
    __shared__ bf16 tile[32][34];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < hidden && c < tokens)
            tile[threadIdx.y + i][threadIdx.x] = turned[(size_t)(r + i) * tokens + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < tokens && c < hidden) {
            const size_t at = (size_t)(r + i) * hidden + c;
            d[at] = h[at] ? tile[threadIdx.x][threadIdx.y + i] : 0;
        }
}

enum { ADAM_EACH = 4 };
static const float ADAM_RATE = 0x1p-10f, ADAM_B1 = 0.875f, ADAM_B2 = 0.96875f, ADAM_TINY = 1e-8f;

/* One step of Adam on `count` weights (a multiple of 4); `fix1` and `fix2` are 1 / (1 - b^step). */
__global__ void adam_kernel(bf16 *w, const bf16 *g, float *master, float *m, float *v, size_t count, float fix1,
                            float fix2)
{
    const size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * ADAM_EACH;
    if (i >= count)
        return;
    const uint2 bits = *(const uint2 *)(g + i);
    const float grad[ADAM_EACH] = {from_bits(bits.x & 0xffff), from_bits(bits.x >> 16), from_bits(bits.y & 0xffff),
                                   from_bits(bits.y >> 16)};
    const float4 m4 = *(const float4 *)(m + i), v4 = *(const float4 *)(v + i), w4 = *(const float4 *)(master + i);
    float mean[ADAM_EACH] = {m4.x, m4.y, m4.z, m4.w}, square[ADAM_EACH] = {v4.x, v4.y, v4.z, v4.w};
    float weight[ADAM_EACH] = {w4.x, w4.y, w4.z, w4.w};
#pragma unroll
    for (int k = 0; k < ADAM_EACH; k++) {
        mean[k] = ADAM_B1 * mean[k] + (1 - ADAM_B1) * grad[k];
        square[k] = ADAM_B2 * square[k] + (1 - ADAM_B2) * grad[k] * grad[k];
        weight[k] -= ADAM_RATE * (mean[k] * fix1) / (sqrtf(square[k] * fix2) + ADAM_TINY);
    }
    *(float4 *)(m + i) = make_float4(mean[0], mean[1], mean[2], mean[3]);
    *(float4 *)(v + i) = make_float4(square[0], square[1], square[2], square[3]);
    *(float4 *)(master + i) = make_float4(weight[0], weight[1], weight[2], weight[3]);
    *(uint2 *)(w + i) = make_uint2(pack_bf16(weight[0], weight[1]), pack_bf16(weight[2], weight[3]));
}

__global__ void master_kernel(float *master, const bf16 *w, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        master[i] = from_bits(w[i]);
}

static inline void network_fail(const char *why)
{
    if (why)
        die("%s", why);
    CUDA_CHECK(cudaGetLastError());
}

/* C (M x N) = A (M x K) times the transpose of B (N x K). */
static inline void network_product(const Network *k, const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    const HopperGemm p = {A, B, C, M, N, K, K, K, N};
    network_fail(whole_launch<Bf16, 128, 256, 4, 2, 1, 0>(&p, device_multiprocessors(), 8, 256, k->stream));
}

static inline void network_forward(const Network *k)
{
    const Shape *s = &k->s;
    const size_t n = (size_t)s->B * (size_t)s->H;
    network_product(k, k->x, k->w, k->h, s->B, s->H, s->D);
    relu_kernel<<<(unsigned)ceil_div(n, (size_t)(8 * 256)), 256, 0, k->stream>>>(k->h, n);
    network_product(k, k->h, network_w2(k), k->y, s->B, s->O, s->H);
    error_kernel<<<dim3((s->O + 31) / 32, (s->B + 31) / 32), dim3(32, 8), 0, k->stream>>>(
        k->y, k->t, k->e, k->e_turned, s->B, s->O, 1.0f / (float)s->all);
    network_fail(NULL);
}

/* Rows first to first + rows of dW2, and of dW1. */
static inline void network_dw2(const Network *k, int first, int rows)
{
    const Shape *s = &k->s;
    network_fail(columns_launch(k->e + first, k->h, network_g2(k) + (size_t)first * (size_t)s->H, rows, s->H, s->B,
                                device_multiprocessors(), k->stream, s->O));
}

static inline void network_dw1(const Network *k, int first, int rows)
{
    const Shape *s = &k->s;
    network_fail(columns_launch(k->d + first, k->x, k->g + (size_t)first * (size_t)s->D, rows, s->D, s->B,
                                device_multiprocessors(), k->stream, s->H));
}

static inline void network_dh(const Network *k)
{
    const Shape *s = &k->s;
    network_fail(
        columns_launch(network_w2(k), k->e_turned, k->d_turned, s->H, s->B, s->O, device_multiprocessors(), k->stream));
    mask_kernel<<<dim3((s->B + 31) / 32, (s->H + 31) / 32), dim3(32, 8), 0, k->stream>>>(k->d_turned, k->h, k->d, s->H,
                                                                                         s->B);
    network_fail(NULL);
}

/* Adam on `count` weights from `at`, whose state begins at `state` of k->adam. `step` counts from 1. */
static inline void network_adam(const Network *k, size_t at, size_t state, size_t count, int step)
{
    const float fix1 = (float)(1 / (1 - pow(ADAM_B1, step))), fix2 = (float)(1 / (1 - pow(ADAM_B2, step)));
    if (count)
        adam_kernel<<<(unsigned)ceil_div(count, (size_t)(ADAM_EACH * 256)), 256, 0, k->stream>>>(
            k->w + at, k->g + at, k->adam.master + state, k->adam.m + state, k->adam.v + state, count, fix1, fix2);
    network_fail(NULL);
}

/* A network with the state of Adam for `share` weights. */
static inline void network_make(Network *k, int device, Shape s, size_t share)
{
    const size_t B = (size_t)s.B, H = (size_t)s.H, O = (size_t)s.O, D = (size_t)s.D, e = sizeof(bf16);
    *k = (Network){};
    k->device = device;
    k->s = s;
    k->n = H * D + O * H;
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaStreamCreateWithFlags(&k->stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&k->side, cudaStreamNonBlocking));
    k->x = (bf16 *)device_alloc_nan(B * D * e), k->t = (bf16 *)device_alloc_nan(B * O * e);
    k->h = (bf16 *)device_alloc_nan(B * H * e), k->y = (bf16 *)device_alloc_nan(B * O * e);
    k->e = (bf16 *)device_alloc_nan(B * O * e), k->e_turned = (bf16 *)device_alloc_nan(B * O * e);
    k->d_turned = (bf16 *)device_alloc_nan(B * H * e), k->d = (bf16 *)device_alloc_nan(B * H * e);
    k->w = (bf16 *)device_alloc_nan(k->n * e), k->g = (bf16 *)device_alloc_nan(k->n * e);
    k->adam.n = share;
    k->adam.master = (float *)device_alloc_nan(share * sizeof(float));
    k->adam.m = (float *)device_alloc_nan(share * sizeof(float));
    k->adam.v = (float *)device_alloc_nan(share * sizeof(float));
    CUDA_CHECK(cudaDeviceSynchronize()); /* the streams do not wait for the default one */
}

static inline void network_free(Network *k)
{
    void *const all[] = {k->x, k->t, k->h, k->y,           k->e,      k->e_turned, k->d_turned,
                         k->d, k->w, k->g, k->adam.master, k->adam.m, k->adam.v};
    CUDA_CHECK(cudaSetDevice(k->device));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CUDA_CHECK(cudaFree(all[i]));
    CUDA_CHECK(cudaStreamDestroy(k->stream));
    CUDA_CHECK(cudaStreamDestroy(k->side));
}

#endif
