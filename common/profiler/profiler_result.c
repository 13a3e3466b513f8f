/* profiler_result.c: the recording that ended last and what is reported of it: tables, CSV, summaries, traces. */
#include "profiler_result.h"

#include "profiler.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static prof_source *result;        /* NULL: nothing was recorded */
static prof_analysis the_analysis; /* of it, once a report has asked for it */
static int analysed;
static int fit; /* how wide tables may be, in characters; 0: as wide as they are */

static char last_error[512];

int prof_fail(int code, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(last_error, sizeof last_error, format, ap);
    va_end(ap);
    return code;
}

void prof_warn(const char *message) { fprintf(stderr, "profiler: %s\n", message); }

const char *profiler_last_error(void) { return last_error; }

void prof_result_keep(prof_source *source)
{
    prof_source_free(result);
    prof_analysis_free(&the_analysis);
    result = source;
    analysed = 0;
}

static int analysis(prof_analysis **out)
{
    if (!result)
        return prof_fail(PROFILER_ERROR_STATE, "nothing has been recorded");
    if (!analysed) {
        prof_analysis_free(&the_analysis);
        if (prof_analyze(&the_analysis, result, NULL)) {
            prof_analysis_free(&the_analysis);
            return prof_fail(PROFILER_ERROR_MEMORY, "out of memory");
        }
        prof_analysis_finish(&the_analysis);
        analysed = 1;
    }
    *out = &the_analysis;
    return PROFILER_OK;
}

static int report_error(int e, const char *what)
{
    if (e == -1)
        return prof_fail(PROFILER_ERROR_ARGUMENT, "no such column or report: %s", what);
    if (e == -2)
        return prof_fail(PROFILER_ERROR_MEMORY, "out of memory");
    return e ? prof_fail(PROFILER_ERROR_IO, "cannot write: %s", strerror(errno)) : PROFILER_OK;
}

int profiler_key_averages(ProfilerKeyAverages *out)
{
    prof_analysis *a;
    *out = (ProfilerKeyAverages){0};
    int error = analysis(&a);
    if (error)
        return error;
    if (!(out->rows = calloc(a->stat_count + 1, sizeof *out->rows)))
        return prof_fail(PROFILER_ERROR_MEMORY, "out of memory");
    for (; out->count < a->stat_count; out->count++) {
        const prof_stat *s = &a->stats[out->count];
        int cuda = s->kind == PROF_STAT_KERNEL || s->kind == PROF_STAT_COPY;
        out->rows[out->count] = (ProfilerRow){.name = s->name,
                                              .device = cuda ? PROFILER_CUDA : PROFILER_CPU,
                                              .count = s->time.count,
                                              .self_cpu_ns = s->self_cpu_ns,
                                              .cpu_total_ns = cuda ? 0 : s->time.sum,
                                              .self_cuda_ns = s->self_cuda_ns,
                                              .cuda_total_ns = s->cuda_total_ns};
        out->self_cpu_total_ns += s->self_cpu_ns;
        if (cuda)
            out->self_cuda_total_ns += s->self_cuda_ns;
    }
    return PROFILER_OK;
}

void profiler_key_averages_free(ProfilerKeyAverages *averages)
{
    free(averages->rows);
    *averages = (ProfilerKeyAverages){0};
}

void profiler_table_fit(int characters) { fit = characters; }

int profiler_key_averages_table(FILE *out, const char *sort_by, int row_limit)
{
    prof_analysis *a;
    int error = analysis(&a);
    if (!error)
        error = report_error(prof_table(out, a, sort_by, row_limit, fit), sort_by ? sort_by : "");
    if (!error && prof_is_cpu_device(result))
        fprintf(out, "CPU device: the counts are a GPU's, the times are this CPU's\n");
    if (!error && !strcmp(result->backend, "CUDA events"))
        fprintf(out, "CUDA events: CUDA times are those of ranges on the default stream; kernels are not listed\n");
    return error;
}

int profiler_key_averages_csv(FILE *out)
{
    prof_analysis *a;
    int error = analysis(&a);
    return error ? error : report_error(prof_table_csv(out, a), "");
}

int profiler_nsys_summary(FILE *out, const char *report, int csv)
{
    prof_analysis *a;
    int error = analysis(&a);
    return error ? error : report_error(prof_nsys(out, a, report ? report : "all", csv), report ? report : "all");
}

int profiler_export_chrome_trace(const char *path)
{
    if (!result)
        return prof_fail(PROFILER_ERROR_STATE, "nothing has been recorded");
    if (prof_trace_write(path, &result, 1, NULL))
        return prof_fail(PROFILER_ERROR_IO, "cannot write %s: %s", path, strerror(errno));
    return PROFILER_OK;
}

void profiler_tensorboard_trace_handler(void *directory)
{
    char host[128] = "host", path[PATH_MAX];
    gethostname(host, sizeof host - 1);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    snprintf(path, sizeof path, "%s", (char *)directory);
    for (char *s = path + 1; *s; s++) { /* mkdir -p */
        if (*s != '/')
            continue;
        *s = 0;
        mkdir(path, 0777);
        *s = '/';
    }
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s_%ld.%lld%09ld.pt.trace.json", (char *)directory, host, (long)getpid(),
             (long long)t.tv_sec, t.tv_nsec);
    if (profiler_export_chrome_trace(path))
        prof_warn(last_error);
}
