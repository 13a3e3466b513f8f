// shared arrays by name in the methods of local classes, and members of the same name
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int tile[T];
    struct Reader {
        int at;
        __device__ int read() const { return tile[at]; }
        __device__ void write(int v) { tile[at] = v; }
    };
    struct Other {
        int tile[2];
        __device__ int sum() const { return tile[0] + tile[1]; }
    };
    Reader r = {(int)threadIdx.x};
    r.write(r.at * 3);
    __syncthreads();
    Other o = {{1, 2}};
    Reader next = {(r.at + 1) % T};
    out[r.at] = next.read() + o.sum() + o.tile[1] + tile[r.at];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 1) % T * 3 + 3 + 2 + t * 3; });
}
