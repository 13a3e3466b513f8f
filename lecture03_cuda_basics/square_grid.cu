/* square_grid.cu: B = A * A element by element, A and B of rows x cols floats, row-major, on a 2D grid of 2D blocks.
 *
 * A 2D index is a choice: which of x and y runs along the columns? Threads of a warp differ in threadIdx.x first, so x
 * must run along neighbours in memory, or one access of a warp touches many lines.
 *
 *   1 x along columns   16 x 16 blocks; a warp covers two rows of 16 neighbours
 *   2 x along rows      the same with x and y swapped: a bad choice, since one access of a warp touches 16 lines
 *   3 32 x 8            a warp is one row of 32 neighbours: each access is one full line of 128 bytes
 *   4 float4            32 x 8, four neighbours per thread; needs cols to be a multiple of 4
 *
 * Ragged shapes: the grid is rounded up, and threads outside the matrix do nothing.
 */
#include "ceil_div.cuh"
#include "lab.h"

static void square_cpu(size_t count, const float *A, double *B)
{
    for (size_t i = 0; i < count; i++)
        B[i] = (double)A[i] * A[i];
}

__global__ void square_kernel1(const float *A, float *B, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) {
        size_t i = (size_t)row * cols + col;
        B[i] = A[i] * A[i];
    }
}

__global__ void square_kernel2(const float *A, float *B, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        size_t i = (size_t)row * cols + col;
        B[i] = A[i] * A[i];
    }
}

__global__ void square_kernel4(const float4 *A, float4 *B, int rows, int cols4)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols4) {
        size_t i = (size_t)row * cols4 + col;
        float4 a = A[i];
        B[i] = make_float4(a.x * a.x, a.y * a.y, a.z * a.z, a.w * a.w);
    }
}

typedef void Square(const float *A, float *B, int rows, int cols, cudaStream_t stream);

static void square1(const float *A, float *B, int rows, int cols, cudaStream_t stream)
{
    dim3 block(16, 16), grid(ceil_div(cols, 16), ceil_div(rows, 16));
    square_kernel1<<<grid, block, 0, stream>>>(A, B, rows, cols);
    CUDA_CHECK(cudaGetLastError());
}

static void square2(const float *A, float *B, int rows, int cols, cudaStream_t stream)
{
    dim3 block(16, 16), grid(ceil_div(rows, 16), ceil_div(cols, 16));
    square_kernel2<<<grid, block, 0, stream>>>(A, B, rows, cols);
    CUDA_CHECK(cudaGetLastError());
}

static void square3(const float *A, float *B, int rows, int cols, cudaStream_t stream)
{
    dim3 block(32, 8), grid(ceil_div(cols, 32), ceil_div(rows, 8));
    square_kernel1<<<grid, block, 0, stream>>>(A, B, rows, cols);
    CUDA_CHECK(cudaGetLastError());
}

static void square4(const float *A, float *B, int rows, int cols, cudaStream_t stream)
{
    dim3 block(32, 8), grid(ceil_div(cols / 4, 32), ceil_div(rows, 8));
    square_kernel4<<<grid, block, 0, stream>>>((const float4 *)A, (float4 *)B, rows, cols / 4);
    CUDA_CHECK(cudaGetLastError());
}

static const LabRung rungs[] = {
    {1, "x along columns, 16 x 16", LAB_LAUNCH(Square, square1)},
    {2, "x along rows, 16 x 16", LAB_LAUNCH(Square, square2)},
    {3, "32 x 8", LAB_LAUNCH(Square, square3)},
    {4, "32 x 8, float4", LAB_LAUNCH(Square, square4)},
};

static const char *setup(LabCase *c)
{
    size_t rows = c->dim[0], cols = c->dim[1];
    if (rows == 0 || cols == 0)
        return "rows and cols must be at least 1";
    /* gridDim.y is at most 65535, and rung 2 puts the columns along it */
    if (rows > 65535 * 8 || cols > 65535 * 16)
        return "at most 524280 rows and 1048560 columns: gridDim.y is at most 65535";
    lab_input(c, 0, rows * cols, LAB_F32);
    lab_output(c, rows * cols, LAB_F32);
    c->out_width = cols;
    lab_fill_uniform(c, 0, -2, 2);
    return NULL;
}

static void reference(LabCase *c) { square_cpu(c->out_count, lab_h_in_f32(c, 0), c->expect); }

static void run(const LabRung *r, LabCase *c)
{
    ((Square *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1], c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    return r->number == 4 && c->dim[1] % 4 ? "cols is not a multiple of 4" : NULL;
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

static const Lab square_grid = {
    .order = 3,
    .name = "square_grid",
    .title = "a 2D grid, and why x runs along the columns",
    .look = "Rungs 1 and 2 differ in nothing but which of x and y is the row. Compare the sectors that each\n"
            "load takes, and the times. ./run square_grid --counters shows the sectors line by line.",
    .dims = "rows cols",
    .size = "8192x8192 10000x4999",
    .cpu_size = "1024x1024",
    .test_sizes = "1x1 31x33 32x32 33x31 7x257 257x7 64x100 100x64",
    .sweep = "4096x256:16384:1024",
    .cpu_sweep = "512x64:1024:64",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
};
LAB_MAIN(square_grid)
