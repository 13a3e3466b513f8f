/* 07_persistent.cuh: one block per multiprocessor, and the longest tiles first. (Rungs 7 and 8; before:
 * 05_ping_pong.cuh.)
 *
 * A block computes tile after tile: the producer fetches the next tile's queries and keys while the consumers finish
 * this one's, and one consumer's results leave while the other still multiplies. Tiles are handed out by a counter in
 * memory, so that a block that is done early takes the next. With `causal` the tiles of a head are of all lengths:
 * they go out from the longest to the shortest, head after head, so that blocks read the same keys at about the same
 * time, from L2, and the last tiles of all are short ones. The producer takes the number and passes it to the
 * consumers through shared memory; the block that takes the last of all sets the counter back.
 *
 *   GROUPS      consumers of 64 queries each, which take turns at the tensor cores in a round
 *   Q_SLOTS     tiles of queries in shared memory: 2, and the next one's are there before this one's results are stored
 *   POLYNOMIAL  of each eight exponentials, how many are computed by polynomial (rung 8). At D = 64 the special
 *               function unit needs as long for its exponentials, 16 per cycle, as the tensor cores for their
 *               products. But a polynomial takes nine instructions: measured, it only loses
 *   LSE         the logarithm of each query's sum of exponentials goes to lse[batch][head][length]: what the backward
 *               pass wants */
#ifndef ATTENTION_07_PERSISTENT_CUH
#define ATTENTION_07_PERSISTENT_CUH

#include "05_ping_pong.cuh"

/* The next tile to hand out; 0 before and after each launch. One launch at a time. */
static __device__ unsigned attention_next_tile;

typedef struct AttentionTile {
    int query, head, kv_head, batch, steps;
} AttentionTile;

template <int BM, int BN, bool CAUSAL>
__device__ __forceinline__ AttentionTile attention_tile(int number, int length, int heads, int kv_heads)
{
    const int a_head = (length + BM - 1) / BM, m = number % a_head, head = number / a_head % heads;
    const int query = (CAUSAL ? a_head - 1 - m : m) * BM, keys = CAUSAL ? min(query + BM, length) : length;
    return AttentionTile{query, head, head / (heads / kv_heads), number / a_head / heads, (keys + BN - 1) / BN};
}

template <int D, int BN, int GROUPS, int STAGES, int Q_SLOTS, bool CAUSAL, int POLYNOMIAL, bool LSE>
__global__ void __launch_bounds__((GROUPS + 1) * 128, 1)
    attention_kernel7(const __grid_constant__ AttentionMaps maps, int length, int heads, int kv_heads, int tiles,
                      float *lse)
{
#ifdef HOPPER_CODE
    using S = AttentionSmem<D, BN, GROUPS, STAGES, Q_SLOTS>;
    constexpr int BM = GROUPS * 64, TURN = 4; /* the first of the barriers that hand turns on */
    extern __shared__ uint8_t raw[];
    __shared__ int tile_number[2];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, ks = smem + S::K, vs = smem + S::V;
    const uint32_t q_full = smem + S::BARRIERS, q_empty = q_full + 8 * Q_SLOTS * GROUPS,
                   k_full = q_empty + 8 * Q_SLOTS * GROUPS, k_empty = k_full + 8 * STAGES,
                   v_full = k_empty + 8 * STAGES, v_empty = v_full + 8 * STAGES, tile_full = v_empty + 8 * STAGES,
                   tile_empty = tile_full + 16;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;

    if (threadIdx.x == 0) {
        for (int i = 0; i < Q_SLOTS * GROUPS; i++) {
            mbarrier_init(q_full + 8 * i, 1);
            mbarrier_init(q_empty + 8 * i, 1);
        }
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(k_full + 8 * s, 1);
            mbarrier_init(v_full + 8 * s, 1);
            mbarrier_init(k_empty + 8 * s, GROUPS);
            mbarrier_init(v_empty + 8 * s, GROUPS);
        }
        for (int s = 0; s < 2; s++) {
            mbarrier_init(tile_full + 8 * s, 1);
            mbarrier_init(tile_empty + 8 * s, GROUPS * 128);
        }
        mbarrier_init_fence();
    }
    __syncthreads();

    if (group == GROUPS) { /* ------------------------------------------------------------------------- producer */
        registers_give<GROUPS == 2 ? 40 : 32>();
        if (t == 0) {
            tma_prefetch_map(&maps.q);
            tma_prefetch_map(&maps.k);
            tma_prefetch_map(&maps.v);
            tma_prefetch_map(&maps.o);
            RingPlace<STAGES> k_at(1), v_at(1);
            RingPlace<Q_SLOTS> q_at(1);
            RingPlace<2> tile_at(1);
            for (int number = blockIdx.x;; tile_at.next()) {
                mbarrier_wait(tile_empty + 8 * tile_at.slot, tile_at.parity);
                *(volatile int *)&tile_number[tile_at.slot] = number;
                mbarrier_arrive(tile_full + 8 * tile_at.slot);
                if (number >= tiles)
                    break;
                const AttentionTile tile = attention_tile<BM, BN, CAUSAL>(number, length, heads, kv_heads);
                for (int n = tile.steps - 1; n >= -1; n--) {
                    if (n >= 0) {
                        mbarrier_wait(k_empty + 8 * k_at.slot, k_at.parity);
                        fetch_tile<D>(ks + k_at.slot * S::KV_BYTES, &maps.k, BN, n * BN, tile.kv_head, tile.batch,
                                      k_full + 8 * k_at.slot);
                        k_at.next();
                    }
                    if (n == tile.steps - 1) { /* after the first keys, which need no place to be given back */
#pragma unroll 1
                        for (int g = 0; g < GROUPS; g++) {
                            const int place = q_at.slot * GROUPS + g;
                            mbarrier_wait(q_empty + 8 * place, q_at.parity);
                            fetch_tile<D>(smem + place * S::Q_BYTES, &maps.q, 64, tile.query + g * 64, tile.head,
                                          tile.batch, q_full + 8 * place);
                        }
                        q_at.next();
                    } else {
                        mbarrier_wait(v_empty + 8 * v_at.slot, v_at.parity);
                        fetch_tile<D>(vs + v_at.slot * S::KV_BYTES, &maps.v, BN, (n + 1) * BN, tile.kv_head, tile.batch,
                                      v_full + 8 * v_at.slot);
                        v_at.next();
                    }
                }
                /* All blocks together take `tiles` numbers: those above the grid's first, and one too many each. */
                const unsigned taken = atomicAdd(&attention_next_tile, 1u);
                if (taken == tiles - 1u)
                    attention_next_tile = 0;
                number = gridDim.x + taken;
            }
        }
    } else { /* ------------------------------------------------------------------------------------- consumers */
        registers_take<GROUPS == 2 ? 232 : 160>();
        const float c = exponent_scale(D);
        RingPlace<STAGES> k_at(0), v_at(0);
        RingPlace<Q_SLOTS> q_at(0);
        RingPlace<2> tile_at(0);
        uint32_t stored = 0; /* the barrier of the queries' place that a store may still be reading; 0: none */
        if (group == GROUPS - 1)
            named_barrier_arrive(TURN, 256); /* the first turn is group 0's */
        for (;; tile_at.next()) {
            mbarrier_wait(tile_full + 8 * tile_at.slot, tile_at.parity);
            const int number = *(volatile int *)&tile_number[tile_at.slot];
            mbarrier_arrive(tile_empty + 8 * tile_at.slot);
            if (number >= tiles)
                break;
            const AttentionTile tile = attention_tile<BM, BN, CAUSAL>(number, length, heads, kv_heads);
            const int first = tile.query + group * 64, row = first + t / 32 * 16 + t % 32 / 4;
            const int last0 = CAUSAL ? min(row, length - 1) : length - 1,
                      last1 = CAUSAL ? min(row + 8, length - 1) : length - 1,
                      last_of_all = CAUSAL ? min(first, length - 1) : length - 1;
            const int place = q_at.slot * GROUPS + group;
            const uint32_t q = smem + place * S::Q_BYTES;
            OnlineRows rows = {{-INFINITY, -INFINITY}, {0, 0}};
            float s[BN / 2], o[D / 2], scale[2];
            uint32_t p[BN / 4];
#pragma unroll
            for (int i = 0; i < D / 2; i++)
                o[i] = 0;
            mbarrier_wait(k_full + 8 * k_at.slot, k_at.parity);
            mbarrier_wait(q_full + 8 * place, q_at.parity);
            wgmma_fence();
            issue_scores<D, BN>(s, q, ks + k_at.slot * S::KV_BYTES);
            wgmma_commit();
            if (Q_SLOTS > 1 && t == 0 && stored) { /* the last tile's results have had time to leave */
                tma_store_wait_read<0>();
                mbarrier_arrive(stored);
            }
            wgmma_wait<0>();
            wgmma_pin(s);
            if (t == 0)
                mbarrier_arrive(k_empty + 8 * k_at.slot);
            k_at.next();
            if (tile.steps * BN > last_of_all + 1)
                online_mask(s, (tile.steps - 1) * BN + t % 4 * 2, last0, last1);
            online_softmax<POLYNOMIAL>(s, c, rows, scale);
            online_pack(p, s);
            for (int n = tile.steps - 2; n >= 0; n--) {
                mbarrier_wait(k_full + 8 * k_at.slot, k_at.parity);
                named_barrier(TURN + group, 256); /* my turn */
                wgmma_fence();
                issue_scores<D, BN>(s, q, ks + k_at.slot * S::KV_BYTES);
                wgmma_commit();
                mbarrier_wait(v_full + 8 * v_at.slot, v_at.parity);
                wgmma_fence();
                issue_values<D, BN>(o, p, vs + v_at.slot * S::KV_BYTES);
                wgmma_commit();
                named_barrier_arrive(TURN + (group + 1) % GROUPS, 256); /* the next one's */
                wgmma_wait<1>();
                wgmma_pin(s);
                if (t == 0)
                    mbarrier_arrive(k_empty + 8 * k_at.slot);
                if ((n + 1) * BN > last_of_all + 1)
                    online_mask(s, n * BN + t % 4 * 2, last0, last1);
                online_softmax<POLYNOMIAL>(s, c, rows, scale);
                online_settle(rows);
                wgmma_wait<0>();
                wgmma_pin(o);
                if (t == 0)
                    mbarrier_arrive(v_empty + 8 * v_at.slot);
                online_rescale(o, scale);
                online_pack(p, s);
                k_at.next();
                v_at.next();
            }
            mbarrier_wait(v_full + 8 * v_at.slot, v_at.parity);
            wgmma_fence();
            issue_values<D, BN>(o, p, vs + v_at.slot * S::KV_BYTES);
            wgmma_commit();
            wgmma_wait<0>();
            wgmma_pin(o);
            if (t == 0)
                mbarrier_arrive(v_empty + 8 * v_at.slot);
            v_at.next();
            if (LSE)
                online_lse(rows, c, lse + ((size_t)tile.batch * heads + tile.head) * length, row, length);
            online_finish(o, rows);
            write_boxes<D>(o, q, t);
            fence_proxy_async();
            named_barrier(1 + group, 128);
            if (t == 0) {
                for (int box = 0; box < D / 64; box++)
                    tma_store_heads(&maps.o, box * 64, first, tile.head, tile.batch, q + box * 64 * 128);
                tma_store_commit();
                if (Q_SLOTS == 1) {
                    tma_store_wait_read<0>();
                    mbarrier_arrive(q_empty + 8 * place);
                }
            }
            stored = q_empty + 8 * place;
            q_at.next();
        }
        if (group == 0)
            named_barrier(TURN, 256); /* takes what the last group arrived for at the end of its last turn */
        if (t == 0)
            tma_store_wait_read<0>();
    }
#endif
}

template <int D, int BN, int GROUPS, int STAGES, int Q_SLOTS, bool CAUSAL, int POLYNOMIAL, bool LSE = false>
static const char *attention7_launch(const Attention *a, cudaStream_t stream, float *lse = NULL)
{
    using S = AttentionSmem<D, BN, GROUPS, STAGES, Q_SLOTS>;
    constexpr int BM = GROUPS * 64;
    auto kernel = attention_kernel7<D, BN, GROUPS, STAGES, Q_SLOTS, CAUSAL, POLYNOMIAL, LSE>;
    AttentionMaps maps;
    const char *why = attention_maps(&maps, a, BN);
    if (!why)
        why = raise_shared((const void *)kernel, S::TOTAL);
    if (why)
        return why;
    int device = 0, multiprocessors = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        return "the device does not say how many multiprocessors it has";
    const int tiles = (a->length + BM - 1) / BM * a->heads * a->batch;
    const int blocks = tiles < multiprocessors ? tiles : multiprocessors;
    kernel<<<blocks, (GROUPS + 1) * 128, S::TOTAL, stream>>>(maps, a->length, a->heads, a->kv_heads, tiles, lse);
    return NULL;
}

#endif
