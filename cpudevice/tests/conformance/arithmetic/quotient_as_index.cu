// a quotient and a remainder by a variable as the index of a shared array, and a conversion of a value made by T{}
#include <conformance.h>
struct Me {
    __device__ operator unsigned() const { return threadIdx.x; }
};
template <class V> struct Held {
    V v;
    __device__ operator V() const { return v; }
};
__global__ void k(int *p, unsigned n, int m)
{
    __shared__ int s[T], r[T];
    unsigned t = threadIdx.x;
    s[(t * n) / n] = (int)t;
    r[(int)t % m] = (int)((float)Me{} * 2.0f);
    __syncthreads();
    p[t] = s[t / n] + r[t % n] + (int)Held<float>{2.75f} + (int)Me{} + (int)float{-1.5f};
}
int main()
{
    int *p = managed(T);
    k<<<1, T>>>(p, 3, T);
    return check(p, T, [](int i) { return i / 3 + i % 3 * 2 + 2 + i - 1; });
}
