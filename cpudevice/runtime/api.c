/* api.c: device properties, limits, occupancy, errors, tools. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"
#include "tell.h"

/* ---- errors -------------------------------------------------------------------------------- */

static __thread cudaError_t last_error;

/* Errors of a kernel that ran are kept by the device: every call that uses it returns them from then on (sticky_error),
 * and records them here. These two only tell and forget what was recorded, as on an H200. */
cudaError_t record_error(cudaError_t e)
{
    if (__builtin_expect(e != cudaSuccess, 0))
        *(cpudev_on_device() ? nested_error() : &last_error) = e;
    return e;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t *last = cpudev_on_device() ? nested_error() : &last_error, e = *last;
    *last = cudaSuccess;
    TELL(error_seen, (int)e);
    return e;
}

cudaError_t cudaPeekAtLastError(void)
{
    cudaError_t e = cpudev_on_device() ? *nested_error() : last_error;
    TELL(error_seen, (int)e);
    return e;
}

static const struct { int code; const char *name, *text; } errors[] = {
#define E(code, name, text) {code, #name, text},
#include "errors.inc"
#undef E
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == (int)error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == (int)error)
            return errors[i].text;
    return "unrecognized error code";
}

void message(const char *format, ...)
{
    va_list ap;
    char text[2048];
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    fflush(stdout);
    fprintf(stderr, "CPU device: %s\n", text);
}

int cpudev_errors_expected;
void cpudev_expect_errors(int on) { cpudev_errors_expected = on; }

/* ---- tools --------------------------------------------------------------------------------- */

static void (*_Atomic listener)(void *user, const cpudev_event *e);
static void *listener_user;
__thread uint32_t current_correlation;
static __thread int api_depth;

uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool counter_trusted;   /* by the kernel, for its own clock */
void find_clock(void)
{
#ifdef __x86_64__
    char source[16] = "";
    FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (f) {
        counter_trusted = fgets(source, sizeof source, f) && !strncmp(source, "tsc", 3);
        fclose(f);
    }
#endif
}

uint64_t now_ticks(void)
{
#ifdef __x86_64__
    if (counter_trusted)
        return __builtin_ia32_rdtsc();
#endif
    return now_ns();
}

static cpudev_event_clock events_clock = {now_ticks, 0, 0, (uint64_t)1 << 32};

static void measure_clock(void)
{
    uint64_t ticks[2], ns[2];
    if (!counter_trusted)
        return;
    for (int end = 0; end < 2; end++) { /* the tightest of a few pairs at each end of 10 ms */
        uint64_t best = UINT64_MAX;
        for (int i = 0; i < 20; i++) {
            uint64_t a = now_ticks(), t = now_ns(), b = now_ticks();
            if (b - a < best) {
                best = b - a;
                ticks[end] = a + (b - a) / 2;
                ns[end] = t;
            }
        }
        while (!end && now_ns() - ns[0] < 10000000)
            ;
    }
    events_clock.ticks = ticks[1];
    events_clock.ns = ns[1];
    events_clock.rate = (uint64_t)(((unsigned __int128)(ns[1] - ns[0]) << 32) / (ticks[1] - ticks[0]));
}

/* The profiler's subscription: whoever calls cpudev_subscribe hears of each call and operation once it is over. */
static void hear(const cpudev_event *e)
{
    void (*fn)(void *, const cpudev_event *) = atomic_load(&listener);
    if (fn && e)
        fn(listener_user, e);
}
static void hear_call(int status, const cpudev_event *e)
{
    (void)status;
    hear(e);
}
static void hear_op(cpudev_op *op, const cpudev_event *e)
{
    (void)op;
    hear(e);
}
static const cpudev_observer profiler = {.timed = true, .call_end = hear_call, .op_end = hear_op};

int cpudev_subscribe(void (*fn)(void *, const cpudev_event *), void *user, cpudev_event_clock *clock)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (atomic_load(&listener))
        return -1;
    device_ready();
    pthread_once(&once, measure_clock);
    *clock = events_clock;
    listener_user = user;
    atomic_store(&listener, fn);
    return observer_add(&profiler) < 0 ? -1 : 0;
}

void cpudev_unsubscribe(void)
{
    observer_remove(&profiler);
    atomic_store(&listener, NULL);
}

uint32_t os_thread_id(void)
{
    static __thread uint32_t id;
    if (!id)
        id = (uint32_t)syscall(SYS_gettid);
    return id;
}

/* A number nobody else gets: each thread takes 4096 of them at a time, for an atomic addition costs as much as all else
 * that an event does. */
static uint32_t next_correlation(void)
{
    static _Atomic uint32_t taken;
    static __thread uint32_t last;
    if (last % 4096 == 0)
        last = atomic_fetch_add(&taken, 4096);
    return ++last;
}

static api_call api_enter(const char *name)
{
    static _Atomic bool called;
    api_call c = {name, 0, cudaSuccess, false};
    if (__builtin_expect(!atomic_load_explicit(&called, memory_order_relaxed), 0)) {
        atomic_store(&called, true);
        start_for_injection(); /* a profiler is to see the first call too */
    }
    if (api_depth++ == 0 && observed.timed) {
        current_correlation = next_correlation();
        c.start = now_ticks();
    }
    return c;
}

api_call api_enter_from(const char *name, const void *caller)
{
    if (__builtin_expect(cpudev_on_device(), 0)) {
        nested_enter(name, caller);
        return (api_call){name, 0, cudaSuccess, true};
    }
    if (observed.any)
        tell_call(name, caller);
    return api_enter(name);
}

void api_leave(api_call *c)
{
    if (!c->name)
        return;
    if (c->nested) {
        nested_leave((int)c->status);
        return;
    }
    if (--api_depth)
        return;
    if (observed.any)
        tell_call_end(c);
    current_correlation = 0;
}

/* The mangled name, for tools that demangle as a GPU's do. A class local to _Z1kPf is called Z1kPfE10cpudev_tag; where
 * there is no such type (-fno-rtti), the display name. */
const char *kernel_symbol(cpudev_kernel *k)
{
    static const char end[] = "E10cpudev_tag";
    char *known = __atomic_load_n(&k->symbol, __ATOMIC_ACQUIRE);
    if (known)
        return known;
    const char *tag = k->tag ? k->tag() : NULL, *last = NULL;
    for (const char *p = tag; p && (p = strstr(p, end)); p++)
        last = p;
    if (!last || *tag != 'Z')
        return kernel_display(k);
    char *made = malloc((size_t)(last - tag) + 2);
    if (!made)
        return k->name;
    made[0] = '_';
    memcpy(made + 1, tag, (size_t)(last - tag));
    made[last - tag + 1] = 0;
    if (!__atomic_compare_exchange_n(&k->symbol, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(made);
        return known;
    }
    return made;
}

/* "void k(T*) [with T = float]" -> "k<float>(float *)" would need a parser; tools get "k(T*) [with T = float]". */
const char *kernel_display(cpudev_kernel *k)
{
    char *d = __atomic_load_n(&k->display, __ATOMIC_ACQUIRE);
    if (d)
        return d;
    const char *p = k->pretty ? k->pretty : "?";
    static const char *const skip[] = {"static ", "inline ", "constexpr ", "void "};
    for (size_t i = 0; i < sizeof skip / sizeof *skip; i++)
        if (!strncmp(p, skip[i], strlen(skip[i])))
            p += strlen(skip[i]);
    char *made = strdup(p);
    if (!made)
        return k->name;
    if (!__atomic_compare_exchange_n(&k->display, &d, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(made);
        return d;
    }
    return made;
}

uint64_t cpudev_globaltimer(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

long long cpudev_clock(void)
{
#ifdef __x86_64__
    return (long long)__builtin_ia32_rdtsc();
#else
    return (long long)now_ns();
#endif
}

/* ---- the device ---------------------------------------------------------------------------- */

size_t device_limits[8] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 128,
    [cudaLimitPersistingL2CacheSize] = 0,
};

/* A kernel can use the host's own memory; to the checker that is a mistake, as it is on most GPUs. */
#define PAGEABLE (!observed.sees_host_access)

/* Limits of an H100, so that what fits here fits there; one multiprocessor a core. */
enum { CLOCK_KHZ = 1980000, MEMORY_CLOCK_KHZ = 2619000 };

static void properties(struct cudaDeviceProp *p)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "CPU device (%d cores)", processor_count());
    memcpy(p->uuid.bytes, "CUDAonCPUdevice", 16);
    size_t free_bytes;
    cudaMemGetInfo(&free_bytes, &p->totalGlobalMem);
    p->sharedMemPerBlock = MAX_SHARED;
    p->regsPerBlock = 65536;
    p->warpSize = WARP;
    p->memPitch = 2147483647;
    p->maxThreadsPerBlock = MAX_THREADS;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9;
    p->minor = 0;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->multiProcessorCount = processor_count();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    p->clockRate = CLOCK_KHZ;
    p->memoryClockRate = MEMORY_CLOCK_KHZ;
    p->deviceOverlap = 1;
#pragma GCC diagnostic pop
    p->integrated = 1;
    p->canMapHostMemory = 1;
    p->surfaceAlignment = 512;
    p->concurrentKernels = 1;
    p->pciBusID = 0;
    p->asyncEngineCount = 2;
    p->unifiedAddressing = 1;
    p->memoryBusWidth = 64;
    long l2 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    p->l2CacheSize = l2 > 0 && l2 < 2147483647 ? (int)l2 : 32 << 20;
    p->maxThreadsPerMultiProcessor = MAX_RESIDENT_THREADS;
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = 1;
    p->localL1CacheSupported = 1;
    p->sharedMemPerMultiprocessor = SHARED_PER_SM;
    p->regsPerMultiprocessor = 65536;
    p->managedMemory = 1;
    p->hostNativeAtomicSupported = 1;
    p->pageableMemoryAccess = PAGEABLE;
    p->concurrentManagedAccess = 1;
    p->computePreemptionSupported = 1;
    p->canUseHostPointerForRegisteredMem = 1;
    p->cooperativeLaunch = 1;
    p->sharedMemPerBlockOptin = MAX_SHARED_OPTIN;
    p->pageableMemoryAccessUsesHostPageTables = PAGEABLE;
    p->maxBlocksPerMultiProcessor = MAX_RESIDENT_BLOCKS;
    p->reservedSharedMemPerBlock = 1024;
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->deviceNumaId = -1;
    p->hostNumaId = -1;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!count)
        RETURN(cudaErrorInvalidValue);
    *count = 1;
    RETURN(cudaSuccess);
}
cudaError_t cudaGetDevice(int *device)
{
    API;
    if (!device)
        RETURN(cudaErrorInvalidValue);
    *device = 0;
    RETURN(cudaSuccess);
}
static cudaError_t device_ok(int device)
{
    cudaError_t e = device_ready();
    return e ? e : device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaSetDevice(int device)
{
    API;
    RETURN(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
    API;
    (void)deviceFlags;
    (void)flags;
    RETURN(device_ok(device));
}
cudaError_t cudaSetValidDevices(int *devices, int count)
{
    API;
    for (int i = 0; devices && i < count; i++)
        if (devices[i])
            RETURN(cudaErrorInvalidDevice);
    RETURN(cudaSuccess);
}
static unsigned device_flags;
cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    API;
    if (flags & ~(unsigned)cudaDeviceMask)
        RETURN(cudaErrorInvalidValue);
    device_flags = flags;
    RETURN(device_ready());
}
cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    API;
    if (!flags)
        RETURN(cudaErrorInvalidValue);
    *flags = device_flags | cudaDeviceMapHost;
    RETURN(cudaSuccess);
}
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    API;
    if (!device || !prop)
        RETURN(cudaErrorInvalidValue);
    *device = 0;
    RETURN(cudaSuccess);
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    API;
    cudaError_t e = device_ok(device);
    if (e)
        RETURN(e);
    if (!prop)
        RETURN(cudaErrorInvalidValue);
    properties(prop);
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    API;
    cudaError_t e = device_ok(device);
    if (e)
        RETURN(e);
    if (!value || attr < 1 || attr >= cudaDevAttrMax)
        RETURN(cudaErrorInvalidValue);
    struct cudaDeviceProp p;
    properties(&p);
    switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = WARP; break;
    case cudaDevAttrMaxPitch: *value = 2147483647; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = CLOCK_KHZ; break;
    case cudaDevAttrMemoryClockRate: *value = MEMORY_CLOCK_KHZ; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrTextureAlignment: *value = 512; break;
    case cudaDevAttrTexturePitchAlignment: *value = 32; break;
    case cudaDevAttrGpuOverlap: *value = 1; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrIntegrated: *value = p.integrated; break;
    case cudaDevAttrCanMapHostMemory: *value = 1; break;
    case cudaDevAttrConcurrentKernels: *value = 1; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = MAX_RESIDENT_THREADS; break;
    case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
    case cudaDevAttrUnifiedAddressing: *value = 1; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrStreamPrioritiesSupported: *value = 1; break;
    case cudaDevAttrGlobalL1CacheSupported: *value = 1; break;
    case cudaDevAttrLocalL1CacheSupported: *value = 1; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = SHARED_PER_SM; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = 65536; break;
    case cudaDevAttrManagedMemory: *value = 1; break;
    case cudaDevAttrHostNativeAtomicSupported: *value = 1; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: *value = 2; break;
    case cudaDevAttrPageableMemoryAccess: *value = PAGEABLE; break;
    case cudaDevAttrConcurrentManagedAccess: *value = 1; break;
    case cudaDevAttrComputePreemptionSupported: *value = 1; break;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: *value = 1; break;
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = MAX_SHARED_OPTIN; break;
    case cudaDevAttrHostRegisterSupported: *value = 1; break;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables: *value = PAGEABLE; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = MAX_RESIDENT_BLOCKS; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = 1024; break;
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    default: *value = 0;
    }
    RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int len, int device)
{
    API;
    cudaError_t e = device_ok(device);
    if (e)
        RETURN(e);
    if (!id || len < 13)
        RETURN(cudaErrorInvalidValue);
    snprintf(id, (size_t)len, "0000:00:00.0");
    RETURN(cudaSuccess);
}
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    API;
    if (!device || !id)
        RETURN(cudaErrorInvalidValue);
    *device = 0;
    RETURN(!strcmp(id, "0000:00:00.0") ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    API;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    RETURN(device_ready());
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    API;
    if (!value)
        RETURN(cudaErrorInvalidValue);
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        RETURN(cudaErrorUnsupportedLimit);
    *value = device_limits[limit];
    RETURN(device_ready());
}
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    API;
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        RETURN(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitStackSize && value > 512 * 1024)
        RETURN(cudaErrorInvalidValue);
    device_limits[limit] = value;
    RETURN(device_ready());
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    API;
    if (config)
        *config = cudaFuncCachePreferNone;
    RETURN(cudaSuccess);
}
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    API;
    (void)config;
    RETURN(cudaSuccess);
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    API;
    if (config)
        *config = cudaSharedMemBankSizeFourByte;
    RETURN(cudaSuccess);
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    API;
    (void)config;
    RETURN(cudaSuccess);
}
cudaError_t cudaDriverGetVersion(int *version)
{
    API;
    if (!version)
        RETURN(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    RETURN(cudaSuccess);
}
cudaError_t cudaRuntimeGetVersion(int *version)
{
    API;
    if (!version)
        RETURN(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    RETURN(cudaSuccess);
}
cudaError_t cudaProfilerStart(void)
{
    API;
    RETURN(device_ready());
}
cudaError_t cudaProfilerStop(void)
{
    API;
    RETURN(device_ready());
}
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    API;
    RETURN(device_ready());
}
/* One device: nobody to be a peer of. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    API;
    if (!can)
        RETURN(cudaErrorInvalidValue);
    *can = 0;
    RETURN(device || peer ? cudaErrorInvalidDevice : cudaSuccess);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    API;
    (void)peer;
    (void)flags;
    RETURN(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    API;
    (void)peer;
    RETURN(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst)
{
    API;
    (void)value;
    (void)attr;
    (void)src;
    (void)dst;
    RETURN(cudaErrorInvalidDevice);
}

/* ---- kernels ------------------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!attr)
        RETURN(cudaErrorInvalidValue);
    cpudev_kernel *k = kernel_of_function(func);
    if (!k)
        RETURN(cudaErrorInvalidDeviceFunction);
    memset(attr, 0, sizeof *attr);
    attr->sharedSizeBytes = k->static_shared;
    attr->maxThreadsPerBlock = k->max_threads ? (int)k->max_threads : MAX_THREADS;
    attr->numRegs = 0;    /* a CPU's registers say nothing about a GPU's */
    attr->ptxVersion = attr->binaryVersion = 90;
    attr->maxDynamicSharedSizeBytes = k->max_dynamic_shared ? k->max_dynamic_shared : MAX_SHARED - (int)k->static_shared;
    attr->preferredShmemCarveout = -1;
    RETURN(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    cpudev_kernel *k = kernel_of_function(func);
    if (!k)
        RETURN(cudaErrorInvalidDeviceFunction);
    if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (size_t)value + k->static_shared > MAX_SHARED_OPTIN)
            RETURN(cudaErrorInvalidValue);
        k->max_dynamic_shared = value;
    } else if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100)
            RETURN(cudaErrorInvalidValue);
    } else if (attr < cudaFuncAttributeMaxDynamicSharedMemorySize || attr >= cudaFuncAttributeMax)
        RETURN(cudaErrorInvalidValue);
    RETURN(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    API;
    (void)config;
    RETURN(func ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    API;
    (void)config;
    RETURN(func ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    API;
    cpudev_kernel *k = kernel_of_function(func);
    if (!k || !name)
        RETURN(cudaErrorInvalidValue);
    *name = k->name;
    RETURN(cudaSuccess);
}

/* Blocks an H100 multiprocessor holds: threads in whole warps, blocks, shared memory (1 KB of it the system's). */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int blockSize, size_t shared)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!blocks || blockSize <= 0)
        RETURN(cudaErrorInvalidValue);
    cpudev_kernel *k = kernel_of_function(func);
    if (!k)
        RETURN(cudaErrorInvalidDeviceFunction);
    *blocks = 0;
    if (blockSize > (int)(k->max_threads ? k->max_threads : MAX_THREADS))
        RETURN(cudaSuccess);
    size_t most = k->max_dynamic_shared ? (size_t)k->max_dynamic_shared : MAX_SHARED - k->static_shared;
    if (shared > most)
        RETURN(cudaSuccess);
    int n = MAX_RESIDENT_THREADS / ((blockSize + WARP - 1) / WARP * WARP);
    size_t each = (k->static_shared + shared + 127) / 128 * 128 + 1024;
    int by_shared = (int)(SHARED_PER_SM / each);
    if (n > MAX_RESIDENT_BLOCKS)
        n = MAX_RESIDENT_BLOCKS;
    if (n > by_shared)
        n = by_shared;
    *blocks = n;
    RETURN(cudaSuccess);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func, int blockSize, size_t shared, unsigned int flags)
{
    API;
    (void)flags;
    return call_.status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, func, blockSize, shared);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int numBlocks, int blockSize)
{
    API;
    cpudev_kernel *k = kernel_of_function(func);
    if (!bytes || !k || numBlocks <= 0 || blockSize <= 0)
        RETURN(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    size_t each = SHARED_PER_SM / (size_t)numBlocks;
    *bytes = each > 1024 + k->static_shared ? each - 1024 - k->static_shared : 0;
    if (*bytes > MAX_SHARED_OPTIN - k->static_shared)
        *bytes = MAX_SHARED_OPTIN - k->static_shared;
    RETURN(cudaSuccess);
}
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *config)
{
    API;
    (void)func;
    (void)config;
    if (!clusters)
        RETURN(cudaErrorInvalidValue);
    *clusters = 0;
    RETURN(cudaSuccess);
}
