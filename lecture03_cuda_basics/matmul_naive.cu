/* matmul_naive.cu: C = A B with A of M x K, B of K x N, C of M x N floats, row-major; one thread per element of C.
 *
 * The shapes are those of a first neural network: 784 = 28 x 28 pixels in, 10 classes out; 5 images, then 50000.
 *
 * Blocks of 16 x 16, so a warp is 2 x 16 threads:
 *
 *   1 x along columns   a warp's threads read 2 elements of A, each for 16 of them at once, and 16 neighbours of B
 *   2 x along rows      the same with x and y swapped: 16 rows of A, 16 lines of memory, for each step along K
 *   9 cuBLAS            sgemm beside it (on a GPU), tf32 off
 *
 * Neither rung uses an element twice once it is read: lecture 5 does.
 */
#include <stdlib.h>

#include "ceil_div.cuh"
#include "digits.h"
#include "lab.h"
#include "table.h"
#include "vendor.h"

static void matmul_cpu(const float *A, const float *B, double *C, size_t M, size_t N, size_t K)
{
    for (size_t m = 0; m < M; m++)
        for (size_t n = 0; n < N; n++) {
            double sum = 0;
            for (size_t k = 0; k < K; k++)
                sum += (double)A[m * K + k] * B[k * N + n];
            C[m * N + n] = sum;
        }
}

__global__ void matmul_kernel1(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
        C[(size_t)row * N + col] = sum;
    }
}

__global__ void matmul_kernel2(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && col < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
        C[(size_t)row * N + col] = sum;
    }
}

typedef void Matmul(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream);

static void matmul1(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    matmul_kernel1<<<dim3(ceil_div(N, 16), ceil_div(M, 16)), dim3(16, 16), 0, stream>>>(A, B, C, M, N, K);
    CUDA_CHECK(cudaGetLastError());
}

static void matmul2(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    matmul_kernel2<<<dim3(ceil_div(M, 16), ceil_div(N, 16)), dim3(16, 16), 0, stream>>>(A, B, C, M, N, K);
    CUDA_CHECK(cudaGetLastError());
}

static void matmul9(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    vendor_gemm_f32(A, B, C, (size_t)M, (size_t)N, (size_t)K, stream);
}

static const LabRung rungs[] = {
    {1, "x along columns", LAB_LAUNCH(Matmul, matmul1)},
    {2, "x along rows", LAB_LAUNCH(Matmul, matmul2)},
    {9, "cuBLAS", LAB_LAUNCH(Matmul, matmul9), LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY},
};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M == 0 || N == 0 || K == 0)
        return "M, N and K must be at least 1";
    if (M > 65535 * 16 || N > 65535 * 16 || K > 1 << 20)
        return "M and N are at most 1048560 (gridDim.y is at most 65535), K 1048576";
    lab_input(c, 0, M * K, LAB_F32);
    lab_input(c, 1, K * N, LAB_F32);
    lab_output(c, M * N, LAB_F32);
    c->out_width = N;
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->atol = 1e-5 + 1e-7 * (double)K; /* K roundings of sums of the size of sqrt(K) */
    return NULL;
}

static void reference(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    for (size_t m = 0; m < M; m++)
        if (lab_sample_row(m, M, (double)N * (double)K))
            matmul_cpu(lab_h_in_f32(c, 0) + m * K, lab_h_in_f32(c, 1), c->expect + m * N, 1, N, K);
        else
            for (size_t n = 0; n < N; n++)
                c->expect[m * N + n] = lab_unchecked();
}

static void run(const LabRung *r, LabCase *c)
{
    ((Matmul *)r->launch)(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1],
                          (int)c->dim[2], c->stream);
}

static double bytes(const LabCase *c) { return 4.0 * (double)(c->in_count[0] + c->in_count[1] + c->out_count); }

static double flops(const LabCase *c) { return 2.0 * (double)c->out_count * (double)c->dim[2]; }

enum { PIXELS = 64, CLASSES = 10 };

/* C = A * B on the device: returns the time of a warm launch of kernel 1, in milliseconds. */
static float digits_on_device(const float *A, const float *B, float *C, int M)
{
    float *d_A, *d_B, *d_C, ms;
    const size_t bytes_A = sizeof(float) * M * PIXELS, bytes_B = sizeof(float) * PIXELS * CLASSES,
                 bytes_C = sizeof(float) * M * CLASSES;
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaMalloc(&d_A, bytes_A));
    CUDA_CHECK(cudaMalloc(&d_B, bytes_B));
    CUDA_CHECK(cudaMalloc(&d_C, bytes_C));
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaMemcpy(d_A, A, bytes_A, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_B, B, bytes_B, cudaMemcpyHostToDevice));
    for (int warmup = 0; warmup < 5; warmup++)
        matmul1(d_A, d_B, d_C, M, CLASSES, PIXELS, 0);
    CUDA_CHECK(cudaEventRecord(start));
    matmul1(d_A, d_B, d_C, M, CLASSES, PIXELS, 0);
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaMemcpy(C, d_C, bytes_C, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaFree(d_A));
    CUDA_CHECK(cudaFree(d_B));
    CUDA_CHECK(cudaFree(d_C));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return ms;
}

/* How many digits' largest score is at their label. */
static int guessed_right(const float *C, const Digits *digits)
{
    int right = 0;
    for (int i = 0; i < (int)digits->count; i++) {
        int best = 0;
        for (int n = 1; n < CLASSES; n++)
            if (C[i * CLASSES + n] > C[i * CLASSES + best])
                best = n;
        right += best == digits->label[i];
    }
    return right;
}

/* The digits of data/optdigits.csv (1797 x 64, then a label) times a random 64 x 10 weight matrix: real input, and the
 * CPU's triple loop beside the kernel. An untrained network guesses: about one digit in ten is right. */
static int show(const LabOptions *o)
{
    Digits digits;
    char why[256];
    if (digits_read_csv("data/optdigits.csv", &digits, why, sizeof why))
        die_usage("%s", why);
    int M = (int)digits.count;
    float B[PIXELS * CLASSES], *C = (float *)malloc((size_t)M * CLASSES * sizeof(float));
    double *expect = (double *)malloc((size_t)M * CLASSES * sizeof(double));
    if (!C || !expect)
        die("not enough memory");
    for (int i = 0; i < PIXELS * CLASSES; i++)
        B[i] = (float)(2 * random_uniform(o->seed, (uint64_t)i) - 1);

    double cpu_ms = bench_host_ms();
    matmul_cpu(digits.pixels, B, expect, (size_t)M, CLASSES, PIXELS);
    cpu_ms = bench_host_ms() - cpu_ms;
    float ms = digits_on_device(digits.pixels, B, C, M);

    Mismatch m;
    size_t wrong = compare(C, LAB_F32, expect, (size_t)M * CLASSES, 1e-3, 1e-5, &m);
    char a[32], b[32];
    Table *t = table_new("digits times random weights|>time");
    table_cell(t, "CPU, triple loop"), table_cell(t, "%s", format_ms(cpu_ms, a));
    table_cell(t, "kernel 1"), table_cell(t, "%s", format_ms(ms, b));
    printf("\n    %d digits of 8 x 8 pixels times 64 x 10 random weights, untrained:\n    %d of %d guessed right\n", M,
           guessed_right(C, &digits), M);
    if (!o->verify_only)
        table_print(t, stdout, 4);
    table_free(t);
    free(C), free(expect);
    digits_free(&digits);
    return lab_claim(wrong == 0, "the kernel agrees with the triple loop (%zu elements do not)", wrong);
}

static const Lab matmul_naive = {
    .order = 5,
    .name = "matmul_naive",
    .title = "one thread per element of C, and its uncoalesced twin",
    .look = "Rungs 1 and 2 do the same arithmetic on the same bytes. They differ only in which thread\n"
            "computes which element. A few images cannot keep a GPU busy; ./run matmul_naive shows two\n"
            "batch sizes.",
    .dims = "M N K",
    .size = "5x10x784 50000x10x784",
    .cpu_size = "5x10x784 5000x10x784",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = flops,
    .show = show,
};
LAB_MAIN(matmul_naive)
