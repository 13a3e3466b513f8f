#include "types.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
} type_table[LAB_TYPE_COUNT] = {
    [LAB_F32] = {"fp32", 4}, [LAB_BF16] = {"bf16", 2}, [LAB_F16] = {"fp16", 2},  [LAB_F64] = {"fp64", 8},
    [LAB_S8] = {"int8", 1},  [LAB_U8] = {"uint8", 1},  [LAB_S32] = {"int32", 4},
};

const char *lab_type_name(LabType t) { return type_table[t].name; }
size_t lab_type_bytes(LabType t) { return type_table[t].bytes; }

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

uint16_t bf16_from_float(float f)
{
    uint32_t u = bits_of(f);
    if ((u & 0x7fffffffu) > 0x7f800000u)
        return (uint16_t)(u >> 16 | 0x40); /* NaN stays NaN */
    return (uint16_t)((u + 0x7fffu + (u >> 16 & 1)) >> 16);
}

float bf16_to_float(uint16_t b) { return float_of((uint32_t)b << 16); }

uint16_t f16_from_float(float f)
{
    uint32_t u = bits_of(f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
    if (a > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00);
    if (a >= 0x477ff000u)
        return (uint16_t)(sign | 0x7c00); /* rounds to infinity: 65520 and above */
    if (a < 0x38800000u) {                /* subnormal: let the float adder round at 2^-24 */
        float r = float_of(a) + 0.5f;
        return (uint16_t)(sign | (bits_of(r) - bits_of(0.5f)));
    }
    a += 0xfffu + (a >> 13 & 1);
    return (uint16_t)(sign | ((a - 0x38000000u) >> 13));
}

float f16_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31)
        return float_of(sign | 0x7f800000u | m << 13);
    if (e == 0)
        return (sign ? -1.0f : 1.0f) * (float)m * 0x1p-24f;
    return float_of(sign | (e + 112) << 23 | m << 13);
}

double lab_get(const void *array, LabType t, size_t i)
{
    switch (t) {
    case LAB_F32: return ((const float *)array)[i];
    case LAB_BF16: return bf16_to_float(((const uint16_t *)array)[i]);
    case LAB_F16: return f16_to_float(((const uint16_t *)array)[i]);
    case LAB_F64: return ((const double *)array)[i];
    case LAB_S8: return ((const int8_t *)array)[i];
    case LAB_U8: return ((const uint8_t *)array)[i];
    case LAB_S32: return ((const int32_t *)array)[i];
    default: return NAN;
    }
}

static double clamp_round(double v, double lo, double hi)
{
    if (!(v == v))
        return 0;
    v = nearbyint(v);
    return v < lo ? lo : v > hi ? hi : v;
}

void lab_set(void *array, LabType t, size_t i, double v)
{
    switch (t) {
    case LAB_F32: ((float *)array)[i] = (float)v; break;
    case LAB_BF16: ((uint16_t *)array)[i] = bf16_from_float((float)v); break;
    case LAB_F16: ((uint16_t *)array)[i] = f16_from_float((float)v); break;
    case LAB_F64: ((double *)array)[i] = v; break;
    case LAB_S8: ((int8_t *)array)[i] = (int8_t)clamp_round(v, -128, 127); break;
    case LAB_U8: ((uint8_t *)array)[i] = (uint8_t)clamp_round(v, 0, 255); break;
    case LAB_S32: ((int32_t *)array)[i] = (int32_t)clamp_round(v, INT32_MIN, INT32_MAX); break;
    default: break;
    }
}
