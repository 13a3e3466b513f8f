/* nccl.c: NCCL's communicators, each of one rank on the one device. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nccl/nccl_comm.h"

static struct {
    pthread_mutex_t lock;
    struct ncclComm *all;
} comms = {.lock = PTHREAD_MUTEX_INITIALIZER};

const char *ncclGetErrorString(ncclResult_t result)
{
    switch (result) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError: return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError: return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError: return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument: return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage: return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclInProgress: return "NCCL operation in progress";
    default: return "unknown result code";
    }
}

static ncclResult_t not_null(const void *p, const char *caller, const char *name)
{
    return p ? ncclSuccess : nccl_fail(ncclInvalidArgument, "%s : %s argument is NULL", caller, name);
}

ncclResult_t ncclGetVersion(int *version)
{
    const ncclResult_t status = not_null(version, "GetVersion", "version");
    if (!status)
        *version = NCCL_VERSION_CODE;
    return status;
}

/* ---- beginning ---- */

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    static atomic_uint made;
    const ncclResult_t status = not_null(id, "GetUniqueId", "id");
    if (status)
        return status;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    memset(id, 0, sizeof *id);
    snprintf(id->internal, sizeof id->internal, "CPU device %d %u %lld.%09ld", (int)getpid(), ++made,
             (long long)now.tv_sec, now.tv_nsec);
    return ncclSuccess;
}

/* Told whether or not NCCL_DEBUG is set, as no program can do anything about it. */
static ncclResult_t one_rank_only(int rank)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&told))
        fprintf(stderr, "CPU device: NCCL: more than one rank asked for; NCCL takes one rank of a device, "
                        "and the CPU device is one device\n");
    return nccl_fail(ncclInvalidUsage, "Duplicate GPU detected : rank %d and rank %d both on CUDA device 0", rank,
                     rank ? 0 : 1);
}

static bool is_switch(int value) { return value == NCCL_CONFIG_UNDEF_INT || value == 0 || value == 1; }

static ncclResult_t check_config(const ncclConfig_t *c)
{
    const int undefined = NCCL_CONFIG_UNDEF_INT;
    if (c->magic != 0xcafebeef)
        return nccl_fail(ncclInvalidArgument, "ncclConfig_t argument not initialized via NCCL_CONFIG_INITIALIZER");
    if (!is_switch(c->blocking))
        return nccl_fail(ncclInvalidArgument, "Invalid config blocking attribute value %d", c->blocking);
    if (c->cgaClusterSize != undefined && c->cgaClusterSize < 0)
        return nccl_fail(ncclInvalidArgument, "Invalid config cgaClusterSize attribute value %d", c->cgaClusterSize);
    if ((c->minCTAs != undefined && c->minCTAs <= 0) || (c->maxCTAs != undefined && c->maxCTAs <= 0) ||
        c->minCTAs > c->maxCTAs) /* also of one that is said while the other is not */
        return nccl_fail(ncclInvalidArgument, "Invalid config min/max channels attribute value %d/%d", c->minCTAs,
                         c->maxCTAs);
    if (!is_switch(c->splitShare))
        return nccl_fail(ncclInvalidArgument, "Invalid config splitShare attribute value %d", c->splitShare);
    return ncclSuccess;
}

static ncclResult_t begin(ncclComm_t *comm)
{
    struct ncclComm *made = calloc(1, sizeof *made);
    if (!made)
        return nccl_fail(ncclSystemError, "out of memory");
    pthread_mutex_lock(&comms.lock);
    made->next = comms.all;
    comms.all = made;
    pthread_mutex_unlock(&comms.lock);
    *comm = made;
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank, ncclConfig_t *config)
{
    (void)id; /* one rank has no other to find */
    int devices;
    const cudaError_t e = cudaGetDeviceCount(&devices);
    ncclResult_t status = e ? nccl_failed_call(e) : not_null(comm, "CommInitRank", "newcomm");
    if (status)
        return status;
    *comm = NULL;
    if (nranks < 1 || rank < 0 || rank >= nranks)
        return nccl_fail(ncclInvalidArgument, "Invalid rank requested : %d/%d", rank, nranks);
    if (config && (status = check_config(config)))
        return status;
    return nranks > 1 ? one_rank_only(rank) : begin(comm);
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank)
{
    return ncclCommInitRankConfig(comm, nranks, id, rank, NULL);
}

ncclResult_t ncclCommInitRankScalable(ncclComm_t *comm, int nranks, int rank, int ids, ncclUniqueId *id,
                                      ncclConfig_t *config)
{
    if (ids < 1 || ids > nranks || !id)
        return nccl_fail(ncclInvalidArgument, "improper usage of ncclCommInitRank: nId = %d, nranks=%d", ids, nranks);
    return ncclCommInitRankConfig(comm, nranks, *id, rank, config);
}

ncclResult_t ncclCommInitAll(ncclComm_t *all, int devices, const int *device)
{
    int there;
    const cudaError_t e = cudaGetDeviceCount(&there);
    const ncclResult_t status = e ? nccl_failed_call(e) : not_null(all, "CommInitAll", "comms");
    if (status)
        return status;
    if (devices < 0)
        return nccl_fail(ncclInvalidArgument, "Invalid device count requested : %d", devices);
    for (int i = 0; device && i < devices; i++)
        if (device[i] < 0 || device[i] >= there)
            return nccl_fail(ncclInvalidArgument, "Invalid device %d (totalnDev=%d)", device[i], there);
    for (int i = 0; i < devices; i++)
        all[i] = NULL;
    if (devices > 1 && device)
        return one_rank_only(1);
    if (devices > there)
        return nccl_failed_call(cudaErrorInvalidDevice);
    return devices ? begin(all) : ncclSuccess;
}

/* ---- in use ---- */

ncclResult_t nccl_in_use(ncclComm_t comm, const char *caller)
{
    const ncclResult_t status = not_null(comm, caller, "comm");
    if (status)
        return status;
    pthread_mutex_lock(&comms.lock);
    struct ncclComm *c = comms.all;
    while (c && c != comm)
        c = c->next;
    pthread_mutex_unlock(&comms.lock);
    return c ? ncclSuccess : nccl_fail(ncclInvalidArgument, "Error: corrupted comm object detected");
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *made, ncclConfig_t *config)
{
    (void)key;
    ncclResult_t status = nccl_in_use(comm, "ncclCommSplit");
    if (status || (status = not_null(made, "ncclCommSplit", "newcomm")))
        return status;
    *made = NULL;
    if (color == NCCL_SPLIT_NOCOLOR)
        return ncclSuccess;
    return config && (status = check_config(config)) ? status : begin(made);
}

static ncclResult_t tell(ncclComm_t comm, const char *caller, int *place, const char *name, int value)
{
    ncclResult_t status = nccl_in_use(comm, caller);
    if (!status && !(status = not_null(place, caller, name)))
        *place = value;
    return status;
}
ncclResult_t ncclCommCount(const ncclComm_t comm, int *count) { return tell(comm, "CommCount", count, "count", 1); }
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device)
{
    return tell(comm, "CommCuDevice", device, "devid", 0);
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank) { return tell(comm, "CommUserRank", rank, "rank", 0); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error)
{
    ncclResult_t status = nccl_in_use(comm, "ncclGetAsyncError");
    if (!status && !(status = not_null(error, "ncclGetAsyncError", "asyncError")))
        *error = ncclSuccess;
    return status;
}

/* ---- the end ---- */

ncclResult_t ncclCommFinalize(ncclComm_t comm)
{
    if (!comm)
        return ncclSuccess;
    const ncclResult_t status = nccl_in_use(comm, "ncclCommFinalize");
    if (!status && atomic_exchange(&comm->finalized, true))
        return nccl_fail(ncclInvalidArgument, "ncclCommFinalize : the communicator was finalized before");
    return status;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    if (!comm)
        return ncclSuccess;
    pthread_mutex_lock(&comms.lock);
    struct ncclComm **at = &comms.all;
    while (*at && *at != comm)
        at = &(*at)->next;
    const bool found = *at;
    if (found)
        *at = comm->next;
    pthread_mutex_unlock(&comms.lock);
    if (!found)
        return nccl_fail(ncclInvalidArgument, "comm %p has already been destroyed", (void *)comm);
    for (scaled_sum *sum = comm->sums, *next; sum; sum = next) {
        next = sum->next;
        free(sum);
    }
    free(comm);
    return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }

/* ---- memory ---- */

ncclResult_t ncclMemAlloc(void **p, size_t bytes)
{
    const cudaError_t e = cudaMalloc(p, bytes);
    return e ? nccl_failed_call(e) : ncclSuccess;
}
ncclResult_t ncclMemFree(void *p)
{
    const cudaError_t e = cudaFree(p);
    return e ? nccl_failed_call(e) : ncclSuccess;
}
ncclResult_t ncclCommRegister(const ncclComm_t comm, void *buffer, size_t bytes, void **handle)
{
    (void)bytes;
    ncclResult_t status = nccl_in_use(comm, "ncclCommRegister");
    if (!status && !(status = not_null(handle, "ncclCommRegister", "handle")))
        *handle = buffer;
    return status;
}
ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *handle)
{
    (void)handle;
    return nccl_in_use(comm, "ncclCommDeregister");
}
