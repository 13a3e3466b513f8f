/* profiler_names.c: numbers for the names of events: equal texts have one number, for the life of the process. A thread
 * remembers the texts it has asked about last, so that the table and its lock are seldom met. */
#include "profiler_names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct {
    pthread_mutex_t mutex;
    const char **text;
    size_t count;
    uint32_t *slots;
    size_t slot_count;
    prof_chunk_file *log; /* NULL: none */
    prof_chunk *chunk;    /* of the log, being filled */
    size_t logged;        /* how many the log has */
} names = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static uint64_t hash_text(const char *s)
{
    uint64_t h = 1469598103934665603u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 1099511628211u;
    return h ^ h >> 29;
}

/* The same table with twice the slots. Names' mutex held. 0, or -1 out of memory. */
static int grow(void)
{
    size_t n = names.slot_count ? names.slot_count * 2 : 256;
    uint32_t *slots = calloc(n, sizeof *slots);
    const char **grown = realloc(names.text, n * sizeof *grown);
    if (grown)
        names.text = grown;
    if (!slots || !grown) {
        free(slots);
        return -1;
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
    return 0;
}

/* Name records: number, length with the zero, text, padded to 8 bytes. Names' mutex held. */
static void log_new_names(void)
{
    if (!names.log)
        return;
    for (; names.logged < names.count; names.logged++) {
        uint32_t id = (uint32_t)names.logged;
        const char *s = names.text[id];
        size_t room = PROF_CHUNK_BYTES - offsetof(prof_chunk, events);
        uint32_t length = (uint32_t)strnlen(s, room - 16) + 1;
        uint32_t need = 8 + (length + 7) / 8 * 8;
        prof_chunk *c = names.chunk;
        if (!c || atomic_load(&c->count) + need > room) {
            uint64_t offset;
            prof_chunk *fresh = prof_chunk_in_file(names.log, &offset);
            if (!fresh)
                return;
            if (c)
                munmap(c, PROF_CHUNK_BYTES);
            prof_chunk_init(names.chunk = c = fresh, PROF_CHUNK_NAMES);
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

void prof_names_log_to(prof_chunk_file *file)
{
    pthread_mutex_lock(&names.mutex);
    if (names.chunk)
        munmap(names.chunk, PROF_CHUNK_BYTES);
    names.chunk = NULL;
    names.log = file;
    names.logged = 0;
    log_new_names();
    pthread_mutex_unlock(&names.mutex);
}

const char **prof_names_copy(size_t *count)
{
    pthread_mutex_lock(&names.mutex);
    const char **copy = malloc((names.count + 1) * sizeof *copy);
    if (copy)
        memcpy(copy, names.text, names.count * sizeof *copy);
    *count = copy ? names.count : 0;
    pthread_mutex_unlock(&names.mutex);
    return copy;
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
    if (names.count * 2 >= names.slot_count && grow()) {
        pthread_mutex_unlock(&names.mutex);
        return 0;
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
        log_new_names();
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
