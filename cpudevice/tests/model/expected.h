/* expected.h: whether a kernel of these cases computes what it says: N threads write an element each. */
#pragma once

#include <cmath>
#include <cuda_runtime.h>

enum { N = 4096 };

/* Whether each element that the launch writes is the expected one, up to the rounding of float. */
template <class T, class Launch> static bool is_so(T expected, Launch launch)
{
    static T h[N];
    T *y;
    cudaMalloc(&y, sizeof h);
    launch(y);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(y);
    for (int i = 0; i < N; i++)
        if (!(std::fabs((double)h[i] - (double)expected) <= 1e-5 * std::fabs((double)expected)))
            return false;
    return true;
}
