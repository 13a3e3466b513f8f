/* vmm.c: virtual memory management (cpudev_vmm.h).
 *
 * Reserved addresses are mapped with no access; a mapping puts a memfd there. Memory that may be accessed is known to the
 * rest of the runtime as device memory, through the list of registered memory: one entry for each stretch without a gap. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/memory.h"
#include "device/message.h"
#include "driver_api/module.h"
#include "stream/host_wait.h"
#include "observe/observers.h"
#include "cpudev_must.h"

enum { GRAIN = 2 << 20, MEMORY_MAGIC = 0x564d4d31 };

typedef struct vmm_memory {
    unsigned magic;
    int file, uses, handles; /* uses: the handles that are held, and the mappings */
    size_t bytes;
    bool imported;
    CUmemAllocationProp prop;
} vmm_memory;

/* A mapping, by address; or, with no memory, a reservation. */
typedef struct vmm_range {
    struct vmm_range *next;
    uintptr_t start;
    size_t bytes;
    vmm_memory *memory;
    int access; /* CUmemAccess_flags */
} vmm_range;

static struct {
    pthread_mutex_t lock;
    vmm_range *reserved, *mapped; /* each by address */
} vmm = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool whole(uint64_t bytes) { return bytes && bytes % GRAIN == 0; }

static vmm_range **place_of(vmm_range **list, uintptr_t start)
{
    while (*list && (*list)->start < start)
        list = &(*list)->next;
    return list;
}

static bool add(vmm_range **list, vmm_range r)
{
    vmm_range *made = malloc(sizeof *made), **at = place_of(list, r.start);
    if (!made)
        return false;
    r.next = *at;
    *made = r;
    *at = made;
    return true;
}

static bool overlaps(const vmm_range *list, uintptr_t start, size_t bytes)
{
    for (; list; list = list->next)
        if (list->start < start + bytes && start < list->start + list->bytes)
            return true;
    return false;
}

static const vmm_range *reservation_of(uintptr_t start, size_t bytes)
{
    for (const vmm_range *r = vmm.reserved; r; r = r->next)
        if (r->start <= start && start + bytes <= r->start + r->bytes)
            return r;
    return NULL;
}

static void drop(vmm_memory *m)
{
    if (--m->uses)
        return;
    close(m->file);
    if (!m->imported) {
        pthread_mutex_lock(&device_memory.lock);
        device_memory.used_bytes -= m->bytes;
        pthread_mutex_unlock(&device_memory.lock);
    }
    m->magic = 0;
    free(m);
}

static vmm_memory *memory_of(CUmemGenericAllocationHandle handle)
{
    vmm_memory *m = (vmm_memory *)(uintptr_t)handle;
    return m && m->magic == MEMORY_MAGIC ? m : NULL;
}

/* Registers the accessible parts of the reservation as device memory again, after one of them has changed. */
static void publish(const vmm_range *reservation)
{
    const uintptr_t from = reservation->start, to = from + reservation->bytes;
    pthread_mutex_lock(&device_memory.lock);
    for (int i = device_memory.nregistered - 1; i >= 0; i--)
        if (device_memory.registered[i].start >= from && device_memory.registered[i].start < to) {
            TELL(register_memory, (void *)device_memory.registered[i].start, 0, false, true);
            device_memory.registered[i] = device_memory.registered[--device_memory.nregistered];
        }
    for (vmm_range *r = *place_of(&vmm.mapped, from); r && r->start < to;) {
        const uintptr_t start = r->start;
        uintptr_t end = start;
        const bool accessible = r->access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
        for (; r && r->start == end && end < to && (r->access != CU_MEM_ACCESS_FLAGS_PROT_NONE) == accessible;
             r = r->next)
            end += r->bytes;
        if (!accessible)
            continue;
        allocation *list = realloc(device_memory.registered, (size_t)(device_memory.nregistered + 1) * sizeof *list);
        if (!list)
            out_of_memory();
        device_memory.registered = list;
        list[device_memory.nregistered++] = (allocation){start, end - start, end - start, R_DEVICE, true, 0};
        TELL(register_memory, (void *)start, end - start, true, true);
    }
    pthread_mutex_unlock(&device_memory.lock);
}

static bool prop_ok(const CUmemAllocationProp *p)
{
    if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return false;
    if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
        message("virtual memory management: only device memory is supported, not host memory");
        return false;
    }
    return true;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags which)
{
    DRIVER;
    if (!bytes || !prop_ok(prop) || which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    *bytes = GRAIN;
    RESULT(prop->location.id ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}

CUresult cuMemAddressReserve(CUdeviceptr *p, size_t bytes, size_t alignment, CUdeviceptr wish, unsigned long long flags)
{
    DRIVER;
    (void)wish; /* a hint */
    if (!p || !whole(bytes) || flags || (alignment & (alignment - 1)))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    const size_t align = alignment > GRAIN ? alignment : GRAIN;
    char *got = mmap(NULL, bytes + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
        RESULT(CUDA_ERROR_OUT_OF_MEMORY);
    const uintptr_t start = ((uintptr_t)got + align - 1) / align * align;
    const size_t before = start - (uintptr_t)got;
    if (before)
        munmap(got, before);
    munmap((char *)start + bytes, align - before);
    pthread_mutex_lock(&vmm.lock);
    const bool added = add(&vmm.reserved, (vmm_range){.start = start, .bytes = bytes});
    pthread_mutex_unlock(&vmm.lock);
    *p = start;
    RESULT(added ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUresult cuMemAddressFree(CUdeviceptr p, size_t bytes)
{
    DRIVER;
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&vmm.lock);
    vmm_range **at = place_of(&vmm.reserved, p), *r = *at;
    if (r && r->start == p && r->bytes == bytes && !overlaps(vmm.mapped, p, bytes)) {
        *at = r->next;
        munmap((void *)r->start, bytes);
        free(r);
        result = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&vmm.lock);
    RESULT(result);
}

/* Makes the record of the memory, which takes over the file. */
static CUresult make_memory(CUmemGenericAllocationHandle *handle, int file, size_t bytes,
                            const CUmemAllocationProp *prop, bool imported)
{
    vmm_memory *m = malloc(sizeof *m);
    if (!m) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *m = (vmm_memory){.magic = MEMORY_MAGIC,
                      .file = file,
                      .uses = 1,
                      .handles = 1,
                      .bytes = bytes,
                      .imported = imported,
                      .prop = *prop};
    m->prop.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
    *handle = (CUmemGenericAllocationHandle)(uintptr_t)m;
    return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
                     unsigned long long flags)
{
    DRIVER;
    if (!handle || !whole(bytes) || !prop_ok(prop) || flags)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (prop->location.id)
        RESULT(CUDA_ERROR_INVALID_DEVICE);
    if (prop->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        RESULT(CUDA_ERROR_NOT_SUPPORTED);
    pthread_mutex_lock(&device_memory.lock);
    const bool fits = bytes <= device_memory.total_bytes - device_memory.used_bytes;
    device_memory.used_bytes += fits ? bytes : 0;
    pthread_mutex_unlock(&device_memory.lock);
    if (!fits)
        RESULT(CUDA_ERROR_OUT_OF_MEMORY);
    int file = memfd_create("cuMemCreate", MFD_CLOEXEC);
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (file >= 0 && ftruncate(file, (off_t)bytes)) {
        close(file);
        file = -1;
    }
    if (file >= 0)
        result = make_memory(handle, file, bytes, prop, false);
    if (result) {
        pthread_mutex_lock(&device_memory.lock);
        device_memory.used_bytes -= bytes;
        pthread_mutex_unlock(&device_memory.lock);
    }
    RESULT(result);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    DRIVER;
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&vmm.lock);
    vmm_memory *m = memory_of(handle);
    if (m && m->handles) {
        m->handles--;
        drop(m);
        result = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&vmm.lock);
    RESULT(result);
}

CUresult cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    DRIVER;
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&vmm.lock);
    vmm_memory *m = memory_of(handle);
    if (m && !flags && whole(bytes) && p % GRAIN == 0 && offset % GRAIN == 0 && offset <= m->bytes &&
        bytes <= m->bytes - offset && reservation_of(p, bytes) && !overlaps(vmm.mapped, p, bytes)) {
        result = CUDA_ERROR_OUT_OF_MEMORY;
        if (mmap((void *)(uintptr_t)p, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, m->file, (off_t)offset) !=
                MAP_FAILED &&
            add(&vmm.mapped, (vmm_range){.start = p, .bytes = bytes, .memory = m})) {
            m->uses++;
            result = CUDA_SUCCESS;
        }
    }
    pthread_mutex_unlock(&vmm.lock);
    RESULT(result);
}

/* Do whole mappings without a gap between them cover exactly these bytes from p on? */
static bool covered(uintptr_t p, size_t bytes)
{
    const uintptr_t end = p + bytes;
    for (const vmm_range *r = *place_of(&vmm.mapped, p); r && r->start == p && p < end; r = r->next)
        p += r->bytes;
    return p == end;
}

CUresult cuMemUnmap(CUdeviceptr p, size_t bytes)
{
    DRIVER;
    CUresult result = (CUresult)wait_for_everything();
    pthread_mutex_lock(&vmm.lock);
    const vmm_range *reservation = reservation_of(p, bytes);
    if (!bytes || !reservation || !covered(p, bytes))
        result = CUDA_ERROR_INVALID_VALUE;
    else {
        vmm_range **at = place_of(&vmm.mapped, p);
        for (uintptr_t end = p + bytes; *at && (*at)->start < end;) {
            vmm_range *r = *at;
            *at = r->next;
            mmap((void *)r->start, r->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
            drop(r->memory);
            free(r);
        }
        publish(reservation);
    }
    pthread_mutex_unlock(&vmm.lock);
    RESULT(result);
}

CUresult cuMemSetAccess(CUdeviceptr p, size_t bytes, const CUmemAccessDesc *list, size_t count)
{
    DRIVER;
    if (!list || !count)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++)
        if (list[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || list[i].location.id)
            RESULT(CUDA_ERROR_INVALID_DEVICE);
    const int access = (int)list[count - 1].flags;
    if (access != CU_MEM_ACCESS_FLAGS_PROT_NONE && access != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        access != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&vmm.lock);
    const vmm_range *reservation = reservation_of(p, bytes);
    if (bytes && reservation && covered(p, bytes)) {
        for (vmm_range *r = *place_of(&vmm.mapped, p); r && r->start < p + bytes; r = r->next)
            r->access = access;
        result = mprotect((void *)(uintptr_t)p, bytes, (access & 1 ? PROT_READ : 0) | (access & 2 ? PROT_WRITE : 0))
                     ? CUDA_ERROR_INVALID_VALUE
                     : CUDA_SUCCESS;
        publish(reservation);
    }
    pthread_mutex_unlock(&vmm.lock);
    RESULT(result);
}

static vmm_range *mapping_at(uintptr_t p)
{
    for (vmm_range *r = vmm.mapped; r; r = r->next)
        if (p >= r->start && p < r->start + r->bytes)
            return r;
    return NULL;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr p)
{
    DRIVER;
    if (!flags || !location)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || location->id)
        RESULT(CUDA_ERROR_INVALID_DEVICE);
    pthread_mutex_lock(&vmm.lock);
    const vmm_range *r = mapping_at(p);
    if (r)
        *flags = (unsigned long long)r->access;
    pthread_mutex_unlock(&vmm.lock);
    RESULT(r ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)
{
    DRIVER;
    const vmm_memory *m = memory_of(handle);
    if (!prop || !m)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    *prop = m->prop;
    RESULT(CUDA_SUCCESS);
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *p)
{
    DRIVER;
    pthread_mutex_lock(&vmm.lock);
    vmm_range *r = handle ? mapping_at((uintptr_t)p) : NULL;
    if (r) {
        r->memory->uses++;
        r->memory->handles++;
        *handle = (CUmemGenericAllocationHandle)(uintptr_t)r->memory;
    }
    pthread_mutex_unlock(&vmm.lock);
    RESULT(r ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuMemExportToShareableHandle(void *to, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                                      unsigned long long flags)
{
    DRIVER;
    const vmm_memory *m = memory_of(handle);
    if (!to || !m || flags || !((int)m->prop.requestedHandleTypes & (int)type))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    const int file = fcntl(m->file, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
        RESULT(CUDA_ERROR_OUT_OF_MEMORY);
    memcpy(to, &file, sizeof file);
    RESULT(CUDA_SUCCESS);
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *from,
                                        CUmemAllocationHandleType type)
{
    DRIVER;
    struct stat st;
    if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (fstat((int)(intptr_t)from, &st) || !whole((uint64_t)st.st_size))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    const int file = fcntl((int)(intptr_t)from, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
        RESULT(CUDA_ERROR_OUT_OF_MEMORY);
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes = type,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    RESULT(make_memory(handle, file, (size_t)st.st_size, &prop, true));
}
