/* 04_wgmma.cuh: Hopper's own instructions, one thing after another. (Rung 4; before: 03_mma_sync.cuh.)
 *
 * One thread of a producer warpgroup has TMA fetch a tile of queries, then keys and values through two rings. Each of
 * two consumer warpgroups has 64 queries: product, softmax, product. The weights stay in registers, where wgmma takes
 * its left operand from as they are; the values are in shared memory as they are in memory, keys by columns, and wgmma
 * is told that b is the other way round. While a warpgroup takes exponentials its tensor cores rest, unless by luck the
 * other one has a product for them. */
#ifndef ATTENTION_04_WGMMA_CUH
#define ATTENTION_04_WGMMA_CUH

#include "online.cuh"
#include "ring.cuh"

/* What a block keeps in shared memory: a tile of queries for each of GROUPS consumers, and rings of keys and values. */
template <int D, int BN, int GROUPS, int STAGES, int Q_SLOTS = 1> struct AttentionSmem {
    enum {
        Q_BYTES = 64 * D * 2, /* a group's */
        KV_BYTES = BN * D * 2,
        K = Q_SLOTS * GROUPS * Q_BYTES,
        V = K + STAGES * KV_BYTES,
        BARRIERS = V + STAGES * KV_BYTES,
        TOTAL = 1024 /* to align */ + BARRIERS + 8 * (2 * Q_SLOTS * GROUPS + 4 * STAGES + 8),
    };
    static_assert(BN % 16 == 0 && D % 64 == 0, "weights go by 16 keys, tiles by boxes of 64 columns");
    static_assert(TOTAL <= 232448, "a block has 227 KB of shared memory");
};

typedef struct AttentionMaps {
    CUtensorMap q, k, v, o;
} AttentionMaps;

template <int D, int BN, int STAGES, bool CAUSAL>
__global__ void __launch_bounds__(3 * 128, 1)
    attention_kernel4(const __grid_constant__ AttentionMaps maps, int length, int heads, int kv_heads)
{
#ifdef HOPPER_CODE
    using S = AttentionSmem<D, BN, 2, STAGES>;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, ks = smem + S::K, vs = smem + S::V;
    const uint32_t q_full = smem + S::BARRIERS, k_full = q_full + 8, k_empty = k_full + 8 * STAGES,
                   v_full = k_empty + 8 * STAGES, v_empty = v_full + 8 * STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int tile = CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x; /* the longest first */
    const int query = tile * 128, head = blockIdx.y, batch = blockIdx.z, kv_head = head / (heads / kv_heads);
    const int keys = CAUSAL ? min(query + 128, length) : length, steps = (keys + BN - 1) / BN;

    if (threadIdx.x == 0) {
        mbarrier_init(q_full, 1);
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(k_full + 8 * s, 1);
            mbarrier_init(v_full + 8 * s, 1);
            mbarrier_init(k_empty + 8 * s, 2);
            mbarrier_init(v_empty + 8 * s, 2);
        }
        mbarrier_init_fence();
    }
    __syncthreads();

    if (group == 2) { /* producer */
        registers_give<24>();
        if (t == 0) {
            RingPlace<STAGES> at(1);
            mbarrier_arrive_expect(q_full, 2 * S::Q_BYTES);
            for (int g = 0; g < 2; g++)
                for (int box = 0; box < D / 64; box++)
                    tma_load_heads(smem + g * S::Q_BYTES + box * 64 * 128, &maps.q, box * 64, query + g * 64, head,
                                   batch, q_full);
            for (int n = steps - 1; n >= 0; n--, at.next()) {
                mbarrier_wait(k_empty + 8 * at.slot, at.parity);
                fetch_tile<D>(ks + at.slot * S::KV_BYTES, &maps.k, BN, n * BN, kv_head, batch, k_full + 8 * at.slot);
                mbarrier_wait(v_empty + 8 * at.slot, at.parity);
                fetch_tile<D>(vs + at.slot * S::KV_BYTES, &maps.v, BN, n * BN, kv_head, batch, v_full + 8 * at.slot);
            }
        }
    } else { /* consumers */
        registers_take<240>();
        const float c = exponent_scale(D);
        const int first = query + group * 64, row = first + t / 32 * 16 + t % 32 / 4;
        const int last0 = CAUSAL ? min(row, length - 1) : length - 1,
                  last1 = CAUSAL ? min(row + 8, length - 1) : length - 1,
                  last_of_all = CAUSAL ? min(first, length - 1) : length - 1;
        const uint32_t q = smem + group * S::Q_BYTES;
        RingPlace<STAGES> at(0);
        OnlineRows rows = {{-INFINITY, -INFINITY}, {0, 0}};
        float s[BN / 2], o[D / 2], scale[2];
        uint32_t p[BN / 4];
#pragma unroll
        for (int i = 0; i < D / 2; i++)
            o[i] = 0;
        mbarrier_wait(q_full, 0);
        for (int n = steps - 1; n >= 0; n--, at.next()) {
            mbarrier_wait(k_full + 8 * at.slot, at.parity);
            wgmma_fence();
            issue_scores<D, BN>(s, q, ks + at.slot * S::KV_BYTES);
            wgmma_commit();
            wgmma_wait<0>();
            wgmma_pin(s);
            if (t == 0)
                mbarrier_arrive(k_empty + 8 * at.slot);
            if ((n + 1) * BN > last_of_all + 1)
                online_mask(s, n * BN + t % 4 * 2, last0, last1);
            online_softmax<0>(s, c, rows, scale);
            online_rescale(o, scale);
            online_pack(p, s);
            mbarrier_wait(v_full + 8 * at.slot, at.parity);
            wgmma_fence();
            issue_values<D, BN>(o, p, vs + at.slot * S::KV_BYTES);
            wgmma_commit();
            wgmma_wait<0>();
            wgmma_pin(o);
            if (t == 0)
                mbarrier_arrive(v_empty + 8 * at.slot);
        }
        online_finish(o, rows);
        /* The queries are done with: the results take their place, and TMA leaves out rows past the end. */
        write_boxes<D>(o, q, t);
        fence_proxy_async();
        named_barrier(1 + group, 128);
        if (t == 0) {
            for (int box = 0; box < D / 64; box++)
                tma_store_heads(&maps.o, box * 64, first, head, batch, q + box * 64 * 128);
            tma_store_commit();
            tma_store_wait_read<0>();
        }
    }
#endif
}

/* Tensor maps with boxes of 64 queries and `key_rows` keys. NULL, or why not. */
static inline const char *attention_maps(AttentionMaps *maps, const Attention *a, int key_rows)
{
    const char *why = tensor_map_heads(&maps->q, a->q, a->batch, a->length, a->heads, a->width, 64);
    if (!why)
        why = tensor_map_heads(&maps->k, a->k, a->batch, a->length, a->kv_heads, a->width, key_rows);
    if (!why)
        why = tensor_map_heads(&maps->v, a->v, a->batch, a->length, a->kv_heads, a->width, key_rows);
    if (!why)
        why = tensor_map_heads(&maps->o, a->o, a->batch, a->length, a->heads, a->width, 64);
    return why;
}

template <int D, int BN, int STAGES, bool CAUSAL>
static const char *attention4_launch(const Attention *a, cudaStream_t stream)
{
    using S = AttentionSmem<D, BN, 2, STAGES>;
    AttentionMaps maps;
    const char *why = attention_maps(&maps, a, BN);
    if (!why)
        why = raise_shared((const void *)attention_kernel4<D, BN, STAGES, CAUSAL>, S::TOTAL);
    if (why)
        return why;
    const dim3 grid((a->length + 127) / 128, a->heads, a->batch);
    attention_kernel4<D, BN, STAGES, CAUSAL>
        <<<grid, 3 * 128, S::TOTAL, stream>>>(maps, a->length, a->heads, a->kv_heads);
    return NULL;
}

static inline const char *attention4(const Attention *a, cudaStream_t stream)
{
    if (a->width == 64)
        return a->causal ? attention4_launch<64, 128, 2, true>(a, stream)
                         : attention4_launch<64, 128, 2, false>(a, stream);
    return a->causal ? attention4_launch<128, 128, 2, true>(a, stream)
                     : attention4_launch<128, 128, 2, false>(a, stream);
}

#endif
