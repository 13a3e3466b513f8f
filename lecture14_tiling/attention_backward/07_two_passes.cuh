/* 07_two_passes.cuh: dq in a separate pass. (Rung 7; before: 06_overlap.cuh.)
 *
 * The first pass computes dv and dk as in rung 6, without dq; the second has a tile of queries in each block, walks over
 * their keys as the forward pass does, and computes the scores and dp once more: seven products instead of five, but
 * every sum has one order, and no sums of dq go through memory. */
#ifndef ATTENTION_BACKWARD_07_TWO_PASSES_CUH
#define ATTENTION_BACKWARD_07_TWO_PASSES_CUH

#include "04_wgmma.cuh"

/* A block has 128 queries, 64 per consumer; keys and values come 128 at a time through a ring of two. */
template <int D> struct BackwardQuerySmem {
    enum {
        STAGES = 2,
        Q_BYTES = 64 * D * 2, /* a group's queries, or their gradients */
        KV_BYTES = BACKWARD_BN * D * 2,
        Q = 0,
        G = Q + 2 * Q_BYTES,
        K = G + 2 * Q_BYTES,
        V = K + STAGES * KV_BYTES,
        BARRIERS = V + STAGES * KV_BYTES,
        TOTAL = 1024 + BARRIERS + 8 * (1 + 2 * STAGES),
    };
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

typedef struct BackwardQueryMaps {
    CUtensorMap q, grad, k, v, dq;
} BackwardQueryMaps;

template <int D, bool CAUSAL>
__global__ void __launch_bounds__(3 * 128, 1)
    attention_backward_kernel7(const __grid_constant__ BackwardQueryMaps maps, const __grid_constant__ Backward b)
{
#ifdef HOPPER_CODE
    constexpr int BM = BACKWARD_BM<D>, BN = BACKWARD_BN;
    using S = BackwardQuerySmem<D>;
    constexpr int PRODUCER = 40, CONSUMER = 232; /* registers per thread */
    static_assert(backward_registers<PRODUCER, CONSUMER>, "the consumers would wait for registers");
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t q_full = smem + S::BARRIERS, kv_full = q_full + 8, kv_empty = kv_full + 8 * S::STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const Attention &a = b.a;
    const int tile = CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x; /* the longest first */
    const int query = tile * 128, batch = blockIdx.y / a.heads, head = blockIdx.y % a.heads;
    const int kv_head = head / (a.heads / a.kv_heads);
    const int keys = CAUSAL ? min(query + 128, a.length) : a.length, steps = (keys + BN - 1) / BN;

    if (threadIdx.x == 0) {
        mbarrier_init(q_full, 1);
        for (int s = 0; s < S::STAGES; s++) {
            mbarrier_init(kv_full + 8 * s, 1);
            mbarrier_init(kv_empty + 8 * s, 2);
        }
        mbarrier_init_fence();
    }
    __syncthreads();

    if (group == 2) { /* producer */
        registers_give<PRODUCER>();
        if (t == 0) {
            RingPlace<S::STAGES> at(1);
            mbarrier_arrive_expect(q_full, 4 * S::Q_BYTES);
            for (int g = 0; g < 2; g++)
                for (int box = 0; box < D / 64; box++) {
                    const uint32_t to = smem + g * S::Q_BYTES + box * 64 * 128;
                    tma_load_heads(to + S::Q, &maps.q, box * 64, query + g * 64, head, batch, q_full);
                    tma_load_heads(to + S::G, &maps.grad, box * 64, query + g * 64, head, batch, q_full);
                }
            for (int n = 0; n < steps; n++, at.next()) {
                mbarrier_wait(kv_empty + 8 * at.slot, at.parity);
                mbarrier_arrive_expect(kv_full + 8 * at.slot, 2 * S::KV_BYTES);
                for (int box = 0; box < D / 64; box++) {
                    const uint32_t to = smem + at.slot * S::KV_BYTES + box * BN * 128;
                    tma_load_heads(to + S::K, &maps.k, box * 64, n * BN, kv_head, batch, kv_full + 8 * at.slot);
                    tma_load_heads(to + S::V, &maps.v, box * 64, n * BN, kv_head, batch, kv_full + 8 * at.slot);
                }
            }
        }
    } else { /* consumers */
        registers_take<CONSUMER>();
        const float c = exponent_scale(D);
        const uint32_t q = smem + S::Q + group * S::Q_BYTES, g = smem + S::G + group * S::Q_BYTES;
        const int first = query + group * 64, row = first + t / 32 * 16 + t % 32 / 4;
        const int last0 = CAUSAL ? min(row, a.length - 1) : a.length - 1,
                  last1 = CAUSAL ? min(row + 8, a.length - 1) : a.length - 1,
                  last_of_all = CAUSAL ? min(first, a.length - 1) : a.length - 1;
        float lse[2], delta[2];
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int mine = row + 8 * h, in_tile = mine % BM;
            const float *rows = hopper_rows(b, blockIdx.y, mine / BM) + in_tile / 64 * 128 + in_tile % 64;
            lse[h] = mine < a.length ? rows[0] : INFINITY;
            delta[h] = mine < a.length ? rows[64] : 0;
        }
        RingPlace<S::STAGES> at(0);
        float dq[D / 2];
        uint32_t ds[BN / 4];
#pragma unroll
        for (int i = 0; i < D / 2; i++)
            dq[i] = 0;
        mbarrier_wait(q_full, 0);
        for (int n = 0; n < steps; n++, at.next()) {
            const uint32_t k = smem + S::K + at.slot * S::KV_BYTES, v = smem + S::V + at.slot * S::KV_BYTES;
            float s[BN / 2], dp[BN / 2];
            mbarrier_wait(kv_full + 8 * at.slot, at.parity);
            wgmma_fence();
            issue_scores<D, BN>(s, q, k);
            wgmma_commit();
            issue_scores<D, BN>(dp, g, v);
            wgmma_commit();
            wgmma_wait<1>();
            wgmma_pin(s);
            if ((n + 1) * BN > last_of_all + 1)
                online_mask(s, n * BN + t % 4 * 2, last0, last1);
#pragma unroll
            for (int i = 0; i < BN / 2; i++)
                s[i] = exp2_approximate(fmaf(s[i], c, -lse[i / 2 % 2]));
            wgmma_wait<0>();
            wgmma_pin(dp);
#pragma unroll
            for (int i = 0; i < BN / 2; i++)
                s[i] *= dp[i] - delta[i / 2 % 2];
            online_pack(ds, s);
            wgmma_fence();
            issue_values<D, BN>(dq, ds, k);
            wgmma_commit();
            wgmma_wait<0>();
            wgmma_pin(dq);
            if (t == 0)
                mbarrier_arrive(kv_empty + 8 * at.slot);
        }
        const float scale = rsqrtf(D);
#pragma unroll
        for (int i = 0; i < D / 2; i++)
            dq[i] *= scale;
        write_boxes<D>(dq, q, t);
        fence_proxy_async();
        named_barrier(1 + group, 128);
        if (t == 0) {
            for (int box = 0; box < D / 64; box++)
                tma_store_heads(&maps.dq, box * 64, first, head, batch, q + box * 64 * 128);
            tma_store_commit();
            tma_store_wait_read<0>();
        }
    }
#endif
}

template <int D, bool CAUSAL> static const char *attention_backward7_launch(const Backward *b, cudaStream_t stream)
{
    const Attention *a = &b->a;
    const auto first = attention_backward_kernel4<D, CAUSAL, DQ_NONE, true>;
    const auto second = attention_backward_kernel7<D, CAUSAL>;
    const void *base[5] = {a->q, b->grad, a->k, a->v, b->dq};
    BackwardMaps maps;
    BackwardQueryMaps query_maps;
    CUtensorMap *map[5] = {&query_maps.q, &query_maps.grad, &query_maps.k, &query_maps.v, &query_maps.dq};
    const char *why = backward_maps(&maps, b);
    for (int i = 0; i < 5 && !why; i++) {
        const bool key = i == 2 || i == 3;
        why = tensor_map_heads(map[i], base[i], a->batch, a->length, key ? a->kv_heads : a->heads, D, key ? 128 : 64);
    }
    if (!why)
        why = raise_shared((const void *)first, BackwardSmem<D, 2, 2>::TOTAL);
    if (!why)
        why = raise_shared((const void *)second, BackwardQuerySmem<D>::TOTAL);
    if (why)
        return why;
    const unsigned heads = (unsigned)(a->batch * a->heads), tiles = (unsigned)(a->length + 127) / 128;
    attention_backward4_rows<D><<<dim3((unsigned)backward_tiles(*a), heads), 256, 0, stream>>>(*b);
    first<<<dim3(tiles, (unsigned)(a->batch * a->kv_heads)), 3 * 128, BackwardSmem<D, 2, 2>::TOTAL, stream>>>(maps, *b);
    second<<<dim3(tiles, heads), 3 * 128, BackwardQuerySmem<D>::TOTAL, stream>>>(query_maps, *b);
    return NULL;
}

static const char *attention_backward7(const Backward *b, cudaStream_t stream)
{
    if (b->a.width == 64)
        return b->a.causal ? attention_backward7_launch<64, true>(b, stream)
                           : attention_backward7_launch<64, false>(b, stream);
    return b->a.causal ? attention_backward7_launch<128, true>(b, stream)
                       : attention_backward7_launch<128, false>(b, stream);
}

#endif
