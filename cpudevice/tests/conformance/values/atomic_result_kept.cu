// the result of an atomic that stands in a const is taken once
#include "conformance.h"

__global__ void k(int *out, int *counter)
{
    const int ticket = atomicAdd(counter, 1);
    __syncthreads();
    out[ticket] = ticket + *counter * 1000;
    __syncthreads();
    if (ticket == 0)
        out[T] = *counter;
}
int main()
{
    int *out = managed(T + 1), *counter = managed(1);
    *counter = 0;
    k<<<1, T>>>(out, counter);
    return check(out, T + 1, [](int i) { return i < T ? i + 1000 * T : T; });
}
