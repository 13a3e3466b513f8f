/* 04_wgmma.cuh: Hopper's own instructions, one thing after another. (Rungs 4 and 5; before: 03_mma_sync.cuh.)
 *
 * One thread of a producer warpgroup has TMA fetch keys and values once, then queries and their gradients through two
 * rings. Each of two consumer warpgroups has 64 of the block's 128 keys. As in rung 3 the scores are transposed, so pT
 * and dsT are the left operands of dv += pT grad and dk += dsT q as they are in registers. ds goes to shared memory for
 * dq = ds k, which sums over the keys of both warpgroups: there they meet once per step.
 *
 * Rung 4 adds dq to the sums in memory by atomics of four floats, straight from registers. With WRITER (rung 5) a
 * consumer leaves its part in shared memory, and a warp of the producer's group has the copy engine add it: the
 * consumer need not wait for anything, and one instruction adds 16 KB. FlashAttention-3's backward pass (Shah and
 * others, arXiv:2407.08608) has such a warp. */
#ifndef ATTENTION_BACKWARD_04_WGMMA_CUH
#define ATTENTION_BACKWARD_04_WGMMA_CUH

#include "hopper.cuh"

enum BackwardDq { DQ_NONE, DQ_ATOMICS, DQ_WRITER, DQ_ORDERED };

/* Waits until it is the turn of block x; and passes the turn on. */
__device__ __forceinline__ void backward_turn_wait(const int *turn, int x)
{
    int now;
    do
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(turn) : "memory");
    while (now != x);
}
__device__ __forceinline__ void backward_turn_pass(int *turn, int next)
{
    asm volatile("fence.proxy.async;\nst.release.gpu.global.s32 [%0], %1;" ::"l"(turn), "r"(next) : "memory");
}

template <int D, bool CAUSAL, int WAY, bool EARLY>
__global__ void __launch_bounds__(3 * 128, 1)
    attention_backward_kernel4(const __grid_constant__ BackwardMaps maps, const __grid_constant__ Backward b)
{
#ifdef HOPPER_CODE
    constexpr int BM = BACKWARD_BM<D>, BN = BACKWARD_BN, Q_STAGES = 2, G_STAGES = 2;
    using S = BackwardSmem<D, Q_STAGES, G_STAGES>;
    constexpr int PRODUCER = 40, CONSUMER = 232; /* registers per thread */
    static_assert(backward_registers<PRODUCER, CONSUMER>, "the consumers would wait for registers");
    extern __shared__ uint8_t raw[];
    const uint32_t smem = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t kv_full = smem + S::BARRIERS, q_full = kv_full + 8, q_empty = q_full + 8 * Q_STAGES,
                   g_full = q_empty + 8 * Q_STAGES, g_empty = g_full + 8 * G_STAGES, dq_full = g_empty + 8 * G_STAGES,
                   dq_empty = dq_full + 16;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const Attention &a = b.a;
    int x = blockIdx.x, y = blockIdx.y;
    if (WAY == DQ_ORDERED) {
        __shared__ int ticket;
        if (threadIdx.x == 0)
            ticket = atomicAdd(hopper_turn(b, a.batch * a.heads, 0), 1);
        __syncthreads();
        x = ticket % gridDim.x, y = ticket / gridDim.x;
        if (CAUSAL)
            x = gridDim.x - 1 - x;
    }
    const int key = x * BN, shared_by = a.heads / a.kv_heads;
    const int batch = y / a.kv_heads, kv_head = y % a.kv_heads, head = kv_head * shared_by;
    const int first = CAUSAL ? key / BM : 0, tiles = backward_tiles(a) - first, steps = tiles * shared_by;

    if (threadIdx.x == 0) {
        mbarrier_init(kv_full, 1);
        for (int s = 0; s < Q_STAGES; s++) {
            mbarrier_init(q_full + 8 * s, 1);
            mbarrier_init(q_empty + 8 * s, 8); /* each warp has read lse and delta */
        }
        for (int s = 0; s < G_STAGES; s++) {
            mbarrier_init(g_full + 8 * s, 1);
            mbarrier_init(g_empty + 8 * s, 2);
        }
        for (int g = 0; g < 2; g++) {
            mbarrier_init(dq_full + 8 * g, 4);
            mbarrier_init(dq_empty + 8 * g, 1);
        }
        mbarrier_init_fence();
    }
    __syncthreads();

    if (group == 2) {
        registers_give<PRODUCER>();
        if (t == 0) { /* producer */
            RingPlace<Q_STAGES> q_at(1);
            RingPlace<G_STAGES> g_at(1);
            mbarrier_arrive_expect(kv_full, 2 * S::KV_BYTES);
            for (int box = 0; box < D / 64; box++) {
                tma_load_heads(smem + S::K + box * BN * 128, &maps.k, box * 64, key, kv_head, batch, kv_full);
                tma_load_heads(smem + S::V + box * BN * 128, &maps.v, box * 64, key, kv_head, batch, kv_full);
            }
            for (int n = 0, tile = first, h = head; n < steps; n++, q_at.next(), g_at.next()) {
                const uint32_t full = q_full + 8 * q_at.slot;
                mbarrier_wait(q_empty + 8 * q_at.slot, q_at.parity);
                mbarrier_arrive_expect(full, S::Q_BYTES + S::ROW_BYTES);
                for (int box = 0; box < D / 64; box++)
                    tma_load_heads(smem + S::Q + q_at.slot * S::Q_BYTES + box * BM * 128, &maps.q, box * 64, tile * BM,
                                   h, batch, full);
                bulk_load(smem + S::ROWS + q_at.slot * S::ROW_BYTES, hopper_rows(b, batch * a.heads + h, tile),
                          S::ROW_BYTES, full);
                mbarrier_wait(g_empty + 8 * g_at.slot, g_at.parity);
                fetch_tile<D>(smem + S::G + g_at.slot * S::Q_BYTES, &maps.grad, BM, tile * BM, h, batch,
                              g_full + 8 * g_at.slot);
                if (++tile == first + tiles)
                    tile = first, h++;
            }
        } else if (WAY >= DQ_WRITER && (t == 32 || t == 64)) { /* adds warpgroup g's part of dq to the sums in memory */
            const int g = t / 64;
            float *sums = hopper_dq(b, batch * a.heads + head, first) + g * BACKWARD_DQ / 2;
            int *turn = hopper_turn(b, batch * a.heads + head, first) + g;
            for (int n = 0, left = tiles; n < steps; n++) {
                mbarrier_wait(dq_full + 8 * g, n & 1);
                if (WAY == DQ_ORDERED)
                    backward_turn_wait(turn, x);
                bulk_add(sums, smem + S::DQ + g * S::DQ_BYTES / 2, S::DQ_BYTES / 2);
                tma_store_commit();
                tma_store_wait_read<0>();
                mbarrier_arrive(dq_empty + 8 * g);
                if (WAY == DQ_ORDERED) {
                    tma_store_wait<0>();
                    backward_turn_pass(turn, CAUSAL ? x - 1 : x + 1);
                }
                const int step = --left == 0 ? first + 1 : 1; /* the next head's first tile */
                left = left == 0 ? tiles : left;
                sums += step * BACKWARD_DQ;
                turn += step * 2;
            }
            tma_store_wait<0>();
        }
    } else { /* consumers */
        registers_take<CONSUMER>();
        const float c = exponent_scale(D);
        const uint32_t mine = group * 64 * 128, k = smem + S::K, v = smem + S::V;
        const int my_key = key + group * 64, row = my_key + t / 32 * 16 + t % 32 / 4;
        const float *rows = (const float *)(raw + (smem - shared_address(raw)) + S::ROWS) + t % 4 * 2;
        RingPlace<Q_STAGES> q_at(0);
        RingPlace<G_STAGES> g_at(0);
        float dk[D / 2], dv[D / 2];
        uint32_t p[BM / 4], ds[BM / 4];
#pragma unroll
        for (int i = 0; i < D / 2; i++)
            dk[i] = dv[i] = 0;
        mbarrier_wait(kv_full, 0);
        for (int n = 0; n < steps; n++) {
            const int query = (first + n % tiles) * BM;
            const uint32_t q = smem + S::Q + q_at.slot * S::Q_BYTES, g = smem + S::G + g_at.slot * S::Q_BYTES;
            const uint32_t ds_at = smem + S::DS + n % 2 * S::DS_BYTES;
            const float *my_rows = rows + q_at.slot * S::ROW_BYTES / 4;
            float s[BM / 2], dp[BM / 2], dq[32];
            mbarrier_wait(q_full + 8 * q_at.slot, q_at.parity);
            wgmma_fence();
            issue_transposed<D>(s, k + mine, q);
            wgmma_commit();
            mbarrier_wait(g_full + 8 * g_at.slot, g_at.parity);
            issue_transposed<D>(dp, v + mine, g);
            wgmma_commit();
            wgmma_wait<1>();
            wgmma_pin(s);
            if (my_key + 63 >= a.length || (CAUSAL && query < my_key + 63))
                backward_mask<CAUSAL>(s, row, query + t % 4 * 2, a.length);
            backward_weights(s, my_rows, c);
            online_pack(p, s);
            if (EARLY) { /* dv is computed while ds is */
                wgmma_fence();
                issue_values<D, BM>(dv, p, g);
                wgmma_commit();
            }
            wgmma_wait<EARLY>();
            wgmma_pin(dp);
            if (EARLY)
                backward_gradients(ds, p, dp, my_rows);
            else
                backward_gradients(ds, s, dp, my_rows);
            backward_write_ds(ds, ds_at + group * BM * 128, t);
            fence_proxy_async();
            if (!EARLY) {
                wgmma_fence();
                issue_values<D, BM>(dv, p, g);
                wgmma_commit();
            }
            if (WAY != DQ_NONE)
                named_barrier(1, 256); /* ds of both */
            wgmma_fence();
            if (WAY != DQ_NONE) {
                issue_queries<D>(dq, ds_at, k, group);
                wgmma_commit();
            }
            issue_values<D, BM>(dk, ds, q);
            wgmma_commit();
            wgmma_wait<1>();
            wgmma_pin(dv);
            if (WAY != DQ_NONE)
                wgmma_pin(dq);
            if (t == 0)
                mbarrier_arrive(g_empty + 8 * g_at.slot);
            if (WAY >= DQ_WRITER) {
                mbarrier_wait(dq_empty + 8 * group, (n & 1) ^ 1);
                float4 *to = (float4 *)(raw + (smem - shared_address(raw)) + S::DQ + group * S::DQ_BYTES / 2) + t;
#pragma unroll
                for (int j = 0; j < 8; j++)
                    to[j * 128] = float4{dq[4 * j], dq[4 * j + 1], dq[4 * j + 2], dq[4 * j + 3]};
                fence_proxy_async();
                __syncwarp();
                if (t % 32 == 0)
                    mbarrier_arrive(dq_full + 8 * group);
            } else if (WAY == DQ_ATOMICS) {
                float *to = hopper_dq(b, batch * a.heads + head + n / tiles, first + n % tiles) +
                            group * BACKWARD_DQ / 2 + t * 4;
#pragma unroll
                for (int j = 0; j < 8; j++)
                    atomic_add_4(to + j * 512, dq[4 * j], dq[4 * j + 1], dq[4 * j + 2], dq[4 * j + 3]);
            }
            wgmma_wait<0>();
            wgmma_pin(dk);
            __syncwarp();
            if (t % 32 == 0)
                mbarrier_arrive(q_empty + 8 * q_at.slot);
            q_at.next();
            g_at.next();
        }
        /* Keys and values are done with, by both: the results take their place. */
        named_barrier(1, 256);
        backward_write<D>(dk, rsqrtf(D), k + mine, t);
        backward_write<D>(dv, 1, v + mine, t);
        fence_proxy_async();
        named_barrier(2 + group, 128);
        if (t == 0) {
            for (int box = 0; box < D / 64; box++) {
                tma_store_heads(&maps.dk, box * 64, my_key, kv_head, batch, k + mine + box * BN * 128);
                tma_store_heads(&maps.dv, box * 64, my_key, kv_head, batch, v + mine + box * BN * 128);
            }
            tma_store_commit();
            tma_store_wait_read<0>();
        }
    }
#endif
}

/* The passes before and after, and between them `kernel`, with one block per 128 keys and key head. */
template <int D>
static const char *backward_launch(void (*kernel)(BackwardMaps, Backward), int bytes, const Backward *b,
                                   cudaStream_t stream)
{
    const Attention *a = &b->a;
    BackwardMaps maps;
    const char *why = backward_maps(&maps, b);
    if (!why)
        why = raise_shared((const void *)kernel, bytes);
    if (why)
        return why;
    const dim3 all((unsigned)backward_tiles(*a), (unsigned)(a->batch * a->heads));
    const dim3 grid((unsigned)(a->length + BACKWARD_BN - 1) / BACKWARD_BN, (unsigned)(a->batch * a->kv_heads));
    attention_backward4_rows<D><<<all, 256, 0, stream>>>(*b);
    kernel<<<grid, 3 * 128, bytes, stream>>>(maps, *b);
    attention_backward4_queries<D><<<all, 256, 0, stream>>>(*b);
    return NULL;
}

template <int WAY, bool EARLY> static const char *attention_backward4(const Backward *b, cudaStream_t stream)
{
    const int bytes64 = BackwardSmem<64, 2, 2>::TOTAL, bytes128 = BackwardSmem<128, 2, 2>::TOTAL;
    if (b->a.width == 64)
        return backward_launch<64>(b->a.causal ? attention_backward_kernel4<64, true, WAY, EARLY>
                                               : attention_backward_kernel4<64, false, WAY, EARLY>,
                                   bytes64, b, stream);
    return backward_launch<128>(b->a.causal ? attention_backward_kernel4<128, true, WAY, EARLY>
                                            : attention_backward_kernel4<128, false, WAY, EARLY>,
                                bytes128, b, stream);
}

#endif
