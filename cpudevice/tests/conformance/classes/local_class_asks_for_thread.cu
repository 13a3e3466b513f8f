// a class within a kernel, whose members ask for threadIdx, blockIdx, blockDim and gridDim
#include "conformance.h"

__global__ void plain(int *out)
{
    struct Place {
        int base;
        __device__ int at() const { return base + (int)(threadIdx.x + blockIdx.x * blockDim.x); }
        __device__ static int all() { return (int)(blockDim.x * gridDim.x); }
    };
    const Place place = {3};
    out[threadIdx.x + blockIdx.x * blockDim.x] = place.at() + 1000 * Place::all();
}
__global__ void with_barrier(int *out)
{
    class Lane {
      public:
        __device__ Lane() : lane((int)threadIdx.x) {}
        __device__ operator int() const { return lane; }

      private:
        int lane;
    };
    __shared__ int s[T];
    s[Lane()] = Lane() * 2;
    __syncthreads();
    out[T + Lane()] = s[T - 1 - Lane()];
}
template <class V> __global__ void of_template(V *out)
{
    union Both {
        V v;
        unsigned u;
        __device__ V sum() const { return v + (V)threadIdx.x; }
    };
    Both b;
    b.v = 7;
    out[2 * T + threadIdx.x] = b.sum();
}
int main()
{
    int *out = managed(3 * T);
    plain<<<2, T / 2>>>(out);
    with_barrier<<<1, T>>>(out);
    of_template<<<1, T>>>(out);
    return check(out, 3 * T, [](int i) { return i < T ? i + 3 + 1000 * T : i < 2 * T ? 2 * (2 * T - 1 - i) : i - 2 * T + 7; });
}
