/* profiler_chunk.c: chunks of 256 KiB from memory or a file. See profiler_chunk.h. */
#include "profiler_chunk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

prof_chunk *prof_chunk_in_file(prof_chunk_file *file, uint64_t *offset)
{
    void *p = MAP_FAILED;
    pthread_mutex_lock(&file->mutex);
    *offset = file->bytes;
    /* A full disk must show here and not as a SIGBUS at some later store. */
    if (!posix_fallocate(file->fd, (off_t)*offset, PROF_CHUNK_BYTES))
        p = mmap(NULL, PROF_CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, (off_t)*offset);
    if (p != MAP_FAILED)
        file->bytes += PROF_CHUNK_BYTES;
    pthread_mutex_unlock(&file->mutex);
    return p == MAP_FAILED ? NULL : p;
}

int prof_unnamed_file(void)
{
    const char *dir = getenv("TMPDIR");
    char path[512];
    snprintf(path, sizeof path, "%s/profilerXXXXXX", dir && *dir ? dir : "/tmp");
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

enum { SPARE_CHUNKS = 128 }; /* kept for the next recording: memory whose pages are there */

static struct {
    pthread_mutex_t mutex;
    prof_chunk *chunk[SPARE_CHUNKS];
    int count;
} spare = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* All of its pages at once: one by one, while events come, they cost as much as the events. */
prof_chunk *prof_chunk_in_memory(void)
{
    pthread_mutex_lock(&spare.mutex);
    prof_chunk *c = spare.count ? spare.chunk[--spare.count] : NULL;
    pthread_mutex_unlock(&spare.mutex);
    if (c)
        return c;
    void *p = mmap(NULL, PROF_CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void prof_chunk_free(prof_chunk *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&spare.mutex);
    int keep = spare.count < SPARE_CHUNKS;
    if (keep)
        spare.chunk[spare.count++] = c;
    pthread_mutex_unlock(&spare.mutex);
    if (!keep)
        munmap(c, PROF_CHUNK_BYTES);
}

void prof_chunk_init(prof_chunk *c, uint32_t kind)
{
    c->magic = PROF_MAGIC;
    c->kind = kind;
    c->min_start = UINT64_MAX;
    c->max_start = 0;
    c->in_ns = 0;
    atomic_store_explicit(&c->count, 0, memory_order_release);
}
