/* profiler_source.c: one program's events, once they are no longer written: those of a store that was closed, or a log
 * file, whole or cut off. Chunks are mapped one at a time, so that a run may be longer than memory. */
#include "profiler_chunk.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t prof_clock_ns(const prof_clock *c, uint64_t reading)
{
    return c->rate ? c->ns + (uint64_t)((__int128)(int64_t)(reading - c->ticks) * c->rate >> 32) : reading;
}

/* Whether it is one. */
static int read_header(prof_source *s, prof_file_header *h)
{
    s->pid = h->pid;
    s->base_ns = h->base_ns;
    s->unix_ns = h->unix_ns;
    s->clock = h->clock;
    s->end_ns = atomic_load(&h->end_ns);
    s->lost = atomic_load(&h->lost);
    s->closed = (int)atomic_load(&h->closed);
    snprintf(s->backend, sizeof s->backend, "%.*s", (int)sizeof h->backend - 1, h->backend);
    snprintf(s->device, sizeof s->device, "%.*s", (int)sizeof h->device - 1, h->device);
    snprintf(s->program, sizeof s->program, "%.*s", (int)sizeof h->program - 1, h->program);
    snprintf(s->message, sizeof s->message, "%.*s", (int)sizeof h->message - 1, h->message);
    return h->magic == PROF_MAGIC && h->kind == PROF_CHUNK_HEADER;
}

/* Reads what is whole and in order: the number of each name is the one after the last. */
static void read_names(prof_source *s, prof_chunk *c)
{
    uint32_t end = atomic_load_explicit(&c->count, memory_order_acquire), at = 0;
    if (end > PROF_CHUNK_BYTES - offsetof(prof_chunk, events))
        end = 0;
    while (at + 8 <= end) {
        uint32_t id, length;
        memcpy(&id, (char *)c->events + at, 4);
        memcpy(&length, (char *)c->events + at + 4, 4);
        if (length == 0 || length > end - at - 8 || id != s->name_count)
            return;
        if ((id & (id + 1)) == 0) { /* room for the next power of two */
            const char **grown = realloc(s->names, (size_t)(id + 1) * 2 * sizeof *grown);
            if (!grown)
                return;
            s->names = grown;
        }
        s->names[s->name_count++] = strndup((char *)c->events + at + 8, length - 1);
        at += 8 + (length + 7) / 8 * 8;
    }
}

prof_source *prof_source_read(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || st.st_size < (off_t)PROF_CHUNK_BYTES) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    size_t n = (size_t)st.st_size / PROF_CHUNK_BYTES;
    prof_source *s = calloc(1, sizeof *s);
    if (!s || !(s->chunks = calloc(n, sizeof *s->chunks))) {
        free(s);
        close(fd);
        return NULL;
    }
    s->fd = fd;
    s->owns_names = 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t offset = (uint64_t)i * PROF_CHUNK_BYTES;
        prof_chunk *c = mmap(NULL, PROF_CHUNK_BYTES, PROT_READ, MAP_SHARED, fd, (off_t)offset);
        if (c == MAP_FAILED)
            continue;
        if (i == 0) {
            if (!read_header(s, (prof_file_header *)c))
                n = 0;
        } else if (c->magic == PROF_MAGIC && c->kind == PROF_CHUNK_DATA) {
            s->chunks[s->chunk_count++].offset = offset;
        } else if (c->magic == PROF_MAGIC && c->kind == PROF_CHUNK_NAMES) {
            read_names(s, c);
        }
        munmap(c, PROF_CHUNK_BYTES);
    }
    s->display = calloc(s->name_count + 1, sizeof *s->display);
    if (!n || !s->base_ns) {
        prof_source_free(s);
        return NULL;
    }
    return s;
}

/* In the file a chunk keeps its readings: whoever maps it has a copy of his own. */
static prof_chunk *chunk_map(const prof_source *s, size_t i)
{
    if (s->chunks[i].memory)
        return s->chunks[i].memory;
    void *p = mmap(NULL, PROF_CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, s->fd, (off_t)s->chunks[i].offset);
    return p == MAP_FAILED ? NULL : p;
}

const prof_chunk *prof_chunk_map(const prof_source *s, size_t i)
{
    prof_chunk *c = chunk_map(s, i);
    if (!c || !s->clock.rate || c->in_ns)
        return c;
    uint32_t n = atomic_load_explicit(&c->count, memory_order_acquire);
    for (uint32_t k = 0; k < n && k < PROF_CHUNK_EVENTS; k++) {
        c->events[k].start_ns = prof_clock_ns(&s->clock, c->events[k].start_ns);
        c->events[k].end_ns = prof_clock_ns(&s->clock, c->events[k].end_ns);
    }
    if (n) {
        c->min_start = prof_clock_ns(&s->clock, c->min_start);
        c->max_start = prof_clock_ns(&s->clock, c->max_start);
    }
    c->in_ns = 1;
    return c;
}

void prof_chunk_unmap(const prof_source *s, size_t i, const prof_chunk *c)
{
    if (c && !s->chunks[i].memory)
        munmap((void *)(uintptr_t)c, PROF_CHUNK_BYTES);
}

uint64_t prof_source_events(const prof_source *s)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->chunk_count; i++) {
        const prof_chunk *c = chunk_map(s, i);
        if (c)
            n += atomic_load_explicit(&c->count, memory_order_acquire);
        prof_chunk_unmap(s, i, c);
    }
    return n;
}

void prof_source_free(prof_source *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->chunk_count; i++)
        prof_chunk_free(s->chunks[i].memory);
    for (size_t i = 0; i < s->name_count; i++) {
        if (s->display && s->display[i] != s->names[i])
            free((void *)(uintptr_t)s->display[i]);
        if (s->owns_names)
            free((void *)(uintptr_t)s->names[i]);
    }
    if (s->fd >= 0)
        close(s->fd);
    free(s->chunks);
    free(s->names);
    free(s->display);
    free(s);
}

/* The C++ library is in every program nvcc or cucc links; a C program may do without. */
extern char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));

const char *prof_display_name(prof_source *s, uint32_t id)
{
    if (id >= s->name_count)
        return "?";
    if (s->display[id])
        return s->display[id];
    const char *name = s->names[id];
    if (name[0] == '_' && name[1] == 'Z') {
        static char *(*demangle)(const char *, char *, size_t *, int *);
        if (!demangle)
            demangle = __cxa_demangle;
        if (!demangle) {
            void *lib = dlopen("libstdc++.so.6", RTLD_LAZY);
            if (lib)
                *(void **)&demangle = dlsym(lib, "__cxa_demangle");
        }
        int status = -1;
        char *plain = demangle ? demangle(name, NULL, NULL, &status) : NULL;
        if (plain && status == 0)
            name = plain;
    }
    return s->display[id] = name;
}

int prof_is_cpu_device(const prof_source *s) { return !strcmp(s->backend, "CPU device"); }
