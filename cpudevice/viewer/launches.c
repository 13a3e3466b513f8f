/* launches.c: what is to be recorded, and of which launch; at the end the page is written. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "report/chinese.h"
#include "report/lines.h"
#include "cpudev_abi.h"
#include "cpudev_must.h"
#include "core/hooks.h"
#include "core/tools.h"
#include "recorder.h"
#include "cpudev_written.h"

/* ---- the kernel's arguments ---- */

static __thread view_operation told; /* by this host thread, for the launch that it is about to make */

static void word_of_list(const char *list, int index, char *out, size_t bytes)
{
    while (index-- > 0 && *list)
        list += strcspn(list, ",") + (strchr(list, ',') != NULL);
    list += strspn(list, " ");
    snprintf(out, bytes, "%.*s", (int)strcspn(list, ", ."), list);
}

void cpudev_check_argument(const char *names, int index, const char *type, const void *value, size_t bytes, bool scalar)
{
    if (!view.file || index >= VIEW_PARAMETERS)
        return;
    view_parameter *p = &told.parameters[index];
    *p = (view_parameter){.known = scalar && bytes <= 8};
    told.parameter_count = index + 1;
    word_of_list(names, index, p->name, sizeof p->name);
    const char *is = strstr(type, "T = ");
    if (is)
        snprintf(p->type, sizeof p->type, "%.*s", (int)strcspn(is + 4, ";]"), is + 4);
    if (!p->known) {
        p->words = (int)(bytes / 8 < VIEW_WORDS ? bytes / 8 : VIEW_WORDS);
        memcpy(p->word, value, (size_t)p->words * 8);
        return;
    }
    bool is_unsigned = strstr(p->type, "unsigned") || !strcmp(p->type, "bool");
    switch (bytes) {
    case 1: p->value = is_unsigned ? *(const uint8_t *)value : *(const int8_t *)value; break;
    case 2: p->value = is_unsigned ? *(const uint16_t *)value : *(const int16_t *)value; break;
    case 4: p->value = is_unsigned ? (int64_t) * (const uint32_t *)value : *(const int32_t *)value; break;
    case 8: p->value = *(const int64_t *)value; break;
    }
}

/* ---- launches ---- */

static void op_enqueue(cpudev_op *op, const cpudev_op_desc *d)
{
    view_operation *o = d->kind == CPUDEV_OP_KERNEL ? must(malloc(sizeof *o)) : NULL;
    op->of[view.observer] = o;
    if (!o)
        return;
    *o = told;
    told.parameter_count = 0;
    check_kernel_name(d->name, o->launch.kernel, sizeof o->launch.kernel);
    memcpy(o->launch.grid, d->grid, sizeof d->grid);
    memcpy(o->launch.block, d->block, sizeof d->block);
    snprintf(o->file, sizeof o->file, "%s", d->file ? check_short_path(d->file) : "");
    o->line = d->line;
    o->dynamic_smem = d->dynamic_smem;
    o->static_smem = d->static_smem;
}

static void recording_new(view_recording *r, const view_operation *o)
{
    free(r->sites);
    free(r->places);
    free(r->findings);
    for (int i = 0; i < r->block_count; i++) {
        free(r->blocks[i].code.p);
        free(r->blocks[i].marks);
    }
    *r = (view_recording){.any = true,
                          .rows = getenv("CUDA_CPU_VIEW_ROWS"),
                          .number = o->number,
                          .line = o->line,
                          .dynamic_smem = o->dynamic_smem,
                          .static_smem = o->static_smem,
                          .parameter_count = o->parameter_count};
    memcpy(r->kernel, o->launch.kernel, sizeof r->kernel);
    memcpy(r->file, o->file, sizeof r->file);
    memcpy(r->grid, o->launch.grid, sizeof r->grid);
    memcpy(r->block, o->launch.block, sizeof r->block);
    memcpy(r->parameters, o->parameters, sizeof r->parameters);
}

static uint64_t threads_of(const view_launch *l)
{
    return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] * l->block[0] * l->block[1] * l->block[2];
}

/* With the lock held. */
static bool is_wanted(const view_operation *o)
{
    uint64_t threads = threads_of(&o->launch);
    if (!view.largest)
        return !view.want || view.want == o->number;
    if (strcmp(o->launch.kernel, view.launches[0].kernel) != 0 || threads < view.threads)
        return false;
    view.threads = threads;
    return true;
}

static void op_begin(cpudev_op *op)
{
    view_operation *o = op->of[view.observer];
    if (!o)
        return;
    pthread_mutex_lock(&view.lock);
    if (view.count == view.capacity) {
        view.capacity = view.capacity ? 2 * view.capacity : 64;
        view.launches = must(realloc(view.launches, view.capacity * sizeof *view.launches));
    }
    view.launches[view.count++] = o->launch;
    o->number = view.count;
    if (is_wanted(o))
        recording_new(&view.r, o);
    pthread_mutex_unlock(&view.lock);
}

static void op_end(cpudev_op *op, const cpudev_event *e)
{
    (void)e;
    free(op->of[view.observer]);
    op->of[view.observer] = NULL;
}

/* ---- the page ---- */

static void write_page(void)
{
    FILE *o = fopen(view.file, "w");
    if (o)
        view_write(o, &view.r, view.launches, view.count);
    if (!o || written_close(o)) {
        check_say_line("CUDA_CPU_VIEW: cannot write %s: %s", view.file, strerror(errno));
        _exit(2);
    }
    fprintf(stderr, "view: %s\n", view.file);
}

static void at_exit(int status, void *unused)
{
    (void)status;
    (void)unused;
    fflush(stdout);
    pthread_mutex_lock(&view.lock);
    if (view.want > view.count)
        check_say_line("CUDA_CPU_VIEW_LAUNCH: the program made %u launches, not %u", view.count, view.want);
    if (!view.still)
        write_page();
    else if (view_still(view.file, view.still, &view.r, view.launches, view.count))
        fprintf(stderr, "view: %s\n", view.file);
    else
        _exit(2);
    pthread_mutex_unlock(&view.lock);
}

/* ---- settings ---- */

static void bad_setting(const char *name, const char *value, const char *want)
{
    check_say_line("%s: '%s' is not %s", name, value, want);
    _exit(2);
}

/* NAME=NUMBER, several with commas. */
static bool are_rows(const char *s)
{
    do {
        size_t name = strcspn(s, "=,"), digits = s[name] == '=' ? strspn(s + name + 1, "0123456789") : 0;
        if (!name || !digits || digits > 9)
            return false;
        s += name + 1 + digits;
    } while (*s++ == ',');
    return !s[-1];
}

static void read_settings(const char *launch, const char *block)
{
    char end;
    view.largest = launch && !strcmp(launch, "largest");
    if (launch && *launch && !view.largest &&
        (sscanf(launch, "%u%c", &view.want, &end) != 1 || !view.want || *launch == '-'))
        bad_setting("CUDA_CPU_VIEW_LAUNCH", launch, "the number of a launch, from 1, or `largest`");
    const char *rows = getenv("CUDA_CPU_VIEW_ROWS");
    if (rows && *rows && !are_rows(rows))
        bad_setting("CUDA_CPU_VIEW_ROWS", rows, "elements per row of arrays: NAME=NUMBER,...");
    if (!block || !*block)
        return;
    int n = sscanf(block, "%u,%u,%u%c", &view.block[0], &view.block[1], &view.block[2], &end);
    if (n < 1 || n > 3 || strspn(block, "0123456789,") != strlen(block))
        bad_setting("CUDA_CPU_VIEW_BLOCK", block, "a block's index: x or x,y or x,y,z");
    view.one = true;
}

/* After the checker's constructor (101), so that its callbacks come first. */
static void __attribute__((constructor(102))) start(void)
{
    static const cpudev_observer recorder = {.waits_at_exit = true,
                                             .stack_bytes = 16 * 1024,
                                             .op_enqueue = op_enqueue,
                                             .op_begin = op_begin,
                                             .op_end = op_end,
                                             .block_begin = view_block_begin,
                                             .block_end = view_block_end,
                                             .thread_now = view_thread_now,
                                             .barrier = view_barrier,
                                             .meet = view_meet};
    const char *file = getenv("CUDA_CPU_VIEW");
    if (!file || !*file)
        return;
    read_settings(getenv("CUDA_CPU_VIEW_LAUNCH"), getenv("CUDA_CPU_VIEW_BLOCK"));
    FILE *o = fopen(file, "w"); /* better now than after the run */
    if (!o || fclose(o)) {
        check_say_line("CUDA_CPU_VIEW: cannot write %s: %s", file, strerror(errno));
        _exit(2);
    }
    view.still = getenv("CUDA_CPU_VIEW_SVG");
    if (view.still && !*view.still)
        view.still = NULL;
    view.file = file;
    view.observer = observer_add(&recorder);
    check_hooks.access = view_access;
    check_hooks.constant = view_constant;
    check_hooks.counted = view_counted;
    check_hooks.finding_made = view_finding;
    counters_silent = !(check_tools & TOOL_COUNTERS);
    check_tools |= TOOL_COUNTERS;
    on_exit(at_exit, NULL); /* before the checker's, which ends the process */
}
