// dump regions
enum Gear { low, high };
__device__ int table[2];
__device__ bool operator<(Gear a, Gear b) { return table[a] < table[b]; }
__device__ Gear &operator<<(Gear &g, int n) { return g = Gear(g + n); }
__global__ void k(int *out, Gear a, Gear b, int n, int m)
{
    const bool less = a < b, fewer = n < m;
    b << 1;
    __syncthreads();
    out[threadIdx.x] = less + fewer + b;
}
