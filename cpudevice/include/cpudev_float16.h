/*
 * cpudev_float16.h: what cuda_fp16.h and cuda_bf16.h have in common, written once: a 16-bit floating-point type, its
 * pair, and their functions.
 *
 * Included twice, without a guard, each time with these defined, which it undefines:
 *   __T, T2          __half, __half2               __nv_bfloat16, __nv_bfloat162
 *   RAW, RAW2      their bits, as C sees them    (__half_raw, __nv_bfloat162_raw, ...)
 *   OTHER          __nv_bfloat16                 __half
 *   NAME, NAME2    half, half2                   bfloat16, bfloat162      (the name inside a function's name)
 *   MANT, EXP      10, 5                         7, 8                     (bits of mantissa and exponent)
 *   NARROW, WIDEN  the conversions of bits to and from float, to nearest even
 *   ROUND, VALUE   the same for arithmetic                                  (cpudev_smallfloat.h says why)
 *   CONVERSIONS    1: numbers convert to and from __T by themselves
 *
 * +, -, *, / and sqrt of 16-bit operands are computed in float and rounded again, which is exact: a float has more
 * than twice the mantissa plus two bits. A fused multiply-add needs more; cpudev_fma_to_odd() says how.
 */
/* It takes macros that stand for whole declarations, without semicolons, for parts of one: */
/* clang-format off */
struct __attribute__((aligned(2))) __T {
    unsigned short __x;

    __T() = default;
    constexpr __T(const RAW &raw) : __x(raw.x) {}
    operator RAW() const { RAW raw; raw.x = __x; return raw; }
    __T &operator=(const RAW &raw) { __x = raw.x; return *this; }

#if CONVERSIONS
#define CPUDEV_FROM(type, kind)                                                                                        \
    __T(type v) : __x((unsigned short)cpudev_##kind##_to_small(v, MANT, EXP, CPUDEV_RN)) {}
    explicit __T(OTHER h);
    __T(float f) : __x(NARROW(f)) {}
    CPUDEV_FROM(double, double)
    CPUDEV_FROM(short, int)
    CPUDEV_FROM(unsigned short, uint)
    CPUDEV_FROM(int, int)
    CPUDEV_FROM(unsigned int, uint)
    CPUDEV_FROM(long, int)
    CPUDEV_FROM(unsigned long, uint)
    CPUDEV_FROM(long long, int)
    CPUDEV_FROM(unsigned long long, uint)
#undef CPUDEV_FROM

    operator float() const { return WIDEN(__x); }
    operator bool() const { return (__x & 0x7fff) != 0; }
    inline operator signed char() const;
    inline operator unsigned char() const;
    inline operator char() const;
    inline operator short() const;
    inline operator unsigned short() const;
    inline operator int() const;
    inline operator unsigned int() const;
    inline operator long() const;
    inline operator unsigned long() const;
    inline operator long long() const;
    inline operator unsigned long long() const;
    __T &operator=(float v) { return *this = __T(v); }
    __T &operator=(double v) { return *this = __T(v); }
    __T &operator=(short v) { return *this = __T(v); }
    __T &operator=(unsigned short v) { return *this = __T(v); }
    __T &operator=(int v) { return *this = __T(v); }
    __T &operator=(unsigned int v) { return *this = __T(v); }
    __T &operator=(long long v) { return *this = __T(v); }
    __T &operator=(unsigned long long v) { return *this = __T(v); }
#endif
};

struct __attribute__((aligned(4))) T2 {
    __T x, y;

    T2() = default;
    constexpr T2(const __T &lo, const __T &hi) : x(lo), y(hi) {}
    T2(const RAW2 &raw) { x.__x = raw.x; y.__x = raw.y; }
    operator RAW2() const { RAW2 raw; raw.x = x.__x; raw.y = y.__x; return raw; }
    CPUDEV_ASSIGN(T2, whole4)
};

/* Types that cucc's compiler trusts: see cpudev_device.h. */
#ifdef __CUDACC__
namespace cpudev {
template <> struct is_header_class<__T> : std::true_type {};
template <> struct is_header_class<T2> : std::true_type {};
} // namespace cpudev
#endif

#define CPUDEV_CAT_(a, b, c) a##b##c
#define CPUDEV_CAT(a, b, c) CPUDEV_CAT_(a, b, c)
#ifdef __CUCC_CHECK__ /* what they take by value is copied where the checker sees it (compiler/emit/print_copies.c) */
#define CPUDEV_F __device__ static inline __attribute__((unused, always_inline))
#elif defined(__CUDACC__)
#define CPUDEV_F __device__ static inline __attribute__((unused))
#else
#define CPUDEV_F static inline __attribute__((unused))
#endif

/* Bits. */
CPUDEV_F __T CPUDEV_CAT(__ushort_as_, NAME, )(unsigned short bits) { __T h; h.__x = bits; return h; }
CPUDEV_F __T CPUDEV_CAT(__short_as_, NAME, )(short bits) { __T h; h.__x = (unsigned short)bits; return h; }
CPUDEV_F unsigned short CPUDEV_CAT(__, NAME, _as_ushort)(__T h) { return h.__x; }
CPUDEV_F short CPUDEV_CAT(__, NAME, _as_short)(__T h) { return (short)h.__x; }

#define CPUDEV_BITS(x) CPUDEV_CAT(__ushort_as_, NAME, )((unsigned short)(x))
#define CPUDEV_VALUE(h) WIDEN((h).__x)
#define CPUDEV_ROUND(x) CPUDEV_BITS(NARROW(x))
#define CPUDEV_OPERAND(h) VALUE((h).__x)
#define CPUDEV_RESULT(x) CPUDEV_BITS(ROUND(x))
#define CPUDEV_PAIR(lo, hi) T2(lo, hi)

/* From and to floating point. */
CPUDEV_F float CPUDEV_CAT(__, NAME, 2float)(__T h) { return CPUDEV_VALUE(h); }
CPUDEV_F __T CPUDEV_CAT(__float2, NAME, )(float f) { return CPUDEV_ROUND(f); }
CPUDEV_F __T CPUDEV_CAT(__float2, NAME, _rn)(float f) { return CPUDEV_ROUND(f); }
CPUDEV_F __T CPUDEV_CAT(__float2, NAME, _rz)(float f) { return CPUDEV_BITS(cpudev_double_to_small(cpudev_widened(f), MANT, EXP, CPUDEV_RZ)); }
CPUDEV_F __T CPUDEV_CAT(__float2, NAME, _ru)(float f) { return CPUDEV_BITS(cpudev_double_to_small(cpudev_widened(f), MANT, EXP, CPUDEV_RU)); }
CPUDEV_F __T CPUDEV_CAT(__float2, NAME, _rd)(float f) { return CPUDEV_BITS(cpudev_double_to_small(cpudev_widened(f), MANT, EXP, CPUDEV_RD)); }
CPUDEV_F __T CPUDEV_CAT(__double2, NAME, )(double d) /* alone among the conversions it keeps a NaN's sign and upper bits */
{
    uint64_t u = cpudev_double_bits(d);
    if (d != d)
        return CPUDEV_BITS(u >> 63 << 15 | ((1u << EXP) - 1u) << MANT | 1u << (MANT - 1) | (u >> (52 - MANT) & ((1u << MANT) - 1)));
    return CPUDEV_BITS(cpudev_double_to_small(d, MANT, EXP, CPUDEV_RN));
}

/* From and to integers. The device saturates; a NaN becomes 0, or 2^63 in 64 bits. */
#define CPUDEV_FROM_INT(type, kind, ctype)                                                                         \
    CPUDEV_F __T CPUDEV_CAT(__##type##2, NAME, _rn)(ctype i) { return CPUDEV_BITS(cpudev_##kind##_to_small(i, MANT, EXP, CPUDEV_RN)); } \
    CPUDEV_F __T CPUDEV_CAT(__##type##2, NAME, _rz)(ctype i) { return CPUDEV_BITS(cpudev_##kind##_to_small(i, MANT, EXP, CPUDEV_RZ)); } \
    CPUDEV_F __T CPUDEV_CAT(__##type##2, NAME, _ru)(ctype i) { return CPUDEV_BITS(cpudev_##kind##_to_small(i, MANT, EXP, CPUDEV_RU)); } \
    CPUDEV_F __T CPUDEV_CAT(__##type##2, NAME, _rd)(ctype i) { return CPUDEV_BITS(cpudev_##kind##_to_small(i, MANT, EXP, CPUDEV_RD)); }
CPUDEV_FROM_INT(short, int, short)
CPUDEV_FROM_INT(ushort, uint, unsigned short)
CPUDEV_FROM_INT(int, int, int)
CPUDEV_FROM_INT(uint, uint, unsigned int)
CPUDEV_FROM_INT(ll, int, long long)
CPUDEV_FROM_INT(ull, uint, unsigned long long)
#undef CPUDEV_FROM_INT

#define CPUDEV_TO_INT_MODE(type, ctype, low, high, nan, mode, integral)            \
    CPUDEV_F ctype CPUDEV_CAT(__, NAME, 2##type##_##mode)(__T h)                     \
    {                                                                              \
        float f = integral(CPUDEV_VALUE(h));                                       \
        return f != f ? (ctype)(nan) : f <= (float)(low) ? (ctype)(low) : f >= (float)(high) ? (ctype)(high) : (ctype)f; \
    }
#define CPUDEV_TO_INT(type, ctype, low, high, nan)                                 \
    CPUDEV_TO_INT_MODE(type, ctype, low, high, nan, rn, __builtin_rintf)           \
    CPUDEV_TO_INT_MODE(type, ctype, low, high, nan, rz, __builtin_truncf)          \
    CPUDEV_TO_INT_MODE(type, ctype, low, high, nan, ru, __builtin_ceilf)           \
    CPUDEV_TO_INT_MODE(type, ctype, low, high, nan, rd, __builtin_floorf)
CPUDEV_TO_INT_MODE(char, signed char, -128, 127, 0, rz, __builtin_truncf)
CPUDEV_TO_INT_MODE(uchar, unsigned char, 0, 255, 0, rz, __builtin_truncf)
CPUDEV_TO_INT(short, short, -32768, 32767, 0)
CPUDEV_TO_INT(ushort, unsigned short, 0, 65535, 0)
CPUDEV_TO_INT(int, int, -0x7fffffff - 1, 0x7fffffff, 0)
CPUDEV_TO_INT(uint, unsigned int, 0, 0xffffffffu, 0)
CPUDEV_TO_INT(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll, 0x8000000000000000ull)
CPUDEV_TO_INT(ull, unsigned long long, 0, 0xffffffffffffffffull, 0x8000000000000000ull)
#undef CPUDEV_TO_INT
#undef CPUDEV_TO_INT_MODE

/* Pairs. */
CPUDEV_F T2 CPUDEV_CAT(make_, NAME2, )(__T x, __T y) { return CPUDEV_PAIR(x, y); }
CPUDEV_F T2 CPUDEV_CAT(__halves2, NAME2, )(__T x, __T y) { return CPUDEV_PAIR(x, y); }
CPUDEV_F T2 CPUDEV_CAT(__, NAME, CPUDEV_CAT(2, NAME2, ))(__T x) { return CPUDEV_PAIR(x, x); }
CPUDEV_F T2 CPUDEV_CAT(__float2, NAME2, _rn)(float f) { __T h = CPUDEV_ROUND(f); return CPUDEV_PAIR(h, h); }
CPUDEV_F T2 CPUDEV_CAT(__floats2, NAME2, _rn)(float x, float y) { return CPUDEV_PAIR(CPUDEV_ROUND(x), CPUDEV_ROUND(y)); }
CPUDEV_F T2 CPUDEV_CAT(__float22, NAME2, _rn)(float2 f) { return CPUDEV_PAIR(CPUDEV_ROUND(f.x), CPUDEV_ROUND(f.y)); }
CPUDEV_F float2 CPUDEV_CAT(__, NAME2, 2float2)(T2 h) { return make_float2(CPUDEV_VALUE(h.x), CPUDEV_VALUE(h.y)); }
CPUDEV_F float __low2float(T2 h) { return CPUDEV_VALUE(h.x); }
CPUDEV_F float __high2float(T2 h) { return CPUDEV_VALUE(h.y); }
CPUDEV_F __T CPUDEV_CAT(__low2, NAME, )(T2 h) { return h.x; }
CPUDEV_F __T CPUDEV_CAT(__high2, NAME, )(T2 h) { return h.y; }
CPUDEV_F T2 CPUDEV_CAT(__low2, NAME2, )(T2 h) { return CPUDEV_PAIR(h.x, h.x); }
CPUDEV_F T2 CPUDEV_CAT(__high2, NAME2, )(T2 h) { return CPUDEV_PAIR(h.y, h.y); }
CPUDEV_F T2 CPUDEV_CAT(__lows2, NAME2, )(T2 a, T2 b) { return CPUDEV_PAIR(a.x, b.x); }
CPUDEV_F T2 CPUDEV_CAT(__highs2, NAME2, )(T2 a, T2 b) { return CPUDEV_PAIR(a.y, b.y); }
CPUDEV_F T2 __lowhigh2highlow(T2 h) { return CPUDEV_PAIR(h.y, h.x); }

/* Arithmetic; each with its pair. */
#define CPUDEV_BINARY(one, two, expression)                                        \
    CPUDEV_F __T one(__T ha, __T hb)                                                     \
    {                                                                              \
        float a = CPUDEV_OPERAND(ha), b = CPUDEV_OPERAND(hb);                      \
        return CPUDEV_RESULT(expression);                                          \
    }                                                                              \
    CPUDEV_F T2 two(T2 a, T2 b) { return CPUDEV_PAIR(one(a.x, b.x), one(a.y, b.y)); }
#define CPUDEV_SAT(x) ((x) > 0.0f ? ((x) < 1.0f ? (x) : 1.0f) : 0.0f) /* a NaN becomes 0 */
CPUDEV_BINARY(__hadd, __hadd2, a + b)
CPUDEV_BINARY(__hsub, __hsub2, a - b)
CPUDEV_BINARY(__hmul, __hmul2, a * b)
CPUDEV_BINARY(__hadd_rn, __hadd2_rn, a + b)
CPUDEV_BINARY(__hsub_rn, __hsub2_rn, a - b)
CPUDEV_BINARY(__hmul_rn, __hmul2_rn, a * b)
CPUDEV_BINARY(__hdiv, __h2div, a / b)
CPUDEV_BINARY(__hadd_sat, __hadd2_sat, CPUDEV_SAT(a + b))
CPUDEV_BINARY(__hsub_sat, __hsub2_sat, CPUDEV_SAT(a - b))
CPUDEV_BINARY(__hmul_sat, __hmul2_sat, CPUDEV_SAT(a * b))
#undef CPUDEV_BINARY

#define CPUDEV_FMA(one, two, expression)                                           \
    CPUDEV_F __T one(__T a, __T b, __T c)                                                  \
    {                                                                              \
        double d = cpudev_fma_to_odd(CPUDEV_OPERAND(a), CPUDEV_OPERAND(b), CPUDEV_OPERAND(c)); \
        return CPUDEV_BITS(cpudev_double_to_small(expression, MANT, EXP, CPUDEV_RN)); \
    }                                                                              \
    CPUDEV_F T2 two(T2 a, T2 b, T2 c) { return CPUDEV_PAIR(one(a.x, b.x, c.x), one(a.y, b.y, c.y)); }
CPUDEV_FMA(__hfma, __hfma2, d)
CPUDEV_FMA(__hfma_sat, __hfma2_sat, CPUDEV_SAT(d))
CPUDEV_FMA(__hfma_relu, __hfma2_relu, d < 0 ? 0.0 : d)
#undef CPUDEV_FMA
#undef CPUDEV_SAT

/* (a.x + i a.y)(b.x + i b.y) + (c.x + i c.y), by four fused multiply-adds. */
CPUDEV_F T2 __hcmadd(T2 a, T2 b, T2 c)
{
    __T minus_ay = CPUDEV_BITS(a.y.__x ^ 0x8000u);
    return CPUDEV_PAIR(__hfma(minus_ay, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

CPUDEV_F __T __hneg(__T h) { return CPUDEV_BITS(h.__x ^ 0x8000u); }
CPUDEV_F __T __habs(__T h) { return CPUDEV_BITS(h.__x & 0x7fffu); }
CPUDEV_F T2 __hneg2(T2 h) { return CPUDEV_PAIR(__hneg(h.x), __hneg(h.y)); }
CPUDEV_F T2 __habs2(T2 h) { return CPUDEV_PAIR(__habs(h.x), __habs(h.y)); }

/* Comparison. The "u" forms are true when either operand is a NaN. */
CPUDEV_F bool __hisnan(__T h) { return (h.__x & 0x7fff) > (((1u << EXP) - 1u) << MANT); }
CPUDEV_F int __hisinf(__T h)
{
    return (h.__x & 0x7fffu) == (((1u << EXP) - 1u) << MANT) ? (h.__x & 0x8000u ? -1 : 1) : 0;
}
CPUDEV_F T2 __hisnan2(T2 h)
{
    __T one = CPUDEV_ROUND(1.0f), zero = CPUDEV_BITS(0);
    return CPUDEV_PAIR(__hisnan(h.x) ? one : zero, __hisnan(h.y) ? one : zero);
}
#define CPUDEV_COMPARE(op, symbol)                                                                          \
    CPUDEV_F bool __h##op(__T a, __T b)                                                                         \
    {                                                                                                       \
        float fa = CPUDEV_OPERAND(a), fb = CPUDEV_OPERAND(b);                                               \
        return fa == fa && fb == fb && fa symbol fb;                                                        \
    }                                                                                                       \
    CPUDEV_F bool __h##op##u(__T a, __T b)                                                                      \
    {                                                                                                       \
        float fa = CPUDEV_OPERAND(a), fb = CPUDEV_OPERAND(b);                                               \
        return !(fa == fa && fb == fb) || fa symbol fb;                                                     \
    }                                                                                                       \
    CPUDEV_F bool __hb##op##2(T2 a, T2 b) { return __h##op(a.x, b.x) && __h##op(a.y, b.y); }                \
    CPUDEV_F bool __hb##op##u2(T2 a, T2 b) { return __h##op##u(a.x, b.x) && __h##op##u(a.y, b.y); }         \
    CPUDEV_F T2 __h##op##2(T2 a, T2 b)                                                                      \
    {                                                                                                       \
        __T one = CPUDEV_ROUND(1.0f), zero = CPUDEV_BITS(0);                                                  \
        return CPUDEV_PAIR(__h##op(a.x, b.x) ? one : zero, __h##op(a.y, b.y) ? one : zero);                 \
    }                                                                                                       \
    CPUDEV_F T2 __h##op##u2(T2 a, T2 b)                                                                     \
    {                                                                                                       \
        __T one = CPUDEV_ROUND(1.0f), zero = CPUDEV_BITS(0);                                                  \
        return CPUDEV_PAIR(__h##op##u(a.x, b.x) ? one : zero, __h##op##u(a.y, b.y) ? one : zero);           \
    }                                                                                                       \
    CPUDEV_F unsigned __h##op##2_mask(T2 a, T2 b)                                                           \
    {                                                                                                       \
        return (__h##op(a.x, b.x) ? 0xffffu : 0u) | (__h##op(a.y, b.y) ? 0xffff0000u : 0u);                 \
    }                                                                                                       \
    CPUDEV_F unsigned __h##op##u2_mask(T2 a, T2 b)                                                          \
    {                                                                                                       \
        return (__h##op##u(a.x, b.x) ? 0xffffu : 0u) | (__h##op##u(a.y, b.y) ? 0xffff0000u : 0u);           \
    }
CPUDEV_COMPARE(eq, ==)
CPUDEV_COMPARE(ne, !=)
CPUDEV_COMPARE(lt, <)
CPUDEV_COMPARE(le, <=)
CPUDEV_COMPARE(gt, >)
CPUDEV_COMPARE(ge, >=)
#undef CPUDEV_COMPARE

/* Of a number and a NaN the number is taken, by the _nan forms the NaN; -0 < +0. */
#define CPUDEV_MINMAX(name, wins, loses)                                                                    \
    CPUDEV_F __T __h##name##_nan(__T a, __T b)                                                                    \
    {                                                                                                       \
        if (__hisnan(a) || __hisnan(b))                                                                     \
            return CPUDEV_BITS(0x7fff);                                                                     \
        if (__heq(a, b))                                                                                    \
            return (a.__x loses b.__x) ? a : b; /* equal: only the signs of two zeros can differ */         \
        return wins(a, b) ? a : b;                                                                          \
    }                                                                                                       \
    CPUDEV_F __T __h##name(__T a, __T b)                                                                          \
    {                                                                                                       \
        return __hisnan(a) && !__hisnan(b) ? b : __hisnan(b) && !__hisnan(a) ? a : __h##name##_nan(a, b);   \
    }                                                                                                       \
    CPUDEV_F T2 __h##name##2(T2 a, T2 b) { return CPUDEV_PAIR(__h##name(a.x, b.x), __h##name(a.y, b.y)); }  \
    CPUDEV_F T2 __h##name##2_nan(T2 a, T2 b) { return CPUDEV_PAIR(__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y)); }
CPUDEV_MINMAX(max, __hgt, <)
CPUDEV_MINMAX(min, __hlt, >)
#undef CPUDEV_MINMAX

/* Mathematical functions, correctly rounded but for the host library's last bit in double. */
#define CPUDEV_FUNCTION(name, expression)                                                                   \
    CPUDEV_F __T h##name(__T h)                                                                                 \
    {                                                                                                       \
        double x = CPUDEV_VALUE(h);                                                                         \
        return CPUDEV_BITS(cpudev_double_to_small(expression, MANT, EXP, CPUDEV_RN));                       \
    }                                                                                                       \
    CPUDEV_F T2 h2##name(T2 h) { return CPUDEV_PAIR(h##name(h.x), h##name(h.y)); }
CPUDEV_FUNCTION(ceil, __builtin_ceil(x))
CPUDEV_FUNCTION(floor, __builtin_floor(x))
CPUDEV_FUNCTION(trunc, __builtin_trunc(x))
CPUDEV_FUNCTION(rint, __builtin_rint(x))
CPUDEV_FUNCTION(sqrt, __builtin_sqrt(x))
CPUDEV_FUNCTION(rsqrt, 1.0 / __builtin_sqrt(x))
CPUDEV_FUNCTION(rcp, 1.0 / x)
CPUDEV_FUNCTION(exp, __builtin_exp(x))
CPUDEV_FUNCTION(exp2, __builtin_exp2(x))
CPUDEV_FUNCTION(exp10, __builtin_pow(10.0, x))
CPUDEV_FUNCTION(log, __builtin_log(x))
CPUDEV_FUNCTION(log2, __builtin_log2(x))
CPUDEV_FUNCTION(log10, __builtin_log10(x))
CPUDEV_FUNCTION(sin, __builtin_sin(x))
CPUDEV_FUNCTION(cos, __builtin_cos(x))
CPUDEV_FUNCTION(tanh, __builtin_tanh(x))
CPUDEV_FUNCTION(tanh_approx, __builtin_tanh(x))
#undef CPUDEV_FUNCTION

#ifdef __CUDACC__
/* Atomic addition; gives the old value. Of a pair the GPU adds each half by itself; here both are one word. */
CPUDEV_F __T atomicAdd(__T *address, __T value)
{
    return cpudev::atomic_update(address, [value](__T old) { return __hadd(old, value); });
}
CPUDEV_F T2 atomicAdd(T2 *address, T2 value)
{
    return cpudev::atomic_update(address, [value](T2 old) { return __hadd2(old, value); });
}
#endif

/* Operators. */
#define CPUDEV_OPERATORS(type, add, sub, mul, div, neg)                                                     \
    CPUDEV_F type operator+(const type &a, const type &b) { return add(a, b); }                             \
    CPUDEV_F type operator-(const type &a, const type &b) { return sub(a, b); }                             \
    CPUDEV_F type operator*(const type &a, const type &b) { return mul(a, b); }                             \
    CPUDEV_F type operator/(const type &a, const type &b) { return div(a, b); }                             \
    CPUDEV_F type &operator+=(type &a, const type &b) { a = add(a, b); return a; }                          \
    CPUDEV_F type &operator-=(type &a, const type &b) { a = sub(a, b); return a; }                          \
    CPUDEV_F type &operator*=(type &a, const type &b) { a = mul(a, b); return a; }                          \
    CPUDEV_F type &operator/=(type &a, const type &b) { a = div(a, b); return a; }                          \
    CPUDEV_F type operator+(const type &a) { return a; }                                                    \
    CPUDEV_F type operator-(const type &a) { return neg(a); }
CPUDEV_OPERATORS(__T, __hadd, __hsub, __hmul, __hdiv, __hneg)
CPUDEV_OPERATORS(T2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
#undef CPUDEV_OPERATORS
CPUDEV_F __T &operator++(__T &h) { h = __hadd(h, CPUDEV_ROUND(1.0f)); return h; }
CPUDEV_F __T &operator--(__T &h) { h = __hsub(h, CPUDEV_ROUND(1.0f)); return h; }
CPUDEV_F __T operator++(__T &h, int) { __T old = h; ++h; return old; }
CPUDEV_F __T operator--(__T &h, int) { __T old = h; --h; return old; }
CPUDEV_F T2 &operator++(T2 &h) { ++h.x; ++h.y; return h; }
CPUDEV_F T2 &operator--(T2 &h) { --h.x; --h.y; return h; }
CPUDEV_F T2 operator++(T2 &h, int) { T2 old = h; ++h; return old; }
CPUDEV_F T2 operator--(T2 &h, int) { T2 old = h; --h; return old; }
CPUDEV_F bool operator==(const __T &a, const __T &b) { return __heq(a, b); }
CPUDEV_F bool operator!=(const __T &a, const __T &b) { return __hneu(a, b); }
CPUDEV_F bool operator<(const __T &a, const __T &b) { return __hlt(a, b); }
CPUDEV_F bool operator<=(const __T &a, const __T &b) { return __hle(a, b); }
CPUDEV_F bool operator>(const __T &a, const __T &b) { return __hgt(a, b); }
CPUDEV_F bool operator>=(const __T &a, const __T &b) { return __hge(a, b); }
CPUDEV_F bool operator==(const T2 &a, const T2 &b) { return __hbeq2(a, b); }
CPUDEV_F bool operator!=(const T2 &a, const T2 &b) { return __hbneu2(a, b); }
CPUDEV_F bool operator<(const T2 &a, const T2 &b) { return __hblt2(a, b); }
CPUDEV_F bool operator<=(const T2 &a, const T2 &b) { return __hble2(a, b); }
CPUDEV_F bool operator>(const T2 &a, const T2 &b) { return __hbgt2(a, b); }
CPUDEV_F bool operator>=(const T2 &a, const T2 &b) { return __hbge2(a, b); }

#if CONVERSIONS
inline __T::operator signed char() const { return CPUDEV_CAT(__, NAME, 2char_rz)(*this); }
inline __T::operator unsigned char() const { return CPUDEV_CAT(__, NAME, 2uchar_rz)(*this); }
inline __T::operator char() const { return CPUDEV_CAT(__, NAME, 2char_rz)(*this); }
inline __T::operator short() const { return CPUDEV_CAT(__, NAME, 2short_rz)(*this); }
inline __T::operator unsigned short() const { return CPUDEV_CAT(__, NAME, 2ushort_rz)(*this); }
inline __T::operator int() const { return CPUDEV_CAT(__, NAME, 2int_rz)(*this); }
inline __T::operator unsigned int() const { return CPUDEV_CAT(__, NAME, 2uint_rz)(*this); }
inline __T::operator long() const { return CPUDEV_CAT(__, NAME, 2ll_rz)(*this); }
inline __T::operator unsigned long() const { return CPUDEV_CAT(__, NAME, 2ull_rz)(*this); }
inline __T::operator long long() const { return CPUDEV_CAT(__, NAME, 2ll_rz)(*this); }
inline __T::operator unsigned long long() const { return CPUDEV_CAT(__, NAME, 2ull_rz)(*this); }
#endif
#undef CPUDEV_PAIR
#undef CPUDEV_OPERAND
#undef CPUDEV_RESULT
#undef CPUDEV_ROUND
#undef CPUDEV_VALUE
#undef CPUDEV_BITS
#undef CPUDEV_F
#undef CPUDEV_CAT
#undef CPUDEV_CAT_
#undef __T
#undef T2
#undef RAW
#undef RAW2
#undef OTHER
#undef NAME
#undef NAME2
#undef MANT
#undef EXP
#undef NARROW
#undef WIDEN
#undef ROUND
#undef VALUE
#undef CONVERSIONS
