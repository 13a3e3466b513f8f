/* problem.cuh: what every rung of the ladder w4a16 computes, and how its weights are stored.
 *
 * y (M x N) = x (M x K) times the transpose of W (N x K); x and y are bf16, row-major. A weight is a code of four bits,
 * 0 to 15. Each 128 weights of a row are a group with a scale and a zero point:
 *
 *     W[n][k] = scale[n][k / 128] * (code[n][k] - zero[n][k / 128])
 *
 * Plain storage: codes, eight in a word, the first in the lowest bits, N x K / 8 words; scales, N x K / 128 bf16; zero
 * points, as many bytes, 0 to 16. K is a multiple of 128, M and N are any.
 *
 * Units, for the tensor cores' rungs: 128 rows by one group (rung 6: 64 rows by two) are 8576 contiguous bytes: the codes in the order in which
 * the lanes of mma.sync want them, then 128 scales, then 128 zero points. Units of the same rows are one after the
 * other. Rows past N are codes, scales and zeros of 0. Made once, when the weights are loaded: pack_unit(). */
#ifndef W4A16_PROBLEM_CUH
#define W4A16_PROBLEM_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    GROUP = 128,     /* weights that share a scale and a zero point */
    UNIT_ROWS = 128, /* rows of a unit */
    UNIT_WEIGHTS = UNIT_ROWS * GROUP,
    CODE_BYTES = UNIT_ROWS * GROUP / 2,
    SCALE_BYTES = UNIT_ROWS * 2,
    UNIT_BYTES = CODE_BYTES + SCALE_BYTES + UNIT_ROWS,
    SETS = 2,      /* of warps of a block, which take turns: one unit, the other the next */
    SET_WARPS = 8, /* 4 along the rows, 2 along the group */
    WARPS = SETS * SET_WARPS,
    COPIES = SETS * 2, /* of a block's sums: of each set, and of both halves of the group */
};
static_assert(UNIT_BYTES % 128 == 0, "units begin on lines of 128 bytes");

typedef struct W4a16 {
    const __nv_bfloat16 *x;
    const uint32_t *codes;
    const __nv_bfloat16 *scales;
    const uint8_t *zeros;
    const uint8_t *units, *wide_units;
    __nv_bfloat16 *y;
    int M, N, K;
} W4a16;

static inline size_t units_of(size_t N, size_t K) { return (N + UNIT_ROWS - 1) / UNIT_ROWS * (K / GROUP); }

/* Rung 6 has units of half as many rows and twice as many columns: 64 x 256. */
enum { WIDE_ROWS = UNIT_ROWS / 2, WIDE_COLUMNS = UNIT_WEIGHTS / WIDE_ROWS };
static inline size_t wide_units_of(size_t N, size_t K)
{
    return (N + WIDE_ROWS - 1) / WIDE_ROWS * ((K + WIDE_COLUMNS - 1) / WIDE_COLUMNS);
}

/* Where, in a unit's codes, is the word of warp `warp` (of its set: rows 32 * (warp / 2) on, half warp % 2 of the group), strip s
 * of 16 rows, step `step` of 16 weights, lane `lane`? The four words of a lane and strip are one load of 16 bytes. */
static __host__ __device__ inline int unit_word(int warp, int s, int lane, int step)
{
    return ((warp * 2 + s) * 32 + lane) * 4 + step;
}

/* The place of row r's scale and zero point: a lane finds those of its four rows side by side. */
static __host__ __device__ inline int unit_row(int r) { return r / 32 * 32 + r % 8 * 4 + r % 32 / 8; }

/* Host. One unit of `rows` rows from n0 on, and UNIT_WEIGHTS / rows columns from k0 on. The lane l of a warp needs, for
 * mma.sync's operand of 16 rows by 16 weights, four pairs of neighbours: of rows l / 4 and l / 4 + 8, at 2 (l % 4) and
 * at 8 more. Pair i is in nibbles i and i + 4 of its word, so that one mask takes both. */
static inline void pack_unit(uint8_t *unit, const uint32_t *codes, const uint16_t *scales, const uint8_t *zeros,
                             size_t n0, size_t k0, int rows, size_t N, size_t K)
{
    uint32_t *words = (uint32_t *)unit;
    uint16_t *unit_scales = (uint16_t *)(unit + CODE_BYTES);
    uint8_t *unit_zeros = unit + CODE_BYTES + SCALE_BYTES;
    const int columns = UNIT_WEIGHTS / rows;
    memset(unit, 0, UNIT_BYTES);
    for (int r = 0; r < rows && n0 + r < N; r++)
        for (int k = 0; k < columns && k0 + k < K; k++) {
            const size_t at = (n0 + r) * K + k0 + k;
            const uint32_t code = codes[at / 8] >> at % 8 * 4 & 15;
            const int warp = r / 32 * (columns / 64) + k / 64, s = r % 32 / 16, step = k % 64 / 16;
            const int lane = r % 8 * 4 + k % 8 / 2, pair = r % 16 / 8 + k % 16 / 8 * 2;
            words[unit_word(warp, s, lane, step)] |= code << (pair + k % 2 * 4) * 4;
            if (k % GROUP == 0) {
                unit_scales[k / GROUP * rows + unit_row(r)] = scales[at / GROUP];
                unit_zeros[k / GROUP * rows + unit_row(r)] = zeros[at / GROUP];
            }
        }
}

#endif
