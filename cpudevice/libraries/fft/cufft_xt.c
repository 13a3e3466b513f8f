/* cufft_xt.c: cuFFT's descriptors of memory, which lies on one device, and plans and transforms by the types' names. */
#include <stdlib.h>

#include "cufftXt.h"
#include "fft/cufft_plan.h"

static plan *made_plan(cufftHandle handle)
{
    plan *p = cufft_plan_of(handle);
    return p && p->made ? p : NULL;
}

cufftResult cufftXtSetGPUs(cufftHandle handle, int gpus, int *gpu)
{
    const plan *p = cufft_plan_of(handle);
    if (!p || p->made)
        return CUFFT_INVALID_PLAN;
    if (gpus < 1 || !gpu)
        return CUFFT_INVALID_VALUE;
    return gpus > 1 || gpu[0] != 0 ? CUFFT_INVALID_DEVICE : CUFFT_SUCCESS;
}

/* ---- descriptors ---- */

/* What a descriptor of this format holds for the plan. */
static size_t bytes_of(const plan *p, int format)
{
    if (format == CUFFT_XT_FORMAT_INPUT || format == CUFFT_XT_FORMAT_OUTPUT)
        return cufft_bytes(p, format == CUFFT_XT_FORMAT_OUTPUT, false);
    const size_t in = cufft_bytes(p, false, true), out = cufft_bytes(p, true, true);
    return in > out ? in : out;
}

static bool holds(const cudaLibXtDesc *d, size_t bytes)
{
    return d && d->library == LIB_FORMAT_CUFFT && d->descriptor && d->descriptor->data[0] &&
           d->descriptor->size[0] >= bytes;
}

cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc **descriptor, cufftXtSubFormat format)
{
    const plan *p = made_plan(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    if (!descriptor || (int)format < CUFFT_XT_FORMAT_INPUT || format > CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED)
        return CUFFT_INVALID_VALUE;
    const int version = CUDA_XT_DESCRIPTOR_VERSION + CUDART_VERSION;
    cudaLibXtDesc *d = calloc(1, sizeof *d);
    cudaXtDesc *memory = calloc(1, sizeof *memory);
    const size_t bytes = bytes_of(p, format);
    if (!d || !memory || cudaMalloc(&memory->data[0], bytes)) {
        free(d);
        free(memory);
        return CUFFT_ALLOC_FAILED;
    }
    memory->version = version;
    memory->nGPUs = 1;
    memory->size[0] = bytes;
    *d = (cudaLibXtDesc){version, memory, LIB_FORMAT_CUFFT, format, NULL};
    *descriptor = d;
    return CUFFT_SUCCESS;
}

cufftResult cufftXtFree(cudaLibXtDesc *descriptor)
{
    if (!descriptor)
        return CUFFT_SUCCESS;
    if (!descriptor->descriptor)
        return CUFFT_INVALID_VALUE;
    const cudaError_t e = cudaFree(descriptor->descriptor->data[0]);
    free(descriptor->descriptor);
    free(descriptor);
    return e ? CUFFT_INTERNAL_ERROR : CUFFT_SUCCESS;
}

cufftResult cufftXtMemcpy(cufftHandle handle, void *to, void *from, cufftXtCopyType type)
{
    const plan *p = made_plan(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    if (!to || !from || (int)type < CUFFT_COPY_HOST_TO_DEVICE || type > CUFFT_COPY_DEVICE_TO_DEVICE)
        return CUFFT_INVALID_VALUE;
    const cudaLibXtDesc *on_device = type == CUFFT_COPY_HOST_TO_DEVICE ? to : from;
    const size_t bytes = bytes_of(p, on_device->subFormat);
    if (!holds(on_device, bytes) || (type == CUFFT_COPY_DEVICE_TO_DEVICE && !holds(to, bytes)))
        return CUFFT_INVALID_VALUE;
    if (type != CUFFT_COPY_HOST_TO_DEVICE)
        from = on_device->descriptor->data[0];
    if (type != CUFFT_COPY_DEVICE_TO_HOST)
        to = ((cudaLibXtDesc *)to)->descriptor->data[0];
    cudaError_t e = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, p->stream);
    if (!e && type != CUFFT_COPY_DEVICE_TO_DEVICE)
        e = cudaStreamSynchronize(p->stream);
    return e ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

/* ---- transforms ---- */

static cufftResult run(cufftHandle handle, cufftType type, const char *name, cudaLibXtDesc *in, cudaLibXtDesc *out,
                       int direction)
{
    const plan *p = made_plan(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    if (p->type != type)
        return CUFFT_INVALID_TYPE;
    const bool in_place = in == out, real = from_real(type) || to_real(type);
    if (!holds(in, cufft_bytes(p, false, in_place)) || !holds(out, cufft_bytes(p, true, in_place)))
        return CUFFT_INVALID_VALUE;
    if (real && !in_place && (in->subFormat != CUFFT_XT_FORMAT_INPUT || out->subFormat != CUFFT_XT_FORMAT_OUTPUT))
        return CUFFT_INVALID_VALUE;
    const cufftResult r =
        cufft_execute(handle, type, name, in->descriptor->data[0], out->descriptor->data[0], direction);
    if (r == CUFFT_SUCCESS && in_place && in->subFormat == CUFFT_XT_FORMAT_INPLACE)
        in->subFormat = CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
    else if (r == CUFFT_SUCCESS && in_place && in->subFormat > CUFFT_XT_FORMAT_INPLACE)
        in->subFormat = CUFFT_XT_FORMAT_INPLACE;
    return r;
}

#define COMPLEX(KIND, TYPE)                                                                                            \
    cufftResult cufftXtExecDescriptor##KIND(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction)    \
    {                                                                                                                  \
        return run(plan, CUFFT_##KIND, "cufftXtExecDescriptor" #KIND, in, out, direction);                             \
    }
#define REAL(KIND, IN, OUT, DIRECTION)                                                                                 \
    cufftResult cufftXtExecDescriptor##KIND(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out)                   \
    {                                                                                                                  \
        return run(plan, CUFFT_##KIND, "cufftXtExecDescriptor" #KIND, in, out, DIRECTION);                             \
    }
CUFFT_KINDS(COMPLEX, REAL)

/* That of the type, whatever a caller says of a real one. */
static int direction_of(const plan *p, int said)
{
    return from_real(p->type) ? CUFFT_FORWARD : to_real(p->type) ? CUFFT_INVERSE : said;
}

cufftResult cufftXtExecDescriptor(cufftHandle handle, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction)
{
    const plan *p = made_plan(handle);
    return p ? run(handle, p->type, "cufftXtExecDescriptor", in, out, direction_of(p, direction)) : CUFFT_INVALID_PLAN;
}

cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction)
{
    const plan *p = made_plan(handle);
    return p ? cufft_execute(handle, p->type, "cufftXtExec", in, out, direction_of(p, direction)) : CUFFT_INVALID_PLAN;
}

/* ---- plans ---- */

static bool is_narrow(cudaDataType type)
{
    return type == CUDA_R_16F || type == CUDA_C_16F || type == CUDA_R_16BF || type == CUDA_C_16BF;
}

/* 1: single; 2: double; 0: another type. */
static int precision(cudaDataType type)
{
    return type == CUDA_R_32F || type == CUDA_C_32F ? 1 : type == CUDA_R_64F || type == CUDA_C_64F ? 2 : 0;
}

static cufftResult type_of(cudaDataType input, cudaDataType output, cudaDataType execution, cufftType *type)
{
    static const cufftType types[2][2][2] = {/* [double][from real][to real]; none is from real to real */
                                             {{CUFFT_C2C, CUFFT_C2R}, {CUFFT_R2C, CUFFT_R2C}},
                                             {{CUFFT_Z2Z, CUFFT_Z2D}, {CUFFT_D2Z, CUFFT_D2Z}}};
    const bool real_in = input == CUDA_R_32F || input == CUDA_R_64F;
    const bool real_out = output == CUDA_R_32F || output == CUDA_R_64F;
    const int one = precision(input);
    if (is_narrow(input) && is_narrow(output) && is_narrow(execution))
        return CUFFT_NOT_SUPPORTED;
    if (!one || precision(output) != one || precision(execution) != one || (real_in && real_out))
        return CUFFT_INVALID_TYPE;
    *type = types[one - 1][real_in][real_out];
    return CUFFT_SUCCESS;
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, cudaDataType input, long long *onembed, long long ostride,
                                long long odist, cudaDataType output, long long batch, size_t *work_bytes,
                                cudaDataType execution)
{
    cufftType type;
    const cufftResult r = type_of(input, output, execution, &type);
    return r ? r
             : cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                                   work_bytes);
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                               long long idist, cudaDataType input, long long *onembed, long long ostride,
                               long long odist, cudaDataType output, long long batch, size_t *work_bytes,
                               cudaDataType execution)
{
    (void)rank, (void)n, (void)inembed, (void)istride, (void)idist, (void)onembed, (void)ostride, (void)odist;
    (void)batch;
    cufftType type;
    const cufftResult r = type_of(input, output, execution, &type);
    return r ? r : cufftGetSize(plan, work_bytes);
}

cufftResult cufftXtQueryPlan(cufftHandle plan, void *factors, cufftXtQueryType type)
{
    (void)plan;
    return factors && type == CUFFT_QUERY_1D_FACTORS ? CUFFT_INVALID_PLAN : CUFFT_INVALID_VALUE;
}

cufftResult cufftXtSetWorkArea(cufftHandle plan, void **work_area)
{
    (void)work_area;
    return cufft_plan_of(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t *work_bytes)
{
    (void)policy, (void)work_bytes;
    return cufft_plan_of(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
