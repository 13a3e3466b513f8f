/* ptx_video.cu: the SIMD video instructions of inline PTX (vadd4, vabsdiff2 and their like), lane by lane against the
 * words of the PTX ISA's chapter "Video Instructions", computed here on the host in 64 bits. */
#include <stdint.h>
#include <string.h>

#include <cuda_runtime.h>

#include "suite.h"

enum { PAIRS = 2000, FORMS = 16 };

/* name, bits a lane, signs of the result and of both operands, modifier, operation */
#define FORMS_OF(X)                                                                                                    \
    X(0, "vadd4.u32.u32.u32", 8, 0, 0, 0, "", a + b)                                                                   \
    X(1, "vadd4.s32.s32.s32.sat", 8, 1, 1, 1, "sat", a + b)                                                            \
    X(2, "vadd2.u32.s32.u32.sat", 16, 0, 1, 0, "sat", a + b)                                                           \
    X(3, "vsub4.s32.u32.u32", 8, 1, 0, 0, "", a - b)                                                                   \
    X(4, "vsub2.u32.u32.u32.sat", 16, 0, 0, 0, "sat", a - b)                                                           \
    X(5, "vsub4.s32.s32.u32.add", 8, 1, 1, 0, "add", a - b)                                                            \
    X(6, "vavrg4.u32.u32.u32", 8, 0, 0, 0, "", half_up(a + b))                                                         \
    X(7, "vavrg2.s32.s32.s32", 16, 1, 1, 1, "", half_up(a + b))                                                        \
    X(8, "vabsdiff4.u32.u32.u32.add", 8, 0, 0, 0, "add", a > b ? a - b : b - a)                                        \
    X(9, "vabsdiff4.u32.s32.s32", 8, 0, 1, 1, "", a > b ? a - b : b - a)                                               \
    X(10, "vabsdiff2.s32.s32.s32.sat", 16, 1, 1, 1, "sat", a > b ? a - b : b - a)                                      \
    X(11, "vmin4.s32.s32.s32", 8, 1, 1, 1, "", a < b ? a : b)                                                          \
    X(12, "vmin2.u32.u32.u32.add", 16, 0, 0, 0, "add", a < b ? a : b)                                                  \
    X(13, "vmax4.u32.u32.u32", 8, 0, 0, 0, "", a > b ? a : b)                                                          \
    X(14, "vmax2.s32.s32.u32.sat", 16, 1, 1, 0, "sat", a > b ? a : b)                                                  \
    X(15, "vadd2.s32.s32.s32.add", 16, 1, 1, 1, "add", a + b)

__global__ void run(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= PAIRS)
        return;
#define RUN(k, text, bits, d, sa, sb, mode, operation)                                                                 \
    asm(text " %0, %1, %2, %3;" : "=r"(out[k * PAIRS + i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    FORMS_OF(RUN)
#undef RUN
}

static int64_t half_up(int64_t sum) { return sum >= 0 ? (sum + 1) / 2 : -((-sum + 1) / 2); } /* (x + y) >> 1 below 0 */

static int64_t lane_of(uint32_t v, int lane, int bits, int is_signed)
{
    const int64_t x = v / ((int64_t)1 << lane * bits) % ((int64_t)1 << bits);
    return is_signed && x >= (int64_t)1 << (bits - 1) ? x - ((int64_t)1 << bits) : x;
}

static uint32_t expected(int form, uint32_t va, uint32_t vb, uint32_t c)
{
    uint32_t packed = 0, sum = c;
    const char *how = "";
#define EXPECT(k, text, bits, d, sa, sb, mode, operation)                                                              \
    if (form == k)                                                                                                     \
        for (int lane = 0; lane < 32 / bits; lane++) {                                                                 \
            const int64_t a = lane_of(va, lane, bits, sa), b = lane_of(vb, lane, bits, sb);                            \
            const int64_t low = d ? -((int64_t)1 << (bits - 1)) : 0, high = low + ((int64_t)1 << bits) - 1;            \
            int64_t x = operation;                                                                                     \
            how = mode;                                                                                                \
            if (!strcmp(how, "sat"))                                                                                   \
                x = x < low ? low : x > high ? high : x;                                                               \
            packed += (uint32_t)((x % ((int64_t)1 << bits) + ((int64_t)1 << bits)) % ((int64_t)1 << bits))             \
                      << lane * bits;                                                                                  \
            sum += (uint32_t)x;                                                                                        \
        }
    FORMS_OF(EXPECT)
#undef EXPECT
    return !strcmp(how, "add") ? sum : packed;
}

START_TEST(test_every_form)
{
    static uint32_t h[3][PAIRS], results[FORMS][PAIRS];
    static const uint32_t edges[] = {0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x01ff80fe};
    uint32_t *d = NULL, x = 1;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < PAIRS; i++) {
            x = x * 1664525u + 1013904223u;
            h[k][i] = i < 49 ? edges[k ? i / 7 : i % 7] : x ^ x >> 15;
        }
    ck_assert(!cudaMalloc((void **)&d, sizeof h + sizeof results));
    ck_assert(!cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    run<<<(PAIRS + 127) / 128, 128>>>(d, d + PAIRS, d + 2 * PAIRS, d + 3 * PAIRS);
    ck_assert(!cudaMemcpy(results, d + 3 * PAIRS, sizeof results, cudaMemcpyDeviceToHost));
    for (int form = 0; form < FORMS; form++)
        for (int i = 0; i < PAIRS; i++)
            ck_assert_msg(results[form][i] == expected(form, h[0][i], h[1][i], h[2][i]),
                          "form %d of %#x, %#x, %#x: %#x instead of %#x", form, h[0][i], h[1][i], h[2][i],
                          results[form][i], expected(form, h[0][i], h[1][i], h[2][i]));
    cudaFree(d);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inline PTX: SIMD video instructions");
    TCase *tests = tcase_create("video");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_every_form);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
