// operators defined inside of the class as friends
#include "conformance.h"

struct Complex {
    float re, im;
    friend __device__ Complex operator*(Complex a, Complex b)
    {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    friend __device__ Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    __device__ float norm() const { return re * re + im * im; }
};
__global__ void k(int *out)
{
    __shared__ Complex s[T];
    Complex c = {threadIdx.x * 0.0625f - 2, 0.5f}, z = {0, 0};
    int n = 0;
    while (n < 30 && z.norm() < 4)
        z = z * z + c, n++;
    s[threadIdx.x] = z;
    __syncthreads();
    out[threadIdx.x] = n * 10 + (s[T - 1 - threadIdx.x].norm() >= 4);
}
int main()
{
    int *out = managed(T), rounds[T];
    k<<<1, T>>>(out);
    for (int t = 0; t < T; t++) {
        float cr = t * 0.0625f - 2, re = 0, im = 0;
        int n = 0;
        while (n < 30 && re * re + im * im < 4) {
            float next = re * re - im * im + cr;
            im = 2 * re * im + 0.5f, re = next, n++;
        }
        rounds[t] = n;
    }
    return check(out, T, [&](int t) { return rounds[t] * 10 + (rounds[T - 1 - t] < 30); });
}
