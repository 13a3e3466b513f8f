// variables declared with auto that live across barriers and change: numbers of each size, a product that widens,
// pointers, a vector, and one whose type is another variable's of the same stretch
#include "conformance.h"

template <class N> __global__ void k(double *out, const float *in, const float4 *wide, N n)
{
    __shared__ float s[T];
    short small = (short)threadIdx.x;
    auto t = threadIdx.x;
    auto widened = small * n, halved = widened / 2;
    auto byte = (unsigned char)(t * 7);
    const auto *where = in + t;
    auto v = wide[t];
    const auto first = where[0];
    s[t] = first;
    __syncthreads();
    v.x += s[(t + 1) % T];
    byte += 200;
    widened++;
    t = (t + 1) % T;
    __syncthreads();
    where = in + t;
    out[threadIdx.x] = v.x + v.w + byte + (double)widened + (double)halved + *where + first + sizeof(halved);
}
template <class N> bool wrong(N n)
{
    double *out = managed<double>(T);
    float *in = managed<float>(T);
    float4 *wide = managed<float4>(T);
    for (int i = 0; i < T; i++)
        in[i] = i * 0.5f, wide[i] = make_float4(i, 1, 2, i * 3);
    k<<<1, T>>>(out, in, wide, n);
    return check(out, T, [&](int t) {
        float x = t + in[(t + 1) % T];
        unsigned char byte = (unsigned char)((unsigned char)(t * 7) + 200);
        auto widened = (short)t * n, halved = widened / 2;
        return (double)(x + t * 3) + byte + (double)(widened + 1) + (double)halved + in[(t + 1) % T] + in[t] + sizeof halved;
    });
}
int main() { return wrong(5) || wrong(5LL << 33) || wrong(2.5f) || wrong((unsigned char)3); }
