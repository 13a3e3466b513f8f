// nvcc takes this
#include <vector>
enum { LENGTH = 4 };
__constant__ int c[4] = {1, 2, 3, 4}, one = 1, single = 1;
__constant__ float *rows[2];
__device__ int d[4];
namespace other {
__device__ int one;
}
template <int n> __device__ float of_template(float x)
{
    float a[n], b[n + 1];
    a[0] = b[0] = x;
    return a[0] + b[0];
}
__global__ void k(float *p, int n, int length)
{
    const int five = 5;
    auto in_lambda = [](int single) { return single += 2; };
    constexpr int six = five + 1;
    float a[five], b[six][LENGTH], e[sizeof n], f[sizeof(length) * 2];
    int c[4] = {0}, one = n;
    c[1] = one++;
    {
        const int n = 3;
        float g[n];
        g[0] = 1, p[9] = g[0];
    }
    a[0] = b[1][2] = e[3] = f[0] = p[0];
    rows[1][0] = a[0];
    d[0] = c[1] + other::one;
    p[2] = in_lambda(n);
    p[1] = of_template<3>(a[0]) + sizeof(std::vector<int>);
}
void on_host(int n)
{
    float a[n];
    a[0] = 1;
    std::vector<int> v(4);
    v[0] = (int)v.size() + (int)a[0];
}
