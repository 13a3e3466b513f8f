/* Data-parallel training: each GPU has all weights and a part of the batch, and the gradients are summed over the GPUs.
 *
 * A step of a network of two layers (data_parallel/network.cuh), with Adam. The gradients of W2 are ready long before
 * those of W1, so their sum can cross the link while the rest of the backward pass runs: they go in buckets, rows of a
 * gradient that are done together. A bucket's sum is made by copies: each GPU owns a part of it, gets the others' parts
 * (reduce-scatter), adds them in the order of the ranks, and sends the sum to all (all-gather).
 *
 * Adam keeps 12 bytes of fp32 per weight, which all GPUs keep alike. In the last way each keeps them for its part only: after
 * the reduce-scatter it updates its part, and the new weights are gathered instead of the gradients. The same bytes
 * cross the link.
 *
 *   way                   what it does                                                 ./run data_parallel --way LIST
 *   1  one GPU            the whole batch, nothing to sum
 *   2  sum then update    the backward pass, then the sum of all gradients, then Adam everywhere
 *   3  buckets            each bucket's sum while the backward pass goes on
 *   4  sharded            reduce-scatter meanwhile; Adam on a part; all-gather of the new weights after it
 *   5  NCCL               as 2, with NCCL's all-reduce
 *   6  NCCL in buckets    as 3, with NCCL's all-reduce on a second stream
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "device.h"
#include "lab.h"
#include "random.h"
#include "side_csv.h"
#include "stats.h"
#include "table.h"

#include "allreduce/nccl_open.cuh"
#include "data_parallel/network.cuh"

enum { BUCKETS_EACH = 4, BUCKETS = 2 * BUCKETS_EACH, STEPS = 3 };

static struct {
    int gpus;
    const char *ways;
} own;

/* A run of gradients (and weights) that are summed together. */
typedef struct Bucket {
    int layer, row, rows;
    size_t at, count; /* in the vector of all weights */
} Bucket;

typedef struct Trainer {
    int G, step;
    Bucket bucket[BUCKETS]; /* in the order in which they are done */
    Network one;            /* the whole batch, on GPU 0 */
    Network net[MAX_RANKS]; /* a part of it; the state of Adam is whole */
    Adam share[MAX_RANKS];  /* the state of this GPU's part */
    bf16 *inbox[MAX_RANKS]; /* n: from each rank, its gradients of this rank's parts */
    cudaEvent_t done[MAX_RANKS][BUCKETS], sent[MAX_RANKS][BUCKETS], moved[MAX_RANKS];
    bf16 *h_x, *h_t, *h_w; /* host: the whole batch, the first weights */
} Trainer;

/* Rank r's part of a bucket, in the vector of all weights; its state of Adam begins at part_state(). */
static size_t part_at(const Trainer *t, const Bucket *b, int r) { return b->at + b->count / (size_t)t->G * (size_t)r; }
static size_t part_count(const Trainer *t, const Bucket *b) { return b->count / (size_t)t->G; }
static size_t part_state(const Trainer *t, const Bucket *b) { return b->at / (size_t)t->G; }

/* ---- sums by copies ---- */

typedef struct Inboxes8 {
    const bf16 *from[MAX_RANKS];
} Inboxes8;

/* g = the sum of all ranks' gradients, in their order, in fp32, rounded once. count is a multiple of 8. */
__global__ void add_parts_kernel(bf16 *g, const __grid_constant__ Inboxes8 in, int ranks, size_t count)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count / 8)
        return;
    float sum[8] = {};
    for (int r = 0; r < ranks; r++) {
        const uint4 w = ((const uint4 *)in.from[r])[i];
        const uint32_t words[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            sum[2 * k] += from_bits(words[k] & 0xffff);
            sum[2 * k + 1] += from_bits(words[k] >> 16);
        }
    }
    ((uint4 *)g)[i] = make_uint4(pack_bf16(sum[0], sum[1]), pack_bf16(sum[2], sum[3]), pack_bf16(sum[4], sum[5]),
                                 pack_bf16(sum[6], sum[7]));
}

/* Every GPU's stream `to` waits for what every GPU's stream `from` has been given. */
static void meet(Trainer *t, int from_side, int to_side, cudaEvent_t *event)
{
    for (int i = 0; i < t->G; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaEventRecord(event[i], from_side ? t->net[i].side : t->net[i].stream));
    }
    for (int i = 0; i < t->G; i++)
        for (int k = 0; k < t->G; k++)
            CUDA_CHECK(cudaStreamWaitEvent(to_side ? t->net[i].side : t->net[i].stream, event[k], 0));
}

/* Bucket b of all GPUs is done on their streams: on the second ones, each sends its parts to their owners, and each owner
 * adds them. */
static void reduce_scatter(Trainer *t, int b)
{
    const Bucket *k = &t->bucket[b];
    const size_t count = part_count(t, k), pitch = t->net[0].n / (size_t)t->G, state = part_state(t, k);
    for (int r = 0; r < t->G; r++) {
        CUDA_CHECK(cudaSetDevice(r));
        CUDA_CHECK(cudaEventRecord(t->done[r][b], t->net[r].stream));
        CUDA_CHECK(cudaStreamWaitEvent(t->net[r].side, t->done[r][b], 0));
        for (int d = 1; d < t->G; d++) {
            const int to = (r + d) % t->G;
            CUDA_CHECK(cudaMemcpyPeerAsync(t->inbox[to] + (size_t)r * pitch + state, to,
                                           t->net[r].g + part_at(t, k, to), r, count * sizeof(bf16), t->net[r].side));
        }
        CUDA_CHECK(cudaEventRecord(t->sent[r][b], t->net[r].side));
    }
    for (int r = 0; r < t->G; r++) {
        Inboxes8 in;
        CUDA_CHECK(cudaSetDevice(r));
        for (int from = 0; from < t->G; from++) {
            in.from[from] = from == r ? t->net[r].g + part_at(t, k, r) : t->inbox[r] + (size_t)from * pitch + state;
            CUDA_CHECK(cudaStreamWaitEvent(t->net[r].side, t->sent[from][b], 0));
        }
        add_parts_kernel<<<(unsigned)ceil_div(count, (size_t)(8 * 256)), 256, 0, t->net[r].side>>>(
            t->net[r].g + part_at(t, k, r), in, t->G, count);
        CUDA_CHECK(cudaGetLastError());
    }
}

/* On the second streams, each GPU sends its part of a bucket of gradients, or of weights, to the others. */
static void all_gather(Trainer *t, int b, int weights)
{
    const Bucket *k = &t->bucket[b];
    for (int r = 0; r < t->G; r++) {
        CUDA_CHECK(cudaSetDevice(r));
        for (int d = 1; d < t->G; d++) {
            const int to = (r + d) % t->G;
            bf16 *into = weights ? t->net[to].w : t->net[to].g, *from = weights ? t->net[r].w : t->net[r].g;
            CUDA_CHECK(cudaMemcpyPeerAsync(into + part_at(t, k, r), to, from + part_at(t, k, r), r,
                                           part_count(t, k) * sizeof(bf16), t->net[r].side));
        }
    }
}

static void nccl_bucket(Trainer *t, size_t at, size_t count, int side)
{
    const void *in[MAX_RANKS];
    void *out[MAX_RANKS];
    cudaStream_t stream[MAX_RANKS];
    for (int r = 0; r < t->G; r++) {
        in[r] = out[r] = t->net[r].g + at;
        stream[r] = side ? t->net[r].side : t->net[r].stream;
    }
    nccl_all(NCCL_ALL_REDUCE, NCCL_BF16, t->G, in, out, count, stream);
}

/* ---- steps ---- */

static void bucket_compute(const Network *k, const Bucket *b)
{
    CUDA_CHECK(cudaSetDevice(k->device));
    if (b->layer == 2)
        network_dw2(k, b->row, b->rows);
    else
        network_dw1(k, b->row, b->rows);
}

static void begin(const Network *k)
{
    CUDA_CHECK(cudaSetDevice(k->device));
    network_forward(k);
}

/* The backward pass on all GPUs; `each` is called when a bucket has been given to all of them. */
static void backward(Trainer *t, void (*each)(Trainer *t, int bucket))
{
    for (int r = 0; r < t->G; r++)
        begin(&t->net[r]);
    for (int b = 0; b < BUCKETS; b++) {
        for (int r = 0; r < t->G; r++) {
            if (b == BUCKETS_EACH) {
                CUDA_CHECK(cudaSetDevice(r));
                network_dh(&t->net[r]);
            }
            bucket_compute(&t->net[r], &t->bucket[b]);
        }
        if (each)
            each(t, b);
    }
}

static void adam_everywhere(Trainer *t)
{
    for (int r = 0; r < t->G; r++) {
        CUDA_CHECK(cudaSetDevice(r));
        network_adam(&t->net[r], 0, 0, t->net[r].n, t->step);
    }
}

static void one_gpu1(Trainer *t)
{
    begin(&t->one);
    for (int b = 0; b < BUCKETS; b++) {
        if (b == BUCKETS_EACH)
            network_dh(&t->one);
        bucket_compute(&t->one, &t->bucket[b]);
    }
    network_adam(&t->one, 0, 0, t->one.n, t->step);
}

static void sum_bucket(Trainer *t, int b)
{
    reduce_scatter(t, b);
    all_gather(t, b, 0);
}

static void sum_then_update2(Trainer *t)
{
    backward(t, NULL);
    for (int b = 0; b < BUCKETS; b++)
        sum_bucket(t, b);
    meet(t, 1, 0, t->moved);
    adam_everywhere(t);
}

// notes: buckets
static void buckets3(Trainer *t)
{
    backward(t, sum_bucket);
    meet(t, 1, 0, t->moved); /* the streams wait for the last sum */
    adam_everywhere(t);
}
// notes end

// notes: sharded
static void sharded4(Trainer *t)
{
    backward(t, reduce_scatter);
    meet(t, 1, 0, t->moved); /* and nobody reads the old weights any more */
    for (int b = 0; b < BUCKETS; b++) {
        const Bucket *k = &t->bucket[b];
        for (int r = 0; r < t->G; r++) {
            Network mine = t->net[r];
            mine.adam = t->share[r];
            CUDA_CHECK(cudaSetDevice(r));
            network_adam(&mine, part_at(t, k, r), part_state(t, k), part_count(t, k), t->step);
            CUDA_CHECK(cudaEventRecord(t->done[r][b], t->net[r].stream));
            CUDA_CHECK(cudaStreamWaitEvent(t->net[r].side, t->done[r][b], 0));
        }
        all_gather(t, b, 1);
    }
    meet(t, 1, 0, t->moved);
}
// notes end

static void nccl5(Trainer *t)
{
    backward(t, NULL);
    nccl_bucket(t, 0, t->net[0].n, 0);
    adam_everywhere(t);
}

static void nccl_on_side(Trainer *t, int b)
{
    for (int r = 0; r < t->G; r++) {
        CUDA_CHECK(cudaSetDevice(r));
        CUDA_CHECK(cudaEventRecord(t->done[r][b], t->net[r].stream));
        CUDA_CHECK(cudaStreamWaitEvent(t->net[r].side, t->done[r][b], 0));
    }
    nccl_bucket(t, t->bucket[b].at, t->bucket[b].count, 1);
}

static void nccl_buckets6(Trainer *t)
{
    backward(t, nccl_on_side);
    meet(t, 1, 0, t->moved);
    adam_everywhere(t);
}

enum { ONE = 1, SHARDED = 2, BY_NCCL = 4 };
static const struct Way {
    int number;
    const char *name;
    void (*step)(Trainer *t);
    int is;
} ways[] = {
    {1, "one GPU", one_gpu1, ONE}, {2, "sum then update", sum_then_update2, 0},
    {3, "buckets", buckets3, 0},   {4, "sharded", sharded4, SHARDED},
    {5, "NCCL", nccl5, BY_NCCL},   {6, "NCCL in buckets", nccl_buckets6, BY_NCCL},
};
enum { WAYS = LAB_COUNT(ways) };

static void step_way(Trainer *t, const struct Way *w)
{
    t->step++;
    w->step(t);
}

static void synchronize(const Trainer *t)
{
    for (int r = 0; r < t->G; r++) {
        CUDA_CHECK(cudaSetDevice(r));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}

/* ---- making and resetting ---- */

static bf16 *host_random(size_t n, uint64_t seed, double width)
{
    bf16 *h = (bf16 *)malloc(n * sizeof *h);
    if (!h)
        die("no memory for %zu elements", n);
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        h[i] = bf16_from_float((float)(width * (2 * random_uniform(seed, i) - 1)));
    return h;
}

static void weights_reset(const Network *k, const bf16 *w)
{
    CUDA_CHECK(cudaSetDevice(k->device));
    CUDA_CHECK(cudaMemcpyAsync(k->w, w, k->n * sizeof(bf16), cudaMemcpyHostToDevice, k->stream));
    CUDA_CHECK(cudaMemsetAsync(k->g, 0xff, k->n * sizeof(bf16), k->stream));
}

static void adam_reset(const Adam *a, const bf16 *from, size_t state, size_t count, cudaStream_t stream)
{
    CUDA_CHECK(cudaMemsetAsync(a->m + state, 0, count * sizeof(float), stream));
    CUDA_CHECK(cudaMemsetAsync(a->v + state, 0, count * sizeof(float), stream));
    master_kernel<<<(unsigned)ceil_div(count, (size_t)256), 256, 0, stream>>>(a->master + state, from, count);
    CUDA_CHECK(cudaGetLastError());
}

/* Everything as before the first step. */
static void reset(Trainer *t)
{
    t->step = 0;
    weights_reset(&t->one, t->h_w);
    adam_reset(&t->one.adam, t->one.w, 0, t->one.n, t->one.stream);
    for (int r = 0; r < t->G; r++) {
        const Network *k = &t->net[r];
        weights_reset(k, t->h_w);
        adam_reset(&k->adam, k->w, 0, k->n, k->stream);
        for (int b = 0; b < BUCKETS; b++)
            adam_reset(&t->share[r], k->w + part_at(t, &t->bucket[b], r), part_state(t, &t->bucket[b]),
                       part_count(t, &t->bucket[b]), k->stream);
    }
    synchronize(t);
}

static void buckets_make(Trainer *t, Shape s)
{
    for (int i = 0; i < BUCKETS_EACH; i++) {
        const int o = s.O / BUCKETS_EACH, h = s.H / BUCKETS_EACH;
        const size_t w1 = (size_t)s.H * (size_t)s.D;
        t->bucket[i] = (Bucket){2, i * o, o, w1 + (size_t)(i * o) * (size_t)s.H, (size_t)o * (size_t)s.H};
        t->bucket[BUCKETS_EACH + i] = (Bucket){1, i * h, h, (size_t)(i * h) * (size_t)s.D, (size_t)h * (size_t)s.D};
    }
}

static void trainer_make(Trainer *t, int G, Shape s, uint64_t seed)
{
    const size_t B = (size_t)s.B, D = (size_t)s.D, O = (size_t)s.O;
    Shape whole = s;
    *t = (Trainer){};
    t->G = G;
    whole.B = s.all;
    buckets_make(t, s);
    network_make(&t->one, 0, whole, (size_t)s.H * D + O * (size_t)s.H);
    const size_t n = t->one.n;
    t->h_x = host_random((size_t)s.all * D, seed, 1);
    t->h_t = host_random((size_t)s.all * O, seed + 1, 1);
    t->h_w = host_random(n, seed + 2, 1 / sqrt((double)s.D));
    CUDA_CHECK(cudaMemcpy(t->one.x, t->h_x, (size_t)s.all * D * sizeof(bf16), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(t->one.t, t->h_t, (size_t)s.all * O * sizeof(bf16), cudaMemcpyHostToDevice));
    for (int r = 0; r < G; r++) {
        Network *k = &t->net[r];
        network_make(k, r, s, n);
        for (int p = 0; p < G; p++)
            if (p != r) {
                const cudaError_t e = cudaDeviceEnablePeerAccess(p, 0);
                if (e != cudaErrorPeerAccessAlreadyEnabled)
                    CUDA_CHECK(e);
                else
                    (void)cudaGetLastError();
            }
        CUDA_CHECK(cudaMemcpy(k->x, t->h_x + (size_t)r * B * D, B * D * sizeof(bf16), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(k->t, t->h_t + (size_t)r * B * O, B * O * sizeof(bf16), cudaMemcpyHostToDevice));
        t->inbox[r] = (bf16 *)device_alloc_nan(n * sizeof(bf16));
        t->share[r].n = n / (size_t)G;
        t->share[r].master = (float *)device_alloc_nan(t->share[r].n * sizeof(float));
        t->share[r].m = (float *)device_alloc_nan(t->share[r].n * sizeof(float));
        t->share[r].v = (float *)device_alloc_nan(t->share[r].n * sizeof(float));
        CUDA_CHECK(cudaEventCreateWithFlags(&t->moved[r], cudaEventDisableTiming));
        for (int b = 0; b < BUCKETS; b++) {
            CUDA_CHECK(cudaEventCreateWithFlags(&t->done[r][b], cudaEventDisableTiming));
            CUDA_CHECK(cudaEventCreateWithFlags(&t->sent[r][b], cudaEventDisableTiming));
        }
    }
    reset(t);
}

static void trainer_free(Trainer *t)
{
    network_free(&t->one);
    for (int r = 0; r < t->G; r++) {
        network_free(&t->net[r]);
        CUDA_CHECK(cudaFree(t->inbox[r]));
        CUDA_CHECK(cudaFree(t->share[r].master));
        CUDA_CHECK(cudaFree(t->share[r].m));
        CUDA_CHECK(cudaFree(t->share[r].v));
        CUDA_CHECK(cudaEventDestroy(t->moved[r]));
        for (int b = 0; b < BUCKETS; b++) {
            CUDA_CHECK(cudaEventDestroy(t->done[r][b]));
            CUDA_CHECK(cudaEventDestroy(t->sent[r][b]));
        }
    }
    free(t->h_x);
    free(t->h_t);
    free(t->h_w);
    CUDA_CHECK(cudaSetDevice(0));
}

/* ---- verification: one GPU, in double ---- */

/* C[i][j] = sum over k of a[i sa + k ka] b[j sb + k kb], or with `gate` 0 where gate is not positive. */
__global__ void double_kernel(const double *a, size_t sa, size_t ka, const double *b, size_t sb, size_t kb, double *C,
                              const double *gate, int M, int N, int K, int rectified)
{
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at >= (size_t)M * (size_t)N)
        return;
    const size_t i = at / N, j = at % N;
    double sum = 0;
    for (int k = 0; k < K; k++)
        sum += a[i * sa + k * ka] * b[j * sb + k * kb];
    C[at] = (rectified && sum < 0) || (gate && gate[at] <= 0) ? 0 : sum;
}

__global__ void double_error_kernel(double *y, const double *t, size_t n, double scale)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (y[i] - t[i]) * scale;
}

static void double_product(const double *a, size_t sa, size_t ka, const double *b, size_t sb, size_t kb, double *C,
                           const double *gate, int M, int N, int K, int rectified)
{
    double_kernel<<<(unsigned)ceil_div((size_t)M * (size_t)N, (size_t)256), 256>>>(a, sa, ka, b, sb, kb, C, gate, M, N,
                                                                                   K, rectified);
    CUDA_CHECK(cudaGetLastError());
}

static double *double_upload(const bf16 *h, size_t n)
{
    double *wide = (double *)malloc(n * sizeof *wide), *d = (double *)device_alloc_nan(n * sizeof *d);
    if (!wide)
        die("no memory for %zu elements", n);
    for (size_t i = 0; i < n; i++)
        wide[i] = bf16_to_float(h[i]);
    CUDA_CHECK(cudaMemcpy(d, wide, n * sizeof *d, cudaMemcpyHostToDevice));
    free(wide);
    return d;
}

/* The gradient of the whole batch at the first weights, on GPU 0, in double; the caller frees it. */
static double *gradient_in_double(const Trainer *t)
{
    const Shape s = t->net[0].s;
    const size_t B = (size_t)s.all, D = (size_t)s.D, H = (size_t)s.H, O = (size_t)s.O, n = t->one.n;
    CUDA_CHECK(cudaSetDevice(0));
    double *x = double_upload(t->h_x, B * D), *target = double_upload(t->h_t, B * O), *w1 = double_upload(t->h_w, n);
    double *w2 = w1 + H * D, *h = (double *)device_alloc_nan(B * H * sizeof *h),
           *y = (double *)device_alloc_nan(B * O * sizeof *y), *d = (double *)device_alloc_nan(B * H * sizeof *d),
           *g = (double *)device_alloc_nan(n * sizeof *g), *host = (double *)malloc(n * sizeof *host);
    if (!host)
        die("out of memory");
    double_product(x, D, 1, w1, D, 1, h, NULL, s.all, s.H, s.D, 1);
    double_product(h, H, 1, w2, H, 1, y, NULL, s.all, s.O, s.H, 0);
    double_error_kernel<<<(unsigned)ceil_div(B * O, (size_t)256), 256>>>(y, target, B * O, 1.0 / (double)B);
    CUDA_CHECK(cudaGetLastError());
    double_product(y, 1, O, h, 1, H, g + H * D, NULL, s.O, s.H, s.all, 0); /* dW2 = e' h */
    double_product(y, O, 1, w2, 1, H, d, h, s.all, s.H, s.O, 0);           /* d = e W2 where h > 0 */
    double_product(d, 1, H, x, 1, D, g, NULL, s.H, s.D, s.all, 0);         /* dW1 = d' x */
    CUDA_CHECK(cudaMemcpy(host, g, n * sizeof *g, cudaMemcpyDeviceToHost));
    double *const all[] = {x, target, w1, h, y, d, g};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CUDA_CHECK(cudaFree(all[i]));
    return host;
}

/* The first step of Adam from gradients g, against the fp32 weights that a GPU has. */
static int adam_is_right(const Trainer *t, const struct Way *w, const bf16 *g, const float *master, size_t first,
                         size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const double grad = bf16_to_float(g[first + i]), before = bf16_to_float(t->h_w[first + i]);
        const double expect = before - ADAM_RATE * grad / (fabs(grad) + ADAM_TINY);
        wrong += !(fabs(master[i] - expect) <= 1e-6 * (fabs(before) + ADAM_RATE));
    }
    return lab_claim(!wrong, "%s: %zu weights are not what Adam makes of their gradients", w->name, wrong);
}

static int adam_verify(const Trainer *t, const struct Way *w, const Network *k, const bf16 *g)
{
    const size_t most = w->is & SHARDED ? t->share[k->device].n : k->n;
    float *master = (float *)malloc(most * sizeof *master);
    int failed = 0;
    if (!master)
        die("out of memory");
    CUDA_CHECK(cudaMemcpy(master, w->is & SHARDED ? t->share[k->device].master : k->adam.master, most * sizeof *master,
                          cudaMemcpyDeviceToHost));
    if (!(w->is & SHARDED))
        failed = adam_is_right(t, w, g, master, 0, k->n);
    for (int b = 0; b < BUCKETS && w->is & SHARDED; b++)
        failed += adam_is_right(t, w, g, master + part_state(t, &t->bucket[b]), part_at(t, &t->bucket[b], k->device),
                                part_count(t, &t->bucket[b]));
    free(master);
    return failed;
}

/* A GPU's gradients against those in double: the length of the difference over the length. In a sharded step a GPU has the
 * sum of its own parts only. */
static int gradient_verify(const Trainer *t, const struct Way *w, const Network *k, const bf16 *g, const double *expect)
{
    double difference = 0, length = 0;
    for (int b = 0; b < BUCKETS; b++) {
        const Bucket *u = &t->bucket[b];
        const size_t first = w->is & SHARDED ? part_at(t, u, k->device) : u->at;
        const size_t count = w->is & SHARDED ? part_count(t, u) : u->count;
        for (size_t i = first; i < first + count; i++) {
            const double off = bf16_to_float(g[i]) - expect[i];
            difference += off * off;
            length += expect[i] * expect[i];
        }
    }
    const double relative = sqrt(difference / length);
    return lab_claim(relative <= 1e-2, "%s: GPU %d: the gradient is off by %g of its length", w->name, k->device,
                     relative);
}

/* One step against double precision (`expect`, if it is given), and STEPS of them: all GPUs have the same weights, and those
 * of `same`, unless that is NULL or empty. Leaves the weights in `same`. */
static int verify(Trainer *t, const struct Way *w, const double *expect, bf16 *same, int *has_same)
{
    const int nets = w->is & ONE ? 1 : t->G;
    const size_t n = t->one.n;
    bf16 *host = (bf16 *)malloc(n * sizeof *host);
    int failed = 0;
    if (!host)
        die("out of memory");
    reset(t);
    for (int k = 0; k < STEPS; k++) {
        step_way(t, w);
        synchronize(t);
        for (int r = 0; r < nets && k == 0 && expect; r++) {
            const Network *net = w->is & ONE ? &t->one : &t->net[r];
            CUDA_CHECK(cudaMemcpy(host, net->g, n * sizeof *host, cudaMemcpyDeviceToHost));
            failed += gradient_verify(t, w, net, host, expect) + adam_verify(t, w, net, host);
        }
    }
    for (int r = 0; r < nets; r++) {
        CUDA_CHECK(cudaMemcpy(host, w->is & ONE ? t->one.w : t->net[r].w, n * sizeof *host, cudaMemcpyDeviceToHost));
        if (w->is & (ONE | BY_NCCL)) /* another order of sums: other bits */
            continue;
        if (*has_same)
            failed += lab_claim(!memcmp(host, same, n * sizeof *host), "%s: GPU %d: other weights after %d steps",
                                w->name, r, STEPS);
        else
            memcpy(same, host, n * sizeof *host);
        *has_same = 1;
    }
    free(host);
    return failed;
}

static int way_runs(const struct Way *w, int nccl_there)
{
    char number[16], list[64];
    snprintf(number, sizeof number, ",%d,", w->number);
    snprintf(list, sizeof list, ",%s,", own.ways ? own.ways : "");
    return !(w->is & BY_NCCL && !nccl_there) && (!own.ways || strstr(list, number));
}

static int verify_all(Trainer *t, int nccl_there, int in_double)
{
    bf16 *same = (bf16 *)malloc(t->one.n * sizeof *same);
    double *expect = in_double ? gradient_in_double(t) : NULL;
    int failed = 0, has_same = 0;
    if (!same)
        die("out of memory");
    for (int w = 0; w < WAYS; w++)
        if (way_runs(&ways[w], nccl_there))
            failed += verify(t, &ways[w], expect, same, &has_same);
    free(same);
    free(expect);
    return failed;
}

/* ---- figures ---- */

static double time_steps(Trainer *t, const struct Way *w, int calls)
{
    const double begin = bench_host_ms();
    for (int k = 0; k < calls; k++)
        step_way(t, w);
    synchronize(t);
    return (bench_host_ms() - begin) / calls;
}

/* Megabytes that a GPU keeps between steps. */
static double megabytes(const Trainer *t, const struct Way *w)
{
    const double n = (double)t->one.n;
    return n * (2 * sizeof(bf16) + 3 * sizeof(float) / (w->is & SHARDED ? t->G : 1.0)) / 1e6;
}

static void time_all(Trainer *t, int rounds, int nccl_there, Table *table)
{
    double *ms[WAYS] = {};
    const int calls = device_is_cpu() ? 1 : 5;
    reset(t);
    for (int w = 0; w < WAYS; w++)
        if (way_runs(&ways[w], nccl_there)) {
            ms[w] = (double *)malloc((size_t)rounds * sizeof(double));
            if (!ms[w])
                die("out of memory");
            time_steps(t, &ways[w], calls);
        }
    for (int k = 0; k < rounds; k++)
        for (int i = 0; i < WAYS; i++) {
            const int w = k % 2 ? WAYS - 1 - i : i;
            if (ms[w])
                ms[w][k] = time_steps(t, &ways[w], calls);
        }
    for (int w = 0; w < WAYS; w++) {
        if (!ms[w])
            continue;
        const Stats s = stats_of(ms[w], rounds);
        const double link = ways[w].is & ONE ? 0 : 2.0 * (t->G - 1) / t->G * (double)t->one.n * sizeof(bf16);
        table_cell(table, "%d", ways[w].is & ONE ? 1 : t->G);
        table_cell(table, "%d", ways[w].number);
        table_cell(table, "%s", ways[w].is & BY_NCCL ? nccl_name(ways[w].name) : ways[w].name);
        table_cell(table, "%.3f", s.median);
        table_cell(table, "%.3f", s.q1);
        table_cell(table, "%.3f", s.q3);
        table_cell(table, "%.1f", t->net[0].s.all / s.median * 1e-3);
        table_cell(table, "%.1f", link / 1e6);
        table_cell(table, "%.1f", megabytes(t, &ways[w]));
        if (ms[0])
            table_cell(table, "%.2f", stats_paired_ratio(ms[0], ms[w], rounds));
        else
            table_cell(table, "%s", "");
    }
    for (int w = 0; w < WAYS; w++)
        free(ms[w]);
}

static int show(const LabOptions *options)
{
    int there = 0;
    CUDA_CHECK(cudaGetDeviceCount(&there));
    const int gpus = own.gpus ? own.gpus : there < MAX_RANKS ? there : MAX_RANKS;
    if (gpus > there)
        die_usage("--gpus %d: there %s %d", gpus, there == 1 ? "is" : "are", there);
    if (hopper_here()) {
        printf("    left out: %s\n", hopper_here());
        return 0;
    }
    /* Every bucket has whole parts of 8 gradients for up to 8 GPUs. */
    const Shape tiny = {32, 96, 192, 96, 32 * gpus}, some = {512, 768, 1536, 768, 512 * gpus};
    const Shape large = {4096, 4096, 16384, 4096, 4096 * gpus};
    const char *why = options->no_vendor ? "left out" : nccl_begin(gpus);
    if (why)
        printf("    NCCL: %s\n", why);
    Trainer t;
    trainer_make(&t, gpus, device_is_cpu() ? tiny : some, options->seed);
    if (t.bucket[0].count % (8 * (size_t)gpus) || t.bucket[BUCKETS - 1].count % (8 * (size_t)gpus))
        die_usage("--gpus %d: the buckets cannot be split into that many equal parts", gpus);
    int failed = verify_all(&t, !why, 1);
    printf("    %d GPU%s, %zu weights: %s\n", gpus, gpus > 1 ? "s" : "", t.one.n,
           failed ? "wrong" : "gradients and weights are those of one GPU, in double");
    if (!failed && !options->verify_only) {
        if (!device_is_cpu() && !options->small) {
            trainer_free(&t);
            trainer_make(&t, gpus, large, options->seed);
            failed = verify_all(&t, !why, 0);
        }
        Table *table = table_new(">ranks|>way|name|>ms|>q1|>q3|>tokens_per_us|>link_mb|>state_mb|>vs_one");
        time_all(&t, options->runs < 3 ? 3 : options->runs, !why, table);
        table_print(table, stdout, 4);
        side_table(options, NULL, table);
        table_free(table);
    }
    trainer_free(&t);
    if (!why)
        nccl_end();
    return failed;
}

static const struct argp_option argp_options[] = {{"gpus", 'g', "G", 0, "how many GPUs to use (default: all)", 0},
                                                  {"way", 'w', "LIST", 0, "only these ways: 1,3,4", 0},
                                                  {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    (void)state;
    char end;
    switch (key) {
    case 'g':
        if (sscanf(argument, "%d%c", &own.gpus, &end) != 1 || own.gpus < 1 || own.gpus > MAX_RANKS)
            die_usage("--gpus is a number from 1 to %d, not \"%s\"", (int)MAX_RANKS, argument);
        return 0;
    case 'w': own.ways = argument; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {argp_options, parse, 0, 0, 0, 0, 0};

static const Lab lab = {
    .order = 14,
    .name = "data_parallel",
    .title = "a training step over several GPUs: gradients summed in buckets, Adam's state sharded",
    .page = "gpus.md",
    .look = "The sum of the gradients costs time only where nothing else is left to do. Sharding Adam's state moves\n"
            "the same bytes, and each GPU updates only its part.",
    .show = show,
    .argp = &argp,
};
LAB_MAIN(lab)
