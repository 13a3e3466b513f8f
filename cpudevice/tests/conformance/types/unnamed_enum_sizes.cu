// an operator of the program on vectors, and enumerators of an unnamed enum as sizes around barriers
#include <conformance.h>
enum { ROWS = 4, STEP };
struct Size {
    enum { TAIL = 3 };
};
const int OFFSET = 2;
__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }
__device__ bool operator<(float2 a, float2 b) { return a.x < b.x; }
__global__ void k(float *p)
{
    __shared__ float s[T];
    int t = threadIdx.x;
    float2 sum = make_float2(0, t);
    for (int i = 0; i < ROWS + OFFSET; i += STEP - ROWS) {
        s[t] = t * ROWS + i;
        __syncthreads();
        int from = (t + STEP * i) % T;
        sum = sum + make_float2(s[from], i) * 2.0f;
        __syncthreads();
    }
    for (int i = 0; i < Size::TAIL; i++) {
        __syncthreads();
        sum.x += i * Size::TAIL;
    }
    p[t] = sum.x + sum.y;
}
int main()
{
    float *p = managed<float>(T);
    k<<<1, T>>>(p);
    return check(p, T, [](int t) {
        float x = 0, y = t;
        for (int i = 0; i < 6; i++) {
            x += 2 * ((t + 5 * i) % 64 * 4 + i);
            y += 2 * i;
        }
        return x + y + 9;
    });
}
