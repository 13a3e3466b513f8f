// enumerators of unnamed enums hide variables and parameters; a copy of each that lives across barriers
#include <conformance.h>
__global__ void k(int *p, int n, int w)
{
    __shared__ int s[T];
    int t = threadIdx.x, a = t * 2, b = n + 1, c = 3;
    s[t] = a + b;
    __syncthreads();
    {
        enum { a = 50, n = 60, b };
        __syncthreads();
        s[t] += a + n + b;
        __syncthreads();
    }
    p[t] = s[(t + 1) % T] + a + n + b;
    for (int i = 0; i < 2; i++) {
        enum { c = 7, w = 2 };
        __syncthreads();
        {
            enum { i = 5 };
            p[t] += i * c + w;
        }
        for (int j = 0; j < w; j++) {
            __syncthreads();
            p[t] += j + 1;
        }
    }
    if (w > 1) {
        enum { t = 1000 } v = t;
        __syncthreads();
        p[threadIdx.x] += v + t;
    }
    __syncthreads();
    p[t] += c + w;
}
int main()
{
    int *p = managed(T);
    k<<<1, T>>>(p, 9, 3);
    return check(p, T, [](int t) {
        int u = (t + 1) % 64;
        return u * 2 + 10 + 50 + 60 + 61 + t * 2 + 9 + 10 + 2 * (37 + 3) + 2000 + 6;
    });
}
