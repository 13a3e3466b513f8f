// vectors loaded and stored by relaxed, acquiring, releasing and volatile instructions: each block passes a flag and a
// value on to the next by one store
#include "conformance.h"

enum { BLOCKS = 8 };
#define LOAD(name, text, part, letter)                                                                                 \
    static __device__ void name(const void *from, part *x, part *y)                                                    \
    {                                                                                                                  \
        asm volatile(text " {%0, %1}, [%2];" : "=" letter(*x), "=" letter(*y) : "l"(from) : "memory");                 \
    }
#define STORE(name, text, part, letter)                                                                                \
    static __device__ void name(void *to, part x, part y)                                                              \
    {                                                                                                                  \
        asm volatile(text " [%0], {%1, %2};" : : "l"(to), letter(x), letter(y) : "memory");                            \
    }
LOAD(load_words, "ld.relaxed.gpu.v2.u32", unsigned, "r")
STORE(store_words, "st.relaxed.gpu.v2.u32", unsigned, "r")
LOAD(load_longs, "ld.relaxed.gpu.global.v2.u64", unsigned long long, "l")
STORE(store_longs, "st.relaxed.gpu.global.v2.u64", unsigned long long, "l")
LOAD(load_shorts, "ld.volatile.global.v2.u16", unsigned short, "h")
STORE(store_shorts, "st.volatile.global.v2.u16", unsigned short, "h")
LOAD(load_acquire, "ld.acquire.gpu.global.v2.u32", unsigned, "r")
STORE(store_release, "st.release.gpu.global.v2.u32", unsigned, "r")

#define PASSES_ON(name, load, store, part)                                                                             \
    static __global__ void name(part *message, int *out)                                                               \
    {                                                                                                                  \
        if (threadIdx.x)                                                                                               \
            return;                                                                                                    \
        part flag = 0, value = 5;                                                                                      \
        while (blockIdx.x && !flag)                                                                                    \
            load(message + 2 * (blockIdx.x - 1), &flag, &value);                                                       \
        out[blockIdx.x] = (int)value;                                                                                  \
        store(message + 2 * blockIdx.x, 1, (part)(value + blockIdx.x + 1));                                            \
    }
PASSES_ON(words, load_words, store_words, unsigned)
PASSES_ON(longs, load_longs, store_longs, unsigned long long)
PASSES_ON(shorts, load_shorts, store_shorts, unsigned short)

// what was written before the release is read plainly behind the acquire
static __global__ void ordered(unsigned *message, int *data, int *out)
{
    if (threadIdx.x)
        return;
    unsigned flag = 0, by = 0;
    while (blockIdx.x && !flag)
        load_acquire(message + 2 * (blockIdx.x - 1), &flag, &by);
    const int value = blockIdx.x ? data[blockIdx.x - 1] : 5;
    out[blockIdx.x] = value + 100 * (int)by;
    data[blockIdx.x] = value + (int)blockIdx.x + 1;
    store_release(message + 2 * blockIdx.x, 1, blockIdx.x + 1);
}
int main()
{
    int *out = managed(4 * BLOCKS), *room = managed(12 * BLOCKS);
    for (int i = 0; i < 12 * BLOCKS; i++)
        room[i] = 0;
    words<<<BLOCKS, 32>>>((unsigned *)room, out);
    longs<<<BLOCKS, 32>>>((unsigned long long *)(room + 2 * BLOCKS), out + BLOCKS);
    shorts<<<BLOCKS, 32>>>((unsigned short *)(room + 6 * BLOCKS), out + 2 * BLOCKS);
    ordered<<<BLOCKS, 32>>>((unsigned *)(room + 8 * BLOCKS), room + 10 * BLOCKS, out + 3 * BLOCKS);
    return check(out, 4 * BLOCKS, [](int i) {
        const int b = i % BLOCKS;
        return 5 + b * (b + 1) / 2 + (i >= 3 * BLOCKS ? 100 * b : 0);
    });
}
