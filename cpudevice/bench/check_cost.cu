// What checking costs: a tiled matmul, a vector add and a tree reduction, best of three runs each, in CPU time.
// check_cost.py builds it plain, on fibers, checked and with counters, and prints the ratios. A line of output: kernel,
// ms, and how many accesses to global and shared memory its source makes.
#include <ctime>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { T = 16 };

__global__ void matmul(float *C, const float *A, const float *B, int n)
{
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * T + tx, row = blockIdx.y * T + ty;
    float sum = 0;
    for (int t = 0; t < n; t += T) {
        a[ty][tx] = A[row * n + t + tx];
        b[ty][tx] = B[(t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

__global__ void add(float *c, const float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void reduce(float *out, const float *in)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

template <typename F> static void best(const char *name, double accesses, F launch)
{
    double least = 1e30;
    for (int r = 0; r < 3; r++) {
        clock_t start = clock(); // of all threads: other programs on the machine do not count
        launch();
        if (cudaDeviceSynchronize() != cudaSuccess)
            exit(1);
        double ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
        if (ms < least)
            least = ms;
    }
    printf("%s %.3f %.0f\n", name, least, accesses);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256, m = 4 << 20;
    float *A, *B, *C, *h = (float *)malloc(m * sizeof *h);
    for (int i = 0; i < m; i++)
        h[i] = (float)(i % 101) / 101;
    if (cudaMalloc(&A, m * sizeof *A) || cudaMalloc(&B, m * sizeof *B) || cudaMalloc(&C, m * sizeof *C))
        return 1;
    cudaMemcpy(A, h, m * sizeof *A, cudaMemcpyHostToDevice);
    cudaMemcpy(B, h, m * sizeof *B, cudaMemcpyHostToDevice);
    double cube = (double)n * n * n, blocks = m / 256;
    // Of the reduction's 8 rounds: 128 + 64 + ... + 1 threads read two words and write one.
    best("matmul", 2 * cube + 4 * cube / T + (double)n * n,
         [&] { matmul<<<dim3(n / T, n / T), dim3(T, T)>>>(C, A, B, n); });
    best("add", 3.0 * m, [&] { add<<<m / 256, 256>>>(C, A, B, m); });
    best("reduce", blocks * (2 * 256 + 3 * 255 + 2), [&] { reduce<<<m / 256, 256>>>(C, A); });
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    free(h);
    return 0;
}
