/* names.c: the identifiers that any answer may use. What is not here, not in the function around the answer, not in the
 * solution's own answer and not of the same family as one of these means nothing but what the answer itself declares.
 */
#include "answer.h"

#include <string.h>

/* Between blanks, so that one search finds a word. None of these can end the program without an error, open a file
 * or reach the course's library. */
static const char language[] =
    " alignas alignof and and_eq auto bitand bitor bool break case char class compl const const_cast constexpr "
    "continue decltype default do double else enum explicit extern false float for friend goto if inline int long "
    "mutable noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast return short "
    "signed sizeof static static_assert static_cast struct switch template this true typedef typename union "
    "unsigned using void volatile while xor xor_eq "
    "size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t NULL "
    "INFINITY NAN FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX INT_MAX INT_MIN UINT_MAX LONG_MAX M_PI ";

static const char device[] =
    " __global__ __device__ __host__ __shared__ __constant__ __restrict__ __forceinline__ __noinline__ __inline__ "
    "__launch_bounds__ __align__ threadIdx blockIdx blockDim gridDim warpSize x y z w dim3 uint3 "
    "char2 char3 char4 uchar2 uchar3 uchar4 short2 short3 short4 ushort2 ushort3 ushort4 int2 int3 int4 uint2 uint4 "
    "long2 longlong2 ulonglong2 float2 float3 float4 double2 double4 uchar ushort uint ulong "
    "make_char2 make_char4 make_uchar2 make_uchar4 make_short2 make_short4 make_int2 make_int3 make_int4 make_uint2 "
    "make_uint3 make_uint4 make_float2 make_float3 make_float4 make_double2 make_longlong2 make_ulonglong2 make_dim3 "
    "__syncthreads __syncthreads_and __syncthreads_or __syncthreads_count __syncwarp __activemask __threadfence "
    "__threadfence_block __threadfence_system __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __all_sync "
    "__any_sync __ballot_sync __match_any_sync __match_all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync "
    "__reduce_and_sync __reduce_or_sync __reduce_xor_sync atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc "
    "atomicDec atomicCAS atomicAnd atomicOr atomicXor atomicAdd_block atomicSub_block atomicExch_block atomicMin_block "
    "atomicMax_block atomicCAS_block atomicAnd_block atomicOr_block atomicXor_block atomicAdd_system atomicSub_system "
    "atomicExch_system atomicMin_system atomicMax_system atomicCAS_system atomicAnd_system atomicOr_system "
    "atomicXor_system __ldg __ldcg "
    "__ldca __ldcs __ldlu __ldcv __stcg __stcs __stwb __stwt __popc __popcll __clz __clzll __ffs __ffsll __brev "
    "__brevll __byte_perm __funnelshift_l __funnelshift_r __mul24 __umul24 __mulhi __umulhi __sad __usad __hadd "
    "__rhadd __dp4a __dp2a_lo __dp2a_hi __saturatef __float_as_int __int_as_float __float_as_uint __uint_as_float "
    "__float2int_rn __float2int_rz __float2int_ru __float2int_rd __int2float_rn __uint2float_rn __float2uint_rn "
    "__fadd_rn __fmul_rn __fmaf_rn __frcp_rn __fsqrt_rn __fdiv_rn __fdividef __expf __exp10f __logf __log2f __log10f "
    "__powf __sinf __cosf __tanf __sincosf __nanosleep ";

/* What is behind std:: must be one of these itself. */
static const char mathematics[] =
    " std swap abs labs llabs fabs fabsf fmin fminf fmax fmaxf min max umin umax sqrt sqrtf rsqrt rsqrtf cbrt cbrtf "
    "exp expf "
    "exp2 exp2f exp10 exp10f expm1 expm1f log logf log2 log2f log10 log10f log1p log1pf pow powf sin sinf cos cosf tan "
    "tanf asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf erf erff erfc erfcf floor "
    "floorf ceil ceilf round roundf rint rintf trunc truncf nearbyint nearbyintf lrintf llrintf fma fmaf fmod fmodf "
    "remainderf copysign copysignf signbit isnan isinf isfinite ldexp ldexpf frexpf hypot hypotf fdim fdimf fdividef "
    "sincosf normcdff rhypotf ";

static const char narrow_types[] =
    " half half2 __half __half2 __nv_bfloat16 __nv_bfloat162 nv_bfloat16 nv_bfloat162 __float2half __half2float "
    "__float2half_rn __float2bfloat16 __bfloat162float __float2bfloat16_rn __floats2half2_rn __float22half2_rn "
    "__half22float2 __floats2bfloat162_rn __low2float __high2float __hadd2 __hmul2 __hfma2 __hadd __hmul __hfma __hmax "
    "__hmin __hgt __hlt __hge __hle __heq __hne __hsub __hsub2 __hdiv __hneg __habs __hmax2 __hmin2 __low2half "
    "__high2half __halves2half2 __bfloat1622float2 __half_as_ushort __ushort_as_half __half_as_short __short_as_half "
    "__bfloat16_as_ushort __ushort_as_bfloat16 __bfloat16_as_short __short_as_bfloat16 ";

static const char host[] = " cudaError_t cudaSuccess cudaGetLastError cudaPeekAtLastError cudaDeviceSynchronize "
                           "cudaStreamSynchronize cudaGetErrorString CUDA_CHECK ";

static int among(const char *list, const char *name, size_t length)
{
    for (const char *p = list; (p = strchr(p, ' ')) && p[1]; p++)
        if (strncmp(p + 1, name, length) == 0 && p[1 + length] == ' ')
            return 1;
    return 0;
}

int name_is_allowed(const char *name, size_t length)
{
    return among(language, name, length) || among(device, name, length) || among(mathematics, name, length) ||
           among(narrow_types, name, length) || among(host, name, length);
}

int name_is_related(const char *name, const char *other)
{
    static const char *const families[] = {
        " cudaMalloc cudaMallocAsync cudaMallocHost cudaFree cudaFreeAsync cudaFreeHost cudaMemcpy cudaMemcpyAsync "
        "cudaMemset cudaMemsetAsync cudaMemcpyHostToDevice cudaMemcpyDeviceToHost cudaMemcpyDeviceToDevice "
        "cudaMemcpyDefault cudaStreamCreate cudaStreamDestroy cudaStream_t ",
        " cudaEvent_t cudaEventCreate cudaEventDestroy cudaEventRecord cudaEventSynchronize cudaEventElapsedTime "
        "cudaEventQuery cudaStreamWaitEvent ",
        " malloc calloc free qsort memcpy memset ",
        /* barriers of a cluster and of asynchronous copies: common/hopper.cuh's, and cooperative_groups' methods */
        " cluster_group this_cluster map_shared_rank query_shared_rank block_rank num_blocks sync barrier_arrive "
        "barrier_wait arrival_token cluster_rank cluster_sync cluster_arrive cluster_wait ",
        " mbarrier_init mbarrier_init_fence mbarrier_arrive mbarrier_arrive_expect mbarrier_wait ",
    };
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        if (among(families[f], name, strlen(name)) && among(families[f], other, strlen(other)))
            return 1;
    return 0;
}
