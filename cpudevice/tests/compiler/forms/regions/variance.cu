// dump variance
// What each expression is the same for: all threads, the threads of a block, those of a row, or none; neighbour: one more
// for the next thread in x.
struct dim3 { unsigned x, y, z; };
extern const dim3 threadIdx, blockIdx, blockDim;
float sqrtf(float);
template <float (*fabsf)(float)> __global__ void hidden(float *p, float v)
{
    const float a = fabsf(2), b = sqrtf(v);
    p[blockIdx.x] = a + b;
}
__device__ int of_program(int n) { return n + threadIdx.x; }
__global__ void k(const int *p, int n, int changed)
{
    __shared__ int s[64];
    const int same = n * 2 + 1, block = blockIdx.x * blockDim.x, i = block + threadIdx.x, back = n - threadIdx.x;
    const int row = threadIdx.y * n, thread = threadIdx.x * 2, element = p[same], mine = p[i];
    int x = i * 1, counted = 0;
    const int called = of_program(n), arithmetic = sqrtf(n), itself = itself;
    const int *address = s + row;
    changed++;
    counted += x - same;
    for (int k = 0; k < n; k++)
        s[i - k] = (n < 4 ? thread : block) + (int)sizeof(element) + *address + -i + changed + back + mine;
}
