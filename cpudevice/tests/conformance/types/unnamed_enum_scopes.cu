// unnamed enums at namespace, class and function scope, and operators of the program that take them
// alone
#include <conformance.h>
enum { ONE = 1, TWO, SEVEN = 7 };
struct Options {
    enum { PAD = 3, WIDTH = 5 };
    enum { LOW, HIGH = 4 } level;
    int n;
};
typedef enum { RED, GREEN = 6 } Colour;
enum { OUTER = 2 } outer;
// changes its left operand
__host__ __device__ inline int operator<<(decltype(outer) &e, Options o)
{
    int old = (int)e;
    e = (decltype(outer))(old + o.n);
    return old;
}
__host__ __device__ inline int operator+(Colour &c, Options o)
{
    c = (Colour)(c + o.n);
    return c;
}
__host__ __device__ inline int operator%(decltype(Options::level) a, decltype(ONE) b) { return 100 * a + b; }
__global__ void k(int *p, int n)
{
    __shared__ int s[T];
    enum { A = 3, B } mode = A;
    int t = threadIdx.x;
    decltype(outer) e = OUTER;
    Colour c = GREEN;
    Options o = {Options::HIGH, ONE + 1};
    s[t] = t * Options::WIDTH + mode;
    int old = e << o;
    __syncthreads();
    int x = s[(t + TWO) % T] + old;
    int y = c + o;
    mode = t % TWO ? B : A;
    __syncthreads();
    s[t] = x + e + y + c;
    int z = o.level % ONE;
    __syncthreads();
    p[t] = s[(t + SEVEN) % T] + mode + z + (Options::LOW % ONE) + n * Options::PAD;
    int A1 = A;
    {
        enum { A = 50, n = 60 };
        __syncthreads();
        p[t] += A1 + A + n;
    }
    for (int i = 0; i < TWO; i++) {
        __syncthreads();
        {
            enum { i = 5 };
            p[t] += i;
        }
    }
}
int main()
{
    int *p = managed(T);
    k<<<1, T>>>(p, 9);
    return check(p, T, [](int t) {
        int u = (t + 7) % 64;
        int x = ((u + 2) % 64) * 5 + 3 + 2;
        int s = x + 4 + 8 + 8;
        return s + (t % 2 ? 4 : 3) + 401 + 1 + 27 + 3 + 50 + 60 + 10;
    });
}
