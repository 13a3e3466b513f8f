/* rows.cuh: C = A B for A in V:2:8: of 8 neighbouring columns, V rows together keep four, and of these each row keeps
 * two. What is left of A is a 2:4 matrix of half the width, and a list says for each V rows which rows of B it meets. So
 * the frame of spgemm24/mma.cuh stays as it is, and only B's loader asks the list.
 *
 *   1  one thread per element   walks the columns that its row's strip has kept
 *   2  rows by list             a step loads 64 rows of B from wherever the list says
 *   3  list ahead               a thread has its part of the list for the next step before it needs it
 *
 * B is K x N, row-major, N a multiple of 8; the arguments' K is that of the half matrix, `kept` has strips x K. */
#ifndef VNM_ROWS_CUH
#define VNM_ROWS_CUH

#include "../spgemm24/mma.cuh"
#include "format.h"

template <class T, bool AHEAD> struct VnmLoader : MmaLoader<T> {
    using Base = MmaLoader<T>;
    static constexpr int COPIES = Base::B_ROWS / Base::B_STEP;
    static_assert(VNM_V % T::BM == 0, "a tile's rows have one list");
    static_assert(!T::B_TRANSPOSED, "rows of B are picked, not columns");
    const int *list;
    int left;        /* entries of the list from here to its end; none where the thread's columns are outside */
    int row[COPIES]; /* with AHEAD those of the next step */
    size_t pitch;

    __device__ __forceinline__ VnmLoader(const MmaArguments &p, int m0, int n0) : Base(p, m0, n0)
    {
        const int first = threadIdx.x / Base::B_CHUNKS, n = n0 + threadIdx.x % Base::B_CHUNKS * 8;
        list = p.kept + (size_t)(m0 / VNM_V) * p.K + first;
        left = n < p.N ? p.K - first : 0;
        pitch = (size_t)p.N * 2;
        this->b = (const char *)p.B + (n < p.N ? (size_t)n * 2 : 0);
        if (AHEAD)
            read_list();
    }
    // notes: loader
    __device__ __forceinline__ void read_list()
    {
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            row[i] = i * Base::B_STEP < left ? list[i * Base::B_STEP] : -1;
        list += T::BK;
        left -= T::BK;
    }
    __device__ __forceinline__ void next(char *stage)
    {
        this->next_a(stage);
        if (!AHEAD)
            read_list();
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            cp_async_16(stage + this->b_to + i * Base::B_STEP * Base::B_ROW,
                        this->b + (row[i] < 0 ? 0 : (size_t)row[i] * pitch), row[i] >= 0);
        if (AHEAD)
            read_list();
    }
    // notes end
};

__global__ void vnm_kernel1(const uint16_t *A, const int *kept, const uint16_t *B, __nv_bfloat16 *C, int M, int N,
                            int K)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y;
    if (n >= N)
        return;
    const int *list = kept + (size_t)(m / VNM_V) * (K / 2);
    float sum = 0;
    for (int i = 0; i < K / 2; i++) {
        const float a = __bfloat162float(((const __nv_bfloat16 *)A)[(size_t)m * K + list[i]]);
        if (a != 0) /* of each four, two are */
            sum += a * __bfloat162float(((const __nv_bfloat16 *)B)[(size_t)list[i] * N + n]);
    }
    C[(size_t)m * N + n] = __float2bfloat16(sum);
}

#endif
