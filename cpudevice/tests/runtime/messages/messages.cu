// What the runtime says of a kernel that fails, of one that does not end, and of settings, in English and in Chinese.
// BUILD: $cucc -O1 -o $exe $case
// TEST: a fault in English
// RUN: (COURSE_LANG=en $exe null || :) 2>&1 | sed "s|$folder/||"
// MATCHES: ^CPU device: illegal address (nil) in kernel null(.*) (messages.cu:[0-9]*), block (0,0,0) (cucc --check names the thread and the line): it is a null pointer (with an offset)$
// TEST: a fault in Chinese
// RUN: (COURSE_LANG=zh $exe null || :) 2>&1 | sed "s|$folder/||"
// PRINTS: CPU 设备：核函数 null(int*)（messages.cu:{line void null}），线程块 (0,0,0)（用 cucc --check 可以知道是哪个线程、哪一行）：非法地址 (nil)，它是空指针（加上偏移）
// TEST: a deadlock in Chinese
// RUN: (COURSE_LANG=zh $exe deadlock || :) 2>&1 | sed "s|$folder/||"
// PRINTS: CPU 设备：死锁：核函数 deadlock(int*)（messages.cu:{line void deadlock}），线程块 (0,0,0)：还没有结束的线程全都在等待
// PRINTS:   8 个在 __syncthreads() 处，其中第一个是线程 (0,0,0)
// PRINTS:   24 个在 __syncwarp 处，掩码 0xffffffff，其中第一个是线程 (8,0,0)
// PRINTS:   常见原因：屏障或线程束函数写在分支里，而一部分线程不进入这个分支
// TEST: no progress, in Chinese
// RUN: (COURSE_LANG=zh CUDA_CPU_WATCHDOG=1 $exe endless || :) 2>&1 | sed "s|$folder/||"
// MATCHES: ^CPU 设备：核函数 endless(int\*)（messages.cu:[0-9]*），线程块 (0,0,0).*：用了 [0-9.]* 秒处理器时间没有进展：没有线程块或线程结束，也没有经过屏障。$
// MATCHES: ^  （CUDA_CPU_WATCHDOG=SECONDS 设定最多等多久；0 表示关闭）$
// TEST: host code in device memory, in Chinese
// RUN: (COURSE_LANG=zh $exe host || :) 2>&1
// MATCHES: ^CPU 设备：主机代码访问了设备内存：地址 0x[0-9a-f]*，在 cudaMalloc 返回的 0x[0-9a-f]* 处的 128 字节里，偏移 4 字节。$
// MATCHES: ^  cudaMalloc 的内存属于设备：请用 cudaMemcpy 复制，或者用 cudaMallocManaged 分配。$
// TEST: a setting in Chinese
// RUN: COURSE_LANG=zh CUDA_CPU_ORDER=up $exe null
// STATUS: 2
// SAYS: CPU 设备：CUDA_CPU_ORDER 应为 forward、reverse 或 random:SEED，其中 SEED 是一个数，而不是“up”
// TEST: a setting of the viewer in Chinese
// RUN: $cucc --check -o $work/checked $case
// RUN: COURSE_LANG=zh CUDA_CPU_VIEW=$work/a.html CUDA_CPU_VIEW_BLOCK=1,x $work/checked null
// STATUS: 2
// SAYS: CUDA_CPU_VIEW_BLOCK 应为线程块的索引：x、x,y 或 x,y,z，而不是“1,x”
// TEST: a setting of the checker in Chinese
// RUN: $cucc --check -o $work/checked $case
// RUN: COURSE_LANG=zh CUDA_CPU_TOOLS=memcheck,nocheck $work/checked host
// STATUS: 2
// SAYS: CUDA_CPU_TOOLS：没有名为“nocheck”的工具（memcheck、racecheck、
#include <cstring>
#include <cuda_runtime.h>

__global__ void null(int *x) { x[threadIdx.x] = 1; }

__global__ void deadlock(int *x)
{
    if (threadIdx.x < 8)
        __syncthreads();
    else
        __syncwarp();
    x[threadIdx.x] = 1;
}

__global__ void endless(int *x)
{
    while (atomicAdd(x, 0) == 0)
        continue;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int *x;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMemset(x, 0, 32 * sizeof *x);
    if (!strcmp(what, "null"))
        null<<<1, 1>>>(NULL);
    if (!strcmp(what, "deadlock"))
        deadlock<<<1, 32>>>(x);
    if (!strcmp(what, "endless"))
        endless<<<1, 1>>>(x);
    cudaError_t e = cudaDeviceSynchronize();
    if (!strcmp(what, "host"))
        x[1] = 3;
    return e != cudaSuccess;
}
