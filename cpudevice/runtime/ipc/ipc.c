/* ipc.c: device memory of one process, used by others. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/call.h"
#include "cuda_runtime_api.h"
#include "stream/host_wait.h"
#include "memory/memory.h"
#include "device/process.h"
#include "stream/scheduler.h"
#include "ipc/shared_file.h"

_Static_assert(sizeof(shared_key) <= sizeof(cudaIpcMemHandle_t), "a key fits into a handle");

/* Memory of another process that is mapped here. */
typedef struct import {
    struct import *next;
    uint64_t number; /* the key's */
    void *map;
    size_t mapped;
    uintptr_t start; /* what the caller sees */
    int uses;
} import;

static import *imports;
static pthread_mutex_t imports_lock = PTHREAD_MUTEX_INITIALIZER;

/* Its pages are replaced while no command runs, nor starts. */
static cudaError_t share_quiet(const allocation *a, shared_key *key)
{
    for (;;) {
        cudaError_t e = wait_for_all_work();
        if (e)
            return e;
        scheduler_lock();
        if (!scheduler.unfinished) {
            e = memory_share(a, key);
            scheduler_unlock();
            return e;
        }
        scheduler_unlock();
    }
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr)
{
    API;
    RESULT_AT(handle);
    shared_key key;
    allocation a;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    /* of cudaMalloc: what is registered lies in no region */
    if (!handle || region_of(ptr) != R_DEVICE || !allocation_of(ptr, &a) || (a.flags & MEMORY_OF_POOL))
        RETURN(cudaErrorInvalidValue);
    e = share_quiet(&a, &key);
    if (!e) {
        memset(handle, 0, sizeof *handle);
        memcpy(handle, &key, sizeof key);
    }
    RETURN(e);
}

static cudaError_t map_memory(const shared_key *key, import *made)
{
    memory_slot slot;
    int file;
    cudaError_t e = shared_open(key, MEMORY_KEY, &file);
    if (e)
        return e;
    if (!(e = shared_memory_slot(key, file, &slot))) {
        const uint64_t from = page_down(slot.start);
        made->number = key->number;
        made->mapped = page_up(slot.start + slot.bytes) - from;
        made->map = mmap(NULL, made->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)(PAGES_AT + from));
        made->start = (uintptr_t)made->map + (slot.start - from);
        made->uses = 1;
        if (made->map == MAP_FAILED)
            e = cudaErrorMapBufferObjectFailed;
        else if (!memory_register((allocation){made->start, slot.bytes, slot.bytes, R_DEVICE, true, 0})) {
            munmap(made->map, made->mapped);
            e = cudaErrorMemoryAllocation;
        }
    }
    close(file);
    return e;
}

/* With the lock. */
static cudaError_t open_memory(const shared_key *key, void **ptr)
{
    for (import *i = imports; i; i = i->next)
        if (i->number == key->number) {
            i->uses++;
            *ptr = (void *)i->start;
            return cudaSuccess;
        }
    import *made = calloc(1, sizeof *made);
    cudaError_t e = made ? map_memory(key, made) : cudaErrorMemoryAllocation;
    if (e) {
        free(made);
        return e;
    }
    made->next = imports;
    imports = made;
    *ptr = (void *)made->start;
    return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int flags)
{
    API;
    RESULT_AT(ptr);
    shared_key key;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if (!ptr || flags != cudaIpcMemLazyEnablePeerAccess)
        RETURN(cudaErrorInvalidValue);
    memcpy(&key, &handle, sizeof key);
    pthread_mutex_lock(&imports_lock);
    e = open_memory(&key, ptr);
    pthread_mutex_unlock(&imports_lock);
    RETURN(e);
}

cudaError_t cudaIpcCloseMemHandle(void *ptr)
{
    API;
    cudaError_t e = device_ready();
    if (!e)
        e = wait_for_everything();
    if (e)
        RETURN(e);
    e = cudaErrorInvalidValue;
    pthread_mutex_lock(&imports_lock);
    for (import **at = &imports; *at; at = &(*at)->next) {
        import *i = *at;
        if (i->start != (uintptr_t)ptr)
            continue;
        e = cudaSuccess;
        if (--i->uses == 0) {
            memory_unregister(i->start, R_DEVICE);
            munmap(i->map, i->mapped);
            *at = i->next;
            free(i);
        }
        break;
    }
    pthread_mutex_unlock(&imports_lock);
    RETURN(e);
}
