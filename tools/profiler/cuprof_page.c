/* cuprof_page.c: the page of `cuprof --html`. See cuprof_page.h. Out of memory for names or lanes the program stops. */
#include "cuprof_page.h"

#include "../../cpudevice/include/cpudev_written.h"
#include "../../cpudevice/runtime/device/forms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The page draws what fits a browser: the longest spans of a long run. */
enum { PAGE_SPANS = 100000 };

typedef struct page_span {
    uint64_t start_ns, duration_ns, bytes;
    uint32_t lane, name, correlation;
    int depth;
    uint32_t grid[3], block[3], registers, smem;
    char kind; /* r range, a API, k kernel, m copy */
} page_span;

typedef struct page_lane {
    uint32_t pid, number;
    int gpu;
    char label[160];
} page_lane;

typedef struct page {
    page_span *spans; /* room for twice PAGE_SPANS */
    size_t count, seen;
    page_lane *lanes;
    size_t lane_count;
    const char **names;
    size_t name_count, name_room;
    uint32_t *slots;
    size_t slot_count;
} page;

static uint32_t page_name(page *p, const char *text)
{
    if (p->name_count * 2 >= p->slot_count) {
        size_t n = p->slot_count ? p->slot_count * 2 : 256;
        p->names = realloc(p->names, n * sizeof *p->names);
        free(p->slots);
        p->slots = calloc(n, sizeof *p->slots);
        if (!p->names || !p->slots)
            abort();
        p->slot_count = n;
        for (size_t i = 0; i < p->name_count; i++) {
            size_t k = ((uintptr_t)p->names[i] >> 4) * 31 & (n - 1);
            while (p->slots[k])
                k = (k + 1) & (n - 1);
            p->slots[k] = (uint32_t)i + 1;
        }
    }
    size_t k = ((uintptr_t)text >> 4) * 31 & (p->slot_count - 1); /* display names are one pointer a name */
    while (p->slots[k] && p->names[p->slots[k] - 1] != text)
        k = (k + 1) & (p->slot_count - 1);
    if (!p->slots[k]) {
        p->names[p->name_count++] = text;
        p->slots[k] = (uint32_t)p->name_count;
    }
    return p->slots[k] - 1;
}

static uint32_t page_lane_of(page *p, prof_source *s, uint32_t number, int gpu, unsigned device)
{
    for (size_t i = 0; i < p->lane_count; i++)
        if (p->lanes[i].pid == s->pid && p->lanes[i].number == number && p->lanes[i].gpu == (gpu ? 1 + (int)device : 0))
            return (uint32_t)i;
    p->lanes = realloc(p->lanes, (p->lane_count + 1) * sizeof *p->lanes);
    if (!p->lanes)
        abort();
    page_lane *l = &p->lanes[p->lane_count];
    *l = (page_lane){s->pid, number, gpu ? 1 + (int)device : 0, ""};
    if (gpu)
        snprintf(l->label, sizeof l->label, "%s %u, stream %u", prof_is_cpu_device(s) ? "CPU device" : "GPU", device,
                 number);
    else
        snprintf(l->label, sizeof l->label, "thread %u%s", number, number == s->pid ? " (main)" : "");
    return (uint32_t)p->lane_count++;
}

static int longer(const void *a, const void *b)
{
    const page_span *x = a, *y = b;
    return x->duration_ns < y->duration_ns ? 1 : x->duration_ns > y->duration_ns ? -1 : 0;
}

static void page_add(page *p, const page_span *s)
{
    p->seen++;
    if (p->count == 2 * PAGE_SPANS) { /* keep the longer half */
        qsort(p->spans, p->count, sizeof *p->spans, longer);
        p->count = PAGE_SPANS;
    }
    p->spans[p->count++] = *s;
}

static void page_cpu(void *user, prof_source *s, const prof_cpu_span *e)
{
    page *p = user;
    page_add(p, &(page_span){.start_ns = e->start_ns,
                             .duration_ns = e->end_ns - e->start_ns,
                             .lane = page_lane_of(p, s, e->thread, 0, 0),
                             .name = page_name(p, prof_display_name(s, e->name)),
                             .correlation = e->correlation,
                             .depth = e->depth,
                             .kind = e->is_api ? 'a' : 'r'});
}

static void page_gpu(void *user, prof_source *s, const prof_event *e, const prof_launch *l)
{
    (void)l;
    page *p = user;
    page_span span = {.start_ns = e->start_ns,
                      .duration_ns = e->end_ns > e->start_ns ? e->end_ns - e->start_ns : 0,
                      .lane = page_lane_of(p, s, e->stream, 1, e->device),
                      .name = page_name(p, prof_display_name(s, e->name)),
                      .correlation = e->correlation,
                      .kind = e->kind == PROF_KERNEL ? 'k' : 'm'};
    if (e->kind == PROF_KERNEL) {
        span.grid[0] = e->grid_x, span.grid[1] = e->grid_y, span.grid[2] = e->grid_z;
        for (int i = 0; i < 3; i++)
            span.block[i] = e->block[i];
        span.registers = e->registers;
        span.smem = e->static_smem + e->dynamic_smem;
    } else {
        span.bytes = e->bytes;
    }
    page_add(p, &span);
}

static void page_rows(FILE *f, prof_analysis *a)
{
    static const char *const kinds[] = {"range", "api", "kernel", "memory"};
    for (size_t i = 0; i < a->stat_count; i++) {
        prof_stat *s = &a->stats[i];
        int cuda = s->kind >= PROF_STAT_KERNEL;
        fputs(i ? ",\n[" : "\n[", f);
        prof_json_string(f, s->name);
        fprintf(f, ",\"%s\",%llu,%llu,%llu,%llu,%llu", kinds[s->kind], (unsigned long long)s->self_cpu_ns,
                cuda ? 0ull : (unsigned long long)s->time.sum, (unsigned long long)s->self_cuda_ns,
                (unsigned long long)s->cuda_total_ns, (unsigned long long)s->time.count);
        fprintf(f, ",%llu,%.1f,%llu,%.1f]", (unsigned long long)s->time.min, prof_dist_median(&s->time),
                (unsigned long long)s->time.max, prof_dist_stddev(&s->time));
    }
}

static void page_spans(FILE *f, const page *p, uint64_t base_ns)
{
    for (size_t i = 0; i < p->count; i++) { /* lane, name, start ns, length ns, depth, kind, correlation, what else */
        const page_span *s = &p->spans[i];
        fprintf(f, "%s[%u,%u,%lld,%llu,%d,\"%c\",%u", i ? ",\n" : "\n", s->lane, s->name,
                (long long)(s->start_ns - base_ns), (unsigned long long)s->duration_ns, s->depth, s->kind,
                s->correlation);
        if (s->kind == 'k')
            fprintf(f, ",\"grid %u,%u,%u block %u,%u,%u, %u registers, %u bytes shared\"", s->grid[0], s->grid[1],
                    s->grid[2], s->block[0], s->block[1], s->block[2], s->registers, s->smem);
        if (s->kind == 'm')
            fprintf(f, ",\"%llu bytes\"", (unsigned long long)s->bytes);
        fputc(']', f);
    }
}

static void page_summaries(FILE *f, prof_analysis *a)
{
    static const char *const reports[] = {"cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum",
                                          "cuda_gpu_mem_size_sum", "cuda_gpu_sum"};
    for (int i = 0; i < 5; i++) {
        char *text = NULL;
        size_t size;
        FILE *m = open_memstream(&text, &size);
        if (!m)
            continue;
        prof_nsys(m, a, reports[i], 0);
        fclose(m);
        fprintf(f, "%s\"%s\":", i ? "," : "", reports[i]);
        prof_json_string(f, text);
        free(text);
    }
}

/* The run, as one JavaScript object; its device and its clock are those of the first process. */
static void page_data(FILE *f, const page *p, prof_analysis *a, const prof_source *first, const char *command)
{
    fputs("{\"command\":", f);
    prof_json_string(f, command);
    fputs(",\"device\":", f);
    prof_json_string(f, first->device);
    fprintf(f, ",\"cpu_device\":%s,\"backend\":\"%s\",\"unix_ms\":%llu,\"seen\":%zu,\"rows\":[",
            prof_is_cpu_device(first) ? "true" : "false", first->backend,
            (unsigned long long)(first->unix_ns / 1000000), p->seen);
    page_rows(f, a);
    fputs("],\"lanes\":[", f);
    for (size_t i = 0; i < p->lane_count; i++) {
        fputs(i ? "," : "", f);
        prof_json_string(f, p->lanes[i].label);
    }
    fputs("],\"gpu\":[", f);
    for (size_t i = 0; i < p->lane_count; i++)
        fprintf(f, "%s%d", i ? "," : "", p->lanes[i].gpu > 0);
    fputs("],\"names\":[", f);
    for (size_t i = 0; i < p->name_count; i++) {
        fputs(i ? "," : "", f);
        prof_json_string(f, p->names[i]);
    }
    fputs("],\"spans\":[", f);
    page_spans(f, p, first->base_ns);
    fputs("],\"summaries\":{", f);
    page_summaries(f, a);
    fputs("}}\n", f);
}

static int starts(const char *line, const char *with) { return !strncmp(line, with, strlen(with)); }

/* A file beside the template, or from its folder; false: it cannot be read. */
static int page_copy(FILE *f, const char *template_path, const char *name)
{
    char path[4096], line[4096];
    const char *slash = strrchr(template_path, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - template_path) + 1 : 0, template_path, name);
    FILE *in = fopen(path, "r");
    if (!in)
        return 0;
    while (fgets(line, sizeof line, in))
        fputs(line, f);
    fclose(in);
    return 1;
}

/* How the page says what it says, and the table of the Chinese where that is asked for. */
static int page_words(FILE *f, const char *template_path)
{
    if (!form_is_chinese() || !page_copy(f, template_path, "cuprof_chinese.js"))
        fputs("const CHINESE = null;\n", f);
    return page_copy(f, template_path, "../../cpudevice/viewer/words.js");
}

static void page_free(page *p)
{
    free(p->spans);
    free(p->lanes);
    free(p->names);
    free(p->slots);
}

int cuprof_page(const char *path, const char *template_path, prof_source **sources, size_t count, const char *command)
{
    prof_analysis a = {0};
    page p = {.spans = malloc(2 * PAGE_SPANS * sizeof *p.spans)};
    prof_sink sink = {&p, page_cpu, page_gpu};
    int failed = 0;
    char line[4096];
    FILE *t = fopen(template_path, "r"), *f = fopen(path, "w");
    if (!t || !f || !p.spans) {
        int saved = errno;
        if (t)
            fclose(t);
        if (f)
            fclose(f);
        page_free(&p);
        return saved;
    }
    for (size_t i = 0; i < count; i++)
        failed |= prof_analyze(&a, sources[i], &sink);
    prof_analysis_finish(&a);
    if (p.count > PAGE_SPANS) {
        qsort(p.spans, p.count, sizeof *p.spans, longer);
        p.count = PAGE_SPANS;
    }
    while (fgets(line, sizeof line, t))
        if (starts(line, "CUPROF_DATA"))
            page_data(f, &p, &a, sources[0], command);
        else if (starts(line, "CUPROF_WORDS"))
            failed |= !page_words(f, template_path);
        else
            fputs(line, f);
    fclose(t);
    const int why = written_close(f) ? errno : 0;
    prof_analysis_free(&a);
    page_free(&p);
    return why ? why : failed ? -1 : 0;
}
