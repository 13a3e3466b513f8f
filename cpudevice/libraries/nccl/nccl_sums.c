/* nccl_sums.c: sums, products, extremes and averages of several ranks' elements, of every type of NCCL's. */
#include <math.h>
#include <stdint.h>

#include "cpudev_smallfloat.h"
#include "nccl/nccl_comm.h"

static float half_in(uint16_t x) { return cpudev_half_to_float(x); }
static uint16_t half_out(float x) { return cpudev_float_to_half(x); }
static float bf16_in(uint16_t x) { return cpudev_bf16_to_float(x); }
static uint16_t bf16_out(float x) { return cpudev_float_to_bf16(x); }
static float e4m3_in(uint8_t x) { return cpudev_half_to_float(cpudev_fp8_to_half(x, 3)); }
static float e5m2_in(uint8_t x) { return cpudev_half_to_float(cpudev_fp8_to_half(x, 2)); }
/* A GPU computes with them in half; what is too large becomes the largest value. */
static uint8_t e4m3_out(float x) { return cpudev_double_to_fp8((double)half_in(half_out(x)), 3, 1); }
static uint8_t e5m2_out(float x) { return cpudev_double_to_fp8((double)half_in(half_out(x)), 2, 1); }

#define SAME(x) (x)
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define MORE(a, b) ((a) > (b) ? (a) : (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define WRAPPED_PLUS(a, b) ((int64_t)((uint64_t)(a) + (uint64_t)(b)))
#define WRAPPED_TIMES(a, b) ((int64_t)((uint64_t)(a) * (uint64_t)(b)))

/* T is stored, and W computed with; whole numbers wrap around as they are stored. */
#define DEFINE(NAME, T, W, IN, OUT, ADD, MULTIPLY, MAX, MIN)                                                           \
    static void NAME(const nccl_sum *s, W divisor)                                                                     \
    {                                                                                                                  \
        for (size_t i = s->begin; i < s->end; i++) {                                                                   \
            W sum = (W)0;                                                                                              \
            for (int r = 0; r < s->ranks; r++) {                                                                       \
                W x = IN(((const T *)s->from[r])[i]);                                                                  \
                if (s->scalar[0])                                                                                      \
                    x = IN((T)OUT(MULTIPLY(x, (W)IN(*(const T *)s->scalar[r]))));                                      \
                if (r == 0)                                                                                            \
                    sum = x;                                                                                           \
                else if (s->op == ncclProd)                                                                            \
                    sum = IN((T)OUT(MULTIPLY(sum, x)));                                                                \
                else if (s->op == ncclMax)                                                                             \
                    sum = MAX(sum, x);                                                                                 \
                else if (s->op == ncclMin)                                                                             \
                    sum = MIN(sum, x);                                                                                 \
                else                                                                                                   \
                    sum = IN((T)OUT(ADD(sum, x)));                                                                     \
            }                                                                                                          \
            if (divisor != (W)1)                                                                                       \
                sum /= divisor;                                                                                        \
            for (int k = 0; k < s->outputs; k++)                                                                       \
                ((T *)s->to[k])[i] = (T)OUT(sum);                                                                      \
        }                                                                                                              \
    }
DEFINE(sum_i8, int8_t, int64_t, SAME, SAME, PLUS, TIMES, MORE, LESS)
DEFINE(sum_u8, uint8_t, int64_t, SAME, SAME, PLUS, TIMES, MORE, LESS)
DEFINE(sum_i32, int32_t, int64_t, SAME, SAME, PLUS, WRAPPED_TIMES, MORE, LESS)
DEFINE(sum_u32, uint32_t, uint64_t, SAME, SAME, PLUS, TIMES, MORE, LESS)
DEFINE(sum_i64, int64_t, int64_t, SAME, SAME, WRAPPED_PLUS, WRAPPED_TIMES, MORE, LESS)
DEFINE(sum_u64, uint64_t, uint64_t, SAME, SAME, PLUS, TIMES, MORE, LESS)
DEFINE(sum_f16, uint16_t, float, half_in, half_out, PLUS, TIMES, fmaxf, fminf)
DEFINE(sum_bf16, uint16_t, float, bf16_in, bf16_out, PLUS, TIMES, fmaxf, fminf)
DEFINE(sum_f32, float, float, SAME, SAME, PLUS, TIMES, fmaxf, fminf)
DEFINE(sum_f64, double, double, SAME, SAME, PLUS, TIMES, fmax, fmin)
DEFINE(sum_e4m3, uint8_t, float, e4m3_in, e4m3_out, PLUS, TIMES, fmaxf, fminf)
DEFINE(sum_e5m2, uint8_t, float, e5m2_in, e5m2_out, PLUS, TIMES, fmaxf, fminf)

/* An average of whole numbers is divided in the end; one of others is multiplied first, by 1 / ranks in the type. */
void nccl_sum_elements(const nccl_sum *given)
{
    nccl_sum s = *given;
    const int divisor = s.op == ncclAvg ? s.ranks : 1;
    const double part = 1.0 / s.ranks;
    union {
        float f;
        double d;
        uint16_t half;
        uint8_t byte;
    } scalar;
    if (s.op == ncclAvg && s.type >= ncclFloat16) {
        switch (s.type) {
        case ncclFloat16: scalar.half = half_out((float)part); break;
        case ncclBfloat16: scalar.half = bf16_out((float)part); break;
        case ncclFloat64: scalar.d = part; break;
        case ncclFloat8e4m3: scalar.byte = e4m3_out((float)part); break;
        case ncclFloat8e5m2: scalar.byte = e5m2_out((float)part); break;
        default: scalar.f = (float)part; break;
        }
        for (int r = 0; r < s.ranks; r++)
            s.scalar[r] = &scalar;
    }
    switch (s.type) {
    case ncclInt8: sum_i8(&s, divisor); break;
    case ncclUint8: sum_u8(&s, divisor); break;
    case ncclInt32: sum_i32(&s, divisor); break;
    case ncclUint32: sum_u32(&s, (uint64_t)divisor); break;
    case ncclInt64: sum_i64(&s, divisor); break;
    case ncclUint64: sum_u64(&s, (uint64_t)divisor); break;
    case ncclFloat16: sum_f16(&s, 1); break;
    case ncclFloat32: sum_f32(&s, 1); break;
    case ncclFloat64: sum_f64(&s, 1); break;
    case ncclBfloat16: sum_bf16(&s, 1); break;
    case ncclFloat8e4m3: sum_e4m3(&s, 1); break;
    case ncclFloat8e5m2: sum_e5m2(&s, 1); break;
    default: break;
    }
}
