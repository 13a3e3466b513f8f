/* sent_sums.cuh: rung 10 of norms. As in rung 9, clusters stay, keep their columns' weights, and take their rows by ticket.
 * There a barrier of the cluster tells when a row's sums are all there. Its arrival is a release: the thread waits until
 * what it stored before has left the multiprocessor, and that is all of a row's results. Here no thread waits for stores:
 * the sums are sent by st.async, and an mbarrier in each block counts the bytes that have landed.
 *
 *     registers        the weights of the block's columns
 *     shared memory    its part of the row at hand, and of the next one; AHEAD: and of the one after that
 *
 * A vector of the row after next is asked for in the place of a vector just stored: behind the stores, as they are let
 * through. Where a row has more arithmetic than stores to wait for (LayerNorm in bf16, with 8 or more blocks), it is asked
 * for AHEAD of them, as soon as the next row is there, in places of its own. */
#ifndef NORMS_SENT_SUMS_CUH
#define NORMS_SENT_SUMS_CUH

#include "kept_weights.cuh"

#include "hopper.cuh"

/* Eight rows' sums have places of their own. Those of four rows are used again when all warps of the cluster have read
 * them: a warp arrives at a second mbarrier of each block, once for the four. By then all have long done so: nobody waits
 * there. */
enum { SENT_TURNS = 8, SENT_ROWS = 4 };

/* The address of block `rank`'s object that is at the same place as this block's `p`. */
__device__ static uint32_t there(const void *p, int rank)
{
    uint32_t address;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(p)), "r"(rank));
    return address;
}

/* What a warp sends: its mean and sum of squares. The ticket is a row, of the cluster's first warp. */
struct __align__(16) Sent
{
    float2 sums;
    unsigned ticket, unused;
};

/* To the same place in block `rank` of the cluster as `place` is in this one; `bar` there counts the bytes. */
__device__ static void send_to(int rank, const Sent *place, float2 sums, unsigned ticket, const uint64_t *bar)
{
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %3}, [%4];" ::"r"(
            there(place, rank)),
        "r"(__float_as_uint(sums.x)), "r"(__float_as_uint(sums.y)), "r"(ticket), "r"(there(bar, rank))
        : "memory");
}

/* For what other blocks sent. */
__device__ static void wait_for_sent(const uint64_t *bar, int parity)
{
    uint32_t done;
    do
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(shared_address(bar)), "r"(parity)
                     : "memory");
    while (!done);
}

/* Scale and mean of a row from what its warps sent, read once: differences are taken from the first warp's mean, as they
 * are from one of a thread's numbers in KeptPart::sums(). */
template <bool RMS, bool WHOLE, typename T>
__device__ static float2 merged_at_once(const KeptPart<T> &part, const Sent *of, int warps)
{
    const float all = (float)part.row_vectors * Vector<T>::COUNT, shift = RMS ? 0 : of[0].sums.x;
    float sum = 0, squares = 0;
    for (int w = threadIdx.x % 32; w < warps; w += 32) {
        const float2 sums = of[w].sums;
        const float count = RMS ? 0 : part.template count<WHOLE>(w), d = sums.x - shift;
        sum += count * d;
        squares += sums.y + count * d * d;
    }
    squares = warp_sum(squares);
    if (RMS)
        return make_float2(rsqrtf(squares / all + EPSILON), 0);
    sum = warp_sum(sum);
    return make_float2(rsqrtf(fmaxf(squares - sum * (sum / all), 0) / all + EPSILON), shift + sum / all);
}

/* Two fused operations instead of three: (x - mean) * scale is x * scale + offset, with offset = -mean * scale. */
template <typename T, bool RMS>
__device__ static Vector<T> scaled(const Vector<T> &x, const Vector<T> &weight, const Vector<T> &bias, float scale,
                                   float offset)
{
    Unpacked<T> u(x, weight, bias);
    Vector<T> y;
#pragma unroll
    for (int j = 0; j < Vector<T>::COUNT; j++)
        u.x[j] = RMS ? u.x[j] * scale * u.weight[j] : fmaf(fmaf(u.x[j], scale, offset), u.weight[j], u.bias[j]);
    y.set(u.x);
    return y;
}

/* The compiler would unpack the weights before the loop over the rows, and spill what it unpacked. */
template <typename T> __device__ static void stays_packed(Vector<T> &v)
{
    asm volatile("" : "+r"(v.bits.x), "+r"(v.bits.y), "+r"(v.bits.z), "+r"(v.bits.w));
}

/* This thread's vectors of a row's part in shared memory. */
template <typename T> struct SentRow {
    Vector<T> *first;
    __device__ const Vector<T> &operator[](int e) const { return first[e * KEPT_THREADS]; }
};

template <typename T, bool RMS, bool WHOLE, bool AHEAD>
__global__ void __launch_bounds__(KEPT_THREADS, 1)
    norm_kernel10(const Vector<T> *x, const Vector<T> *weight, const Vector<T> *bias, Vector<T> *y, unsigned rows,
                  int row_vectors, int blocks)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) uint4 norm_kept[];          /* 2 or 3 rows: KEPT_PART vectors each */
    __shared__ Sent sent[SENT_TURNS][KEPT_WARPS * KEPT_CLUSTER]; /* in turns */
    __shared__ uint64_t landed[SENT_TURNS], were_read[SENT_TURNS / SENT_ROWS];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const int rank = cluster.block_rank(), lane = threadIdx.x % 32, warp = rank * KEPT_WARPS + threadIdx.x / 32;
    const KeptPart<T> part = {x, NULL, row_vectors, rank * KEPT_PART + (int)threadIdx.x};
    const unsigned clusters = gridDim.x / blocks;
    constexpr int PAIR = WHOLE ? 2 : 1; /* vectors at a time: the arithmetic of one hides the latency of the other */
    const bool draws = warp == 0;
    unsigned row = blockIdx.x / blocks, row1 = row + clusters, row2 = row1 + clusters; /* at hand, and the next two */
    Vector<T> *const places = (Vector<T> *)norm_kept + threadIdx.x;
    int here = 0, following = KEPT_PART, third = AHEAD ? 2 * KEPT_PART : 0; /* where these rows' parts are */
    const auto ask = [&](int part_at, unsigned which) {
        if (which < rows) {
            const Vector<T> *from = x + (size_t)which * row_vectors + part.first;
#pragma unroll
            for (int e = 0; e < KEPT_EACH; e++)
                if (part.template has<WHOLE>(e))
                    cp_async_16(&places[part_at + e * KEPT_THREADS], &from[e * KEPT_THREADS]);
        }
        cp_async_commit();
    };
    ask(here, row);
    ask(following, row1);
    Vector<T> w[KEPT_EACH] = {}, b[KEPT_EACH] = {};
#pragma unroll
    for (int e = 0; e < KEPT_EACH; e++)
        if (part.template has<WHOLE>(e)) {
            w[e].bits = weight[part.first + e * KEPT_THREADS].bits;
            if (!RMS)
                b[e].bits = bias[part.first + e * KEPT_THREADS].bits;
        }
    if (threadIdx.x == 0) {
        for (int i = 0; i < SENT_TURNS; i++)
            mbarrier_init(shared_address(&landed[i]), 1);
        for (int i = 0; i < SENT_TURNS / SENT_ROWS; i++)
            mbarrier_init(shared_address(&were_read[i]), blocks * KEPT_WARPS);
        mbarrier_init_fence();
    }
    /* The sums of the cluster's row n, counted from 0. */
    const auto send = [&](float2 sums, unsigned ticket, int n) {
        const int turn = n % SENT_TURNS;
        if (n % SENT_ROWS == 0)
            mbarrier_wait(shared_address(&were_read[turn / SENT_ROWS]), n / SENT_TURNS % 2 ^ 1);
        if (threadIdx.x == 0)
            mbarrier_arrive_expect(shared_address(&landed[turn]), blocks * KEPT_WARPS * sizeof(Sent));
        if (draws)
            ticket = __shfl_sync(0xffffffffu, ticket, 0);
        if (lane < blocks)
            send_to(lane, &sent[turn][warp], sums, ticket, &landed[turn]);
    };
    cluster.sync(); /* all blocks have begun: they may be sent to */
    cp_async_wait<1>();
    send(part.template sums<RMS, WHOLE>(SentRow<T>{places + here}, warp), row2 + clusters, 0);
    for (int n = 0;; n++) { /* the first four rows need no ticket */
        const int turn = n % SENT_TURNS;
        const bool more = row1 < rows;
        unsigned ticket = rows;
        if (draws && lane == 0 && row2 < rows)
            ticket = 4 * clusters + atomicAdd(&norm_tickets, 1u); /* arrives while the warp waits for its next row */
        // notes: sent
        cp_async_wait<0>();
        if (AHEAD)
            ask(third, row2);
        if (more)
            send(part.template sums<RMS, WHOLE>(SentRow<T>{places + following}, warp), ticket, n + 1);
        wait_for_sent(&landed[turn], n / SENT_TURNS % 2);
        const unsigned row3 = sent[turn][0].ticket;
        const float2 stat = merged_at_once<RMS, WHOLE>(part, sent[turn], blocks * KEPT_WARPS);
        if (n % SENT_ROWS == SENT_ROWS - 1) {
            __syncwarp();
            if (lane < blocks)
                mbarrier_arrive_cluster(shared_address(&were_read[turn / SENT_ROWS]), lane);
        }
        // notes end
        Vector<T> *to = y + (size_t)row * row_vectors + part.first;
        const Vector<T> *from = x + (size_t)row2 * row_vectors + part.first;
        const bool asks = !AHEAD && row2 < rows;
#pragma unroll
        for (int e = 0; e < KEPT_EACH; e += PAIR) {
#pragma unroll
            for (int i = e; i < e + PAIR; i++)
                if (part.template has<WHOLE>(i))
                    to[i * KEPT_THREADS].bits =
                        scaled<T, RMS>(places[here + i * KEPT_THREADS], w[i], b[i], stat.x, -stat.y * stat.x).bits;
#pragma unroll
            for (int i = e; i < e + PAIR; i++)
                if (asks && part.template has<WHOLE>(i))
                    cp_async_16(&places[here + i * KEPT_THREADS], &from[i * KEPT_THREADS]);
            if (AHEAD)
                __syncwarp(); /* the compiler would load all vectors at once, and spill them */
            if (!WHOLE) {
                stays_packed(w[e]);
                stays_packed(b[e]);
            }
        }
        cp_async_commit();
        if (!more)
            break;
        const int done = here;
        here = following;
        following = AHEAD ? third : done;
        third = done;
        row = row1;
        row1 = row2;
        row2 = row3;
    }
    cluster.sync(); /* all have arrived at this block's mbarriers */
    if (draws && lane == 0 && atomicAdd(&norm_done, 1u) == clusters - 1) { /* all have taken their last */
        atomicExch(&norm_tickets, 0u);
        atomicExch(&norm_done, 0u);
    }
#endif
}

#endif
