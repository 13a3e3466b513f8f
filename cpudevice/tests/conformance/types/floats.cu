// float arithmetic that is exact, infinities, NaN and signed zero
#include "conformance.h"

__global__ void k(float *out, float zero)
{
    float f = threadIdx.x, nan = zero / zero, inf = 1 / zero;
    int v = (nan == nan) + 2 * (inf > 1e30f) + 4 * (-inf < f) + 8 * (nan < 1 || nan > 1) + 16 * (bool)isnan(nan) +
            32 * (1 / -zero < 0);
    __syncthreads();
    out[threadIdx.x] = v + fmaxf(f, 10) * 100 + fabsf(f - 32) * 10000 + floorf(f / 4) + sqrtf(f * f) * 2;
}
int main()
{
    float *out = managed<float>(T);
    k<<<1, T>>>(out, 0);
    return check(out, T, [](int t) {
        return 2 + 4 + 16 + 32 + (t > 10 ? t : 10) * 100 + (t > 32 ? t - 32 : 32 - t) * 10000 + t / 4 + 2 * t;
    });
}
