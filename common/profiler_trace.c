/* profiler_trace.c: the events as Trace Event JSON, the format of chrome://tracing and
 * Perfetto ("Trace Event Format", Google, 2016), with the categories and argument names of
 * PyTorch's traces. Timestamps are microseconds since the recording began.
 *
 * Numbers are formatted by hand into one buffer: printf alone would take most of the time. */
#include "profiler_core.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 20, SLACK = 4096 };

typedef struct lane_seen { /* a (process, thread) pair whose name is still to be written */
    uint64_t pid, tid;
    int gpu;
} lane_seen;

typedef struct writer {
    int fd, failed;
    size_t used;
    char *buffer;
    char **escaped;   /* of the source at hand, by name number */
    uint64_t base_ns; /* of the whole trace */
    uint64_t arrows;
    uint32_t process; /* the source's number */
    lane_seen *seen;
    size_t seen_count, seen_room;
} writer;

static void write_out(writer *w)
{
    for (size_t at = 0; at < w->used && !w->failed;) {
        ssize_t n = write(w->fd, w->buffer + at, w->used - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            w->failed = 1;
        else
            at += (size_t)n;
    }
    w->used = 0;
}

static inline void room(writer *w, size_t n)
{
    if (w->used + n > BUFFER)
        write_out(w);
}

#define put_literal(w, s) (memcpy((w)->buffer + (w)->used, s, sizeof(s) - 1), (w)->used += sizeof(s) - 1)

static void put_text(writer *w, const char *s)
{ /* any length */
    size_t n = strlen(s);
    while (n) {
        room(w, SLACK);
        size_t k = n < SLACK / 2 ? n : SLACK / 2;
        memcpy(w->buffer + w->used, s, k);
        w->used += k;
        s += k;
        n -= k;
    }
    room(w, SLACK);
}

static inline void put_number(writer *w, uint64_t v)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    char *p = w->buffer + w->used;
    w->used += (size_t)n;
    while (n)
        *p++ = digits[--n];
}

static inline void put_us(writer *w, uint64_t ns)
{ /* microseconds, exact to the nanosecond */
    put_number(w, ns / 1000);
    unsigned r = (unsigned)(ns % 1000);
    char *p = w->buffer + w->used;
    p[0] = '.';
    p[1] = (char)('0' + r / 100);
    p[2] = (char)('0' + r / 10 % 10);
    p[3] = (char)('0' + r % 10);
    w->used += 4;
}

static void put_ts(writer *w, uint64_t ns)
{
    if (ns >= w->base_ns) {
        put_us(w, ns - w->base_ns);
    } else {
        put_literal(w, "-");
        put_us(w, w->base_ns - ns);
    }
}

/* Length of the UTF-8 sequence at s, or 0 where it is none. */
static int utf8_length(const unsigned char *s)
{
    int n = s[0] < 0x80                   ? 1
            : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
            : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
            : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                          : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)))
        return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90)))
        return 0;
    return n;
}

/* A JSON string's inside. Bytes that are no UTF-8 become '?'. \u is for what cannot be said otherwise: Perfetto shows
 * it as it stands. */
static char *escape(const char *text)
{
    char *out = malloc(strlen(text) * 6 + 1), *p = out;
    if (!out)
        return NULL;
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int n = utf8_length(s);
        if (*s == '"' || *s == '\\') {
            *p++ = '\\';
            *p++ = (char)*s++;
        } else if (*s == '\n' || *s == '\t') {
            *p++ = '\\';
            *p++ = *s++ == '\n' ? 'n' : 't';
        } else if (*s < 0x20 || *s == 0x7f) {
            p += sprintf(p, "\\u%04x", *s++);
        } else if (n) {
            while (n--)
                *p++ = (char)*s++;
        } else {
            *p++ = '?';
            s++;
        }
    }
    *p = 0;
    return out;
}

int prof_can_write(const char *path)
{
    struct stat st;
    char folder[PATH_MAX];
    if (!stat(path, &st)) { /* nothing is opened: it may be a pipe */
        errno = EISDIR;
        return !S_ISDIR(st.st_mode) && !access(path, W_OK);
    }
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof folder || path[n - 1] == '/') {
        errno = n == 0 ? ENOENT : n >= sizeof folder ? ENAMETOOLONG : EISDIR;
        return 0;
    }
    memcpy(folder, path, n + 1);
    return !access(dirname(folder), W_OK | X_OK);
}

void prof_json_string(FILE *out, const char *text)
{
    char *e = escape(text);
    fputc('"', out);
    for (const char *p = e ? e : "?"; *p; p++)
        if (*p == '<') /* no way out of HTML's <script> */
            fputs("\\u003c", out);
        else
            fputc(*p, out);
    fputc('"', out);
    free(e);
}

static void put_name(writer *w, prof_source *s, uint32_t name)
{
    if (name >= s->name_count) {
        put_literal(w, "?");
        return;
    }
    if (!w->escaped[name] && !(w->escaped[name] = escape(prof_display_name(s, name)))) {
        w->failed = 1;
        return;
    }
    put_text(w, w->escaped[name]);
}

static void see(writer *w, uint64_t pid, uint64_t tid, int gpu)
{
    for (size_t i = w->seen_count; i-- > 0;)
        if (w->seen[i].tid == tid && w->seen[i].pid == pid && w->seen[i].gpu == gpu) {
            if (i + 1 < w->seen_count) { /* found sooner the next time */
                lane_seen last = w->seen[w->seen_count - 1];
                w->seen[w->seen_count - 1] = w->seen[i];
                w->seen[i] = last;
            }
            return;
        }
    if (w->seen_count == w->seen_room) {
        size_t n = w->seen_room ? w->seen_room * 2 : 16;
        lane_seen *grown = realloc(w->seen, n * sizeof *grown);
        if (!grown) {
            w->failed = 1;
            return;
        }
        w->seen = grown;
        w->seen_room = n;
    }
    w->seen[w->seen_count++] = (lane_seen){pid, tid, gpu};
}

/* A GPU's number in the place of a process's; several programs' GPUs are kept apart. */
static uint64_t gpu_pid(const writer *w, unsigned device) { return (uint64_t)w->process * 1000 + device; }

static void put_place(writer *w, uint64_t pid, uint64_t tid, uint64_t start_ns)
{
    put_literal(w, ",\"pid\":");
    put_number(w, pid);
    put_literal(w, ",\"tid\":");
    put_number(w, tid);
    put_literal(w, ",\"ts\":");
    put_ts(w, start_ns);
}

static void put_complete(writer *w, uint64_t pid, uint64_t tid, uint64_t start_ns, uint64_t end_ns)
{
    put_literal(w, "\"");
    put_place(w, pid, tid, start_ns);
    put_literal(w, ",\"dur\":");
    put_us(w, end_ns > start_ns ? end_ns - start_ns : 0);
}

static void on_cpu(void *user, prof_source *s, const prof_cpu_span *e)
{
    writer *w = user;
    see(w, s->pid, e->thread, 0);
    room(w, SLACK);
    if (e->is_api)
        put_literal(w, ",\n{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"");
    else
        put_literal(w, ",\n{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"");
    put_name(w, s, e->name);
    put_complete(w, s->pid, e->thread, e->start_ns, e->end_ns);
    if (e->is_api) {
        put_literal(w, ",\"args\":{\"correlation\":");
        put_number(w, e->correlation);
        if (e->failed)
            put_literal(w, ",\"failed\":true");
        put_literal(w, "}");
    }
    put_literal(w, "}");
}

static void on_gpu(void *user, prof_source *s, const prof_event *e, const prof_launch *l)
{
    writer *w = user;
    uint64_t pid = gpu_pid(w, e->device);
    see(w, pid, e->stream, 1);
    room(w, SLACK);
    if (e->kind == PROF_KERNEL)
        put_literal(w, ",\n{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"");
    else if (e->kind == PROF_MEMSET)
        put_literal(w, ",\n{\"ph\":\"X\",\"cat\":\"gpu_memset\",\"name\":\"");
    else
        put_literal(w, ",\n{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"");
    put_name(w, s, e->name);
    put_complete(w, pid, e->stream, e->start_ns, e->end_ns);
    put_literal(w, ",\"args\":{\"device\":");
    put_number(w, e->device);
    put_literal(w, ",\"stream\":");
    put_number(w, e->stream);
    put_literal(w, ",\"correlation\":");
    put_number(w, e->correlation);
    if (e->kind == PROF_KERNEL) {
        put_literal(w, ",\"registers per thread\":");
        put_number(w, e->registers);
        put_literal(w, ",\"static shared memory\":");
        put_number(w, e->static_smem);
        put_literal(w, ",\"dynamic shared memory\":");
        put_number(w, e->dynamic_smem);
        put_literal(w, ",\"grid\":[");
        put_number(w, e->grid_x);
        put_literal(w, ",");
        put_number(w, e->grid_y);
        put_literal(w, ",");
        put_number(w, e->grid_z);
        put_literal(w, "],\"block\":[");
        put_number(w, e->block[0]);
        put_literal(w, ",");
        put_number(w, e->block[1]);
        put_literal(w, ",");
        put_number(w, e->block[2]);
        put_literal(w, "]}}");
    } else {
        put_literal(w, ",\"bytes\":");
        put_number(w, e->bytes);
        if (e->end_ns > e->start_ns) { /* bytes per ns is GB/s */
            put_literal(w, ",\"memory bandwidth (GB/s)\":");
            put_us(w, (uint64_t)((double)e->bytes / (double)(e->end_ns - e->start_ns) * 1000));
        }
        put_literal(w, "}}");
    }
    if (!l)
        return;
    uint64_t flow = ++w->arrows; /* not the correlation: a graph's launch has many kernels */
    put_literal(w, ",\n{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":");
    put_number(w, flow);
    put_place(w, s->pid, l->thread, l->start_ns);
    put_literal(w, "},\n{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":");
    put_number(w, flow);
    put_place(w, pid, e->stream, e->start_ns);
    put_literal(w, "}");
}

static void put_metadata(writer *w, const char *what, uint64_t pid, uint64_t tid, const char *key, const char *value)
{
    char *e = value ? escape(value) : NULL;
    room(w, SLACK);
    put_literal(w, ",\n{\"ph\":\"M\",\"name\":\"");
    put_text(w, what);
    put_literal(w, "\"");
    put_place(w, pid, tid, w->base_ns);
    put_literal(w, ",\"args\":{\"");
    put_text(w, key);
    put_literal(w, "\":");
    if (e)
        put_literal(w, "\"");
    if (e)
        put_text(w, e);
    if (e)
        put_literal(w, "\"");
    else
        put_number(w, tid);
    put_literal(w, "}}");
    free(e);
}

int prof_trace_write(const char *path, prof_source **sources, size_t count, prof_analysis *analysis)
{
    prof_analysis own = {0};
    if (!analysis)
        analysis = &own;
    writer w = {.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (w.fd < 0)
        return -1;
    w.buffer = malloc(BUFFER);
    if (!w.buffer) {
        close(w.fd);
        return -1;
    }
    uint64_t unix_ns = 0;
    w.base_ns = UINT64_MAX;
    for (size_t i = 0; i < count; i++)
        if (sources[i]->base_ns < w.base_ns)
            w.base_ns = sources[i]->base_ns, unix_ns = sources[i]->unix_ns;
    put_text(&w, "{\"schemaVersion\":1,\"displayTimeUnit\":\"ms\",\"baseTimeNanoseconds\":");
    put_number(&w, unix_ns);
    put_literal(&w, ",\"deviceProperties\":[");
    for (size_t i = 0; i < count; i++) {
        char *e = escape(sources[i]->device);
        put_text(&w, i ? ",{\"id\":" : "{\"id\":");
        put_number(&w, i * 1000);
        put_literal(&w, ",\"name\":\"");
        put_text(&w, e ? e : "");
        put_literal(&w, "\"}");
        free(e);
    }
    put_literal(
        &w,
        "],\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"trace_start\",\"pid\":0,\"tid\":0,\"ts\":0.000,\"args\":{}}");
    prof_sink sink = {&w, on_cpu, on_gpu};
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++) {
        prof_source *s = sources[i];
        w.process = (uint32_t)i;
        w.escaped = calloc(s->name_count + 1, sizeof *w.escaped);
        if (!w.escaped || prof_analyze(analysis, s, &sink))
            failed = 1;
        for (size_t k = 0; w.escaped && k < s->name_count; k++)
            free(w.escaped[k]);
        free(w.escaped);
        char label[600];
        int cpu = prof_is_cpu_device(s);
        put_metadata(&w, "process_name", s->pid, 0, "name", s->program[0] ? s->program : "program");
        put_metadata(&w, "process_labels", s->pid, 0, "labels", "CPU");
        put_metadata(&w, "process_sort_index", s->pid, 0, "sort_index", NULL);
        for (size_t k = 0; k < w.seen_count; k++) {
            lane_seen *l = &w.seen[k];
            if (l->gpu) {
                snprintf(label, sizeof label, "%s %llu%s%s", cpu ? "CPU device" : "GPU",
                         (unsigned long long)(l->pid % 1000), s->device[0] ? ": " : "", s->device);
                put_metadata(&w, "process_name", l->pid, 0, "name", label);
                put_metadata(&w, "process_labels", l->pid, 0, "labels", cpu ? "CPU device" : "GPU");
                snprintf(label, sizeof label, "stream %llu", (unsigned long long)l->tid);
            } else {
                snprintf(label, sizeof label, "thread %llu%s", (unsigned long long)l->tid,
                         l->tid == s->pid ? " (main)" : "");
            }
            put_metadata(&w, "thread_name", l->pid, l->tid, "name", label);
            put_metadata(&w, "thread_sort_index", l->pid, l->tid, "sort_index", NULL);
        }
        w.seen_count = 0;
    }
    put_text(&w, "\n]}\n");
    write_out(&w);
    if (close(w.fd))
        w.failed = 1;
    free(w.buffer);
    free(w.seen);
    if (analysis == &own)
        prof_analysis_free(&own);
    return failed || w.failed ? -1 : 0;
}
