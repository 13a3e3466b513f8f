/* cpudev_dpx.h: the DPX functions: the largest or smallest of two or three integers, of a sum and an integer, or of these and
 * 0 (_relu), of 32 bits or of both halves of a word (16x2). Sums wrap in their width. cpudev_math.h includes it.
 * Source of the definitions: https://docs.nvidia.com/cuda/cuda-math-api/, SIMD intrinsics. */
#ifndef CPUDEV_DPX_H
#define CPUDEV_DPX_H

/* A function of whole words, and of both halves of two or three: the expression is over a, b and c of the type. */
#define CPUDEV_DPX_WORD(name, type, parameters, expression)                                                            \
    CPUDEV_FN type name parameters { return expression; }
#define CPUDEV_DPX_TWO(name, type, expression)                                                                         \
    CPUDEV_FN unsigned name(unsigned va, unsigned vb)                                                                  \
    {                                                                                                                  \
        unsigned result = 0;                                                                                           \
        for (int i = 0; i < 32; i += 16) {                                                                             \
            const type a = (type)(va >> i), b = (type)(vb >> i);                                                       \
            result |= (unsigned)(unsigned short)(expression) << i;                                                     \
        }                                                                                                              \
        return result;                                                                                                 \
    }
#define CPUDEV_DPX_THREE(name, type, expression)                                                                       \
    CPUDEV_FN unsigned name(unsigned va, unsigned vb, unsigned vc)                                                     \
    {                                                                                                                  \
        unsigned result = 0;                                                                                           \
        for (int i = 0; i < 32; i += 16) {                                                                             \
            const type a = (type)(va >> i), b = (type)(vb >> i), c = (type)(vc >> i);                                  \
            result |= (unsigned)(unsigned short)(expression) << i;                                                     \
        }                                                                                                              \
        return result;                                                                                                 \
    }
#define CPUDEV_MAX(a, b) ((a) > (b) ? (a) : (b))
#define CPUDEV_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CPUDEV_SUM(type) ((type)((unsigned)a + (unsigned)b))

/* m: max or min, M: its macro */
#define CPUDEV_DPX_OF(m, M)                                                                                            \
    CPUDEV_DPX_WORD(__vi##m##_s32_relu, int, (int a, int b), CPUDEV_MAX(M(a, b), 0))                                   \
    CPUDEV_DPX_WORD(__vi##m##3_s32, int, (int a, int b, int c), M(M(a, b), c))                                         \
    CPUDEV_DPX_WORD(__vi##m##3_u32, unsigned, (unsigned a, unsigned b, unsigned c), M(M(a, b), c))                     \
    CPUDEV_DPX_WORD(__vi##m##3_s32_relu, int, (int a, int b, int c), CPUDEV_MAX(M(M(a, b), c), 0))                     \
    CPUDEV_DPX_WORD(__viadd##m##_s32, int, (int a, int b, int c), M(CPUDEV_SUM(int), c))                               \
    CPUDEV_DPX_WORD(__viadd##m##_u32, unsigned, (unsigned a, unsigned b, unsigned c), M(CPUDEV_SUM(unsigned), c))      \
    CPUDEV_DPX_WORD(__viadd##m##_s32_relu, int, (int a, int b, int c), CPUDEV_MAX(M(CPUDEV_SUM(int), c), 0))           \
    CPUDEV_DPX_TWO(__vi##m##_s16x2_relu, short, CPUDEV_MAX(M(a, b), 0))                                                \
    CPUDEV_DPX_THREE(__vi##m##3_s16x2, short, M(M(a, b), c))                                                           \
    CPUDEV_DPX_THREE(__vi##m##3_u16x2, unsigned short, M(M(a, b), c))                                                  \
    CPUDEV_DPX_THREE(__vi##m##3_s16x2_relu, short, CPUDEV_MAX(M(M(a, b), c), 0))                                       \
    CPUDEV_DPX_THREE(__viadd##m##_s16x2, short, M(CPUDEV_SUM(short), c))                                               \
    CPUDEV_DPX_THREE(__viadd##m##_u16x2, unsigned short, M(CPUDEV_SUM(unsigned short), c))                             \
    CPUDEV_DPX_THREE(__viadd##m##_s16x2_relu, short, CPUDEV_MAX(M(CPUDEV_SUM(short), c), 0))
CPUDEV_DPX_OF(max, CPUDEV_MAX)
CPUDEV_DPX_OF(min, CPUDEV_MIN)

/* The same, and which it was: *pred is whether the first is taken, which an equal one is; of halves the upper's comes first. */
#define CPUDEV_DPX_WHICH(name, type, M, compare)                                                                       \
    CPUDEV_FN type name(type a, type b, bool *pred)                                                                    \
    {                                                                                                                  \
        *pred = a compare b;                                                                                           \
        return M(a, b);                                                                                                \
    }
#define CPUDEV_DPX_WHICH_HALF(name, type, maximum, compare)                                                            \
    CPUDEV_FN unsigned name(unsigned a, unsigned b, bool *pred_hi, bool *pred_lo)                                      \
    {                                                                                                                  \
        *pred_hi = (type)(a >> 16) compare(type)(b >> 16);                                                             \
        *pred_lo = (type)a compare(type) b;                                                                            \
        return maximum(a, b);                                                                                          \
    }
CPUDEV_DPX_WHICH(__vibmax_s32, int, CPUDEV_MAX, >=)
CPUDEV_DPX_WHICH(__vibmax_u32, unsigned, CPUDEV_MAX, >=)
CPUDEV_DPX_WHICH(__vibmin_s32, int, CPUDEV_MIN, <=)
CPUDEV_DPX_WHICH(__vibmin_u32, unsigned, CPUDEV_MIN, <=)
CPUDEV_DPX_WHICH_HALF(__vibmax_s16x2, short, __vmaxs2, >=)
CPUDEV_DPX_WHICH_HALF(__vibmax_u16x2, unsigned short, __vmaxu2, >=)
CPUDEV_DPX_WHICH_HALF(__vibmin_s16x2, short, __vmins2, <=)
CPUDEV_DPX_WHICH_HALF(__vibmin_u16x2, unsigned short, __vminu2, <=)

#undef CPUDEV_DPX_WORD
#undef CPUDEV_DPX_TWO
#undef CPUDEV_DPX_THREE
#undef CPUDEV_DPX_OF
#undef CPUDEV_DPX_WHICH
#undef CPUDEV_DPX_WHICH_HALF
#undef CPUDEV_MAX
#undef CPUDEV_MIN
#undef CPUDEV_SUM

#endif
