// Atomics of 16 bytes: a compare-and-swap loop that keeps two sums in step, and exchanges that hand one token round.
#include "conformance.h"

// nvcc makes the host's side of a kernel only where it compiles the kernel for a GPU: below an H100, which has no atomics of
// 16 bytes, the kernels are there and empty.
struct __align__(16) Pair {
    unsigned long long a, b;
};
__global__ void add(Pair *p)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    Pair old = {0, 0}, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, Pair{seen.a + 1 + threadIdx.x, seen.b + 2 * (1 + threadIdx.x)});
    } while (old.a != seen.a || old.b != seen.b);
#endif
}
// Each thread leaves its number and takes that of whoever came before: all numbers are found once.
__global__ void pass(ulonglong2 *token, unsigned *taken)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    Pair mine = {threadIdx.x + 1ull, ~(threadIdx.x + 1ull)};
    const Pair before = atomicExch((Pair *)token, mine);
    atomicAdd(&taken[before.a], before.b == ~before.a ? 1 : 1000);
#endif
}
__global__ void pass_in_block(unsigned *taken)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    __shared__ Pair token;
    if (threadIdx.x == 0)
        token = Pair{0, ~0ull};
    __syncthreads();
    Pair mine = {threadIdx.x + 1ull, ~(threadIdx.x + 1ull)}, old = {0, ~0ull}, seen;
    do {
        seen = old;
        old = atomicCAS_block(&token, seen, mine);
    } while (old.a != seen.a || old.b != seen.b);
    atomicAdd(&taken[old.a], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&taken[atomicExch_block(&token, mine).a], 1);
#endif
}
int main()
{
    int major;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    if (major < 9)
        return 0;
    enum { BLOCKS = 3 };
    Pair *sums = managed<Pair>(1);
    ulonglong2 *token = managed<ulonglong2>(1);
    unsigned *taken = managed<unsigned>(T + 1), *in_block = managed<unsigned>(T + 1);
    unsigned long long *got = managed<unsigned long long>(3 + 2 * (T + 1));
    sums->a = sums->b = 0, token->x = 0, token->y = ~0ull;
    for (int i = 0; i <= T; i++)
        taken[i] = in_block[i] = 0;
    add<<<BLOCKS, T>>>(sums);
    pass<<<1, T>>>(token, taken);
    pass_in_block<<<1, T>>>(in_block);
    cudaDeviceSynchronize();
    taken[token->x]++; // the last one is still there
    got[0] = sums->a, got[1] = sums->b, got[2] = token->y == ~token->x;
    for (int i = 0; i <= T; i++)
        got[3 + i] = taken[i], got[3 + T + 1 + i] = in_block[i];
    return check(got, 3 + 2 * (T + 1), [](int i) {
        const unsigned long long sum = BLOCKS * (T * (T + 1) / 2);
        return i == 0 ? sum : i == 1 ? 2 * sum : 1ull;
    });
}
