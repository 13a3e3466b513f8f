// x[sum + threadIdx.x] where the sum is of each type, negative, and where it wraps to a small number
#include "conformance.h"

enum Place { FIRST = 3 };
__global__ void k(int *out, const int *in, int minus, unsigned near_the_end, long long far, short little, unsigned char byte)
{
    __shared__ int s[4][T];
    int *o = out + 12 * threadIdx.x;
    const int *middle = in + 100;
    s[1][threadIdx.x] = 1000;
    s[(byte & 1) + 2][0 + threadIdx.x] = 2000 + threadIdx.x;
    __syncthreads();
    o[0] = middle[5 + threadIdx.x];
    o[1] = threadIdx.x > 6 ? middle[minus + threadIdx.x] : -1; /* minus 7 */
    o[2] = threadIdx.x >= 10 ? middle[near_the_end + threadIdx.x] : -1; /* 2^32 - 10 */
    o[3] = middle[threadIdx.x + minus * -2];
    o[4] = middle[far + threadIdx.x]; /* minus 60, as 64 bits */
    o[5] = middle[little + threadIdx.x];
    o[6] = middle[byte + threadIdx.x];
    o[7] = middle[FIRST + threadIdx.x];
    o[8] = s[1][threadIdx.x + 0] + s[3][byte - 9 + threadIdx.x];
    o[9] = middle[in[threadIdx.x] % 3 + threadIdx.x];
    o[10] = middle[(threadIdx.y + 2) * byte + threadIdx.x];
    o[11] = *(middle + minus + 7 + threadIdx.x) + middle[byte * 2 - 3 + threadIdx.x];
}
int main()
{
    int *out = managed(12 * T), *in = managed(400);
    for (int i = 0; i < 400; i++)
        in[i] = i * i % 1009;
    k<<<1, T>>>(out, in, -7, 4294967286u, -60, 4, 9);
    return check(out, 12 * T, [&](int at) {
        int t = at / 12;
        auto m = [&](int i) { return (100 + i) * (100 + i) % 1009; };
        switch (at % 12) {
        case 0: return m(5 + t);
        case 1: return t > 6 ? m(t - 7) : -1;
        case 2: return t >= 10 ? m(t - 10) : -1;
        case 3: return m(t + 14);
        case 4: return m(t - 60);
        case 5: return m(t + 4);
        case 6: return m(t + 9);
        case 7: return m(t + 3);
        case 8: return 1000 + 2000 + t;
        case 9: return m(t * t % 1009 % 3 + t);
        case 10: return m(18 + t);
        default: return m(t) + m(15 + t);
        }
    });
}
