/* blas_convert.h: rows of half and bfloat16 to float and back, as __half2float() and the like do: rounded to nearest, to
 * even; what is not a number becomes 0x7fff. By whole numbers, in loops that gcc can vectorise. */
#ifndef BLAS_CONVERT_H
#define BLAS_CONVERT_H

#include <stdint.h>
#include <string.h>

static inline float from_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}
static inline uint32_t to_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* Subnormal ones by a subtraction that is exact. */
static inline float half_to_float(uint16_t h)
{
    const uint32_t u = (uint32_t)(h & 0x7fff) << 13, exponent = u & 0x0f800000;
    const uint32_t normal = u + (exponent == 0x0f800000 ? (255u - 31) << 23 : (127u - 15) << 23);
    const uint32_t small = to_bits(from_bits(u + (113u << 23)) - from_bits(113u << 23));
    return from_bits((exponent ? normal : small) | (uint32_t)(h & 0x8000) << 16);
}
/* To subnormal ones by an addition that rounds as it should. */
static inline uint16_t float_to_half(float f)
{
    const uint32_t bits = to_bits(f), sign = bits >> 16 & 0x8000, u = bits & 0x7fffffff;
    const uint32_t large = u > 0x7f800000 ? 0x7fff - sign : 0x7c00;
    const uint32_t small = to_bits(from_bits(u) + 0.5f) - to_bits(0.5f);
    const uint32_t normal = (u - (112u << 23) + 0xfff + (u >> 13 & 1)) >> 13;
    return (uint16_t)((u >= 143u << 23 ? large : u < 113u << 23 ? small : normal) + sign);
}
static inline uint16_t float_to_bf16(float f)
{
    const uint32_t u = to_bits(f);
    return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static inline void halves_to_floats(float *to, const uint16_t *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = half_to_float(from[i]);
}
static inline void bf16s_to_floats(float *to, const uint16_t *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from_bits((uint32_t)from[i] << 16);
}
static inline void floats_to_halves(uint16_t *to, const float *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = float_to_half(from[i]);
}
static inline void floats_to_bf16s(uint16_t *to, const float *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = float_to_bf16(from[i]);
}

#endif
