// ballot, any, all and the active mask in divergent code
#include "conformance.h"

__global__ void k(unsigned *out)
{
    unsigned t = threadIdx.x, v = __ballot_sync(~0u, t % 3 == 0);
    if (t % 2) {
        v ^= __ballot_sync(0xaaaaaaaa, t % 5 == 0);
        if (__all_sync(0xaaaaaaaa, t % 2))
            v += 1;
        if (__any_sync(0xaaaaaaaa, t == 33))
            v += 10;
    }
    out[t] = v + (unsigned)__popc(__ballot_sync(~0u, 1));
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        unsigned third = 0, fifth = 0, first = t / 32 * 32;
        for (unsigned i = 0; i < 32; i++)
            third |= ((first + i) % 3 == 0) << i, fifth |= ((first + i) % 2 && (first + i) % 5 == 0) << i;
        return (t % 2 ? (third ^ fifth) + 1 + (first == 32 ? 10 : 0) : third) + 32;
    });
}
