/* advice.cu: what the finding advises fits its cause.
 * BUILD: $cucc --check -g -o $exe $case
 * TEST: a cooperative grid that is too large, by the value of its call
 * RUN: $exe together 2>&1
 * STATUS: 99
 * SAYS: usual cause: launch at most as many blocks as run at once
 * LACKS: the error was never checked
 * TEST: more threads than __launch_bounds__
 * RUN: $exe bounded 2>&1
 * STATUS: 99
 * SAYS: usual cause: launch blocks of at most as many threads as __launch_bounds__ says
 * TEST: each reason for which a launch cannot be has its own advice
 * RUN: CUDA_CPU_DEVICES=2 $exe launches 2>&1
 * STATUS: 99
 * SAYS: usual cause: n / block rounds down to 0
 * SAYS: usual cause: use smaller blocks and more of them
 * SAYS: usual cause: put the longest dimension into x
 * SAYS: usual cause: use dynamic shared memory
 * SAYS: usual cause: call cudaFuncSetAttribute(kernel
 * SAYS: usual cause: use smaller clusters
 * SAYS: usual cause: round each dimension of the grid up
 * SAYS: usual cause: call cudaSetDevice() with the stream's device
 * COUNT: 8 ^memcheck:
 * TEST: an index that overflows
 * RUN: $exe overflow 2>&1
 * STATUS: 99
 * SAYS: usual cause: the index overflows: a product of two ints is an int
 * TEST: an index that is negative
 * RUN: $exe negative 2>&1
 * STATUS: 99
 * SAYS: usual cause: a negative index
 * TEST: a surface outside its row
 * RUN: $exe surface 2>&1
 * STATUS: 99
 * SAYS: memcheck: out of bounds: a surface is accessed at x = 96, and has 96 bytes per row
 * COUNT: 1 ^memcheck:
 * TEST: a surface outside its rows
 * RUN: $exe surface y 2>&1
 * STATUS: 99
 * SAYS: memcheck: out of bounds: a surface is accessed at y = -1, and has 4 rows
 * TEST: a copy of what a kernel's malloc returned
 * RUN: $exe heap 2>&1
 * STATUS: 99
 * SAYS: memcheck: cudaMemcpy: the source is in the heap of the kernels' malloc
 * MATCHES: ^copy: cudaErrorInvalidValue$
 * COUNT: 1 ^memcheck:
 */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

__device__ int *kept;

__global__ void together()
{
    cooperative_groups::this_grid().sync();
}

__global__ void __launch_bounds__(128) bounded() {}

__global__ void empty() {}

__global__ void __cluster_dims__(16, 1, 1) sixteen() {}

__global__ void __cluster_dims__(4, 1, 1) four() {}

__global__ void large(int *p)
{
    __shared__ int a[8192], b[8192];
    a[threadIdx.x] = b[threadIdx.x] = 1;
    *p = a[0] + b[0];
}

static void launches()
{
    cudaStream_t other;
    cudaSetDevice(1);
    cudaStreamCreate(&other);
    cudaSetDevice(0);
    empty<<<0, 32>>>();
    empty<<<1, 1025>>>();
    empty<<<dim3(1, 65536), 32>>>();
    large<<<1, 32>>>(nullptr);
    empty<<<1, 32, 65536>>>();
    sixteen<<<16, 32>>>();
    four<<<6, 32>>>();
    empty<<<1, 32, 0, other>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaStreamDestroy(other);
}

__global__ void at(float *p, int row, int width)
{
    p[row * width] = 1;
}

__global__ void surface(cudaSurfaceObject_t s, int y)
{
    surf2Dwrite(1.0f, s, y < 0 ? 0 : threadIdx.x * 4, y);
}

__global__ void keep()
{
    kept = (int *)malloc(64);
    kept[0] = 3;
}

__global__ void drop()
{
    free(kept);
}

int main(int, char **argv)
{
    if (!strcmp(argv[1], "together")) {
        if (cudaLaunchCooperativeKernel((void *)together, dim3(100000), dim3(128), nullptr))
            puts("refused");
    } else if (!strcmp(argv[1], "bounded")) {
        bounded<<<1, 256>>>();
        printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    } else if (!strcmp(argv[1], "launches")) {
        launches();
    } else if (!strcmp(argv[1], "overflow") || !strcmp(argv[1], "negative")) {
        const bool negative = *argv[1] == 'n';
        float *p;
        cudaMalloc(&p, 50000ull * 50000 * 4);
        at<<<1, 1>>>(p, negative ? -1 : 49999, negative ? 1 : 50000);
        cudaDeviceSynchronize();
        cudaFree(p);
    } else if (!strcmp(argv[1], "surface")) {
        cudaArray_t a;
        cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
        cudaMallocArray(&a, &f, 24, 4, cudaArraySurfaceLoadStore);
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypeArray;
        r.res.array.array = a;
        cudaSurfaceObject_t s;
        cudaCreateSurfaceObject(&s, &r);
        surface<<<1, 32>>>(s, argv[2] ? -1 : 0);
        cudaDeviceSynchronize();
        cudaDestroySurfaceObject(s);
        cudaFreeArray(a);
    } else {
        int h, *p;
        keep<<<1, 1>>>();
        cudaMemcpyFromSymbol(&p, kept, sizeof p);
        printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost)));
        drop<<<1, 1>>>();
        cudaDeviceSynchronize();
    }
    return 0;
}
