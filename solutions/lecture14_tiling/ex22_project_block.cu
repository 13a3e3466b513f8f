/* Exercise 14.22 project: a transformer's block (14 points)
 *
 * x has S rows (tokens) of 64 numbers. Compute the block's output z, in as many kernels as you like, of any shape:
 *   n = norm(x);  q, k, v = the columns 0-63, 64-127, 128-191 of n wqkv
 *   a = causal attention, 2 heads: head h has the columns 32 h to 32 h + 31 of q, k and v, and writes those of a:
 *       row i of a is the sum over j <= i of weight(i, j) times row j of v, where the weights are the softmax over j of
 *       SCALE times the dot product of row i of q and row j of k
 *   y = x + a wo;  z = y + gelu(norm(y) w1) w2
 * norm() divides each row by sqrt(mean of its squares + EPSILON). Matrices are row-major; their shapes are below.
 * This is a project: ./run 14.22 judges one stage after the other, and says which is next.
 *
 * Limits at 64:
 *   stage 2, whole sectors (2 points):
 *     sectors / possible sectors of global loads <= 1.5
 *     sectors / possible sectors of global stores <= 1.5
 *   stage 3, tiles without bank conflicts (3 points):
 *     global loads <= 9000
 *     bank conflicts <= 200
 *   stage 4, few memory turns (4 points):
 *     memory turns <= 52000
 *
 * Hint 1: begin with one product kernel that serves all four products, one thread per output, one kernel for norm(),
 * and attention with one warp per query and head (14.8 and 14.9). `between` has room for what goes from one kernel to
 * the next.
 *
 * Hint 2: stage 2. Neighbouring lanes read neighbouring words: columns of B, columns of a key. A row's sum of squares
 * is a warp's work.
 *
 * Hint 3: stage 3. The product needs tiles of both operands in shared memory, attention a tile of 32 keys and 32 values
 * that all warps of a block use. A lane that has one key reads a column of the tile, so its rows have 33 words.
 *
 * Hint 4: stage 4. Every read of shared memory must serve several outputs: a thread computes 4 rows of the product (and
 * reads 4 words of A at once), and a warp has 4 queries, so that each key and value serves all of them. Shuffles take
 * no turns. Dividing a row by its norm can wait until the product is there.
 *
 * After a pass:
 * One product kernel does everything but attention: tiles in shared memory, 4 outputs per thread, the norm as a factor
 * of the row, gelu and the addition in its epilogue. Attention keeps 4 queries per warp in registers, and brings each
 * key once per block. Fewer turns need not take less time: with 256 tokens, an H100 took a sixth less for one query per
 * warp, which makes four times as many blocks. Next: a lower number of turns (tools/course.sh leaderboard), by larger
 * register tiles, then mma.
 */
#include "lab.h"

#include <math.h>
#include <stdlib.h>

enum { D = 64, HEADS = 2, WIDTH = D / HEADS, HIDDEN = 128 };
#define EPSILON 1e-5f
#define SCALE 0.17677669f /* 1 / sqrt(WIDTH) */

__device__ static float gelu(float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }

/* Everything is on the device. `between` has room for 8 * D * S numbers of yours. */
typedef struct Block {
    const float *x;    /* S x D */
    const float *wqkv; /* D x 3 D */
    const float *wo;   /* D x D */
    const float *w1;   /* D x HIDDEN */
    const float *w2;   /* HIDDEN x D */
    float *between, *z;
    int S;
} Block;

// TODO(ex22): your kernels (about 100 lines)
// >>> answer
enum { TILE = 32, ROWS = 8, EACH = TILE / ROWS, WARPS = 4, QUERIES = 4 };

/* out = A B, M x N, with K and N multiples of 32. `normed`: A's rows divided by their norms. Then gelu, then + add. */
__global__ void product_kernel(const float *A, const float *B, const float *add, float *out, int M, int N, int K,
                               int normed, int with_gelu)
{
    __shared__ float4 a_tile[TILE][TILE / 4];
    __shared__ float b_tile[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * TILE + tx, first = blockIdx.y * TILE;
    float sum[EACH] = {0}, squares[EACH] = {0};
    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int i = ty; i < TILE; i += ROWS) {
            ((float *)a_tile[i])[tx] = first + i < M ? A[(first + i) * K + k0 + tx] : 0;
            b_tile[i][tx] = B[(k0 + i) * N + column];
        }
        __syncthreads();
        for (int k = 0; k < TILE; k += 4) {
            const float b0 = b_tile[k][tx], b1 = b_tile[k + 1][tx], b2 = b_tile[k + 2][tx], b3 = b_tile[k + 3][tx];
            for (int i = 0; i < EACH; i++) {
                const float4 a = a_tile[ty * EACH + i][k / 4];
                sum[i] += a.x * b0 + a.y * b1 + a.z * b2 + a.w * b3;
                squares[i] += a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++) {
        const int row = first + ty * EACH + i;
        if (row >= M)
            break;
        float value = normed ? sum[i] / sqrtf(squares[i] / (float)K + EPSILON) : sum[i];
        value = with_gelu ? gelu(value) : value;
        out[row * N + column] = add ? value + add[row * N + column] : value;
    }
}

/* A head per blockIdx.y; 4 queries per warp. For the scores a lane has a key, for the output a column. */
__global__ void attention_kernel(const float *qkv, float *out, int S)
{
    __shared__ float keys[32][33], values[32][32];
    const int lane = threadIdx.x, warp = threadIdx.y, head = blockIdx.y * WIDTH;
    const int block = blockIdx.x * WARPS * QUERIES, first = block + warp * QUERIES;
    float q[QUERIES], max[QUERIES], sum[QUERIES], o[QUERIES];
    for (int i = 0; i < QUERIES; i++) {
        q[i] = first + i < S ? SCALE * qkv[(first + i) * 3 * D + head + lane] : 0;
        max[i] = -INFINITY, sum[i] = 0, o[i] = 0;
    }
    for (int n = 0; n < block + WARPS * QUERIES && n < S; n += 32) {
        for (int i = warp; i < 32; i += WARPS) {
            keys[i][lane] = n + i < S ? qkv[(n + i) * 3 * D + D + head + lane] : 0;
            values[i][lane] = n + i < S ? qkv[(n + i) * 3 * D + 2 * D + head + lane] : 0;
        }
        __syncthreads();
        float score[QUERIES] = {0};
        for (int d = 0; d < 32; d++) {
            const float key = keys[lane][d];
            for (int i = 0; i < QUERIES; i++)
                score[i] += __shfl_sync(0xffffffffu, q[i], d) * key;
        }
        for (int i = 0; i < QUERIES; i++) {
            const float mine = n + lane <= first + i ? score[i] : -INFINITY;
            float larger = fmaxf(max[i], mine);
            for (int step = 16; step > 0; step /= 2)
                larger = fmaxf(larger, __shfl_xor_sync(0xffffffffu, larger, step));
            score[i] = expf(mine - larger);
            float weights = score[i];
            for (int step = 16; step > 0; step /= 2)
                weights += __shfl_xor_sync(0xffffffffu, weights, step);
            const float scale = expf(max[i] - larger);
            sum[i] = sum[i] * scale + weights;
            o[i] *= scale;
            max[i] = larger;
        }
        for (int k = 0; k < 32; k++) {
            const float value = values[k][lane];
            for (int i = 0; i < QUERIES; i++)
                o[i] += __shfl_sync(0xffffffffu, score[i], k) * value;
        }
        __syncthreads();
    }
    for (int i = 0; i < QUERIES && first + i < S; i++)
        out[(first + i) * D + head + lane] = o[i] / sum[i];
}

static void product(const float *A, const float *B, const float *add, float *out, int M, int N, int K, int normed,
                    int with_gelu, cudaStream_t stream)
{
    const dim3 grid(N / TILE, (M + TILE - 1) / TILE), block(TILE, ROWS);
    product_kernel<<<grid, block, 0, stream>>>(A, B, add, out, M, N, K, normed, with_gelu);
}
// <<< answer

/* Launch everything on `stream`. */
static void transformer_block(const Block *b, cudaStream_t stream)
{
    // TODO(ex22): launch them (about 10 lines)
    // >>> answer
    // stub: (void)b, (void)stream;
    float *qkv = b->between, *a = qkv + 3 * D * b->S, *y = a + D * b->S, *hidden = y + D * b->S;
    const dim3 grid((b->S + WARPS * QUERIES - 1) / (WARPS * QUERIES), HEADS), block(32, WARPS);
    product(b->x, b->wqkv, NULL, qkv, b->S, 3 * D, D, 1, 0, stream);
    attention_kernel<<<grid, block, 0, stream>>>(qkv, a, b->S);
    product(a, b->wo, b->x, y, b->S, D, D, 0, 0, stream);
    product(y, b->w1, NULL, hidden, b->S, HIDDEN, D, 1, 1, stream);
    product(hidden, b->w2, y, b->z, b->S, D, HIDDEN, 0, 0, stream);
    // <<< answer
}

typedef void Forward(const Block *, cudaStream_t);
static const LabRung rungs[] = {{1, "block", LAB_LAUNCH(Forward, transformer_block)}};

static const char *setup(LabCase *c)
{
    const size_t S = c->dim[0], size[] = {S * D, D * 3 * D, D * D, D * HIDDEN, HIDDEN * D};
    if (S == 0 || S > 1 << 14)
        return "from 1 to 16384 tokens";
    for (int i = 0; i < 5; i++) {
        lab_input(c, i, size[i], LAB_F32);
        lab_fill_uniform(c, i, i == 0 ? -1.5 : -0.3, i == 0 ? 1.5 : 0.35);
    }
    lab_output(c, S * D, LAB_F32);
    c->out_width = D;
    c->atol = 2e-4;
    c->rtol = 2e-4;
    return NULL;
}

/* ---- the same in double ----------------------------------------------------------------------------------------- */

static void norm_cpu(const double *x, double *out, size_t S)
{
    for (size_t i = 0; i < S; i++) {
        double squares = 0;
        for (int d = 0; d < D; d++)
            squares += x[i * D + d] * x[i * D + d];
        for (int d = 0; d < D; d++)
            out[i * D + d] = x[i * D + d] / sqrt(squares / D + EPSILON);
    }
}

static void product_cpu(const double *a, const float *b, double *out, size_t M, size_t N, size_t K)
{
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < K; k++)
                sum += a[i * K + k] * b[k * N + j];
            out[i * N + j] = sum;
        }
}

/* Row i of one head; p has room for i + 1 weights. */
static void attention_row_cpu(const double *qkv, double *out, double *p, size_t i, size_t head)
{
    double max = -INFINITY, sum = 0;
    for (size_t j = 0; j <= i; j++) {
        p[j] = 0;
        for (int d = 0; d < WIDTH; d++)
            p[j] += qkv[i * 3 * D + head * WIDTH + d] * qkv[j * 3 * D + D + head * WIDTH + d];
        p[j] /= sqrt((double)WIDTH);
        max = fmax(max, p[j]);
    }
    for (size_t j = 0; j <= i; j++)
        sum += p[j] = exp(p[j] - max);
    for (int d = 0; d < WIDTH; d++) {
        double *o = &out[i * D + head * WIDTH + d];
        *o = 0;
        for (size_t j = 0; j <= i; j++)
            *o += p[j] / sum * qkv[j * 3 * D + 2 * D + head * WIDTH + d];
    }
}

static void reference(LabCase *c)
{
    const size_t S = c->dim[0];
    double *all = (double *)malloc(sizeof(double) * S * (7 * D + HIDDEN + 1));
    double *x = all, *n = x + S * D, *qkv = n + S * D, *a = qkv + 3 * S * D, *y = a + S * D, *hidden = y + S * D,
           *p = hidden + S * HIDDEN;
    for (size_t i = 0; i < S * D; i++)
        x[i] = lab_h_in_f32(c, 0)[i];
    norm_cpu(x, n, S);
    product_cpu(n, lab_h_in_f32(c, 1), qkv, S, 3 * D, D);
    for (size_t i = 0; i < S; i++)
        for (size_t head = 0; head < HEADS; head++)
            attention_row_cpu(qkv, a, p, i, head);
    product_cpu(a, lab_h_in_f32(c, 2), y, S, D, D);
    for (size_t i = 0; i < S * D; i++)
        y[i] += x[i];
    norm_cpu(y, n, S);
    product_cpu(n, lab_h_in_f32(c, 3), hidden, S, HIDDEN, D);
    for (size_t i = 0; i < S * HIDDEN; i++)
        hidden[i] *= 0.5 * (1 + tanh(sqrt(2 / M_PI) * (hidden[i] + 0.044715 * hidden[i] * hidden[i] * hidden[i])));
    product_cpu(hidden, lab_h_in_f32(c, 4), c->expect, S, D, HIDDEN);
    for (size_t i = 0; i < S * D; i++)
        c->expect[i] += y[i];
    free(all);
}

static void run(const LabRung *r, LabCase *c)
{
    float *between = (float *)lab_scratch(c, sizeof(float) * 8 * D * c->dim[0]);
    const Block b = {lab_in_f32(c, 0), lab_in_f32(c, 1), lab_in_f32(c, 2), lab_in_f32(c, 3),
                     lab_in_f32(c, 4), between,          lab_out_f32(c),   (int)c->dim[0]};
    ((Forward *)r->launch)(&b, c->stream);
}

static double flops(const LabCase *c)
{
    const double S = (double)c->dim[0];
    return 2 * S * D * (4 * D + 2 * HIDDEN) + 2 * S * S * D;
}

static const Lab lab = {
    .order = 22,
    .name = "ex22_project_block",
    .title = "a transformer's block, forward",
    .dims = "S",
    .size = "4096",
    .cpu_size = "256",
    .test_sizes = "64 1 2 33 100",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .flops = flops,
};
LAB_MAIN(lab)
