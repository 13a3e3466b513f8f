// a kernel that is a friend of a class, launched by a member function
#include "conformance.h"

class Hidden;
__global__ void read(int *out, const Hidden *h);
class Hidden
{
    int v = 5;
    friend __global__ void read(int *out, const Hidden *h);
    friend struct Access;

  public:
    void launch(int *out) const { read<<<1, T>>>(out, this); }
};
struct Access {
    static __device__ int get(const Hidden *h) { return h->v * 100; }
};
__global__ void read(int *out, const Hidden *h) { out[threadIdx.x] = h->v + Access::get(h) + threadIdx.x; }
int main()
{
    int *out = managed(T);
    Hidden *h = managed<Hidden>(1);
    *h = Hidden();
    h->launch(out);
    return check(out, T, [](int t) { return 505 + t; });
}
