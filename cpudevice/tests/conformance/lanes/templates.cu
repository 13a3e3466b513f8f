// templates that shuffle: a number that the kernel's own parameter hides, a type from the argument, one given
#include "conformance.h"

template <unsigned SIZE> __device__ float sum_of(float value)
{
    if (SIZE >= 32)
        value += __shfl_xor_sync(0xffffffff, value, 16);
    if (SIZE >= 16)
        value += __shfl_xor_sync(0xffffffff, value, 8);
    if (SIZE >= 8)
        value += __shfl_xor_sync(0xffffffff, value, 4);
    if (SIZE >= 4)
        value += __shfl_xor_sync(0xffffffff, value, 2);
    if (SIZE >= 2)
        value += __shfl_xor_sync(0xffffffff, value, 1);
    return value;
}
template <typename V> __device__ V largest(V value)
{
    for (int i = 1; i < 32; i <<= 1) {
        V other = __shfl_xor_sync(0xffffffff, value, i);
        value = other > value ? other : value;
    }
    return value;
}
template <class V, int STEP> __device__ V before(V value)
{
    V other = __shfl_up_sync(0xffffffff, value, STEP);
    return other;
}
template <int SIZE, class V> __global__ void k(double *out, V scale)
{
    int t = threadIdx.x;
    float x = t % 7;
    unsigned char small = (unsigned char)(t * 77);
    V wide = scale * t;
    x = sum_of<SIZE / 4>(x);
    small = largest(small);
    wide = before<V, 1 + SIZE / 16>(wide);
    out[t] = x + 1000 * small + 1e6 * wide;
}
int main()
{
    double *out = managed<double>(T);
    k<32><<<1, T>>>(out, 3ll);
    return check(out, T, [](int t) {
        int first = t / 32 * 32, eight = t / 8 * 8, lane = t % 32;
        double sum = 0, most = 0;
        for (int i = eight; i < eight + 8; i++)
            sum += i % 7;
        for (int i = first; i < first + 32; i++)
            most = i * 77 % 256 > most ? i * 77 % 256 : most;
        return sum + 1000 * most + 1e6 * (3 * (lane < 3 ? t : t - 3));
    });
}
