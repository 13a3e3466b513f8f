/* What one block of the Hopper ladder does, cycle by cycle, by the clock of its multiprocessor: three rungs of
 * `hopper`, the kernels themselves, with a stamp of the clock beside each instruction that waits, fetches, multiplies
 * or stores (hopper/stamps.cuh).
 *
 *   ring         rung 4: from a slot asked for to its bytes, its products, and back
 *   persistent   rung 5: both consumers reach the end of a tile together, and while they store nothing is multiplied
 *   ping-pong    rung 11: one stores while the other multiplies
 *
 * ./run hopper_clocks --csv FILE writes every stamp; the pictures of hopper.md are drawn from that file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "hopper.cuh"
#include "lab.h"
#include "side_csv.h"
#include "table.h"

#ifndef __CUCC__
#include "hopper/stamps.cuh"

#include "hopper/03_ring.cuh"
#include "hopper/05_persistent.cuh"
#include "hopper/11_ping_pong.cuh"

enum { ROWS = 8192, DEPTH = 1024, STEPS = DEPTH / 64 };

static Stamp got[STAMP_TRACKS][STAMP_MOST];

static int count_of(int track)
{
    int n = 0;
    while (n < STAMP_MOST && got[track][n].what != STAMP_NONE)
        n++;
    return n;
}

/* The address of slot 0's full barrier: the first copy goes there. The empty ones follow, then the turns'. */
static uint32_t full_barriers(void)
{
    int i = 0;
    while (i < STAMP_MOST - 1 && got[2][i].what != STAMP_FILL)
        i++;
    return got[2][i].bar;
}

/* The stamps as rows of the CSV, cycles counted from the first one. */
static void write_stamps(FILE *csv, const char *kernel, int stages)
{
    static const char *const tracks[] = {"consumer 0", "consumer 1", "producer", "watcher"};
    static const char *const events[] = {"",     "wait",         "got",    "fill",  "landed", "multiply",
                                         "done", "done but one", "arrive", "store", "stored"};
    const uint32_t full = full_barriers();
    long long first = got[2][0].cycle;
    for (int t = 0; t < STAMP_TRACKS; t++)
        if (count_of(t) && got[t][0].cycle < first)
            first = got[t][0].cycle;
    for (int t = 0; t < STAMP_TRACKS; t++)
        for (int i = 0; i < count_of(t); i++) {
            const Stamp *s = &got[t][i];
            const int number = (int)(s->bar - full) / 8;
            fprintf(csv, "%s,%s,%s,", kernel, tracks[t], events[s->what]);
            if (!s->bar)
                fputs(",", csv);
            else if (number < 2 * stages)
                fprintf(csv, "%s %d,", number < stages ? "full" : "empty", number % stages);
            else
                fprintf(csv, "turn %d,", number - 2 * stages);
            fprintf(csv, "%lld\n", s->cycle - first);
        }
}

/* The part of the time, from the first product to the last, in which neither consumer has one under way; of each
 * consumer's first `tiles` tiles. */
static double rests(int tiles, long long *all)
{
    struct {
        long long from, to;
    } tile[2 * STAMP_MOST];
    int n = 0;
    for (int g = 0; g < 2; g++) {
        long long from = 0;
        for (int i = 0; i < count_of(g) && n < tiles * (g + 1); i++) {
            if (got[g][i].what == STAMP_MULTIPLY && !from)
                from = got[g][i].cycle;
            if (got[g][i].what == STAMP_DONE && from) {
                tile[n].from = from, tile[n++].to = got[g][i].cycle;
                from = 0;
            }
        }
    }
    long long rest = 0, end = 0;
    for (int done = 0; done < n; done++) { /* by their beginnings */
        int next = done;
        for (int i = done; i < n; i++)
            next = tile[i].from < tile[next].from ? i : next;
        const auto swap = tile[done];
        tile[done] = tile[next], tile[next] = swap;
        rest += done && tile[done].from > end ? tile[done].from - end : 0;
        end = tile[done].to > end ? tile[done].to : end;
    }
    *all = n ? end - tile[0].from : 1;
    return (double)rest / (double)*all;
}

/* A slot is asked for again only after it was handed back: by both consumers where they share a tile, else by one. */
static int slots_in_order(int stages, int readers)
{
    int fills[16] = {0}, in_order = 1;
    const uint32_t full = full_barriers();
    long long recorded = INT64_MAX; /* a track that is full says nothing of what comes after it */
    for (int g = 0; g < 2; g++)
        if (count_of(g) == STAMP_MOST && got[g][STAMP_MOST - 1].cycle < recorded)
            recorded = got[g][STAMP_MOST - 1].cycle;
    for (int i = 0; i < count_of(2); i++) {
        if (got[2][i].what != STAMP_FILL || got[2][i].cycle > recorded)
            continue;
        int back = 0;
        for (int g = 0; g < 2; g++)
            for (int j = 0; j < count_of(g); j++)
                back += got[g][j].what == STAMP_ARRIVE && got[g][j].bar == got[2][i].bar + 8u * (unsigned)stages &&
                        got[g][j].cycle <= got[2][i].cycle;
        in_order &= back >= readers * fills[(got[2][i].bar - full) / 8 % 16]++;
    }
    return in_order;
}

static int right(const HopperGemm *p, const uint16_t *A, const uint16_t *B)
{
    for (int i = 0; i < 32; i++) {
        const size_t m = (size_t)i * 7919 % ROWS, n = (size_t)i * 6007 % ROWS;
        uint16_t c;
        CUDA_CHECK(cudaMemcpy(&c, (const uint16_t *)p->C + m * ROWS + n, sizeof c, cudaMemcpyDeviceToHost));
        double sum = 0;
        for (int k = 0; k < DEPTH; k++)
            sum += (double)bf16_to_float(A[m * DEPTH + k]) * bf16_to_float(B[n * DEPTH + k]);
        if (!(fabs(bf16_to_float(c) - sum) <= 1e-3 + fabs(sum) / 256))
            return 0;
    }
    return 1;
}

typedef struct Recorded {
    const char *name;
    const char *(*launch)(const HopperGemm *p);
    int stages, readers, block; /* readers of a slot; the block that is recorded */
} Recorded;

static const char *ring(const HopperGemm *p) { return hopper3_launch<128, 256, 4>(p, 0); }
static const char *persistent(const HopperGemm *p)
{
    return hopper5_launch<128, 256, 4>(p, device_multiprocessors(), 1, NULL, 0);
}
static const char *ping_pong(const HopperGemm *p)
{
    return ping_pong_launch<Bf16, 128, 6, 1, 1>(p, device_multiprocessors(), 16, 256, 0);
}

/* Runs one rung twice, for its code to be there, and once with the stamps kept. */
static int record(const Recorded *r, const HopperGemm *p, const uint16_t *A, const uint16_t *B, FILE *csv, Table *t)
{
    CUDA_CHECK(cudaMemcpyToSymbol(stamped_block, &r->block, sizeof r->block));
    for (int run = 0; run < 3; run++) {
        memset(got, 0, sizeof got);
        CUDA_CHECK(cudaMemcpyToSymbol(stamps, got, sizeof got));
        CUDA_CHECK(cudaMemset(p->C, 0xff, (size_t)ROWS * ROWS * 2));
        const char *why = r->launch(p);
        if (why)
            die("%s", why);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    CUDA_CHECK(cudaMemcpyFromSymbol(got, stamps, sizeof got));
    if (csv)
        write_stamps(csv, r->name, r->stages);
    long long all;
    const double rest = rests(3, &all);
    table_cell(t, "%s", r->name);
    table_cell(t, "%lld", all);
    table_cell(t, "%.1f %%", 100 * rest);
    return lab_claim(right(p, A, B), "%s: the product is right with the stamps in it", r->name) |
           lab_claim(slots_in_order(r->stages, r->readers), "%s: a slot is filled again only when it was handed back",
                     r->name);
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
    const Recorded recorded[] = {
        {"ring", ring, 4, 2, ROWS / 128 * (ROWS / 256) / 2}, /* in the middle of the run */
        {"persistent", persistent, 4, 2, 0},
        {"ping-pong", ping_pong, 6, 1, 0},
    };
    const size_t operand = (size_t)ROWS * DEPTH;
    uint16_t *h[2];
    void *A, *B, *C;
    CUDA_CHECK(cudaMalloc(&A, 2 * operand));
    CUDA_CHECK(cudaMalloc(&B, 2 * operand));
    CUDA_CHECK(cudaMalloc(&C, (size_t)ROWS * ROWS * 2));
    for (int k = 0; k < 2; k++) {
        h[k] = (uint16_t *)malloc(2 * operand);
        if (!h[k])
            die("out of memory");
        for (size_t i = 0; i < operand; i++)
            h[k][i] = bf16_from_float((float)(2 * random_uniform(options->seed + (uint64_t)k, i) - 1));
        CUDA_CHECK(cudaMemcpy(k ? B : A, h[k], 2 * operand, cudaMemcpyHostToDevice));
    }
    const HopperGemm p = {A, B, C, ROWS, ROWS, DEPTH, DEPTH, DEPTH, ROWS};
    Table *t = table_new("kernel|>cycles of the tiles recorded|>without a product running");
    FILE *csv = side_csv(options, NULL, "kernel,track,event,barrier,cycle");
    for (int i = 0; i < LAB_COUNT(recorded); i++)
        failed |= record(&recorded[i], &p, h[0], h[1], csv, t);
    lab_close(csv);
    printf("\n    One block of %d x %d x %d, by its multiprocessor's clock\n", ROWS, ROWS, DEPTH);
    table_print(t, stdout, 4);
    table_free(t);
    free(h[0]), free(h[1]);
    CUDA_CHECK(cudaFree(A));
    CUDA_CHECK(cudaFree(B));
    CUDA_CHECK(cudaFree(C));
#endif
    return failed;
}

static const Lab lab = {
    .order = 13,
    .name = "hopper_clocks",
    .title = "what a block of the Hopper ladder does, cycle by cycle",
    .page = "hopper.md",
    .look = "The table shows how much of the time no product is running: while a persistent block stores a tile, and\n"
            "when its consumers take turns.",
    .show = show,
};

LAB_MAIN(lab)
