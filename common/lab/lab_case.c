#include "lab_internal.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"

void *lab_host_alloc(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, bytes ? bytes : 64))
        die_usage("not enough host memory for %.1f GB; choose a smaller --size", (double)bytes * 1e-9);
    return p;
}

static void *device_alloc(size_t bytes)
{
    void *p = NULL;
    if (cudaMalloc(&p, bytes ? bytes : 1) != cudaSuccess) {
        cudaGetLastError();
        die_usage("%.1f GB do not fit the device's memory (%.1f GB are free); choose a smaller --size",
                  (double)bytes * 1e-9, (double)device_free_bytes() * 1e-9);
    }
    return p;
}

static size_t checked_bytes(size_t count, LabType type)
{
    if (count > ((size_t)1 << 62) / lab_type_bytes(type))
        die_usage("the shape overflows; choose a smaller --size");
    return count * lab_type_bytes(type);
}

/* The buffer itself if it has that size, as in a case that is filled anew; else one of that size in its place. */
static void *device_sized(void *buffer, size_t has_bytes, size_t bytes)
{
    if (buffer && has_bytes == bytes)
        return buffer;
    CUDA_CHECK(cudaFree(buffer));
    return device_alloc(bytes);
}

void *lab_input(LabCase *c, int i, size_t count, LabType type)
{
    size_t bytes = checked_bytes(count, type);
    c->in[i] = device_sized(c->in[i], c->in_count[i] * lab_type_bytes(c->in_type[i]), bytes);
    c->in_count[i] = count;
    c->in_type[i] = type;
    c->h_in[i] = lab_host_alloc(bytes);
    memset(c->h_in[i], 0, bytes);
    if (c->inputs <= i)
        c->inputs = i + 1;
    return c->h_in[i];
}

void lab_output(LabCase *c, size_t count, LabType type)
{
    size_t bytes = checked_bytes(count, type);
    c->out = device_sized(c->out, c->out_count * lab_type_bytes(c->out_type), bytes);
    c->out_count = count;
    c->out_type = type;
    c->h_out = lab_host_alloc(bytes);
}

void *lab_typed(const LabCase *c, void *buffer, LabType type, unsigned accepted)
{
    if (buffer && !(accepted >> type & 1))
        die("%s: a buffer of %s is taken for one of another type", c->lab->name, lab_type_name(type));
    return buffer;
}

void lab_fill_uniform(LabCase *c, int i, double lo, double hi)
{
    uint64_t seed = c->seed * LAB_MAX_INPUTS + (uint64_t)i;
#pragma omp parallel for
    for (size_t k = 0; k < c->in_count[i]; k++)
        lab_set(c->h_in[i], c->in_type[i], k, lo + (hi - lo) * random_uniform(seed, k));
}

void *lab_scratch(LabCase *c, size_t bytes)
{
    if (c->scratch_bytes < bytes) {
        CUDA_CHECK(cudaStreamSynchronize(c->stream));
        if (c->scratch)
            CUDA_CHECK(cudaFree(c->scratch));
        c->scratch = device_alloc(bytes);
        c->scratch_bytes = bytes;
    }
    return c->scratch;
}

int lab_sample_row(size_t row, size_t rows, double work_per_row)
{
    if ((double)rows * work_per_row <= 0x1p26)
        return 1;
    size_t stride = rows / 30 + 1;
    return row == 0 || row + 1 == rows || (row + 7) % stride == 0;
}

static void tolerance_for(LabType t, double *atol, double *rtol)
{
    switch (t) {
    case LAB_F32: *atol = 1e-6, *rtol = 1e-5; break;
    case LAB_BF16: *atol = 1e-4, *rtol = 0x1p-7; break;
    case LAB_F16: *atol = 1e-4, *rtol = 0x1p-9; break;
    case LAB_F64: *atol = 1e-13, *rtol = 1e-12; break;
    default: *atol = *rtol = 0; break;
    }
}

/* Everything of a new case but its stream. */
static const char *fill(LabCase *c, int with_reference)
{
    const Lab *lab = c->lab;
    tolerance_for(c->type, &c->atol, &c->rtol);
    const char *why = lab->setup(c);
    if (why)
        return why;
    for (int i = 0; i < c->inputs; i++)
        if (c->in[i])
            CUDA_CHECK(cudaMemcpy(c->in[i], c->h_in[i], c->in_count[i] * lab_type_bytes(c->in_type[i]),
                                  cudaMemcpyHostToDevice));
    if (with_reference && lab->reference) {
        c->expect = (double *)lab_host_alloc(c->out_count * sizeof(double));
        lab->reference(c);
    }
    return NULL;
}

const char *lab_case_make(LabCase *c, const Lab *lab, const size_t *dim, LabType type, uint64_t seed,
                          int with_reference)
{
    *c = (LabCase){.lab = lab, .dims = lab_dims(lab), .type = type, .seed = seed};
    memcpy(c->dim, dim, sizeof *dim * (size_t)c->dims);
    CUDA_CHECK(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking));
    const char *why = fill(c, with_reference);
    if (why)
        lab_case_free(c);
    return why;
}

/* What is the host's or the lab's own goes; the device's buffers stay. */
static void empty(LabCase *c)
{
    CUDA_CHECK(cudaStreamSynchronize(c->stream));
    if (c->lab->teardown)
        c->lab->teardown(c);
    for (int i = 0; i < c->inputs; i++) {
        free(c->h_in[i]);
        c->h_in[i] = NULL;
    }
    free(c->h_out), free(c->expect);
    c->h_out = NULL, c->expect = NULL, c->user = NULL;
}

const char *lab_case_renew(LabCase *c, uint64_t seed)
{
    empty(c);
    c->seed = seed;
    return fill(c, 1);
}

void lab_case_free(LabCase *c)
{
    empty(c);
    for (int i = 0; i < c->inputs; i++)
        CUDA_CHECK(cudaFree(c->in[i]));
    CUDA_CHECK(cudaFree(c->out));
    CUDA_CHECK(cudaFree(c->scratch));
    CUDA_CHECK(cudaStreamDestroy(c->stream));
    *c = (LabCase){0};
}
