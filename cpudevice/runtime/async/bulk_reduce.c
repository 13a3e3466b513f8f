/* bulk_reduce.c: the arithmetic of cp.reduce.async.bulk ("Data Movement and Conversion Instructions: Asynchronous copy"
 * of the PTX ISA: which type has which operation). */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "async/bulk_reduce.h"
#include "cpudev_abi.h"
#include "cpudev_smallfloat.h"
#include "async/tensor_map.h"

enum {
    OF_INTS = 1 << CPUDEV_BULK_ADD | 1 << CPUDEV_BULK_MIN | 1 << CPUDEV_BULK_MAX,
    OF_BITS = 1 << CPUDEV_BULK_AND | 1 << CPUDEV_BULK_OR | 1 << CPUDEV_BULK_XOR,
    OF_WRAPS = 1 << CPUDEV_BULK_INC | 1 << CPUDEV_BULK_DEC
};

bool bulk_reduces(int op, int type)
{
    static const int has[TYPES] = {
        [TYPE_U32] = OF_INTS | OF_BITS | OF_WRAPS,
        [TYPE_S32] = OF_INTS | OF_BITS,
        [TYPE_U64] = OF_INTS | OF_BITS,
        [TYPE_S64] = OF_INTS | OF_BITS,
        [TYPE_F16] = OF_INTS,
        [TYPE_BF16] = OF_INTS,
        [TYPE_F32] = 1 << CPUDEV_BULK_ADD,
        [TYPE_F64] = 1 << CPUDEV_BULK_ADD,
        [TYPE_F32_FTZ] = 1 << CPUDEV_BULK_ADD,
    };
    return has[type] >> op & 1;
}

static uint64_t whole(uint64_t a, uint64_t b, int op)
{
    switch (op) {
    case CPUDEV_BULK_ADD: return a + b;
    case CPUDEV_BULK_AND: return a & b;
    case CPUDEV_BULK_OR: return a | b;
    case CPUDEV_BULK_XOR: return a ^ b;
    case CPUDEV_BULK_MIN: return a < b ? a : b;
    case CPUDEV_BULK_MAX: return a > b ? a : b;
    case CPUDEV_BULK_INC: return a >= b ? 0 : a + 1;
    default: return a == 0 || a > b ? b : a - 1;
    }
}

static int64_t with_sign(int64_t a, int64_t b, int op)
{
    if (op == CPUDEV_BULK_MIN)
        return a < b ? a : b;
    if (op == CPUDEV_BULK_MAX)
        return a > b ? a : b;
    return (int64_t)whole((uint64_t)a, (uint64_t)b, op);
}

static double of_half(uint16_t x, int type)
{
    return type == TYPE_F16 ? cpudev_half_to_float(x) : cpudev_bf16_to_float(x);
}

/* The sum of two halves is exact in double; minimum and maximum prefer the number to a NaN. */
static uint16_t halves(uint16_t x, uint16_t y, int op, int type)
{
    const double a = of_half(x, type), b = of_half(y, type);
    const double r = op == CPUDEV_BULK_ADD   ? a + b
                     : isnan(a)              ? b
                     : isnan(b)              ? a
                     : op == CPUDEV_BULK_MIN ? (a < b || (a == b && signbit(a)) ? a : b)
                                             : (a > b || (a == b && !signbit(a)) ? a : b);
    if (isnan(r))
        return 0x7fff;
    return type == TYPE_F16 ? (uint16_t)cpudev_double_to_small(r, 10, 5, CPUDEV_RN)
                            : (uint16_t)cpudev_double_to_small(r, 7, 8, CPUDEV_RN);
}

static uint64_t result(uint64_t old, uint64_t with, int op, int type)
{
    float f, g;
    double d, e;
    uint32_t bits;
    switch (type) {
    case TYPE_S32: return (uint32_t)with_sign((int32_t)old, (int32_t)with, op);
    case TYPE_S64: return (uint64_t)with_sign((int64_t)old, (int64_t)with, op);
    case TYPE_F16:
    case TYPE_BF16: return halves((uint16_t)old, (uint16_t)with, op, type);
    case TYPE_F32:
    case TYPE_F32_FTZ:
        memcpy(&f, &old, sizeof f);
        memcpy(&g, &with, sizeof g);
        f += g;
        memcpy(&bits, &f, sizeof bits);
        return f != f ? 0x7fffffff : bits;
    case TYPE_F64:
        memcpy(&d, &old, sizeof d);
        memcpy(&e, &with, sizeof e);
        d += e;
        memcpy(&old, &d, sizeof d);
        return old;
    default: return whole(old, with, op);
    }
}

#define UPDATE(T)                                                                                                      \
    do {                                                                                                               \
        T old = __atomic_load_n((T *)at, __ATOMIC_RELAXED), with, new;                                                 \
        memcpy(&with, source, sizeof with);                                                                            \
        do                                                                                                             \
            new = (T)result(old, with, op, type);                                                                      \
        while (!__atomic_compare_exchange_n((T *)at, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));            \
    } while (0)

void bulk_reduce(void *to, const void *from, size_t elements, int op, int type)
{
    const unsigned bytes = tensor_element(type);
    for (size_t i = 0; i < elements; i++) {
        void *at = (char *)to + i * bytes;
        const void *source = (const char *)from + i * bytes;
        if (bytes == 2)
            UPDATE(uint16_t);
        else if (bytes == 4)
            UPDATE(uint32_t);
        else
            UPDATE(uint64_t);
    }
}
