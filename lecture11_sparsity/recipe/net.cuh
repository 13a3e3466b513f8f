/* net.cuh: many small perceptrons trained side by side, each sparse in its own way. Shapes and layout are those of
 * lottery/mlp.cuh, which gathers the digits, makes the loss and counts.
 *
 * Each network has its weights twice. The step changes the master weights, in fp32. The products use `used`: the master
 * weights rounded to bf16, of which a network's way may set some to zero, chosen anew in every step. The gradient of a
 * weight that is zero only in `used` reaches its master as if nothing had been dropped ("straight through"), so that it
 * can come back. The last layer and the biases stay dense.
 *
 * W is out x in as in the notes; in memory input i of output o is at [i][o]. Sizes are multiples of 16.
 */
#ifndef RECIPE_NET_CUH
#define RECIPE_NET_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "../lottery/mlp.cuh"
#include "../prune24/runtime.cuh"

/* How a network's weights are made sparse. 16:2:8, a case of V:N:M: of 8 neighbouring inputs, 16 outputs together keep
 * the four with the largest sum of squares, and of these each output keeps two. */
enum RecipeWeights { WEIGHTS_DENSE, WEIGHTS_2_OF_4, WEIGHTS_BOTH_WAYS, WEIGHTS_16_2_8 };

typedef struct RecipeWay {
    int weights;     /* RecipeWeights */
    int squared;     /* the activation is relu(x)^2 */
    int activations; /* of four neighbouring activations the two larger are kept */
    float decay;     /* SR-STE: dropped master weights lose this share of themselves, as if it were a gradient */
} RecipeWay;

__device__ __forceinline__ float recipe_round(float x) { return __bfloat162float(__float2bfloat16(x)); }

/* Which two of four keep the most: a bit each. Of two that are equal, the earlier. */
__device__ __forceinline__ unsigned recipe_two_of_four(const float x[4])
{
    unsigned kept = 0;
    for (int i = 0; i < 4; i++) {
        int larger = 0;
        for (int j = 0; j < 4; j++)
            larger += fabsf(x[j]) > fabsf(x[i]) || (fabsf(x[j]) == fabsf(x[i]) && j < i);
        kept |= (larger < 2) << i;
    }
    return kept;
}

/* A block of 8 inputs by 16 outputs, w[i][o], in place. */
__device__ inline void recipe_2_of_4(float w[8][16])
{
    for (int o = 0; o < 16; o++)
        for (int i = 0; i < 8; i += 4) {
            const float four[4] = {w[i][o], w[i + 1][o], w[i + 2][o], w[i + 3][o]};
            const unsigned kept = recipe_two_of_four(four);
            for (int j = 0; j < 4; j++)
                if (!(kept >> j & 1))
                    w[i + j][o] = 0;
        }
}

__device__ inline void recipe_both_ways(float w[8][16])
{
    for (int o = 0; o < 16; o += 4)
        for (int i = 0; i < 8; i += 4) {
            uint2 row[4]; /* row r: output o + r */
            for (int r = 0; r < 4; r++) {
                uint32_t bits[4];
                for (int c = 0; c < 4; c++)
                    bits[c] = __float_as_uint(w[i + c][o + r]) >> 16; /* already rounded */
                row[r] = make_uint2(bits[0] | bits[1] << 16, bits[2] | bits[3] << 16);
            }
            const uint32_t rows = prune24_pattern(prune24_pick(row)).rows;
            for (int r = 0; r < 4; r++) {
                const unsigned places = rows >> 8 * r & 15; /* two of four: the first, and the second above it */
                for (unsigned c = 0; c < 4; c++)
                    if (c != (places & 3) && c != places >> 2)
                        w[i + (int)c][o + r] = 0;
            }
        }
}

__device__ inline void recipe_16_2_8(float w[8][16])
{
    float weight[8];
    int column[4], columns = 0;
    for (int i = 0; i < 8; i++) {
        weight[i] = 0;
        for (int o = 0; o < 16; o++)
            weight[i] += w[i][o] * w[i][o];
    }
    for (int i = 0; i < 8; i++) {
        int larger = 0;
        for (int j = 0; j < 8; j++)
            larger += weight[j] > weight[i] || (weight[j] == weight[i] && j < i);
        if (larger < 4)
            column[columns++] = i;
        else
            for (int o = 0; o < 16; o++)
                w[i][o] = 0;
    }
    for (int o = 0; o < 16; o++) {
        float four[4];
        for (int j = 0; j < 4; j++)
            four[j] = w[column[j]][o];
        const unsigned kept = recipe_two_of_four(four);
        for (int j = 0; j < 4; j++)
            if (!(kept >> j & 1))
                w[column[j]][o] = 0;
    }
}

/* used = the master weights of a layer, rounded and made sparse; a thread per block of 8 inputs by 16 outputs, and after
 * them one per 16 biases. */
__global__ void recipe_sparsify_kernel(const float *master, float *used, const RecipeWay *way, int per_net, int at,
                                       int in, int out, int last)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z, i0 = t / (out / 16) * 8,
              o0 = t % (out / 16) * 16;
    if (i0 > in)
        return;
    const size_t first = (size_t)n * per_net + at + (size_t)i0 * out + o0;
    if (i0 == in) { /* biases are not rounded */
        for (int o = 0; o < 16; o++)
            used[first + o] = master[first + o];
        return;
    }
    float w[8][16];
    for (int i = 0; i < 8; i++)
        for (int o = 0; o < 16; o++)
            w[i][o] = recipe_round(master[first + (size_t)i * out + o]);
    const int kind = last ? WEIGHTS_DENSE : way[n].weights;
    if (kind == WEIGHTS_2_OF_4)
        recipe_2_of_4(w);
    else if (kind == WEIGHTS_BOTH_WAYS)
        recipe_both_ways(w);
    else if (kind == WEIGHTS_16_2_8)
        recipe_16_2_8(w);
    for (int i = 0; i < 8; i++)
        for (int o = 0; o < 16; o++)
            used[first + (size_t)i * out + o] = w[i][o];
}

/* y = x W' + bias, and the activation unless it is the last layer. x: nets x batch x in (x_net = 0: one for all). */
__global__ void recipe_forward_kernel(const float *x, size_t x_net, const float *used, const RecipeWay *way,
                                      int per_net, int at, float *y, int batch, int in, int out, int last)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z, b = t / (out / 8), o = t % (out / 8) * 8;
    if (b >= batch)
        return;
    const float *W = used + (size_t)n * per_net + at + o, *row = x + n * x_net + (size_t)b * in;
    float sum[8];
    for (int j = 0; j < 8; j++)
        sum[j] = W[(size_t)in * out + j];
    for (int i = 0; i < in; i++)
        for (int j = 0; j < 8; j++)
            sum[j] += row[i] * W[(size_t)i * out + j];
    for (int j = 0; j < 8 && !last; j++) {
        sum[j] = sum[j] < 0 ? 0 : sum[j];
        sum[j] = way[n].squared ? sum[j] * sum[j] : sum[j];
    }
    if (!last && way[n].activations)
        for (int half = 0; half < 8; half += 4) {
            const unsigned kept = recipe_two_of_four(sum + half);
            for (int j = 0; j < 4; j++)
                sum[half + j] = kept >> j & 1 ? sum[half + j] : 0;
        }
    float *to = y + ((size_t)n * batch + b) * out + o;
    for (int j = 0; j < 8; j++)
        to[j] = sum[j];
}

/* dx = dy W times the activation's derivative, which its result x tells: where x is 0, nothing passes; of relu(z)^2 it
 * is 2 relu(z). */
__global__ void recipe_backward_kernel(const float *dy, const float *used, const RecipeWay *way, int per_net, int at,
                                       const float *x, float *dx, int batch, int in, int out)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z, b = t / in, i = t % in;
    if (b >= batch)
        return;
    const float *w = used + (size_t)n * per_net + at + (size_t)i * out, *g = dy + ((size_t)n * batch + b) * out;
    float sum = 0;
    for (int o = 0; o < out; o++)
        sum += g[o] * w[o];
    const size_t at_x = ((size_t)n * batch + b) * in + i;
    const float slope = x[at_x] <= 0 ? 0 : way[n].squared ? 2 * sqrtf(x[at_x]) : 1;
    dx[at_x] = slope * sum;
}

/* dW = dy' x and the step of the master weights: velocity = momentum velocity + dW; W -= rate velocity. */
__global__ void recipe_step_kernel(const float *x, const float *dy, float *master, const float *used, float *velocity,
                                   const RecipeWay *way, int per_net, int at, int batch, int in, int out, float rate,
                                   float momentum)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z, i = t / (out / 8), o = t % (out / 8) * 8;
    if (i > in)
        return;
    const float *g = dy + (size_t)n * batch * out + o, *column = x + (size_t)n * batch * in + i;
    float sum[8] = {0};
    for (int b = 0; b < batch; b++) {
        const float v = i < in ? column[(size_t)b * in] : 1;
        for (int j = 0; j < 8; j++)
            sum[j] += v * g[(size_t)b * out + j];
    }
    const size_t w = (size_t)n * per_net + at + (size_t)i * out + o;
    for (int j = 0; j < 8; j++) {
        const bool dropped = i < in && used[w + j] == 0;
        const float v = momentum * velocity[w + j] + sum[j] + (dropped ? way[n].decay * master[w + j] : 0);
        velocity[w + j] = v;
        master[w + j] -= (way[n].squared ? 0.2f : 1) * rate * v; /* at the whole rate squared ReLU does not learn */
    }
}

#endif
