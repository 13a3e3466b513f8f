/* How fast can the sparse tensor cores of a Hopper GPU go? A sparse wgmma does the work of two dense ones in the time
 * of one, but reads as much of B as two: 16 KB of shared memory for 64 x 256 x 32, and 2 KB of A. At 128 bytes per
 * cycle that is 144 cycles, and the tensor cores need 128. So shared memory is the limit before anything is fetched;
 * and what TMA writes there takes its share too.
 */
#include "hopper.cuh"
#include "lab.h"
#include "side_csv.h"
#include "table.h"

#ifndef __CUCC__
#include "../lecture14_tiling/hopper/ceiling.cuh"
#endif

#ifndef __CUCC__
static void row(Table *t, const char *what, int N, const char *data, Ceiling c, int a_bytes = 64 * 32)
{
    table_cell(t, "%s", what);
    table_cell(t, "%d", N);
    table_cell(t, "%s", data);
    table_cell(t, "%.1f", c.cycles);
    table_cell(t, "%d", N / 2);
    table_cell(t, "%d", (N * 64 + a_bytes) / 128);
    table_cell(t, "%.0f", c.mhz);
    table_cell(t, "%.0f", c.tflops);
}
#endif

static int show(const LabOptions *options)
{
    (void)options; /* without a GPU nothing below is there */
    const char *why = device_is_cpu() ? "needs a Hopper GPU: it counts that GPU's cycles" : hopper_here();
    if (why) {
        printf("    skipped: %s\n", why);
        return 0;
    }
    int failed = 0;
#ifndef __CUCC__
    const double s = options->verify_only ? 0.01 : 0.25; /* seconds per row */
    Table *t = table_new(
        "operands|>N|data|>cycles per wgmma|>least for the unit|>least for shared memory|>MHz|>TFLOP/s as dense");
    const Ceiling n256 = ceiling_run<256, 1, 1, 0, 0, 1>(CEILING_RANDOM, 2 * s);
    row(t, "A and B in shared memory", 64, "random", ceiling_run<64, 1, 1, 0, 0, 1>(CEILING_RANDOM, s));
    row(t, "A and B in shared memory", 128, "random", ceiling_run<128, 2, 1, 0, 0, 1>(CEILING_RANDOM, s));
    row(t, "A and B in shared memory", 192, "random", ceiling_run<192, 2, 1, 0, 0, 1>(CEILING_RANDOM, s));
    row(t, "A and B in shared memory", 256, "random", n256);
    row(t, "A and B in shared memory", 256, "zeros", ceiling_run<256, 1, 1, 0, 0, 1>(CEILING_ZEROS, s));
    row(t, "A in registers from the beginning", 256, "random",
        ceiling_run<256, 1, 1, CEILING_A_REGISTERS, 0, 1>(CEILING_RANDOM, s), 0);
    row(t, "A by ldmatrix", 256, "random", ceiling_run<256, 1, 1, CEILING_A_LDMATRIX, 0, 1>(CEILING_RANDOM, s));
    row(t, "A by ldmatrix for 2 x 192 columns", 192, "random",
        ceiling_run<192, 1, 1, CEILING_A_LDMATRIX, 0, 1, 2>(CEILING_RANDOM, s), 64 * 16);
    row(t, "A from global memory", 256, "random", ceiling_run<256, 1, 1, CEILING_A_GLOBAL, 0, 1>(CEILING_RANDOM, s), 0);
    row(t, "128 x 256 tiles by TMA", 256, "random", ceiling_run<256, 1, 1, 0, 1, 1>(CEILING_RANDOM, s));
    row(t, "and multicast to 2 blocks", 256, "random", ceiling_run<256, 1, 1, 0, 1, 2>(CEILING_RANDOM, s));
    row(t, "and multicast; A by ldmatrix", 256, "random",
        ceiling_run<256, 1, 1, CEILING_A_LDMATRIX, 1, 2>(CEILING_RANDOM, s));
    row(t, "2 x 192 and multicast; A by ldmatrix", 192, "random",
        ceiling_run<192, 1, 1, CEILING_A_LDMATRIX, 1, 2, 2>(CEILING_RANDOM, s), 64 * 16);
    row(t, "256 x 192 tiles by TMA", 192, "random", ceiling_run<192, 2, 1, 0, 1, 1>(CEILING_RANDOM, s));
    row(t, "and multicast to 2 blocks", 192, "random", ceiling_run<192, 2, 1, 0, 1, 2>(CEILING_RANDOM, s));
    row(t, "and multicast to 2 blocks", 192, "zeros", ceiling_run<192, 2, 1, 0, 1, 2>(CEILING_ZEROS, s));
    printf("\n");
    table_print(t, stdout, 4);
    side_table(options, NULL, t);
    table_free(t);
    if (options->verify_only) /* a test, perhaps beside others: its times claim nothing */
        return failed;
    failed |= lab_claim(n256.cycles > 140 && n256.cycles < 152,
                        "N = 256 takes the 144 cycles of shared memory, not the unit's 128");
#endif
    return failed;
}

static const Lab lab = {
    .order = 9,
    .name = "wgmma_sp_ceiling",
    .title = "how fast the sparse tensor cores go, and what limits them: shared memory",
    .page = "hopper.md",
    .look =
        "Power limits the dense instruction, and the bytes of B that it reads limit the sparse one: compare the two\n"
        "columns of least cycles with the measured one.",
    .show = show,
};

LAB_MAIN(lab)
