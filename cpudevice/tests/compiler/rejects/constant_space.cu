// nvcc takes this
namespace a {
namespace b {
__constant__ char first[0x8000];
}
namespace {
static __constant__ int second[0x1000];
}
}
__constant__ int third[] = {1, 2, 3, 4};
__constant__ double fourth[(0x10000 - 0x8000 - 0x4000 - 16) / sizeof(double)];
struct Large {
    char of[32752];
};
template <class T> __global__ void k(T large, int *p, char c) { p[0] = large.of[p[1]] + c + a::b::first[p[2]]; }
void launch(int *p)
{
    Large large;
    large.of[0] = 1;
    k<<<1, 1>>>(large, p, 'c');
}
