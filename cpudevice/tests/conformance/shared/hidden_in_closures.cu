// things in closures and local classes that have the name of a __shared__ variable, in every form of declaration
#include "conformance.h"

struct Two {
    int a, b;
};
struct Made {
    int x;
    __device__ Made(int x) : x(x) {}
};
template <class T> struct Box {
    typedef T type;
};
__global__ void k(int *out)
{
    __shared__ int a[T];
    __shared__ float b;
    const int t = threadIdx.x;
    a[t] = t;
    b = 0.5f;
    __syncthreads();
    Two two = {t, 1};
    int sum = 0;
    [&] {
        auto a = t;
        sum += a;
    }();
    [&] {
        auto *a = &two;
        sum += a->a;
    }();
    [&] {
        const auto &a = two;
        sum += a.b;
    }();
    [&] {
        auto [a, b] = two;
        sum += a + b;
    }();
    [&] {
        const auto &[a, b] = two;
        sum += a - b;
    }();
    [&] {
        unsigned long a = 2;
        sum += (int)a;
    }();
    [&] {
        struct Two a = {1, 2};
        sum += a.b;
    }();
    [&] {
        Box<Two>::type *a = &two;
        sum += a->b;
    }();
    [&] {
        int x = 1, a = x, *b = &a;
        sum += a + *b;
    }();
    [&] {
        int b[2] = {1, 2}, a;
        a = 3;
        sum += a + b[1];
    }();
    [&] {
        Made a(3), b{4};
        sum += a.x + b.x;
    }();
    [&] {
        static const int a = 5;
        sum += a;
    }();
    [&] {
        enum { a = 6, b };
        sum += a + b;
    }();
    [&] {
        using a = int;
        sum += (a)8.5f;
    }();
    [&] {
        for (auto *a = &two; a < &two + 1; a++)
            sum += a->a;
    }();
    [&] {
        for (int x = 0, a = 1; x < 2; x++)
            sum += a;
    }();
    [&] {
        if (auto a = 9)
            sum += a;
    }();
    [&] {
        for (int a : {10, 11})
            sum += a;
    }();
    [&](int a) { sum += a; }(12);
    [&](auto a, const auto *b) { sum += a + b->b; }(13, &two);
    [&, a = 14] { sum += a; }();
    [&, &b = sum] { b++; }();
    struct Local {
        int a;
        __device__ int twice() const
        {
            const int *b = &a;
            return a + *b;
        }
    };
    sum += Local{15}.twice();
    /* and the variables themselves: beside such a scope, and where their names follow operators */
    [=]() mutable {
        {
            int a = 1;
            two.a += a;
        }
        a[t] += 16;
    }();
    [=] {
        if (t + 16 > a[t] - 1 && t < T * a[t] + 1)
            b = 1.5f;
    }();
    [=](int x) { a[t] += x, a[t] *= 2; }(1);
    __syncthreads();
    out[t] = sum + a[t] + (int)(2 * b);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        const int sums =
            t + t + 1 + (t + 1) + (t - 1) + 2 + 2 + 1 + 2 + 5 + 7 + 5 + 13 + 8 + t + 2 + 9 + 21 + 12 + 14 + 14 + 1 + 30;
        return sums + 2 * (t + 17) + 3;
    });
}
