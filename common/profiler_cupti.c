/* profiler_cupti.c: the profiler's back end for NVIDIA GPUs. CUPTI's activity records give
 * every API call and all device work with the hardware's own timestamps; CUPTI turns those into
 * our clock, which is registered with it.
 *
 * The library is loaded when the profiler starts, so that a program runs where there is none. */
#include "profiler_core.h"

#if defined(LAB_CUDA) && __has_include(<cupti.h>)

#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifndef PROFILER_INJECTION
#include <cuda_runtime_api.h>
#endif
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define HAVE_NVTX 1
#endif

enum { CPU = 1, CUDA = 2 }; /* profiler.h's PROFILER_CPU and PROFILER_CUDA */

/* clang-format off */
#define CUPTI_FUNCTIONS(X) \
    X(cuptiGetVersion) \
    X(cuptiSubscribe) \
    X(cuptiUnsubscribe) \
    X(cuptiActivityRegisterCallbacks) \
    X(cuptiActivityEnable) \
    X(cuptiActivityDisable) \
    X(cuptiActivityFlushAll) \
    X(cuptiActivityGetNextRecord) \
    X(cuptiSetThreadIdType) \
    X(cuptiGetCallbackName) \
    X(cuptiGetResultString) \
    X(cuptiGetTimestamp) \
    X(cuptiActivityGetNumDroppedRecords)
#define CUPTI_OPTIONAL(X) \
    X(cuptiActivityRegisterTimestampCallback) \
    X(cuptiActivityConfigureUnifiedMemoryCounter) \
    X(cuptiActivityEnableDriverApi) \
    X(cuptiEnableCallback)
/* clang-format on */

#define DECLARE(f) __typeof__(&f) f;
static struct {
    CUPTI_FUNCTIONS(DECLARE)
    CUPTI_OPTIONAL(DECLARE)
} cupti;

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

/* The waits the profiler itself causes are not the program's. */
static struct {
    uint64_t from, to;
    uint32_t thread;
} quiet[32];
static atomic_uint quiet_count;

static int is_quiet(const CUpti_ActivityAPI *a, uint64_t start, uint64_t end)
{
    if (a->cbid != CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020)
        return 0;
    unsigned n = atomic_load(&quiet_count);
    for (unsigned i = 0; i < n && i < 32; i++)
        if (quiet[i].thread == a->threadId && quiet[i].from <= start && end <= quiet[i].to)
            return 1;
    return 0;
}

/* Of the driver's many small queries most are made by the runtime and by CUPTI: a reader wants those that do work. */
static int is_work(const char *name)
{
    static const char *const stems[] = {"cuLaunch",         "cuMem",           "cuStream",     "cuEvent",
                                        "cuGraph",          "cuArray",         "cuModuleLoad", "cuModuleUnload",
                                        "cuLibraryLoad",    "cuLibraryUnload", "cuCtxCreate",  "cuCtxDestroy",
                                        "cuCtxSynchronize", "cuSignal",        "cuWait"};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (!strncmp(name, stems[i], strlen(stems[i])))
            return 1;
    return 0;
}

#define NOT_SHOWN (UINT32_MAX - 1)

/* "cudaMemcpyAsync_ptsz_v7000" is cudaMemcpyAsync to a reader. */
static uint32_t api_name(int driver, CUpti_CallbackId cbid)
{
    enum { MOST = 2048 };
    static _Atomic uint32_t known[2][MOST];
    if (cbid < MOST && known[driver][cbid])
        return known[driver][cbid] - 1;
    const char *text = NULL;
    char name[128];
    cupti.cuptiGetCallbackName(driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API, cbid, &text);
    snprintf(name, sizeof name, "%s", text ? text : driver ? "cu?" : "cuda?");
    if (!driver) {
        char *tail = strrchr(name, '_');
        if (tail && tail[1] == 'v' && tail[2] >= '0' && tail[2] <= '9')
            *tail = 0;
        tail = strrchr(name, '_');
        if (tail && (!strcmp(tail, "_ptsz") || !strcmp(tail, "_ptds")))
            *tail = 0;
    }
    uint32_t id = !driver || is_work(name) ? prof_name(name) : NOT_SHOWN;
    if (cbid < MOST)
        known[driver][cbid] = id + 1;
    return id;
}

static const char *memory_kind(unsigned kind)
{
    static const char *const kinds[] = {"Unknown", "Pageable", "Pinned",        "Device",
                                        "Array",   "Managed",  "Device Static", "Managed Static"};
    return kinds[kind < 8 ? kind : 0];
}

static int copy_kind(unsigned kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH: return PROF_HTOH;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA: return PROF_HTOD;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH: return PROF_DTOH;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA: return PROF_DTOD;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP: return PROF_PTOP;
    default: return PROF_COPY_OTHER;
    }
}

static uint64_t ours(uint64_t t) { return t ? (uint64_t)((int64_t)t + clock_offset) : 0; }

static void convert(const CUpti_Activity *record)
{
    prof_event e = {0};
    char name[96];
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: {
        const CUpti_ActivityAPI *a = (const CUpti_ActivityAPI *)record;
        int driver = record->kind == CUPTI_ACTIVITY_KIND_DRIVER;
        e.kind = PROF_API;
        e.start_ns = ours(a->start);
        e.end_ns = ours(a->end);
        if (!driver && is_quiet(a, e.start_ns, e.end_ns))
            return;
        e.name = api_name(driver, a->cbid);
        if (e.name == NOT_SHOWN)
            return;
        e.correlation = a->correlationId;
        e.thread = a->threadId;
        e.failed = a->returnValue != 0;
        break;
    }
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
        const CUpti_ActivityKernel10 *k = (const CUpti_ActivityKernel10 *)record;
        e.kind = PROF_KERNEL;
        e.start_ns = ours(k->start);
        e.end_ns = ours(k->end);
        e.name = prof_name(k->name);
        e.correlation = k->correlationId;
        e.stream = k->streamId;
        e.device = (uint8_t)k->deviceId;
        e.registers = k->registersPerThread;
        e.grid_x = (uint32_t)k->gridX;
        e.grid_y = (uint16_t)k->gridY;
        e.grid_z = (uint16_t)k->gridZ;
        e.block[0] = (uint16_t)k->blockX;
        e.block[1] = (uint16_t)k->blockY;
        e.block[2] = (uint16_t)k->blockZ;
        e.static_smem = (uint32_t)k->staticSharedMemory;
        e.dynamic_smem = (uint32_t)k->dynamicSharedMemory;
        break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const CUpti_ActivityMemcpy6 *c = (const CUpti_ActivityMemcpy6 *)record;
        e.kind = PROF_MEMCPY;
        e.start_ns = ours(c->start);
        e.end_ns = ours(c->end);
        e.copy_kind = (uint8_t)copy_kind(c->copyKind);
        e.correlation = c->correlationId;
        e.stream = c->streamId;
        e.device = (uint8_t)c->deviceId;
        e.bytes = c->bytes;
        snprintf(name, sizeof name, "%s (%s -> %s)", prof_copy_name(PROF_MEMCPY, e.copy_kind), memory_kind(c->srcKind),
                 memory_kind(c->dstKind));
        e.name = prof_name(name);
        break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
        const CUpti_ActivityMemcpyPtoP4 *c = (const CUpti_ActivityMemcpyPtoP4 *)record;
        e.kind = PROF_MEMCPY;
        e.start_ns = ours(c->start);
        e.end_ns = ours(c->end);
        e.copy_kind = PROF_PTOP;
        e.correlation = c->correlationId;
        e.stream = c->streamId;
        e.device = (uint8_t)c->deviceId;
        e.bytes = c->bytes;
        snprintf(name, sizeof name, "Memcpy PtoP (%s -> %s)", memory_kind(c->srcKind), memory_kind(c->dstKind));
        e.name = prof_name(name);
        break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
        const CUpti_ActivityMemset4 *m = (const CUpti_ActivityMemset4 *)record;
        e.kind = PROF_MEMSET;
        e.start_ns = ours(m->start);
        e.end_ns = ours(m->end);
        e.correlation = m->correlationId;
        e.stream = m->streamId;
        e.device = (uint8_t)m->deviceId;
        e.bytes = m->bytes;
        snprintf(name, sizeof name, "Memset (%s)", memory_kind(m->memoryKind));
        e.name = prof_name(name);
        break;
    }
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER: {
        const CUpti_ActivityUnifiedMemoryCounter3 *u = (const CUpti_ActivityUnifiedMemoryCounter3 *)record;
        int to_device = u->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
        if (!(enabled & CUDA))
            return;
        if (!to_device && u->counterKind != CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH)
            return;
        e.kind = PROF_MIGRATION;
        e.copy_kind = to_device ? PROF_HTOD : PROF_DTOH;
        e.start_ns = ours(u->start);
        e.end_ns = ours(u->end);
        e.stream = u->streamId;
        e.device = (uint8_t)(to_device ? u->dstId : u->srcId);
        e.bytes = u->value;
        e.name = prof_name(prof_copy_name(PROF_MIGRATION, e.copy_kind));
        break;
    }
    default: return;
    }
    if (!e.start_ns)
        return; /* the work had not ended when it was flushed by force */
    prof_put(&e);
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)size;
    CUpti_Activity *record = NULL;
    while (valid && cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        convert(record);
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
    unsigned k = atomic_load(&quiet_count) % 32;
    quiet[k].thread = prof_thread();
    quiet[k].to = UINT64_MAX;
    quiet[k].from = prof_now_ns();
    atomic_fetch_add(&quiet_count, 1);
    cudaDeviceSynchronize();
    quiet[k].to = prof_now_ns();
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
