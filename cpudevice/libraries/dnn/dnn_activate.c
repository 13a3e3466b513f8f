/* dnn_activate.c: the exponential and the activations on rows of double, in loops that gcc vectorises: see dnn.h. */
#define _GNU_SOURCE
#pragma GCC optimize("O3")
#include <math.h>
#include <string.h>

#include "dnn/dnn.h"

/* e^x = 2^k e^r with |r| <= ln(2) / 2, e^r by its series. Adding 1.5 2^52 rounds to a whole number, which is then in
 * the low bits. Not a number stays so. */
static inline double exponential(double x)
{
    const double shift = 0x1.8p52, ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
    const double bounded = x < -708 ? -708 : x > 709 ? 709 : x, shifted = bounded * 1.4426950408889634 + shift;
    const double k = shifted - shift, r = (bounded - k * ln2_high) - k * ln2_low;
    double sum = 1.0 / 6227020800, scale;
    sum = sum * r + 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    sum = sum * r + 1;
    sum = sum * r + 1;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    const double y = sum * scale;
    return x < -708 ? 0 : x > 709.7 ? INFINITY : y;
}

void dnn_exp(int n, const double *x, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = exponential(x[i]);
}

static void activate_tanh(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        const double size = fabs(x[i]), e = exponential(-2 * size), small = size - size * size * size / 3;
        x[i] = copysign(size < 1e-4 ? small : (1 - e) / (1 + e), x[i]);
    }
}

void dnn_activate(const struct cudnnActivationStruct *a, int n, double *x)
{
    const double coef = a->coef, beta = a->swish_beta;
    const bool nan = a->nan == CUDNN_PROPAGATE_NAN;
    switch (a->mode) {
    case CUDNN_ACTIVATION_SIGMOID:
        for (int i = 0; i < n; i++)
            x[i] = 1 / (1 + exponential(-x[i]));
        break;
    case CUDNN_ACTIVATION_RELU:
        for (int i = 0; i < n; i++)
            x[i] = x[i] > 0 || (nan && x[i] != x[i]) ? x[i] : 0;
        break;
    case CUDNN_ACTIVATION_TANH: activate_tanh(n, x); break;
    case CUDNN_ACTIVATION_CLIPPED_RELU:
        for (int i = 0; i < n; i++)
            x[i] = x[i] > coef ? coef : x[i] > 0 || (nan && x[i] != x[i]) ? x[i] : 0;
        break;
    case CUDNN_ACTIVATION_ELU:
        for (int i = 0; i < n; i++)
            x[i] = x[i] > 0 ? x[i] : coef * (exponential(x[i]) - 1);
        break;
    case CUDNN_ACTIVATION_SWISH:
        for (int i = 0; i < n; i++)
            x[i] = x[i] / (1 + exponential(-beta * x[i]));
        break;
    default: break;
    }
}
