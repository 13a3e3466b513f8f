/* sort.cuh: from each token's choice to groups of rows. Three small kernels that every rung runs first. */
#ifndef EXPERTS_SORT_CUH
#define EXPERTS_SORT_CUH

#include <limits.h>

#include "problem.cuh"

enum { SORT_THREADS = 1024, MAX_EXPERTS = 256 };

/* The sum of the values of all threads before this one; *total is that of all. */
__device__ static int sum_before(int value, int *total)
{
    __shared__ int of_warp[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int sum = value;
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, sum, step);
        sum += lane >= step ? other : 0;
    }
    __syncthreads(); /* of_warp may still be read from the call before */
    if (lane == 31)
        of_warp[warp] = sum;
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < (int)blockDim.x / 32; w++) {
        before += w < warp ? of_warp[w] : 0;
        all += of_warp[w];
    }
    *total = all;
    return before + sum - value;
}

/* Pairs i .. i + 3, i a multiple of 4; INT_MAX, which is no expert, past the end. */
__device__ static int4 four_experts(const Experts &p, int i)
{
    const int pairs = p.T * p.A;
    if (i + 3 < pairs)
        return *(const int4 *)(p.expert + i);
    return make_int4(i < pairs ? p.expert[i] : INT_MAX, i + 1 < pairs ? p.expert[i + 1] : INT_MAX,
                     i + 2 < pairs ? p.expert[i + 2] : INT_MAX, INT_MAX);
}

/* A counting sort without a word between blocks: block e looks at all pairs, counts those of smaller experts, which is
 * where its own begin, and writes the numbers of its own in their order. Each warp has consecutive pairs, and
 * neighbouring lanes load neighbours. */
__global__ void __launch_bounds__(SORT_THREADS) experts_sort(Experts p)
{
    const int pairs = p.T * p.A, e = blockIdx.x, lane = threadIdx.x % 32;
    const int each = (pairs + 4 * SORT_THREADS - 1) / (4 * SORT_THREADS) * 128 /* pairs of a warp */;
    const int begin = min((int)threadIdx.x / 32 * each, pairs), end = min(begin + each, pairs);
    int smaller = 0, mine = 0, all_smaller, all_mine;
#pragma unroll 8
    for (int i = begin; i < end; i += 128) {
        const int4 v = four_experts(p, i + 4 * lane);
        smaller += (v.x < e) + (v.y < e) + (v.z < e) + (v.w < e);
        mine += (v.x == e) + (v.y == e) + (v.z == e) + (v.w == e);
    }
    sum_before(smaller, &all_smaller);
    const int before = all_smaller + sum_before(mine, &all_mine);
    int to = __shfl_sync(0xffffffffu, before, 0); /* where the warp's pairs begin */
    for (int i = begin; i < end; i += 128) {
        const int4 v = four_experts(p, i + 4 * lane);
        const int four[4] = {v.x, v.y, v.z, v.w};
        unsigned who[4];
        int place = to;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            who[j] = __ballot_sync(0xffffffffu, four[j] == e);
            place += __popc(who[j] & ((1u << lane) - 1));
            to += __popc(who[j]);
        }
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (four[j] == e)
                p.order[place++] = i + 4 * lane + j;
    }
    if (threadIdx.x == 0) {
        p.offset[e] = all_smaller;
        if (e == p.E - 1)
            p.offset[p.E] = all_smaller + all_mine;
    }
}

/* rows[i] = x[order[i] / A]: a warp per row, eight loads of 16 bytes of each lane on their way at a time. */
__global__ void __launch_bounds__(256) experts_gather(Experts p)
{
    const int i = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, pieces = p.K / 8;
    if (i >= p.T * p.A)
        return;
    const uint4 *from = (const uint4 *)(p.x + (size_t)(p.order[i] / p.A) * p.K);
    uint4 *to = (uint4 *)(p.rows + (size_t)i * p.K);
    for (int k = lane; k < pieces; k += 8 * 32) {
        uint4 v[8];
#pragma unroll
        for (int j = 0; j < 8; j++)
            v[j] = k + j * 32 < pieces ? from[k + j * 32] : make_uint4(0, 0, 0, 0);
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (k + j * 32 < pieces)
                to[k + j * 32] = v[j];
    }
}

/* The heights that the products are made for: multiples of 8, close together where the tiles of large groups are. */
#define EXPERT_HEIGHTS(f) f(16) f(32) f(64) f(112) f(120) f(128) f(136) f(144) f(152) f(160) f(168)
enum { MOST_ROWS = 168 };

/* The least of these heights that has room for `rows`. */
__device__ __forceinline__ int fitting_height(int rows)
{
#define FITS(h)                                                                                                        \
    if (rows <= h)                                                                                                     \
        return h;
    EXPERT_HEIGHTS(FITS)
#undef FITS
    return MOST_ROWS;
}

/* The list of tiles, by one block. With `fixed` each tile is that high, and a group's last one mostly computes rows of the
 * next group. Without, a group is cut into as few tiles as possible, whose heights differ by 8 at most, so that only the
 * last one computes rows past the group's end, 7 at most. Experts with high tiles come first: tiles
 * that run at the same time take the same time, and those that end the list are the smallest. (With neighbours that share
 * columns of w instead of rows of x the products were slower.) */
__global__ void __launch_bounds__(SORT_THREADS) experts_plan(Experts p, int fixed)
{
    __shared__ int heights[MAX_EXPERTS], cut_rows[MAX_EXPERTS], by_place[MAX_EXPERTS], begin[MAX_EXPERTS];
    const int t = threadIdx.x, pairs = (p.N + CLUSTER_COLUMNS - 1) / CLUSTER_COLUMNS;
    const int rows = t < p.E ? p.offset[t + 1] - p.offset[t] : 0, most = fixed ? fixed : MOST_ROWS;
    const int cuts = (rows + most - 1) / most, each = !rows   ? 0
                                                      : fixed ? fixed
                                                              : ((rows + 7) / 8 + cuts - 1) / cuts * 8;
    const int height = fixed ? each : each ? fitting_height(each) : 0;
    if (t < p.E) {
        heights[t] = height;
        cut_rows[t] = each;
    }
    __syncthreads();
    int place = 0, total; /* of this expert in the order of heights */
    for (int other = 0; other < p.E; other++)
        place += heights[other] > height || (heights[other] == height && other < t);
    if (t < p.E)
        by_place[place] = cuts * pairs;
    __syncthreads();
    const int before = sum_before(t < p.E ? by_place[t] : 0, &total);
    __syncthreads();
    if (t < p.E)
        by_place[t] = before;
    __syncthreads();
    if (t < p.E)
        begin[t] = by_place[place];
    __syncthreads();
    for (int e = t / 32; e < p.E; e += SORT_THREADS / 32) { /* a warp writes an expert's tiles */
        const int of_e = p.offset[e + 1] - p.offset[e], high = cut_rows[e], n = high ? (of_e + most - 1) / most : 0;
        /* Cuts of `high` rows, then those that are 8 less. */
        const int highs = fixed || !n ? n : ((of_e + 7) / 8 - 1) % n + 1;
        for (int i = t % 32; i < n * pairs; i += 32) { /* neighbours in the list share rows of x */
            const int cut = i / pairs, row = cut * high - (cut > highs ? (cut - highs) * 8 : 0),
                      each_row = min(cut < highs ? high : high - 8, of_e - row);
            p.tiles[begin[e] + i] =
                ExpertTile{p.offset[e] + row, each_row, fixed ? fixed : fitting_height(each_row), e, i % pairs};
        }
    }
    if (t == 0)
        *p.tile_count = total;
}

static void experts_sort_launch(const Experts *p, cudaStream_t stream)
{
    experts_sort<<<(unsigned)p->E, SORT_THREADS, 0, stream>>>(*p);
}
static void experts_gather_launch(const Experts *p, cudaStream_t stream)
{
    experts_gather<<<(unsigned)(p->T * p->A + 7) / 8, 256, 0, stream>>>(*p);
}
static void experts_plan_launch(const Experts *p, int fixed, cudaStream_t stream)
{
    experts_plan<<<1, SORT_THREADS, 0, stream>>>(*p, fixed);
}

#endif
