/*
 * cpudev_smallfloat.h: conversions between float or double and the 16- and 8-bit formats, as bits; for C and C++.
 *
 * Every conversion rounds once. The round-to-nearest-even ones between float and the 16-bit formats are written out,
 * as they stand in inner loops; the others go through cpudev_encode(), which knows all four IEEE rounding modes.
 * A NaN becomes the format's canonical NaN (0x7fff), as on the device.
 */
#ifndef CPUDEV_SMALLFLOAT_H
#define CPUDEV_SMALLFLOAT_H

#include <stdint.h>
#include <string.h>

#define CPUDEV_SMALL static inline __attribute__((unused))

/* -ftz=true: the file's kernels run on a processor that takes and gives subnormal numbers as 0 (runtime/exec/flush.h). What
 * only moves bits does not: cpudev_flushed() is for what a GPU flushes all the same. On the host it changes nothing, for
 * there a subnormal number does not equal 0. */
#ifndef CPUDEV_FLUSHES
#define CPUDEV_FLUSHES 0
#endif

enum cpudev_rounding { CPUDEV_RN, CPUDEV_RZ, CPUDEV_RU, CPUDEV_RD };

CPUDEV_SMALL uint32_t cpudev_float_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof(u));
    return u;
}

CPUDEV_SMALL float cpudev_bits_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof(f));
    return f;
}

CPUDEV_SMALL float cpudev_flushed(float f)
{
    return CPUDEV_FLUSHES && f == 0.0f ? cpudev_bits_float(cpudev_float_bits(f) & 0x80000000u) : f;
}

CPUDEV_SMALL uint64_t cpudev_double_bits(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof(u));
    return u;
}

CPUDEV_SMALL double cpudev_bits_double(uint64_t u)
{
    double d;
    memcpy(&d, &u, sizeof(d));
    return d;
}

/* A float as a double, a subnormal one too. */
CPUDEV_SMALL double cpudev_widened(float f)
{
    const uint32_t u = cpudev_float_bits(f);
    const int digits = (int)(u & 0x7fffffu);
    if (CPUDEV_FLUSHES && f == 0.0f && digits)
        return (u >> 31 ? -digits : digits) * cpudev_bits_double(0x36a0000000000000u); /* 2^-149 */
    return f;
}

/* bfloat16: the upper half of a float. */
CPUDEV_SMALL float cpudev_bf16_to_float(uint16_t h) { return cpudev_bits_float((uint32_t)h << 16); }

CPUDEV_SMALL uint16_t cpudev_float_to_bf16(float f)
{
    uint32_t u = cpudev_float_bits(f);
    uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    return (uint16_t)((u & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded);
}

/* IEEE half: 5 exponent bits, 10 mantissa bits. */
CPUDEV_SMALL float cpudev_half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, rest = h & 0x7fffu;
    /* The product rebiases the exponent, normalises subnormals and is exact. No branches: loops are vectorised.
     * Where a file flushes its first factor must not be subnormal, nor in a function that such a file may share with others. */
#if CPUDEV_FLUSHES || !defined(__OPTIMIZE__)
    float small = (float)(int)rest * cpudev_bits_float(0x33800000u); /* 2^-24 */
    float magnitude = rest < 0x400u ? small : cpudev_bits_float((rest << 13) + 0x38000000u);
#else
    float magnitude = cpudev_bits_float(rest << 13) * cpudev_bits_float(0x77800000u);
#endif
    uint32_t special = rest > 0x7c00u ? 0x7fffffffu : 0x7f800000u | sign;
    return cpudev_bits_float(rest >= 0x7c00u ? special : cpudev_float_bits(magnitude) | sign);
}

CPUDEV_SMALL uint16_t cpudev_float_to_half(float f)
{
    uint32_t u = cpudev_float_bits(f), sign = (u >> 16) & 0x8000u;
    uint32_t magnitude = u & 0x7fffffffu, out;
    if (magnitude > 0x7f800000u)
        return 0x7fffu;
    if (magnitude >= 0x477ff000u) /* rounds to 65536 or more */
        out = 0x7c00u;
    else if (magnitude < 0x38800000u) /* below 2^-14: let the float adder round at the subnormal's last place */
        out = cpudev_float_bits(cpudev_bits_float(magnitude) + 0.5f) - 0x3f000000u;
    else
        out = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    return (uint16_t)(sign | out);
}

/* The same by the CPU's own instructions, where it has them: quicker for one number, but compilers vectorise only loops
 * of the conversions above. Arithmetic takes these: a loop with a few of its operations is not vectorised either way. */
#if defined __F16C__ && defined __has_builtin
#if __has_builtin(__builtin_ia32_vcvtps2ph) && __has_builtin(__builtin_ia32_vcvtph2ps)
#define CPUDEV_F16C 1
#endif
#endif
#ifdef CPUDEV_F16C
typedef short cpudev_8_shorts __attribute__((vector_size(16)));
typedef float cpudev_4_floats __attribute__((vector_size(16)));

CPUDEV_SMALL float cpudev_half_value(uint16_t h)
{
    const float f = __builtin_ia32_vcvtph2ps((cpudev_8_shorts){(short)h})[0];
    return cpudev_bits_float((h & 0x7fffu) > 0x7c00u ? 0x7fffffffu : cpudev_float_bits(f));
}
CPUDEV_SMALL uint16_t cpudev_half_round(float f)
{
    const uint16_t h = (uint16_t)__builtin_ia32_vcvtps2ph((cpudev_4_floats){f}, 0)[0];
    return (uint16_t)(f != f ? 0x7fffu : h);
}
#else
CPUDEV_SMALL float cpudev_half_value(uint16_t h) { return cpudev_half_to_float(h); }
CPUDEV_SMALL uint16_t cpudev_half_round(float f) { return cpudev_float_to_half(f); }
#endif

/*
 * A double as a float, rounded to odd: rounding that once more, to half or bfloat16, gives what rounding the double
 * itself would have given.
 */
CPUDEV_SMALL float cpudev_double_to_float_odd(double d)
{
    uint64_t u = cpudev_double_bits(d);
    uint64_t lost = u & 0x1fffffffu;
    return (float)cpudev_bits_double((u - lost) | (lost ? 0x20000000u : 0));
}

/*
 * The value (-1)^sign * m * 2^lsb, m > 0, in the IEEE format with `mant` mantissa and `exp` exponent bits.
 * Beyond the largest finite value: infinity, or the largest finite value where the rounding mode points inwards.
 */
CPUDEV_SMALL uint32_t cpudev_encode(uint32_t sign, uint64_t m, int lsb, int mant, int exp, int rounding)
{
    int emin = 2 - (1 << (exp - 1)), e = lsb + 63 - __builtin_clzll(m);
    int place = (e > emin ? e : emin) - mant, drop = place - lsb;
    uint32_t infinity = ((1u << exp) - 1u) << mant, bits;
    uint64_t kept, rest = 0, half = 1;
    int up;
    if (drop <= 0) {
        kept = m << -drop;
    } else if (drop > 63) {
        kept = 0; /* far below half of the last place: only "not zero" counts */
        rest = 1;
        half = 2;
    } else {
        kept = m >> drop;
        rest = m & (((uint64_t)1 << drop) - 1);
        half = (uint64_t)1 << (drop - 1);
    }
    switch (rounding) {
    case CPUDEV_RN: up = rest > half || (rest == half && (kept & 1) && rest); break;
    case CPUDEV_RU: up = rest && !sign; break;
    case CPUDEV_RD: up = rest && sign; break;
    default: up = 0; break;
    }
    kept += (uint64_t)up;
    if (e < emin)
        bits = (uint32_t)kept;
    else if (e - emin + 1 >= (1 << exp) - 1)
        bits = infinity;
    else
        bits = ((uint32_t)(e - emin) << mant) + (uint32_t)kept;
    if (bits >= infinity) {
        int inwards = rounding == CPUDEV_RZ || (rounding == CPUDEV_RU && sign) || (rounding == CPUDEV_RD && !sign);
        bits = inwards ? infinity - 1u : infinity;
    }
    return (sign << (mant + exp)) | bits;
}

CPUDEV_SMALL uint32_t cpudev_double_to_small(double d, int mant, int exp, int rounding)
{
    uint64_t u = cpudev_double_bits(d), m = u & 0xfffffffffffffull;
    uint32_t sign = (uint32_t)(u >> 63), infinity = ((1u << exp) - 1u) << mant;
    int e = (int)((u >> 52) & 0x7ff);
    if (e == 0x7ff)
        return m ? (1u << (mant + exp)) - 1u : (sign << (mant + exp)) | infinity;
    if (e)
        m |= (uint64_t)1 << 52;
    else
        e = 1;
    if (!m)
        return sign << (mant + exp);
    return cpudev_encode(sign, m, e - 1075, mant, exp, rounding);
}

CPUDEV_SMALL uint32_t cpudev_int_to_small(int64_t i, int mant, int exp, int rounding)
{
    if (!i)
        return 0;
    return cpudev_encode(i < 0, i < 0 ? 0 - (uint64_t)i : (uint64_t)i, 0, mant, exp, rounding);
}

CPUDEV_SMALL uint32_t cpudev_uint_to_small(uint64_t i, int mant, int exp, int rounding)
{
    return i ? cpudev_encode(0, i, 0, mant, exp, rounding) : 0;
}

/*
 * a * b + c for 16-bit operands, rounded to odd in double, so that rounding once more to 16 bits rounds correctly.
 * The product of two 16-bit operands is exact in double; two-sum gives the error of the addition.
 */
CPUDEV_SMALL double cpudev_fma_to_odd(float a, float b, float c)
{
    double p = (double)a * b, s = p + c;
    double t = s - p, error = (p - (s - t)) + (c - t);
    uint64_t u;
    if (!(error > 0 || error < 0))
        return s;
    u = cpudev_double_bits(s);
    if (!(u & 1))
        u += (error > 0) == (s > 0) ? 1 : (uint64_t)-1;
    return cpudev_bits_double(u);
}

/*
 * The 8-bit formats: e4m3 (mant 3: no infinity, NaN 0x7f, up to 448) and e5m2 (mant 2: a half's upper byte). Every
 * value of theirs is a half, too.
 */
CPUDEV_SMALL uint16_t cpudev_fp8_to_half(uint8_t x, int mant)
{
    if ((x & 0x7f) > (mant == 3 ? 0x7e : 0x7c))
        return 0x7fff;
    if (mant == 2)
        return (uint16_t)(x << 8);
    /* The bits, moved to a half's place, are too small by the difference of the biases, 2^8. */
    const float size = cpudev_half_to_float((uint16_t)((x & 0x7f) << 7)) * 256.0f;
    return (uint16_t)(cpudev_float_to_half(size) | (x & 0x80) << 8);
}

CPUDEV_SMALL float cpudev_fp8_to_float(uint8_t x, int mant)
{
    return cpudev_half_to_float(cpudev_fp8_to_half(x, mant));
}

/* To nearest even. What is too large becomes the largest finite value (`saturate`), or infinity, which e4m3 has none
 * of: NaN. */
CPUDEV_SMALL uint8_t cpudev_double_to_fp8(double x, int mant, int saturate)
{
    uint32_t bits, limit = mant == 3 ? 0x7eu : 0x7bu;
    if (x != x)
        return 0x7f;
    if (mant == 2) {
        bits = cpudev_double_to_small(x, 2, 5, CPUDEV_RN);
    } else if (x >= 496.0 || x <= -496.0) {
        bits = x < 0 ? 0xffu : 0x7fu; /* beyond the format and its rounding: taken for too large below */
    } else {
        /* Rounded to 3 bits of mantissa with more exponent than needed, then the exponent's bias is changed. */
        uint32_t wide = cpudev_double_to_small(x, 3, 8, CPUDEV_RN);
        uint32_t sign = wide >> 11, rest = wide & 0x7ffu;
        double y = x < 0 ? -x : x;
        if (y < 0.015625) /* below 2^-6: a multiple of 2^-9, which the addition of 2^43 rounds to */
            rest = (uint32_t)(cpudev_double_bits(y + 8796093022208.0) & 0xf);
        else
            rest -= (127u - 7u) << 3;
        bits = sign << 7 | rest;
    }
    if ((bits & 0x7fu) > limit)
        bits = saturate ? (bits & 0x80u) | limit : mant == 3 ? 0x7fu : bits;
    return (uint8_t)bits;
}

#endif
