// dump regions
__global__ void k(float *C, const float *A, int n)
{
    __shared__ float s[32];
    const int t = threadIdx.x, row = blockIdx.x * 32;
    float sum = 0;
    for (int i = 0; i < n; i += 32) {
        float a = A[row + i + t];
        s[t] = a;
        __syncthreads();
        for (int j = 0; j < 32; j++)
            sum += s[j];
        __syncthreads();
    }
    C[row + t] = sum;
}
