/* setting.h: what the labs that train on digits begin with: memory, the digits and their split, initial weights, and
 * the order of the digits in an epoch. The same on every machine. */
#ifndef LOTTERY_SETTING_H
#define LOTTERY_SETTING_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "digits.h"
#include "lab.h"
#include "mlp.cuh"
#include "random.h"

static inline void *device_copy(const void *from, size_t bytes)
{
    void *to;
    CUDA_CHECK(cudaMalloc(&to, bytes + 16));
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

static inline float *device_floats(size_t count)
{
    void *to;
    CUDA_CHECK(cudaMalloc(&to, count * sizeof(float) + 16));
    CUDA_CHECK(cudaMemset(to, 0, count * sizeof(float)));
    return (float *)to;
}

static inline void *host_memory(size_t count, size_t bytes)
{
    void *p = calloc(count + 1, bytes);
    if (!p)
        die("out of memory");
    return p;
}

/* Fresh initial weights (He et al.'s: variance 2 / in), zero biases; padded outputs stay zero by their mask. */
static inline void initialise(const MlpShape *s, uint64_t seed, float *parameters)
{
    for (int l = 0; l < MLP_LAYERS; l++) {
        double limit = sqrt(6.0 / s->in[l]);
        for (int i = 0; i <= s->in[l]; i++)
            for (int o = 0; o < s->out[l]; o++) {
                size_t w = (size_t)s->at[l] + (size_t)i * s->out[l] + o;
                int padded = l == MLP_LAYERS - 1 && o >= MLP_CLASSES;
                parameters[w] = i == s->in[l] || padded ? 0 : (float)(limit * (2 * random_uniform(seed, w) - 1));
            }
    }
}

/* Each network's own order of the digits in this epoch; the same for the three kinds of one seed. */
static inline void shuffle(int *order, int digits, uint64_t seed)
{
    for (int i = 0; i < digits; i++)
        order[i] = i;
    for (int i = digits - 1; i > 0; i--) {
        int j = (int)(random_u64(seed, (uint64_t)i) % (uint64_t)(i + 1)), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

/* The course's own digits. The split is the same for all seeds and on all machines: every fifth digit to test. */
static inline void read_optdigits(Digits *train, Digits *test)
{
    char why[512];
    if (digits_read_csv("data/optdigits.csv", train, why, sizeof why))
        die_usage("%s (run from the course's folder)", why);
    digits_shuffle(train, 2024);
    size_t pixels = train->rows * train->columns, cut = train->count - train->count / 5;
    *test = *train;
    test->count = train->count / 5;
    test->pixels = (float *)host_memory(test->count * pixels, sizeof(float));
    test->label = (uint8_t *)host_memory(test->count, 1);
    memcpy(test->pixels, train->pixels + cut * pixels, test->count * pixels * sizeof(float));
    memcpy(test->label, train->label + cut, test->count);
    train->count = cut;
}

static inline void mean_and_spread(const double *x, int n, double *mean, double *spread)
{
    *mean = *spread = 0;
    for (int i = 0; i < n; i++)
        *mean += x[i] / n;
    for (int i = 0; i < n; i++)
        *spread += n > 1 ? (x[i] - *mean) * (x[i] - *mean) / (n - 1) : 0;
    *spread = sqrt(*spread);
}

#endif
