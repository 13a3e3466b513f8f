/* profiler_session.c: when to record. The state machine of torch.profiler.profile: start, step by
 * step through a schedule, stop; and the ranges of the program. What is recorded comes from a
 * back end; what is reported, from the analysis. */
#include "profiler.h"

#include "profiler_core.h"
#include "profiler_result.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 256 }; /* of nested ranges; deeper ones are not recorded */

static struct {
    int started;
    ProfilerOptions options;
    const prof_backend *backend;
    int step;
    ProfilerAction action;
    int collecting;  /* the back end is on */
    unsigned wanted; /* activities, as toggled */
    int step_range_open;
} p;

/* Read by every range: bit 0 ranges are recorded, bit 1 the back end times them itself. */
static atomic_uint recording;
static atomic_uint generation; /* of the store: an END belongs to a BEGIN of the same one */

const char *profiler_backend(void) { return p.started && p.backend ? p.backend->name : "none"; }
int profiler_step_num(void) { return p.step; }

/* ---- the schedule ---- */

ProfilerSchedule profiler_schedule(int wait, int warmup, int active, int repeat, int skip_first)
{
    return (ProfilerSchedule){wait, warmup, active, repeat, skip_first};
}

ProfilerAction profiler_schedule_action(const ProfilerSchedule *s, int step)
{
    if (step < s->skip_first)
        return PROFILER_NONE;
    step -= s->skip_first;
    int cycle = s->wait + s->warmup + s->active;
    if (cycle <= 0 || (s->repeat > 0 && step / cycle >= s->repeat))
        return PROFILER_NONE;
    int at = step % cycle;
    if (at < s->wait)
        return PROFILER_NONE;
    if (at < s->wait + s->warmup)
        return PROFILER_WARMUP;
    return at == cycle - 1 ? PROFILER_RECORD_AND_SAVE : PROFILER_RECORD;
}

/* ---- ranges ---- */

static __thread struct {
    uint32_t depth;
    uint32_t generation[MAX_DEPTH]; /* 0: this level was not recorded */
} stack;

static void put_range(int kind, const char *name, uint32_t correlation)
{
    prof_event e = {.kind = (uint8_t)kind, .thread = prof_thread(), .correlation = correlation};
    if (name)
        e.name = prof_name(name);
    e.start_ns = e.end_ns = prof_now();
    prof_put(&e);
}

int profiler_record_function_begin(const char *name)
{
    unsigned r = atomic_load_explicit(&recording, memory_order_relaxed);
    prof_nvtx_push(name ? name : "");
    if (!r && !stack.depth)
        return PROFILER_OK;
    uint32_t level = stack.depth++;
    if (level >= MAX_DEPTH)
        return PROFILER_ERROR_STATE;
    stack.generation[level] = 0;
    if (!(r & 1))
        return PROFILER_OK;
    stack.generation[level] = atomic_load_explicit(&generation, memory_order_relaxed);
    if (!name)
        name = "";
    put_range(PROF_BEGIN, name, r & 2 ? p.backend->range_begin(name) : 0);
    return PROFILER_OK;
}

int profiler_record_function_end(void)
{
    prof_nvtx_pop();
    if (!stack.depth)
        return PROFILER_OK;
    uint32_t level = --stack.depth;
    if (level >= MAX_DEPTH)
        return PROFILER_ERROR_STATE;
    if (!stack.generation[level])
        return PROFILER_OK;
    if (p.backend->range_end)
        p.backend->range_end();
    if (stack.generation[level] == atomic_load_explicit(&generation, memory_order_relaxed))
        put_range(PROF_END, NULL, 0);
    return PROFILER_OK;
}

/* ---- recording ---- */

static void set_recording(unsigned activities)
{
    unsigned r = p.collecting && (activities & PROFILER_CPU) ? 1 : 0;
    if (r && p.backend->range_begin)
        r |= 2;
    atomic_store(&recording, r);
}

static int collect(void)
{
    char message[400] = "";
    p.backend->synchronize(); /* what was launched before does not belong to us */
    if (p.backend->enable(p.wanted, message, sizeof message)) {
        prof_warn(message);
        return prof_fail(PROFILER_ERROR_BACKEND, "%s", message);
    }
    p.collecting = 1;
    return PROFILER_OK;
}

static void new_generation(void)
{
    if (!atomic_fetch_add(&generation, 1) + 1)
        atomic_fetch_add(&generation, 1); /* never 0 */
}

static void open_step_range(void)
{
    char name[40];
    snprintf(name, sizeof name, "ProfilerStep#%d", p.step);
    profiler_record_function_begin(name);
    p.step_range_open = 1;
}

static void close_step_range(void)
{
    if (p.step_range_open)
        profiler_record_function_end();
    p.step_range_open = 0;
}

/* Enter the state that the schedule asks of this step. */
static int enter(ProfilerAction next)
{
    int recorded = p.action >= PROFILER_RECORD, records = next >= PROFILER_RECORD, error = PROFILER_OK;
    if (next != PROFILER_NONE && !p.collecting) {
        prof_result_keep(NULL); /* memory for the new cycle; its reports were for on_trace_ready */
        size_t bytes = p.options.memory_bytes ? p.options.memory_bytes : (size_t)256 << 20;
        if (prof_store_open(NULL, bytes))
            return prof_fail(PROFILER_ERROR_MEMORY, "no room for events");
        new_generation();
        error = collect();
        if (!error && p.backend->warm_up) {
            p.backend->warm_up();
            p.backend->flush(1);
            prof_store_discard();
        }
    }
    if (records && !recorded && p.collecting) {
        if (p.action == PROFILER_WARMUP) { /* its events go */
            p.backend->synchronize();
            p.backend->flush(1);
            prof_store_discard();
            new_generation();
        }
    }
    p.action = next;
    set_recording(records ? p.wanted : 0);
    return error;
}

static void save(void)
{
    atomic_store(&recording, 0);
    if (p.collecting) {
        p.backend->disable(p.wanted);
        p.collecting = 0;
    }
    prof_source *s = prof_store_close();
    new_generation(); /* ranges still open end here */
    if (s) {
        if (s->lost)
            fprintf(stderr, "profiler: %llu events did not fit in memory or on the disk and are lost\n",
                    (unsigned long long)s->lost);
        snprintf(s->backend, sizeof s->backend, "%s", p.backend->name);
        p.backend->describe(s->device, sizeof s->device);
        prof_result_keep(s);
    }
}

int profiler_start(const ProfilerOptions *options)
{
    prof_fail(PROFILER_OK, "%s", "");
    if (p.started)
        return prof_fail(PROFILER_ERROR_STATE, "the profiler is already started");
    static const ProfilerOptions none;
    ProfilerOptions o = options ? *options : none;
    const ProfilerSchedule *s = &o.schedule;
    if (!o.activities)
        o.activities = PROFILER_CPU | PROFILER_CUDA;
    if (o.activities & ~(unsigned)(PROFILER_CPU | PROFILER_CUDA))
        return prof_fail(PROFILER_ERROR_ARGUMENT, "unknown activity in %#x", o.activities);
    if (s->wait < 0 || s->warmup < 0 || s->active < 0 || s->repeat < 0 || s->skip_first < 0 ||
        (s->active == 0 && (s->wait || s->warmup || s->repeat || s->skip_first)) ||
        (int64_t)s->wait + s->warmup + s->active > INT_MAX)
        return prof_fail(PROFILER_ERROR_ARGUMENT, "a schedule needs active of at least 1 and no negative number");
    prof_result_keep(NULL);
    char message[400] = "";
    int error = PROFILER_OK;
#if defined(LAB_CUDA)
    p.backend = &prof_backend_cupti;
#else
    p.backend = &prof_backend_cpu;
#endif
    const char *forced = getenv("PROFILER_BACKEND"); /* "events": as where there is no tracer */
    if (forced && !strcmp(forced, "events")) {
        p.backend = &prof_backend_events;
        error = p.backend->open(message, sizeof message);
    } else if (p.backend->open(message, sizeof message)) {
        char line[840], first[400];
        strcpy(first, message);
        p.backend = &prof_backend_events;
        error = p.backend->open(message, sizeof message);
        snprintf(line, sizeof line, "%s; %s", first, error ? message : "timing ranges with CUDA events instead");
        prof_warn(line);
        prof_fail(PROFILER_ERROR_BACKEND, "%s", first);
    }
    if (error)
        return prof_fail(PROFILER_ERROR_BACKEND, "%s", message);
    p.options = o;
    p.wanted = o.activities;
    p.step = 0;
    p.action = PROFILER_NONE;
    p.started = 1;
    error = enter(s->active ? profiler_schedule_action(s, 0) : PROFILER_RECORD);
    if (error) {
        p.started = 0;
        prof_source_free(prof_store_close());
        p.backend->close();
    } else if (s->active && p.action >= PROFILER_RECORD) {
        open_step_range();
    }
    return error;
}

int profiler_step(void)
{
    if (!p.started)
        return prof_fail(PROFILER_ERROR_STATE, "profiler_step without profiler_start");
    close_step_range();
    p.step++;
    const ProfilerSchedule *s = &p.options.schedule;
    int error = PROFILER_OK;
    if (s->active) {
        ProfilerAction next = profiler_schedule_action(s, p.step);
        if (p.action == PROFILER_RECORD_AND_SAVE) {
            p.backend->synchronize();
            save();
            p.action = PROFILER_NONE;
            if (p.options.on_trace_ready)
                p.options.on_trace_ready(p.options.user);
        } else if (p.action == PROFILER_WARMUP && next == PROFILER_NONE) {
            next = PROFILER_NONE;
        }
        error = enter(next);
    }
    if (p.action >= PROFILER_RECORD)
        open_step_range();
    return error;
}

int profiler_stop(void)
{
    if (!p.started)
        return prof_fail(PROFILER_ERROR_STATE, "profiler_stop without profiler_start");
    close_step_range();
    int recorded = p.action >= PROFILER_RECORD;
    if (p.collecting) {
        p.backend->synchronize();
        if (recorded) {
            save();
        } else {
            p.backend->disable(p.wanted);
            p.collecting = 0;
            prof_source_free(prof_store_close());
        }
    }
    atomic_store(&recording, 0);
    p.action = PROFILER_NONE;
    if (recorded && p.options.on_trace_ready)
        p.options.on_trace_ready(p.options.user);
    p.backend->close();
    p.started = 0;
    return PROFILER_OK;
}

int profiler_toggle_collection(unsigned activities, int on)
{
    if (!p.started)
        return prof_fail(PROFILER_ERROR_STATE, "profiler_toggle_collection without profiler_start");
    if (!activities || activities & ~(unsigned)(PROFILER_CPU | PROFILER_CUDA))
        return prof_fail(PROFILER_ERROR_ARGUMENT, "unknown activity in %#x", activities);
    unsigned wanted = on ? p.wanted | activities : p.wanted & ~activities, changed = wanted ^ p.wanted;
    if (!changed)
        return PROFILER_OK;
    char message[400] = "";
    int error = PROFILER_OK;
    if (p.collecting) {
        p.backend->synchronize();
        if (on && p.backend->enable(changed, message, sizeof message))
            return prof_fail(PROFILER_ERROR_BACKEND, "%s", message);
        if (!on)
            p.backend->disable(changed);
    }
    p.wanted = wanted;
    if (p.action >= PROFILER_RECORD)
        set_recording(p.wanted);
    return error;
}

/* ---- a program's main ---- */

static struct {
    int table, begun;
    const char *trace_path;
} of_main;

int profiler_main_begin(int table, const char *trace_path)
{
    if (!table && !trace_path)
        return 0;
    of_main.table = table;
    of_main.trace_path = trace_path;
    if (trace_path && !prof_can_write(trace_path)) {
        prof_fail(PROFILER_ERROR_IO, "cannot write %s: %s", trace_path, strerror(errno));
        prof_warn(profiler_last_error());
        return 2;
    }
    if (profiler_start(NULL)) { /* it said so */
        if (!*profiler_last_error())
            prof_warn("cannot start");
        return 1;
    }
    of_main.begun = 1;
    return 0;
}

int profiler_main_end(FILE *out)
{
    if (!of_main.begun)
        return 0;
    of_main.begun = 0;
    int error = profiler_stop();
    if (!error && of_main.table)
        error = profiler_key_averages_table(out, "cuda_time_total", -1);
    if (!error && of_main.trace_path)
        error = profiler_export_chrome_trace(of_main.trace_path);
    if (error)
        prof_warn(profiler_last_error());
    return error != 0;
}
