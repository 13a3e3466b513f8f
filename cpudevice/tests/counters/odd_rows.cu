// 1024 rows of 32 floats, 33 floats apart, a warp to a row, four rows one after the other: the first of each eight rows
// begins with a sector, the others in the middle of one. 128 x 4 + 896 x 5 sectors.
// BUILD: $cucc --check -o $exe $case
// TEST: rows that begin anywhere in a sector, with callbacks
// RUN: CUDA_CPU_BULK=0 counted; metrics __t_ 'sectors_pipe_lsu_mem_global_op_[ls][dt]' '\.sum'
// PRINTS: 1 sectors_pipe_lsu_mem_global_op_ld 4992
// PRINTS: 1 sectors_pipe_lsu_mem_global_op_st 4992
// TEST: rows_in_bulk
// RUN: CUDA_CPU_WORKERS=1 CUDA_CPU_BULK=1 counted; metrics __t_ 'sectors_pipe_lsu_mem_global_op_[ls][dt]' '\.sum'
// PRINTS: 1 sectors_pipe_lsu_mem_global_op_ld 4992
// PRINTS: 1 sectors_pipe_lsu_mem_global_op_st 4992
#include <cuda_runtime.h>

__global__ void odd_rows(float *out, const float *in)
{
    for (int row = threadIdx.y; row < 128; row += 32) {
        int i = (blockIdx.x * 128 + row) * 33 + threadIdx.x;
        out[i] = in[i];
    }
}

int main()
{
    const int n = 33 * 1024;
    float *a;
    cudaMallocManaged(&a, 2 * n * sizeof(float));
    for (int i = 0; i < n; i++)
        a[i] = (float)i;
    odd_rows<<<8, dim3(32, 32)>>>(a + n, a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
