// With COURSE_LANG=zh findings are printed in Chinese; a report for graders stays as it is. (An object that was compiled in
// another tree names its files by their whole paths.)
// BUILD: $cucc --check -o $exe $case
// TEST: findings in Chinese
// RUN: (COURSE_LANG=zh $exe || :) 2>&1 | sed "s|[^ ]*$folder/||"
// PRINTS: memcheck：越界：刚好越过一块内存的末尾
// PRINTS:     核函数 set(int*, int)，启动于 chinese.cu:{line <<<1, 33>>>}
// PRINTS:     线程块 (0,0,0)，线程 (32,0,0)：写入 4 个字节
// PRINTS:         位于 chinese.cu:{line x[threadIdx.x] = n}
// PRINTS:         | x[threadIdx.x] = n;
// PRINTS:     内存：d_x：128 字节，cudaMalloc，位于 chinese.cu:{line cudaMalloc(&d_x}
// PRINTS:     常见原因：网格的线程比数组的元素多（缺少 if (i < n)），或者边界差了一，或者大小按元素而没有按字节计算
// PRINTS: cucc --check：1 个错误（memcheck 1，racecheck 0，initcheck 0，synccheck 0，hostcheck 0）
// TEST: LANG alone is enough
// RUN: COURSE_LANG= LANG=zh_CN.UTF-8 $exe || :
// SAYS: 越界：刚好越过一块内存的末尾
// TEST: COURSE_LANG comes before LANG
// RUN: COURSE_LANG=en LANG=zh_CN.UTF-8 $exe || :
// SAYS: out of bounds: just past the end of an allocation
// TEST: a report in JSON is in English
// RUN: COURSE_LANG=zh CUDA_CPU_REPORT=$work/report.json $exe 2>$work/said || cat $work/report.json
// SAYS: "message": "out of bounds: just past the end of an allocation"
// SAYS: "what": "writes 4 bytes"
#include <cuda_runtime.h>
__global__ void set(int *x, int n)
{
    x[threadIdx.x] = n;
}
int main()
{
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof *d_x);
    set<<<1, 33>>>(d_x, 7);
    cudaDeviceSynchronize();
    cudaFree(d_x);
}
