/* cdist.cu: pairwise Euclidean distances: out[i][j] = ||x_i - y_j||, x of M points, y of N points, D floats each,
 * row-major; out is M x N.
 *
 * Two ways to the same number, and a profile that shows where the time of each goes (./run cdist --profile):
 *
 *   1 direct     one kernel: each thread sums (x - y)^2 over D
 *   2 expanded   ||x - y||^2 = ||x||^2 + ||y||^2 - 2 x.y, out of five kernels: two norms, a matrix product, a sum, a root.
 *                The product is where a fast library could help; the rest are round trips through memory
 *   3 expanded, fused   norms apart, everything else in the kernel of the product
 *
 * The expanded form subtracts nearly equal numbers when points are close together far from the origin: the digits
 * they share cancel and the rounding errors of the norms remain. The second table measures that.
 */
#include <math.h>
#include <stdlib.h>

#include "lab.h"
#include "side_csv.h"
#include "table.h"

static double distance_cpu(const float *x, const float *y, size_t D)
{
    double sum = 0;
    for (size_t d = 0; d < D; d++)
        sum += ((double)x[d] - y[d]) * ((double)x[d] - y[d]);
    return sqrt(sum);
}

static __global__ void distance_kernel1(const float *x, const float *y, float *out, int M, int N, int D)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float sum = 0;
        for (int d = 0; d < D; d++) {
            float diff = x[(size_t)i * D + d] - y[(size_t)j * D + d];
            sum += diff * diff;
        }
        out[(size_t)i * N + j] = sqrtf(sum);
    }
}

static __global__ void norm_kernel2(const float *x, float *norm, int count, int D)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float sum = 0;
        for (int d = 0; d < D; d++)
            sum += x[(size_t)i * D + d] * x[(size_t)i * D + d];
        norm[i] = sum;
    }
}

static __global__ void product_kernel2(const float *x, const float *y, float *out, int M, int N, int D)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float sum = 0;
        for (int d = 0; d < D; d++)
            sum += x[(size_t)i * D + d] * y[(size_t)j * D + d];
        out[(size_t)i * N + j] = sum;
    }
}

static __global__ void combine_kernel2(const float *norm_x, const float *norm_y, float *out, int M, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N)
        out[(size_t)i * N + j] = norm_x[i] + norm_y[j] - 2 * out[(size_t)i * N + j];
}

static __global__ void root_kernel2(float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = sqrtf(fmaxf(out[i], 0)); /* rounding can leave a small negative number */
}

static __global__ void distance_kernel3(const float *x, const float *y, const float *norm_x, const float *norm_y, float *out,
                                        int M, int N, int D)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float sum = 0;
        for (int d = 0; d < D; d++)
            sum += x[(size_t)i * D + d] * y[(size_t)j * D + d];
        out[(size_t)i * N + j] = sqrtf(fmaxf(norm_x[i] + norm_y[j] - 2 * sum, 0));
    }
}

static unsigned ceil_div(int n, int by) { return (unsigned)((n + by - 1) / by); }

/* `norms` holds M + N floats. */
typedef void Distance(const float *x, const float *y, float *norms, float *out, int M, int N, int D, cudaStream_t stream);

static void distance1(const float *x, const float *y, float *, float *out, int M, int N, int D, cudaStream_t stream)
{
    distance_kernel1<<<dim3(ceil_div(N, 16), ceil_div(M, 16)), dim3(16, 16), 0, stream>>>(x, y, out, M, N, D);
    CUDA_CHECK(cudaGetLastError());
}

static void distance2(const float *x, const float *y, float *norms, float *out, int M, int N, int D, cudaStream_t stream)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);
    norm_kernel2<<<ceil_div(M, 256), 256, 0, stream>>>(x, norms, M, D);
    norm_kernel2<<<ceil_div(N, 256), 256, 0, stream>>>(y, norms + M, N, D);
    product_kernel2<<<grid, block, 0, stream>>>(x, y, out, M, N, D);
    combine_kernel2<<<grid, block, 0, stream>>>(norms, norms + M, out, M, N);
    root_kernel2<<<ceil_div(M * N, 256), 256, 0, stream>>>(out, M * N);
    CUDA_CHECK(cudaGetLastError());
}

static void distance3(const float *x, const float *y, float *norms, float *out, int M, int N, int D, cudaStream_t stream)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);
    norm_kernel2<<<ceil_div(M, 256), 256, 0, stream>>>(x, norms, M, D);
    norm_kernel2<<<ceil_div(N, 256), 256, 0, stream>>>(y, norms + M, N, D);
    distance_kernel3<<<grid, block, 0, stream>>>(x, y, norms, norms + M, out, M, N, D);
    CUDA_CHECK(cudaGetLastError());
}

static const LabRung rungs[] = {
    {1, "direct", (LabLaunch)distance1},
    {2, "expanded, 5 kernels", (LabLaunch)distance2},
    {3, "expanded, fused", (LabLaunch)distance3},
};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], D = c->dim[2];
    if (M == 0 || N == 0 || D == 0)
        return "M, N and D must be at least 1";
    if (M > 1 << 20 || N > 1 << 20 || M * N > 0x7fffffff || D > 1 << 20)
        return "M, N and D end at 1048576, and M * N at 2147483647";
    lab_input(c, 0, M * D, LAB_F32);
    lab_input(c, 1, N * D, LAB_F32);
    lab_output(c, M * N, LAB_F32);
    c->out_width = N;
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    lab_scratch(c, (M + N) * sizeof(float));
    c->atol = 1e-3; /* near 0 the root of a cancelled sum is worth no more: sqrt(D 2^-24) */
    return NULL;
}

static void reference(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], D = c->dim[2];
#pragma omp parallel for
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < N; j++)
            c->expect[i * N + j] = lab_sample_row(i, M, (double)N * (double)D)
                                       ? distance_cpu((float *)c->h_in[0] + i * D, (float *)c->h_in[1] + j * D, D)
                                       : lab_unchecked();
}

static void run(const LabRung *r, LabCase *c)
{
    ((Distance *)r->launch)((float *)c->in[0], (float *)c->in[1], (float *)c->scratch, (float *)c->out, (int)c->dim[0],
                            (int)c->dim[1], (int)c->dim[2], c->stream);
}

static double bytes(const LabCase *c) { return 4.0 * (double)(c->in_count[0] + c->in_count[1] + c->out_count); }
static double flops(const LabCase *c) { return 3.0 * (double)c->out_count * (double)c->dim[2]; }

/* The same cloud of points moved away from the origin: distances stay, norms grow, digits cancel. */
static int show(const LabOptions *o)
{
    enum { M = 64, D = 16 };
    float h_x[M * D], h_y[M * D], h_out[M * M], *x, *y, *norms, *out;
    CUDA_CHECK(cudaMalloc(&x, sizeof h_x));
    CUDA_CHECK(cudaMalloc(&y, sizeof h_y));
    CUDA_CHECK(cudaMalloc(&norms, 2 * M * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&out, sizeof h_out));
    Table *t = table_new(">distance from the origin|>direct: worst relative error|>expanded: worst relative error");
    FILE *csv = side_csv(o, "errors", "offset,direct,expanded");
    double direct_worst = 0, expanded_far = 0;
    for (double offset = 0; offset <= 10000; offset = offset ? 10 * offset : 1) {
        for (int i = 0; i < M * D; i++) {
            h_x[i] = (float)(offset + random_uniform(o->seed, (uint64_t)i));
            h_y[i] = (float)(offset + random_uniform(o->seed + 1, (uint64_t)i));
        }
        CUDA_CHECK(cudaMemcpy(x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(y, h_y, sizeof h_y, cudaMemcpyHostToDevice));
        double worst[2] = {0, 0};
        for (int way = 0; way < 2; way++) {
            (way ? distance2 : distance1)(x, y, norms, out, M, M, D, 0);
            CUDA_CHECK(cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost));
            for (int i = 0; i < M; i++)
                for (int j = 0; j < M; j++) {
                    double e = distance_cpu(h_x + i * D, h_y + j * D, D), error = fabs(h_out[i * M + j] - e) / e;
                    worst[way] = error > worst[way] || error != error ? error : worst[way];
                }
        }
        table_cell(t, "%g", offset);
        table_cell(t, "%.1e", worst[0]);
        table_cell(t, "%.1e", worst[1]);
        if (csv)
            fprintf(csv, "%g,%.1e,%.1e\n", offset, worst[0], worst[1]);
        direct_worst = fmax(direct_worst, worst[0]);
        expanded_far = worst[1];
    }
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(norms));
    CUDA_CHECK(cudaFree(out));
    if (csv && fclose(csv))
        die("cannot write the errors beside %s", o->csv);
    puts("\n    Cancellation: 64 points of 16 coordinates in a cube of side 1, moved away from the origin");
    table_print(t, stdout, 4);
    table_free(t);
    return lab_claim(direct_worst < 1e-5, "the direct form stays exact (%.1e)", direct_worst) +
           lab_claim(expanded_far > 0.1, "the expanded form has lost every digit at 10000 (%.1e)", expanded_far);
}

static const Lab cdist = {
    .order = 4,
    .name = "cdist",
    .title = "one formula, two ways, and where the time goes",
    .look = "Are the distances computed directly, or by expanding the square? Look at the times, then at the\n"
            "profile (./run cdist --profile): of five kernels, one takes nearly all of the time. Then look at\n"
            "the errors: far from the origin the expanded form has no correct digit left.",
    .dims = "M N D",
    .size = "4096x4096x64",
    .cpu_size = "512x512x64",
    .test_sizes = "1x1x1 31x33x7 32x32x32 33x17x65 64x100x3",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = flops,
    .show = show,
};
LAB_MAIN(cdist)
