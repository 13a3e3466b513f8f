/* problem.cuh: what every rung of the ladder computes: a transformer block, forward and backward, as a list of calls.
 *
 * x is `batch` sequences of `length` tokens of `width` numbers, width = heads * 128. Weights are as a linear layer has
 * them, outputs x inputs. All tensors are bf16, all sums fp32.
 *
 *     n1 = norm(x) norm1      q, k, v = n1 wqkvT       o = causal attention       y = x + o woT
 *     n2 = norm(y) norm2      h = n2 w1T   g = gelu(h)                            z = y + g w2T
 *
 * norm() divides a row by the root of the mean of its squares. Given `grad`, the gradient of z, the backward pass
 * computes those of x and of all six weights. Of a product C = A WT the gradient of A is that of C times W, and the
 * gradient of W is that of C, transposed, times A: two products for each of the forward pass's. */
#ifndef BLOCK_PROBLEM_CUH
#define BLOCK_PROBLEM_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "../../common/error.h"
#include "../attention_backward/problem.cuh"

enum { BLOCK_HEAD = 128, BLOCK_HIDDEN = 4 /* times the width: the columns of h */ };

/* One product, C (M x N) = sum over K, by what it is for; that says how its operands are laid out in memory:
 *
 *     OUTPUT        A is M x K, B is N x K: both are contiguous along K
 *     INPUT_GRAD    A is M x K, B is K x N: the weights as they are, read the other way round
 *     WEIGHT_GRAD   A is K x M, B is K x N: sums over tokens, so neither is contiguous along K
 *
 * With `parts` 3 the matrix that belongs to q, k and v together is three matrices, one after the other, of equally many
 * columns each: C of OUTPUT, otherwise A. */
enum { OUTPUT, INPUT_GRAD, WEIGHT_GRAD };

/* What else is done with C before it is stored: nothing; `with` (M x N) is added; gelu(C) goes to `more`, and gelu's
 * derivative is stored in C's place; C is multiplied by `with`. */
enum { STORE, ADD, GELU, TIMES };

typedef struct Product {
    int kind, epilogue, parts;
    const __nv_bfloat16 *A, *B;
    __nv_bfloat16 *C;
    int M, N, K;
    const __nv_bfloat16 *with;
    __nv_bfloat16 *more;
} Product;

/* n = norm(x) weight, and of each row the factor `scale` = 1 / sqrt(mean of squares + epsilon). */
typedef struct Norm {
    const __nv_bfloat16 *x, *weight;
    __nv_bfloat16 *n;
    float *scale;
    int rows, cols;
    /* backward: from grad, the gradient of n, that of x, to which `and_of` is added, and that of the weight */
    const __nv_bfloat16 *grad, *and_of;
    __nv_bfloat16 *x_grad, *weight_grad;
    float *parts; /* BLOCK_NORM_PARTS x cols */
} Norm;
enum { BLOCK_NORM_PARTS = 1024 };
#define BLOCK_EPSILON 1e-5f

typedef struct Block {
    int batch, length, width;
    const __nv_bfloat16 *x, *grad, *norm1, *norm2, *wqkv, *wo, *w1, *w2;
    __nv_bfloat16 *z, *x_grad, *norm1_grad, *norm2_grad, *wqkv_grad, *wo_grad, *w1_grad, *w2_grad;
    /* Between the kernels, from block_memory(). What the backward pass needs of the forward one is kept: n1, q, k and v,
     * o, y, n2, g, and of h no more than gelu's derivative there, `slope`. */
    __nv_bfloat16 *n1, *qkv, *o, *y, *n2, *slope, *g, *h_grad, *n_grad, *y_grad, *o_grad, *qkv_grad;
    float *scale1, *scale2, *lse, *norm_parts, *attention;
} Block;

/* A rung: kernels for each kind of call. Functions return NULL, or why it cannot be done. */
typedef struct BlockKernels {
    const char *(*product)(const Product *p, cudaStream_t stream);
    const char *(*attention)(const Attention *a, float *lse, cudaStream_t stream);
    const char *(*attention_grad)(const Backward *b, cudaStream_t stream);
    void (*norm)(const Norm *n, cudaStream_t stream);
    void (*norm_grad)(const Norm *n, cudaStream_t stream);
    bool fused;    /* product() does all epilogues; otherwise separate kernels follow it */
    bool branches; /* products for weights' gradients run on a second stream, beside the rest */
} BlockKernels;

/* The blocks of a persistent grid. */
static inline int block_multiprocessors(void)
{
    int device, count;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

static inline size_t block_tokens(const Block *b) { return (size_t)b->batch * b->length; }

static inline Attention block_attention(const Block *b)
{
    const size_t part = block_tokens(b) * b->width;
    return Attention{b->qkv,    b->qkv + part,         b->qkv + 2 * part,     b->o,       b->batch,
                     b->length, b->width / BLOCK_HEAD, b->width / BLOCK_HEAD, BLOCK_HEAD, 1};
}

/* Points the tensors between the kernels into `memory`, or with NULL only counts. Returns the bytes; each tensor begins
 * on a multiple of 256. `scores`: room for two S x S matrices per head besides (rung 1). */
static inline size_t block_memory(Block *b, uint8_t *memory, bool scores)
{
    const size_t tokens = block_tokens(b), all = tokens * b->width;
    const Attention a = block_attention(b);
    size_t at = 0;
    const auto take = [&](size_t bytes) {
        uint8_t *p = memory + at;
        at += (bytes + 255) / 256 * 256;
        return p;
    };
    __nv_bfloat16 **one[] = {&b->n1, &b->o, &b->y, &b->n2, &b->n_grad, &b->y_grad, &b->o_grad};
    for (__nv_bfloat16 **tensor : one)
        *tensor = (__nv_bfloat16 *)take(2 * all);
    b->qkv = (__nv_bfloat16 *)take(2 * 3 * all);
    b->qkv_grad = (__nv_bfloat16 *)take(2 * 3 * all);
    __nv_bfloat16 **hidden[] = {&b->slope, &b->g, &b->h_grad};
    for (__nv_bfloat16 **tensor : hidden)
        *tensor = (__nv_bfloat16 *)take(2 * BLOCK_HIDDEN * all);
    b->scale1 = (float *)take(4 * tokens);
    b->scale2 = (float *)take(4 * tokens);
    b->lse = (float *)take(4 * tokens * a.heads);
    b->norm_parts = (float *)take(sizeof(float) * BLOCK_NORM_PARTS * (size_t)b->width);
    const size_t matrices = scores ? 2 * (size_t)a.batch * a.heads * a.length * a.length : 0;
    b->attention = (float *)take(sizeof(float) * (backward_scratch(&a) + matrices));
    return at;
}

#endif
