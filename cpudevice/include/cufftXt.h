/* cufftXt.h: cuFFT's interface to several GPUs and to types by name, on the CPU device, which is one device. Link with
 * -lcufft. C-clean.
 *
 * cuFFT itself wants two GPUs for a descriptor's transforms; here they are for one, so that their programs can be tried.
 * The data of a descriptor (cudalibxt.h) lies whole in descriptor->data[0], in natural order, also where its format says
 * "shuffled". Not there: callbacks, half precision, formats that are distributed over processes. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include "cudalibxt.h"
#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT = 0,            /* the input of a transform out of place */
    CUFFT_XT_FORMAT_OUTPUT = 1,           /* its output */
    CUFFT_XT_FORMAT_INPLACE = 2,          /* room for both */
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3, /* the same after a transform */
    CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
    CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
    CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
    CUFFT_FORMAT_UNDEFINED = 7
} cufftXtSubFormat;

typedef enum cufftXtCopyType_t {
    CUFFT_COPY_HOST_TO_DEVICE = 0,
    CUFFT_COPY_DEVICE_TO_HOST = 1,
    CUFFT_COPY_DEVICE_TO_DEVICE = 2,
    CUFFT_COPY_UNDEFINED = 3
} cufftXtCopyType;

typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS = 0, CUFFT_QUERY_UNDEFINED = 1 } cufftXtQueryType;
typedef struct cufftXt1dFactors_t {
    long long size, stringCount, stringLength, substringLength, factor1, factor2;
    long long stringMask, substringMask, factor1Mask, factor2Mask;
    int stringShift, substringShift, factor1Shift, factor2Shift;
} cufftXt1dFactors;

typedef enum cufftXtWorkAreaPolicy_t {
    CUFFT_WORKAREA_MINIMAL = 0,
    CUFFT_WORKAREA_USER = 1,
    CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;

/* Before the plan is made. CUFFT_INVALID_DEVICE: more than one, or another than device 0; the plan stays as it is, and
 * would run on device 0, as every plan does. CUFFT_INVALID_PLAN: it is made. */
cufftResult cufftXtSetGPUs(cufftHandle plan, int gpus, int *gpu);

/* ---- descriptors, of a plan that is made ----
 *
 * Memory for one side of the plan's transforms, or for both. CUFFT_INVALID_VALUE: not such a format;
 * CUFFT_ALLOC_FAILED. Any plan for which it is large enough may use it, and it may outlive its plan. */
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor, cufftXtSubFormat format);
cufftResult cufftXtFree(cudaLibXtDesc *descriptor); /* waits for the device; NULL is nothing to free */

/* To or from a descriptor, as the type says: as many bytes as the plan has on the side that its format names, in the
 * order that the plan has; of a real transform in place with its padding. On the plan's stream; to and from the host,
 * when it returns the copy is done. CUFFT_INVALID_VALUE: NULL, no such type, or the descriptor is too small. */
cufftResult cufftXtMemcpy(cufftHandle plan, void *to, void *from, cufftXtCopyType type);

/* As cufftExecC2C() and the like, at once returning, on the plan's stream. In place, the same descriptor twice, its
 * format changes from INPLACE to INPLACE_SHUFFLED, and from a shuffled one to INPLACE. Out of place a real transform
 * wants formats INPUT and OUTPUT, as those in place are padded. CUFFT_INVALID_VALUE: NULL, or too small a descriptor. */
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);

/* How a transform of one dimension is spread over GPUs: CUFFT_INVALID_PLAN, as a plan of one device is not spread. */
cufftResult cufftXtQueryPlan(cufftHandle plan, void *factors, cufftXtQueryType type);

/* ---- types by name ----
 *
 * As cufftMakePlanMany64(): CUDA_R_32F, CUDA_C_32F, CUDA_R_64F and CUDA_C_64F, all of one precision, not both sides
 * real, else CUFFT_INVALID_TYPE. CUFFT_NOT_SUPPORTED: half and bfloat16. */
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, cudaDataType input, long long *onembed, long long ostride,
                                long long odist, cudaDataType output, long long batch, size_t *work_bytes,
                                cudaDataType execution);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                               long long idist, cudaDataType input, long long *onembed, long long ostride,
                               long long odist, cudaDataType output, long long batch, size_t *work_bytes,
                               cudaDataType execution);

/* Device pointers, of the plan's types. The direction counts for complex transforms only. */
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);

/* No work area is used. */
cufftResult cufftXtSetWorkArea(cufftHandle plan, void **work_area);
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t *work_bytes);

#ifdef __cplusplus
}
#endif
#endif
