/* profiler_store.c: the events as they come, from any thread, in bounded memory.
 *
 * Each thread fills a chunk of its own, without a lock: threads meet only when a chunk is full.
 * Whoever closes the store waits until no thread is inside prof_put(); the waiting side pays for
 * that with a membarrier(), the writing side with nothing but a store. A chunk is 256 KiB of memory or, past the limit
 * (or when the log must outlive a crash), of a file that is mapped while it is being filled and unmapped after. */
#include "profiler_core.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static prof_clock the_clock = {.now = monotonic_ns};

static uint64_t to_ns(const prof_clock *c, uint64_t reading)
{
    return c->rate ? c->ns + (uint64_t)((__int128)(int64_t)(reading - c->ticks) * c->rate >> 32) : reading;
}

uint64_t prof_now(void) { return the_clock.now(); }
uint64_t prof_now_ns(void) { return to_ns(&the_clock, prof_now()); }

static uint64_t unix_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static __thread uint32_t this_thread;
uint32_t prof_thread(void)
{
    if (!this_thread)
        this_thread = (uint32_t)syscall(SYS_gettid);
    return this_thread;
}

/* ---- the store ---- */

typedef struct lane { /* one thread's place to write */
    atomic_int busy;  /* its thread is inside prof_put() */
    prof_chunk *chunk;
    int mapped; /* the chunk lies in the file */
    int in_use;
    struct lane *next;
} lane;

enum { SPARE_CHUNKS = 128 }; /* kept for the next recording: memory whose pages are there */

static struct {
    pthread_mutex_t mutex;
    atomic_int open;
    prof_chunk_ref *chunks;
    size_t chunk_count, chunk_room;
    size_t memory_limit, memory_used;
    int fd;
    int logging; /* opened with a path */
    uint64_t file_bytes;
    uint64_t base_ns, unix_ns;
    prof_file_header *header;
    _Atomic uint64_t lost;
    prof_chunk *name_chunk;
    lane *lanes;
    prof_chunk *spare[SPARE_CHUNKS];
    int spares;
} store = {.mutex = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static pthread_key_t lane_key;
static pthread_once_t lane_once = PTHREAD_ONCE_INIT;
static __thread lane *my_lane;

static void lane_release(void *arg)
{ /* a thread ended: another may go on in its chunk */
    lane *l = arg;
    my_lane = NULL;
    pthread_mutex_lock(&store.mutex);
    l->in_use = 0;
    pthread_mutex_unlock(&store.mutex);
}

static void after_fork(void)
{ /* the child must not write into the parent's log */
    atomic_store(&store.open, 0);
    this_thread = 0;
}

static void lane_init(void)
{
    pthread_key_create(&lane_key, lane_release);
    pthread_atfork(NULL, NULL, after_fork);
}

/* Out of line, as lane_new_chunk() is: what an event always does stays short. */
static __attribute__((noinline)) lane *lane_get(void)
{
    pthread_once(&lane_once, lane_init);
    pthread_mutex_lock(&store.mutex);
    lane *l = store.lanes;
    while (l && l->in_use)
        l = l->next;
    if (!l && (l = calloc(1, sizeof *l))) {
        l->next = store.lanes;
        store.lanes = l;
    }
    if (l)
        l->in_use = 1;
    pthread_mutex_unlock(&store.mutex);
    if (l)
        pthread_setspecific(lane_key, l);
    return my_lane = l;
}

/* A chunk of the file, mapped; the store's mutex is held. */
static prof_chunk *file_chunk(uint64_t *offset)
{
    *offset = store.file_bytes;
    /* A full disk must show here and not as a SIGBUS at some later store. */
    if (posix_fallocate(store.fd, (off_t)*offset, PROF_CHUNK_BYTES))
        return NULL;
    void *p = mmap(NULL, PROF_CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, store.fd, (off_t)*offset);
    if (p == MAP_FAILED)
        return NULL;
    store.file_bytes += PROF_CHUNK_BYTES;
    return p;
}

static int unnamed_file(void)
{
    const char *dir = getenv("TMPDIR");
    char path[512];
    snprintf(path, sizeof path, "%s/profilerXXXXXX", dir && *dir ? dir : "/tmp");
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static void chunk_init(prof_chunk *c, uint32_t kind)
{
    c->magic = PROF_MAGIC;
    c->kind = kind;
    c->min_start = UINT64_MAX;
    c->max_start = 0;
    c->in_ns = 0;
    atomic_store_explicit(&c->count, 0, memory_order_release);
}

/* All of its pages at once: one by one, while events come, they cost as much as the events. The
 * store's mutex is held. */
static prof_chunk *memory_chunk(void)
{
    if (store.spares)
        return store.spare[--store.spares];
    void *p = mmap(NULL, PROF_CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void memory_chunk_free(prof_chunk *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&store.mutex);
    int keep = store.spares < SPARE_CHUNKS;
    if (keep)
        store.spare[store.spares++] = c;
    pthread_mutex_unlock(&store.mutex);
    if (!keep)
        munmap(c, PROF_CHUNK_BYTES);
}

static __attribute__((noinline)) int lane_new_chunk(lane *l)
{
    if (l->chunk && l->mapped)
        munmap(l->chunk, PROF_CHUNK_BYTES);
    l->chunk = NULL;
    pthread_mutex_lock(&store.mutex);
    if (store.chunk_count == store.chunk_room) {
        size_t room = store.chunk_room ? store.chunk_room * 2 : 64;
        prof_chunk_ref *r = realloc(store.chunks, room * sizeof *r);
        if (!r)
            goto fail;
        store.chunks = r;
        store.chunk_room = room;
    }
    prof_chunk_ref ref = {0};
    if (!store.logging && store.memory_used + PROF_CHUNK_BYTES <= store.memory_limit && (ref.memory = memory_chunk())) {
        store.memory_used += PROF_CHUNK_BYTES;
        l->chunk = ref.memory;
        l->mapped = 0;
    } else {
        if (store.fd < 0)
            store.fd = unnamed_file();
        if (store.fd < 0 || !(l->chunk = file_chunk(&ref.offset)))
            goto fail;
        l->mapped = 1;
    }
    chunk_init(l->chunk, PROF_CHUNK_DATA);
    store.chunks[store.chunk_count++] = ref;
    pthread_mutex_unlock(&store.mutex);
    return 0;
fail:
    pthread_mutex_unlock(&store.mutex);
    return -1;
}

prof_event *prof_reserve(void)
{
    if (!atomic_load_explicit(&store.open, memory_order_relaxed))
        return NULL;
    lane *l = my_lane ? my_lane : lane_get();
    if (!l)
        return NULL;
    atomic_store_explicit(&l->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* the processor's half of the fence is wait_for_writers()'s */
    if (atomic_load_explicit(&store.open, memory_order_acquire)) {
        prof_chunk *c = l->chunk;
        uint32_t n = c ? atomic_load_explicit(&c->count, memory_order_relaxed) : PROF_CHUNK_EVENTS;
        if (n < PROF_CHUNK_EVENTS)
            return &c->events[n];
        if (!lane_new_chunk(l))
            return l->chunk->events;
        atomic_fetch_add(store.header ? &store.header->lost : &store.lost, 1);
    }
    atomic_store_explicit(&l->busy, 0, memory_order_release);
    return NULL;
}

void prof_commit(const prof_event *e)
{
    lane *l = my_lane;
    prof_chunk *c = l->chunk;
    if (e->start_ns < c->min_start)
        c->min_start = e->start_ns;
    if (e->start_ns > c->max_start)
        c->max_start = e->start_ns;
    atomic_store_explicit(&c->count, (uint32_t)(e - c->events) + 1, memory_order_release);
    atomic_store_explicit(&l->busy, 0, memory_order_release);
}

void prof_put(const prof_event *e)
{
    prof_event *slot = prof_reserve();
    if (slot) {
        *slot = *e;
        prof_commit(slot);
    }
}

/* ---- names ---- */

static struct {
    pthread_mutex_t mutex;
    const char **text;
    size_t count;
    uint32_t *slots;
    size_t slot_count;
    size_t logged; /* how many the log file has */
} names = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static uint64_t hash_text(const char *s)
{
    uint64_t h = 1469598103934665603u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 1099511628211u;
    return h ^ h >> 29;
}

/* Name records: number, length with the zero, text, padded to 8 bytes. Names' mutex held. */
static void names_log(void)
{
    if (!store.logging)
        return;
    for (; names.logged < names.count; names.logged++) {
        uint32_t id = (uint32_t)names.logged;
        const char *s = names.text[id];
        size_t room = PROF_CHUNK_BYTES - offsetof(prof_chunk, events);
        uint32_t length = (uint32_t)strnlen(s, room - 16) + 1;
        uint32_t need = 8 + (length + 7) / 8 * 8;
        prof_chunk *c = store.name_chunk;
        if (!c || atomic_load(&c->count) + need > room) {
            uint64_t offset;
            pthread_mutex_lock(&store.mutex);
            prof_chunk *fresh = file_chunk(&offset);
            pthread_mutex_unlock(&store.mutex);
            if (!fresh)
                return;
            if (c)
                munmap(c, PROF_CHUNK_BYTES);
            chunk_init(store.name_chunk = c = fresh, PROF_CHUNK_NAMES);
        }
        uint32_t at = atomic_load(&c->count);
        char *p = (char *)c->events + at;
        memcpy(p, &id, 4);
        memcpy(p + 4, &length, 4);
        memcpy(p + 8, s, length - 1);
        p[8 + length - 1] = 0;
        atomic_store_explicit(&c->count, at + need, memory_order_release);
    }
}

typedef struct name_hint { /* the text last seen at this address; compared before it is believed */
    const char *at, *text;
    uint32_t id;
} name_hint;
static __thread name_hint name_hints[64];

uint32_t prof_name(const char *text)
{
    if (!text)
        text = "?";
    name_hint *hint = &name_hints[((uintptr_t)text >> 3 ^ (uintptr_t)text >> 9) & 63];
    if (hint->at == text && !strcmp(hint->text, text))
        return hint->id;
    pthread_mutex_lock(&names.mutex);
    if (names.count * 2 >= names.slot_count) {
        size_t n = names.slot_count ? names.slot_count * 2 : 256;
        uint32_t *slots = calloc(n, sizeof *slots);
        const char **grown = realloc(names.text, n * sizeof *grown);
        if (grown)
            names.text = grown;
        if (!slots || !grown) {
            free(slots);
            pthread_mutex_unlock(&names.mutex);
            return 0;
        }
        for (size_t i = 0; i < names.count; i++) {
            size_t k = hash_text(names.text[i]) & (n - 1);
            while (slots[k])
                k = (k + 1) & (n - 1);
            slots[k] = (uint32_t)i + 1;
        }
        free(names.slots);
        names.slots = slots;
        names.slot_count = n;
    }
    size_t k = hash_text(text) & (names.slot_count - 1);
    while (names.slots[k] && strcmp(names.text[names.slots[k] - 1], text))
        k = (k + 1) & (names.slot_count - 1);
    uint32_t id = names.slots[k] - 1;
    if (!names.slots[k]) {
        char *copy = strdup(text);
        if (!copy) {
            pthread_mutex_unlock(&names.mutex);
            return 0;
        }
        id = (uint32_t)names.count;
        names.text[names.count++] = copy;
        names.slots[k] = id + 1;
        names_log();
    }
    *hint = (name_hint){text, names.text[id], id};
    pthread_mutex_unlock(&names.mutex);
    return id;
}

static __attribute__((noinline)) uint32_t learn(name_hint *hint, const char *text)
{
    *hint = (name_hint){text, NULL, prof_name(text)};
    return hint->id;
}

uint32_t prof_name_of_literal(const char *text)
{
    static __thread name_hint hints[64];
    name_hint *hint = &hints[((uintptr_t)text >> 3 ^ (uintptr_t)text >> 9) & 63];
    return hint->at == text && text ? hint->id : learn(hint, text);
}

const char *prof_name_text(uint32_t id)
{
    pthread_mutex_lock(&names.mutex);
    const char *s = id < names.count ? names.text[id] : "?";
    pthread_mutex_unlock(&names.mutex);
    return s;
}

const char *prof_copy_name(int event_kind, int copy_kind)
{
    static const char *const copies[PROF_COPY_KINDS] = {"Memcpy HtoH", "Memcpy HtoD", "Memcpy DtoH",
                                                        "Memcpy DtoD", "Memcpy PtoP", "Memcpy"};
    static const char *const migrations[PROF_COPY_KINDS] = {"Unified Memory Memcpy HtoH", "Unified Memory Memcpy HtoD",
                                                            "Unified Memory Memcpy DtoH", "Unified Memory Memcpy DtoD",
                                                            "Unified Memory Memcpy PtoP", "Unified Memory Memcpy"};
    if (event_kind == PROF_MEMSET)
        return "Memset (Device)";
    if (copy_kind < 0 || copy_kind >= PROF_COPY_KINDS)
        copy_kind = PROF_COPY_OTHER;
    return event_kind == PROF_MIGRATION ? migrations[copy_kind] : copies[copy_kind];
}

/* ---- opening and closing ---- */

static void program_name(char *out, size_t size)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, out, size - 1) : 0;
    if (fd >= 0)
        close(fd);
    if (n < 0)
        n = 0;
    while (n > 0 && !out[n - 1])
        n--;
    for (ssize_t i = 0; i < n; i++)
        if (!out[i])
            out[i] = ' ';
    out[n] = 0;
}

int prof_store_open(const char *path, size_t memory_bytes)
{
    if (atomic_load(&store.open))
        return -1;
    store.base_ns = prof_now_ns();
    store.unix_ns = unix_now_ns();
    store.memory_limit = memory_bytes;
    store.memory_used = 0;
    store.logging = 0;
    store.file_bytes = 0;
    store.lost = 0;
    if (path) {
        store.fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (store.fd < 0)
            return -1;
        uint64_t offset;
        prof_file_header *h = (prof_file_header *)file_chunk(&offset);
        if (!h) {
            close(store.fd);
            store.fd = -1;
            return -1;
        }
        h->pid = (uint32_t)getpid();
        h->base_ns = store.base_ns;
        h->unix_ns = store.unix_ns;
        program_name(h->program, sizeof h->program);
        h->kind = PROF_CHUNK_HEADER;
        h->magic = PROF_MAGIC;
        store.header = h;
        pthread_mutex_lock(&names.mutex);
        store.logging = 1;
        names.logged = 0;
        names_log();
        pthread_mutex_unlock(&names.mutex);
    }
    atomic_store(&store.open, 1);
    return 0;
}

prof_file_header *prof_store_header(void) { return store.header; }

void prof_set_clock(prof_clock clock)
{
    if (store.header)
        store.header->clock = clock;
    if (!clock.now)
        clock.now = monotonic_ns;
    the_clock = clock;
}

static void wait_for_writers(void)
{
    static int registered;
    struct timespec t = {0, 1000000};
    if (!registered)
        registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) ? -1 : 1;
    /* Without membarrier(): what another processor has stored is seen long before a millisecond is over. */
    if (registered < 0 || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
        nanosleep(&t, NULL);
    pthread_mutex_lock(&store.mutex);
    lane *l = store.lanes;
    pthread_mutex_unlock(&store.mutex);
    t.tv_nsec = 10000;
    for (; l; l = l->next) /* lanes are only ever added in front */
        while (atomic_load_explicit(&l->busy, memory_order_acquire))
            nanosleep(&t, NULL);
}

/* The store is closed: takes every lane's chunk away; after this nobody writes to those in the list. */
static void lanes_detach(void)
{
    wait_for_writers();
    pthread_mutex_lock(&store.mutex);
    for (lane *l = store.lanes; l; l = l->next) {
        if (l->chunk && l->mapped)
            munmap(l->chunk, PROF_CHUNK_BYTES);
        l->chunk = NULL;
    }
    pthread_mutex_unlock(&store.mutex);
}

prof_source *prof_store_close(void)
{
    if (!atomic_exchange(&store.open, 0))
        return NULL;
    lanes_detach();
    prof_source *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->pid = (uint32_t)getpid();
    s->base_ns = store.base_ns;
    s->unix_ns = store.unix_ns;
    s->clock = the_clock;
    s->end_ns = prof_now_ns();
    s->closed = 1;
    program_name(s->program, sizeof s->program);
    s->chunks = store.chunks;
    s->chunk_count = store.chunk_count;
    s->fd = store.fd;
    pthread_mutex_lock(&names.mutex);
    s->lost = store.header ? store.header->lost : store.lost;
    if (store.header) {
        atomic_store(&store.header->end_ns, s->end_ns);
        atomic_store(&store.header->closed, 1);
        munmap(store.header, PROF_CHUNK_BYTES);
    }
    if (store.name_chunk)
        munmap(store.name_chunk, PROF_CHUNK_BYTES);
    store.header = NULL;
    store.name_chunk = NULL;
    store.logging = 0;
    s->names = malloc((names.count + 1) * sizeof *s->names);
    s->display = calloc(names.count + 1, sizeof *s->display);
    if (s->names)
        memcpy(s->names, names.text, names.count * sizeof *s->names);
    s->name_count = s->names && s->display ? names.count : 0;
    pthread_mutex_unlock(&names.mutex);
    store.chunks = NULL;
    store.chunk_count = store.chunk_room = 0;
    store.fd = -1;
    return s;
}

void prof_store_discard(void)
{
    if (store.logging)
        return; /* a log is never rewritten */
    uint64_t limit = store.memory_limit;
    prof_source_free(prof_store_close());
    prof_store_open(NULL, limit);
}

/* ---- reading ---- */

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
            prof_file_header *h = (prof_file_header *)c;
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
            if (h->magic != PROF_MAGIC || h->kind != PROF_CHUNK_HEADER)
                n = 0;
        } else if (c->magic == PROF_MAGIC && c->kind == PROF_CHUNK_DATA) {
            s->chunks[s->chunk_count++].offset = offset;
        } else if (c->magic == PROF_MAGIC && c->kind == PROF_CHUNK_NAMES) {
            uint32_t end = atomic_load_explicit(&c->count, memory_order_acquire), at = 0;
            if (end > PROF_CHUNK_BYTES - offsetof(prof_chunk, events))
                end = 0;
            while (at + 8 <= end) {
                uint32_t id, length;
                memcpy(&id, (char *)c->events + at, 4);
                memcpy(&length, (char *)c->events + at + 4, 4);
                if (length == 0 || length > end - at - 8 || id != s->name_count)
                    break;
                if ((id & (id + 1)) == 0) { /* room for the next power of two */
                    const char **grown = realloc(s->names, (size_t)(id + 1) * 2 * sizeof *grown);
                    if (!grown)
                        break;
                    s->names = grown;
                }
                s->names[s->name_count++] = strndup((char *)c->events + at + 8, length - 1);
                at += 8 + (length + 7) / 8 * 8;
            }
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
        c->events[k].start_ns = to_ns(&s->clock, c->events[k].start_ns);
        c->events[k].end_ns = to_ns(&s->clock, c->events[k].end_ns);
    }
    if (n) {
        c->min_start = to_ns(&s->clock, c->min_start);
        c->max_start = to_ns(&s->clock, c->max_start);
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
        memory_chunk_free(s->chunks[i].memory);
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
