/* curand_sobol.h: Sobol's quasi-random sequences in 32 and 64 bits, with cuRAND's names; curand_kernel.h includes it.
 *
 * Direction numbers: S. Joe and F. Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008),
 * their set D(6), of which the first 21 dimensions are here. Points in the order of the Gray code (Antonov, Saleev).
 * Scrambled sequences are not here: their names are not declared. */
#ifndef CURAND_SOBOL_H
#define CURAND_SOBOL_H

#include <sys/mman.h>
#include <unistd.h>

#define QUALIFIERS static inline

enum { CPUDEV_SOBOL_DIMENSIONS = 21 };

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

struct curandStateSobol32 {
    unsigned int i, x, c; /* the number of the next point, its value; c: unused */
    unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;

/* The direction numbers of a dimension (0 is van der Corput's) as fractions of 2^bits: v[i] = m[i] / 2^(i+1), and from
 * the polynomial's degree on by its recurrence. */
template <class Word, int bits> static inline void cpudev_sobol_directions(Word *v, int dimension)
{
    static const struct {
        unsigned char degree, a, m[7]; /* a: the polynomial's inner coefficients */
    } known[CPUDEV_SOBOL_DIMENSIONS] = {
        {0, 0, {0}},
        {1, 0, {1}},
        {2, 1, {1, 3}},
        {3, 1, {1, 3, 1}},
        {3, 2, {1, 1, 1}},
        {4, 1, {1, 1, 3, 3}},
        {4, 4, {1, 3, 5, 13}},
        {5, 2, {1, 1, 5, 5, 17}},
        {5, 4, {1, 1, 5, 5, 5}},
        {5, 7, {1, 1, 7, 11, 19}},
        {5, 11, {1, 1, 5, 1, 1}},
        {5, 13, {1, 1, 1, 3, 11}},
        {5, 14, {1, 3, 5, 5, 31}},
        {6, 1, {1, 3, 3, 9, 7, 49}},
        {6, 13, {1, 1, 1, 15, 21, 21}},
        {6, 16, {1, 3, 1, 13, 27, 49}},
        {6, 19, {1, 1, 1, 15, 7, 5}},
        {6, 22, {1, 3, 1, 15, 13, 25}},
        {6, 25, {1, 1, 5, 5, 19, 61}},
        {7, 1, {1, 3, 7, 11, 23, 15, 103}},
        {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    };
    const int degree = known[dimension].degree, a = known[dimension].a;
    for (int i = 0; i < bits; i++)
        if (dimension == 0)
            v[i] = (Word)1 << (bits - 1 - i);
        else if (i < degree)
            v[i] = (Word)known[dimension].m[i] << (bits - 1 - i);
        else {
            v[i] = v[i - degree] ^ v[i - degree] >> degree;
            for (int k = 1; k < degree; k++)
                if (a >> (degree - 1 - k) & 1)
                    v[i] ^= v[i - k];
        }
}

/* All dimensions' direction numbers. They end where memory ends that may be read: a program that wants more dimensions
 * than there are faults, and does not read something else. */
template <class Word, int bits> static inline Word *cpudev_sobol_table()
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = sizeof(Word) * bits * CPUDEV_SOBOL_DIMENSIONS;
    const size_t room = (bytes + page - 1) / page * page;
    char *p = (char *)mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == (char *)MAP_FAILED)
        return NULL;
    Word *table = (Word *)(void *)(p + room - bytes);
    for (int d = 0; d < CPUDEV_SOBOL_DIMENSIONS; d++)
        cpudev_sobol_directions<Word, bits>(table + d * bits, d);
    mprotect(p + room, page, PROT_NONE);
    return table;
}

/* ---- in kernels: one state a dimension ---- */

template <class State> QUALIFIERS void cpudev_sobol_to(State *s, unsigned long long point)
{
    const unsigned long long gray = point ^ point >> 1;
    s->i = point;
    s->x = 0;
    for (int b = 0; b < (int)(8 * sizeof s->x); b++)
        if (gray >> b & 1)
            s->x ^= s->direction_vectors[b];
}
template <class State> QUALIFIERS decltype(State::x) cpudev_sobol_next(State *s)
{
    const decltype(State::x) x = s->x;
    const unsigned long long free = ~(unsigned long long)s->i;
    const int b = free ? __builtin_ctzll(free) : 0;
    s->x ^= s->direction_vectors[b < (int)(8 * sizeof x) ? b : (int)(8 * sizeof x) - 1];
    s->i++;
    return x;
}
QUALIFIERS void curand_init(const unsigned int *vectors, unsigned int offset, curandStateSobol32_t *s)
{
    for (int i = 0; i < 32; i++)
        s->direction_vectors[i] = vectors[i];
    s->c = 0;
    cpudev_sobol_to(s, offset);
}
QUALIFIERS void curand_init(const unsigned long long *vectors, unsigned long long offset, curandStateSobol64_t *s)
{
    for (int i = 0; i < 64; i++)
        s->direction_vectors[i] = vectors[i];
    s->c = 0;
    cpudev_sobol_to(s, offset);
}
QUALIFIERS void skipahead(unsigned int n, curandStateSobol32_t *s) { cpudev_sobol_to(s, s->i + n); }
QUALIFIERS void skipahead(unsigned long long n, curandStateSobol64_t *s) { cpudev_sobol_to(s, s->i + n); }
QUALIFIERS unsigned int curand(curandStateSobol32_t *s) { return cpudev_sobol_next(s); }
QUALIFIERS unsigned long long curand(curandStateSobol64_t *s) { return cpudev_sobol_next(s); }

QUALIFIERS float curand_uniform(curandStateSobol64_t *s)
{
    return (float)(curand(s) >> 32) * 2.3283064e-10f + 1.1641532e-10f;
}
QUALIFIERS double curand_uniform_double(curandStateSobol32_t *s)
{
    return (double)curand(s) * 2.3283064365386963e-10 + 1.1641532182693481e-10;
}
QUALIFIERS double curand_uniform_double(curandStateSobol64_t *s)
{
    return (double)(curand(s) >> 11) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
/* One number makes one normal number: the quantile, by Newton's steps on the C library's erfc. */
QUALIFIERS double cpudev_quantile(double u)
{
    double x = 0;
    for (int step = 0; step < 60; step++) {
        const double error =
            u < 0.5 ? 0.5 * erfc(-x * 0.7071067811865476) - u : (1 - u) - 0.5 * erfc(x * 0.7071067811865476);
        const double change = error * 2.5066282746310002 * exp(0.5 * x * x);
        x -= change > 1 ? 1 : change < -1 ? -1 : change;
        if (fabs(change) < 1e-15 * (1 + fabs(x)))
            break;
    }
    return x;
}
QUALIFIERS double curand_normal_double(curandStateSobol32_t *s) { return cpudev_quantile(curand_uniform_double(s)); }
QUALIFIERS double curand_normal_double(curandStateSobol64_t *s) { return cpudev_quantile(curand_uniform_double(s)); }
QUALIFIERS float curand_normal(curandStateSobol32_t *s) { return (float)curand_normal_double(s); }
QUALIFIERS float curand_normal(curandStateSobol64_t *s) { return (float)curand_normal_double(s); }

#undef QUALIFIERS
#endif
