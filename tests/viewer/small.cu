/* Three blocks turn a 32 x 96 matrix in shared memory, once with conflicts; float4, halves of a warp and atomics;
 * constant memory; asynchronous copies in two stages; quarters of a warp that take turns. */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

enum { ROWS = 32, COLUMNS = 96 };

__global__ void turn(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < 32; i += 8)
        tile[i][x] = in[i * columns + blockIdx.x * 32 + x];
    __syncthreads();
    for (int i = y; i < 32; i += 8)
        out[(blockIdx.x * 32 + i) * rows + x] = tile[x][i];
}

__global__ void mixed(const float4 *in, float4 *out, int *count)
{
    __shared__ float4 wide[128];
    __shared__ int bins[32];
    int t = threadIdx.x;
    if (t < 32)
        bins[t] = 0;
    wide[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t % 2)
        atomicAdd(&bins[t % 8], 1);
    out[blockIdx.x * 128 + t] = wide[t * 9 % 128];
    __syncthreads();
    if (t < 32)
        atomicAdd(&count[t], bins[t]);
}

__constant__ float weights[2][4];

__global__ void weigh(const float *in, float *out)
{
    int t = threadIdx.x;
    float same = weights[1][2];      /* one address for the warp */
    float other = weights[1][t % 4]; /* four */
    out[t] = in[t] * same + other;
}

__global__ void stages(const float *in, float *out)
{
    __shared__ float stage[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&stage[0][t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&stage[1][t], &in[64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    out[t] = stage[0][t];
    __pipeline_wait_prior(0);
    out[64 + t] = stage[1][t];
}

__global__ void quarters(const float *in, float *out)
{
    int t = threadIdx.x;
    for (int turn = 0; turn < 4; turn++)
        if (t % 4 == turn)
            out[t] = in[t];
}

int main(int argc, char **argv)
{
    static float h[ROWS * COLUMNS];
    float *in, *out;
    int *count;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&count, 32 * sizeof *count);
    cudaMemset(count, 0, 32 * sizeof *count);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    if (argc > 1 && *argv[1] == 'c')
        weigh<<<1, 64>>>(in, out);
    else if (argc > 1 && *argv[1] == 'a')
        stages<<<1, 64>>>(in, out);
    else if (argc > 1 && *argv[1] == 'q')
        quarters<<<2, 64>>>(in, out);
    else if (argc > 1)
        mixed<<<3, 128>>>((float4 *)in, (float4 *)out, count);
    else
        turn<<<COLUMNS / 32, dim3(32, 8)>>>(in, out, ROWS, COLUMNS);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    cudaFree(count);
    return 0;
}
