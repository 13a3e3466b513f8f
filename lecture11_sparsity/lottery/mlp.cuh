/* mlp.cuh: many small multilayer perceptrons trained side by side, forward and backward by hand.
 *
 * Three layers, ReLU between them, softmax and cross-entropy at the end, SGD with momentum; fp32. All networks have the
 * same shape and each its own weights, mask and order of the data; blockIdx.z says which network a thread works for. A
 * mask of 0 holds a weight at zero. Sizes are multiples of 8: a thread has 8 neighbouring outputs, from two float4 per
 * step; the outputs are padded to 16, and masked from the 11th on.
 */
#ifndef LOTTERY_MLP_CUH
#define LOTTERY_MLP_CUH

#include <cuda_runtime.h>
#include <stddef.h>

enum { MLP_LAYERS = 3, MLP_CLASSES = 10, MLP_OUTPUTS = 16 };

/* Where the parameters of a layer are: weights (in x out, row-major), then biases (out). */
typedef struct MlpShape {
    int in[MLP_LAYERS], out[MLP_LAYERS];
    int at[MLP_LAYERS]; /* offset of the layer's weights in a network's parameters */
    int parameters;     /* floats per network */
} MlpShape;

static inline MlpShape mlp_shape(int inputs, int hidden1, int hidden2)
{
    MlpShape s;
    int sizes[4] = {inputs, hidden1, hidden2, MLP_OUTPUTS};
    s.parameters = 0;
    for (int l = 0; l < MLP_LAYERS; l++) {
        s.in[l] = sizes[l], s.out[l] = sizes[l + 1];
        s.at[l] = s.parameters;
        s.parameters += (sizes[l] + 1) * sizes[l + 1];
    }
    return s;
}

/* x[n][b] = digit number order[n][first + b], `inputs` pixels. */
__global__ void mlp_gather_kernel(const float *pixels, const int *order, int digits, int first, float *x, int batch,
                                  int inputs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z;
    if (i >= batch * inputs / 4)
        return;
    int b = i / (inputs / 4), q = i % (inputs / 4);
    const float4 *from = (const float4 *)(pixels + (size_t)order[(size_t)n * digits + first + b] * inputs);
    ((float4 *)(x + (size_t)n * batch * inputs))[i] = from[q];
}

/* y = x W + bias, then ReLU if `relu`. x: nets x batch x in (or one batch for all networks: x_net = 0). */
__global__ void mlp_forward_kernel(const float *x, size_t x_net, const float *parameters, int per_net, int at, float *y,
                                   int batch, int in, int out, int relu)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z;
    int b = t / (out / 8), o = t % (out / 8) * 8;
    if (b >= batch)
        return;
    const float *W = parameters + (size_t)n * per_net + at, *row = x + n * x_net + (size_t)b * in;
    float sum[8];
    for (int j = 0; j < 8; j++)
        sum[j] = W[(size_t)in * out + o + j];
    for (int i = 0; i < in; i++) {
        const float v = row[i];
        const float4 w0 = *(const float4 *)(W + (size_t)i * out + o),
                     w1 = *(const float4 *)(W + (size_t)i * out + o + 4);
        sum[0] += v * w0.x, sum[1] += v * w0.y, sum[2] += v * w0.z, sum[3] += v * w0.w;
        sum[4] += v * w1.x, sum[5] += v * w1.y, sum[6] += v * w1.z, sum[7] += v * w1.w;
    }
    float *to = y + ((size_t)n * batch + b) * out + o;
    for (int j = 0; j < 8; j++)
        to[j] = relu && sum[j] < 0 ? 0 : sum[j];
}

/* The gradient of the mean cross-entropy by the outputs, written over them: softmax less the label's 1. */
__global__ void mlp_loss_kernel(float *y, const unsigned char *label, const int *order, int digits, int first,
                                int batch)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z;
    if (b >= batch)
        return;
    float *row = y + ((size_t)n * batch + b) * MLP_OUTPUTS, most = row[0], sum = 0;
    for (int j = 1; j < MLP_CLASSES; j++)
        most = fmaxf(most, row[j]);
    for (int j = 0; j < MLP_CLASSES; j++)
        sum += expf(row[j] - most);
    const int right = label[order[(size_t)n * digits + first + b]];
    for (int j = 0; j < MLP_OUTPUTS; j++)
        row[j] = j < MLP_CLASSES ? (expf(row[j] - most) / sum - (j == right ? 1.0f : 0.0f)) / (float)batch : 0;
}

/* dx = dy W^T, where x > 0 (a ReLU stops the gradient at zeros). */
__global__ void mlp_backward_kernel(const float *dy, const float *parameters, int per_net, int at, const float *x,
                                    float *dx, int batch, int in, int out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z;
    int b = t / in, i = t % in;
    if (b >= batch)
        return;
    const float *w = parameters + (size_t)n * per_net + at + (size_t)i * out, *g = dy + ((size_t)n * batch + b) * out;
    float sum[8] = {0};
    for (int o = 0; o < out; o += 8)
        for (int j = 0; j < 8; j++)
            sum[j] += g[o + j] * w[o + j];
    const size_t at_x = ((size_t)n * batch + b) * in + i;
    dx[at_x] = x[at_x] > 0 ? ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])) : 0;
}

/* dW = x^T dy and, in the same kernel, the step: velocity = momentum velocity + dW; W -= rate velocity; both are 0
 * where the mask is.
 * Row `in` of the parameters is the bias: its x is 1. */
__global__ void mlp_step_kernel(const float *x, const float *dy, float *parameters, float *velocity, const float *mask,
                                int per_net, int at, int batch, int in, int out, float rate, float momentum)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z;
    int i = t / (out / 8), o = t % (out / 8) * 8;
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
        /* Chosen, not multiplied: an infinite weight times 0 would be NaN. And no velocity gathers behind the mask. */
        const bool kept = mask[w + j] != 0;
        const float v = kept ? momentum * velocity[w + j] + sum[j] : 0;
        velocity[w + j] = v;
        parameters[w + j] = kept ? parameters[w + j] - rate * v : 0;
    }
}

/* Counts, for each network, the digits of which the largest output is the label. */
__global__ void mlp_count_kernel(const float *y, const unsigned char *label, int batch, int *right)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z;
    if (b >= batch)
        return;
    const float *row = y + ((size_t)n * batch + b) * MLP_OUTPUTS;
    int best = 0;
    for (int j = 1; j < MLP_CLASSES; j++)
        best = row[j] > row[best] ? j : best;
    if (best == label[b])
        atomicAdd(right + n, 1);
}

#endif
