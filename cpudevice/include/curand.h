/* curand.h: cuRAND's host API. Bits and uniform floats of XORWOW, MRG32k3a and Philox4x32-10 are those of cuRAND, in its
 * order (curand_lanes.h); other distributions have cuRAND's laws, not its numbers, and so have MTGP32 and MT19937, which are
 * Philox here. Numbers are made on the host and copied where they are wanted; a generator waits for its stream. Of
 * quasi-random generators there are Sobol's in 32 and 64 bits, to 21 dimensions; those that are scrambled are refused with
 * CURAND_STATUS_TYPE_ERROR, more dimensions with CURAND_STATUS_OUT_OF_RANGE. In a kernel's file the functions are here; C and
 * host C++ have their declarations, and link with libraries/host/curand.cu, which is this header once more. */
#ifndef CURAND_H
#define CURAND_H
#define CURAND_H_ /* programs ask by this name whether cuRAND is included */

#include <stdio.h>
#include <stdlib.h>
#ifdef __CUDACC__
#include "curand_kernel.h"
#else
#include "cuda_runtime.h"
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
#endif

typedef enum {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef curandStatus_t curandStatus;
typedef enum {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef curandRngType_t curandRngType;
typedef enum {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef enum {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;
typedef curandDirectionVectorSet_t curandDirectionVectorSet;

typedef struct curandGenerator_st *curandGenerator_t;

#ifdef CPUDEV_RAND /* the library's: as they are declared */
#elif defined __CUDACC__
#define CPUDEV_RAND static inline
#elif defined __cplusplus
#define CPUDEV_RAND extern "C"
#else
#define CPUDEV_RAND extern
#endif
CPUDEV_RAND curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t type);
CPUDEV_RAND curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t type);
CPUDEV_RAND curandStatus_t curandDestroyGenerator(curandGenerator_t g);
CPUDEV_RAND curandStatus_t curandGetVersion(int *version);
CPUDEV_RAND curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned int dimensions);
CPUDEV_RAND curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                       curandDirectionVectorSet_t set);
CPUDEV_RAND curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                       curandDirectionVectorSet_t set);
/* CURAND_STATUS_TYPE_ERROR, as for the scrambled generators, which these belong to. */
CPUDEV_RAND curandStatus_t curandGetScrambleConstants32(unsigned int **constants);
CPUDEV_RAND curandStatus_t curandGetScrambleConstants64(unsigned long long **constants);
CPUDEV_RAND curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed);
CPUDEV_RAND curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset);
CPUDEV_RAND curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order);
CPUDEV_RAND curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream);
CPUDEV_RAND curandStatus_t curandGenerateSeeds(curandGenerator_t g);
CPUDEV_RAND curandStatus_t curandGenerate(curandGenerator_t g, unsigned int *out, size_t n);
CPUDEV_RAND curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t n);
CPUDEV_RAND curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n);
CPUDEV_RAND curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n);
CPUDEV_RAND curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation);
CPUDEV_RAND curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean,
                                                      double deviation);
CPUDEV_RAND curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean,
                                                   float deviation);
CPUDEV_RAND curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n, double mean,
                                                         double deviation);
CPUDEV_RAND curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int *out, size_t n, double mean);

#ifdef __CUDACC__
#include "curand_lanes.h"

struct curandGenerator_st {
    curandRngType_t type;
    curandOrdering_t order;
    cpudev_lanes<curandStateXORWOW_t> xorwow; /* of which one is in use */
    cpudev_lanes<curandStateMRG32k3a_t> mrg;
    cpudev_lanes<curandStatePhilox4_32_10_t> philox;
    unsigned long long seed, offset, next; /* next: the number of the next value */
    cudaStream_t stream;
    bool on_host, begun;
    int sobol_bits; /* 0: pseudo-random */
    unsigned dimensions;
};

static inline curandStatus_t cpudev_curand_create(curandGenerator_t *g, curandRngType_t type, bool on_host)
{
    const int sobol_bits = type == CURAND_RNG_QUASI_DEFAULT || type == CURAND_RNG_QUASI_SOBOL32 ? 32
                           : type == CURAND_RNG_QUASI_SOBOL64                                   ? 64
                                                                                                : 0;
    if (type < CURAND_RNG_PSEUDO_DEFAULT || (type >= CURAND_RNG_QUASI_DEFAULT && !sobol_bits))
        return CURAND_STATUS_TYPE_ERROR;
    *g = new curandGenerator_st{};
    (*g)->type = type;
    (*g)->order = sobol_bits ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
    (*g)->on_host = on_host;
    (*g)->sobol_bits = sobol_bits;
    (*g)->dimensions = 1;
    return CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t type)
{
    return cpudev_curand_create(g, type, false);
}
CPUDEV_RAND curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t type)
{
    return cpudev_curand_create(g, type, true);
}
static inline void cpudev_curand_end(curandGenerator_t g)
{
    g->xorwow.end(), g->mrg.end(), g->philox.end();
    g->begun = false;
}
CPUDEV_RAND curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    cpudev_curand_end(g);
    delete g;
    return CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandGetVersion(int *version)
{
    *version = 10400;
    return CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned int dimensions)
{
    if (!g->sobol_bits)
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions > CPUDEV_SOBOL_DIMENSIONS)
        fprintf(stderr, "CPU device: cuRAND's Sobol sequences have %d dimensions here, not %u\n",
                (int)CPUDEV_SOBOL_DIMENSIONS, dimensions);
    if (!dimensions || dimensions > CPUDEV_SOBOL_DIMENSIONS)
        return CURAND_STATUS_OUT_OF_RANGE;
    g->dimensions = dimensions;
    g->begun = false;
    return CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                       curandDirectionVectorSet_t set)
{
    static unsigned int *const table = cpudev_sobol_table<unsigned int, 32>();
    if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6)
        return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = (curandDirectionVectors32_t *)table;
    return table ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}
CPUDEV_RAND curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                       curandDirectionVectorSet_t set)
{
    static unsigned long long *const table = cpudev_sobol_table<unsigned long long, 64>();
    if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6)
        return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = (curandDirectionVectors64_t *)table;
    return table ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}
CPUDEV_RAND curandStatus_t curandGetScrambleConstants32(unsigned int **constants)
{
    (void)constants;
    return CURAND_STATUS_TYPE_ERROR;
}
CPUDEV_RAND curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{
    (void)constants;
    return CURAND_STATUS_TYPE_ERROR;
}
CPUDEV_RAND curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    if (g->sobol_bits)
        return CURAND_STATUS_TYPE_ERROR;
    g->seed = seed;
    cpudev_curand_end(g);
    return CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{
    g->offset = offset;
    cpudev_curand_end(g);
    return CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order)
{
    if (g->sobol_bits ? order != CURAND_ORDERING_QUASI_DEFAULT
                      : order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_DYNAMIC)
        return CURAND_STATUS_OUT_OF_RANGE;
    g->order = order;
    cpudev_curand_end(g);
    return CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }

/* Of a Sobol generator: n / dimensions points, all values of the first dimension before those of the second. */
template <int bits, class State, class Word, class __T, class Make>
static inline void cpudev_sobol_fill(curandGenerator_t g, __T *values, size_t n, Make make)
{
    const size_t points = n / g->dimensions;
    for (unsigned d = 0; d < g->dimensions; d++) {
        Word vectors[bits];
        State s;
        cpudev_sobol_directions<Word, bits>(vectors, (int)d);
        curand_init(vectors, (Word)g->offset, &s);
        for (size_t i = 0; i < points; i++)
            values[d * points + i] = (__T)make(&s);
    }
    g->offset += points;
}

/* Of a pseudo-random generator. */
template <class __T, class Make>
static inline bool cpudev_lanes_fill(curandGenerator_t g, __T *values, size_t n, Make make, bool pairs)
{
    const bool xorwow = g->type <= CURAND_RNG_PSEUDO_XORWOW, mrg = g->type == CURAND_RNG_PSEUDO_MRG32K3A;
    const int lanes = mrg && g->order != CURAND_ORDERING_PSEUDO_LEGACY ? 81920 : mrg || xorwow ? 4096 : 65536;
    if (!g->begun && !(xorwow ? g->xorwow.begin(g->seed, lanes)
                       : mrg  ? g->mrg.begin(g->seed, lanes)
                              : g->philox.begin(g->seed, lanes)))
        return false;
    g->next = g->begun ? g->next : g->offset;
    g->begun = true;
    if (xorwow)
        g->xorwow.fill(values, n, g->next, g->offset, 1, pairs ? 2 : 1, lanes, make);
    else if (mrg)
        g->mrg.fill(values, n, g->next, g->offset, 1, pairs ? 2 : 1, lanes, make);
    else
        g->philox.fill(values, n, g->next, g->offset, 4, 4, lanes, make);
    g->next += n;
    return true;
}

/* n values of make(state), in out, which is the device's or, of a host's generator, the host's. */
template <class __T, class Make>
static inline curandStatus_t cpudev_curand_fill(curandGenerator_t g, __T *out, size_t n, Make make, bool pairs = false)
{
    if (g->sobol_bits && n % g->dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    __T *values = g->on_host ? out : (__T *)malloc((n ? n : 1) * sizeof(__T));
    if (!values)
        return CURAND_STATUS_ALLOCATION_FAILED;
    bool good = true;
    if (g->sobol_bits == 32)
        cpudev_sobol_fill<32, curandStateSobol32_t, unsigned int>(g, values, n, make);
    else if (g->sobol_bits)
        cpudev_sobol_fill<64, curandStateSobol64_t, unsigned long long>(g, values, n, make);
    else
        good = cpudev_lanes_fill(g, values, n, make, pairs);
    if (g->on_host)
        return good ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
    cudaError_t e = cudaMemcpyAsync((void *)out, values, n * sizeof(__T), cudaMemcpyHostToDevice, g->stream);
    if (!e)
        e = cudaStreamSynchronize(g->stream);
    free(values);
    return !good ? CURAND_STATUS_ALLOCATION_FAILED : e ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}
CPUDEV_RAND curandStatus_t curandGenerate(curandGenerator_t g, unsigned int *out, size_t n)
{
    if (g->sobol_bits == 64)
        return CURAND_STATUS_TYPE_ERROR;
    return cpudev_curand_fill(g, out, n, [](auto *s) { return curand(s); });
}
CPUDEV_RAND curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t n)
{
    if (g->sobol_bits != 64) /* as cuRAND: only of 64-bit generators */
        return CURAND_STATUS_TYPE_ERROR;
    return cpudev_curand_fill(g, out, n, [](auto *s) { return (unsigned long long)curand(s); });
}
CPUDEV_RAND curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n)
{
    return cpudev_curand_fill(g, out, n, [](auto *s) { return curand_uniform(s); });
}
/* Of Philox two numbers, where a kernel takes one. */
template <class State> static inline double cpudev_host_double(State *s) { return curand_uniform_double(s); }
static inline double cpudev_host_double(curandStatePhilox4_32_10_t *s) { return cpudev_uniform_53(s); }
CPUDEV_RAND curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n)
{
    return cpudev_curand_fill(g, out, n, [](auto *s) { return cpudev_host_double(s); });
}
CPUDEV_RAND curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float deviation)
{
    if (n % 2 && !g->sobol_bits)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return cpudev_curand_fill(
        g, out, n, [=](auto *s) { return mean + deviation * curand_normal(s); }, true);
}
CPUDEV_RAND curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean,
                                                      double deviation)
{
    if (n % 2 && !g->sobol_bits)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return cpudev_curand_fill(
        g, out, n, [=](auto *s) { return mean + deviation * curand_normal_double(s); }, true);
}
CPUDEV_RAND curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean,
                                                   float deviation)
{
    if (n % 2 && !g->sobol_bits)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return cpudev_curand_fill(
        g, out, n, [=](auto *s) { return curand_log_normal(s, mean, deviation); }, true);
}
CPUDEV_RAND curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n, double mean,
                                                         double deviation)
{
    if (n % 2 && !g->sobol_bits)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return cpudev_curand_fill(
        g, out, n, [=](auto *s) { return curand_log_normal_double(s, mean, deviation); }, true);
}

CPUDEV_RAND curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int *out, size_t n, double mean)
{
    if (g->sobol_bits)
        return CURAND_STATUS_TYPE_ERROR;
    if (!(mean > 0))
        return CURAND_STATUS_OUT_OF_RANGE;
    return cpudev_curand_fill(g, out, n, [=](auto *s) { return cpudev_poisson(s, mean); });
}

#endif /* __CUDACC__ */
#endif
