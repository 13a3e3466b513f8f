/* product.c: the reference of a matrix product, for elements of any type. */
#include "product.h"

#include <stdlib.h>

/* Input i as floats, which hold every value of the narrower types. Of fp32 it is the input itself. */
static const float *input_as_floats(const LabCase *c, int i)
{
    if (c->in_type[i] == LAB_F32)
        return c->h_in[i];
    float *as_float = malloc((c->in_count[i] + 1) * sizeof *as_float);
    if (!as_float)
        die("not enough memory for the reference");
#pragma omp parallel for
    for (size_t k = 0; k < c->in_count[i]; k++)
        as_float[k] = (float)lab_get(c->h_in[i], c->in_type[i], k);
    return as_float;
}

static void free_floats(const LabCase *c, int i, const float *as_float)
{
    if (as_float != c->h_in[i])
        free((void *)as_float);
}

void product_cpu_of(LabCase *c, int a, int b, int b_by_columns)
{
    const size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    const float *A = input_as_floats(c, a), *B = input_as_floats(c, b);
#pragma omp parallel for schedule(dynamic)
    for (size_t m = 0; m < M; m++) {
        double *row = c->expect + m * N;
        const int wanted = lab_sample_row(m, M, (double)N * (double)K);
        for (size_t n = 0; n < N; n++)
            row[n] = wanted ? 0 : lab_unchecked();
        if (!wanted)
            continue;
        if (b_by_columns) {
            for (size_t n = 0; n < N; n++)
                for (size_t k = 0; k < K; k++)
                    row[n] += (double)A[m * K + k] * B[n * K + k];
        } else {
            for (size_t k = 0; k < K; k++)
                for (size_t n = 0; n < N; n++)
                    row[n] += (double)A[m * K + k] * B[k * N + n];
        }
    }
    free_floats(c, a, A);
    free_floats(c, b, B);
}

void product_cpu(LabCase *c) { product_cpu_of(c, 0, 1, 0); }

double product_flops(const LabCase *c) { return 2.0 * (double)c->dim[0] * (double)c->dim[1] * (double)c->dim[2]; }

double product_bytes(const LabCase *c)
{
    const double M = (double)c->dim[0], N = (double)c->dim[1], K = (double)c->dim[2];
    return (double)lab_type_bytes(c->in_type[0]) * M * K + (double)lab_type_bytes(c->in_type[1]) * K * N +
           (double)lab_type_bytes(c->out_type) * M * N;
}
