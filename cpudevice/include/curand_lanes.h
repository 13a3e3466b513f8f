/* curand_lanes.h: the order of a host API's pseudo-random numbers: cuRAND's. Many subsequences ("lanes") take turns: number
 * n is lane n mod 4096's of XORWOW, n mod 81920's of MRG32k3a (4096 in the legacy order), and of Philox four at a time, n / 4
 * mod 65536's. Normal numbers come in pairs of a lane. Comes with curand.h. */
#ifndef CURAND_LANES_H
#define CURAND_LANES_H

static inline void cpudev_next_subsequence(curandStateXORWOW_t *s) { skipahead_sequence(1, s); }
static inline void cpudev_next_subsequence(curandStateMRG32k3a_t *s) { skipahead_subsequence(1, s); }
static inline void cpudev_next_subsequence(curandStatePhilox4_32_10_t *s) { skipahead_sequence(1, s); }

template <class State> struct cpudev_lanes {
    State *state; /* NULL: not begun */
    State next;   /* where the next lane begins */
    int ready;
    void end()
    {
        free(state);
        state = NULL;
    }
    /* Lanes are made when their first number is due. */
    bool begin(unsigned long long seed, int count)
    {
        state = (State *)malloc((size_t)count * sizeof(State));
        ready = 0;
        curand_init(seed, 0, 0, &next);
        return state;
    }
    State *lane(int which, int turn, int count, unsigned long long offset)
    {
        const unsigned long long round = (unsigned long long)turn * (unsigned long long)count;
        for (; ready <= which; ready++) {
            const unsigned long long first = (unsigned long long)ready * (unsigned long long)turn,
                                     rest = offset % round, part = rest > first ? rest - first : 0;
            state[ready] = next;
            skipahead(offset / round * (unsigned long long)turn + (part < (unsigned)turn ? part : (unsigned)turn),
                      &state[ready]);
            cpudev_next_subsequence(&next);
        }
        return &state[which];
    }
    /* n values, from number `from` on, of which those before `offset` were skipped; `group` values a lane's turn. */
    template <class __T, class Make>
    void fill(__T *values, size_t n, unsigned long long from, unsigned long long offset, int turn, int group, int count,
              Make make)
    {
        const unsigned long long lanes = (unsigned long long)count;
        for (size_t i = 0; i < n; i++)
            values[i] = make(lane((int)((from + i) / (unsigned long long)group % lanes), turn, count, offset));
    }
};

/* A number by Poisson's law: up to 64 by products of uniform numbers (Knuth); above by transformed rejection (Hoermann:
 * "The Transformed Rejection Method for Generating Poisson Random Variables", 1993, PTRS). */
template <class State> static inline unsigned int cpudev_poisson(State *s, double mean)
{
    if (mean < 64) {
        const double limit = exp(-mean);
        double product = curand_uniform(s);
        unsigned int n = 0;
        for (; product > limit; n++)
            product *= curand_uniform(s);
        return n;
    }
    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b, inverse = 1.1239 + 1.1328 / (b - 3.4);
    for (;;) {
        const double u = curand_uniform(s) - 0.5, v = curand_uniform(s), us = 0.5 - fabs(u);
        const double k = floor((2 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2))
            return (unsigned int)k;
        if (k >= 0 && !(us < 0.013 && v > us) &&
            log(v * inverse / (a / (us * us) + b)) <= k * log(mean) - mean - lgamma(k + 1))
            return (unsigned int)k;
    }
}
static inline unsigned int curand_poisson(curandStateXORWOW_t *s, double mean) { return cpudev_poisson(s, mean); }
static inline unsigned int curand_poisson(curandStateMRG32k3a_t *s, double mean) { return cpudev_poisson(s, mean); }
static inline unsigned int curand_poisson(curandStatePhilox4_32_10_t *s, double mean)
{
    return cpudev_poisson(s, mean);
}

#endif
