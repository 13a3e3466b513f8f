// A kernel of a project that Meson builds. Exit status 0 if it counts right.
__global__ void squares(int *x) { x[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main()
{
    int *x, last;
    if (cudaMalloc(&x, 256 * sizeof *x))
        return 1;
    squares<<<1, 256>>>(x);
    cudaMemcpy(&last, x + 255, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return last != 255 * 255;
}
