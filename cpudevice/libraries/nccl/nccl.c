/* nccl.c: NCCL's communicators: how the ranks of one process find each other, a device each. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cpudev_abi.h"
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

#define ID_OF_PROCESS "CPU device %d"

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    static atomic_uint made;
    const ncclResult_t status = not_null(id, "GetUniqueId", "id");
    if (status)
        return status;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    memset(id, 0, sizeof *id);
    snprintf(id->internal, sizeof id->internal, ID_OF_PROCESS " %u %lld.%09ld", (int)getpid(), ++made,
             (long long)now.tv_sec, now.tv_nsec);
    return ncclSuccess;
}

static bool made_here(const ncclUniqueId *id)
{
    int process = 0;
    return sscanf(id->internal, ID_OF_PROCESS, &process) == 1 && process == (int)getpid();
}

/* Told whether or not NCCL_DEBUG is set, as no program can do anything about it. */
static ncclResult_t too_few_devices(int rank, int ranks, int devices)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&told))
        fprintf(stderr,
                "CPU device: NCCL: more than one rank of a device asked for: %d ranks, and the devices are %d"
                " (CUDA_CPU_DEVICES=%d makes as many)\n",
                ranks, devices, ranks);
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

static ncclResult_t begin(ncclComm_t *comm, nccl_ranks *ranks, int rank, int device)
{
    struct ncclComm *made = calloc(1, sizeof *made);
    if (!made)
        return nccl_fail(ncclSystemError, "out of memory");
    made->ranks = ranks;
    made->rank = rank;
    made->device = device;
    if (ranks) {
        atomic_fetch_add(&ranks->references, 1);
        ranks->member[rank] = made;
    }
    pthread_mutex_lock(&comms.lock);
    made->next = comms.all;
    comms.all = made;
    pthread_mutex_unlock(&comms.lock);
    *comm = made;
    return ncclSuccess;
}

static nccl_ranks *ranks_new(int count)
{
    nccl_ranks *made = calloc(1, sizeof *made);
    if (made)
        made->count = count;
    return made;
}

/* ---- ranks that come one by one, from host threads or in a group ---- */

typedef struct gathering {
    struct gathering *next;
    ncclUniqueId id;
    nccl_ranks *ranks;
    int came, left; /* ranks that have come; those that know how it ended */
    ncclResult_t status;
    int first, second, device; /* ranks on one device, if it failed */
} gathering;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    gathering *all;
} gatherings = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

typedef struct arrival {
    gathering *at;
    ncclComm_t *comm;
    int rank;
} arrival;

/* The moment at which a rank has waited for the others as long as the watchdog lets a kernel wait. False: it may wait for ever. */
static bool latest(struct timespec *moment)
{
    const double seconds = cpudev_watchdog_seconds();
    clock_gettime(CLOCK_REALTIME, moment);
    moment->tv_sec += (time_t)(seconds + 0.999);
    return seconds > 0;
}

/* With the lock: until `done` says so; false: not in time. */
static bool wait_until(bool (*done)(const void *), const void *what)
{
    struct timespec moment;
    const bool ends = latest(&moment);
    while (!done(what))
        if (!ends)
            pthread_cond_wait(&gatherings.changed, &gatherings.lock);
        else if (pthread_cond_timedwait(&gatherings.changed, &gatherings.lock, &moment) == ETIMEDOUT)
            return done(what);
    return true;
}

static bool all_came(const void *what)
{
    const gathering *g = what;
    return g->status || g->came == g->ranks->count;
}

/* The last rank that leaves takes the gathering away. */
static ncclResult_t wait_for_ranks(void *what)
{
    const arrival a = *(arrival *)what;
    gathering *g = a.at;
    free(what);
    pthread_mutex_lock(&gatherings.lock);
    if (!wait_until(all_came, g) && !g->status)
        g->status = ncclSystemError;
    pthread_cond_broadcast(&gatherings.changed);
    const gathering ended = *g;
    const int ranks = g->ranks->count;
    if (++g->left == g->ranks->count) {
        gathering **at = &gatherings.all;
        while (*at != g)
            at = &(*at)->next;
        *at = g->next;
        free(g);
    }
    pthread_mutex_unlock(&gatherings.lock);
    if (!ended.status)
        return ncclSuccess;
    if (*a.comm)
        ncclCommDestroy(*a.comm);
    *a.comm = NULL;
    if (ended.status == ncclInvalidUsage)
        return nccl_fail(ended.status, "Duplicate GPU detected : rank %d and rank %d both on CUDA device %d",
                         ended.first, ended.second, ended.device);
    fprintf(stderr, "CPU device: NCCL: rank %d of %d has waited for the others: %d arrived\n", a.rank, ranks,
            ended.came);
    return nccl_fail(ended.status, "rank %d of %d has waited for the others: %d arrived", a.rank, ranks, ended.came);
}

/* With the lock. */
static gathering *gathering_of(const ncclUniqueId *id, int ranks)
{
    gathering *g = gatherings.all;
    while (g && (memcmp(&g->id, id, sizeof *id) || g->came == g->ranks->count))
        g = g->next;
    if (!g && (g = calloc(1, sizeof *g))) {
        g->id = *id;
        if (!(g->ranks = ranks_new(ranks))) {
            free(g);
            return NULL;
        }
        g->next = gatherings.all;
        gatherings.all = g;
    }
    return g;
}

static ncclResult_t come(ncclComm_t *comm, int ranks, const ncclUniqueId *id, int rank, int device)
{
    arrival *a = malloc(sizeof *a);
    ncclResult_t status = ncclSuccess;
    pthread_mutex_lock(&gatherings.lock);
    gathering *g = a ? gathering_of(id, ranks) : NULL;
    if (!g)
        status = nccl_fail(ncclSystemError, "out of memory");
    else if (g->ranks->count != ranks || g->ranks->member[rank])
        status = nccl_fail(ncclInvalidArgument, "Invalid rank requested : %d/%d, of %d ranks, came before", rank, ranks,
                           g->ranks->count);
    else
        status = begin(comm, g->ranks, rank, device);
    for (int r = 0; !status && r < ranks; r++)
        if (r != rank && g->ranks->member[r] && g->ranks->member[r]->device == device) {
            g->status = ncclInvalidUsage;
            g->first = rank, g->second = r, g->device = device;
        }
    if (!status) {
        g->came++;
        *a = (arrival){g, comm, rank};
        pthread_cond_broadcast(&gatherings.changed);
    }
    pthread_mutex_unlock(&gatherings.lock);
    if (status) {
        free(a);
        return status;
    }
    return nccl_after_group(wait_for_ranks, a);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank, ncclConfig_t *config)
{
    int devices, device = 0;
    cudaError_t e = cudaGetDeviceCount(&devices);
    if (!e)
        e = cudaGetDevice(&device);
    ncclResult_t status = e ? nccl_failed_call(e) : not_null(comm, "CommInitRank", "newcomm");
    if (status)
        return status;
    *comm = NULL;
    if (nranks < 1 || rank < 0 || rank >= nranks)
        return nccl_fail(ncclInvalidArgument, "Invalid rank requested : %d/%d", rank, nranks);
    if (config && (status = check_config(config)))
        return status;
    if (nranks == 1)
        return begin(comm, NULL, 0, device);
    if (nranks > devices)
        return too_few_devices(rank, nranks, devices);
    if (!made_here(&id)) {
        fprintf(stderr, "CPU device: NCCL: the ranks of a communicator are of one process here\n");
        return nccl_fail(ncclInvalidUsage, "the id belongs to another process, or is none");
    }
    return come(comm, nranks, &id, rank, device);
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
    if (devices > there)
        return device ? too_few_devices(1, devices, there) : nccl_failed_call(cudaErrorInvalidDevice);
    for (int i = 0; device && i < devices; i++)
        for (int k = 0; k < i; k++)
            if (device[i] == device[k])
                return nccl_fail(ncclInvalidUsage,
                                 "Duplicate GPU detected : rank %d and rank %d both on CUDA device %d", i, k,
                                 device[i]);
    nccl_ranks *ranks = devices > 1 ? ranks_new(devices) : NULL;
    if (devices > 1 && !ranks)
        return nccl_fail(ncclSystemError, "out of memory");
    for (int i = 0; i < devices; i++) {
        const ncclResult_t made = begin(&all[i], ranks, i, device ? device[i] : i);
        if (made)
            return made;
    }
    return ncclSuccess;
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

/* With the lock: makes the communicators of all colors. Ranks of one color are sorted by their keys, then as they were. */
static ncclResult_t split_all(nccl_ranks *old)
{
    ncclResult_t status = ncclSuccess;
    struct nccl_split *s = &old->split;
    for (int first = 0; first < old->count && !status; first++) {
        int mine[NCCL_RANKS_MAX], count = 0;
        bool done = s->color[first] == NCCL_SPLIT_NOCOLOR;
        for (int r = 0; r < first; r++)
            done |= s->color[r] == s->color[first];
        for (int r = first; r < old->count && !done; r++) {
            if (s->color[r] != s->color[first])
                continue;
            int at = count++;
            for (; at > 0 && s->key[mine[at - 1]] > s->key[r]; at--)
                mine[at] = mine[at - 1];
            mine[at] = r;
        }
        nccl_ranks *ranks = count > 1 ? ranks_new(count) : NULL;
        if (count > 1 && !ranks)
            status = nccl_fail(ncclSystemError, "out of memory");
        for (int i = 0; i < count && !status; i++)
            status = begin(s->made[mine[i]], ranks, i, old->member[mine[i]]->device);
    }
    s->asked = 0;
    s->done++;
    return status;
}

typedef struct split_wait {
    nccl_ranks *ranks;
    unsigned long before; /* splits that were done */
} split_wait;

static bool split_done(const void *what)
{
    const split_wait *w = what;
    return w->ranks->split.done > w->before;
}

static ncclResult_t wait_for_split(void *what)
{
    const split_wait w = *(split_wait *)what;
    free(what);
    pthread_mutex_lock(&gatherings.lock);
    const bool in_time = wait_until(split_done, &w);
    pthread_mutex_unlock(&gatherings.lock);
    return in_time ? ncclSuccess : nccl_fail(ncclSystemError, "ncclCommSplit : not all ranks have arrived");
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *made, ncclConfig_t *config)
{
    ncclResult_t status = nccl_in_use(comm, "ncclCommSplit");
    if (status || (status = not_null(made, "ncclCommSplit", "newcomm")))
        return status;
    *made = NULL;
    if (config && (status = check_config(config)))
        return status;
    if (!comm->ranks)
        return color == NCCL_SPLIT_NOCOLOR ? ncclSuccess : begin(made, NULL, 0, comm->device);
    split_wait *w = malloc(sizeof *w);
    if (!w)
        return nccl_fail(ncclSystemError, "out of memory");
    pthread_mutex_lock(&gatherings.lock);
    struct nccl_split *s = &comm->ranks->split;
    *w = (split_wait){comm->ranks, s->done};
    s->color[comm->rank] = color;
    s->key[comm->rank] = key;
    s->made[comm->rank] = made;
    if (++s->asked == comm->ranks->count) {
        status = split_all(comm->ranks);
        pthread_cond_broadcast(&gatherings.changed);
    }
    pthread_mutex_unlock(&gatherings.lock);
    if (status) {
        free(w);
        return status;
    }
    return nccl_after_group(wait_for_split, w);
}

static ncclResult_t tell(ncclComm_t comm, const char *caller, int *place, const char *name,
                         int (*value)(const struct ncclComm *))
{
    ncclResult_t status = nccl_in_use(comm, caller);
    if (!status && !(status = not_null(place, caller, name)))
        *place = value(comm);
    return status;
}
static int count_of(const struct ncclComm *c) { return c->ranks ? c->ranks->count : 1; }
static int device_of(const struct ncclComm *c) { return c->device; }
static int rank_of(const struct ncclComm *c) { return c->rank; }
ncclResult_t ncclCommCount(const ncclComm_t comm, int *count)
{
    return tell(comm, "CommCount", count, "count", count_of);
}
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device)
{
    return tell(comm, "CommCuDevice", device, "devid", device_of);
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank)
{
    return tell(comm, "CommUserRank", rank, "rank", rank_of);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error)
{
    ncclResult_t status = nccl_in_use(comm, "ncclGetAsyncError");
    if (!status && !(status = not_null(error, "ncclGetAsyncError", "asyncError")))
        *error = comm->ranks ? (ncclResult_t)atomic_load(&comm->ranks->error) : ncclSuccess;
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
    if (found && comm->ranks)
        comm->ranks->member[comm->rank] = NULL;
    pthread_mutex_unlock(&comms.lock);
    if (!found)
        return nccl_fail(ncclInvalidArgument, "comm %p has already been destroyed", (void *)comm);
    for (scaled_sum *sum = comm->sums, *next; sum; sum = next) {
        next = sum->next;
        free(sum);
    }
    if (comm->last)
        cudaEventDestroy(comm->last);
    nccl_release(comm->ranks);
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
