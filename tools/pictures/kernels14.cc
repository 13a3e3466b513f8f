/* kernels14.cc: lecture 14's kernels and index functions. What the instructions do, the shims here only write down. */
#include <algorithm>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "shim.h"

using std::min;

#undef __shared__
#define __shared__ static __attribute__((section("shared_arrays"), aligned(128)))
#define ARGUMENTS(a) const KernelArguments *a = (const KernelArguments *)arguments

namespace gemm7
{
#include "gemm7.inc"
}
namespace order
{
#define __forceinline__
#include "hilbert.inc"
#include "order.inc"
} // namespace order
namespace layouts
{
#include "layouts.inc"
}
namespace ldmatrix
{
typedef uint16_t __nv_bfloat16;
struct __nv_bfloat162 {
    uint16_t x, y;
};
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
static LdmatrixLog *rows;
static void ldmatrix_x4(uint32_t *, const void *row)
{
    LdmatrixLog *l = rows;
    if (l->count[threadIdx.x] < 8)
        l->offset[threadIdx.x][l->count[threadIdx.x]++] = (const char *)row - (const char *)shared_begin();
}
static void ldmatrix_x4_trans(uint32_t *, const void *) {}
static void mma_m16n8k16_bf16(float *, const uint32_t *, const uint32_t *) {}
static __nv_bfloat162 __floats2bfloat162_rn(float, float) { return {0, 0}; }
#include "ldmatrix.inc"
} // namespace ldmatrix
namespace blocks
{
#include "../../lecture14_tiling/blocks/block.cuh"
using block::Block;
#include "blocks.inc"
} // namespace blocks
namespace ring
{
#define HOPPER_CODE
#define __grid_constant__
#undef __shared__
#define __shared__
struct CUtensorMap {
};
typedef uint16_t __nv_bfloat16;
struct Bf16 {
};
static RingLog *log;
extern uint8_t raw[];
uint8_t raw[1024];
static int full_bars; /* the first STAGES barriers, 8 bytes apart, are the full ones */
static void note(int what, uint32_t bar, int value)
{
    if (log->count < RING_MOST)
        log->event[log->count++] = RingEvent{what, (int)bar, value};
}
static uint32_t shared_address(const void *) { return 0; }
static void mbarrier_init(uint32_t, int) {}
static void mbarrier_init_fence() {}
static void mbarrier_wait(uint32_t bar, uint32_t parity) { note(RING_WAIT, bar, (int)parity); }
static void mbarrier_arrive_expect(uint32_t bar, int) { note(RING_FILL, bar, 0); }
static void mbarrier_arrive(uint32_t bar) { note(RING_EMPTY, bar, 0); }
static void tma_load(uint32_t, const CUtensorMap *, int k, int, uint32_t bar) { note(RING_LOAD, bar, k / 64); }
static uint64_t wgmma_descriptor(uint32_t, int) { return 0; }
template <typename T, int N> struct Wgmma {
    template <int COUNT> static void run(float (&)[COUNT], uint64_t, uint64_t, int) {}
};
static void wgmma_fence() {}
static void wgmma_commit() { note(RING_MULTIPLY, 0, 0); }
template <int LEFT> static void wgmma_wait() {}
template <int COUNT> static void wgmma_pin(float (&)[COUNT]) {}
template <int> static void registers_give() {}
template <int> static void registers_take() {}
static int __shfl_sync(unsigned, int v, int) { return v; }
static uint32_t pack_bf16(float, float) { return 0; }
#include "ring.inc"
} // namespace ring
namespace work
{
#include "work.inc"
}

extern "C" {
void call_gemm7(void *arguments)
{
    ARGUMENTS(a);
    gemm7::gemm_kernel7((float *)a->p[0], (float *)a->p[1], (float *)a->p[2], a->n[0], a->n[1], a->n[2]);
}
void order_grouped(int id, int rows, int columns, int group, int *row, int *column)
{
    order::tile_grouped(id, rows, columns, group, row, column);
}
void order_hilbert(unsigned *out, int rows, int columns) { order::hilbert_order(out, rows, columns); }
int layout_swizzle_128(int row, int byte) { return layouts::swizzle_128(row, byte); }
int layout_conflicts(int piece, int swizzled)
{
    return layouts::conflicts(swizzled ? layouts::swizzle_128 : layouts::plain_128, piece);
}
void layout_accumulator(int thread, int i, int *row, int *column)
{
    layouts::accumulator_place(thread, i, row, column);
}
void call_ldmatrix(void *arguments)
{
    ARGUMENTS(a);
    ldmatrix::rows = (LdmatrixLog *)a->p[3];
    ldmatrix::gemm_bf16_kernel3((uint16_t *)a->p[0], (uint16_t *)a->p[1], (uint16_t *)a->p[2], a->n[0], a->n[1],
                                a->n[2]);
}
#define BLOCKS(k)                                                                                                      \
    void call_blocks##k(void *arguments)                                                                               \
    {                                                                                                                  \
        ARGUMENTS(a);                                                                                                  \
        blocks::copy_kernel##k((const float *)a->p[0], (float *)a->p[1], a->n[0]);                                     \
    }
BLOCKS(1)
BLOCKS(2)
BLOCKS(3)
void ring_walk(RingLog *log, int thread, int steps)
{
    static uint16_t c[128 * 16];
    memset(log, 0, sizeof *log);
    ring::log = log;
    replay_place.grid = replay_place.block = Dim{1, 1, 1};
    replay_place.block_index = Dim{0, 0, 0};
    replay_place.thread_index = Dim{thread, 0, 0};
    ring::CUtensorMap map;
    (void)ring::full_bars;
    ring::hopper3_kernel<128, 16, RING_STAGES>(map, map, c, 0, 0, 64 * steps, 16);
}
int work_list(int whole_waves, int tiles, int steps, int clusters, int me, int shared_steps, WorkPiece *piece, int most)
{
    work::StreamK s = {whole_waves, shared_steps / clusters, shared_steps % clusters, NULL, NULL, 0};
    work::WorkList<1> list(tiles, steps, clusters, me, s);
    int n = 0;
    while (n < most && list.next(&piece[n].tile, &piece[n].k0, &piece[n].k1))
        n++;
    return n;
}
}
