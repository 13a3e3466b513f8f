/* explicit.cu: calls with template arguments that are written out, f<3>(x), in kernels with barriers. What such a call takes by
 * value stays what it was, as with f(x): kernels called s_... must be split. One that gets a reference may change: kernels
 * called f_... must stay on fibers. */
// TEST: kernels that are to be split
// RUN: ways >$work/ways; cat $work/ways; [ "$(grep -c '^s_.* submit_split' $work/ways)" = 7 ]
// RUN: [ "$(grep '^s_' $work/ways | grep -vc submit_split)" = 0 ]
// TEST: kernels whose call gets a reference
// RUN: ways >$work/ways; cat $work/ways; [ "$(grep -c '^f_.* submit_general' $work/ways)" = 7 ]
// RUN: [ "$(grep '^f_' $work/ways | grep -vc submit_general)" = 0 ]
// TEST: the threads of a loop with such a call are apart
// RUN: ways; tr ';' '\n' <$work/$name.out | grep -c 'submit_simple<cpudev_tag, true>' | grep -x 2
// TEST: the same results as on fibers
// RUN: on_fibers; program loops; $work/loops | diff $work/fibers.out -
// TEST: the same results under --check
// RUN: on_fibers; program checked --check; $work/checked | diff $work/fibers.out -
#include <cstdio>
#include <cuda_runtime.h>

enum { FOUR = 4 };
using Alias = int &;

__device__ int plain(int v) { return v + 3; }
template <int N> __device__ int plus(int v) { return v + N; }
template <class T> __device__ T next(T v) { return v + 1; }
template <class T, int N> __device__ T both(T v) { return v + N; }
template <class T> __device__ int changes(T v)
{
    v = v + 1;
    return v;
}
template <int N> __device__ int changes_it(int &v) { return v += N; }

#define ROUNDS(limit, value)                                                                                           \
    __shared__ int s[64];                                                                                              \
    int n = limit, sum = 0;                                                                                            \
    for (int i = 0; i < n; i++) {                                                                                      \
        s[threadIdx.x] = x[threadIdx.x] + i;                                                                           \
        __syncthreads();                                                                                               \
        sum += s[63 - threadIdx.x] + value;                                                                            \
        __syncthreads();                                                                                               \
    }                                                                                                                  \
    x[threadIdx.x] = sum;

__global__ void s_plain(int *x) { ROUNDS(5, plain(i)) }
__global__ void s_number(int *x) { ROUNDS(5, plus<3>(i)) }
__global__ void s_constant(int *x) { ROUNDS(5, plus<FOUR>(i)) }
__global__ void s_type(int *x) { ROUNDS(5, next<int>(i)) }
__global__ void s_several(int *x) { ROUNDS(5, (both<const unsigned, 7>(i))) }
template <class T, int N> __global__ void s_of_a_template(T *x) { ROUNDS(5, (both<T, N>(i))) }
template <int N> __global__ void s_of_a_number(int *x) { ROUNDS(5, plus<N>(i)) }

__global__ void f_reference(int *x) { ROUNDS(5, changes<int &>(i)) }
__global__ void f_alias(int *x) { ROUNDS(5, changes<Alias>(i)) }
__global__ void f_decltype(int *x) { ROUNDS(5, changes<decltype((i))>(i)) }
__global__ void f_parameter(int *x) { ROUNDS(5, changes_it<1>(i)) }
template <class T> __global__ void f_of_a_template(int *x) { ROUNDS(5, changes<T>(i)) }
template <class T> __global__ void f_of_a_member(int *x) { ROUNDS(5, changes<typename T::type>(i)) }
template <class T> struct Holds {
    T value;
};
template <class T> __global__ void f_of_a_class(int *x, Holds<T> *held) { ROUNDS(5, changes<T>(i)) }
struct Has {
    using type = int &;
};

__global__ void apart(int *x) { x[threadIdx.x] = plain(x[threadIdx.x]); }
__global__ void apart_explicit(int *x) { x[threadIdx.x] = plus<3>(x[threadIdx.x]); }

template <class... More> static void run(const char *name, void (*kernel)(int *, More...), More... more)
{
    int h[64], *x;
    cudaMalloc((void **)&x, sizeof h);
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    kernel<<<1, 64>>>(x, more...);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(x);
    printf("%s %d %d %d\n", name, h[0], h[1], h[63]);
}

int main(void)
{
    run("plain", s_plain);
    run("number", s_number);
    run("constant", s_constant);
    run("type", s_type);
    run("several", s_several);
    run("of a template", s_of_a_template<int, 2>);
    run("of a number", s_of_a_number<6>);
    run("reference", f_reference);
    run("alias", f_alias);
    run("decltype", f_decltype);
    run("parameter", f_parameter);
    run("of a template", f_of_a_template<int &>);
    run("of a member", f_of_a_member<Has>);
    run("of a class", f_of_a_class<int &>, (Holds<int &> *)NULL);
    run("apart", apart);
    run("apart, explicit", apart_explicit);
    return 0;
}
