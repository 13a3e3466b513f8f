/* Attention when a model generates text: one new token per sequence looks back at all tokens before it.
 *
 * q and o are [B][H][128], k and v [B][S][G][128], bf16: B sequences that have S tokens so far, H query heads on G key
 * heads. There is no product of matrices left to speak of: each key is used for the H / G heads that share it, 4 H / G
 * operations for 2 bytes. What counts is reading k and v once, as fast as the memory reads.
 *
 *   rung                idea                                                        ./run attention_decode --rung N
 *   1  one block per head  scores in shared memory, softmax, values: B H blocks, each as long as the sequence
 *   2  split keys          a sequence is cut into parts, so that there are blocks enough; a second kernel merges them
 *   3  heads share keys    a block computes four heads that have the same keys: k and v are read once
 *   4  tensor cores        few instructions per key: rings filled ahead, the GPU filled once, the last block
 *                        merges
 *
 * Parts are merged by the online softmax's rule, in the order of the sequence ("Flash-Decoding for long-context
 * inference", Dao and others, 2023). attention_pytorch.py --decode times the vendor's kernels beside it.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#include "attention/problem.cuh"
#include "ptx.cuh"

enum { D = 128, SHARE = 4 /* heads per block of rungs 3 and 4 */, PART_FLOATS = D + 4 /* multiple of 16 bytes */ };

/* What a launch gets: `part` is keys per block, `parts` are the blocks of a sequence. */
typedef struct Decode {
    Attention a;
    float *scratch;    /* B H parts PART_FLOATS floats: sums of weights times values, maxima, sums of weights */
    unsigned *arrived; /* B H counters, zero before and after each launch */
    int part, parts;
} Decode;
typedef void Launch(const Decode *d, cudaStream_t stream);

static void decode_cpu(LabCase *c)
{
    const size_t B = c->dim[0], S = c->dim[1], H = c->dim[2], G = c->dim[3];
    const uint16_t *q = lab_h_in_u16(c, 0), *k = lab_h_in_u16(c, 1), *v = lab_h_in_u16(c, 2);
#pragma omp parallel for schedule(dynamic)
    for (size_t row = 0; row < B * H; row++) {
        const size_t kv = (row / H * S * G + row % H / (H / G)) * D;
        double *o = c->expect + row * D, max = -INFINITY, sum = 0, *p = (double *)malloc(sizeof(double) * S);
        const int wanted = lab_sample_row(row, B * H, 4.0 * (double)S * D);
        for (int d = 0; d < D; d++)
            o[d] = wanted ? 0 : lab_unchecked();
        for (size_t n = 0; wanted && n < S; n++) {
            p[n] = 0;
            for (int d = 0; d < D; d++)
                p[n] += (double)bf16_to_float(q[row * D + d]) * bf16_to_float(k[kv + n * G * D + d]);
            p[n] /= sqrt((double)D);
            max = fmax(max, p[n]);
        }
        for (size_t n = 0; wanted && n < S; n++)
            sum += p[n] = exp(p[n] - max);
        for (size_t n = 0; wanted && n < S; n++)
            for (int d = 0; d < D; d++)
                o[d] += p[n] / sum * bf16_to_float(v[kv + n * G * D + d]);
        free(p);
    }
}

__device__ static float decode_exp2(float x)
{
#ifdef __CUCC__
    return exp2f(x);
#else
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
#endif
}

/* exp2(part - whole), 0 where a part has seen nothing. */
__device__ static float rescale(float part, float whole) { return part == -INFINITY ? 0 : decode_exp2(part - whole); }

/* A bf16 is the upper half of a float. */
__device__ static void unpack(uint4 bits, float (&v)[8])
{
    const unsigned u[4] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[2 * i] = __uint_as_float(u[i] << 16);
        v[2 * i + 1] = __uint_as_float(u[i] & 0xffff0000u);
    }
}

/* 1 and 2: a block of 128 threads, one head, keys [begin, end): scores, then weights, in shared memory; then thread d
 * sums up column d of the values. Leaves the sum of weights times values (in thread d: column d), the maximum and the
 * sum. */
__device__ static float decode_part(const Attention &a, int batch, int head, int begin, int end, float *scores,
                                    float *max, float *sum)
{
    __shared__ float s[8];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    const __nv_bfloat16 *q = a.q + ((size_t)batch * a.heads + head) * D, *k = a.k + key_begin(a, batch, head),
                        *v = a.v + key_begin(a, batch, head);
    float largest = -INFINITY, total = 0, out = 0;
    for (int n = begin + warp; n < end; n += 4) { /* one warp per key */
        float dot = 0;
        for (int d = lane; d < D; d += 32)
            dot += __bfloat162float(q[d]) * __bfloat162float(k[n * key_step(a) + d]);
        for (int step = 16; step > 0; step /= 2)
            dot += __shfl_xor_sync(0xffffffffu, dot, step);
        dot *= exponent_scale(D);
        if (lane == 0)
            scores[n - begin] = dot;
        largest = fmaxf(largest, dot);
    }
    if (lane == 0)
        s[warp] = largest;
    __syncthreads();
    largest = fmaxf(fmaxf(s[0], s[1]), fmaxf(s[2], s[3]));
    for (int i = t; i < end - begin; i += 128)
        total += scores[i] = decode_exp2(scores[i] - largest);
    for (int step = 16; step > 0; step /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, step);
    if (lane == 0)
        s[4 + warp] = total;
    __syncthreads();
    for (int n = begin; n < end; n++)
        out += scores[n - begin] * __bfloat162float(v[n * key_step(a) + t]);
    *max = largest;
    *sum = s[4] + s[5] + s[6] + s[7];
    return out;
}

__global__ void __launch_bounds__(D) decode_kernel1(Attention a)
{
    extern __shared__ float decode_scores[];
    float max, sum;
    const float out =
        decode_part(a, blockIdx.x / a.heads, blockIdx.x % a.heads, 0, a.length, decode_scores, &max, &sum);
    a.o[(size_t)blockIdx.x * D + threadIdx.x] = __float2bfloat16(out / sum);
}

static void decode1(const Decode *d, cudaStream_t stream)
{
    const size_t bytes = (size_t)d->a.length * sizeof(float);
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)decode_kernel1, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    decode_kernel1<<<(unsigned)(d->a.batch * d->a.heads), D, bytes, stream>>>(d->a);
}

/* Where part p of a head leaves what it has: D sums, then its maximum and its sum of weights. */
__device__ static float *place(const Decode &d, size_t head, int p)
{
    return d.scratch + (head * d.parts + p) * PART_FLOATS;
}

__global__ void __launch_bounds__(D) decode_kernel2(Decode d)
{
    extern __shared__ float decode_scores[];
    float max, sum, *to = place(d, blockIdx.y, blockIdx.x);
    const int begin = blockIdx.x * d.part, end = min(begin + d.part, d.a.length);
    to[threadIdx.x] =
        decode_part(d.a, blockIdx.y / d.a.heads, blockIdx.y % d.a.heads, begin, end, decode_scores, &max, &sum);
    if (threadIdx.x == 0) {
        to[D] = max;
        to[D + 1] = sum;
    }
}

/* The parts of a head as one. A warp: lane l has columns 4 l .. 4 l + 3. Eight parts are on their way at a time;
 * __ldcg: from L2, where other blocks' stores are. */
__device__ static void merge_parts(const Decode &d, size_t head)
{
    const int lane = threadIdx.x % 32;
    float max = -INFINITY, sum = 0, out[4] = {0};
    for (int p0 = 0; p0 < d.parts; p0 += 8) {
        float its_max[8], its_sum[8];
        float4 its_out[8];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const float *part = place(d, head, min(p0 + i, d.parts - 1));
            its_max[i] = p0 + i < d.parts ? __ldcg(part + D) : -INFINITY;
            its_sum[i] = __ldcg(part + D + 1);
            its_out[i] = __ldcg((const float4 *)part + lane);
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const float larger = fmaxf(max, its_max[i]), old = rescale(max, larger), its = rescale(its_max[i], larger);
            max = larger;
            sum = sum * old + its_sum[i] * its;
            out[0] = out[0] * old + its_out[i].x * its;
            out[1] = out[1] * old + its_out[i].y * its;
            out[2] = out[2] * old + its_out[i].z * its;
            out[3] = out[3] * old + its_out[i].w * its;
        }
    }
    for (int i = 0; i < 4; i++)
        d.a.o[head * D + lane * 4 + i] = __float2bfloat16(out[i] / sum);
}

__global__ void __launch_bounds__(D) decode_kernel_merge(Decode d)
{
    const size_t head = (size_t)blockIdx.x * 4 + threadIdx.x / 32;
    if (head < (size_t)d.a.batch * d.a.heads)
        merge_parts(d, head);
}

static void decode2(const Decode *d, cudaStream_t stream)
{
    const unsigned heads = (unsigned)(d->a.batch * d->a.heads);
    decode_kernel2<<<dim3((unsigned)d->parts, heads), D, d->part * sizeof(float), stream>>>(*d);
    decode_kernel_merge<<<(heads + 3) / 4, D, 0, stream>>>(*d);
}

/* What a warp of rung 3 keeps. Lane l has elements 8 (l % 16) .. + 7 of the four queries, scaled, and of the
 * four outputs; the warp's two halves look at different keys. Maximum and sum are those of head l % 4. */
struct Warp {
    float q[SHARE][8], out[SHARE][8], max, sum;
};

__device__ static void warp_begin(Warp &w, const Attention &a, int batch, int head)
{
    const int sub = threadIdx.x % 16;
#pragma unroll
    for (int j = 0; j < SHARE; j++) {
        unpack(((const uint4 *)(a.q + ((size_t)batch * a.heads + head + j) * D))[sub], w.q[j]);
#pragma unroll
        for (int d = 0; d < 8; d++) {
            w.q[j][d] *= exponent_scale(D);
            w.out[j][d] = 0;
        }
    }
    w.max = -INFINITY;
    w.sum = 0;
}

/* The lane's score of head l % 4, -inf for no key, becomes its weight; sums and outputs are corrected where a maximum
 * moves. It moves only when a score is more than 2^8 times its weight above it: any number near it will do. */
__device__ static float warp_weight(Warp &w, float score)
{
    if (__any_sync(0xffffffffu, score > w.max + 8)) {
        float largest = fmaxf(w.max, score);
        for (int step = 4; step < 32; step *= 2)
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
        const float scale = rescale(w.max, largest);
        w.max = largest;
        w.sum *= scale;
#pragma unroll
        for (int j = 0; j < SHARE; j++) {
            const float of_head = __shfl_sync(0xffffffffu, scale, j);
#pragma unroll
            for (int d = 0; d < 8; d++)
                w.out[j][d] *= of_head;
        }
    }
    const float weight = rescale(score, w.max);
    w.sum += weight;
    return weight;
}

/* Merges the block's four warps: the result, as a part, to memory. Each warp's D sums of each head go through `s`. */
__device__ static void block_finish(Warp &w, const Decode &d, size_t head, int part)
{
    __shared__ float s[4][SHARE][D], s_max[4][SHARE], s_sum[4][SHARE];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    for (int step = 4; step < 32; step *= 2)
        w.sum += __shfl_xor_sync(0xffffffffu, w.sum, step);
    if (lane < SHARE) {
        s_max[warp][lane] = w.max;
        s_sum[warp][lane] = w.sum;
    }
#pragma unroll
    for (int j = 0; j < SHARE; j++)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const float both = w.out[j][i] + __shfl_xor_sync(0xffffffffu, w.out[j][i], 16);
            if (lane < 16)
                s[warp][j][lane * 8 + i] = both;
        }
    __syncthreads();
    for (int j = 0; j < SHARE; j++) {
        float max = -INFINITY, sum = 0, out = 0, *to = place(d, head + j, part);
        for (int i = 0; i < 4; i++)
            max = fmaxf(max, s_max[i][j]);
        for (int i = 0; i < 4; i++) {
            const float scale = rescale(s_max[i][j], max);
            sum += s_sum[i][j] * scale;
            out += s[i][j][t] * scale;
        }
        to[t] = out;
        if (t == 0) {
            to[D] = max;
            to[D + 1] = sum;
        }
    }
}

/* 3: a warp takes two keys at a time; each head's dot product is summed over sixteen lanes by four shuffles. */
__global__ void __launch_bounds__(D) decode_kernel3(Decode d)
{
    const Attention &a = d.a;
    const int lane = threadIdx.x % 32, half = lane / 16, sub = lane % 16;
    const int groups = a.heads / SHARE, batch = blockIdx.y / groups, head = blockIdx.y % groups * SHARE;
    const uint4 *k = (const uint4 *)(a.k + key_begin(a, batch, head)) + sub,
                *v = (const uint4 *)(a.v + key_begin(a, batch, head)) + sub;
    const size_t step = key_step(a) / 8;
    const int begin = blockIdx.x * d.part, end = min(begin + d.part, a.length);
    Warp w;
    warp_begin(w, a, batch, head);
    for (int n0 = begin + threadIdx.x / 32 * 2; n0 < end; n0 += 8) {
        const int n = n0 + half, there = n < end;
        float key[8], value[8], dot[SHARE] = {0};
        unpack(k[(there ? n : begin) * step], key);
        unpack(v[(there ? n : begin) * step], value);
#pragma unroll
        for (int j = 0; j < SHARE; j++) {
#pragma unroll
            for (int i = 0; i < 8; i++)
                dot[j] += w.q[j][i] * key[i];
            for (int across = 1; across < 16; across *= 2)
                dot[j] += __shfl_xor_sync(0xffffffffu, dot[j], across);
        }
        const float score = sub >= SHARE || !there ? -INFINITY
                            : sub == 0             ? dot[0]
                            : sub == 1             ? dot[1]
                            : sub == 2             ? dot[2]
                                                   : dot[3];
        const float weight = warp_weight(w, score);
#pragma unroll
        for (int j = 0; j < SHARE; j++) {
            const float p = __shfl_sync(0xffffffffu, weight, half * 16 + j);
#pragma unroll
            for (int i = 0; i < 8; i++)
                w.out[j][i] += p * value[i];
        }
    }
    block_finish(w, d, (size_t)batch * a.heads + head, blockIdx.x);
}

static void decode3(const Decode *d, cudaStream_t stream)
{
    const unsigned heads = (unsigned)(d->a.batch * d->a.heads);
    decode_kernel3<<<dim3((unsigned)d->parts, heads / SHARE), D, 0, stream>>>(*d);
    decode_kernel_merge<<<(heads + 3) / 4, D, 0, stream>>>(*d);
}

/* 4: the products by mma.sync, although twelve of its sixteen rows are empty: rung 3's warps are busy with conversions,
 * multiplications and shuffles for longer than the memory needs. A warp has its own rings, STAGES tiles of 16 keys
 * and values deep, filled by cp.async: nothing in its loop waits for another warp. Pieces of rows are swizzled, and
 * fragments and weights are in registers as in attention's rung 3; of the four rows that a lane could have it keeps
 * one.
 *
 * The rings begin at a line of 128 bytes. The kernel's static variables come before them, and where rings begin in the
 * middle of a line each row of 256 bytes touches three lines instead of two, which costs an eighth of the time.
 *
 * A sequence is cut in as few parts as fill the GPU once, and the block that finishes a sequence's last part merges
 * them. */
enum { STAGES = 3, TILE = 16, WARPS = 4, RING_ELEMENTS = 2 * STAGES * TILE * D };

__device__ static int swizzled(int row, int piece) { return row * D + (piece ^ (row % 8)) * 8; }

__global__ void __launch_bounds__(WARPS * 32, 2) decode_kernel4(Decode d)
{
    extern __shared__ __align__(128) uint4 decode_rings[]; /* WARPS rings of RING_ELEMENTS */
    __shared__ float s_max[WARPS][SHARE], s_sum[WARPS][SHARE];
    __shared__ bool last;
    const Attention &a = d.a;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32,
              row = lane / 4; /* row: this lane's head; 4 to 7 are empty */
    const int groups = a.heads / SHARE, batch = blockIdx.y / groups, head = blockIdx.y % groups * SHARE;
    const size_t step = key_step(a), first = (size_t)batch * a.heads + head;
    const int begin = blockIdx.x * d.part, end = min(begin + d.part, a.length);
    /* Lane l copies piece l % 16 of rows l / 16, + 2, ... */
    const __nv_bfloat16 *k = a.k + key_begin(a, batch, head) + lane % 16 * 8,
                        *v = a.v + key_begin(a, batch, head) + lane % 16 * 8;
    __nv_bfloat16 *ring = (__nv_bfloat16 *)decode_rings + warp * RING_ELEMENTS;
    const auto fetch = [&](int tile) {
        __nv_bfloat16 *to = ring + tile % STAGES * 2 * TILE * D;
        const int n = begin + (tile * WARPS + warp) * TILE + lane / 16;
#pragma unroll
        for (int i = 0; i < TILE; i += 2) {
            const bool there = n + i < end;
            const size_t from = there ? (n + i) * step : 0;
            cp_async_16(to + swizzled(lane / 16 + i, lane % 16), k + from, there);
            cp_async_16(to + TILE * D + swizzled(lane / 16 + i, lane % 16), v + from, there);
        }
    };
    const int tiles = (end - begin + WARPS * TILE - 1) / (WARPS * TILE);
    for (int tile = 0; tile < STAGES - 1; tile++) {
        if (tile < tiles)
            fetch(tile);
        cp_async_commit();
    }
    uint32_t q[D / 16][4];
#pragma unroll
    for (int i = 0; i < D / 16; i++) {
        const __nv_bfloat16 *from = a.q + (first + row % SHARE) * D + i * 16 + lane % 4 * 2;
        memcpy(&q[i][0], from, 4);
        memcpy(&q[i][2], from + 8, 4);
        q[i][1] = q[i][3] = 0; /* rows 8 to 15 */
    }
    float out[D / 8][4] = {{0}}, max = -INFINITY, sum = 0;
    const float c = exponent_scale(D);
    for (int tile = 0; tile < tiles; tile++) {
        cp_async_wait<STAGES - 2>();
        __syncwarp(); /* every lane's copies are here, and no lane still reads the tile before this one */
        if (tile + STAGES - 1 < tiles)
            fetch(tile + STAGES - 1);
        cp_async_commit();
        const __nv_bfloat16 *ks = ring + tile % STAGES * 2 * TILE * D, *vs = ks + TILE * D;
        float score[2][4] = {{0}};
#pragma unroll
        for (int i = 0; i < D / 16; i++) {
            uint32_t kf[4];
            ldmatrix_x4(kf, ks + swizzled(lane / 16 * 8 + lane % 8, i * 2 + lane / 8 % 2));
            mma_m16n8k16_bf16(score[0], q[i], kf);
            mma_m16n8k16_bf16(score[1], q[i], kf + 2);
        }
        const int n = begin + (tile * WARPS + warp) * TILE + lane % 4 * 2;
        float x[4], largest = -INFINITY;
#pragma unroll
        for (int e = 0; e < 4; e++) {
            x[e] = n + e / 2 * 8 + e % 2 < end ? score[e / 2][e % 2] * c : -INFINITY;
            largest = fmaxf(largest, x[e]);
        }
        if (__any_sync(0xffffffffu, largest > max + 8)) { /* any number near the maximum will do: see warp_weight() */
            largest = fmaxf(largest, max);
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 1));
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, 2));
            const float scale = rescale(max, largest);
            max = largest;
            sum *= scale;
#pragma unroll
            for (int i = 0; i < D / 8; i++)
                out[i][0] *= scale, out[i][1] *= scale;
        }
        uint32_t p[4] = {0};
#pragma unroll
        for (int e = 0; e < 4; e++)
            sum += x[e] = rescale(x[e], max);
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const __nv_bfloat162 two = __floats2bfloat162_rn(x[2 * j], x[2 * j + 1]);
            memcpy(&p[2 * j], &two, 4);
        }
#pragma unroll
        for (int i = 0; i < D / 16; i++) {
            uint32_t vf[4];
            ldmatrix_x4_trans(vf, vs + swizzled(lane % 16, i * 2 + lane / 16));
            mma_m16n8k16_bf16(out[2 * i], p, vf);
            mma_m16n8k16_bf16(out[2 * i + 1], p, vf + 2);
        }
    }
    /* The four warps' results meet in the rings' memory. */
    cp_async_wait<0>();
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    __syncthreads();
    float *meet = (float *)decode_rings; /* [warp][head][column] */
    if (row < SHARE) {
        if (lane % 4 == 0) {
            s_max[warp][row] = max;
            s_sum[warp][row] = sum;
        }
#pragma unroll
        for (int i = 0; i < D / 8; i++) {
            float *to = meet + (warp * SHARE + row) * D + i * 8 + lane % 4 * 2;
            to[0] = out[i][0];
            to[1] = out[i][1];
        }
    }
    __syncthreads();
    for (int j = 0; j < SHARE; j++) {
        float whole = -INFINITY, total = 0, column = 0, *to = place(d, first + j, blockIdx.x);
        for (int w = 0; w < WARPS; w++)
            whole = fmaxf(whole, s_max[w][j]);
        for (int w = 0; w < WARPS; w++) {
            const float scale = rescale(s_max[w][j], whole);
            total += s_sum[w][j] * scale;
            column += meet[(w * SHARE + j) * D + t] * scale;
        }
        if (d.parts == 1)
            a.o[(first + j) * D + t] = __float2bfloat16(column / total);
        else {
            to[t] = column;
            if (t == 0) {
                to[D] = whole;
                to[D + 1] = total;
            }
        }
    }
    if (d.parts == 1)
        return;
    /* Every thread's part must be visible before the block counts as arrived. */
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicInc(&d.arrived[first], (unsigned)d.parts - 1) == (unsigned)d.parts - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    merge_parts(d, first + warp); /* one warp per head */
}

static void decode4(const Decode *d, cudaStream_t stream)
{
    static_assert((int)WARPS == (int)SHARE, "a warp merges a head");
    const size_t bytes = sizeof(__nv_bfloat16) * WARPS * RING_ELEMENTS;
    CUDA_CHECK(
        cudaFuncSetAttribute((const void *)decode_kernel4, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    Decode waves = *d;
    const int sequences = d->a.batch * d->a.heads / SHARE, wanted = 2 * multiprocessors / sequences;
    waves.parts = wanted < 1 ? 1 : wanted < d->parts ? wanted : d->parts; /* the scratch is for d->parts */
    waves.part = ((d->a.length + waves.parts - 1) / waves.parts + WARPS * TILE - 1) / (WARPS * TILE) * (WARPS * TILE);
    waves.parts = (d->a.length + waves.part - 1) / waves.part;
    decode_kernel4<<<dim3((unsigned)waves.parts, (unsigned)sequences), WARPS * 32, bytes, stream>>>(waves);
}

static const LabRung rungs[] = {
    {1, "one block per head", LAB_LAUNCH(Launch, decode1), LAB_BF16, 0, 0},
    {2, "split keys", LAB_LAUNCH(Launch, decode2), LAB_BF16, 0, 0},
    {3, "heads share keys", LAB_LAUNCH(Launch, decode3), LAB_BF16, 0, 0},
    {4, "tensor cores", LAB_LAUNCH(Launch, decode4), LAB_BF16, LAB_NEEDS_SM80, 0},
};

enum { PART = 512 };

static size_t scratch_floats(size_t heads, size_t length) { return heads * ((length + PART - 1) / PART) * PART_FLOATS; }

static Decode problem(const void *q, const void *k, const void *v, void *o, void *scratch, int batch, int length,
                      int heads, int kv_heads)
{
    const Attention a = {(const __nv_bfloat16 *)q,
                         (const __nv_bfloat16 *)k,
                         (const __nv_bfloat16 *)v,
                         (__nv_bfloat16 *)o,
                         batch,
                         length,
                         heads,
                         kv_heads,
                         D,
                         0};
    float *floats = (float *)scratch;
    return Decode{a, floats, (unsigned *)(floats + scratch_floats((size_t)batch * heads, (size_t)length)), PART,
                  (length + PART - 1) / PART};
}

/* For attention_pytorch.py, through ctypes. `scratch` is of decode_scratch_bytes(), zero before the first launch. */
extern "C" size_t decode_scratch_bytes(int batch, int length, int heads)
{
    return sizeof(float) * scratch_floats((size_t)batch * heads, (size_t)length) + sizeof(unsigned) * batch * heads;
}
extern "C" void decode_rung(int number, const void *q, const void *k, const void *v, void *o, void *scratch, int batch,
                            int length, int heads, int kv_heads, cudaStream_t stream)
{
    const Decode d = problem(q, k, v, o, scratch, batch, length, heads, kv_heads);
    for (int i = 0; i < LAB_COUNT(rungs); i++)
        if (rungs[i].number == number)
            ((Launch *)rungs[i].launch)(&d, stream);
}

static const char *setup(LabCase *c)
{
    const size_t B = c->dim[0], S = c->dim[1], H = c->dim[2], G = c->dim[3];
    if (G == 0 || H % G)
        return "the query heads are a multiple of the key heads";
    if (B * H > 65535 || S > 1 << 20 || S == 0)
        return "at most 65535 heads in all, of 1 to 1048576 tokens";
    lab_input(c, 0, B * H * D, LAB_BF16);
    lab_input(c, 1, B * S * G * D, LAB_BF16);
    lab_input(c, 2, B * S * G * D, LAB_BF16);
    lab_output(c, B * H * D, LAB_BF16);
    /* Scores of deviation 1, and in every second sequence of 8; positive values: see attention.cu. */
    lab_fill_uniform(c, 0, -1.732, 1.732);
    lab_fill_uniform(c, 1, -1.732, 1.732);
    lab_fill_uniform(c, 2, 0.25, 2);
    for (size_t b = 1; b < B; b += 2)
        for (size_t i = 0; i < H * D; i++)
            lab_set(c->h_in[0], LAB_BF16, b * H * D + i, 8 * lab_get(c->h_in[0], LAB_BF16, b * H * D + i));
    const size_t scratch = decode_scratch_bytes((int)B, (int)S, (int)H);
    CUDA_CHECK(cudaMemset(lab_scratch(c, scratch), 0, scratch));
    c->out_width = D;
    c->atol = 0;
    c->rtol = 2.0 / 256 + 1e-3; /* rung 4 rounds the weights to 8 bits, and all round the result */
    return NULL;
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    if (r->number == 1 && c->dim[1] > 50000)
        return "the scores do not fit a block's shared memory";
    if (r->number >= 3 && c->dim[2] / c->dim[3] % SHARE)
        return "the heads that share keys are a multiple of 4";
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    const Decode d = problem(c->in[0], c->in[1], c->in[2], c->out, c->scratch, (int)c->dim[0], (int)c->dim[1],
                             (int)c->dim[2], (int)c->dim[3]);
    if (c->out_count > 0)
        ((Launch *)r->launch)(&d, c->stream);
}

static double bytes(const LabCase *c) { return 2.0 * (double)(2 * c->in_count[0] + 2 * c->in_count[1]); }
static double flops(const LabCase *c) { return 4.0 * (double)c->in_count[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 16,
    .name = "attention_decode",
    .title = "one new token looks back: nothing but reading, if there are enough blocks",
    .page = "attention.md",
    .look = "Bytes count k and v once. Rung 1 has too few blocks, which run too long; rung 2 reads the keys once for\n"
            "each head that shares them. (The table's ceiling is a copy, which a read alone exceeds.)",
    .dims = "B S H G",
    .size = "32x8192x32x8 4x8192x32x8",
    .cpu_size = "1x512x8x2",
    .test_sizes = "1x1x4x1 1x7x4x1 2x33x8x2 1x512x4x1 2x513x8x2 1x1100x8x1 3x600x4x4 0x5x4x1",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = decode_cpu,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .flops = flops,
};

LAB_MAIN(lab)
