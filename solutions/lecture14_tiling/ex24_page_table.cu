/* Exercise 14.24 a page at a time (3 points)
 *
 * The keys of B sequences are in a pool of pages: a page is 16 tokens of 64 floats, 1024 floats without a gap. Page j
 * of sequence b is page table[b * columns + j] of the pool. Copy each sequence to its place in out, which is B x S x
 * 64. Sequence b has lengths[b] tokens; what is after them in out must stay as it is. Block (j, b), of 128 threads,
 * copies page j of sequence b.
 *
 * Limits at 3x100:
 *   global loads <= 260
 *   sectors / possible sectors of global loads <= 1.1
 *
 * Hint 1: all threads of the block have the same page: read the table once, before the copy.
 *
 * Hint 2: a page is 256 float4, and the tokens that it has follow each other.
 *
 * Hint 3: from the last page copy 16 float4 for each token that the sequence still has: min(16, length - 16 j) tokens.
 *
 * After a pass:
 * The table costs one read per page, the same for all lanes, and the page itself is copied as if there were no table.
 * So a page should be as large as a step of the kernel that reads it. Next: only the last page needs a bounds check;
 * the others can do without.
 */
#include "lab.h"

enum { PAGE = 16, WIDTH = 64 };

__global__ void pages_kernel(const float *pool, const int *table, const int *lengths, float *out, int columns, int S)
{
    const int j = blockIdx.x, b = blockIdx.y, t = threadIdx.x, length = lengths[b];
    if (j * PAGE >= length)
        return;
    // TODO(ex24): copy the tokens of page j of sequence b to out (about 5 lines)
    // >>> answer
    // stub: out[((size_t)b * S + j) * WIDTH + t] = pool[table[b * columns + j]];
    const float4 *from = (const float4 *)(pool + (size_t)table[b * columns + j] * PAGE * WIDTH);
    float4 *to = (float4 *)(out + ((size_t)b * S + j * PAGE) * WIDTH);
    const int pieces = min((int)PAGE, length - j * PAGE) * WIDTH / 4;
    for (int i = t; i < pieces; i += 128)
        to[i] = from[i];
    // <<< answer
}

static const LabRung rungs[] = {{1, "page by page", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    const size_t B = c->dim[0], S = c->dim[1], columns = (S + PAGE - 1) / PAGE;
    if (B > 65535 || S > 1u << 20)
        return "at most 65535 sequences of 1048576 tokens";
    lab_input(c, 0, B * columns * PAGE * WIDTH, LAB_F32);
    int *table = (int *)lab_input(c, 1, B * columns, LAB_S32), *lengths = (int *)lab_input(c, 2, B, LAB_S32);
    lab_output(c, B * S * WIDTH, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    for (size_t i = 0; i < B * columns; i++) { /* a shuffled deck */
        const size_t k = random_u64(c->seed + 7, i) % (i + 1);
        table[i] = table[k];
        table[k] = (int)i;
    }
    for (size_t b = 0; b < B; b++)
        lengths[b] = b ? (int)(random_u64(c->seed + 8, b) % (S + 1)) : (int)S;
    c->out_width = WIDTH;
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t S = c->dim[1], columns = (S + PAGE - 1) / PAGE;
    for (size_t i = 0; i < c->out_count; i++) {
        const size_t d = i % WIDTH, n = i / WIDTH % S, b = i / WIDTH / S;
        const size_t page = (size_t)lab_h_in_s32(c, 1)[b * columns + n / PAGE];
        c->expect[i] = n < (size_t)lab_h_in_s32(c, 2)[b] ? lab_h_in_f32(c, 0)[(page * PAGE + n % PAGE) * WIDTH + d]
                                                         : lab_untouched();
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    const unsigned B = (unsigned)c->dim[0], columns = (unsigned)(c->dim[1] + PAGE - 1) / PAGE;
    if (B > 0 && columns > 0)
        pages_kernel<<<dim3(columns, B), 128, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_s32(c, 1), lab_in_s32(c, 2),
                                                              lab_out_f32(c), (int)columns, (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

static const Lab lab = {
    .name = "ex24_page_table",
    .title = "a table that costs one read per page",
    .dims = "B S",
    .size = "64x8192",
    .cpu_size = "8x500",
    .test_sizes = "3x100 1x1 2x16 5x37 0x10",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
