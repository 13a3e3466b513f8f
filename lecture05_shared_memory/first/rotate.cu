/* rotate.cu: the first kernel with shared memory, as lecture 5 shows it. It prints 1 2 3 4 5 6 7 0. */
#include <stdio.h>

// notes: rotate
__global__ void rotate(const float *x, float *y)
{
    __shared__ float s[8]; // one array for the block, not one for each thread
    int t = threadIdx.x;
    s[t] = x[t];           // each thread brings one element
    __syncthreads();       // wait until every thread of the block is here
    y[t] = s[(t + 1) % 8]; // take the element that the neighbour brought
}
// notes end

int main(void)
{
    float h[8], *d_x, *d_y;
    for (int i = 0; i < 8; i++)
        h[i] = (float)i;
    cudaMalloc(&d_x, sizeof h);
    cudaMalloc(&d_y, sizeof h);
    cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
    rotate<<<1, 8>>>(d_x, d_y);
    cudaMemcpy(h, d_y, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 0; i < 8; i++)
        printf("%g ", h[i]);
    puts("");
}
