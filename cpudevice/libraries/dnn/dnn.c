/* dnn.c: how cuDNN's kernels walk over tensors: see dnn.h. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas/blas_convert.h"
#include "dnn/dnn.h"

size_t dnn_bytes_of(cudnnDataType_t type)
{
    switch (type) {
    case CUDNN_DATA_DOUBLE:
    case CUDNN_DATA_INT64: return 8;
    case CUDNN_DATA_HALF:
    case CUDNN_DATA_BFLOAT16: return 2;
    case CUDNN_DATA_INT8:
    case CUDNN_DATA_UINT8:
    case CUDNN_DATA_BOOLEAN:
    case CUDNN_DATA_FP8_E4M3:
    case CUDNN_DATA_FP8_E5M2: return 1;
    default: return 4;
    }
}

/* ---- views ---- */

dnn_view dnn_view_of(const struct cudnnTensorStruct *d, const void *p)
{
    dnn_view v = {.p = (void *)p, .type = d->type, .dims = d->dims};
    memcpy(v.size, d->size, sizeof v.size);
    memcpy(v.stride, d->stride, sizeof v.stride);
    return v;
}

dnn_view dnn_view_of_five(const struct cudnnTensorStruct *d, const void *p)
{
    dnn_view v = dnn_view_of(d, p);
    for (; v.dims < 5; v.dims++) {
        for (int i = v.dims; i > 2; i--)
            v.size[i] = v.size[i - 1], v.stride[i] = v.stride[i - 1];
        v.size[2] = v.stride[2] = 1;
    }
    return v;
}

bool dnn_spread(dnn_view *v, const struct cudnnTensorStruct *over)
{
    if (v->dims != over->dims)
        return false;
    for (int i = 0; i < v->dims; i++) {
        if (v->size[i] != over->size[i] && v->size[i] != 1)
            return false;
        if (v->size[i] == 1)
            v->stride[i] = 0;
        v->size[i] = over->size[i];
    }
    return true;
}

static void swap_dimensions(dnn_view *v, int count, int i, int k)
{
    for (; count--; v++) {
        const int size = v->size[i], stride = v->stride[i];
        v->size[i] = v->size[k], v->stride[i] = v->stride[k];
        v->size[k] = size, v->stride[k] = stride;
    }
}

/* Do dimensions i and i + 1 follow on each other in all views, or has one of them a single element? */
static bool may_join(const dnn_view *v, int count, int i)
{
    if ((int64_t)v->size[i] * v->size[i + 1] > INT_MAX)
        return false;
    if (v->size[i] == 1 || v->size[i + 1] == 1)
        return true;
    for (int k = 0; k < count; k++)
        if (v[k].stride[i] != (int64_t)v[k].stride[i + 1] * v[k].size[i + 1])
            return false;
    return true;
}

void dnn_join_in_order(dnn_view *v, int count, int from)
{
    for (int i = v->dims - 2; i >= from; i--) {
        if (!may_join(v, count, i))
            continue;
        for (int k = 0; k < count; k++) {
            if (v[k].size[i + 1] == 1)
                v[k].stride[i + 1] = v[k].stride[i];
            v[k].size[i + 1] *= v[k].size[i];
            memmove(v[k].size + i, v[k].size + i + 1, sizeof(int) * (size_t)(v[k].dims - i - 1));
            memmove(v[k].stride + i, v[k].stride + i + 1, sizeof(int) * (size_t)(v[k].dims - i - 1));
            v[k].dims--;
        }
    }
}

void dnn_join(dnn_view *v, int count, int from)
{
    for (int i = from; i < v->dims; i++) {
        int largest = i;
        for (int k = i + 1; k < v->dims; k++)
            if (v->size[largest] == 1 || (v->size[k] != 1 && abs(v->stride[k]) > abs(v->stride[largest])))
                largest = k;
        for (; largest > i; largest--) /* the others keep their order */
            swap_dimensions(v, count, largest, largest - 1);
    }
    dnn_join_in_order(v, count, from);
}

int64_t dnn_count(const dnn_view *v, int from, int to)
{
    int64_t n = 1;
    for (int i = from; i < to; i++)
        n *= v->size[i];
    return n;
}

int64_t dnn_place(const dnn_view *v, int from, int to, int64_t i)
{
    int64_t at = 0;
    for (int k = to - 1; k >= from; k--) {
        at += i % v->size[k] * v->stride[k];
        i /= v->size[k];
    }
    return at;
}

/* ---- rows ---- */

static void tell(bool writes, const dnn_view *v, int64_t at, int64_t step, int n)
{
    const size_t size = dnn_bytes_of(v->type), bytes = step == 1 ? size * (size_t)n : size;
    char *p = (char *)v->p + at * (int64_t)size;
    for (int i = 0; i < (step == 1 || step == 0 ? 1 : n); i++, p += step * (int64_t)size)
        if (writes)
            library_writes(p, bytes);
        else
            library_reads(p, bytes);
}

static void fetch(const dnn_view *v, int64_t at, int64_t step, int n, double *to)
{
    switch (v->type) {
    case CUDNN_DATA_DOUBLE:
        for (const double *p = (const double *)v->p + at; n > 0; n--, p += step)
            *to++ = *p;
        break;
    case CUDNN_DATA_HALF:
        for (const uint16_t *p = (const uint16_t *)v->p + at; n > 0; n--, p += step)
            *to++ = (double)half_to_float(*p);
        break;
    case CUDNN_DATA_BFLOAT16:
        for (const uint16_t *p = (const uint16_t *)v->p + at; n > 0; n--, p += step)
            *to++ = (double)from_bits((uint32_t)*p << 16);
        break;
    default: {
        const float *p = (const float *)v->p + at;
        if (step == 1)
            for (int i = 0; i < n; i++)
                to[i] = (double)p[i];
        else
            for (int i = 0; i < n; i++)
                to[i] = (double)p[i * step];
    }
    }
}

void dnn_fetch(const dnn_view *v, int64_t at, int64_t step, int n, double *to)
{
    if (n > 0 && library_checked())
        tell(false, v, at, step, n);
    fetch(v, at, step, n, to);
}

double dnn_number(const void *p, cudnnDataType_t type)
{
    double x;
    fetch(&(dnn_view){.p = (void *)p, .type = type}, 0, 1, 1, &x);
    return x;
}

void dnn_store(const dnn_view *v, int64_t at, int64_t step, int n, const double *from)
{
    if (n > 0 && library_checked())
        tell(true, v, at, step, n);
    switch (v->type) {
    case CUDNN_DATA_DOUBLE:
        for (double *p = (double *)v->p + at; n > 0; n--, p += step)
            *p = *from++;
        break;
    case CUDNN_DATA_HALF:
        for (uint16_t *p = (uint16_t *)v->p + at; n > 0; n--, p += step)
            *p = float_to_half((float)*from++);
        break;
    case CUDNN_DATA_BFLOAT16:
        for (uint16_t *p = (uint16_t *)v->p + at; n > 0; n--, p += step)
            *p = float_to_bf16((float)*from++);
        break;
    default: {
        float *p = (float *)v->p + at;
        if (step == 1)
            for (int i = 0; i < n; i++)
                p[i] = (float)from[i];
        else
            for (int i = 0; i < n; i++)
                p[i * step] = (float)from[i];
    }
    }
}

void dnn_blend(const dnn_view *v, int64_t at, int64_t step, int n, double *from, double alpha, double beta)
{
    double old[DNN_ROW];
    for (int done = 0; done < n; done += DNN_ROW) {
        const int m = n - done < DNN_ROW ? n - done : DNN_ROW;
        double *const row = from + done;
        for (int i = 0; i < m; i++)
            row[i] *= alpha;
        if (beta != 0) {
            dnn_fetch(v, at + done * step, step, m, old);
            for (int i = 0; i < m; i++)
                row[i] += beta * old[i];
        }
        dnn_store(v, at + done * step, step, m, row);
    }
}

void dnn_fetch_all(const dnn_view *v, int from, int64_t at, double *to)
{
    const int last = v->dims - 1, n = v->size[last];
    const int64_t rows = dnn_count(v, from, last);
    for (int64_t i = 0; i < rows; i++)
        dnn_fetch(v, at + dnn_place(v, from, last, i), v->stride[last], n, to + i * n);
}

void dnn_blend_all(const dnn_view *v, int from, int64_t at, double *values, double alpha, double beta)
{
    const int last = v->dims - 1, n = v->size[last];
    const int64_t rows = dnn_count(v, from, last);
    for (int64_t i = 0; i < rows; i++)
        dnn_blend(v, at + dnn_place(v, from, last, i), v->stride[last], n, values + i * n, alpha, beta);
}

/* ---- kernels ---- */

cudnnStatus_t dnn_run(cudnnHandle_t handle, const char *name, void (*body)(const void *), dnn_work *arguments,
                      size_t bytes, int64_t items, double cost)
{
    const double for_a_block = 32768; /* operations: far more than a block's start takes */
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    arguments->items = items;
    arguments->each = cost >= for_a_block ? 1 : (int64_t)(for_a_block / (cost < 1 ? 1 : cost));
    if (arguments->each < items / (INT_MAX / 2))
        arguments->each = items / (INT_MAX / 2) + 1;
    const int64_t blocks = (items + arguments->each - 1) / arguments->each;
    return items > 0 && library_launch_blocks(handle->stream, name, (int)blocks, body, arguments, bytes)
               ? CUDNN_STATUS_EXECUTION_FAILED
               : CUDNN_STATUS_SUCCESS;
}

int64_t dnn_first(const dnn_work *w) { return library_block() * w->each; }
int64_t dnn_last(const dnn_work *w)
{
    const int64_t last = dnn_first(w) + w->each;
    return last < w->items ? last : w->items;
}

void *dnn_buffer(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (!p) {
        fprintf(stderr, "CPU device: cuDNN: no memory for %zu bytes\n", bytes);
        _Exit(2);
    }
    return p;
}
