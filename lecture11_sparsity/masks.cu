/* Four ways to prune one matrix, as pictures: single elements, 2 of every 4, 4 x 4 blocks, whole rows.
 *
 * The matrix is smooth on purpose (rows and columns of different size, some noise), as weights are: a random one would
 * look the same under every mask. The more a mask is bound to a structure, the less energy (sum of squares) it keeps
 * at the same sparsity, and the faster the hardware runs it: that trade is the whole lecture.
 *
 *   ./run masks                  the pictures as text, and the energy each keeps at 50 % and 90 %
 *   ./run masks --plot=BASE      BASE.svg and BASE.png, by gnuplot
 *
 * A kernel applies the mask, as training with a mask does at every step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "plot.h"
#include "side_csv.h"
#include "sparse.h"
#include "table.h"

enum { ROWS = 64, COLUMNS = 128, KINDS = 4 };
static const char *const kind_name[KINDS] = {"single elements", "2 of 4", "4 x 4 blocks", "whole rows"};

__global__ void apply_mask_kernel(float *w, const unsigned char *mask, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        w[i] = mask[i] ? w[i] : 0; /* not w * mask: NaN and infinity would survive a mask of 0 */
}

/* Returns 0 where the kind has no mask of that sparsity: 2 of 4 is 50 %, and nothing else. */
static int make_mask(const float *w, int kind, double sparsity, uint8_t *mask)
{
    int failed = 0;
    switch (kind) {
    case 0: failed = mask_unstructured(w, ROWS, COLUMNS, sparsity, mask); break;
    case 1:
        if (sparsity != 0.5)
            return 0;
        failed = mask_n_of_m(w, ROWS, COLUMNS, 2, 4, mask);
        break;
    case 2: failed = mask_blocks(w, ROWS, COLUMNS, 4, sparsity, mask); break;
    default: failed = mask_rows(w, ROWS, COLUMNS, sparsity, mask);
    }
    if (failed)
        die("out of memory");
    return 1;
}

/* The upper left corner of two masks side by side. */
static void picture(const uint8_t *left, const uint8_t *right)
{
    for (int r = 0; r < 16; r++) {
        printf("    ");
        for (int c = 0; c < 32; c++)
            putchar(left[r * COLUMNS + c] ? '#' : '.');
        printf("    ");
        for (int c = 0; right && c < 32; c++)
            putchar(right[r * COLUMNS + c] ? '#' : '.');
        putchar('\n');
    }
}

/* The matrix that is masked, and its masks at each share of zeros. */
enum { SHARES = 2 };
static const double shares[SHARES] = {0.5, 0.9};
typedef struct Masked {
    float w[ROWS * COLUMNS];
    uint8_t mask[SHARES][KINDS][ROWS * COLUMNS];
    double energy[SHARES][KINDS];
} Masked;

/* Weights whose rows, columns and regions differ in size, as a trained matrix's do. */
static void make_weights(float *w, uint64_t seed)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            double row = 0.3 + random_uniform(seed + 1, (uint64_t)r),
                   column = 0.3 + random_uniform(seed + 2, (uint64_t)c);
            double x = 2 * random_uniform(seed + 3, (uint64_t)(r * COLUMNS + c)) - 1;
            double wave = 0.6 + 0.4 * sin(0.35 * r) * sin(0.3 * c);
            w[r * COLUMNS + c] = (float)(row * column * wave * x);
        }
}

/* The same on the device: in how many elements what the kernel leaves is not what the mask says. */
static size_t wrong_on_device(const float *w, const uint8_t *mask)
{
    static float out[ROWS * COLUMNS];
    float *d_w;
    unsigned char *d_mask;
    CUDA_CHECK(cudaMalloc(&d_w, sizeof out));
    CUDA_CHECK(cudaMalloc(&d_mask, ROWS * COLUMNS));
    CUDA_CHECK(cudaMemcpy(d_w, w, sizeof out, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_mask, mask, ROWS * COLUMNS, cudaMemcpyHostToDevice));
    apply_mask_kernel<<<(ROWS * COLUMNS + 255) / 256, 256>>>(d_w, d_mask, ROWS * COLUMNS);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(out, d_w, sizeof out, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_w));
    CUDA_CHECK(cudaFree(d_mask));
    size_t wrong = 0;
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        wrong += out[i] != (mask[i] ? w[i] : 0);
    return wrong;
}

/* One mask: made, measured, and tried on the device; two cells of the table and a line of the CSV. */
static int show_mask(Masked *m, int k, int s, Table *t, FILE *csv)
{
    static const size_t unit[KINDS] = {1, 1, 16, COLUMNS}; /* a block or a row stays or goes as a whole */
    uint8_t *mask = m->mask[s][k];
    if (!make_mask(m->w, k, shares[s], mask)) {
        table_cell(t, "%s", ""), table_cell(t, "%s", "");
        return 0;
    }
    size_t kept = 0;
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        kept += mask[i];
    m->energy[s][k] = mask_energy(m->w, ROWS * COLUMNS, mask);
    table_cell(t, "%zu", kept), table_cell(t, "%.1f %%", 100 * m->energy[s][k]);
    if (csv)
        fprintf(csv, "%s,%g,%zu,%.4f\n", kind_name[k], shares[s], kept, m->energy[s][k]);
    const size_t wrong = wrong_on_device(m->w, mask);
    const size_t units = ROWS * COLUMNS / unit[k], dropped = (size_t)(shares[s] * (double)units + 1e-9);
    return lab_claim(wrong == 0, "%s at %g %%: the kernel leaves %zu elements wrong", kind_name[k], 100 * shares[s],
                     wrong) +
           lab_claim(kept == (units - dropped) * unit[k], "%s at %g %%: %zu elements kept", kind_name[k],
                     100 * shares[s], kept);
}

/* The four masks beside each other, 32 rows and columns of each. Returns 1 if it cannot draw them. */
static int draw_masks(const Masked *m, const char *base)
{
    static double x[KINDS][ROWS * COLUMNS], y[KINDS][ROWS * COLUMNS];
    PlotSeries series[KINDS];
    for (int k = 0; k < KINDS; k++) {
        int n = 0;
        for (int r = 0; r < 32; r++)
            for (int c = 0; c < 32; c++)
                if (m->mask[0][k][r * COLUMNS + c])
                    x[k][n] = c + 36.0 * k, y[k][n++] = 31 - r;
        series[k] = {kind_name[k], x[k], y[k], n, 1};
    }
    Plot plot = {};
    plot.title = "four masks of one matrix, 50 %";
    plot.xlabel = "the upper left 32 x 32 of each", plot.ylabel = "",
    plot.extra = "set pointsize 0.45\nset size ratio -1\nunset tics\nset key below";
    plot.series = series, plot.count = KINDS;
    return plot_lines(&plot, base[0] ? base : NULL) != 0;
}

static int show(const LabOptions *options)
{
    static Masked m;
    int failed = 0;
    make_weights(m.w, options->seed);
    Table *t = table_new("mask|>kept at 50 %|>energy|>kept at 90 %|>energy");
    FILE *csv = side_csv(options, "energy", "mask,sparsity,kept,energy");
    for (int k = 0; k < KINDS; k++) {
        table_cell(t, "%s", kind_name[k]);
        for (int s = 0; s < SHARES; s++)
            failed += show_mask(&m, k, s, t, csv);
    }
    if (!lab_brief()) {
        printf("\n    %-32s    %-32s\n", "single elements, 50 %", "2 of 4");
        picture(m.mask[0][0], m.mask[0][1]);
        printf("\n    %-32s    %-32s\n", "4 x 4 blocks, 50 %", "whole rows, 50 %");
        picture(m.mask[0][2], m.mask[0][3]);
    }
    printf("\n    energy kept (share of the sum of squares), %d x %d\n", ROWS, COLUMNS);
    table_print(t, stdout, 4);
    table_free(t);
    puts("    (2 of 4 is always 50 %: the price of a format that the hardware knows)");
    lab_close(csv);
    const double *energy = m.energy[0];
    failed += lab_claim(energy[0] >= energy[1] && energy[1] >= energy[2] && energy[2] >= energy[3],
                        "at 50 %% a stricter structure does not keep more energy");
    return failed + (options->plot ? draw_masks(&m, options->plot) : 0);
}

static const Lab lab = {
    .order = 1,
    .name = "masks",
    .title = "four ways to drop half of a matrix",
    .look = "The stricter the rule, the more of the large weights must go. The table says how much of the\n"
            "energy is kept at the same number of zeros; ./run masks shows the masks.",
    .show = show,
};
LAB_MAIN(lab)
