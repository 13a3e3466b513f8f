/* profiler_cupti_records.c: CUPTI's activity records as the profiler's events. */
#include "profiler_core.h"

#if defined(LAB_CUDA) && __has_include(<cupti.h>)

#include <string.h>
#include "profiler_cupti.h"

/* The waits the profiler itself causes are not the program's. */
static struct {
    uint64_t from, to;
    uint32_t thread;
} quiet[32];
static atomic_uint quiet_count;

unsigned cupti_quiet_begin(void)
{
    const unsigned k = atomic_load(&quiet_count) % 32;
    quiet[k].thread = prof_thread();
    quiet[k].to = UINT64_MAX;
    quiet[k].from = prof_now_ns();
    atomic_fetch_add(&quiet_count, 1);
    return k;
}

void cupti_quiet_end(unsigned number) { quiet[number].to = prof_now_ns(); }

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

/* Each of these fills in what a record of its kind says; 0 if there is nothing to show. The times are set already. */
static int of_api(prof_event *e, const CUpti_ActivityAPI *a)
{
    const int driver = a->kind == CUPTI_ACTIVITY_KIND_DRIVER;
    e->kind = PROF_API;
    if (!driver && is_quiet(a, e->start_ns, e->end_ns))
        return 0;
    e->name = api_name(driver, a->cbid);
    e->correlation = a->correlationId;
    e->thread = a->threadId;
    e->failed = a->returnValue != 0;
    return e->name != NOT_SHOWN;
}

static int of_kernel(prof_event *e, const CUpti_ActivityKernel10 *k)
{
    e->kind = PROF_KERNEL;
    e->name = prof_name(k->name);
    e->correlation = k->correlationId;
    e->stream = k->streamId;
    e->device = (uint8_t)k->deviceId;
    e->registers = k->registersPerThread;
    e->grid_x = (uint32_t)k->gridX;
    e->grid_y = (uint16_t)k->gridY;
    e->grid_z = (uint16_t)k->gridZ;
    e->block[0] = (uint16_t)k->blockX;
    e->block[1] = (uint16_t)k->blockY;
    e->block[2] = (uint16_t)k->blockZ;
    e->static_smem = (uint32_t)k->staticSharedMemory;
    e->dynamic_smem = (uint32_t)k->dynamicSharedMemory;
    return 1;
}

static int of_copy(prof_event *e, const CUpti_ActivityMemcpy6 *c)
{
    char name[96];
    e->kind = PROF_MEMCPY;
    e->copy_kind = (uint8_t)copy_kind(c->copyKind);
    e->correlation = c->correlationId;
    e->stream = c->streamId;
    e->device = (uint8_t)c->deviceId;
    e->bytes = c->bytes;
    snprintf(name, sizeof name, "%s (%s -> %s)", prof_copy_name(PROF_MEMCPY, e->copy_kind), memory_kind(c->srcKind),
             memory_kind(c->dstKind));
    e->name = prof_name(name);
    return 1;
}

static int of_copy_between_devices(prof_event *e, const CUpti_ActivityMemcpyPtoP4 *c)
{
    char name[96];
    e->kind = PROF_MEMCPY;
    e->copy_kind = PROF_PTOP;
    e->correlation = c->correlationId;
    e->stream = c->streamId;
    e->device = (uint8_t)c->deviceId;
    e->bytes = c->bytes;
    snprintf(name, sizeof name, "Memcpy PtoP (%s -> %s)", memory_kind(c->srcKind), memory_kind(c->dstKind));
    e->name = prof_name(name);
    return 1;
}

static int of_fill(prof_event *e, const CUpti_ActivityMemset4 *m)
{
    char name[96];
    e->kind = PROF_MEMSET;
    e->correlation = m->correlationId;
    e->stream = m->streamId;
    e->device = (uint8_t)m->deviceId;
    e->bytes = m->bytes;
    snprintf(name, sizeof name, "Memset (%s)", memory_kind(m->memoryKind));
    e->name = prof_name(name);
    return 1;
}

static int of_migration(prof_event *e, const CUpti_ActivityUnifiedMemoryCounter3 *u)
{
    const int to_device = u->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    if (!to_device && u->counterKind != CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH)
        return 0;
    e->kind = PROF_MIGRATION;
    e->copy_kind = to_device ? PROF_HTOD : PROF_DTOH;
    e->stream = u->streamId;
    e->device = (uint8_t)(to_device ? u->dstId : u->srcId);
    e->bytes = u->value;
    e->name = prof_name(prof_copy_name(PROF_MIGRATION, e->copy_kind));
    return 1;
}

void cupti_convert(const CUpti_Activity *record, int64_t clock_offset, int migrations)
{
    prof_event e = {0};
    int shown = 0;
/* No two kinds of record have their times at the same place. */
#define CONVERT(type, function)                                                                                        \
    do {                                                                                                               \
        const type *r = (const type *)record;                                                                          \
        e.start_ns = r->start ? (uint64_t)((int64_t)r->start + clock_offset) : 0;                                      \
        e.end_ns = r->end ? (uint64_t)((int64_t)r->end + clock_offset) : 0;                                            \
        shown = function(&e, r);                                                                                       \
    } while (0)
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: CONVERT(CUpti_ActivityAPI, of_api); break;
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: CONVERT(CUpti_ActivityKernel10, of_kernel); break;
    case CUPTI_ACTIVITY_KIND_MEMCPY: CONVERT(CUpti_ActivityMemcpy6, of_copy); break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2: CONVERT(CUpti_ActivityMemcpyPtoP4, of_copy_between_devices); break;
    case CUPTI_ACTIVITY_KIND_MEMSET: CONVERT(CUpti_ActivityMemset4, of_fill); break;
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
        if (migrations)
            CONVERT(CUpti_ActivityUnifiedMemoryCounter3, of_migration);
        break;
    default: break;
    }
#undef CONVERT
    if (shown && e.start_ns) /* 0: the work had not ended when it was flushed by force */
        prof_put(&e);
}

#endif
