/* profiler_cupti.c: the profiler's back end for NVIDIA GPUs. CUPTI's activity records give
 * every API call and all device work with the hardware's own timestamps; CUPTI turns those into
 * our clock, which is registered with it.
 *
 * The library is loaded when the profiler starts, so that a program runs where there is none. */
#include "profiler_core.h"

#if defined(LAB_CUDA) && __has_include(<cupti.h>)

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "profiler_cupti.h"
#ifndef PROFILER_INJECTION
#include <cuda_runtime_api.h>
#endif
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define HAVE_NVTX 1
#endif

enum { CPU = 1, CUDA = 2 }; /* profiler.h's PROFILER_CPU and PROFILER_CUDA */

CuptiLibrary cupti;
static CUpti_SubscriberHandle subscriber;
static int64_t clock_offset; /* added to CUPTI's times; 0 where it uses our clock */
static unsigned enabled;
static int migrations_ready;

/* ---- the library ---- */

static void *open_library(char *message, size_t size)
{
    static void *lib;
    if (lib)
        return lib;
    const char *asked = getenv("PROFILER_CUPTI_LIBRARY");
    if (asked && *asked) {
        if (!(lib = dlopen(asked, RTLD_NOW | RTLD_LOCAL)))
            snprintf(message, size, "no CUPTI: %s", dlerror());
        return lib;
    }
    char soname[32], path[512];
    snprintf(soname, sizeof soname, "libcupti.so.%d", CUPTI_API_VERSION / 10000);
    const char *homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    static const char *const places[] = {"extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib",
                                         "targets/sbsa-linux/lib"};
    if ((lib = dlopen(soname, RTLD_NOW | RTLD_LOCAL)))
        return lib;
    for (size_t h = 0; h < 3 && !lib; h++)
        for (size_t i = 0; i < sizeof places / sizeof *places && homes[h] && !lib; i++) {
            snprintf(path, sizeof path, "%s/%s/%s", homes[h], places[i], soname);
            lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    if (!lib)
        snprintf(message, size, "no CUPTI: %s is not installed (part of the CUDA Toolkit)", soname);
    return lib;
}

static int load(char *message, size_t size)
{
    void *lib = open_library(message, size);
    if (!lib)
        return -1;
#define LOAD(f)                                                                                                        \
    if (!(*(void **)&cupti.f = dlsym(lib, #f))) {                                                                      \
        snprintf(message, size, "this CUPTI is too old: it has no %s", #f);                                            \
        return -1;                                                                                                     \
    }
    CUPTI_FUNCTIONS(LOAD)
#define LOAD_OPTIONAL(f) *(void **)&cupti.f = dlsym(lib, #f);
    CUPTI_OPTIONAL(LOAD_OPTIONAL)
    uint32_t version = 0;
    cupti.cuptiGetVersion(&version);
    if (version < CUPTI_API_VERSION) {
        snprintf(message, size, "CUPTI is version %u, older than the %u this was built for", version,
                 CUPTI_API_VERSION);
        return -1;
    }
    return 0;
}

static int explain(CUptiResult r, const char *what, char *message, size_t size)
{
    const char *text = NULL;
    switch (r) {
    case CUPTI_SUCCESS: return 0;
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        snprintf(message, size, "another profiler is attached (CUPTI takes one at a time)");
        return -1;
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        snprintf(message, size,
                 "CUPTI: no permission to profile here (run as root, or have the administrator allow it)");
        return -1;
    case CUPTI_ERROR_NOT_INITIALIZED:
        snprintf(message, size, "CUPTI cannot start: no NVIDIA driver, or one too old for it");
        return -1;
    default:
        cupti.cuptiGetResultString(r, &text);
        snprintf(message, size, "CUPTI: %s: %s", what, text ? text : "error");
        return -1;
    }
}

/* ---- records ---- */

static pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;
enum { RECORD_BYTES = 2 << 20, POOL = 16 };
static uint8_t *pool[POOL];
static int pooled;

static void CUPTIAPI buffer_requested(uint8_t **buffer, size_t *size, size_t *most)
{
    pthread_mutex_lock(&pool_mutex);
    *buffer = pooled ? pool[--pooled] : NULL;
    pthread_mutex_unlock(&pool_mutex);
    if (!*buffer)
        *buffer = aligned_alloc(64, RECORD_BYTES);
    *size = *buffer ? RECORD_BYTES : 0;
    *most = 0;
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)size;
    CUpti_Activity *record = NULL;
    while (valid && cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        cupti_convert(record, clock_offset, (enabled & CUDA) != 0);
    size_t dropped = 0;
    if (cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped)
        fprintf(stderr, "profiler: CUPTI dropped %zu records\n", dropped);
    pthread_mutex_lock(&pool_mutex);
    int keep = pooled < POOL;
    if (keep)
        pool[pooled++] = buffer;
    pthread_mutex_unlock(&pool_mutex);
    if (!keep)
        free(buffer);
}

static void enable_migrations(void);
static void CUPTIAPI on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)user, (void)data;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED && enabled & CUDA)
        enable_migrations();
}

/* ---- the interface ---- */

static uint64_t CUPTIAPI timestamp(void) { return prof_now_ns(); }

static int cupti_open(char *message, size_t size)
{
    if (load(message, size))
        return -1;
    CUptiResult r = cupti.cuptiSubscribe(&subscriber, on_callback, NULL);
    if (r == CUPTI_ERROR_UNKNOWN)
        r = CUPTI_ERROR_NOT_INITIALIZED; /* what it says where there is no driver */
    if (explain(r, "cuptiSubscribe", message, size))
        return -1;
    cupti.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    clock_offset = 0;
    if (!cupti.cuptiActivityRegisterTimestampCallback ||
        cupti.cuptiActivityRegisterTimestampCallback(timestamp) != CUPTI_SUCCESS) {
        uint64_t theirs = 0, before = prof_now_ns();
        cupti.cuptiGetTimestamp(&theirs);
        clock_offset = (int64_t)((before + prof_now_ns()) / 2) - (int64_t)theirs;
    }
    if (explain(cupti.cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed),
                "cuptiActivityRegisterCallbacks", message, size)) {
        cupti.cuptiUnsubscribe(subscriber);
        return -1;
    }
    enabled = 0;
    return 0;
}

static void cupti_close(void) { cupti.cuptiUnsubscribe(subscriber); }

static const CUpti_ActivityKind cpu_kinds[] = {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER};
static const CUpti_ActivityKind cuda_kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                                CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

/* Not every device counts migrations: without them the rest still serves. Once on they stay on: switching them costs
 * far more than they do, and the store is deaf between two recordings. */
static void enable_migrations(void)
{
    const char *wanted =
        getenv("PROFILER_MIGRATIONS"); /* 0: a kernel that faults takes longer while they are recorded */
    if (migrations_ready || (wanted && !strcmp(wanted, "0")))
        return;
    if (cupti.cuptiActivityConfigureUnifiedMemoryCounter) {
        CUpti_ActivityUnifiedMemoryCounterConfig c[2] = {
            {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES,
             CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD, 0, 1},
            {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES,
             CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH, 0, 1}};
        migrations_ready = cupti.cuptiActivityConfigureUnifiedMemoryCounter(c, 2) == CUPTI_SUCCESS &&
                           cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) == CUPTI_SUCCESS;
    }
    if (cupti.cuptiEnableCallback) /* before there is a context it is too early: on_callback tries again */
        cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
}

static void cupti_disable(unsigned activities)
{
    if (activities & CPU)
        for (size_t i = 0; i < sizeof cpu_kinds / sizeof *cpu_kinds; i++)
            cupti.cuptiActivityDisable(cpu_kinds[i]);
    if (activities & CUDA) {
        for (size_t i = 0; i < sizeof cuda_kinds / sizeof *cuda_kinds; i++)
            cupti.cuptiActivityDisable(cuda_kinds[i]);
    }
    cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    enabled &= ~activities;
}

static int cupti_enable(unsigned activities, char *message, size_t size)
{
    int error = 0;
    if (migrations_ready && activities & CUDA)
        cupti.cuptiActivityFlushAll(0); /* those from before go */
    if (activities & CUDA) {
        for (size_t i = 0; i < sizeof cuda_kinds / sizeof *cuda_kinds && !error; i++)
            error = explain(cupti.cuptiActivityEnable(cuda_kinds[i]), "cuptiActivityEnable", message, size);
        if (!error)
            enable_migrations();
    }
    if (activities & CPU) {
        for (size_t i = 0; i < sizeof cpu_kinds / sizeof *cpu_kinds && !error; i++)
            error = explain(cupti.cuptiActivityEnable(cpu_kinds[i]), "cuptiActivityEnable", message, size);
        if (cupti.cuptiActivityEnableDriverApi) /* CUPTI itself asks this at every launch */
            cupti.cuptiActivityEnableDriverApi(CUPTI_DRIVER_TRACE_CBID_cuKernelGetName, 0);
    }
    enabled |= activities;
    if (error)
        cupti_disable(activities);
    return error;
}

static void cupti_flush(int all) { cupti.cuptiActivityFlushAll(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0); }

static void cupti_synchronize(void)
{
#ifndef PROFILER_INJECTION
    const unsigned number = cupti_quiet_begin();
    cudaDeviceSynchronize();
    cupti_quiet_end(number);
#endif
}

#ifndef PROFILER_INJECTION
extern void prof_warm_launch(void); /* profiler_warm.cu */
static void cupti_warm_up(void)
{
    prof_warm_launch();
    cudaDeviceSynchronize();
}
#else
#define cupti_warm_up NULL
#endif

static void cupti_describe(char *device, size_t size)
{
    device[0] = 0;
#ifndef PROFILER_INJECTION
    struct cudaDeviceProp p;
    int d;
    if (cudaGetDevice(&d) == cudaSuccess && cudaGetDeviceProperties(&p, d) == cudaSuccess)
        snprintf(device, size, "%s", p.name);
#else
    int (*get_name)(char *, int, int);
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    *(void **)&get_name = driver ? dlsym(driver, "cuDeviceGetName") : NULL;
    if (!get_name || get_name(device, (int)size, 0))
        device[0] = 0;
#endif
}

const prof_backend prof_backend_cupti = {.name = "CUPTI",
                                         .open = cupti_open,
                                         .close = cupti_close,
                                         .enable = cupti_enable,
                                         .disable = cupti_disable,
                                         .flush = cupti_flush,
                                         .synchronize = cupti_synchronize,
                                         .describe = cupti_describe,
                                         .warm_up = cupti_warm_up};

#ifdef HAVE_NVTX
void prof_nvtx_push(const char *name) { nvtxRangePushA(name); }
void prof_nvtx_pop(void) { nvtxRangePop(); }
#else
void prof_nvtx_push(const char *name) { (void)name; }
void prof_nvtx_pop(void) {}
#endif

#elif defined(LAB_CUDA) /* a toolkit without CUPTI's headers */

static int no_open(char *message, size_t size)
{
    snprintf(message, size, "built without CUPTI's headers (part of the CUDA Toolkit)");
    return -1;
}
const prof_backend prof_backend_cupti = {.name = "CUPTI", .open = no_open};
void prof_nvtx_push(const char *name) { (void)name; }
void prof_nvtx_pop(void) {}

#endif
