// a local random generator's state goes on across barriers: each call is made once
#include "conformance.h"

__device__ unsigned next(unsigned &state) { return state = state * 1664525u + 1013904223u; }
__global__ void k(unsigned *out)
{
    unsigned state = threadIdx.x;
    const unsigned a = next(state);
    __syncthreads();
    const unsigned b = next(state), c = next(state);
    __syncthreads();
    out[threadIdx.x] = a ^ b * 3 ^ c * 5 ^ next(state) * 7;
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](unsigned t) {
        unsigned v[5] = {t};
        for (int i = 1; i < 5; i++)
            v[i] = v[i - 1] * 1664525u + 1013904223u;
        return v[1] ^ v[2] * 3 ^ v[3] * 5 ^ v[4] * 7;
    });
}
