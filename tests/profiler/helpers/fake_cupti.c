/* fake_cupti.c: a CUPTI with no GPU behind it, for the tests of the profiler's back end. It refuses as $FAKE_CUPTI says
 * (busy, denied, nodriver, old), or delivers, when flushed, the records of what fake_work() pretended to do. */
#include <cupti.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static CUpti_TimestampCallbackFunc clock_of_client;
static char on[CUPTI_ACTIVITY_KIND_COUNT + 1],
    on_then[CUPTI_ACTIVITY_KIND_COUNT + 1]; /* now, and when the work was done */
static uint64_t work_at;
static int subscribed, driver_hidden;

static int mode(const char *name)
{
    const char *m = getenv("FAKE_CUPTI");
    return m && !strcmp(m, name);
}

CUptiResult cuptiGetVersion(uint32_t *v)
{
    *v = mode("old") ? 18 : CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *s, CUpti_CallbackFunc f, void *u)
{
    (void)f, (void)u;
    *s = (CUpti_SubscriberHandle)&subscribed;
    if (mode("busy") || subscribed)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    if (mode("nodriver"))
        return CUPTI_ERROR_NOT_INITIALIZED;
    subscribed = 1;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle s)
{
    (void)s;
    subscribed = 0;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc r, CUpti_BuffersCallbackCompleteFunc c)
{
    request = r, complete = c;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc f)
{
    clock_of_client = f;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind k)
{
    if (mode("denied"))
        return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    on[k] = 1;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind k)
{
    on[k] = 0;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId id, uint8_t enable)
{
    (void)id;
    driver_hidden = !enable;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType t)
{
    (void)t;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetTimestamp(uint64_t *t)
{
    *t = 1;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext c, uint32_t s, size_t *n)
{
    (void)c, (void)s;
    *n = 0;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityConfigureUnifiedMemoryCounter(CUpti_ActivityUnifiedMemoryCounterConfig *c, uint32_t n)
{
    (void)c, (void)n;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult r, const char **s)
{
    (void)r;
    *s = "CUPTI_ERROR_FAKE";
    return CUPTI_SUCCESS;
}
CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain d, uint32_t id, const char **s)
{
    *s = d == CUPTI_CB_DOMAIN_RUNTIME_API
             ? id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000       ? "cudaLaunchKernel_v7000"
               : id == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_ptsz_v7000 ? "cudaMemcpyAsync_ptsz_v7000"
                                                                           : "cudaDeviceSynchronize_v3020"
         : id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel ? "cuLaunchKernel"
                                                        : "cuKernelGetName";
    return CUPTI_SUCCESS;
}

/* Each record lies in a slot of this size. */
enum { SLOT = 512 };
static uint8_t *buffer;
static size_t used;
static void *slot(CUpti_ActivityKind kind)
{
    static uint8_t waste[SLOT];
    if (!on_then[kind])
        return waste;
    void *p = buffer + used;
    memset(p, 0, SLOT);
    *(CUpti_ActivityKind *)p = kind;
    used += SLOT;
    return p;
}
CUptiResult cuptiActivityGetNextRecord(uint8_t *b, size_t valid, CUpti_Activity **r)
{
    uint8_t *next = *r ? (uint8_t *)*r + SLOT : b;
    if (next >= b + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *r = (CUpti_Activity *)next;
    return CUPTI_SUCCESS;
}

void fake_work(void)
{
    work_at = clock_of_client ? clock_of_client() : 0;
    memcpy(on_then, on, sizeof on);
}

static void api(CUpti_ActivityKind kind, uint32_t id, uint32_t correlation, uint64_t at, uint64_t ns)
{
    CUpti_ActivityAPI *a = slot(kind);
    a->cbid = id;
    a->correlationId = correlation;
    a->threadId = (uint32_t)syscall(SYS_gettid);
    a->start = at;
    a->end = at + ns;
}

CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    size_t size, most;
    (void)flag;
    if (!work_at || !request)
        return CUPTI_SUCCESS;
    request(&buffer, &size, &most);
    used = 0;
    api(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, 11, work_at + 1000, 2000);
    api(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_ptsz_v7000, 12, work_at + 4000, 1000);
    api(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, 13, work_at + 6000, 1000);
    api(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuKernelGetName, 14, work_at + 8000, 100);
    for (uint32_t c = 11; c <= 15; c += 2) { /* 15: not ended when flushed */
        CUpti_ActivityKernel10 *k = slot(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        k->name = c == 13 ? "triton_kernel" : "_Z6squarePfPKfi";
        k->correlationId = c;
        k->start = c == 15 ? 0 : work_at + 10000 * c;
        k->end = c == 15 ? 0 : k->start + 5000;
        k->streamId = 7;
        k->gridX = 3, k->gridY = k->gridZ = 1;
        k->blockX = 128, k->blockY = 2, k->blockZ = 1;
        k->registersPerThread = 33;
        k->staticSharedMemory = 4096, k->dynamicSharedMemory = 1024;
    }
    CUpti_ActivityMemcpy6 *m = slot(CUPTI_ACTIVITY_KIND_MEMCPY);
    m->copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    m->srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, m->dstKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    m->bytes = 1000000;
    m->start = work_at + 200000, m->end = m->start + 50000;
    m->correlationId = 12;
    CUpti_ActivityMemcpyPtoP4 *p = slot(CUPTI_ACTIVITY_KIND_MEMCPY2);
    p->srcKind = p->dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    p->bytes = 10, p->start = work_at + 300000, p->end = p->start + 1000;
    CUpti_ActivityMemset4 *s = slot(CUPTI_ACTIVITY_KIND_MEMSET);
    s->memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    s->bytes = 64, s->start = work_at + 400000, s->end = s->start + 1000;
    CUpti_ActivityUnifiedMemoryCounter3 *u = slot(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    u->counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    u->value = 65536, u->start = work_at + 500000, u->end = u->start + 3000;
    work_at = 0;
    complete(NULL, 0, buffer, size, used);
    return CUPTI_SUCCESS;
}
