/* 05_ping_pong.cuh: the two consumers take turns at the tensor cores. (Rungs 5 and 6; before: 04_wgmma.cuh.)
 *
 * The loop is turned by half a step: the product with the values of one step and the product with the keys of the next
 * are issued together. Two named barriers hand the right to issue from one consumer to the other, so that one's softmax
 * falls into the other's products (rung 5). With OVERLAP (rung 6) a consumer does not wait for both its products
 * either: the scores come first, and their softmax begins while the product with the values is still under way. That
 * costs registers: scores, weights and output are alive at once. Both ideas: FlashAttention-3 (Shah and others,
 * arXiv:2407.08608). */
#ifndef ATTENTION_05_PING_PONG_CUH
#define ATTENTION_05_PING_PONG_CUH

#include "04_wgmma.cuh"

template <int D, int BN, int STAGES, bool CAUSAL, bool OVERLAP>
__global__ void __launch_bounds__(3 * 128, 1)
    attention_kernel5(const __grid_constant__ AttentionMaps maps, int length, int heads, int kv_heads)
{
#ifdef HOPPER_CODE
    using S = AttentionSmem<D, BN, 2, STAGES>;
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u, ks = smem + S::K, vs = smem + S::V;
    const uint32_t q_full = smem + S::BARRIERS, k_full = q_full + 8, k_empty = k_full + 8 * STAGES,
                   v_full = k_empty + 8 * STAGES, v_empty = v_full + 8 * STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const int tile = CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
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

    if (group == 2) { /* producer: keys are wanted a step earlier than values */
        registers_give<40>();
        if (t == 0) {
            RingPlace<STAGES> k_at(1), v_at(1);
            mbarrier_arrive_expect(q_full, 2 * S::Q_BYTES);
            for (int g = 0; g < 2; g++)
                for (int box = 0; box < D / 64; box++)
                    tma_load_heads(smem + g * S::Q_BYTES + box * 64 * 128, &maps.q, box * 64, query + g * 64, head,
                                   batch, q_full);
            for (int n = steps - 1; n >= -1; n--) {
                if (n >= 0) {
                    mbarrier_wait(k_empty + 8 * k_at.slot, k_at.parity);
                    fetch_tile<D>(ks + k_at.slot * S::KV_BYTES, &maps.k, BN, n * BN, kv_head, batch,
                                  k_full + 8 * k_at.slot);
                    k_at.next();
                }
                if (n + 1 < steps) {
                    mbarrier_wait(v_empty + 8 * v_at.slot, v_at.parity);
                    fetch_tile<D>(vs + v_at.slot * S::KV_BYTES, &maps.v, BN, (n + 1) * BN, kv_head, batch,
                                  v_full + 8 * v_at.slot);
                    v_at.next();
                }
            }
        }
    } else { /* consumers */
        registers_take<232>();
        const float c = exponent_scale(D);
        const int first = query + group * 64, row = first + t / 32 * 16 + t % 32 / 4;
        const int last0 = CAUSAL ? min(row, length - 1) : length - 1,
                  last1 = CAUSAL ? min(row + 8, length - 1) : length - 1,
                  last_of_all = CAUSAL ? min(first, length - 1) : length - 1;
        const uint32_t q = smem + group * S::Q_BYTES;
        RingPlace<STAGES> k_at(0), v_at(0);
        OnlineRows rows = {{-INFINITY, -INFINITY}, {0, 0}};
        float s[BN / 2], o[D / 2], scale[2];
        uint32_t p[BN / 4];
#pragma unroll
        for (int i = 0; i < D / 2; i++)
            o[i] = 0;
        if (group == 1)
            named_barrier_arrive(4, 256); /* the first turn is group 0's */
        mbarrier_wait(q_full, 0);
        mbarrier_wait(k_full, 0);
        wgmma_fence();
        issue_scores<D, BN>(s, q, ks);
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_pin(s);
        if (t == 0)
            mbarrier_arrive(k_empty);
        k_at.next();
        if (steps * BN > last_of_all + 1)
            online_mask(s, (steps - 1) * BN + t % 4 * 2, last0, last1);
        online_softmax<0>(s, c, rows, scale);
        online_pack(p, s);
        // notes: turns
        for (int n = steps - 2; n >= 0; n--) {
            mbarrier_wait(k_full + 8 * k_at.slot, k_at.parity);
            named_barrier(4 + group, 256); /* my turn */
            wgmma_fence();
            issue_scores<D, BN>(s, q, ks + k_at.slot * S::KV_BYTES);
            wgmma_commit();
            mbarrier_wait(v_full + 8 * v_at.slot, v_at.parity);
            wgmma_fence();
            issue_values<D, BN>(o, p, vs + v_at.slot * S::KV_BYTES);
            wgmma_commit();
            named_barrier_arrive(4 + (group ^ 1), 256); /* the other's */
            if (OVERLAP)
                wgmma_wait<1>();
            else
                wgmma_wait<0>();
            wgmma_pin(s);
            if (t == 0)
                mbarrier_arrive(k_empty + 8 * k_at.slot);
            if ((n + 1) * BN > last_of_all + 1)
                online_mask(s, n * BN + t % 4 * 2, last0, last1);
            online_softmax<0>(s, c, rows, scale);
            if (OVERLAP)
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
        // notes end
        mbarrier_wait(v_full + 8 * v_at.slot, v_at.parity);
        wgmma_fence();
        issue_values<D, BN>(o, p, vs + v_at.slot * S::KV_BYTES);
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_pin(o);
        if (group == 0)
            named_barrier(4, 256); /* takes what group 1 arrived for at the end of its last turn */
        online_finish(o, rows);
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

template <int D, int BN, int STAGES, bool CAUSAL, bool OVERLAP>
static const char *attention5_launch(const Attention *a, cudaStream_t stream)
{
    using S = AttentionSmem<D, BN, 2, STAGES>;
    AttentionMaps maps;
    const char *why = attention_maps(&maps, a, BN);
    if (!why)
        why = raise_shared((const void *)attention_kernel5<D, BN, STAGES, CAUSAL, OVERLAP>, S::TOTAL);
    if (why)
        return why;
    const dim3 grid((a->length + 127) / 128, a->heads, a->batch);
    attention_kernel5<D, BN, STAGES, CAUSAL, OVERLAP>
        <<<grid, 3 * 128, S::TOTAL, stream>>>(maps, a->length, a->heads, a->kv_heads);
    return NULL;
}

template <bool OVERLAP> static const char *attention5(const Attention *a, cudaStream_t stream)
{
    if (a->width == 64)
        return a->causal ? attention5_launch<64, 128, 2, true, OVERLAP>(a, stream)
                         : attention5_launch<64, 128, 2, false, OVERLAP>(a, stream);
    return a->causal ? attention5_launch<128, 128, 2, true, OVERLAP>(a, stream)
                     : attention5_launch<128, 128, 2, false, OVERLAP>(a, stream);
}

#endif
