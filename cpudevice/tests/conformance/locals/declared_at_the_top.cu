// variables declared without a value at the top, as in C: some regions set them first, others need what was left in them
#include "conformance.h"

__global__ void k(int *out, const int *in, int n)
{
    __shared__ int s[T];
    int i, j, sum, kept, other, *p;
    unsigned char wraps;
    int t = threadIdx.x;
    i = t + 1;
    s[t] = in[t] + i;
    kept = s[t] * 2;
    p = s + t;
    __syncthreads();
    sum = 0;
    for (i = 0; i < T; i++)
        sum += s[i] * (i ^ t);
    wraps = sum;
    other = t & 1 ? 5 : t;
    __syncthreads();
    *p = sum;
    if (t & 1)
        other = kept; /* the others keep what they had */
    __syncthreads();
    for (int round = 0; round < n; round++) {
        i = round + t; /* set first in each round */
        wraps += s[i % T]; /* goes on from round to round */
        __syncthreads();
        s[t] = wraps + i;
        __syncthreads();
    }
    for (i = j = 0; i < 3; i++, j += 2)
        sum += i * j;
    out[t] = sum;
    out[T + t] = other;
    out[2 * T + t] = wraps;
    out[3 * T + t] = s[t] + i + j;
}
int main()
{
    enum { N = 5 };
    int *out = managed(4 * T), *in = managed(T), want[4 * T], s[T], left[T];
    unsigned char wraps[T];
    for (int t = 0; t < T; t++)
        in[t] = t * 7 % 13, s[t] = in[t] + t + 1;
    for (int t = 0; t < T; t++) {
        int sum = 0;
        for (int i = 0; i < T; i++)
            sum += s[i] * (i ^ t);
        want[t] = sum + 2 + 8; /* i j: 0 0, 1 2, 2 4 */
        want[T + t] = t & 1 ? s[t] * 2 : t;
        wraps[t] = (unsigned char)sum, left[t] = sum;
    }
    for (int j = 0; j < N; j++) {
        int now[T];
        for (int t = 0; t < T; t++)
            wraps[t] += left[(j + t) % T], now[t] = wraps[t] + j + t;
        for (int t = 0; t < T; t++)
            left[t] = now[t];
    }
    for (int t = 0; t < T; t++)
        want[2 * T + t] = wraps[t], want[3 * T + t] = left[t] + 3 + 6;
    k<<<1, T>>>(out, in, N);
    return check(out, 4 * T, [&](int i) { return want[i]; });
}
