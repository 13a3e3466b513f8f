/* Training against inference: where 2:4 sparsification happens, what it costs there, and what a whole step gains.
 *
 * The block is the MLP of a transformer, H = relu(X W1'), Y = H W2', with T tokens, W1 (4 d x d) and W2 (d x 4 d);
 * bf16. For inference the weights are pruned and compressed once, and only the compressed ones are kept. In training
 * they change at every step: they stay dense, and each step compresses them and their transposes anew (prune24_both),
 * since forward multiplies by W and backward by its transpose. Gradients of weights are products of two dense
 * matrices: they stay dense, and bound what sparsity can gain.
 *
 *   piece                 dense                        2:4
 *   sparsify              -                            W1, W1', W2, W2' compressed      (inference: once, not counted)
 *   forward               X W1', H W2'                 (W1 X')', (W2 H')'
 *   backward to inputs    dY W2, dH W1                 (W2' dY')', (W1' dH')'
 *   backward to weights   dH' X, dY' H                 the same
 *   update                W -= rate dW                 the same
 *
 *   ./run training_vs_inference --tokens 8192 --width 2048
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "device.h"
#include "lab.h"
#include "prune24/runtime.cuh"
#include "side_csv.h"
#include "sparse.h"
#include "spgemm24/mma.cuh"
#include "stats.h"
#include "table.h"
#include "vendor.h"

static struct {
    int tokens, width;
} own;

typedef uint16_t bf16; /* its bits */
enum { DENSE, SPARSE, VENDOR, WAYS };
static const char *const way_name[WAYS] = {"dense, ours", "2:4, ours", "dense, cuBLASLt"};

typedef struct Compressed {
    bf16 *values;
    uint32_t *meta;
} Compressed;

typedef struct Block {
    int T, d, h; /* tokens, width, hidden = 4 d */
    bf16 *X, *H, *Y, *dY, *dH, *dX;
    bf16 *turned;            /* room for dH' or dY' */
    bf16 *W[2], *dW[2];      /* W1 (h x d), W2 (d x h) */
    Compressed w[2], w_t[2]; /* and compressed, as they are and transposed */
    int way;
} Block;

__global__ void relu_kernel(bf16 *x, size_t n)
{
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * 8;
    if (i >= n)
        return;
    uint4 v = *(uint4 *)(x + i);
    uint32_t w[4] = {v.x, v.y, v.z, v.w};
    for (int j = 0; j < 4; j++)
        w[j] &= ~((w[j] & 0x80008000u) / 0x8000u * 0xffffu); /* a set sign clears its half */
    *(uint4 *)(x + i) = make_uint4(w[0], w[1], w[2], w[3]);
}

/* dH = 0 where H is: a ReLU stops the gradient at zeros. */
__global__ void relu_back_kernel(const bf16 *H, bf16 *dH, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && (H[i] & 0x7fff) == 0)
        dH[i] = 0;
}

__global__ void update_kernel(bf16 *W, const bf16 *dW, size_t n, float rate)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        __nv_bfloat16 *w = (__nv_bfloat16 *)W + i;
        *w = __float2bfloat16(__bfloat162float(*w) - rate * __bfloat162float(((const __nv_bfloat16 *)dW)[i]));
    }
}

/* B (columns x rows) = A' */
__global__ void turn_kernel(const bf16 *A, bf16 *B, int rows, int columns)
{
    __shared__ bf16 tile[32][34];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < rows && c < columns)
            tile[threadIdx.y + i][threadIdx.x] = A[(size_t)(r + i) * columns + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (r + i < columns && c < rows)
            B[(size_t)(r + i) * rows + c] = tile[threadIdx.x][threadIdx.y + i];
}

/* Y (T x out) = X (T x in) W', W (out x in). The sparse one turns the product; see the lab xw_transposed. */
static void times_transposed(const Block *b, const bf16 *X, const bf16 *W, const Compressed *w, bf16 *Y, int out,
                             int in)
{
    if (b->way == SPARSE)
        mma_launch<MmaTile<2, true, true, 256, 128, 64, 64, 5, 2, true, true>>(
            {w->values, w->meta, X, Y, out, b->T, in, in / 2}, 0);
    else if (b->way == DENSE)
        mma_launch<MmaTile<2, false, true, 128, 256, 64, 64, 4, 1>>({X, NULL, W, Y, b->T, out, in, in}, 0);
    else
        vendor_gemm_lt(X, W, Y, LAB_BF16, LAB_BF16, 1, (size_t)b->T, (size_t)out, (size_t)in, 0);
}

/* Y (T x out) = X (T x in) W, W (in x out): what backward needs. Sparse: W' is the first operand, out x in. */
static void times(const Block *b, const bf16 *X, const bf16 *W, const Compressed *w_t, bf16 *Y, int out, int in)
{
    if (b->way == SPARSE)
        times_transposed(b, X, NULL, w_t, Y, out, in);
    else if (b->way == DENSE)
        mma_launch<MmaTile<2, false, false, 128, 256, 64, 64, 4, 1>>({X, NULL, W, Y, b->T, out, in, in}, 0);
    else
        vendor_gemm_lt(X, W, Y, LAB_BF16, LAB_BF16, 0, (size_t)b->T, (size_t)out, (size_t)in, 0);
}

/* dW (out x in) = dY' X: two dense operands, whatever W is. */
static void weight_gradient(const Block *b, const bf16 *dY, const bf16 *X, bf16 *dW, int out, int in)
{
    turn_kernel<<<dim3((out + 31) / 32, (b->T + 31) / 32), dim3(32, 8)>>>(dY, b->turned, b->T, out);
    if (b->way == VENDOR)
        vendor_gemm_lt(b->turned, X, dW, LAB_BF16, LAB_BF16, 0, (size_t)out, (size_t)in, (size_t)b->T, 0);
    else
        mma_launch<MmaTile<2, false, false, 128, 256, 64, 64, 4, 1>>({b->turned, NULL, X, dW, out, in, b->T, b->T}, 0);
}

static void sparsify(void *context)
{
    const Block *b = (const Block *)context;
    for (int l = 0; l < 2 && b->way == SPARSE; l++)
        prune24_both<8, 1, 4, 6, 1, false>(b->W[l], l ? b->d : b->h, l ? b->h : b->d, b->w[l].values, b->w[l].meta,
                                           b->w_t[l].values, b->w_t[l].meta, 0);
}

static void forward(void *context)
{
    const Block *b = (const Block *)context;
    const size_t n = (size_t)b->T * b->h;
    times_transposed(b, b->X, b->W[0], &b->w[0], b->H, b->h, b->d);
    relu_kernel<<<(unsigned)((n / 8 + 255) / 256), 256>>>(b->H, n);
    times_transposed(b, b->H, b->W[1], &b->w[1], b->Y, b->d, b->h);
}

static void backward_inputs(void *context)
{
    const Block *b = (const Block *)context;
    const size_t n = (size_t)b->T * b->h;
    times(b, b->dY, b->W[1], &b->w_t[1], b->dH, b->h, b->d);
    relu_back_kernel<<<(unsigned)((n + 255) / 256), 256>>>(b->H, b->dH, n);
    times(b, b->dH, b->W[0], &b->w_t[0], b->dX, b->d, b->h);
}

static void backward_weights(void *context)
{
    const Block *b = (const Block *)context;
    weight_gradient(b, b->dH, b->X, b->dW[0], b->h, b->d);
    weight_gradient(b, b->dY, b->H, b->dW[1], b->d, b->h);
}

static void update(void *context)
{
    const Block *b = (const Block *)context;
    const size_t n = (size_t)b->d * b->h;
    for (int l = 0; l < 2; l++)
        update_kernel<<<(unsigned)((n + 255) / 256), 256>>>(b->W[l], b->dW[l], n,
                                                            1e-6f); /* so small that repeating it is harmless */
}

static void training_step(void *context)
{
    sparsify(context), forward(context), backward_inputs(context), backward_weights(context), update(context);
}

static const struct {
    const char *name;
    void (*run)(void *context);
} pieces[] = {{"sparsify both ways", sparsify},
              {"forward (all of inference)", forward},
              {"backward to the inputs", backward_inputs},
              {"backward to the weights", backward_weights},
              {"update", update},
              {"training step", training_step}};
enum { PIECES = 6, FORWARD = 1, STEP = 5, ROUNDS = 15 };

/* ---- memory, data, verification */

static bf16 *device_bf16(size_t count, uint64_t seed, double scale)
{
    bf16 *host = (bf16 *)malloc(count * sizeof *host), *to;
    if (!host)
        die("out of memory");
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        host[i] = bf16_from_float((float)(scale * (2 * random_uniform(seed, i) - 1)));
    CUDA_CHECK(cudaMalloc((void **)&to, count * sizeof *to));
    CUDA_CHECK(cudaMemcpy(to, host, count * sizeof *to, cudaMemcpyHostToDevice));
    free(host);
    return to;
}

static void block_make(Block *b, int tokens, int width, uint64_t seed)
{
    b->T = tokens, b->d = width, b->h = 4 * width;
    size_t T = (size_t)b->T, d = (size_t)b->d, h = (size_t)b->h;
    b->X = device_bf16(T * d, seed, 1), b->dY = device_bf16(T * d, seed + 1, 1);
    b->H = device_bf16(T * h, seed + 2, 0), b->dH = device_bf16(T * h, seed + 2, 0),
    b->turned = device_bf16(T * h, seed + 2, 0);
    b->Y = device_bf16(T * d, seed + 2, 0), b->dX = device_bf16(T * d, seed + 2, 0);
    for (int l = 0; l < 2; l++) {
        size_t rows = l ? d : h, columns = l ? h : d;
        b->W[l] = device_bf16(d * h, seed + 3 + (uint64_t)l, sqrt(3.0 / (double)columns));
        b->dW[l] = device_bf16(d * h, seed + 2, 0);
        CUDA_CHECK(cudaMalloc((void **)&b->w[l].values, sparse24_value_count(rows, columns) * 2));
        CUDA_CHECK(cudaMalloc((void **)&b->w[l].meta, sparse24_meta_words(rows, columns) * 4));
        CUDA_CHECK(cudaMalloc((void **)&b->w_t[l].values, sparse24_value_count(columns, rows) * 2));
        CUDA_CHECK(cudaMalloc((void **)&b->w_t[l].meta, sparse24_meta_words(columns, rows) * 4));
    }
}

static void block_free(Block *b)
{
    void *all[] = {b->X,           b->dY,
                   b->H,           b->dH,
                   b->turned,      b->Y,
                   b->dX,          b->W[0],
                   b->W[1],        b->dW[0],
                   b->dW[1],       b->w[0].values,
                   b->w[0].meta,   b->w[1].values,
                   b->w[1].meta,   b->w_t[0].values,
                   b->w_t[0].meta, b->w_t[1].values,
                   b->w_t[1].meta};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        CUDA_CHECK(cudaFree(all[i]));
}

static double *fetch(const bf16 *from, size_t count)
{
    bf16 *bits = (bf16 *)malloc(count * sizeof *bits);
    double *x = (double *)malloc(count * sizeof *x);
    if (!bits || !x)
        die("out of memory");
    CUDA_CHECK(cudaMemcpy(bits, from, count * sizeof *bits, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; i++)
        x[i] = bf16_to_float(bits[i]);
    free(bits);
    return x;
}

/* ||got - expected|| / ||expected||, NaN if anything is; frees both. */
static double distance(double *got, double *expected, size_t count)
{
    double off = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        off += (got[i] - expected[i]) * (got[i] - expected[i]);
        all += expected[i] * expected[i];
    }
    free(got), free(expected);
    return sqrt(off / all);
}

/* C (M x N) = A (M x K) B, with B (K x N), or N x K if turned; in double. */
static double *multiply(const double *A, const double *B, size_t M, size_t N, size_t K, int turned)
{
    double *C = (double *)calloc(M * N, sizeof *C);
    if (!C)
        die("out of memory");
    for (size_t m = 0; m < M; m++)
        for (size_t n = 0; n < N; n++)
            for (size_t k = 0; k < K; k++)
                C[m * N + n] += A[m * K + k] * (turned ? B[n * K + k] : B[k * N + n]);
    return C;
}

/* The weights that a sparse step should compute with: those of the device, pruned both ways. */
static void prune_both_ways(double *W, const bf16 *d_W, size_t rows, size_t columns)
{
    bf16 *w = (bf16 *)malloc(rows * columns * sizeof *w);
    if (!w)
        die("out of memory");
    CUDA_CHECK(cudaMemcpy(w, d_W, rows * columns * sizeof *w, cudaMemcpyDeviceToHost));
    for (size_t r = 0; r < rows; r += 4)
        for (size_t c = 0; c < columns; c += 4) {
            unsigned kept = sparse24_pick_tile_bf16(w + r * columns + c, columns);
            for (size_t i = 0; i < 16; i++)
                if (!(kept >> i & 1))
                    W[(r + i / 4) * columns + c + i % 4] = 0;
        }
    free(w);
}

/* The relative errors of H, Y, dH, dX, dW1 and dW2, which the device has computed, with weights W. */
static void step_errors(const Block *b, double *const W[2], double error[6])
{
    const size_t T = (size_t)b->T, d = (size_t)b->d, h = (size_t)b->h;
    double *X = fetch(b->X, T * d), *H = fetch(b->H, T * h), *dY = fetch(b->dY, T * d), *dH = fetch(b->dH, T * h);
    double *turned = (double *)malloc(T * h * sizeof *turned), *expected;
    if (!turned)
        die("out of memory");
    expected = multiply(X, W[0], T, h, d, 1);
    for (size_t i = 0; i < T * h; i++)
        expected[i] = expected[i] > 0 ? expected[i] : 0;
    error[0] = distance(fetch(b->H, T * h), expected, T * h);
    error[1] = distance(fetch(b->Y, T * d), multiply(H, W[1], T, d, h, 1), T * d);
    expected = multiply(dY, W[1], T, h, d, 0);
    for (size_t i = 0; i < T * h; i++)
        expected[i] = H[i] > 0 ? expected[i] : 0;
    error[2] = distance(fetch(b->dH, T * h), expected, T * h);
    error[3] = distance(fetch(b->dX, T * d), multiply(dH, W[0], T, d, h, 0), T * d);
    for (size_t t = 0; t < T; t++)
        for (size_t i = 0; i < h; i++)
            turned[i * T + t] = dH[t * h + i];
    error[4] = distance(fetch(b->dW[0], d * h), multiply(turned, X, h, d, T, 0), d * h);
    for (size_t t = 0; t < T; t++)
        for (size_t i = 0; i < d; i++)
            turned[i * T + t] = dY[t * d + i];
    error[5] = distance(fetch(b->dW[1], d * h), multiply(turned, H, d, h, T, 0), d * h);
    free(X), free(H), free(dY), free(dH), free(turned);
}

/* Every product of one step, against double, from the inputs that the device had (each rounds its result to bf16). */
static int verify(const LabOptions *options, int way)
{
    Block b;
    block_make(&b, 136, 64, options->seed + 40);
    b.way = way;
    const size_t T = (size_t)b.T, d = (size_t)b.d, h = (size_t)b.h;
    double *W[2] = {fetch(b.W[0], d * h), fetch(b.W[1], d * h)};
    if (way == SPARSE)
        for (int l = 0; l < 2; l++)
            prune_both_ways(W[l], b.W[l], l ? d : h, l ? h : d);
    bf16 *outputs[] = {b.H, b.Y, b.dH, b.dX, b.dW[0], b.dW[1]};
    const size_t sizes[] = {T * h, T * d, T * h, T * d, d * h, d * h};
    for (int i = 0; i < 6; i++)
        CUDA_CHECK(cudaMemset(outputs[i], 0xff, sizes[i] * 2));
    sparsify(&b), forward(&b), backward_inputs(&b), backward_weights(&b);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    double error[6];
    step_errors(&b, W, error);
    static const char *const name[6] = {"H", "Y", "dH", "dX", "dW1", "dW2"};
    int failed = 0;
    printf("    %-16s", way_name[way]);
    for (int i = 0; i < 6; i++) {
        printf("  %s %.1e", name[i], error[i]);
        failed += lab_claim(error[i] < 4e-3, "%s: %s is off by %g (bf16 rounds to 2^-9, about 1.7e-3)", way_name[way],
                            name[i], error[i]);
    }
    putchar('\n');
    free(W[0]), free(W[1]);
    block_free(&b);
    return failed;
}

/* The gain of a piece as it was recorded on an H200, at 8192 tokens and width 2048; 0 if nothing is recorded. */
static double recorded_gain(const char *piece)
{
    FILE *f = fopen("results/h200/lecture11/training_vs_inference_pieces.csv", "r");
    double gain = 0;
    for (char line[256]; f && fgets(line, sizeof line, f);) {
        const char *at = strstr(line, piece), *last = strrchr(line, ',');
        if (at && at[strlen(piece)] == ',' && last)
            gain = atof(last + 1);
    }
    if (f)
        fclose(f);
    return gain;
}

static void print_memory(int width)
{
    const double params = 8.0 * width * (double)width; /* W1 and W2 */
    const double dense_mb = 2 * params * 1e-6;
    const double packed_mb = 2 * (double)sparse24_bytes((size_t)4 * (size_t)width, (size_t)width, 2) * 1e-6;
    Table *t = table_new("memory of the weights|>dense|>2:4|what is kept");
    table_row(t, "inference|%.3g MB|%.3g MB|compressed W only: 9/16", dense_mb, packed_mb);
    table_row(t, "training|%.3g MB|%.3g MB|dense W, compressed W and W': 1 + 9/8", dense_mb, dense_mb + 2 * packed_mb);
    putchar('\n');
    table_print(t, stdout, 4);
    table_free(t);
}

static void print_pieces(const LabOptions *options, int tokens, int width, const BenchSubject *s,
                         double samples[PIECES][WAYS][ROUNDS])
{
    const int cpu = device_is_cpu(), ways = cpu ? VENDOR : WAYS;
    Table *t = table_new(cpu ? "piece|~>dense, this CPU|~>2:4, this CPU|>gain on an H200"
                             : "piece|>dense, ours|>2:4, ours|>gain|>dense, cuBLASLt");
    FILE *csv = side_csv(options, "pieces", "tokens,width,piece,dense_ms,sparse_ms,cublaslt_ms,gain");
    for (int p = 0; p < PIECES; p++) {
        char text[32];
        double ms[WAYS] = {0};
        for (int way = 0; way < ways; way++)
            ms[way] = stats_of(samples[p][way], s[p * ways + way].runs).median;
        /* Of the two times beside it; a CPU's say nothing of a GPU. */
        const double gain = ms[DENSE] / ms[SPARSE], shown = cpu ? recorded_gain(pieces[p].name) : gain;
        table_cell(t, "%s", pieces[p].name);
        table_cell(t, "%s", p == 0 ? "-" : format_ms(ms[DENSE], text));
        table_cell(t, "%s", format_ms(ms[SPARSE], text));
        table_cell(t, p && shown > 0 ? "%.2fx" : "", shown);
        if (!cpu)
            table_cell(t, "%s", p == 0 ? "-" : format_ms(ms[VENDOR], text));
        if (csv) {
            fprintf(csv, "%d,%d,%s,", tokens, width, pieces[p].name);
            if (p) /* dense has nothing to sparsify */
                fprintf(csv, "%.5f,%.5f,%.5f,%.3f\n", ms[DENSE], ms[SPARSE], ms[VENDOR], gain);
            else
                fprintf(csv, ",%.5f,,\n", ms[SPARSE]);
        }
    }
    printf("\n    %d tokens, width %d, hidden %d\n", tokens, width, 4 * width);
    table_print(t, stdout, 4);
    table_free(t);
    lab_close(csv);
}

static int show(const LabOptions *options)
{
    const int cpu = device_is_cpu(), ways = cpu ? VENDOR : WAYS;
    const int tokens = own.tokens ? own.tokens : cpu ? 128 : 8192, width = own.width ? own.width : cpu ? 64 : 2048;
    int failed = 0;
    if (device_capability() < 80) {
        puts("    skipped: mma.sync and mma.sp for bf16 need compute capability 8.0");
        return 0;
    }
    if (!lab_brief()) {
        puts("\n    relative error of every product of a step, 136 tokens, width 64, against double");
        for (int way = 0; way < ways; way++)
            failed += verify(options, way);
    }

    if (!lab_brief())
        print_memory(width);
    if (options->verify_only || options->small)
        return failed;

    static double samples[PIECES][WAYS][ROUNDS];
    static Block block[PIECES * WAYS];
    BenchSubject s[PIECES * WAYS];
    Block b;
    block_make(&b, tokens, width, options->seed);
    b.way = SPARSE;
    sparsify(&b);
    for (int p = 0; p < PIECES; p++)
        for (int way = 0; way < ways; way++) {
            block[p * ways + way] = b;
            block[p * ways + way].way = way;
            s[p * ways + way] = (BenchSubject){pieces[p].run, &block[p * ways + way], samples[p][way], 0};
        }
    BenchOptions bo = {};
    bo.warmups = cpu ? 1 : 3, bo.rounds = cpu ? 3 : ROUNDS;
    bench(s, PIECES * ways, &bo);
    print_pieces(options, tokens, width, s, samples);
    block_free(&b);
    return failed;
}

static const struct argp_option own_options[] = {
    {"tokens", 't', "N", 0, "tokens in a batch, a multiple of 8 (8192)", 0},
    {"width", 'd', "N", 0, "the model's width, a multiple of 64 (2048)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    if (key != 't' && key != 'd')
        return ARGP_ERR_UNKNOWN;
    char *end;
    long v = strtol(arg, &end, 10), of = key == 't' ? 8 : 64;
    if (end == arg || *end || v < of || v > (key == 't' ? 1 << 20 : 16384) || v % of)
        die_usage("--%s wants a multiple of %ld from %ld to %d, not '%s'", key == 't' ? "tokens" : "width", of, of,
                  key == 't' ? 1 << 20 : 16384, arg);
    *(key == 't' ? &own.tokens : &own.width) = (int)v;
    return 0;
}

static const struct argp own_argp = {own_options, parse, NULL, NULL, NULL, NULL, NULL};

static const Lab lab = {
    .order = 9,
    .name = "training_vs_inference",
    .title = "once and offline, or at every step: what 2:4 gains in each",
    .look = "The gain of the forward pass is what inference sees. A training step also pays for sparsifying,\n"
            "and its gradients of the weights stay dense: a third of the work, which sparsity does not touch.",
    .show = show,
    .argp = &own_argp,
};
LAB_MAIN(lab)
