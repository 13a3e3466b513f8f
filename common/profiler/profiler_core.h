/* profiler_core.h: what the parts of the profiler share. Not for programs.
 *
 *     back end (CUPTI, CPU device) -> store -> analysis -> table, summaries, trace, page
 *
 * The store takes events from any thread in any order and keeps them in fixed-size chunks,
 * in memory up to a limit and then in a file. The analysis sorts them afterwards, nests them
 * and says which range each kernel belongs to. Clock: CLOCK_MONOTONIC, nanoseconds; while
 * recording, whatever the back end reads fastest (prof_clock). */
#ifndef PROFILER_CORE_H
#define PROFILER_CORE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PROF_API = 1, PROF_KERNEL, PROF_MEMCPY, PROF_MEMSET, PROF_MIGRATION, PROF_BEGIN, PROF_END };
enum { PROF_HTOH, PROF_HTOD, PROF_DTOH, PROF_DTOD, PROF_PTOP, PROF_COPY_OTHER, PROF_COPY_KINDS };

/* One event. BEGIN and END are a range's two sides, in start_ns, on the range's own thread.
 * Copies carry bytes where kernels carry their shape. */
typedef struct prof_event {
    uint64_t start_ns, end_ns;
    uint32_t name;        /* prof_name() */
    uint32_t correlation; /* the API call that caused it; 0 is none */
    uint32_t thread;      /* the operating system's number; CPU side only */
    uint32_t stream;
    uint8_t kind, copy_kind, device, failed;
    uint16_t registers;
    uint16_t block[3];
    union {
        struct {
            uint32_t grid_x;
            uint16_t grid_y, grid_z;
            uint32_t static_smem, dynamic_smem;
        };
        uint64_t bytes;
    };
} prof_event;
_Static_assert(sizeof(prof_event) == 64, "a chunk holds whole cache lines");

#define PROF_CHUNK_BYTES (256u << 10)
#define PROF_CHUNK_EVENTS (PROF_CHUNK_BYTES / 64 - 1)
enum { PROF_CHUNK_HEADER = 1, PROF_CHUNK_DATA, PROF_CHUNK_NAMES };

typedef struct prof_chunk {
    uint32_t magic, kind;
    _Atomic uint32_t count; /* events, or bytes of names; grows only after the data is there */
    uint32_t in_ns;         /* its times no longer are readings of the clock */
    uint64_t min_start, max_start;
    uint64_t reserved[4];
    prof_event events[PROF_CHUNK_EVENTS];
} prof_chunk;
_Static_assert(sizeof(prof_chunk) == PROF_CHUNK_BYTES, "chunks tile a file");
#define PROF_MAGIC 0x464f5250u

/* What events are stamped with while recording; prof_chunk_map() makes nanoseconds of it. A reading t is at
 * ns + (t - ticks) * rate / 2^32 on CLOCK_MONOTONIC. rate 0: readings are nanoseconds. */
typedef struct prof_clock {
    uint64_t (*now)(void); /* NULL: CLOCK_MONOTONIC */
    uint64_t ticks, ns, rate;
} prof_clock;
uint64_t prof_clock_ns(const prof_clock *clock, uint64_t reading);

/* The first chunk of a log file. */
typedef struct prof_file_header {
    uint32_t magic, kind;
    _Atomic uint32_t closed; /* 1 once the program has ended in good order */
    uint32_t pid;
    uint64_t base_ns, unix_ns; /* one moment on both clocks */
    prof_clock clock;
    _Atomic uint64_t end_ns;
    _Atomic uint64_t lost; /* events that found no room */
    char backend[64], device[128], program[256], message[256];
} prof_file_header;

/* ---- recording ---- */

void prof_set_clock(prof_clock clock); /* {0} at first; not while events come */
uint64_t prof_now(void);               /* a reading, for an event */
uint64_t prof_now_ns(void);
uint32_t prof_thread(void); /* this thread's number */
/* A number for a text, the same one for equal texts; for the life of the process. */
uint32_t prof_name(const char *text);
uint32_t prof_name_of_literal(const char *text); /* faster: the text at this address never changes */
/* What torch calls a copy, a fill or a migration of unified memory. */
const char *prof_copy_name(int event_kind, int copy_kind);
/* Appends; any thread. Dropped unless a store is open. */
void prof_put(const prof_event *event);
/* The same in two halves, for who fills the event in where it will lie: NULL if dropped. Names are looked up before. */
prof_event *prof_reserve(void);
void prof_commit(const prof_event *event);

/* Opens the store. path NULL: memory up to memory_bytes, then an unnamed temporary file;
 * else everything goes to that file as it happens, and survives a crash. 0, or -1. */
int prof_store_open(const char *path, size_t memory_bytes);
prof_file_header *prof_store_header(void); /* of a store opened with a path */
void prof_store_discard(void);             /* forget the events so far */

/* ---- what was recorded ---- */

typedef struct prof_chunk_ref {
    prof_chunk *memory; /* or NULL: in the file */
    uint64_t offset;
} prof_chunk_ref;

typedef struct prof_source {
    uint32_t pid;
    uint64_t base_ns, unix_ns, end_ns, lost;
    prof_clock clock;
    char backend[64], device[128], program[256], message[256];
    int closed;
    prof_chunk_ref *chunks;
    size_t chunk_count;
    int fd;               /* -1: none */
    const char **names;   /* by number */
    const char **display; /* demangled, by number, made on demand */
    size_t name_count;
    int owns_names;
} prof_source;

prof_source *prof_store_close(void);             /* takes the events out of the store */
prof_source *prof_source_read(const char *path); /* a log file, whole or cut off */
void prof_source_free(prof_source *source);
uint64_t prof_source_events(const prof_source *source);
const prof_chunk *prof_chunk_map(const prof_source *source, size_t i); /* its times in nanoseconds */
void prof_chunk_unmap(const prof_source *source, size_t i, const prof_chunk *chunk);
const char *prof_display_name(prof_source *source, uint32_t name);

/* ---- analysis ---- */

enum { PROF_STAT_RANGE, PROF_STAT_API, PROF_STAT_KERNEL, PROF_STAT_COPY };

/* Running count, sum, mean and spread; exact median up to PROF_SAMPLES values, that of a
 * uniform sample beyond. */
#define PROF_SAMPLES (1u << 20)
typedef struct prof_dist {
    uint64_t count, sum, min, max;
    double mean, m2;
    uint64_t *sample;
    size_t sample_count, sample_room;
    uint64_t random; /* the state that chooses the sample */
} prof_dist;
void prof_dist_add(prof_dist *d, uint64_t value);
double prof_dist_median(prof_dist *d);       /* sorts the sample */
double prof_dist_stddev(const prof_dist *d); /* n - 1 below */

typedef struct prof_stat {
    char *name;
    int kind, event_kind, copy_kind;
    uint64_t self_cpu_ns, self_cuda_ns, cuda_total_ns;
    prof_dist time, bytes;
} prof_stat;

typedef struct prof_analysis {
    prof_stat *stats;
    size_t stat_count;
    uint32_t *stat_slots;
    size_t slot_count;
    struct prof_node *nodes; /* the tree of range paths */
    size_t node_count;
    uint32_t *node_slots;
    size_t node_slot_count;
    uint64_t events, unmatched; /* unmatched: device work whose API call was not recorded */
} prof_analysis;

/* Called for every finished span, in the order of their ends per thread. */
typedef struct prof_cpu_span {
    uint32_t name, thread, correlation;
    int is_api, failed, depth;
    uint64_t start_ns, end_ns;
} prof_cpu_span;
typedef struct prof_launch {
    uint64_t start_ns, end_ns;
    uint32_t thread;
} prof_launch;
typedef struct prof_sink {
    void *user;
    void (*cpu)(void *user, prof_source *source, const prof_cpu_span *span);
    /* launch NULL: unmatched */
    void (*gpu)(void *user, prof_source *source, const prof_event *event, const prof_launch *launch);
} prof_sink;

/* Adds one source; sink may be NULL. Memory is bounded by prof_window_events events at a
 * time however long the run was. 0, or -1 when out of memory. */
int prof_analyze(prof_analysis *analysis, prof_source *source, const prof_sink *sink);
void prof_analysis_finish(prof_analysis *analysis); /* sums CUDA time up the tree; once, last */
void prof_analysis_free(prof_analysis *analysis);
extern size_t prof_window_events;

/* ---- reports ---- */

/* fit: the most characters a line should have, columns being left out for it; 0: all columns. */
int prof_table(FILE *out, prof_analysis *analysis, const char *sort_by, int row_limit, int fit);
int prof_table_csv(FILE *out, prof_analysis *analysis);
int prof_nsys(FILE *out, prof_analysis *analysis, const char *report, int csv);
/* The one case in which the record changes what it records by far more than a launch's cost: says so, in one line. */
void prof_migration_note(FILE *out, const prof_analysis *analysis);
/* The sources' events as Trace Event JSON; analysis (may be NULL) is filled on the way. */
int prof_trace_write(const char *path, prof_source **sources, size_t count, prof_analysis *analysis);
int prof_can_write(const char *path); /* to be asked before the program runs; if not, errno says why */
int prof_is_cpu_device(const prof_source *source);
void prof_json_string(FILE *out, const char *text);

/* ---- back ends ---- */

typedef struct prof_backend {
    const char *name;
    /* Attach; on failure one line in message. */
    int (*open)(char *message, size_t size);
    void (*close)(void);
    /* Start or stop collecting; stop returns when what was collected is in the store. */
    int (*enable)(unsigned activities, char *message, size_t size);
    void (*disable)(unsigned activities);
    void (*flush)(int all);    /* bring what is complete into the store; all: the buffers still being filled too */
    void (*synchronize)(void); /* wait for the device, unrecorded */
    void (*describe)(char *device, size_t size);
    void (*warm_up)(void); /* some work to be recorded and thrown away; may be NULL */
    /* Timing of ranges, where the back end sees nothing else; may be NULL. begin returns the
     * correlation number of the device time to come, 0 for none. */
    uint32_t (*range_begin)(const char *name);
    void (*range_end)(void);
} prof_backend;

extern const prof_backend prof_backend_cupti, prof_backend_events, prof_backend_cpu;
void prof_nvtx_push(const char *name);
void prof_nvtx_pop(void);

#endif
