// 4: error: calling a __device__ function("__syncthreads") from a __host__ function("main") is not allowed
int main()
{
    __syncthreads();
}
