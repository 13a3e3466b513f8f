// 5: error: calling a __device__ function("d(int)") from a __host__ function("main") is not allowed
__device__ int d(int x) { return x + 1; }
int main()
{
    return d(3);
}
