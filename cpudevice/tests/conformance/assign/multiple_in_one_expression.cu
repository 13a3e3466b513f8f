// several variables changed in one expression, with commas and short circuits
#include "conformance.h"

__global__ void k(int *out)
{
    int a = 0, b = 0, c = 0, t = threadIdx.x;
    t > 10 && (a = t, b++), c = t & 3 || (b += 2);
    __syncthreads();
    a += b += c;
    __syncthreads();
    out[t] = a * 100 + b * 10 + c;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int a = 0, b = 0, c = 1;
        if (t > 10) {
            a = t;
            b = 1;
        }
        if (t % 4 == 0) {
            b += 2;
            c = b != 0;
        }
        b += c;
        a += b;
        return a * 100 + b * 10 + c;
    });
}
