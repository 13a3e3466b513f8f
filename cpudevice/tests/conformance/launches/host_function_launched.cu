// <<<>>> before a pointer to a host function, which launches a kernel with a configuration of its own: the outer one is
// not used, as with nvcc, and the program goes on
#include "conformance.h"

__global__ void adds(int *x, int n) { x[threadIdx.x] += n + (int)blockDim.x; }
static void launch_it(void (*kernel)(int *, int), int *x, int n) { kernel<<<7, 3>>>(x, n); }

int main()
{
    int *x = managed(T);
    for (int i = 0; i < T; i++)
        x[i] = i;
    auto wrapper = [](int *y, int n) { adds<<<1, T>>>(y, n); };
    for (int n = 0; n < 20; n++)
        launch_it(wrapper, x, n);
    adds<<<1, T>>>(x, 1000);
    return check(x, T, [](int i) { return i + 190 + 1000 + 21 * T; });
}
