/* y = x W^T with four-bit weights, for a few rows of x: what a language model does for each token that it writes.
 *
 * x is M x K and y M x N in bf16; W is N x K: four-bit codes, with one scale and one zero point per 128 elements of a row
 * (w4a16/problem.cuh). Each weight is used M times, 2 M operations for half a byte: up to about 32 rows the time is
 * that of reading the weights, a quarter of what they take in bf16.
 *
 *   rung                 idea                                                          ./run w4a16 --rung N
 *   1  naive             one thread per element of y
 *   2  one warp per row  neighbouring lanes read neighbouring words, each weight is unpacked once for eight rows of x
 *   3  tensor cores      two weights per mask and subtraction, in the order of mma.sync, which was prepared before
 *   4  split K           the blocks of a cluster have parts of K, so that all multiprocessors read
 *   5  ring              the copy engine reads ahead: most of the weights are in flight from the beginning
 *   6  whole rows        half the rows per block and all of K: no block waits for another one's sums
 *   7  fewer             codes as subnormal numbers, and addresses that are kept: a quarter fewer instructions
 *   8  wgmma             the products of 64 rows of W at a time, x straight from shared memory
 *   9  dependent launch  in a row of layers, weights are requested before the layer before has ended
 *  10  cuBLASLt          the yardstick, on the same weights in bf16: four times the bytes
 *
 * K is a multiple of 128. After the ladder, `read` times two kernels that only read the same bytes: by ordinary loads, and
 * with the blocks, threads and shared memory of rung 6. They are the limit. `layers` times rows of layers with weights of
 * their own, as one CUDA graph each: there the next layer's start is part of the time.
 */
#include <math.h>
#include <stdlib.h>

#include "device.h"
#include "lab.h"
#include "product.h"
#include "side_csv.h"
#include "stats.h"
#include "vendor.h"

#include "w4a16/01_naive.cuh"
#include "w4a16/02_warp_per_row.cuh"
#include "w4a16/layers.cuh"

typedef const char *Rung(const W4a16 *p, cudaStream_t stream);

enum { X, CODES, SCALES, ZEROS, UNITS, WIDE_UNITS, DENSE /* W in bf16, for the yardstick */ };

static void w4a16_cpu(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    const uint32_t *codes = lab_h_in_u32(c, CODES);
#pragma omp parallel for schedule(dynamic)
    for (size_t n = 0; n < N; n++) {
        double *row = (double *)malloc(sizeof(double) * (K + 1));
        for (size_t k = 0; k < K; k++) {
            const size_t at = n * K + k, group = at / GROUP;
            const int code = (int)(codes[at / 8] >> at % 8 * 4 & 15);
            row[k] = (double)bf16_to_float(lab_h_in_u16(c, SCALES)[group]) * (code - lab_h_in_u8(c, ZEROS)[group]);
        }
        for (size_t m = 0; m < M; m++) {
            double sum = 0;
            for (size_t k = 0; k < K; k++)
                sum += row[k] * (double)bf16_to_float(lab_h_in_u16(c, X)[m * K + k]);
            c->expect[m * N + n] = sum;
        }
        free(row);
    }
}

static const LabRung rungs[] = {
    {1, "naive", LAB_LAUNCH(Rung, w4a16_1), LAB_BF16, 0, 0},
    {2, "one warp per row", LAB_LAUNCH(Rung, w4a16_2), LAB_BF16, 0, 0},
    {3, "tensor cores", LAB_LAUNCH(Rung, w4a16_3), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {4, "split K", LAB_LAUNCH(Rung, w4a16_4), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {5, "ring", LAB_LAUNCH(Rung, w4a16_5), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {6, "whole rows", LAB_LAUNCH(Rung, w4a16_6), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {7, "fewer instructions", LAB_LAUNCH(Rung, w4a16_7), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {8, "wgmma", LAB_LAUNCH(Rung, w4a16_8), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {9, "dependent launch", LAB_LAUNCH(Rung, w4a16_9), LAB_BF16, LAB_NEEDS_SM90A, 0},
    {10, "cuBLASLt", NULL, LAB_BF16, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

static const char *setup(LabCase *c)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2], groups = K / GROUP;
    if (K == 0 || K % GROUP)
        return "K is a multiple of 128: whole groups";
    if (M > 65535 || N > 1u << 24 || K > 1u << 20)
        return "at most 65535 rows of x, 16777216 of W and 1048576 columns";
    lab_input(c, X, M * K, LAB_BF16);
    lab_input(c, CODES, N * K / 8, LAB_S32);
    lab_input(c, SCALES, N * groups, LAB_BF16);
    lab_input(c, ZEROS, N * groups, LAB_U8);
    lab_input(c, UNITS, units_of(N, K) * UNIT_BYTES, LAB_U8);
    lab_output(c, M * N, LAB_BF16);
    lab_fill_uniform(c, X, -1, 1);
    lab_fill_uniform(c, SCALES, 0.01, 0.1);
    uint32_t *codes = lab_h_in_u32(c, CODES);
    lab_input(c, WIDE_UNITS, wide_units_of(N, K) * UNIT_BYTES, LAB_U8);
    uint8_t *zeros = lab_h_in_u8(c, ZEROS), *units = lab_h_in_u8(c, UNITS), *wide = lab_h_in_u8(c, WIDE_UNITS);
    const size_t wide_groups = (K + WIDE_COLUMNS - 1) / WIDE_COLUMNS;
    const uint16_t *scales = lab_h_in_u16(c, SCALES);
    for (size_t i = 0; i < N * K / 8; i++)
        codes[i] = (uint32_t)random_u64(c->seed + CODES, i);
    for (size_t i = 0; i < N * groups; i++)
        zeros[i] = (uint8_t)(random_u64(c->seed + ZEROS, i) % 17);
#pragma omp parallel for
    for (size_t unit = 0; unit < units_of(N, K); unit++)
        pack_unit(units + unit * UNIT_BYTES, codes, scales, zeros, unit / groups * UNIT_ROWS, unit % groups * GROUP,
                  UNIT_ROWS, N, K);
#pragma omp parallel for
    for (size_t unit = 0; unit < wide_units_of(N, K); unit++)
        pack_unit(wide + unit * UNIT_BYTES, codes, scales, zeros, unit / wide_groups * WIDE_ROWS,
                  unit % wide_groups * WIDE_COLUMNS, WIDE_ROWS, N, K);
#ifndef __CUCC__
    if (!lab_options()->no_vendor) {
        uint16_t *dense = (uint16_t *)lab_input(c, DENSE, N * K, LAB_BF16);
#pragma omp parallel for
        for (size_t i = 0; i < N * K; i++)
            dense[i] = bf16_from_float(bf16_to_float(scales[i / GROUP]) *
                                       (float)((int)(codes[i / 8] >> i % 8 * 4 & 15) - zeros[i / GROUP]));
    }
#endif
    c->out_width = N;
    /* The yardstick's weights are rounded to 8 bits, and it may add parts of K in bf16: errors of 2^-9 of a weight and of
     * a part, which grow like the square root of K. Ours are exact, and the result is rounded once. */
    c->atol = 0.004 * sqrt((double)K);
    c->rtol = 1.0 / 256;
    return NULL;
}

static W4a16 problem(const LabCase *c)
{
    return W4a16{lab_in_bf16(c, X),   lab_in_u32(c, CODES), lab_in_bf16(c, SCALES),
                 lab_in_u8(c, ZEROS), lab_in_u8(c, UNITS),  lab_in_u8(c, WIDE_UNITS),
                 lab_out_bf16(c),     (int)c->dim[0],       (int)c->dim[1],
                 (int)c->dim[2]};
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return;
    if (r->flags & LAB_VENDOR) {
        vendor_gemm_lt(c->in[X], c->in[DENSE], c->out, LAB_BF16, LAB_BF16, 1, c->dim[0], c->dim[1], c->dim[2],
                       c->stream);
        return;
    }
    const W4a16 p = problem(c);
    const char *why = r->flags & LAB_NEEDS_SM90A ? hopper_here() : NULL;
    if (!why)
        why = ((Rung *)r->launch)(&p, c->stream);
    if (why)
        lab_skip("%s", why);
}

static double bytes(const LabCase *c)
{
    const double M = (double)c->dim[0], N = (double)c->dim[1], K = (double)c->dim[2];
    return N * K / 2 + N * K / GROUP * 3 + 2 * M * K + 2 * M * N;
}

/* Reads `count` times 16 bytes, eight loads of a thread on their way at a time, and keeps nothing. */
__global__ void __launch_bounds__(512) w4a16_read(const uint4 *from, size_t count, unsigned *never)
{
    const size_t threads = (size_t)gridDim.x * 512, t = (size_t)blockIdx.x * 512 + threadIdx.x;
    unsigned bits = 0;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion(); /* for the row of layers; without an effect elsewhere */
#endif
    for (size_t i = t; i < count; i += 8 * threads) {
        uint4 v[8];
#pragma unroll
        for (int j = 0; j < 8; j++)
            v[j] = i + j * threads < count ? from[i + j * threads] : make_uint4(0, 0, 0, 0);
#pragma unroll
        for (int j = 0; j < 8; j++)
            bits |= v[j].x ^ v[j].y ^ v[j].z ^ v[j].w;
    }
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    if (bits == 0x12345678u) /* as good as never; but the compiler cannot leave the loads out */
        *never = bits;
}

static void run_read(void *context)
{
    const LabCase *c = (const LabCase *)context;
    w4a16_read<<<(unsigned)(2 * device_multiprocessors()), 512, 0, c->stream>>>(
        (const uint4 *)c->in[UNITS], c->in_count[UNITS] / 16, (unsigned *)c->out);
    CUDA_CHECK(cudaGetLastError());
}

/* Reads the same units as rung 6 does, with as many blocks, threads and slots; the warps only hand the slots back. */
__global__ void __launch_bounds__((WARPS + 1) * 32, 1) w4a16_read_ring(const uint8_t *from, int units)
{
#ifdef HOPPER_CODE
    enum { SLOTS = WideSmem<1>::STAGES };
    extern __shared__ __align__(128) uint8_t w4a16_units[];
    __shared__ uint64_t full[SLOTS], empty[SLOTS];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == WARPS * 32) {
        for (int s = 0; s < SLOTS; s++) {
            mbarrier_init(shared_address(&full[s]), 1);
            mbarrier_init(shared_address(&empty[s]), SET_WARPS);
        }
        mbarrier_init_fence();
    }
    __syncthreads();
    for (int g = 0; g < units; g++) {
        const int slot = g % SLOTS;
        const uint32_t parity = (uint32_t)(g / SLOTS & 1), bar = shared_address(&full[slot]);
        if (threadIdx.x == WARPS * 32) {
            mbarrier_wait(shared_address(&empty[slot]), parity ^ 1);
            mbarrier_arrive_expect(bar, UNIT_BYTES);
            bulk_load(shared_address(w4a16_units) + slot * UNIT_BYTES,
                      from + ((size_t)blockIdx.x * units + g) * UNIT_BYTES, UNIT_BYTES, bar);
        } else if (warp < WARPS && warp / SET_WARPS == g % SETS) {
            mbarrier_wait(bar, parity);
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                mbarrier_arrive(shared_address(&empty[slot]));
        }
    }
#endif
}

static void run_read_ring(void *context)
{
    const LabCase *c = (const LabCase *)context;
    const int bytes = WideSmem<1>::TOTAL;
    CUDA_CHECK(cudaFuncSetAttribute(w4a16_read_ring, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    w4a16_read_ring<<<(unsigned)((c->dim[1] + WIDE_ROWS - 1) / WIDE_ROWS), (WARPS + 1) * 32, (size_t)bytes,
                      c->stream>>>((const uint8_t *)c->in[WIDE_UNITS],
                                   (int)((c->dim[2] + WIDE_COLUMNS - 1) / WIDE_COLUMNS));
    CUDA_CHECK(cudaGetLastError());
}
static void run_ring(void *context) { run(&rungs[4], (LabCase *)context); }
static void run_whole(void *context) { run(&rungs[5], (LabCase *)context); }
static void run_fewer(void *context) { run(&rungs[6], (LabCase *)context); }
static void run_wgmma(void *context) { run(&rungs[7], (LabCase *)context); }

/* The last rungs beside kernels that only read the units. */
static void show_case(LabCase *c, Table *t, FILE *csv)
{
    enum { COUNT = 6 };
    const BenchOptions bo = lab_bench_options(c->stream);
    double *samples = (double *)malloc(sizeof(double) * COUNT * (size_t)bo.rounds), ms[COUNT];
    BenchSubject subjects[COUNT];
    void (*const who[COUNT])(void *) = {run_read, run_read_ring, run_ring, run_whole, run_fewer, run_wgmma};
    for (int i = 0; i < COUNT; i++)
        subjects[i] = BenchSubject{who[i], c, samples + i * bo.rounds, 0};
    bench(subjects, COUNT, &bo);
    const double unit_bytes = (double)c->in_count[UNITS],
                 moved[COUNT] = {unit_bytes, unit_bytes, bytes(c), bytes(c), bytes(c), bytes(c)};
    const char *name[COUNT] = {"read alone", "read in rung 6's shape", "ring",
                               "whole rows", "fewer instructions",     "wgmma"};
    for (int i = 0; i < COUNT; i++) {
        char text[32];
        ms[i] = stats_of(subjects[i].samples_ms, subjects[i].runs).median;
        const double of_read = i ? moved[i] / ms[i] / (moved[0] / ms[0]) : 1;
        table_row(t, "%zu|%s|%s|%.4g|%.3f", c->dim[0], name[i], format_ms(ms[i], text), 1e-6 * moved[i] / ms[i],
                  of_read);
        if (csv)
            fprintf(csv, "%zu,%zux%zux%zu,%s,%s,%d,%.6g,%.5g,%.4f\n", c->dim[0], c->dim[0], c->dim[1], c->dim[2],
                    name[i], lab_mode(), subjects[i].runs, ms[i], 1e-6 * moved[i] / ms[i], of_read);
    }
    free(samples);
}

/* The ways to run a row of layers. */
template <int EARLY> static void layer_read(const Layers *l, const W4a16 *p, const void *, cudaStream_t stream)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)(2 * device_multiprocessors()));
    config.blockDim = dim3(512);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = EARLY;
    CUDA_CHECK(
        cudaLaunchKernelEx(&config, w4a16_read, (const uint4 *)p->wide_units, l->units_bytes / 16, (unsigned *)p->y));
}
static void layer_8(const Layers *, const W4a16 *p, const void *, cudaStream_t stream) { w4a16_8(p, stream); }
template <int EARLY> static void layer_9(const Layers *, const W4a16 *p, const void *, cudaStream_t stream)
{
    w4a16_9_launch(p, EARLY, stream);
}
static void layer_vendor(const Layers *, const W4a16 *p, const void *dense, cudaStream_t stream)
{
    vendor_gemm_lt(p->x, dense, p->y, LAB_BF16, LAB_BF16, 1, (size_t)p->M, (size_t)p->N, (size_t)p->K, stream);
}
static const struct {
    const char *name;
    Layer *one;
    int product; /* it computes y, and adds in the order of rung 8 */
} ways[] = {
    {"cuBLASLt", layer_vendor, 0}, {"read alone", layer_read<0>, 0},        {"read launched early", layer_read<1>, 0},
    {"wgmma", layer_8, 1},         {"rung 9 launched late", layer_9<0>, 1}, {"dependent launch", layer_9<1>, 1}};
enum { WAYS = LAB_COUNT(ways), VENDOR = 0, READ = 1 };

/* Many runs of each way have the bits of the first way's first run. An x that was read too early, or a y that was written
 * too early, is the x or y of another layer. */
static int verify_layers(const Layers *l, const cudaGraphExec_t *graph, int runs)
{
    const size_t count = l->c->out_count;
    uint16_t *expect = (uint16_t *)malloc(count * 2), *y = (uint16_t *)malloc(count * 2);
    int failed = 0, first = 1, finite = 1;
    for (int i = READ + 1; i < WAYS; i++) {
        int same = 1;
        for (int k = 0; ways[i].product && k < runs; k++, first = 0) {
            layers_run(l, graph[i], first ? expect : y);
            same &= first || memcmp(y, expect, count * 2) == 0;
        }
        failed |= lab_claim(same, "%s, %d rows: the bits of rung 8 in %d runs of %d layers", ways[i].name, l->p.M, runs,
                            l->count);
    }
    for (size_t i = 0; i < count; i++)
        finite &= (expect[i] & 0x7f80) != 0x7f80;
    failed |= lab_claim(finite, "%d rows: the numbers after %d layers are finite", l->p.M, l->count);
    free(expect);
    free(y);
    return failed;
}

static int show_layers(const LabOptions *o, LabCase *c, Table *t, FILE *csv)
{
    const int vendor = !device_is_cpu() && !o->no_vendor, first = vendor ? VENDOR : READ;
    const W4a16 p = problem(c);
    const BenchOptions bo = lab_bench_options(c->stream);
    double *samples = (double *)malloc(sizeof(double) * WAYS * (size_t)bo.rounds);
    BenchSubject subjects[WAYS];
    LayersRun run[WAYS];
    cudaGraphExec_t graph[WAYS];
    Layers l;
    layers_make(&l, c, &p, vendor ? c->in[DENSE] : NULL, c->in_count[WIDE_UNITS], device_is_cpu() ? 3 : 16);
    if (vendor)
        layer_vendor(&l, &p, l.dense, c->stream); /* its set-up is not part of a graph */
    for (int i = first; i < WAYS; i++) {
        graph[i] = layers_graph(&l, ways[i].one);
        run[i] = LayersRun{graph[i], c->stream};
        subjects[i] = BenchSubject{layers_launch, &run[i], samples + i * bo.rounds, 0};
    }
    const int failed = verify_layers(&l, graph, device_is_cpu() ? 2 : 200);
    bench(subjects + first, WAYS - first, &bo);
    for (int i = first; i < WAYS; i++) {
        char text[32], vs[32] = "";
        const double ms = stats_of(subjects[i].samples_ms, subjects[i].runs).median / l.count,
                     of_read = bench_ratio(&subjects[READ], &subjects[i]);
        if (vendor)
            snprintf(vs, sizeof vs, "%.3f", bench_ratio(&subjects[VENDOR], &subjects[i]));
        table_row(t, "%zu|%s|%s|%.4g|%.3f|%s", c->dim[0], ways[i].name, format_ms(ms, text), 1e-6 * bytes(c) / ms,
                  of_read, vs);
        if (csv)
            fprintf(csv, "%zu,%zux%zux%zu,%d,%s,%s,%d,%.6g,%.5g,%.4f,%s\n", c->dim[0], c->dim[0], c->dim[1], c->dim[2],
                    l.count, ways[i].name, lab_mode(), subjects[i].runs, ms, 1e-6 * bytes(c) / ms, of_read, vs);
        CUDA_CHECK(cudaGraphExecDestroy(graph[i]));
    }
    layers_free(&l);
    free(samples);
    return failed;
}

static int show(const LabOptions *o)
{
    if (lab_brief() || o->verify_only || o->size)
        return 0;
    const char *why = hopper_here();
    if (why) {
        printf("\n    (the comparison with a read %s)\n", why);
        return 0;
    }
    printf("\n    beside a kernel that only reads the units%s\n", device_is_cpu() ? " (this CPU's times)" : "");
    Table *t = table_new(">rows|who|>time|>GB/s|>of the read");
    FILE *csv = side_csv(o, "read", "rows,size,name,mode,runs,time_ms,gbps,of_read");
    Table *in_a_row = table_new(">rows|who|>time|>GB/s|>of the read|>vs vendor");
    FILE *row_csv = side_csv(o, "layers", "rows,size,layers,name,mode,runs,time_ms,gbps,of_read,vs_vendor");
    const size_t large = device_is_cpu() ? 512 : 8192;
    int failed = 0;
    for (size_t rows = 1; rows <= 32; rows *= 2) {
        const size_t dim[] = {rows, large, large};
        LabCase c;
        why = lab_case_make(&c, lab_this(), dim, LAB_BF16, o->seed, 0);
        if (why)
            die("%s", why);
        show_case(&c, t, csv);
        if (!device_is_cpu() || rows == 8)
            failed |= show_layers(o, &c, in_a_row, row_csv);
        lab_case_free(&c);
    }
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
    printf("\n    layers in a row, each with other weights: per layer%s\n",
           device_is_cpu() ? " (this CPU's times)" : "");
    table_print(in_a_row, stdout, 4);
    table_free(in_a_row);
    lab_close(row_csv);
    return failed;
}

static const Lab lab = {
    .order = 20,
    .name = "w4a16",
    .title = "four-bit weights: a quarter of the bytes, and unpacking must cost nothing",
    .page = "serving.md",
    .look =
        "Bytes are those of the codes, scales and zero points. Up to 16 rows of x the time should hardly grow: the\n"
        "memory is the limit. The ratio to cuBLASLt, which reads the same weights in bf16, can be 3.8 at most.",
    .dims = "M N K",
    .size = "1x8192x8192 8x8192x8192 16x8192x8192 32x8192x8192",
    .cpu_size = "8x512x512",
    .test_sizes = "1x128x128 1x1x128 7x200x256 8x128x640 9x130x384 16x256x1024 17x129x256 33x300x2176 3x70x2304 "
                  "9x70x1792 0x128x128",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = w4a16_cpu,
    .run = run,
    .bytes = bytes,
    .flops = product_flops,
    .show = show,
};

LAB_MAIN(lab)
