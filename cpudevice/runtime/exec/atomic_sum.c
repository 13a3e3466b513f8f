/* atomic_sum.c: sums of atomics that subnormal numbers have to do with. */
#include <float.h>
#include <math.h>

#include "cpudev_abi.h"
#include "exec/flush.h"

static float without_subnormal(float x) { return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x; }

float cpudev_add_float(const void *generic, float a, float b)
{
    const uintptr_t before = set_flush(false);
    const bool keeps = !cpudev_tls.worker || cpudev_is_cluster_shared(generic) || cpudev_is_local(generic);
    const volatile float first = keeps ? a : without_subnormal(a), second = keeps ? b : without_subnormal(b);
    const volatile float sum = first + second;
    const float result = keeps ? sum : without_subnormal(sum);
    set_float_control(before);
    return result;
}
