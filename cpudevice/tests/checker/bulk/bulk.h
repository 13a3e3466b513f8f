/* bulk.h: what the cases in this folder share: memory of several kinds, and main(), which has launch() run the kernel that
 * the command line names and prints a sum of what it left in d_x. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
enum { T = 8, N = 64, BLOCKS = 8 };
typedef float F;

static const size_t bytes = N * BLOCKS * sizeof(F);
static F h[4 * N * BLOCKS];
static F *d_x, *d_y, *d_z; // zeros, zeros, set up to `bytes`
static F *half, *raw;      // without the last 64 bytes; with them, but not set
static F *four;            // set, four times as large
static int *at, h_at[N * BLOCKS];
static const dim3 grid(T, T), block(T, T);
static const int n = N;
static size_t left = bytes; // how much of d_x the kernel sets

static void launch(const char *what); // the case's

int main(int argc, char **argv)
{
    for (int i = 0; i < 4 * N * BLOCKS; i++)
        h[i] = (F)(i % 7);
    if (cudaMalloc(&d_x, N * N * sizeof(F)) || cudaMalloc(&d_y, N * N * sizeof(F)) ||
        cudaMalloc(&d_z, N * N * sizeof(F)))
        return 1;
    cudaMemset(d_x, 0, N * N * sizeof(F));
    cudaMemset(d_y, 0, N * N * sizeof(F));
    cudaMemcpy(d_z, h, bytes, cudaMemcpyHostToDevice);
    cudaMalloc(&half, bytes - 64);
    cudaMemcpy(half, h, bytes - 64, cudaMemcpyHostToDevice);
    cudaMalloc(&raw, bytes);
    cudaMemcpy(raw, h, bytes - 64, cudaMemcpyHostToDevice);
    cudaMalloc(&four, 4 * bytes);
    cudaMemcpy(four, h, 4 * bytes, cudaMemcpyHostToDevice);
    for (int i = 0; i < N * BLOCKS; i++)
        h_at[i] = i == 6 * N + 3 ? N : i % N;
    cudaMalloc(&at, sizeof h_at);
    cudaMemcpy(at, h_at, sizeof h_at, cudaMemcpyHostToDevice);
    launch(argc > 1 ? argv[1] : "");
    cudaMemcpy(h, d_x, left, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (size_t i = 0; i < left / sizeof(F); i++)
        sum += h[i] * (double)(i % 13 + 1);
    printf("%.6g\n", sum);
    cudaFree(d_x), cudaFree(d_y), cudaFree(d_z), cudaFree(half), cudaFree(raw), cudaFree(four), cudaFree(at);
    return 0;
}
