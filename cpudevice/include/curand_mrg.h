/* curand_mrg.h: MRG32k3a in kernels (L'Ecuyer: "Good Parameters and Implementations for Combined Multiple Recursive Random
 * Number Generators", 1999): two recurrences of order 3, whose difference modulo m1 is the number, from 1 to m1. A
 * subsequence is 2^76 numbers, a sequence 2^127, by powers of the steps' matrices; seeds and bits are as cuRAND's. Comes with curand_kernel.h. */
#ifndef CURAND_MRG_H
#define CURAND_MRG_H

#define QUALIFIERS static inline
#define CPUDEV_UNSEEN __attribute__((noinline, no_sanitize("thread"))) /* see curand_kernel.h */
#define CPUDEV_MRG_M1 4294967087ull
#define CPUDEV_MRG_M2 4294944443ull

struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3]; /* the last three of each recurrence, the oldest first */
    double boxmuller_extra_double;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    unsigned int unused;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
static_assert(sizeof(struct curandStateMRG32k3a) == 48, "a random state has gaps");

/* What 2^i steps do to both triples. */
struct cpudev_mrg_powers {
    typedef unsigned long long Matrix[2][3][3];
    enum { SUBSEQUENCE = 76, SEQUENCE = 127, POWERS = SEQUENCE + 64 };
    Matrix power[POWERS];
    static unsigned long long modulus(int which) { return which ? CPUDEV_MRG_M2 : CPUDEV_MRG_M1; }
    static void square(Matrix to, const Matrix m)
    {
        for (int which = 0; which < 2; which++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    to[which][i][j] = 0;
                    for (int k = 0; k < 3; k++)
                        to[which][i][j] += m[which][i][k] * m[which][k][j] % modulus(which);
                    to[which][i][j] %= modulus(which);
                }
    }
    CPUDEV_UNSEEN static void apply(unsigned int *s, int which, const Matrix m)
    {
        unsigned long long r[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                r[i] += m[which][i][j] * s[j] % modulus(which);
        for (int i = 0; i < 3; i++)
            s[i] = (unsigned int)(r[i] % modulus(which));
    }
    cpudev_mrg_powers()
    {
        const Matrix step = {{{0, 1, 0}, {0, 0, 1}, {CPUDEV_MRG_M1 - 810728, 1403580, 0}},
                             {{0, 1, 0}, {0, 0, 1}, {CPUDEV_MRG_M2 - 1370589, 0, 527612}}};
        for (int i = 0; i < 18; i++)
            power[0][i / 9][i / 3 % 3][i % 3] = step[i / 9][i / 3 % 3][i % 3];
        for (int i = 1; i < POWERS; i++)
            square(power[i], power[i - 1]);
    }
    CPUDEV_UNSEEN static const cpudev_mrg_powers &all()
    {
        static const cpudev_mrg_powers *powers;
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        pthread_once(&once, []() CPUDEV_UNSEEN { powers = new cpudev_mrg_powers; });
        return *powers;
    }
    static void skip(curandStateMRG32k3a *s, unsigned long long n, int first)
    {
        for (int i = first; n; i++, n >>= 1)
            if (n & 1) {
                apply(s->s1, 0, all().power[i]);
                apply(s->s2, 1, all().power[i]);
            }
    }
};

QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t *s) { cpudev_mrg_powers::skip(s, n, 0); }
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *s)
{
    cpudev_mrg_powers::skip(s, n, cpudev_mrg_powers::SUBSEQUENCE);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *s)
{
    cpudev_mrg_powers::skip(s, n, cpudev_mrg_powers::SEQUENCE);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateMRG32k3a_t *s)
{
    const unsigned long long x = (unsigned int)seed ^ 0x55555555u, y = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
    for (int i = 0; i < 3; i++) {
        s->s1[i] = (unsigned int)(seed ? (i == 1 ? y : x) * 12345 % CPUDEV_MRG_M1 : 12345);
        s->s2[i] = (unsigned int)(seed ? (i == 1 ? x : y) * 12345 % CPUDEV_MRG_M2 : 12345);
    }
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
    s->unused = 0;
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
}

/* 1 to m1. */
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t *s)
{
    const unsigned long long p =
        (1403580ull * s->s1[1] + (CPUDEV_MRG_M1 - 810728) * s->s1[0] % CPUDEV_MRG_M1) % CPUDEV_MRG_M1;
    const unsigned long long q =
        (527612ull * s->s2[2] + (CPUDEV_MRG_M2 - 1370589) * s->s2[0] % CPUDEV_MRG_M2) % CPUDEV_MRG_M2;
    for (int i = 0; i < 2; i++) {
        s->s1[i] = s->s1[i + 1];
        s->s2[i] = s->s2[i + 1];
    }
    s->s1[2] = (unsigned int)p;
    s->s2[2] = (unsigned int)q;
    return p > q ? (double)(p - q) : (double)(p + CPUDEV_MRG_M1 - q);
}
/* All 32 bits: stretched by 2^32 / m1. */
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *s) { return (unsigned int)(curand_MRG32k3a(s) * 1.000000048662); }
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *s)
{
    return (float)(curand_MRG32k3a(s) * 2.3283065498378288e-10);
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *s)
{
    return curand_MRG32k3a(s) * 2.3283065498378288e-10;
}
QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t *s)
{
    const float r = sqrtf(-2.0f * logf(curand_uniform(s))), angle = 6.2831855f * curand_uniform(s);
    return make_float2(r * sinf(angle), r * cosf(angle));
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t *s)
{
    const double r = sqrt(-2.0 * log(curand_uniform_double(s))), angle = 6.283185307179586 * curand_uniform_double(s);
    return make_double2(r * sin(angle), r * cos(angle));
}

#undef QUALIFIERS
#undef CPUDEV_UNSEEN
#endif
