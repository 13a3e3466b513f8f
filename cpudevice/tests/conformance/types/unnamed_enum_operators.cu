// operators of the program on enumerations without a name: a variable that one changes, and one that it only reads
// alone
#include <conformance.h>
typedef enum { RED, GREEN = 6, BLUE } Colour;
enum { OUTER = 2, OUTMOST = 5 };
__device__ int operator+(Colour a, Colour b) { return 10 * (int)a + (int)b; }
__device__ int operator-(decltype(OUTER) a, int b) { return 100 * (int)a - b; }
__device__ Colour &operator+=(Colour &c, int n) { return c = (Colour)((int)c + n); }
__device__ int operator<<(Colour &c, int n)
{
    c = (Colour)((int)c + n);
    return n;
}
__device__ bool operator!(Colour c) { return c == GREEN; }
__global__ void k(int *p, int n)
{
    __shared__ int s[T];
    int t = threadIdx.x;
    Colour c = GREEN, d = BLUE;
    s[t] = c + d;
    __syncthreads();
    int x = c << 2;
    int y = s[(t + 1) % T] + (OUTER - 1) + (GREEN + BLUE);
    __syncthreads();
    d += 3;
    s[t] = t + (int)c * 3 + (int)d;
    __syncthreads();
    p[t] = s[(t + 3) % T] + x + y + (c + d) + (OUTMOST - n) + !d;
    for (Colour e = RED; !e == false; e += 2) {
        __syncthreads();
        p[t] += e + GREEN;
    }
}
int main()
{
    int *p = managed(T);
    k<<<1, T>>>(p, 9);
    return check(p, T, [](int t) {
        int u = (t + 3) % 64;
        int s = u + 8 * 3 + 10, y = 67 + 199 + 67;
        return s + 2 + y + 90 + (500 - 9) + 0 + 6 + 26 + 46;
    });
}
