/* profiler_store.c: the events as they come, from any thread, in bounded memory.
 *
 * Each thread fills a chunk of its own, without a lock: threads meet only when a chunk is full.
 * Whoever closes the store waits until no thread is inside prof_put(); the waiting side pays for
 * that with a membarrier(), the writing side with nothing but a store. A chunk is 256 KiB of memory or, past the limit
 * (or when the log must outlive a crash), of a file that is mapped while it is being filled and unmapped after. */
#include "profiler_names.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
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

uint64_t prof_now(void) { return the_clock.now(); }
uint64_t prof_now_ns(void) { return prof_clock_ns(&the_clock, prof_now()); }

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

static struct {
    pthread_mutex_t mutex;
    atomic_int open;
    prof_chunk_ref *chunks;
    size_t chunk_count, chunk_room;
    size_t memory_limit, memory_used;
    prof_chunk_file file;
    int logging; /* opened with a path */
    uint64_t base_ns, unix_ns;
    prof_file_header *header;
    _Atomic uint64_t lost;
    lane *lanes;
} store = {.mutex = PTHREAD_MUTEX_INITIALIZER, .file = {.mutex = PTHREAD_MUTEX_INITIALIZER, .fd = -1}};

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
    if (!store.logging && store.memory_used + PROF_CHUNK_BYTES <= store.memory_limit &&
        (ref.memory = prof_chunk_in_memory())) {
        store.memory_used += PROF_CHUNK_BYTES;
        l->chunk = ref.memory;
        l->mapped = 0;
    } else {
        if (store.file.fd < 0)
            store.file.fd = prof_unnamed_file();
        if (store.file.fd < 0 || !(l->chunk = prof_chunk_in_file(&store.file, &ref.offset)))
            goto fail;
        l->mapped = 1;
    }
    prof_chunk_init(l->chunk, PROF_CHUNK_DATA);
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
    store.file.bytes = 0;
    store.lost = 0;
    if (path) {
        store.file.fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (store.file.fd < 0)
            return -1;
        uint64_t offset;
        prof_file_header *h = (prof_file_header *)prof_chunk_in_file(&store.file, &offset);
        if (!h) {
            close(store.file.fd);
            store.file.fd = -1;
            return -1;
        }
        h->pid = (uint32_t)getpid();
        h->base_ns = store.base_ns;
        h->unix_ns = store.unix_ns;
        program_name(h->program, sizeof h->program);
        h->kind = PROF_CHUNK_HEADER;
        h->magic = PROF_MAGIC;
        store.header = h;
        store.logging = 1;
        prof_names_log_to(&store.file);
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

/* The store is closed: takes every lane's chunk away; after this no thread writes to those in the list. */
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
    s->fd = store.file.fd;
    s->lost = store.header ? store.header->lost : store.lost;
    prof_names_log_to(NULL);
    if (store.header) {
        atomic_store(&store.header->end_ns, s->end_ns);
        atomic_store(&store.header->closed, 1);
        munmap(store.header, PROF_CHUNK_BYTES);
    }
    store.header = NULL;
    store.logging = 0;
    s->names = prof_names_copy(&s->name_count);
    s->display = calloc(s->name_count + 1, sizeof *s->display);
    if (!s->display)
        s->name_count = 0;
    store.chunks = NULL;
    store.chunk_count = store.chunk_room = 0;
    store.file.fd = -1;
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
