// words of CUDA in strings, pasted tokens and comments are not code
#include "conformance.h"

#define NAME(...) #__VA_ARGS__
#define PASTE(a, b) a##b
__global__ void k(int *out)
{
    const char *text = "__syncthreads(); k<<<1, 2>>>(); threadIdx \" } {";
    const char *other = NAME(__shared__ int s[3]; k<<<1, 2>>>());
    int PASTE(thread, Number) = PASTE(thread, Idx).x; // __syncthreads();
    /* __global__ void no() { */
    PASTE(__sync, threads)();
    char brace = '{', quote = '\'';
    out[threadIdx.x] = threadNumber + text[0] + other[2] + brace + quote;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + '_' + 's' + '{' + '\''; });
}
