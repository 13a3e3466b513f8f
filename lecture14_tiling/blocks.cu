/* Block programs: thinking in blocks with masks, as Triton does, in CUDA C.
 *
 * Copy x (n) to z (n), fp32, by programs of one block each. Everything hangs on the offsets: which elements are mine?
 * The lecture gets there in three attempts, and the first two are kept here to be looked at.
 *
 *   rung                     idea                                                             ./run blocks --rung N
 *   1  offs = arange         wrong: every program copies the first block, the rest is never written
 *   2  pid * n + arange      wrong: the second program starts past the end, and its mask hides the mistake
 *   3  pid * 2 + arange      right; blocks of 2 use 2 of 128 threads
 *   4  pid * 1024 + arange   the same program with a block that keeps the threads busy
 *
 * Below the ladder: what each program of the first three sees at n = 6; an addition whose n is no multiple of the
 * block; an image made grey in blocks of 32 x 32, with offsets in two dimensions.
 */
#include "ceil_div.cuh"
#include "bench.h"
#include "blocks/block.cuh"
#include "device.h"
#include "image.h"
#include "lab.h"
#include "stats.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

using block::Block;

typedef void Copy(const float *x, float *z, int n, cudaStream_t stream);

static void copy_cpu(LabCase *c)
{
    for (size_t i = 0; i < c->dim[0]; i++)
        c->expect[i] = lab_h_in_f32(c, 0)[i];
}

/* 1: the lecture's first attempt */
__global__ void copy_kernel1(const float *x, float *z, int n)
{
    Block<int, 1, 2> offs = block::cols<1, 2>();
    Block<bool, 1, 2> mask = offs < n;
    block_store(z, offs, mask, block_load(x, offs, mask, 0.f));
}

static void copy1(const float *x, float *z, int n, cudaStream_t stream)
{
    copy_kernel1<<<ceil_div(n, 2), block::THREADS, 0, stream>>>(x, z, n);
}

/* 2: its second */
__global__ void copy_kernel2(const float *x, float *z, int n)
{
    int pid = blockIdx.x;
    Block<int, 1, 2> offs = pid * n + block::cols<1, 2>();
    Block<bool, 1, 2> mask = offs < n;
    block_store(z, offs, mask, block_load(x, offs, mask, 0.f));
}

static void copy2(const float *x, float *z, int n, cudaStream_t stream)
{
    copy_kernel2<<<ceil_div(n, 2), block::THREADS, 0, stream>>>(x, z, n);
}

/* 3 */
__global__ void copy_kernel3(const float *x, float *z, int n)
{
    int pid = blockIdx.x;
    Block<int, 1, 2> offs = pid * 2 + block::cols<1, 2>();
    Block<bool, 1, 2> mask = offs < n;
    block_store(z, offs, mask, block_load(x, offs, mask, 0.f));
}

static void copy3(const float *x, float *z, int n, cudaStream_t stream)
{
    copy_kernel3<<<ceil_div(n, 2), block::THREADS, 0, stream>>>(x, z, n);
}

/* 4 */
__global__ void copy_kernel4(const float *x, float *z, int n)
{
    int pid = blockIdx.x;
    Block<int, 1, 1024> offs = pid * 1024 + block::cols<1, 1024>();
    Block<bool, 1, 1024> mask = offs < n;
    block_store(z, offs, mask, block_load(x, offs, mask, 0.f));
}

static void copy4(const float *x, float *z, int n, cudaStream_t stream)
{
    copy_kernel4<<<ceil_div(n, 1024), block::THREADS, 0, stream>>>(x, z, n);
}

static const LabRung rungs[] = {
    {1, "offs = arange", LAB_LAUNCH(Copy, copy1), LAB_F32, LAB_WRONG, 0},
    {2, "pid * n + arange", LAB_LAUNCH(Copy, copy2), LAB_F32, LAB_WRONG, 0},
    {3, "pid * 2 + arange", LAB_LAUNCH(Copy, copy3), LAB_F32, 0, 2},
    {4, "pid * 1024 + arange", LAB_LAUNCH(Copy, copy4), LAB_F32, 0, 1024},
};

static const char *setup(LabCase *c)
{
    if (c->dim[0] > (1u << 30))
        return "n is at most 2^30: offsets are 32-bit integers";
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, 1, 2);
    c->atol = c->rtol = 0;
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    if ((r->flags & LAB_WRONG) && c->dim[0] <= 2)
        return "one block covers all of it: right by luck";
    if ((r->flags & LAB_WRONG) && c->dim[0] > 1000)
        return "the mistake is easier to see at n = 6";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count)
        ((Copy *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), (int)c->dim[0], c->stream);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

/* ---- what the programs see ------------------------------------------------------------------------------------- */

static int show_copies(void)
{
    enum { N = 6 };
    static const struct {
        const char *name;
        Copy *launch;
        int step_is_n, step; /* offs = pid * step + arange(2) */
        float expect[N];
    } versions[] = {
        {"offs = arange(2)", copy1, 0, 0, {1, 2, 0, 0, 0, 0}},
        {"offs = pid * n + arange(2)", copy2, 1, N, {1, 2, 0, 0, 0, 0}},
        {"offs = pid * 2 + arange(2)", copy3, 0, 2, {1, 2, 3, 4, 5, 6}},
    };
    float x[N] = {1, 2, 3, 4, 5, 6}, *d_x, *d_z;
    CUDA_CHECK(cudaMalloc((void **)&d_x, sizeof x));
    CUDA_CHECK(cudaMalloc((void **)&d_z, sizeof x));
    CUDA_CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    int wrong = 0;
    for (int v = 0; v < LAB_COUNT(versions); v++) {
        float z[N];
        printf("\n    %s, n = 6, x = 1 2 3 4 5 6, z = 0 before\n", versions[v].name);
        CUDA_CHECK(cudaMemset(d_z, 0, sizeof z));
        versions[v].launch(d_x, d_z, N, 0);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(z, d_z, sizeof z, cudaMemcpyDeviceToHost));
        for (int pid = 0; pid < N / 2; pid++) {
            int first = pid * versions[v].step;
            printf("        pid %d   offs %2d %2d   mask %s %s\n", pid, first, first + 1, first < N ? "yes" : "no ",
                   first + 1 < N ? "yes" : "no");
        }
        printf("        z =");
        for (int i = 0; i < N; i++)
            printf(" %g", z[i]);
        putchar('\n');
        wrong += lab_claim(memcmp(z, versions[v].expect, sizeof z) == 0, "z is what the picture says");
    }
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_z));
    return wrong;
}

/* ---- addition: the last block is ragged ------------------------------------------------------------------------ */

__global__ void add_blocks(const float *x, const float *y, float *z, int n)
{
    Block<int, 1, 1024> offs = (int)blockIdx.x * 1024 + block::cols<1, 1024>();
    Block<bool, 1, 1024> mask = offs < n;
    block_store(z, offs, mask, block_load(x, offs, mask, 0.f) + block_load(y, offs, mask, 0.f));
}

/* The same by hand, one thread per element. */
__global__ void add_threads(const float *x, const float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}

typedef struct Work {
    int by_blocks, n, height, width;
    const float *x, *y;
    float *z;
    const uint8_t *rgb;
    uint8_t *grey;
} Work;

static void run_add(void *context)
{
    const Work *w = (const Work *)context;
    if (w->by_blocks)
        add_blocks<<<ceil_div(w->n, 1024), block::THREADS>>>(w->x, w->y, w->z, w->n);
    else
        add_threads<<<ceil_div(w->n, 256), 256>>>(w->x, w->y, w->z, w->n);
    CUDA_CHECK(cudaGetLastError());
}

static void time_both(const char *what, void (*run)(void *), Work *work, double bytes, const LabOptions *o)
{
    static double samples[2][1024];
    Work by_hand = *work, by_block = *work;
    by_block.by_blocks = 1;
    BenchSubject s[2] = {{run, &by_hand, samples[0], 0}, {run, &by_block, samples[1], 0}};
    BenchOptions bo = {};
    bo.warmups = device_is_cpu() ? 1 : 3;
    bo.rounds = o->runs > 1024 ? 1024 : device_is_cpu() && o->runs > 5 ? 5 : o->runs;
    bench(s, 2, &bo);
    double hand = stats_of(samples[0], s[0].runs).median, block = stats_of(samples[1], s[1].runs).median;
    char a[32], b[32];
    printf("        %s: threads by hand %s (%.4g GB/s), a block program %s (%.4g GB/s)%s\n", what, format_ms(hand, a),
           bytes / hand * 1e-6, format_ms(block, b), bytes / block * 1e-6, device_is_cpu() ? ", this CPU's times" : "");
}

static int show_add(const LabOptions *o)
{
    printf("\n    add, blocks of 1024: the last block is cut off by its mask\n");
    static const int sizes[] = {1, 6, 1023, 1024, 1025, 98432};
    int wrong = 0, most = o->verify_only || o->small ? 98432 : device_is_cpu() ? 1 << 20 : 1 << 28, tail = 64;
    size_t bytes = ((size_t)most + tail) * sizeof(float);
    float *x = (float *)malloc(bytes), *y = (float *)malloc(bytes), *z = (float *)malloc(bytes);
    Work w = {};
    float *d_x, *d_y;
    CUDA_CHECK(cudaMalloc((void **)&d_x, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_y, bytes));
    CUDA_CHECK(cudaMalloc((void **)&w.z, bytes));
    for (int i = 0; i < most + tail; i++) {
        x[i] = (float)random_uniform(o->seed, (uint64_t)i);
        y[i] = (float)random_uniform(o->seed + 1, (uint64_t)i);
    }
    CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
    w.x = d_x, w.y = d_y, w.by_blocks = 1;
    for (int s = 0; s < LAB_COUNT(sizes); s++) {
        int n = w.n = sizes[s], bad = 0;
        CUDA_CHECK(cudaMemset(w.z, 0xff, ((size_t)n + tail) * sizeof(float)));
        run_add(&w);
        CUDA_CHECK(cudaMemcpy(z, w.z, ((size_t)n + tail) * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++)
            bad += z[i] != x[i] + y[i];
        for (int i = n; i < n + tail; i++) /* and nothing past the end */
            bad += !isnan(z[i]);
        printf("        n = %-6d %d programs, %4d elements masked: %s\n", n, ceil_div(n, 1024),
               ceil_div(n, 1024) * 1024 - n, bad ? "WRONG" : "right, and nothing written past the end");
        wrong += bad != 0;
    }
    if (!o->verify_only) {
        w.n = most;
        time_both("add", run_add, &w, 12.0 * most, o);
    }
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    CUDA_CHECK(cudaFree(w.z));
    free(x), free(y), free(z);
    return wrong;
}

/* ---- grey: offsets in two dimensions --------------------------------------------------------------------------- */

/* rgb is planar, 3 x height x width bytes. */
__global__ void grey_blocks(const uint8_t *rgb, uint8_t *grey, int height, int width)
{
    Block<int, 32, 32> row = (int)blockIdx.y * 32 + block::rows<32, 32>();
    Block<int, 32, 32> col = (int)blockIdx.x * 32 + block::cols<32, 32>();
    Block<int, 32, 32> offs = row * width + col;
    Block<bool, 32, 32> mask = (row < height) & (col < width); /* col alone would let the next row in */
    int plane = height * width;
    Block<float, 32, 32> r = block_load(rgb, offs, mask, 0.f);
    Block<float, 32, 32> g = block_load(rgb + plane, offs, mask, 0.f);
    Block<float, 32, 32> b = block_load(rgb + 2 * plane, offs, mask, 0.f);
    block_store(grey, offs, mask, 0.2989f * r + 0.5870f * g + 0.1140f * b);
}

__global__ void grey_threads(const uint8_t *rgb, uint8_t *grey, int height, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height || col >= width)
        return;
    int i = row * width + col, plane = height * width;
    grey[i] = (uint8_t)(0.2989f * rgb[i] + 0.5870f * rgb[i + plane] + 0.1140f * rgb[i + 2 * plane]);
}

static void run_grey(void *context)
{
    const Work *w = (const Work *)context;
    if (w->by_blocks)
        grey_blocks<<<dim3(ceil_div(w->width, 32), ceil_div(w->height, 32)), block::THREADS>>>(w->rgb, w->grey,
                                                                                               w->height, w->width);
    else
        grey_threads<<<dim3(ceil_div(w->width, 32), ceil_div(w->height, 8)), dim3(32, 8)>>>(w->rgb, w->grey, w->height,
                                                                                            w->width);
    CUDA_CHECK(cudaGetLastError());
}

/* Within one grey level of the formula in double (a fused multiply-add may fall on the other side of a whole number).
 * */
static int grey_wrong(const uint8_t *rgb, const uint8_t *grey, size_t plane)
{
    int wrong = 0;
    for (size_t i = 0; i < plane; i++) {
        double v = 0.2989 * rgb[i] + 0.5870 * rgb[i + plane] + 0.1140 * rgb[i + 2 * plane];
        wrong += !(grey[i] >= floor(v - 1e-3) && grey[i] <= floor(v + 1e-3));
    }
    return wrong;
}

static int show_grey(const LabOptions *o)
{
    printf("\n    grey, blocks of 32 x 32\n");
    Image image = {};
    const char *file = "data/astronaut.ppm", *error = image_read(file, &image);
    if (error || image.channels != 3) /* run from elsewhere: random pixels do as well */
        file = "random pixels";
    const struct {
        int height, width;
    } sizes[] = {
        {error ? 512 : (int)image.height, error ? 512 : (int)image.width}, {1, 1}, {31, 33}, {33, 31}, {65, 100}};
    int wrong = 0;
    for (int s = 0; s < LAB_COUNT(sizes); s++) {
        Work w = {};
        w.height = sizes[s].height, w.width = sizes[s].width, w.by_blocks = 1;
        size_t plane = (size_t)w.height * w.width;
        uint8_t *rgb = (uint8_t *)malloc(3 * plane), *grey = (uint8_t *)malloc(plane + 64), *d_rgb;
        for (size_t i = 0; i < 3 * plane; i++)
            rgb[i] =
                s == 0 && !error ? image.pixel[i % plane * 3 + i / plane] : (uint8_t)(random_u64(o->seed, i) >> 13);
        CUDA_CHECK(cudaMalloc((void **)&d_rgb, 3 * plane));
        CUDA_CHECK(cudaMalloc((void **)&w.grey, plane + 64));
        CUDA_CHECK(cudaMemcpy(d_rgb, rgb, 3 * plane, cudaMemcpyHostToDevice));
        w.rgb = d_rgb;
        for (int way = 0; way < 2; way++) {
            w.by_blocks = way;
            CUDA_CHECK(cudaMemset(w.grey, 0xa5, plane + 64));
            run_grey(&w);
            CUDA_CHECK(cudaMemcpy(grey, w.grey, plane + 64, cudaMemcpyDeviceToHost));
            int bad = grey_wrong(rgb, grey, plane);
            for (int i = 0; i < 64; i++)
                bad += grey[plane + i] != 0xa5;
            wrong += bad != 0;
            if (way)
                printf("        %d x %d (%s): %d x %d programs: %s\n", w.height, w.width,
                       s == 0 ? file : "random pixels", ceil_div(w.height, 32), ceil_div(w.width, 32),
                       bad ? "WRONG" : "right");
        }
        if (s == 0 && !o->verify_only)
            time_both("grey", run_grey, &w, 4.0 * (double)plane, o);
        CUDA_CHECK(cudaFree(d_rgb));
        CUDA_CHECK(cudaFree(w.grey));
        free(rgb), free(grey);
    }
    image_free(&image);
    return wrong;
}

static int show(const LabOptions *o)
{
    if (lab_brief())
        return 0;
    int wrong = show_copies();
    wrong += show_add(o);
    wrong += show_grey(o);
    return wrong;
}

static const Lab lab = {
    .order = 1,
    .name = "blocks",
    .title = "programs for whole blocks, and the masks that keep them inside",
    .look = "Rungs 1 and 2 make the two mistakes with offsets. A mask keeps a program from doing harm, and it\n"
            "hides a wrong offset just as well: look at programs 1 and 2 of the second picture.",
    .dims = "n",
    .size = "6 268435456",
    .cpu_size = "6 1048576",
    .test_sizes = "0 1 2 3 5 6 7 31 33 1000 1023 1024 1025 10007",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = copy_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .show = show,
};
LAB_MAIN(lab)
