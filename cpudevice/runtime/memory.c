/* memory.c: the device's memory, copies, and host access that faults.
 *
 * Device, managed and pinned memory each lie in one reserved range of addresses, so that a pointer's kind is seen from
 * its value.  While no work runs, device memory is closed: host code that touches it faults, and the message says what
 * to do.  (Opening and closing costs a system call; after the first few hundred synchronizes it stays open.) */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime.h"
#include "tell.h"

enum { GRAIN = 512, BIG = 2 << 20, JUNK_BELOW = 256 * 1024 };

typedef struct {
    uintptr_t base, top, open_top, end;
    allocation *list;                  /* by address, without gaps: used and free */
    int count, cap;
    int prot;
} region;

static region regions[4];
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static allocation *registered;
static int nregistered;
static size_t total_bytes, used_bytes;
static bool closed;
static bool never_close;

/* Address space for a region, of which there are three: plenty, as it costs nothing; under a limit (ulimit -v) a part that
 * leaves room for the program, its threads' stacks and what it allocates itself. */
static size_t region_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return (size_t)1 << 40;
    return (size_t)limit.rlim_cur / 8 / BIG * BIG;
}

static void region_make(region *r, size_t bytes)
{
    const size_t least = (size_t)64 << 20;
    void *p = MAP_FAILED;
    while (bytes >= least && (p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) == MAP_FAILED)
        bytes /= 2;
    if (p == MAP_FAILED) {
        message("no address space for the device's memory (ulimit -v: it needs 1 GB)");
        exit(1);
    }
    r->base = r->top = r->open_top = ((uintptr_t)p + BIG - 1) / BIG * BIG;
    r->end = (uintptr_t)p + bytes;
}

void memory_init(void)
{
    size_t space = region_bytes();
    for (int k = R_DEVICE; k <= R_PINNED; k++)
        region_make(&regions[k], space);
    total_bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 4 * 3;
    total_bytes = total_bytes / BIG * BIG;
    const char *limit = getenv("CUDA_CPU_MEMORY");      /* bytes; for tests of what happens when memory ends */
    if (limit && strtoull(limit, NULL, 0))
        total_bytes = strtoull(limit, NULL, 0);
    space = regions[R_DEVICE].end - regions[R_DEVICE].base;
    if (total_bytes > space) {
        total_bytes = space;
        message("address space is limited (ulimit -v): the device has %zu MB of memory", space >> 20);
    }
    never_close = getenv("CUDA_CPU_HOST_ACCESS") != NULL;
    never_close |= observed.sees_host_access;
    closed = !never_close;
}

/* An observer may keep the memory: between red zones, say, and what was freed for good. */
static region_kind kept_as(int kind)
{
    switch (kind) {
    case CPUDEV_MEM_DEVICE:
    case CPUDEV_MEM_HEAP: return R_DEVICE;
    case CPUDEV_MEM_MANAGED: return R_MANAGED;
    case CPUDEV_MEM_PINNED: return R_PINNED;
    }
    return R_NONE;
}

region_kind region_of(const void *p)
{
    const cpudev_observer *keeper = ASK(kind_of);
    if (keeper)
        return kept_as(keeper->kind_of(p));
    uintptr_t a = (uintptr_t)p;
    for (int k = R_DEVICE; k <= R_PINNED; k++)
        if (a >= regions[k].base && a < regions[k].end && regions[k].base)
            return (region_kind)k;
    return R_NONE;
}

/* index of the entry that holds a, or -1 */
static int find(const region *r, uintptr_t a)
{
    int lo = 0, hi = r->count - 1;
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        const allocation *m = &r->list[mid];
        if (a < m->start)
            hi = mid - 1;
        else if (a >= m->start + m->reserved)
            lo = mid + 1;
        else
            return mid;
    }
    return -1;
}

bool allocation_of(const void *p, allocation *out)
{
    uintptr_t a = (uintptr_t)p;
    region_kind k = region_of(p);
    bool found = false;
    const cpudev_observer *keeper = ASK(find);
    if (keeper && k != R_NONE) {
        void *base;
        size_t bytes;
        if (!keeper->find(p, &base, &bytes))
            return false;
        *out = (allocation){(uintptr_t)base, bytes, bytes, k, true, 0};
        return true;
    }
    pthread_mutex_lock(&memory_lock);
    if (k != R_NONE) {
        int i = find(&regions[k], a);
        if (i >= 0 && regions[k].list[i].used) {
            *out = regions[k].list[i];
            found = true;
        }
    } else
        for (int i = 0; i < nregistered && !found; i++)
            if (a >= registered[i].start && a < registered[i].start + registered[i].size) {
                *out = registered[i];
                found = true;
            }
    pthread_mutex_unlock(&memory_lock);
    return found;
}

static bool insert(region *r, int at, allocation a)
{
    if (r->count == r->cap) {
        int cap = r->cap ? r->cap * 2 : 64;
        allocation *list = realloc(r->list, (size_t)cap * sizeof *list);
        if (!list)
            return false;
        r->list = list;
        r->cap = cap;
    }
    memmove(&r->list[at + 1], &r->list[at], (size_t)(r->count - at) * sizeof *r->list);
    r->list[at] = a;
    r->count++;
    return true;
}

static void *allocate(region_kind k, size_t size, unsigned flags)
{
    region *r = &regions[k];
    size_t grain = size >= BIG ? BIG : GRAIN;
    size_t reserved = (size + GRAIN - 1) / GRAIN * GRAIN;
    if (size >= BIG)
        reserved = (size + 4095) / 4096 * 4096;
    if (size > total_bytes || reserved > total_bytes - used_bytes)
        return NULL;
    const cpudev_observer *keeper = ASK(alloc);
    if (keeper) {
        void *p = keeper->alloc(k == R_DEVICE ? CPUDEV_MEM_DEVICE : k == R_MANAGED ? CPUDEV_MEM_MANAGED : CPUDEV_MEM_PINNED, size);
        used_bytes += p ? size : 0;
        return p;
    }
    int at = -1;
    for (int i = 0; i < r->count; i++) {
        allocation *f = &r->list[i];
        if (f->used || f->reserved < reserved)
            continue;
        uintptr_t start = (f->start + grain - 1) / grain * grain;
        if (start + reserved > f->start + f->reserved)
            continue;
        allocation whole = *f;
        size_t before = start - whole.start, after = whole.reserved - before - reserved;
        r->list[i] = (allocation){start, size, reserved, k, true, flags};
        at = i;
        if (after)
            insert(r, i + 1, (allocation){start + reserved, 0, after, k, false, 0});
        if (before) {
            insert(r, i, (allocation){whole.start, 0, before, k, false, 0});
            at = i + 1;
        }
        break;
    }
    if (at < 0) {
        uintptr_t start = (r->top + grain - 1) / grain * grain;
        if (start + reserved > r->end)
            return NULL;
        if (start > r->top)
            insert(r, r->count, (allocation){r->top, 0, start - r->top, k, false, 0});
        insert(r, r->count, (allocation){start, size, reserved, k, true, flags});
        at = r->count - 1;
        r->top = start + reserved;
        if (r->top > r->open_top) {
            uintptr_t open = (r->top + BIG - 1) / BIG * BIG;
            int prot = k == R_DEVICE && closed ? PROT_NONE : PROT_READ | PROT_WRITE;
            if (prot != PROT_NONE && mprotect((void *)r->open_top, open - r->open_top, prot))
                return NULL;
            if (!(k == R_DEVICE && closed) || true)
                r->open_top = open;
        }
    }
    used_bytes += reserved;
    if (size >= BIG)
        madvise((void *)r->list[at].start, reserved, MADV_HUGEPAGE);
    return (void *)r->list[at].start;
}

/* A GPU's fresh memory holds whatever was there; small allocations get 0xff here (NaN as float, -1 as int). */
static void junk(void *p, size_t size)
{
    if (size > JUNK_BELOW)
        return;
    pthread_mutex_lock(&memory_lock);
    region *r = &regions[R_DEVICE];
    bool was = closed && region_of(p) == R_DEVICE;
    if (was)
        mprotect((void *)r->base, r->open_top - r->base, PROT_READ | PROT_WRITE);
    memset(p, 0xff, size);
    if (was)
        mprotect((void *)r->base, r->open_top - r->base, PROT_NONE);
    pthread_mutex_unlock(&memory_lock);
}

void device_memory_open(void)
{
    region *r = &regions[R_DEVICE];
    pthread_mutex_lock(&memory_lock);
    if (closed && r->open_top > r->base)
        mprotect((void *)r->base, r->open_top - r->base, PROT_READ | PROT_WRITE);
    closed = false;
    pthread_mutex_unlock(&memory_lock);
}

void device_memory_close(void)
{
    region *r = &regions[R_DEVICE];
    pthread_mutex_lock(&memory_lock);
    if (!never_close && !closed && r->open_top > r->base) {
        mprotect((void *)r->base, r->open_top - r->base, PROT_NONE);
        closed = true;
    }
    pthread_mutex_unlock(&memory_lock);
}

void report_host_fault(uintptr_t address)
{
    allocation a;
    char where[160] = "in no live allocation";
    if (allocation_of((void *)address, &a))
        snprintf(where, sizeof where, "%zu bytes into the %zu bytes that cudaMalloc returned at %p", (size_t)(address - a.start), a.size, (void *)a.start);
    message("host code touched device memory: address %p, %s.\n"
            "  Memory of cudaMalloc belongs to the device: copy it with cudaMemcpy, or allocate with cudaMallocManaged.",
            (void *)address, where);
    /* the caller lets the fault happen again, which ends the process as on a machine with a GPU */
}

static cudaError_t free_kept(const cpudev_observer *keeper, void *p, region_kind kind)
{
    void *base;
    size_t was = 0;
    if (!keeper->find(p, &base, &was))
        was = 0;
    if (keeper->free(kind == R_PINNED ? CPUDEV_MEM_PINNED : CPUDEV_MEM_DEVICE, p))
        return cudaErrorInvalidValue;
    pthread_mutex_lock(&memory_lock);
    used_bytes -= was;
    pthread_mutex_unlock(&memory_lock);
    return cudaSuccess;
}

cudaError_t memory_free(void *p, region_kind kind)
{
    region *r = &regions[kind];
    const cpudev_observer *keeper = ASK(free);
    if (keeper)
        return free_kept(keeper, p, kind);
    pthread_mutex_lock(&memory_lock);
    int i = find(r, (uintptr_t)p);
    if (i < 0 || !r->list[i].used || r->list[i].start != (uintptr_t)p) {
        pthread_mutex_unlock(&memory_lock);
        return cudaErrorInvalidValue;
    }
    allocation *a = &r->list[i];
    a->used = false;
    a->size = 0;
    used_bytes -= a->reserved;
    if (a->reserved >= 8 * (size_t)BIG) {
        uintptr_t from = (a->start + 4095) / 4096 * 4096, to = (a->start + a->reserved) / 4096 * 4096;
        madvise((void *)from, to - from, MADV_DONTNEED);
    }
    if (i + 1 < r->count && !r->list[i + 1].used) {
        a->reserved += r->list[i + 1].reserved;
        memmove(&r->list[i + 1], &r->list[i + 2], (size_t)(r->count - i - 2) * sizeof *r->list);
        r->count--;
    }
    if (i > 0 && !r->list[i - 1].used) {
        r->list[i - 1].reserved += r->list[i].reserved;
        memmove(&r->list[i], &r->list[i + 1], (size_t)(r->count - i - 1) * sizeof *r->list);
        r->count--;
    }
    pthread_mutex_unlock(&memory_lock);
    return cudaSuccess;
}

void memory_reset(void)
{
    TELL(reset);
    for (int k = R_DEVICE; k <= R_PINNED; k++) {
        pthread_mutex_lock(&memory_lock);
        regions[k].count = 0;
        regions[k].top = regions[k].base;
        pthread_mutex_unlock(&memory_lock);
    }
    used_bytes = 0;
}

/* ---- allocation ---------------------------------------------------------------------------- */

static cudaError_t allocate_now(region_kind k, void **ptr, size_t size, unsigned flags)
{
    cudaError_t e = device_ready();
    if (e)
        return e;
    if (!ptr)
        return cudaErrorInvalidValue;
    if (size == 0) {
        *ptr = NULL;
        return cudaSuccess;
    }
    pthread_mutex_lock(&memory_lock);
    void *p = allocate(k, size, flags);
    pthread_mutex_unlock(&memory_lock);
    if (!p)
        return cudaErrorMemoryAllocation;
    if (k == R_DEVICE)
        junk(p, size);
    *ptr = p;
    return cudaSuccess;
}

static cudaError_t allocate_as(region_kind k, void **ptr, size_t size, unsigned flags)
{
    cudaError_t e = capture_forbids(false);
    return e ? e : allocate_now(k, ptr, size, flags);
}

cudaError_t cudaMalloc(void **ptr, size_t size)
{
    API;
    if (call_.nested)
        RETURN(nested_malloc(ptr, size));
    RETURN(allocate_as(R_DEVICE, ptr, size, 0));
}

cudaError_t memory_device(char **p, size_t bytes)
{
    void *got = NULL;
    cudaError_t e = allocate_as(R_DEVICE, &got, bytes, 0);
    *p = got;
    return e;
}

cudaError_t cudaMallocManaged(void **ptr, size_t size, unsigned int flags)
{
    API;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        RETURN(cudaErrorInvalidValue);
    if (size == 0)
        RETURN(cudaErrorInvalidValue);
    RETURN(allocate_as(R_MANAGED, ptr, size, flags));
}

cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags)
{
    API;
    if (flags > 7)
        RETURN(cudaErrorInvalidValue);
    RETURN(allocate_as(R_PINNED, ptr, size, flags));
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    API;
    RETURN(allocate_as(R_PINNED, ptr, size, 0));
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height)
{
    API;
    if (!pitch)
        RETURN(cudaErrorInvalidValue);
    size_t p = (width + 511) / 512 * 512;
    cudaError_t e = allocate_as(R_DEVICE, ptr, p * height, 0);
    if (!e)
        *pitch = p;
    RETURN(e);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent)
{
    API;
    if (!ptr)
        RETURN(cudaErrorInvalidValue);
    size_t p = (extent.width + 511) / 512 * 512;
    void *base;
    cudaError_t e = allocate_as(R_DEVICE, &base, p * extent.height * extent.depth, 0);
    if (!e)
        *ptr = make_cudaPitchedPtr(base, p, extent.width, extent.height);
    RETURN(e);
}

cudaError_t cudaFree(void *ptr)
{
    API;
    if (call_.nested)
        RETURN(nested_free(ptr));
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if ((e = capture_forbids(false)))
        RETURN(e);
    if (!ptr)
        RETURN(cudaSuccess);
    region_kind k = ASK(free) ? R_DEVICE : region_of(ptr);  /* a keeper of the memory judges the pointer itself */
    if (k != R_DEVICE && k != R_MANAGED)
        RETURN(cudaErrorInvalidValue);
    e = wait_for_everything();
    cudaError_t f = memory_free(ptr, k);
    RETURN(f ? f : e);
}

cudaError_t cudaFreeHost(void *ptr)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if ((e = capture_forbids(false)))
        RETURN(e);
    if (!ptr)
        RETURN(cudaSuccess);
    if (!ASK(free) && region_of(ptr) != R_PINNED)
        RETURN(cudaErrorInvalidValue);
    e = wait_for_everything();
    cudaError_t f = memory_free(ptr, R_PINNED);
    RETURN(f ? f : e);
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!ptr || !size)
        RETURN(cudaErrorInvalidValue);
    allocation known;
    if (allocation_of(ptr, &known))
        RETURN(cudaErrorHostMemoryAlreadyRegistered);
    pthread_mutex_lock(&memory_lock);
    allocation *list = realloc(registered, (size_t)(nregistered + 1) * sizeof *list);
    if (list) {
        registered = list;
        registered[nregistered++] = (allocation){(uintptr_t)ptr, size, size, R_REGISTERED, true, flags};
    }
    pthread_mutex_unlock(&memory_lock);
    TELL(register_host, ptr, size, true);
    RETURN(list ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *ptr)
{
    API;
    cudaError_t e = cudaErrorHostMemoryNotRegistered;
    pthread_mutex_lock(&memory_lock);
    for (int i = 0; i < nregistered; i++)
        if (registered[i].start == (uintptr_t)ptr) {
            registered[i] = registered[--nregistered];
            TELL(register_host, ptr, 0, false);
            e = cudaSuccess;
            break;
        }
    pthread_mutex_unlock(&memory_lock);
    RETURN(e);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    API;
    allocation a;
    if (!device || flags || !allocation_of(host, &a) || (a.kind != R_PINNED && a.kind != R_REGISTERED))
        RETURN(cudaErrorInvalidValue);
    *device = host;
    RETURN(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    API;
    allocation a;
    if (!flags || !allocation_of(host, &a) || (a.kind != R_PINNED && a.kind != R_REGISTERED))
        RETURN(cudaErrorInvalidValue);
    *flags = a.flags | cudaHostAllocMapped;
    RETURN(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!free_bytes || !total)
        RETURN(cudaErrorInvalidValue);
    *total = total_bytes;
    *free_bytes = total_bytes - used_bytes;
    RETURN(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!attributes)
        RETURN(cudaErrorInvalidValue);
    memset(attributes, 0, sizeof *attributes);
    allocation a;
    if (!allocation_of(ptr, &a)) {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = cudaInvalidDeviceId;
        attributes->hostPointer = (void *)ptr;
        RETURN(cudaSuccess);
    }
    attributes->type = a.kind == R_DEVICE ? cudaMemoryTypeDevice : a.kind == R_MANAGED ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
    attributes->devicePointer = (void *)ptr;
    attributes->hostPointer = a.kind == R_DEVICE ? NULL : (void *)ptr;
    RETURN(cudaSuccess);
}

/* ---- stream-ordered allocation ------------------------------------------------------------- */

struct CUmemPool_st {
    uint64_t threshold, used_high;
};
static struct CUmemPool_st default_pool;

static cudaError_t allocate_on(struct CUstream_st *s, void **ptr, size_t size)
{
    if (!s)
        return cudaErrorInvalidResourceHandle;
    cudaError_t e = allocate_now(R_DEVICE, ptr, size, 0);
    if (!e && size)
        tell_async_alloc(*ptr, size, s);
    return e;
}
cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaStream_t stream)
{
    API;
    RETURN(allocate_on(stream_of(stream), ptr, size));
}
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    API;
    RETURN(pool ? allocate_on(stream_of(stream), ptr, size) : cudaErrorInvalidValue);
}
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!ptr)
        RETURN(cudaSuccess);
    struct CUstream_st *s = stream_of(stream);
    allocation a;
    if (!s)
        RETURN(cudaErrorInvalidResourceHandle);
    if (region_of(ptr) != R_DEVICE || !allocation_of(ptr, &a) || a.start != (uintptr_t)ptr)
        RETURN(cudaErrorInvalidValue);
    command *c = command_new(C_FREE);
    c->user = ptr;
    RETURN(command_queue(c, s));
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    API;
    if (!pool || device)
        RETURN(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = &default_pool;
    RETURN(cudaSuccess);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    API;
    return call_.status = cudaDeviceGetDefaultMemPool(pool, device);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    API;
    RETURN(device ? cudaErrorInvalidDevice : pool ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    API;
    if (!pool || !props)
        RETURN(cudaErrorInvalidValue);
    *pool = calloc(1, sizeof **pool);
    RETURN(*pool ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    API;
    if (!pool || pool == &default_pool)
        RETURN(cudaErrorInvalidValue);
    free(pool);
    RETURN(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    API;
    (void)keep;
    RETURN(pool ? cudaSuccess : cudaErrorInvalidValue);
}
/* There is one device, which a pool always belongs to: access can be confirmed, and not taken away. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count)
{
    API;
    if (!pool || (count && !list))
        RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id != 0)
            RETURN(cudaErrorInvalidDevice);
        else if (list[i].flags != cudaMemAccessFlagsProtReadWrite)
            RETURN(cudaErrorInvalidValue);
    RETURN(cudaSuccess);
}
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location)
{
    API;
    if (!flags || !pool || !location)
        RETURN(cudaErrorInvalidValue);
    if (location->type != cudaMemLocationTypeDevice || location->id != 0)
        RETURN(cudaErrorInvalidDevice);
    *flags = cudaMemAccessFlagsProtReadWrite;
    RETURN(cudaSuccess);
}

/* Memory and events are a process's own. */
#define BETWEEN_PROCESSES(name, ...)                                              \
    cudaError_t name(__VA_ARGS__)                                                 \
    {                                                                             \
        API;                                                                      \
        message(#name ": the CPU device shares nothing between processes");       \
        RETURN(cudaErrorNotSupported);                                            \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
BETWEEN_PROCESSES(cudaMemPoolExportToShareableHandle, void *handle, cudaMemPool_t pool, enum cudaMemAllocationHandleType type, unsigned int flags)
BETWEEN_PROCESSES(cudaMemPoolImportFromShareableHandle, cudaMemPool_t *pool, void *handle, enum cudaMemAllocationHandleType type, unsigned int flags)
BETWEEN_PROCESSES(cudaMemPoolExportPointer, struct cudaMemPoolPtrExportData *data, void *ptr)
BETWEEN_PROCESSES(cudaMemPoolImportPointer, void **ptr, cudaMemPool_t pool, struct cudaMemPoolPtrExportData *data)
BETWEEN_PROCESSES(cudaIpcGetMemHandle, cudaIpcMemHandle_t *handle, void *ptr)
BETWEEN_PROCESSES(cudaIpcOpenMemHandle, void **ptr, cudaIpcMemHandle_t handle, unsigned int flags)
BETWEEN_PROCESSES(cudaIpcCloseMemHandle, void *ptr)
BETWEEN_PROCESSES(cudaIpcGetEventHandle, cudaIpcEventHandle_t *handle, cudaEvent_t event)
BETWEEN_PROCESSES(cudaIpcOpenEventHandle, cudaEvent_t *event, cudaIpcEventHandle_t handle)
#pragma GCC diagnostic pop

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    API;
    if (!pool || !value)
        RETURN(cudaErrorInvalidValue);
    if (attr == cudaMemPoolAttrReleaseThreshold)
        memcpy(&pool->threshold, value, sizeof pool->threshold);
    RETURN(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    API;
    if (!pool || !value)
        RETURN(cudaErrorInvalidValue);
    if (attr <= cudaMemPoolReuseAllowInternalDependencies)
        *(int *)value = 1;
    else
        *(uint64_t *)value = attr == cudaMemPoolAttrReleaseThreshold ? pool->threshold : used_bytes;
    RETURN(cudaSuccess);
}

/* ---- copies -------------------------------------------------------------------------------- */

enum { PIECE = 4 << 20 };

void run_copy_units(command *c, unsigned long long first, unsigned long long end)
{
    if (c->height == 1 && c->depth == 1) {
        for (unsigned long long u = first; u < end; u++) {
            size_t from = (size_t)u * PIECE, n = c->width - from < PIECE ? c->width - from : PIECE;
            if (c->kind == C_SET)
                memset(c->dst + from, c->value, n);
            else if (c->dst + c->width <= c->src || c->src + c->width <= c->dst)
                memcpy(c->dst + from, c->src + from, n);
            else
                memmove(c->dst + from, c->src + from, n);
        }
        return;
    }
    for (size_t z = 0; z < c->depth; z++)
        for (size_t y = 0; y < c->height; y++)
            if (c->kind == C_SET)
                memset(c->dst + z * c->dslice + y * c->dpitch, c->value, c->width);
            else
                memmove(c->dst + z * c->dslice + y * c->dpitch, c->src + z * c->sslice + y * c->spitch, c->width);
}

typedef struct {
    uintptr_t address;
    bool global;
} probe;

static int in_globals(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    probe *p = data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            if (p->address >= start && p->address < start + info->dlpi_phdr[i].p_memsz)
                p->global = true;
        }
    return p->global;
}

/* Might this be a __device__ or __constant__ variable? */
static bool is_global(const void *p)
{
    probe q = {(uintptr_t)p, false};
    dl_iterate_phdr(in_globals, &q);
    return q.global;
}

/* May `bytes` from p be the device (or host) side of a copy? */
static bool side_ok(const void *p, size_t bytes, bool device)
{
    if (!p)
        return false;
    region_kind k = region_of(p);
    allocation a;
    if (k != R_NONE || device) {
        bool known = allocation_of(p, &a);
        if (known && (uintptr_t)p + bytes > a.start + a.size)
            return false;
        if (!known && k != R_NONE)
            return false;
        if (device && !known)
            return is_global(p);
    }
    return device || k != R_DEVICE;
}

static cudaError_t check_sides(const void *dst, size_t dbytes, const void *src, size_t sbytes, enum cudaMemcpyKind kind)
{
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (kind == cudaMemcpyDefault)
        return side_ok(dst, dbytes, region_of(dst) == R_DEVICE) && side_ok(src, sbytes, region_of(src) == R_DEVICE) ? cudaSuccess : cudaErrorInvalidValue;
    bool to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return side_ok(dst, dbytes, to) && side_ok(src, sbytes, from) ? cudaSuccess : cudaErrorInvalidValue;
}

static bool pageable(const void *p)
{
    allocation a;
    return !allocation_of(p, &a) && !is_global(p);
}

/* Copies block by default; an asynchronous one returns at once if both sides are device, managed or pinned memory. */
cudaError_t memory_copy(void *dst, size_t dpitch, size_t dslice, const void *src, size_t spitch, size_t sslice, size_t width,
                        size_t height, size_t depth, enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    cudaError_t e = device_ready();
    if (e)
        return e;
    struct CUstream_st *s = stream_of(stream);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!width || !height || !depth)
        return cudaSuccess;
    if (height > 1 && (width > dpitch || width > spitch))
        return cudaErrorInvalidPitchValue;
    const cpudev_op_desc d = {.kind = CPUDEV_OP_COPY, .dst = dst, .src = src, .bytes = width, .rows = height, .slices = depth, .dpitch = dpitch, .spitch = spitch,
                              .dslice = dslice, .sslice = sslice, .copy_kind = (int)kind};
    e = ask_copy(&d);
    if (e)
        return e;
    e = s->grid ? cudaSuccess : check_sides(dst, (depth - 1) * dslice + (height - 1) * dpitch + width, src, (depth - 1) * sslice + (height - 1) * spitch + width, kind);
    if (e)
        return e;
    command *c = command_new(C_COPY);
    c->dst = dst;
    c->src = src;
    c->dpitch = dpitch;
    c->spitch = spitch;
    c->dslice = dslice;
    c->sslice = sslice;
    c->width = width;
    c->height = height;
    c->depth = depth;
    c->copy_kind = kind != cudaMemcpyDefault         ? kind
                   : region_of(dst) == R_DEVICE      ? (region_of(src) == R_DEVICE ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                   : region_of(src) == R_DEVICE      ? cudaMemcpyDeviceToHost
                                                     : cudaMemcpyHostToHost;
    bool overlap = (const char *)dst < (const char *)src + width && (const char *)src < (const char *)dst + width;
    if (height == 1 && depth == 1)
        c->units = overlap ? 1 : (width + PIECE - 1) / PIECE;
    if (overlap && height == 1 && depth == 1 && width > PIECE) {
        c->height = 1;
        c->units = 1;
        c->depth = 2;      /* one piece: rows of the whole width */
        c->dslice = c->sslice = 0;
    }
    bool wait = !async || pageable(dst) || pageable(src);
    if (s->capture || s->grid)
        wait = false;
    e = command_queue(c, s);
    if (e || !wait)
        return e;
    return stream_wait_all(s);
}

static cudaError_t set(void *dst, size_t pitch, size_t slice, int value, size_t width, size_t height, size_t depth, cudaStream_t stream)
{
    cudaError_t e = device_ready();
    if (e)
        return e;
    struct CUstream_st *s = stream_of(stream);
    if (!s)
        return cudaErrorInvalidResourceHandle;
    if (!width || !height || !depth)
        return cudaSuccess;
    if (height > 1 && width > pitch)
        return cudaErrorInvalidPitchValue;
    const cpudev_op_desc d = {.kind = CPUDEV_OP_SET, .dst = dst, .bytes = width, .rows = height, .slices = depth, .dpitch = pitch, .dslice = slice};
    if ((e = ask_copy(&d)))
        return e;
    TELL(set_value, value);
    if (!s->grid && !side_ok(dst, (depth - 1) * slice + (height - 1) * pitch + width, true))
        return cudaErrorInvalidValue;
    command *c = command_new(C_SET);
    c->dst = dst;
    c->dpitch = pitch;
    c->dslice = slice;
    c->width = width;
    c->height = height;
    c->depth = depth;
    c->value = value;
    if (height == 1 && depth == 1)
        c->units = (width + PIECE - 1) / PIECE;
    return command_queue(c, s);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    API;
    RETURN(memory_copy(dst, 0, 0, src, 0, 0, count, 1, 1, kind, 0, false));
}
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    RETURN(memory_copy(dst, 0, 0, src, 0, 0, count, 1, 1, kind, stream, true));
}
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    API;
    if (dstDevice || srcDevice)
        RETURN(cudaErrorInvalidDevice);
    RETURN(memory_copy(dst, 0, 0, src, 0, 0, count, 1, 1, cudaMemcpyDeviceToDevice, 0, false));
}
cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count, cudaStream_t stream)
{
    API;
    if (dstDevice || srcDevice)
        RETURN(cudaErrorInvalidDevice);
    RETURN(memory_copy(dst, 0, 0, src, 0, 0, count, 1, 1, cudaMemcpyDeviceToDevice, stream, true));
}
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    API;
    if (width > dpitch || width > spitch)
        RETURN(cudaErrorInvalidPitchValue);
    RETURN(memory_copy(dst, dpitch, 0, src, spitch, 0, width, height, 1, kind, 0, false));
}
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    if (width > dpitch || width > spitch)
        RETURN(cudaErrorInvalidPitchValue);
    RETURN(memory_copy(dst, dpitch, 0, src, spitch, 0, width, height, 1, kind, stream, true));
}
static cudaError_t copy3d(const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool async)
{
    if (!p)
        return cudaErrorInvalidValue;
    size_t dpitch = p->dstPtr.pitch, spitch = p->srcPtr.pitch, ds = dpitch * p->dstPtr.ysize, ss = spitch * p->srcPtr.ysize;
    char *d = (char *)p->dstPtr.ptr + p->dstPos.z * ds + p->dstPos.y * dpitch + p->dstPos.x;
    char *s = (char *)p->srcPtr.ptr + p->srcPos.z * ss + p->srcPos.y * spitch + p->srcPos.x;
    size_t width = p->extent.width, texel = 1;
    if (p->srcArray)
        array_place(p->srcArray, p->srcPos, &s, &spitch, &ss, &texel);
    if (p->dstArray)
        array_place(p->dstArray, p->dstPos, &d, &dpitch, &ds, &texel);
    width *= texel;            /* with an array, it counts in elements */
    return memory_copy(d, dpitch, ds, s, spitch, ss, width, p->extent.height, p->extent.depth, p->kind, stream, async);
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    API;
    RETURN(copy3d(p, 0, false));
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    API;
    RETURN(copy3d(p, stream, true));
}
cudaError_t cudaMemset(void *ptr, int value, size_t count)
{
    API;
    RETURN(set(ptr, 0, 0, value, count, 1, 1, 0));
}
cudaError_t cudaMemsetAsync(void *ptr, int value, size_t count, cudaStream_t stream)
{
    API;
    RETURN(set(ptr, 0, 0, value, count, 1, 1, stream));
}
cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
    API;
    RETURN(set(ptr, pitch, 0, value, width, height, 1, 0));
}
cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    API;
    RETURN(set(ptr, pitch, 0, value, width, height, 1, stream));
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent e)
{
    API;
    RETURN(set(ptr.ptr, ptr.pitch, ptr.pitch * ptr.ysize, value, e.width, e.height, e.depth, 0));
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent e, cudaStream_t stream)
{
    API;
    RETURN(set(ptr.ptr, ptr.pitch, ptr.pitch * ptr.ysize, value, e.width, e.height, e.depth, stream));
}

static cudaError_t to_symbol(const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    if (!symbol)
        return cudaErrorInvalidSymbol;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    return memory_copy((char *)symbol + offset, 0, 0, src, 0, 0, count, 1, 1, kind, stream, async);
}
static cudaError_t from_symbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
    if (!symbol)
        return cudaErrorInvalidSymbol;
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    return memory_copy(dst, 0, 0, (const char *)symbol + offset, 0, 0, count, 1, 1, kind, stream, async);
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    API;
    RETURN(to_symbol(symbol, src, count, offset, kind, 0, false));
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    RETURN(to_symbol(symbol, src, count, offset, kind, stream, true));
}
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    API;
    RETURN(from_symbol(dst, symbol, count, offset, kind, 0, false));
}
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    RETURN(from_symbol(dst, symbol, count, offset, kind, stream, true));
}
cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol)
{
    API;
    if (!ptr || !symbol)
        RETURN(cudaErrorInvalidValue);
    *ptr = (void *)symbol;
    TELL(symbol_address, symbol);
    RETURN(cudaSuccess);
}

/* ---- managed memory: there is one memory, so nothing moves --------------------------------- */

static cudaError_t managed_range(const void *ptr, size_t count)
{
    allocation a;
    if (!count || !allocation_of(ptr, &a) || a.kind != R_MANAGED || (uintptr_t)ptr + count > a.start + a.size)
        return cudaErrorInvalidValue;
    return cudaSuccess;
}
static bool location_ok(struct cudaMemLocation l) { return l.type == cudaMemLocationTypeHost || (l.type == cudaMemLocationTypeDevice && l.id == 0); }

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t count, struct cudaMemLocation location, unsigned int flags, cudaStream_t stream)
{
    API;
    cudaError_t e = device_ready();
    struct CUstream_st *s = stream_of(stream);
    if (!e && !s)
        e = cudaErrorInvalidResourceHandle;
    if (!e)
        e = flags ? cudaErrorInvalidValue : location_ok(location) ? managed_range(ptr, count) : cudaErrorInvalidDevice;
    if (e)
        RETURN(e);
    RETURN(command_queue(command_new(C_MARKER), s));
}
cudaError_t cudaMemAdvise(const void *ptr, size_t count, enum cudaMemoryAdvise advice, struct cudaMemLocation location)
{
    API;
    (void)location;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        RETURN(cudaErrorInvalidValue);
    RETURN(managed_range(ptr, count));
}
cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute, const void *ptr, size_t count)
{
    API;
    (void)attribute;
    if (!data || dataSize < 4)
        RETURN(cudaErrorInvalidValue);
    memset(data, 0, dataSize);
    RETURN(managed_range(ptr, count));
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t length, unsigned int flags)
{
    API;
    (void)length;
    allocation a;
    if (!stream_of(stream) || flags > 4 || !allocation_of(ptr, &a) || a.kind != R_MANAGED)
        RETURN(cudaErrorInvalidValue);
    RETURN(cudaSuccess);
}
