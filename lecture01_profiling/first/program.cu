/* program.cu: a whole first program, as lecture 1 shows it. It prints ten numbers, doubled. */
// notes: program
#include <stdio.h>

__global__ void double_them(float *x, int n) // a kernel: every thread runs these lines
{
    int i = blockIdx.x * blockDim.x + threadIdx.x; // which element is mine?
    if (i < n)                                     // only if the array has an element i
        x[i] = 2 * x[i];
}

int main(void)
{
    enum { N = 10 };
    float h_x[N], *d_x; // h_: in the host's memory; d_: in the device's
    for (int i = 0; i < N; i++)
        h_x[i] = (float)i;

    cudaMalloc(&d_x, sizeof h_x);                             // room for N floats on the device
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice); // one copy in
    double_them<<<3, 4>>>(d_x, N);                            // 3 blocks of 4 threads
    cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost); // one copy out; it waits for the kernel
    cudaFree(d_x);

    for (int i = 0; i < N; i++)
        printf("%g ", h_x[i]);
    puts("");
}
// notes end
