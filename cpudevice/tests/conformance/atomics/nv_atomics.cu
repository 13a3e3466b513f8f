// __nv_atomic_*: all operations on several types, and flags with orders and scopes (CUDA 13 has them)
#include "conformance.h"

#if __CUDACC_VER_MAJOR__ < 13
int main() { return 0; }
#else

// nvcc takes nothing but literals for them
#define RELAXED __NV_ATOMIC_RELAXED
#define DEVICE __NV_THREAD_SCOPE_DEVICE
enum { BLOCKS = 6, THREADS = 64, N = BLOCKS * THREADS };

// each of N threads takes part in each cell
template <class T> static __global__ void all(T *cell)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    __nv_atomic_add(&cell[0], (T)i, RELAXED, DEVICE);
    __nv_atomic_fetch_sub(&cell[1], (T)1, RELAXED);
    __nv_atomic_fetch_and(&cell[2], (T)~(T)(1 << i % 5), RELAXED, DEVICE);
    __nv_atomic_or(&cell[3], (T)(1 << i % 7), RELAXED, DEVICE);
    __nv_atomic_fetch_xor(&cell[4], (T)i, __NV_ATOMIC_SEQ_CST, DEVICE);
    __nv_atomic_min(&cell[5], (T)(500 - i), RELAXED, DEVICE);
    __nv_atomic_fetch_max(&cell[6], (T)(i * 3), __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
    T was, mine = (T)(i + 1); // a chain: what each puts there somebody takes out
    __nv_atomic_exchange(&cell[7], &mine, &was, RELAXED, DEVICE);
    __nv_atomic_add(&cell[8], was, RELAXED, DEVICE);
    for (T seen = __nv_atomic_load_n(&cell[9], RELAXED, DEVICE), next = seen + 2;
         !__nv_atomic_compare_exchange(&cell[9], &seen, &next, true, RELAXED, RELAXED, DEVICE); next = seen + 2)
        ;
    T none = 1; // holds zero or, when one has come, seven
    if (!__nv_atomic_compare_exchange_n(&cell[10], &none, (T)9, false, RELAXED, RELAXED, DEVICE) && none == 0)
        __nv_atomic_store_n(&cell[10], (T)7, RELAXED, DEVICE);
}

// a value goes from block to block: written plainly, told by a flag
static __global__ void chain(int *flag, int *value)
{
    if (threadIdx.x)
        return;
    int before = 5;
    if (blockIdx.x) {
        while (!__nv_atomic_load_n(&flag[blockIdx.x - 1], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE))
            ;
        before = value[blockIdx.x - 1];
    }
    value[blockIdx.x] = before + (int)blockIdx.x;
    __nv_atomic_store_n(&flag[blockIdx.x], 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

static __global__ void fenced(int *flag, float *value, float *sum)
{
    int set = 1, seen = 0;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *value = 2.5f;
        __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
        __nv_atomic_store(flag, &set, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
    if (threadIdx.x == 0 && blockIdx.x == 1) {
        while (!seen)
            __nv_atomic_load(flag, &seen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
        __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
        __nv_atomic_fetch_add(sum, *value, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
    __nv_atomic_add(sum, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

template <class T> static void numbers(int *out)
{
    T *cell;
    cudaMallocManaged(&cell, 11 * sizeof *cell);
    for (int i = 0; i < 11; i++)
        cell[i] = (T)(i == 1 ? N + 3 : i == 2 ? 127 : i == 5 ? 1000 : 0);
    all<<<BLOCKS, THREADS>>>(cell);
    cudaDeviceSynchronize();
    cell[8] += cell[7]; // what is left there
    cell[7] = 0;
    for (int i = 0; i < 11; i++)
        out[i] = (int)cell[i];
    cudaFree(cell);
}

int main()
{
    int *out = managed(3 * 11 + BLOCKS + 1), *room = managed(2 * BLOCKS + 4);
    for (int i = 0; i < 2 * BLOCKS + 4; i++)
        room[i] = 0;
    numbers<int>(out);
    numbers<unsigned>(out + 11);
    numbers<unsigned long long>(out + 22);
    float *sum = (float *)(room + 2 * BLOCKS);
    chain<<<BLOCKS, 32>>>(room, room + BLOCKS);
    fenced<<<2, 32>>>(room + 2 * BLOCKS + 2, sum + 1, sum);
    cudaDeviceSynchronize();
    for (int b = 0; b < BLOCKS; b++)
        out[33 + b] = room[BLOCKS + b];
    out[33 + BLOCKS] = (int)(2 * *sum);
    return check(out, 3 * 11 + BLOCKS + 1, [](int i) {
        int bits = 0;
        for (int k = 0; k < N; k++)
            bits ^= k;
        const int want[] = {N * (N - 1) / 2, 3, 127 & ~31, 127, bits, 500 - (N - 1), 3 * (N - 1), 0, N * (N + 1) / 2, 2 * N, 7};
        return i < 33 ? want[i % 11] : i < 33 + BLOCKS ? 5 + (i - 33) * (i - 32) / 2 : 5 + 64;
    });
}
#endif
