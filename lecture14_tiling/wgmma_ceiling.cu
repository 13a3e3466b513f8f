/* How fast can the dense tensor cores of a Hopper GPU go? Measured before any kernel is tuned, so that each rung of the
 * `hopper` lab can be read as a share of what is possible.
 *
 *   - the instruction alone: every N, with A from shared memory and from registers; its time in cycles
 *   - what the bits cost: the same loop on zeros, on a constant, on random data
 *   - with the copy engine at work beside it: tiles of 128 x 256 and 256 x 192, alone and with multicast
 *
 * Cycles per wgmma say whether the tensor cores waited. If they did not, and TFLOP/s are still short of the data sheet,
 * it is the clock: the power limit lowers it until the chip draws what it may.
 */
#include "hopper.cuh"
#include "lab.h"
#include "side_csv.h"
#include "table.h"

#ifndef __CUCC__
#include "hopper/ceiling.cuh"
#endif

#ifndef __CUCC__
static void row(Table *t, const char *what, int N, const char *data, Ceiling c)
{
    const double least = N / 2.0; /* 64 x N x 16 products at 2048 per cycle */
    table_cell(t, "%s", what);
    table_cell(t, "%d", N);
    table_cell(t, "%s", data);
    table_cell(t, "%.1f", c.cycles);
    table_cell(t, "%.1f %%", 100 * least / c.cycles);
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
    Table *t = table_new("operands|>N|data|>cycles per wgmma|>of the unit|>MHz|>TFLOP/s");
    const Ceiling n256 = ceiling_run<256, 1, 0, 0, 0, 1>(CEILING_RANDOM, 3 * s);
    row(t, "A and B in shared memory", 32, "random", ceiling_run<32, 1, 0, 0, 0, 1>(CEILING_RANDOM, s));
    row(t, "A and B in shared memory", 64, "random", ceiling_run<64, 1, 0, 0, 0, 1>(CEILING_RANDOM, s));
    row(t, "A and B in shared memory", 128, "random", ceiling_run<128, 1, 0, 0, 0, 1>(CEILING_RANDOM, s));
    row(t, "A and B in shared memory", 192, "random", ceiling_run<192, 2, 0, 0, 0, 1>(CEILING_RANDOM, s));
    row(t, "A and B in shared memory", 256, "random", n256);
    row(t, "A in registers", 64, "random", ceiling_run<64, 1, 0, 1, 0, 1>(CEILING_RANDOM, s));
    row(t, "A in registers", 256, "random", ceiling_run<256, 1, 0, 1, 0, 1>(CEILING_RANDOM, s));
    const Ceiling zeros = ceiling_run<256, 1, 0, 0, 0, 1>(CEILING_ZEROS, s);
    row(t, "A and B in shared memory", 256, "constant", ceiling_run<256, 1, 0, 0, 0, 1>(CEILING_CONSTANT, s));
    row(t, "A and B in shared memory", 256, "zeros", zeros);
    row(t, "128 x 256 tiles by TMA", 256, "random", ceiling_run<256, 1, 0, 0, 1, 1>(CEILING_RANDOM, s));
    row(t, "and multicast to 2 blocks", 256, "random", ceiling_run<256, 1, 0, 0, 1, 2>(CEILING_RANDOM, s));
    row(t, "256 x 192 tiles by TMA", 192, "random", ceiling_run<192, 2, 0, 0, 1, 1>(CEILING_RANDOM, s));
    row(t, "and multicast to 2 blocks", 192, "random", ceiling_run<192, 2, 0, 0, 1, 2>(CEILING_RANDOM, s));
    row(t, "256 x 128 tiles by TMA", 128, "random", ceiling_run<128, 2, 0, 0, 1, 1>(CEILING_RANDOM, s));
    row(t, "and multicast to 2 blocks", 128, "random", ceiling_run<128, 2, 0, 0, 1, 2>(CEILING_RANDOM, s));
    printf("\n");
    table_print(t, stdout, 4);
    side_table(options, NULL, t);
    table_free(t);
    const int twos = ceiling_clusters<2>(), fours = ceiling_clusters<4>();
    FILE *csv = side_csv(options, "clusters", "multiprocessors,blocks_in_a_cluster,clusters_at_one_time");
    if (csv) {
        fprintf(csv, "%d,2,%d\n%d,4,%d\n", device_multiprocessors(), twos, device_multiprocessors(), fours);
        lab_close(csv);
    }
    printf("\n    Clusters with one block per multiprocessor that fit at one time: %d of two blocks, %d of four. What "
           "does "
           "not fit\n"
           "    waits, and a grid of one block per multiprocessor then takes twice as long.\n",
           twos, fours);
    if (options->verify_only) /* a test, perhaps beside others: its times claim nothing */
        return failed;
    failed |=
        lab_claim(n256.cycles < 1.02 * 128, "wgmma without copies keeps the tensor cores busy: 128 cycles for N = 256");
    failed |= lab_claim(zeros.mhz > n256.mhz, "zeros leave the clock higher than random data");
#endif
    return failed;
}

static const Lab lab = {
    .order = 10,
    .name = "wgmma_ceiling",
    .title = "how fast the dense tensor cores go, and what limits them: power",
    .page = "hopper.md",
    .look =
        "Cycles per wgmma do not change with the data; the clock does. The last rows are what a kernel can hope for.",
    .show = show,
};

LAB_MAIN(lab)
