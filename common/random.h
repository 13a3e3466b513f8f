/* random.h: random input that is the same on every machine and for any order of evaluation.
 * Counter based: element i of a stream is a hash of (seed, i), by Steele, Lea and Flood's SplitMix64 finaliser
 * ("Fast splittable pseudorandom number generators", OOPSLA 2014). Host side. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

static inline uint64_t random_u64(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * 0xD1B54A32D192ED03ull + (i + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1), 53 bits. */
static inline double random_uniform(uint64_t seed, uint64_t i) { return (double)(random_u64(seed, i) >> 11) * 0x1p-53; }

#endif
