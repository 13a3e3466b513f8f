// the least integer by -1, and any by 0: no error, and a GPU's values (an H100's, recorded in cpudevice/tests/arithmetic)
#include "conformance.h"

struct Answers {
    int q, r;
    unsigned uq, ur;
    long long lq, lr;
    unsigned long long ulq, ulr;
};
__global__ void quotients(Answers *out, const long long *a, const long long *b)
{
    const long long x = a[threadIdx.x], y = b[threadIdx.x];
    Answers &one = out[threadIdx.x];
    one.q = (int)x / (int)y;
    one.uq = (unsigned)x / (unsigned)y;
    one.lq = x / y;
    one.ulq = (unsigned long long)x / (unsigned long long)y;
}
// A kernel of its own: beside x / y, nvcc makes x % y of it, and x by 0 leaves x.
__global__ void remainders(Answers *out, const long long *a, const long long *b)
{
    const long long x = a[threadIdx.x], y = b[threadIdx.x];
    Answers one = out[threadIdx.x];
    __syncthreads();
    one.r = (int)x % (int)y;
    one.ur = (unsigned)x % (unsigned)y;
    one.lr = x % y;
    one.ulr = (unsigned long long)x % (unsigned long long)y;
    out[threadIdx.x] = one;
}
// b is 0, -1, or leaves nothing open
static long long zero64(long long a) { return (unsigned long long)a >> 32 ? -1ll : 0xffffffffll; }
int main()
{
    Answers *out = managed<Answers>(T);
    long long *a = managed<long long>(T), *b = managed<long long>(T);
    int *ok = managed(T);
    const long long most = 9223372036854775807ll;
    const long long as[] = {0, 1, -1, 2147483647, -2147483648ll, most, -most - 1, 1234567890123ll};
    const long long bs[] = {0, -1, 1, 3, -7, 2147483647, -2147483648ll, 1ll << 40};
    for (int i = 0; i < T; i++)
        a[i] = as[i % 8], b[i] = bs[i / 8 % 8];
    quotients<<<1, T>>>(out, a, b);
    remainders<<<1, T>>>(out, a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < T; i++) {
        const Answers &o = out[i];
        const int x = (int)a[i], y = (int)b[i];
        const unsigned ux = (unsigned)x, uy = (unsigned)y;
        const unsigned long long wx = (unsigned long long)a[i], wy = (unsigned long long)b[i];
        ok[i] = o.q == (y == 0 ? -1 : (int)((long long)x / y)) && o.r == (y == 0 ? -1 : (int)((long long)x % y)) &&
                o.uq == (uy ? ux / uy : ~0u) && o.ur == (uy ? ux % uy : ~0u) &&
                o.lq == (b[i] == 0 ? zero64(a[i]) : b[i] == -1 ? (long long)(0 - wx) : a[i] / b[i]) &&
                o.lr == (b[i] == 0 ? zero64(a[i]) : b[i] == -1 ? 0 : a[i] % b[i]) &&
                o.ulq == (wy ? wx / wy : (unsigned long long)zero64(a[i])) &&
                o.ulr == (wy ? wx % wy : (unsigned long long)zero64(a[i]));
    }
    return check(ok, T, [](int) { return 1; });
}
