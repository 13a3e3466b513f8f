/* profiler_trace.c: the events as Trace Event JSON, the format of chrome://tracing and
 * Perfetto ("Trace Event Format", Google, 2016), with the categories and argument names of
 * PyTorch's traces. Timestamps are microseconds since the recording began. */
#include "profiler_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct lane_seen { /* a (process, thread) pair whose name is still to be written */
    uint64_t pid, tid;
    int gpu;
} lane_seen;

typedef struct trace {
    prof_writer out;
    char **escaped;   /* of the source at hand, by name number */
    uint64_t base_ns; /* of the whole trace */
    uint64_t arrows;
    uint32_t process; /* the source's number */
    lane_seen *seen;
    size_t seen_count, seen_room;
} trace;

static void put_ts(trace *t, uint64_t ns)
{
    if (ns >= t->base_ns) {
        prof_put_us(&t->out, ns - t->base_ns);
    } else {
        prof_put_literal(&t->out, "-");
        prof_put_us(&t->out, t->base_ns - ns);
    }
}

static void put_name(trace *t, prof_source *s, uint32_t name)
{
    if (name >= s->name_count) {
        prof_put_literal(&t->out, "?");
        return;
    }
    if (!t->escaped[name] && !(t->escaped[name] = prof_escape(prof_display_name(s, name)))) {
        t->out.failed = 1;
        return;
    }
    prof_put_text(&t->out, t->escaped[name]);
}

static void see(trace *t, uint64_t pid, uint64_t tid, int gpu)
{
    for (size_t i = t->seen_count; i-- > 0;)
        if (t->seen[i].tid == tid && t->seen[i].pid == pid && t->seen[i].gpu == gpu) {
            if (i + 1 < t->seen_count) { /* found sooner the next time */
                lane_seen last = t->seen[t->seen_count - 1];
                t->seen[t->seen_count - 1] = t->seen[i];
                t->seen[i] = last;
            }
            return;
        }
    if (t->seen_count == t->seen_room) {
        size_t n = t->seen_room ? t->seen_room * 2 : 16;
        lane_seen *grown = realloc(t->seen, n * sizeof *grown);
        if (!grown) {
            t->out.failed = 1;
            return;
        }
        t->seen = grown;
        t->seen_room = n;
    }
    t->seen[t->seen_count++] = (lane_seen){pid, tid, gpu};
}

/* A GPU's number in the place of a process's; several programs' GPUs are kept apart. */
static uint64_t gpu_pid(const trace *t, unsigned device) { return (uint64_t)t->process * 1000 + device; }

static void put_place(trace *t, uint64_t pid, uint64_t tid, uint64_t start_ns)
{
    prof_put_literal(&t->out, ",\"pid\":");
    prof_put_number(&t->out, pid);
    prof_put_literal(&t->out, ",\"tid\":");
    prof_put_number(&t->out, tid);
    prof_put_literal(&t->out, ",\"ts\":");
    put_ts(t, start_ns);
}

static void put_complete(trace *t, uint64_t pid, uint64_t tid, uint64_t start_ns, uint64_t end_ns)
{
    prof_put_literal(&t->out, "\"");
    put_place(t, pid, tid, start_ns);
    prof_put_literal(&t->out, ",\"dur\":");
    prof_put_us(&t->out, end_ns > start_ns ? end_ns - start_ns : 0);
}

static void on_cpu(void *user, prof_source *s, const prof_cpu_span *e)
{
    trace *t = user;
    see(t, s->pid, e->thread, 0);
    prof_make_room(&t->out, WRITER_SLACK);
    if (e->is_api)
        prof_put_literal(&t->out, ",\n{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"");
    else
        prof_put_literal(&t->out, ",\n{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"");
    put_name(t, s, e->name);
    put_complete(t, s->pid, e->thread, e->start_ns, e->end_ns);
    if (e->is_api) {
        prof_put_literal(&t->out, ",\"args\":{\"correlation\":");
        prof_put_number(&t->out, e->correlation);
        if (e->failed)
            prof_put_literal(&t->out, ",\"failed\":true");
        prof_put_literal(&t->out, "}");
    }
    prof_put_literal(&t->out, "}");
}

static void on_gpu(void *user, prof_source *s, const prof_event *e, const prof_launch *l)
{
    trace *t = user;
    uint64_t pid = gpu_pid(t, e->device);
    see(t, pid, e->stream, 1);
    prof_make_room(&t->out, WRITER_SLACK);
    if (e->kind == PROF_KERNEL)
        prof_put_literal(&t->out, ",\n{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"");
    else if (e->kind == PROF_MEMSET)
        prof_put_literal(&t->out, ",\n{\"ph\":\"X\",\"cat\":\"gpu_memset\",\"name\":\"");
    else
        prof_put_literal(&t->out, ",\n{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"");
    put_name(t, s, e->name);
    put_complete(t, pid, e->stream, e->start_ns, e->end_ns);
    prof_put_literal(&t->out, ",\"args\":{\"device\":");
    prof_put_number(&t->out, e->device);
    prof_put_literal(&t->out, ",\"stream\":");
    prof_put_number(&t->out, e->stream);
    prof_put_literal(&t->out, ",\"correlation\":");
    prof_put_number(&t->out, e->correlation);
    if (e->kind == PROF_KERNEL) {
        prof_put_literal(&t->out, ",\"registers per thread\":");
        prof_put_number(&t->out, e->registers);
        prof_put_literal(&t->out, ",\"static shared memory\":");
        prof_put_number(&t->out, e->static_smem);
        prof_put_literal(&t->out, ",\"dynamic shared memory\":");
        prof_put_number(&t->out, e->dynamic_smem);
        prof_put_literal(&t->out, ",\"grid\":[");
        prof_put_number(&t->out, e->grid_x);
        prof_put_literal(&t->out, ",");
        prof_put_number(&t->out, e->grid_y);
        prof_put_literal(&t->out, ",");
        prof_put_number(&t->out, e->grid_z);
        prof_put_literal(&t->out, "],\"block\":[");
        prof_put_number(&t->out, e->block[0]);
        prof_put_literal(&t->out, ",");
        prof_put_number(&t->out, e->block[1]);
        prof_put_literal(&t->out, ",");
        prof_put_number(&t->out, e->block[2]);
        prof_put_literal(&t->out, "]}}");
    } else {
        prof_put_literal(&t->out, ",\"bytes\":");
        prof_put_number(&t->out, e->bytes);
        if (e->end_ns > e->start_ns) { /* bytes per ns is GB/s */
            prof_put_literal(&t->out, ",\"memory bandwidth (GB/s)\":");
            prof_put_us(&t->out, (uint64_t)((double)e->bytes / (double)(e->end_ns - e->start_ns) * 1000));
        }
        prof_put_literal(&t->out, "}}");
    }
    if (!l)
        return;
    uint64_t flow = ++t->arrows; /* not the correlation: a graph's launch has many kernels */
    prof_put_literal(&t->out, ",\n{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":");
    prof_put_number(&t->out, flow);
    put_place(t, s->pid, l->thread, l->start_ns);
    prof_put_literal(&t->out, "},\n{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":");
    prof_put_number(&t->out, flow);
    put_place(t, pid, e->stream, e->start_ns);
    prof_put_literal(&t->out, "}");
}

static void put_metadata(trace *t, const char *what, uint64_t pid, uint64_t tid, const char *key, const char *value)
{
    char *e = value ? prof_escape(value) : NULL;
    prof_make_room(&t->out, WRITER_SLACK);
    prof_put_literal(&t->out, ",\n{\"ph\":\"M\",\"name\":\"");
    prof_put_text(&t->out, what);
    prof_put_literal(&t->out, "\"");
    put_place(t, pid, tid, t->base_ns);
    prof_put_literal(&t->out, ",\"args\":{\"");
    prof_put_text(&t->out, key);
    prof_put_literal(&t->out, "\":");
    if (e)
        prof_put_literal(&t->out, "\"");
    if (e)
        prof_put_text(&t->out, e);
    if (e)
        prof_put_literal(&t->out, "\"");
    else
        prof_put_number(&t->out, tid);
    prof_put_literal(&t->out, "}}");
    free(e);
}

/* All but the events: the time that timestamps count from, and each source's device. */
static void put_head(trace *t, prof_source **sources, size_t count)
{
    uint64_t unix_ns = 0;
    t->base_ns = UINT64_MAX;
    for (size_t i = 0; i < count; i++)
        if (sources[i]->base_ns < t->base_ns)
            t->base_ns = sources[i]->base_ns, unix_ns = sources[i]->unix_ns;
    prof_writer *w = &t->out;
    prof_put_text(w, "{\"schemaVersion\":1,\"displayTimeUnit\":\"ms\",\"baseTimeNanoseconds\":");
    prof_put_number(w, unix_ns);
    prof_put_literal(w, ",\"deviceProperties\":[");
    for (size_t i = 0; i < count; i++) {
        char *e = prof_escape(sources[i]->device);
        prof_put_text(w, i ? ",{\"id\":" : "{\"id\":");
        prof_put_number(w, i * 1000);
        prof_put_literal(w, ",\"name\":\"");
        prof_put_text(w, e ? e : "");
        prof_put_literal(w, "\"}");
        free(e);
    }
    prof_put_literal(
        w, "],\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"trace_start\",\"pid\":0,\"tid\":0,\"ts\":0.000,\"args\":{}}");
}

/* Names what was seen of a source, and forgets it. */
static void put_lanes(trace *t, const prof_source *s)
{
    char label[600];
    int cpu = prof_is_cpu_device(s);
    put_metadata(t, "process_name", s->pid, 0, "name", s->program[0] ? s->program : "program");
    put_metadata(t, "process_labels", s->pid, 0, "labels", "CPU");
    put_metadata(t, "process_sort_index", s->pid, 0, "sort_index", NULL);
    for (size_t k = 0; k < t->seen_count; k++) {
        lane_seen *l = &t->seen[k];
        if (l->gpu) {
            snprintf(label, sizeof label, "%s %llu%s%s", cpu ? "CPU device" : "GPU",
                     (unsigned long long)(l->pid % 1000), s->device[0] ? ": " : "", s->device);
            put_metadata(t, "process_name", l->pid, 0, "name", label);
            put_metadata(t, "process_labels", l->pid, 0, "labels", cpu ? "CPU device" : "GPU");
            snprintf(label, sizeof label, "stream %llu", (unsigned long long)l->tid);
        } else {
            snprintf(label, sizeof label, "thread %llu%s", (unsigned long long)l->tid,
                     l->tid == s->pid ? " (main)" : "");
        }
        put_metadata(t, "thread_name", l->pid, l->tid, "name", label);
        put_metadata(t, "thread_sort_index", l->pid, l->tid, "sort_index", NULL);
    }
    t->seen_count = 0;
}

/* 0, or -1: out of memory. */
static int put_source(trace *t, prof_source *s, prof_analysis *analysis)
{
    prof_sink sink = {t, on_cpu, on_gpu};
    t->escaped = calloc(s->name_count + 1, sizeof *t->escaped);
    int failed = !t->escaped || prof_analyze(analysis, s, &sink);
    for (size_t k = 0; t->escaped && k < s->name_count; k++)
        free(t->escaped[k]);
    free(t->escaped);
    put_lanes(t, s);
    return failed ? -1 : 0;
}

int prof_trace_write(const char *path, prof_source **sources, size_t count, prof_analysis *analysis)
{
    prof_analysis own = {0};
    trace t = {.out = {.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)}};
    if (t.out.fd < 0)
        return -1;
    t.out.buffer = malloc(WRITER_BYTES);
    if (!t.out.buffer) {
        close(t.out.fd);
        return -1;
    }
    put_head(&t, sources, count);
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++) {
        t.process = (uint32_t)i;
        failed = put_source(&t, sources[i], analysis ? analysis : &own);
    }
    prof_put_text(&t.out, "\n]}\n");
    prof_write_out(&t.out);
    if (close(t.out.fd) && !t.out.failed)
        t.out.failed = errno;
    free(t.out.buffer);
    free(t.seen);
    prof_analysis_free(&own);
    errno = t.out.failed ? t.out.failed : ENOMEM;
    return failed || t.out.failed ? -1 : 0;
}
