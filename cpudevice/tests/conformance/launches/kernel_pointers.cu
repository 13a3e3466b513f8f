// kernels in variables, arrays, members and as results of functions
#include "conformance.h"

typedef void (*Kernel)(int *, int);
__global__ void add(int *out, int n) { out[threadIdx.x] += n; }
__global__ void mul(int *out, int n) { out[threadIdx.x] *= n; }
struct Step {
    Kernel kernel;
    int n;
};
static Kernel pick(bool plus) { return plus ? add : mul; }
int main()
{
    int *out = managed(T);
    for (int t = 0; t < T; t++)
        out[t] = t;
    Kernel one = add, both[] = {mul, &add};
    const Step steps[] = {{add, 5}, {mul, 3}};
    one<<<1, T>>>(out, 1);
    both[0]<<<1, T>>>(out, 2);
    (*both[1])<<<1, T>>>(out, 3);
    for (const Step &s : steps)
        s.kernel<<<1, T>>>(out, s.n);
    pick(false)<<<1, T>>>(out, 10);
    return check(out, T, [](int t) { return (((t + 1) * 2 + 3 + 5) * 3) * 10; });
}
