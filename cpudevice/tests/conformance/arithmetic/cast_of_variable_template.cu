// casts whose operand is a variable template with its argument, and comparisons that look like one
#include "conformance.h"

template <unsigned v> constexpr unsigned constant = v;
template <int v> constexpr float half = v / 2.f;

__global__ void k(int *out, const float *in, int three)
{
    int i = threadIdx.x, four = three + 1;
    int counted = __syncthreads_count((int)constant<1u>);
    asm volatile("" ::: "memory");
    int a = (int)constant<7u> + (int)half<9>, b = ((int)half<5>) / (int)constant<2u>;
    int c = (int)in[i] < three, d = (int)in[i] < three && four > (int)in[i];
    if (i == T)
        asm volatile("exit;");
    int e = (int)constant<7u> + 3;
    out[i] = e + counted + 100 * a + 1000 * b + 10000 * c + 20000 * d;
}
int main()
{
    int *out = managed(T);
    float *in;
    if (cudaMallocManaged(&in, T * sizeof *in) != cudaSuccess)
        return 2;
    for (int i = 0; i < T; i++)
        in[i] = i + 0.5f;
    k<<<1, T>>>(out, in, 3);
    int wrong = check(out, T, [](int i) { return 10 + T + 1100 + 1000 + (i < 3 ? 30000 : 0); });
    cudaFree(in);
    return wrong;
}
