// nvcc takes this
// functions of C's library that device code has, and other things with the names of those that it has not
#include <algorithm>
#include <cstring>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
__device__ size_t strlen(const char *s, int most)
{
    size_t n = 0;
    while ((int)n < most && s[n])
        n++;
    return n;
}
using namespace std;
__device__ int clamp(int x) { return x < 0 ? 0 : x; }
__device__ int rand(int seed) { return seed * 3; }
struct Clock {
    int now;
    __device__ int time(int since) const { return now - since; }
    __device__ int twice() const { return time(0) + time(1); }
};
namespace text {
__device__ int atoi(const char *s) { return *s - '0'; }
}
__host__ __device__ int both(const char *s)
{
#ifdef __CUDA_ARCH__
    return *s;
#else
    return atoi(s);
#endif
}
template <class Compare> __device__ int sorted(Compare strcmp, int a, int b) { return strcmp(a, b) ? a : b; }
__global__ void k(char *p)
{
    using text::atoi;
    char *copy = (char *)malloc(16);
    memcpy(copy, p, 16);
    memset(p, 0, 4);
    std::memcpy(p, copy, 4);
    auto remove = [](int x) { return x - 1; };
    Clock div = {atoi(p)};
    p[4] = remove(abs(p[5])) + div.twice() + (int)strlen(p, 4) + both(p);
    p[5] = sorted([](int a, int b) { return a < b; }, p[6], p[7]) + labs(p[6]) + (int)clock();
    p[6] = rand(clamp(p[6])) + strlen(p, 3);
    printf("%s %d\n", p, sizeof(strlen("abc")) > 4);
    free(copy);
}
int main(int argc, char **argv) { return argc > 1 ? atoi(argv[1]) + (int)strlen(argv[1]) + (int)time(NULL) : rand() + clamp(argc, 1, 3); }
