// nvcc takes this
#include <cstdio>
#include <vector>
int g = 3, member = 4, parameter, local, enumerator, in_lambda, shadowed[3];
__device__ int d = 1;
__managed__ int m = 2;
__constant__ float c[2] = {1, 2};
const int four = 4;
const float quarter = 0.25f;
constexpr double third = 1. / 3;
struct Pair {
    int member, g;
};
namespace other {
__device__ int counted = 0, both = 1;
__device__ int read() { return counted + both; }
}
int counted, both;
template <class T> __device__ T never_made(T x) { return x + g; }
static __device__ int never_called() { return g; }
__global__ void k(float *a, int parameter)
{
    Pair pair = {1, 2};
    int local = parameter, (*shadowed)[3] = nullptr;
    enum { enumerator = 7 };
    auto add = [](int in_lambda) { return in_lambda + 1; };
    a[0] = pair.member + pair.g + local + enumerator + add(1) + d + m + c[0] + four + quarter + (float)third;
    a[1] = other::counted + (shadowed == nullptr) + sizeof g + sizeof(std::vector<int>);
}
int main()
{
    std::vector<float> v(4);
    return g + member + parameter + local + enumerator + in_lambda + shadowed[0] + counted + both + (int)v[0];
}
