/* curand_kernel.h: random numbers in kernels, with cuRAND's names.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel Random Numbers: As Easy as 1, 2, 3", 2011): the counter's lower
 * half counts blocks of four numbers, its upper half is the subsequence, the key is the seed.
 * XORWOW (Marsaglia: "Xorshift RNGs", 2003): subsequences are 2^67 numbers apart, by powers of the step's matrix.
 * The distributions are as exact as the C library; a sequence of floats may differ from a GPU's in the last place. */
#ifndef CURAND_KERNEL_H
#define CURAND_KERNEL_H

#include <math.h>
#include <pthread.h>
#include "cuda_runtime.h"

#define QUALIFIERS static inline

/* Without gaps, so that a copy of a state reads nothing that was never written. */
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    double boxmuller_extra_double;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    unsigned int STATE; /* how many of output are used up */
};
struct curandStateXORWOW {
    double boxmuller_extra_double;
    short boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    unsigned int d, v[5];
};
static_assert(sizeof(struct curandStatePhilox4_32_10) == 64 && sizeof(struct curandStateXORWOW) == 40,
              "a random state has gaps");
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/* ---- Philox ---- */

QUALIFIERS uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        const unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
        c = make_uint4((unsigned)(b >> 32) ^ c.y ^ k.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ k.y, (unsigned)a);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}

QUALIFIERS void cpudev_philox_add(unsigned int *low, unsigned int *high, unsigned long long n)
{
    const unsigned long long sum = (*low | (unsigned long long)*high << 32) + n;
    *low = (unsigned)sum;
    *high = (unsigned)(sum >> 32);
}

QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    const unsigned place = s->STATE + (unsigned)(n & 3);
    unsigned long long blocks = n / 4 + place / 4, before = s->ctr.x | (unsigned long long)s->ctr.y << 32;
    s->STATE = place & 3;
    cpudev_philox_add(&s->ctr.x, &s->ctr.y, blocks);
    if (before + blocks < before)
        cpudev_philox_add(&s->ctr.z, &s->ctr.w, 1);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}

QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    cpudev_philox_add(&s->ctr.z, &s->ctr.w, n);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStatePhilox4_32_10_t *s)
{
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    s->STATE = 0;
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}

QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *s)
{
    const unsigned int x = s->STATE == 0   ? s->output.x
                           : s->STATE == 1 ? s->output.y
                           : s->STATE == 2 ? s->output.z
                                           : s->output.w;
    skipahead(1, s);
    return x;
}

QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *s)
{
    uint4 r;
    r.x = curand(s);
    r.y = curand(s);
    r.z = curand(s);
    r.w = curand(s);
    return r;
}

/* ---- XORWOW ---- */

/* cucc --check does not look at accesses to these tables, which the host's side of the library makes. gcc 10 would look
 * where they are inlined. */
#define CPUDEV_UNSEEN __attribute__((noinline, no_sanitize("thread")))

/* What 2^67 times 2^i steps make of each of the 160 bits of v; i = 0..63. Steps are linear, but for d. */
struct cpudev_xorwow_powers {
    unsigned int far[64][160][5], near[64][160][5]; /* near: 2^i steps */
    CPUDEV_UNSEEN static void apply(unsigned int *v, const unsigned int (*m)[5])
    {
        unsigned int r[5] = {0, 0, 0, 0, 0};
        for (int b = 0; b < 160; b++)
            if (v[b / 32] >> b % 32 & 1)
                for (int w = 0; w < 5; w++)
                    r[w] ^= m[b][w];
        for (int w = 0; w < 5; w++)
            v[w] = r[w];
    }
    static void square(unsigned int (*to)[5], const unsigned int (*m)[5])
    {
        for (int b = 0; b < 160; b++) {
            for (int w = 0; w < 5; w++)
                to[b][w] = m[b][w];
            apply(to[b], m);
        }
    }
    static void step(unsigned int *v)
    {
        const unsigned int t = v[0] ^ v[0] >> 2;
        for (int w = 0; w < 4; w++)
            v[w] = v[w + 1];
        v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    }
    cpudev_xorwow_powers()
    {
        for (int b = 0; b < 160; b++) {
            for (int w = 0; w < 5; w++)
                near[0][b][w] = w == b / 32 ? 1u << b % 32 : 0;
            step(near[0][b]);
        }
        for (int i = 1; i < 64; i++)
            square(near[i], near[i - 1]);
        unsigned int turn[2][160][5];
        square(turn[0], near[63]); /* 2^64 */
        square(turn[1], turn[0]);
        square(turn[0], turn[1]);
        square(far[0], turn[0]); /* 2^67 */
        for (int i = 1; i < 64; i++)
            square(far[i], far[i - 1]);
    }
    CPUDEV_UNSEEN static const cpudev_xorwow_powers &all()
    {
        static const cpudev_xorwow_powers *powers;
        static pthread_once_t once = PTHREAD_ONCE_INIT; /* clang looks at a static object's own guard, here too */
        pthread_once(&once, []() CPUDEV_UNSEEN { powers = new cpudev_xorwow_powers; });
        return *powers;
    }
};

QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t *s)
{
    s->d += 362437u * (unsigned)n;
    for (int i = 0; n; i++, n >>= 1)
        if (n & 1)
            cpudev_xorwow_powers::apply(s->v, cpudev_xorwow_powers::all().near[i]);
}

QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *s) /* 2^67 steps leave d as it is */
{
    for (int i = 0; n; i++, n >>= 1)
        if (n & 1)
            cpudev_xorwow_powers::apply(s->v, cpudev_xorwow_powers::all().far[i]);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateXORWOW_t *s)
{
    const unsigned int t0 = 1099087573u * ((unsigned)seed ^ 0xaad26b49u),
                       t1 = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    s->d = 6615241u + t1 + t0;
    s->v[0] = 123456789u + t0;
    s->v[1] = 362436069u ^ t0;
    s->v[2] = 521288629u + t1;
    s->v[3] = 88675123u ^ t1;
    s->v[4] = 5783321u + t0;
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}

QUALIFIERS unsigned int curand(curandStateXORWOW_t *s)
{
    cpudev_xorwow_powers::step(s->v);
    s->d += 362437u;
    return s->v[4] + s->d;
}

/* ---- distributions: 2.3283064e-10 is 2^-32, 1.1102230246251565e-16 is 2^-53 (0x1p-32 is C++17) ---- */

QUALIFIERS float cpudev_uniform(unsigned int x) { return (float)x * 2.3283064e-10f + 1.1641532e-10f; } /* (0, 1] */
QUALIFIERS double cpudev_uniform(unsigned int x, unsigned int y)
{
    return (double)(x ^ (unsigned long long)y << 21) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
template <class State> QUALIFIERS double cpudev_uniform_53(State *s)
{
    const unsigned int x = curand(s), y = curand(s);
    return cpudev_uniform(x, y);
}
QUALIFIERS float2 cpudev_box_muller(unsigned int x, unsigned int y)
{
    const float r = sqrtf(-2.0f * logf(cpudev_uniform(x))), angle = 6.2831855f * cpudev_uniform(y);
    return make_float2(r * sinf(angle), r * cosf(angle));
}

template <class State> QUALIFIERS float curand_uniform(State *s) { return cpudev_uniform(curand(s)); }
QUALIFIERS double curand_uniform_double(curandStateXORWOW_t *s) { return cpudev_uniform_53(s); }
QUALIFIERS double curand_uniform_double(curandStatePhilox4_32_10_t *s)
{
    return (double)curand(s) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
} /* one number for each, as cuRAND's */
template <class State> QUALIFIERS float2 curand_normal2(State *s)
{
    const unsigned int x = curand(s), y = curand(s);
    return cpudev_box_muller(x, y);
}
template <class State> QUALIFIERS float curand_normal(State *s)
{
    s->boxmuller_flag = !s->boxmuller_flag;
    if (!s->boxmuller_flag)
        return s->boxmuller_extra;
    const float2 v = curand_normal2(s);
    s->boxmuller_extra = v.y;
    return v.x;
}
template <class State> QUALIFIERS double2 curand_normal2_double(State *s)
{
    const double r = sqrt(-2.0 * log(cpudev_uniform_53(s))), angle = 6.283185307179586 * cpudev_uniform_53(s);
    return make_double2(r * sin(angle), r * cos(angle));
}
template <class State> QUALIFIERS double curand_normal_double(State *s)
{
    s->boxmuller_flag_double = !s->boxmuller_flag_double;
    if (!s->boxmuller_flag_double)
        return s->boxmuller_extra_double;
    const double2 v = curand_normal2_double(s);
    s->boxmuller_extra_double = v.y;
    return v.x;
}
template <class State> QUALIFIERS float curand_log_normal(State *s, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(s));
}
template <class State> QUALIFIERS double curand_log_normal_double(State *s, double mean, double deviation)
{
    return exp(mean + deviation * curand_normal_double(s));
}
QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
    const uint4 x = curand4(s);
    return make_float4(cpudev_uniform(x.x), cpudev_uniform(x.y), cpudev_uniform(x.z), cpudev_uniform(x.w));
}
QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
    const uint4 x = curand4(s);
    const float2 a = cpudev_box_muller(x.x, x.y), b = cpudev_box_muller(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
    const uint4 x = curand4(s);
    return make_double2(cpudev_uniform(x.x, x.y), cpudev_uniform(x.z, x.w));
}

#undef QUALIFIERS
#undef CPUDEV_UNSEEN
#include "curand_sobol.h"
#include "curand_mrg.h"
#include "curand.h" /* as NVIDIA's does; needs the declarations above */
#endif
