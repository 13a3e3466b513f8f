/* block.cuh: block programs in CUDA C, the way Triton has them: a program is written for a whole block of elements, and
 * no program speaks of threads. A CUDA block runs one program; its threads share a block value's elements among them:
 * thread t holds elements t, t + THREADS, t + 2 THREADS ... in registers.
 *
 *     int pid = blockIdx.x;
 *     Block<int, 1, 1024> at = pid * 1024 + cols<1, 1024>();        // offsets: 1024 of them
 *     Block<bool, 1, 1024> mask = at < n;                           // which of them exist
 *     block_store(z, at, mask, block_load(x, at, mask, 0.f) + 1.f);
 *
 * A block is R rows by C columns (R = 1 for a vector). Offsets are ordinary integers into a pointer; two dimensions
 * are made of rows<R, C>() and cols<R, C>(). An element whose mask is false is not loaded, it becomes `other`; and it
 * is not stored. That is all that keeps a program inside its arrays.
 */
#ifndef BLOCK_CUH
#define BLOCK_CUH

#include <cuda_runtime.h>
#include <stddef.h>

namespace block
{

enum { THREADS = 128 }; /* launch every block program with this many */

template <typename T, int R, int C> struct Block {
    enum { COUNT = R * C, EACH = (COUNT + THREADS - 1) / THREADS };
    T v[EACH];
    /* Index of this thread's e-th element within the block; it may be past the end in the last round. */
    __device__ static int index(int e) { return e * THREADS + (int)threadIdx.x; }
};

/* Each element's row, and each element's column: what Triton writes arange(0, R)[:, None] and arange(0, C)[None, :]. */
template <int R, int C> __device__ Block<int, R, C> rows()
{
    Block<int, R, C> b;
#pragma unroll
    for (int e = 0; e < b.EACH; e++)
        b.v[e] = b.index(e) / C;
    return b;
}

template <int R, int C> __device__ Block<int, R, C> cols()
{
    Block<int, R, C> b;
#pragma unroll
    for (int e = 0; e < b.EACH; e++)
        b.v[e] = b.index(e) % C;
    return b;
}

/* An operator for block with block, block with scalar, and scalar with block; RESULT is its element type. */
#define BLOCK_OPERATOR(OP, RESULT)                                                                                     \
    template <typename T, int R, int C> __device__ Block<RESULT, R, C> operator OP(Block<T, R, C> a, Block<T, R, C> b) \
    {                                                                                                                  \
        Block<RESULT, R, C> c;                                                                                         \
        _Pragma("unroll") for (int e = 0; e < c.EACH; e++) c.v[e] = a.v[e] OP b.v[e];                                  \
        return c;                                                                                                      \
    }                                                                                                                  \
    template <typename T, int R, int C> __device__ Block<RESULT, R, C> operator OP(Block<T, R, C> a, T b)              \
    {                                                                                                                  \
        Block<RESULT, R, C> c;                                                                                         \
        _Pragma("unroll") for (int e = 0; e < c.EACH; e++) c.v[e] = a.v[e] OP b;                                       \
        return c;                                                                                                      \
    }                                                                                                                  \
    template <typename T, int R, int C> __device__ Block<RESULT, R, C> operator OP(T a, Block<T, R, C> b)              \
    {                                                                                                                  \
        Block<RESULT, R, C> c;                                                                                         \
        _Pragma("unroll") for (int e = 0; e < c.EACH; e++) c.v[e] = a OP b.v[e];                                       \
        return c;                                                                                                      \
    }
BLOCK_OPERATOR(+, T)
BLOCK_OPERATOR(-, T)
BLOCK_OPERATOR(*, T)
BLOCK_OPERATOR(<, bool)
BLOCK_OPERATOR(&, bool)
#undef BLOCK_OPERATOR

/* The elements of p at `at` where mask is true, `other` elsewhere. A narrow type is widened to that of `other`:
 * block_load(bytes, at, mask, 0.f) gives floats. */
template <typename T, typename E, int R, int C>
__device__ Block<T, R, C> block_load(const E *p, Block<int, R, C> at, Block<bool, R, C> mask, T other)
{
    Block<T, R, C> b;
#pragma unroll
    for (int e = 0; e < b.EACH; e++)
        b.v[e] = b.index(e) < b.COUNT && mask.v[e] ? (T)p[at.v[e]] : other;
    return b;
}

/* Stores the elements of b whose mask is true. Within a program the threads' stores are not ordered: a program that
 * stores to one place twice, or loads what it stored, is wrong. */
template <typename E, typename T, int R, int C>
__device__ void block_store(E *p, Block<int, R, C> at, Block<bool, R, C> mask, Block<T, R, C> b)
{
#pragma unroll
    for (int e = 0; e < b.EACH; e++)
        if (b.index(e) < b.COUNT && mask.v[e])
            p[at.v[e]] = (E)b.v[e];
}

} /* namespace block */

#endif
