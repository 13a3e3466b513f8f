/* cudnn_dropout.c: cuDNN's dropout. The states are a seed and the number of forward passes so far; the reserve space
 * has a byte an element, in the order of the tensor's dimensions: 1 is kept. See cudnn.h. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "dnn/dnn.h"

typedef cudnnStatus_t Status;
static const Status ok = CUDNN_STATUS_SUCCESS, bad = CUDNN_STATUS_BAD_PARAM;

typedef struct states {
    uint64_t seed, passes;
} states;

/* Views of the input and the output, of the same sizes. */
typedef struct dropping {
    dnn_work work;
    states *states; /* NULL: a backward pass, whose reserve is read */
    uint64_t seed;
    float dropout;
    unsigned char *reserve;
    dnn_view in, out;
} dropping;

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014. */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static void write_states(const void *arguments)
{
    const dropping *d = arguments;
    *d->states = (states){d->seed, 0};
    library_writes(d->states, sizeof *d->states);
}

static void drop(const void *arguments)
{
    const dropping *d = arguments;
    const int last = d->in.dims - 1, length = d->in.size[last];
    const int64_t rows = dnn_count(&d->in, 0, last);
    const double scale = d->dropout < 1 ? 1 / (1 - (double)d->dropout) : 0;
    double *const x = dnn_buffer((size_t)length * sizeof *x);
    uint64_t key = 0;
    if (d->states) {
        library_reads(d->states, sizeof *d->states);
        key = mixed(d->states->seed ^ mixed(d->states->passes++));
        library_writes(d->states, sizeof *d->states);
    }
    for (int64_t row = 0; row < rows; row++) {
        unsigned char *const kept = d->reserve + row * length;
        if (!d->states)
            library_reads(kept, (size_t)length);
        for (int i = 0; i < length && d->states; i++)
            kept[i] = (double)(mixed(key + (uint64_t)(row * length + i)) >> 11) * 0x1p-53 >= (double)d->dropout;
        if (d->states)
            library_writes(kept, (size_t)length);
        dnn_fetch(&d->in, dnn_place(&d->in, 0, last, row), d->in.stride[last], length, x);
        for (int i = 0; i < length; i++)
            x[i] = kept[i] ? x[i] * scale : 0;
        dnn_store(&d->out, dnn_place(&d->out, 0, last, row), d->out.stride[last], length, x);
    }
    free(x);
}

/* ---- the interface ---- */

Status cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *bytes)
{
    if (!handle || !bytes)
        return handle ? bad : CUDNN_STATUS_NOT_INITIALIZED;
    *bytes = sizeof(states);
    return ok;
}
Status cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x_of, size_t *bytes)
{
    const Status s = DNN_TENSORS(x_of);
    if (s || !bytes)
        return s ? s : bad;
    const dnn_view v = dnn_view_of(x_of, NULL);
    *bytes = (size_t)dnn_count(&v, 0, v.dims);
    return ok;
}

/* Without states nothing can be dropped: a probability of 0. */
Status cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t d, cudnnHandle_t handle, float dropout, void *at,
                                     size_t states_bytes, unsigned long long seed)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    if (!d || !(dropout >= 0 && dropout <= 1) || (at ? states_bytes < sizeof(states) : dropout != 0))
        return bad;
    *d = (struct cudnnDropoutStruct){dropout, at, seed};
    return ok;
}
Status cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t d, cudnnHandle_t handle, float dropout, void *at,
                                 size_t states_bytes, unsigned long long seed)
{
    const Status s = cudnnRestoreDropoutDescriptor(d, handle, dropout, at, states_bytes, seed);
    if (s || !at)
        return s;
    dropping written = {.states = at, .seed = seed};
    return dnn_run(handle, __func__, write_states, &written.work, sizeof written, 1, 1);
}
Status cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t d, cudnnHandle_t handle, float *dropout, void **at,
                                 unsigned long long *seed)
{
    if (!d || !handle || !dropout || !at || !seed)
        return bad;
    *dropout = d->dropout, *at = d->states, *seed = d->seed;
    return ok;
}

static Status run(cudnnHandle_t handle, const char *name, cudnnDropoutDescriptor_t d, bool forward,
                  cudnnTensorDescriptor_t in_of, const void *in, cudnnTensorDescriptor_t out_of, void *out,
                  void *reserve, size_t reserve_bytes)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    const struct cudnnTensorStruct *const both[2] = {in_of, out_of};
    const Status s = dnn_tensors(name, 2, both);
    if (s || !d || !in || !out || !reserve || !dnn_same_sizes(in_of, out_of) || (forward && !d->states))
        return s ? s : bad;
    dropping p = {.states = forward ? d->states : NULL, .dropout = d->dropout, .reserve = reserve};
    p.in = dnn_view_of(in_of, in), p.out = dnn_view_of(out_of, out);
    if (reserve_bytes < (size_t)dnn_count(&p.in, 0, p.in.dims))
        return bad;
    return dnn_run(handle, name, drop, &p.work, sizeof p, 1, 1);
}

Status cudnnDropoutForward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t d, const cudnnTensorDescriptor_t x_of,
                           const void *x, const cudnnTensorDescriptor_t y_of, void *y, void *reserve,
                           size_t reserve_bytes)
{
    return run(handle, __func__, d, true, x_of, x, y_of, y, reserve, reserve_bytes);
}
Status cudnnDropoutBackward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t d, const cudnnTensorDescriptor_t dy_of,
                            const void *dy, const cudnnTensorDescriptor_t dx_of, void *dx, void *reserve,
                            size_t reserve_bytes)
{
    return run(handle, __func__, d, false, dy_of, dy, dx_of, dx, reserve, reserve_bytes);
}
