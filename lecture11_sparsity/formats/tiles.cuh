/* tiles.cuh: C = A B as in csr.cuh, with B passing through shared memory in tiles. Hopper only.
 *
 * A block has 256 rows of A and 128 columns of B. It walks along K: TMA fetches the next DEPTH rows of these columns into
 * a ring, and every warp adds what its 8 rows have there. Where 1 % of A is kept, 256 rows ask for 92 % of the rows of B,
 * so whole tiles are fetched: L2 delivers a tile once per block, not once per value. Columns ascend within a row of A.
 *
 * The next WINDOW values of a row wait in shared memory with their columns. In csr.cuh two shuffles hand out a value and
 * its column; a shuffle keeps the load-store unit as busy as a load of both from shared memory.
 */
#ifndef FORMATS_TILES_CUH
#define FORMATS_TILES_CUH

#include "../../common/hopper.cuh"
#include "csr.cuh"

/* A deep tile needs fewer looks at each row. With a longer loop than the one below, three slots of 128 rows took 1.06 times
 * as long on an H200 as two of 192, four of 96 took 1.15 times as long, and six of 64 1.3 times. */
struct CsrTiles {
    enum {
        DEPTH = 192, /* rows of B per slot */
        SLOTS = 2,   /* of the ring */
        COLUMNS = 128,
        WARPS = 32,
        ROWS = 8,    /* per warp */
        WINDOW = 16, /* values of a row in shared memory */
        ROW_BYTES = COLUMNS * 4,
        SLOT_BYTES = DEPTH * ROW_BYTES,
        WINDOW_BYTES = WARPS * ROWS * WINDOW * 8,
        BYTES = SLOTS * SLOT_BYTES + WINDOW_BYTES + 2 * SLOTS * 8,
    };
    static_assert(BYTES <= 232448, "a block has 227 KB of shared memory");
    static_assert(DEPTH <= 256, "a box of TMA has at most 256 rows");
    static_assert(ROWS <= 32 && WINDOW <= 32, "a lane per row, and a lane per value of a window");
    static_assert(WINDOW * 8 <= ROW_BYTES, "a place in a window is less than a column");
};

/* What waits in a window, for each value of a row: where the *next* value is, and the value itself. One load brings what this
 * step multiplies with and what the next step needs. Where a value is, is one word: its column times ROW_BYTES, plus the
 * bytes of its place in the window. Behind the last value of a row is NO_MORE, and behind the last one of a window
 * NEXT_WINDOW. As an unsigned number either is beyond each tile. */
enum { NO_MORE = 0x7fffffff, NEXT_WINDOW = -1 };

static __global__ void __launch_bounds__(CsrTiles::WARPS * 32, 1)
    csr_tiles_kernel(const __grid_constant__ CUtensorMap map, CsrArguments p)
{
#ifdef HOPPER_CODE
    typedef CsrTiles T;
    extern __shared__ __align__(128) uint8_t csr_shared[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int n = blockIdx.y * T::COLUMNS + lane * 4, m = (blockIdx.x * T::WARPS + warp) * T::ROWS;
    int2 *window = (int2 *)(csr_shared + T::SLOTS * T::SLOT_BYTES) + warp * T::ROWS * T::WINDOW;
    const uint32_t ring = shared_address(csr_shared);
    const uint32_t full = ring + T::SLOTS * T::SLOT_BYTES + T::WINDOW_BYTES, empty = full + T::SLOTS * 8;
    const int steps = (p.K + T::DEPTH - 1) / T::DEPTH;
    auto fetch = [&](int step, int slot) {
        mbarrier_arrive_expect(full + slot * 8, T::SLOT_BYTES);
        tma_load(ring + slot * T::SLOT_BYTES, &map, blockIdx.y * T::COLUMNS, step * T::DEPTH, full + slot * 8);
    };
    if (threadIdx.x == 0) {
        for (int s = 0; s < T::SLOTS; s++) {
            mbarrier_init(full + s * 8, 1);
            mbarrier_init(empty + s * 8, T::WARPS);
        }
        mbarrier_init_fence();
        for (int s = 0; s < T::SLOTS && s < steps; s++)
            fetch(s, s);
    }
    __syncthreads();

    int next = 0, stop = 0; /* lane r: where row r goes on behind its window, and where it ends */
    if (lane < T::ROWS && m + lane < p.M) {
        next = p.row_start[m + lane];
        stop = p.row_start[m + lane + 1];
    }
    int head[T::ROWS]; /* where each row's next value is */
    float4 sum[T::ROWS] = {};
    auto fill_window = [&](int r) {
        const int from = __shfl_sync(0xffffffff, next, r), end = __shfl_sync(0xffffffff, stop, r), at = from + lane;
        int2 pair = make_int2(at + 1 < end ? NEXT_WINDOW : NO_MORE, 0);
        if (at + 1 < end && lane + 1 < T::WINDOW)
            pair.x = p.column[at + 1] * T::ROW_BYTES + (lane + 1) * 8;
        if (at < end)
            pair.y = __float_as_int(p.value[at]);
        head[r] = from < end ? p.column[from] * T::ROW_BYTES : NO_MORE;
        __syncwarp(); /* all lanes have read the old pairs */
        if (lane < T::WINDOW)
            window[r * T::WINDOW + lane] = pair;
        if (lane == r)
            next += T::WINDOW;
        __syncwarp();
    };
#pragma unroll
    for (int r = 0; r < T::ROWS; r++)
        fill_window(r);
    int slot = 0, parity = 0;
    for (int step = 0; step < steps; step++) {
        if (threadIdx.x == 0 && step > 0 && step - 1 + T::SLOTS < steps) { /* into the slot of the step before */
            const int old = (slot + T::SLOTS - 1) % T::SLOTS;
            mbarrier_wait(empty + old * 8, (step - 1) / T::SLOTS & 1);
            fetch(step - 1 + T::SLOTS, old);
        }
        __syncwarp();
        mbarrier_wait(full + slot * 8, parity);
        const int behind = (step + 1) * T::SLOT_BYTES;
        /* where the lane's columns of row 0 of B would be */
        int b = slot * T::SLOT_BYTES + lane * 16 - step * T::SLOT_BYTES;
        asm volatile("" : "+r"(b)); /* computed once per step, not once per row */
#pragma unroll
        for (int r = 0; r < T::ROWS; r++)
            while (head[r] < behind) {
                do {
                    const int place = head[r] & (T::WINDOW - 1) * 8;
                    const int2 pair = *(const int2 *)((const uint8_t *)(window + r * T::WINDOW) + place);
                    const float4 x = *(const float4 *)(csr_shared + (head[r] - place + b));
                    const float v = __int_as_float(pair.y);
                    head[r] = pair.x;
                    sum[r].x += v * x.x, sum[r].y += v * x.y, sum[r].z += v * x.z, sum[r].w += v * x.w;
                } while ((unsigned)head[r] < (unsigned)behind);
                if (head[r] != NEXT_WINDOW)
                    break;
                fill_window(r);
            }
        __syncwarp();
        if (lane == 0)
            mbarrier_arrive(empty + slot * 8);
        if (++slot == T::SLOTS)
            slot = 0, parity ^= 1;
    }
    if (n < p.N) {
#pragma unroll
        for (int r = 0; r < T::ROWS; r++)
            if (m + r < p.M)
                *(float4 *)(p.C + (size_t)(m + r) * p.N + n) = sum[r];
    }
#endif
}

/* NULL, or why not. N a multiple of 4, K at most 65535. */
static const char *csr_tiles_launch(const CsrArguments &p, cudaStream_t stream)
{
    typedef CsrTiles T;
    static uint32_t raised;
    CUtensorMap map;
    const char *why = hopper_here();
    if (!why)
        why = tensor_map_2d(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, p.B, (uint64_t)p.K, (uint64_t)p.N, (uint64_t)p.N,
                            T::DEPTH, T::COLUMNS, 0);
    if (!why && shared_memory_raise((const void *)csr_tiles_kernel, T::BYTES, &raised))
        why = "a block cannot have as much shared memory";
    if (why)
        return why;
    const int rows = T::WARPS * T::ROWS;
    const dim3 grid((unsigned)((p.M + rows - 1) / rows), (unsigned)((p.N + T::COLUMNS - 1) / T::COLUMNS));
    csr_tiles_kernel<<<grid, T::WARPS * 32, T::BYTES, stream>>>(map, p);
    return NULL;
}

#endif
