/* profiler.h: torch.profiler for a C program, under the same names.
 *
 *     profiler_start(NULL);                                  // record everything
 *     profiler_record_function("step") { launch(); }         // a named range
 *     profiler_stop();
 *     profiler_key_averages_table(stdout, "cuda_time_total", 10);
 *     profiler_export_chrome_trace("trace.json");            // chrome://tracing, Perfetto
 *
 * On a GPU the events come from CUPTI, loaded when the profiler starts; with no GPU they
 * come from the CPU device. One profiler at a time in a process. Functions may be called
 * from any thread, except that start, step, stop and the reports belong to one thread at
 * a time. A program that never starts it pays one load and a branch per range.
 *
 * Environment: PROFILER_CUPTI_LIBRARY=FILE another CUPTI; PROFILER_BACKEND=events as where there is no tracer;
 * PROFILER_MIGRATIONS=0 no record of unified memory's migrations (recording them slows a kernel that waits for them).
 *
 * All functions return PROFILER_OK or an error, whose one line of text is
 * profiler_last_error(). Times are nanoseconds unless a name says otherwise. */
#ifndef PROFILER_H
#define PROFILER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ProfilerResult {
    PROFILER_OK = 0,
    PROFILER_ERROR_STATE,    /* not started, already started, or nothing recorded yet */
    PROFILER_ERROR_ARGUMENT, /* an unknown column, report or activity */
    PROFILER_ERROR_IO,       /* a file could not be written */
    PROFILER_ERROR_MEMORY,
    PROFILER_ERROR_BACKEND /* no CUPTI, no permission, another profiler attached */
} ProfilerResult;

/* What is recorded: the CPU side is the CUDA API calls and the ranges, the CUDA side the
 * kernels, copies and fills. */
enum { PROFILER_CPU = 1, PROFILER_CUDA = 2 };

typedef enum ProfilerAction {
    PROFILER_NONE,   /* nothing is recorded */
    PROFILER_WARMUP, /* recorded and thrown away: the first use of the tracer costs time */
    PROFILER_RECORD,
    PROFILER_RECORD_AND_SAVE /* the last step of a cycle: on_trace_ready follows it */
} ProfilerAction;

/* Steps of a loop: skip_first once, then cycles of wait, warmup, active; repeat 0 is for ever. */
typedef struct ProfilerSchedule {
    int wait, warmup, active, repeat, skip_first;
} ProfilerSchedule;

ProfilerSchedule profiler_schedule(int wait, int warmup, int active, int repeat, int skip_first);
/* What the schedule says of one step (counted from 0). */
ProfilerAction profiler_schedule_action(const ProfilerSchedule *schedule, int step);

typedef struct ProfilerOptions {
    unsigned activities;                /* PROFILER_CPU | PROFILER_CUDA; 0 is both */
    ProfilerSchedule schedule;          /* active 0: no schedule, record from start to stop */
    void (*on_trace_ready)(void *user); /* after each cycle, and at stop: reports go here */
    void *user;
    size_t memory_bytes; /* events beyond this go to a temporary file; 0 is 256 MiB */
} ProfilerOptions;

/* options NULL: everything, no schedule. Where CUPTI cannot be had (not installed, no
 * permission, another profiler attached) the profiler still starts, prints one line on
 * stderr, and times ranges with CUDA events instead; profiler_backend() tells. */
int profiler_start(const ProfilerOptions *options);
int profiler_stop(void);
int profiler_step(void);               /* the end of one step of the loop */
int profiler_step_num(void);           /* steps ended since the start */
const char *profiler_backend(void);    /* "CUPTI", "CPU device", "CUDA events" or "none" */
const char *profiler_last_error(void); /* one line, or "" */

/* A range: nests, per thread; also an NVTX range for Nsight. As a statement:
 *     profiler_record_function("name") { ... }      (leave the block by its end) */
int profiler_record_function_begin(const char *name);
int profiler_record_function_end(void);
#define profiler_record_function(name)                                                                                 \
    for (int profiler_once = (profiler_record_function_begin(name), 1); profiler_once;                                 \
         profiler_once = (profiler_record_function_end(), 0))

/* Switch the recording of PROFILER_CPU and/or PROFILER_CUDA in mid-run. Waits for the
 * device first, so that work launched before the switch belongs to what came before it. */
int profiler_toggle_collection(unsigned activities, int on);

/* Reports on the cycle last ended. */

/* One row: all events of one name. A range's CUDA time is that of the work launched inside
 * it (self: not inside an inner range). A kernel's or copy's row has no CPU time. Every
 * ProfilerStep#N counts under ProfilerStep*. */
typedef struct ProfilerRow {
    const char *name;
    int device; /* PROFILER_CPU: a range or an API call; PROFILER_CUDA: a kernel, copy or fill */
    uint64_t count;
    uint64_t self_cpu_ns, cpu_total_ns, self_cuda_ns, cuda_total_ns;
} ProfilerRow;

typedef struct ProfilerKeyAverages {
    ProfilerRow *rows; /* in order of first appearance */
    size_t count;
    uint64_t self_cpu_total_ns;  /* the sum of self_cpu_ns */
    uint64_t self_cuda_total_ns; /* the sum of self_cuda_ns over the CUDA rows */
} ProfilerKeyAverages;

int profiler_key_averages(ProfilerKeyAverages *out);
void profiler_key_averages_free(ProfilerKeyAverages *averages);

/* The table. sort_by: NULL, "self_cpu_time_total", "cpu_time_total", "cpu_time" (average),
 * "self_cuda_time_total", "cuda_time_total", "cuda_time", "count" (largest first) or
 * "name"; row_limit < 0 is all rows. */
int profiler_key_averages_table(FILE *out, const char *sort_by, int row_limit);
int profiler_key_averages_csv(FILE *out);
/* From here on such a table has no line longer than that: it leaves out shares of the host's time, then averages. 0 (as
 * at first): all columns. */
void profiler_table_fit(int characters);

/* Trace Event JSON, timestamps in microseconds. */
int profiler_export_chrome_trace(const char *path);
/* For on_trace_ready, with the directory as user: DIR/<host>_<pid>.<time>.pt.trace.json,
 * the name TensorBoard's PyTorch plug-in looks for. Makes the directory. */
void profiler_tensorboard_trace_handler(void *directory);

/* nsys's summaries, as text (csv 0) or CSV. report: "cuda_api_sum", "cuda_gpu_kern_sum",
 * "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum", "cuda_gpu_sum", or "all" for the first four. */
int profiler_nsys_summary(FILE *out, const char *report, int csv);

/* For a program's main: options --profile and --trace FILE in two calls. begin starts the
 * profiler where table is nonzero or trace_path is not NULL and otherwise does nothing; end
 * stops it, prints the table on out (table nonzero) and writes the trace. Both return 0, or
 * after one line on stderr the exit status: 2 where trace_path cannot be written, else 1. */
int profiler_main_begin(int table, const char *trace_path);
int profiler_main_end(FILE *out);

#ifdef __cplusplus
}
#endif
#endif
