// dump parse
template <int N> __device__ int twice(int a) { return a * N; }
__global__ void k(int *p, int n)
{
    p[0] = twice<2>(n) + (n < 2 > (n)) + sizeof(int[3]);
}
