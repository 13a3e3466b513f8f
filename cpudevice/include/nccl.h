/* nccl.h: NCCL's interface on the CPU device. The ranks of a communicator are devices of one process (CUDA_CPU_DEVICES=4 makes
 * four), and each puts a kernel on its stream that waits for the others'. A rank of its own copies: from the send buffer to the
 * receive buffer. More ranks than devices, and ranks of several processes, are refused with ncclInvalidUsage. Link with -lnccl.
 * C-clean.
 *
 * Not there: windows, ncclCommShrink() and ncclCommRevoke(), device-side communicators, the names that begin with pnccl.
 * Source of the interface: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html */
#ifndef NCCL_H_
#define NCCL_H_

#include <limits.h>
#include <stddef.h>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 28
#define NCCL_PATCH 9
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22809
#define NCCL_VERSION(X, Y, Z)                                                                                          \
    (((X) <= 2 && (Y) <= 8) ? (X)*1000 + (Y)*100 + (Z) : (X)*10000 + (Y)*100 + (Z)) /* of 2.9 on, five digits */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ncclComm *ncclComm_t;
#define NCCL_COMM_NULL NULL
#define NCCL_UNIQUE_ID_BYTES 128
typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5,
    ncclRemoteError = 6,
    ncclInProgress = 7,
    ncclNumResults = 8
} ncclResult_t;

typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6,
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes = 12
} ncclDataType_t;

typedef enum { ncclNumOps_dummy = 5 } ncclRedOp_dummy_t;
typedef enum {
    ncclSum = 0,
    ncclProd = 1,
    ncclMax = 2,
    ncclMin = 3,
    ncclAvg = 4,
    ncclNumOps = 5, /* the operators that a program makes are from here on */
    ncclMaxRedOp = 0x7fffffff >> (32 - 8 * sizeof(ncclRedOp_dummy_t))
} ncclRedOp_t;

/* Where the scalar of an operator lies, and when it is read: in device memory, while the operation runs; in host memory,
 * before ncclRedOpCreatePreMulSum() returns. */
typedef enum { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 } ncclScalarResidence_t;

/* What a communicator may be told. Nothing of it changes what a rank does; the values are checked. */
#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_UNDEF_FLOAT -1.0f
#define NCCL_CTA_POLICY_DEFAULT 0x00
#define NCCL_CTA_POLICY_EFFICIENCY 0x01
#define NCCL_CTA_POLICY_ZERO 0x02
typedef struct ncclConfig_v22800 {
    size_t size;
    unsigned int magic, version;
    int blocking; /* every call is finished when it returns, also where this is 0 */
    int cgaClusterSize, minCTAs, maxCTAs;
    const char *netName;
    int splitShare, trafficClass;
    const char *commName;
    int collnetEnable, CTAPolicy, shrinkShare, nvlsCTAs, nChannelsPerNetPeer, nvlinkCentricSched;
} ncclConfig_t;
#define NCCL_CONFIG_INITIALIZER                                                                                        \
    {                                                                                                                  \
        sizeof(ncclConfig_t), 0xcafebeef, NCCL_VERSION_CODE, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,             \
            NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_PTR, NCCL_CONFIG_UNDEF_INT,                \
            NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_PTR, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                \
            NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT                 \
    }

/* ---- errors ----
 *
 * Every function returns ncclInvalidArgument for an argument that cannot be (a communicator that is NULL or destroyed, a
 * root or peer that is no rank, a type or operator that is none), and ncclUnhandledCudaError where the runtime refuses:
 * its last error is cleared. What was wrong is in ncclGetLastError(), whose text lasts until the thread's next error;
 * with NCCL_DEBUG=WARN (or INFO, or TRACE) in the environment it is on stderr, too. */
const char *ncclGetErrorString(ncclResult_t result);
const char *ncclGetLastError(ncclComm_t comm); /* of this thread; "" before its first error */
ncclResult_t ncclGetVersion(int *version);     /* NCCL_VERSION_CODE */

/* ---- communicators ----
 *
 * A rank is on the device that is current for the host thread. The ranks come from a host thread each, or from one in a group;
 * a call, or the end of the group, waits for all of them: for so long as the watchdog lets a kernel wait (CUDA_CPU_WATCHDOG),
 * then it returns ncclSystemError. ncclInvalidUsage: there are more ranks than devices, two ranks are on one device, or the id
 * is another process's. An id is for one communicator; config may be NULL. */
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank);
ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank, ncclConfig_t *config);
ncclResult_t ncclCommInitRankScalable(ncclComm_t *comm, int nranks, int rank, int ids, ncclUniqueId *id,
                                      ncclConfig_t *config);
ncclResult_t ncclCommInitAll(ncclComm_t *comms, int devices, const int *device); /* device may be NULL: 0, 1, ... */

/* The ranks of one color, sorted by key, are a new communicator; NULL for NCCL_SPLIT_NOCOLOR. All ranks call it. */
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *made, ncclConfig_t *config);

/* Each takes NULL. Work that is already on a stream is still done, also after ncclCommAbort(). */
ncclResult_t ncclCommFinalize(ncclComm_t comm); /* once; no operation follows it, but ncclCommDestroy() */
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclCommAbort(ncclComm_t comm);

ncclResult_t ncclCommCount(const ncclComm_t comm, int *count);
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device);
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm,
                                   ncclResult_t *error); /* ncclInvalidUsage once a kernel has failed */

/* Device memory, by cudaMalloc() and cudaFree(). Registering a buffer changes nothing. */
ncclResult_t ncclMemAlloc(void **p, size_t bytes);
ncclResult_t ncclMemFree(void *p);
ncclResult_t ncclCommRegister(const ncclComm_t comm, void *buffer, size_t bytes, void **handle);
ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *handle);

/* ---- operators ----
 *
 * Multiplies every element by the scalar, which is of the type, and adds the ranks' products: whole numbers wrap around,
 * others are rounded once. For this communicator and type only. One that is destroyed may still be at work.
 * ncclInternalError: there is no such type. */
ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm);
ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm);

/* ---- operations ----
 *
 * Counts are elements of the type; buffers are memory that the rank's device reaches. Each call puts one kernel on the stream
 * and returns, also in a group; of no elements it puts nothing there. The kernel ends when all ranks' have done their part: the
 * watchdog reports a rank that never comes. Ranks that are in different operations, or whose counts, types, operators or roots
 * differ, are reported on stderr, and their kernels fail as by __trap(). Elements are combined in the order of the ranks, each
 * step rounded to the type, so that all ranks get the same bits; GPUs add in other orders. Operations of one communicator on
 * several streams run in the order of the calls. A stream of each rank may be captured into a graph of its own.
 *
 * A communicator of one rank puts a copy on the stream, and in place nothing: the sum, the product, the extremes and the average
 * are the elements themselves; an operator of ncclRedOpCreatePreMulSum() multiplies. */
ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t receive_count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclAllGather(const void *send, void *receive, size_t send_count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream);
ncclResult_t ncclAlltoAll(const void *send, void *receive, size_t count, ncclDataType_t type, ncclComm_t comm,
                          cudaStream_t stream);
ncclResult_t ncclGather(const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                        cudaStream_t stream);
ncclResult_t ncclScatter(const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                         cudaStream_t stream);

/* Between two ranks the nth send and the nth receive belong together. All of a group that are one rank's and on one stream are
 * done by one kernel, in any order between different peers; without a group each is a kernel, and waits for its peer's. The
 * peer's number of bytes must be the same, or the kernel fails.
 *
 * To oneself needs both in one group: the first send goes to the first receive, and so on. The copy is put on the send's
 * stream when the group ends, after all work that is on both streams then. */
ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream);
ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream);

/* Groups are a thread's, and nest. The end of the outermost one returns the first error since its start, and then starts
 * none of its sends. ncclInvalidUsage: there is no group; a send to oneself has no receive in the group, or the reverse, or
 * they are of different lengths. */
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);

#ifdef __cplusplus
}
#endif
#endif
