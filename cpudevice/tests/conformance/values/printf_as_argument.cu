// what a kernel's printf returns, wherever a value may stand
#include "conformance.h"

#define SAY(...) printf(__VA_ARGS__)
__device__ int last(int, int b) { return b; }
template <class... A> __device__ int pack(A... a) { return printf("# %d %d\n", a...); }
__host__ __device__ int *numbers(int n)
{
    int *p = (int *)malloc(n * sizeof *p);
    for (int i = 0; p && i < n; i++)
        p[i] = i;
    return p;
}
__global__ void k(int *out)
{
    int n = 0, z = 3, w = printf("# %d\n", 1234567), a[2] = {3, printf("# %d %d\n", 12345, 6)};
    out[0] = last(1, printf("# %d %d %s\n", 12345, 6, "abc"));
    out[1] = last(printf("# %d\n", 1234567), 77);
    if ((n = printf("# %d\n", 1234567)) == 1)
        printf("# one\n");
    else
        printf("# %d\n", n);
    out[2] = n, out[3] = (z++, printf("# %d\n", 1234567));
    out[4] = w + z, out[5] = a[1];
    out[6] = z ? printf("# none\n") : 5;
    out[7] = [&] { return printf("# %d%d\n", 1234567, z); }();
    out[8] = pack(1, 20000), out[9] = SAY("# %d %d %d\n", 1, 20000, 3), out[10] = std::printf("# %d\n", 1234567);
    int *few = numbers(4), *many = numbers(4 << 20); // 16 MB, of a heap of 8
    out[11] = few[3], out[12] = many == nullptr;
    free(few), free(many);
}
int main()
{
    static const int want[] = {3, 77, 1, 1, 5, 2, 0, 2, 2, 3, 1, 3, 1};
    int *out = managed(13), *few = numbers(4 << 20);
    k<<<1, 1>>>(out);
    const int last_one = few[(4 << 20) - 1];
    free(few);
    return check(out, 13, [](int i) { return want[i]; }) || last_one != (4 << 20) - 1;
}
