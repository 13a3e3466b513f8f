// 5: error: calling a __host__ function("host(float, int)") from a __device__ function("d") is not allowed
float host(float x, int n) { return x + n; }
__device__ float d(float v)
{
    return host(v, 2);
}
