/* counters_table.c: the counts as a CSV, as a table by source line, and the occupancy of a GPU. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters/counters.h"
#include "cpudev_must.h"
#include "counters/counters_launches.h"
#include "report/chinese.h"
#include "report/lines.h"
#include "cpudev_written.h"

typedef struct gpu {
    const char *name;
    unsigned sms, warps, blocks;
    size_t shared;
} gpu;

static const gpu gpus[] = {
    {"H200", 132, 64, 32, 228u << 10}, {"H100", 132, 64, 32, 228u << 10},    {"B200", 148, 64, 32, 228u << 10},
    {"A100", 108, 64, 32, 164u << 10}, {"V100", 80, 64, 32, 96u << 10},      {"T4", 40, 32, 16, 64u << 10},
    {"L4", 58, 48, 24, 100u << 10},    {"RTX4090", 128, 48, 24, 100u << 10}, {"RTX3090", 82, 48, 16, 100u << 10},
};

static const gpu *the_gpu(void)
{
    const char *n = getenv("CUDA_CPU_GPU");
    for (size_t i = 0; n && i < sizeof gpus / sizeof *gpus; i++)
        if (!strcasecmp(gpus[i].name, n))
            return &gpus[i];
    if (n && *n)
        check_say_line("CUDA_CPU_GPU: '%s' is not known (H200 H100 B200 A100 V100 T4 L4 RTX4090 RTX3090); using H200",
                       n);
    return &gpus[0];
}

// Registers are the compiler's affair and unknown here; they are taken as no limit.
static double theoretical(const launch *l, const gpu *g, unsigned *resident)
{
    unsigned warps = (l->block[0] * l->block[1] * l->block[2] + 31) / 32;
    if (!warps)
        return 0;
    unsigned blocks = g->warps / warps;
    size_t smem = l->dynamic_smem + l->static_smem + 1024; // 1 KiB a block is the system's
    smem = (smem + 127) & ~(size_t)127;
    if (blocks > g->blocks)
        blocks = g->blocks;
    if (g->shared / smem < blocks)
        blocks = (unsigned)(g->shared / smem);
    *resident = blocks;
    return 100.0 * blocks * warps / g->warps;
}

static void metric(FILE *o, const launch *l, const char *metric, double v)
{
    fprintf(o, "%u,\"%s\",\"(%u, %u, %u)\",\"(%u, %u, %u)\",%s,%.10g\n", l->number, l->name, l->grid[0], l->grid[1],
            l->grid[2], l->block[0], l->block[1], l->block[2], metric, v);
}

/* Not ncu's names. */
static void units(FILE *o, const launch *l)
{
    static const char *const name[CPUDEV_UNITS][2] = {
        [CPUDEV_TMA_LOAD] = {"cpudev__tma_load_instructions.sum", "cpudev__tma_load_bytes.sum"},
        [CPUDEV_TMA_STORE] = {"cpudev__tma_store_instructions.sum", "cpudev__tma_store_bytes.sum"},
        [CPUDEV_TENSOR] = {"cpudev__tensor_instructions.sum", "cpudev__tensor_multiply_adds.sum"}};
    for (int i = 0; i < CPUDEV_UNITS; i++) {
        metric(o, l, name[i][0], (double)l->unit[i].instructions);
        metric(o, l, name[i][1], (double)l->unit[i].amount);
    }
}

static void write_csv(FILE *o, const gpu *g)
{
    static const char *const op[] = {"ld", "st", "atom", "red"};
    char m[128];
    fprintf(o, "launch,kernel,grid,block,metric,value\n");
    for (const launch *l = check_first_launch; l; l = l->next) {
        uint64_t lanes = 0, instructions = 0;
        for (int k = 0; k < KINDS; k++) {
            snprintf(m, sizeof m, "l1tex__t_requests_pipe_lsu_mem_global_op_%s.sum", op[k]);
            metric(o, l, m, (double)l->global[k].requests);
            snprintf(m, sizeof m, "l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum", op[k]);
            metric(o, l, m, (double)l->global[k].sectors);
            if (k == KIND_LD || k == KIND_ST) {
                snprintf(m, sizeof m, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_%s.ratio", op[k]);
                metric(o, l, m,
                       l->global[k].requests ? (double)l->global[k].sectors / (double)l->global[k].requests : 0);
            }
            lanes += l->global[k].lanes + l->shared[k].lanes;
            instructions += l->global[k].requests + l->shared[k].instructions;
            if (k == KIND_RED)
                continue; // shared memory has atomics only
            snprintf(m, sizeof m, "smsp__sass_inst_executed_op_shared_%s.sum", op[k]);
            metric(o, l, m, (double)l->shared[k].instructions);
            snprintf(m, sizeof m, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum", op[k]);
            metric(o, l, m, (double)l->shared[k].wavefronts);
            snprintf(m, sizeof m, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_%s.sum", op[k]);
            metric(o, l, m, (double)l->shared[k].conflicts);
        }
        unsigned resident = 0;
        double full = theoretical(l, g, &resident), blocks = (double)l->grid[0] * l->grid[1] * l->grid[2];
        metric(o, l, "smsp__inst_executed_op_barrier.sum", (double)l->barriers);
        metric(o, l, "launch__shared_mem_per_block_dynamic", (double)l->dynamic_smem);
        metric(o, l, "launch__shared_mem_per_block_static", (double)l->static_smem);
        // Not ncu's: how many copies of cp.async each thread's waits left under way, in sum. 0: nothing overlaps.
        metric(o, l, "cpudev__async_copies_under_way.sum", (double)l->under_way);
        units(o, l);
        // Of the memory instructions; ncu's ratio is over all instructions.
        metric(o, l, "smsp__thread_inst_executed_per_inst_executed.ratio",
               instructions ? (double)lanes / (double)instructions : 0);
        metric(o, l, "sm__maximum_warps_per_active_cycle_pct", full);
        double room = (double)resident * g->sms, waves = room ? blocks / room : 0,
               whole = waves > (double)(long)waves ? (double)(long)waves + 1 : waves;
        // What the grid leaves of it: the last wave is not full.
        metric(o, l, "sm__warps_active.avg.pct_of_peak_sustained_active",
               whole ? full * (waves < 1 && blocks < g->sms ? 1.0 / (resident ? resident : 1) : waves / whole) : 0);
    }
}

static int by_kernel_line(const void *a, const void *b)
{
    const line_sum *x = *(line_sum *const *)a, *y = *(line_sum *const *)b;
    int k = strcmp(x->kernel, y->kernel);
    if (k)
        return k;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static const char *access_name(const line_sum *q)
{
    static const char *const name[][4] = {
        [IN_GLOBAL] = {"global load", "global store", "global atomic", "global red"},
        [IN_SHARED] = {"shared load", "shared store", "shared atomic"},
        [BY_UNIT] = {[CPUDEV_TMA_LOAD] = "TMA load", [CPUDEV_TMA_STORE] = "TMA store", [CPUDEV_TENSOR] = "tensor"}};
    return name[q->memory][q->kind];
}

static const struct {
    const char *words;
    int columns; /* negative: from the left */
} heads[] = {{"line", -28},   {"access", -14}, {"requests", 12}, {"sectors", 12},
             {"per req.", 9}, {"ideal", 6},    {"lanes", 6},     {"bank confl.", 12}};

static void print_head(FILE *o, const char *kernel, const gpu *g)
{
    unsigned resident = 0;
    double full = 0;
    for (const launch *l = check_first_launch; l; l = l->next)
        if (!strcmp(l->name, kernel))
            full = theoretical(l, g, &resident);
    char words[96], said[128];
    snprintf(words, sizeof words, "(occupancy on %s at most %.0f %%)", g->name, full);
    fprintf(o, "\n%s   %s\n", kernel, check_say_text(words, said, sizeof said));
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        fputs(i ? " " : "  ", o);
        check_say_cell(o, heads[i].words, heads[i].columns);
    }
    fputc('\n', o);
}

/* A word on what could be better, or "". */
static const char *advice_in_english(const line_sum *q, double requests)
{
    const sums *s = &q->s;
    if (q->memory == IN_GLOBAL && q->kind < KIND_ATOM && s->sectors > s->ideal + s->ideal / 2)
        return "  <- uncoalesced: let neighbouring threads (in x) touch neighbouring addresses";
    if (q->memory == IN_GLOBAL && q->kind < KIND_ATOM && s->sectors > s->ideal + s->ideal / 10)
        return "  <- misaligned by part of a sector";
    if (q->memory == IN_SHARED && (double)s->conflicts > requests / 2)
        return q->kind == KIND_ATOM ? "  <- lanes update the same words"
                                    : "  <- bank conflicts: pad the row by one element, or change the index";
    return (double)s->lanes / requests < 16 ? "  <- fewer than half of the lanes are active" : "";
}

static const char *advice(const line_sum *q, double requests) { return check_say(advice_in_english(q, requests)); }

/* What a unit has done in the row. */
static void print_amount(FILE *o, const line_sum *q, double instructions)
{
    char words[96], said[128];
    snprintf(words, sizeof words,
             q->kind == CPUDEV_TENSOR ? "%llu multiply-adds, %.4g per instruction" : "%llu bytes, %.4g per instruction",
             (unsigned long long)q->unit.amount, (double)q->unit.amount / instructions);
    fprintf(o, "%12s %9s %6s %6s %12s  %s\n", "-", "-", "-", "-", "-", check_say_text(words, said, sizeof said));
}

/* One row, of all that was counted of one kind on a source line. */
static void print_row(FILE *o, FILE *csv, const char *path, const line_sum *q)
{
    const sums *s = &q->s;
    const uint64_t requests = s->requests + s->instructions + q->unit.instructions;
    const double n = (double)requests;
    const char *line = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *name = access_name(q);
    line = *line ? line : "?";
    if (csv)
        fprintf(csv, "\"%s\",%s,%s,%llu,%llu,%llu,%llu,%llu,%llu\n", q->kernel, line, name,
                (unsigned long long)requests, (unsigned long long)s->sectors, (unsigned long long)s->ideal,
                (unsigned long long)s->lanes, (unsigned long long)s->conflicts, (unsigned long long)q->unit.amount);
    fprintf(o, "  %-28s ", line);
    check_say_cell(o, name, -14);
    fprintf(o, " %12llu ", (unsigned long long)requests);
    if (q->memory == BY_UNIT)
        print_amount(o, q, n);
    else if (q->memory == IN_SHARED)
        fprintf(o, "%12s %9s %6s %6.1f %12llu%s\n", "-", "-", "-", (double)s->lanes / n,
                (unsigned long long)s->conflicts, advice(q, n));
    else
        fprintf(o, "%12llu %9.2f %6.2f %6.1f %12s%s\n", (unsigned long long)s->sectors, (double)s->sectors / n,
                (double)s->ideal / n, (double)s->lanes / n, "-", advice(q, n));
}

static int one_row(const line_sum *a, const line_sum *b)
{
    return a->kind == b->kind && a->memory == b->memory && !strcmp(a->kernel, b->kernel);
}

/* The table by source line, for people; and the same lines as CSV, if csv is not NULL. One line may hold several
 * accesses, and copies of them. */
static void check_counters_table(FILE *o, FILE *csv, const gpu *g)
{
    typedef struct {
        char line[320];
    } where;
    size_t n = 0;
    for (line_sum *q = check_line_sums; q; q = q->next)
        n++;
    line_sum **v = must(malloc((n + 1) * sizeof *v));
    n = 0;
    for (line_sum *q = check_line_sums; q; q = q->next)
        v[n++] = q;
    where *w = must(calloc(n + 1, sizeof *w));
    qsort(v, n, sizeof *v, by_kernel_line);
    for (size_t i = 0; i < n; i++)
        snprintf(w[i].line, sizeof w[i].line, "%s", check_line((void *)(v[i]->pc & (((uintptr_t)1 << 48) - 1))));
    const char *kernel = "";
    for (size_t i = 0; i < n; i++) {
        if (!v[i])
            continue;
        line_sum all = *v[i];
        for (size_t k = i + 1; k < n; k++)
            if (v[k] && one_row(v[k], v[i]) && *w[i].line && !strcmp(w[k].line, w[i].line)) {
                check_sums_add(&all.s, &v[k]->s);
                unit_sums_add(&all.unit, &v[k]->unit);
                v[k] = NULL;
            }
        if (strcmp(kernel, v[i]->kernel))
            print_head(o, kernel = v[i]->kernel, g);
        print_row(o, csv, w[i].line, &all);
    }
    free(v);
    free(w);
}

bool counters_silent;

// The file that an environment variable names, or NULL.
static FILE *open_named(const char *variable)
{
    const char *path = getenv(variable);
    FILE *o = path && *path ? fopen(path, "w") : NULL;
    if (path && *path && !o)
        check_say_line("%s: cannot write %s: %s", variable, path, strerror(errno));
    return o;
}

// Half of a table would be read as a whole one: that it could not be written is said.
static void close_named(FILE *o, const char *variable)
{
    if (written_close(o))
        check_say_line("%s: cannot write %s: %s", variable, getenv(variable), strerror(errno));
}

void counters_at_exit(void)
{
    const gpu *g = the_gpu();
    FILE *launches = open_named("CUDA_CPU_COUNTERS"), *lines = open_named("CUDA_CPU_COUNTER_LINES");
    if (launches) {
        write_csv(launches, g);
        close_named(launches, "CUDA_CPU_COUNTERS");
    }
    if (lines) {
        fprintf(lines, "kernel,line,access,requests,sectors,ideal,lanes,bank_conflicts,amount\n");
        counters_calls_csv(lines);
    }
    if (check_first_launch && !counters_silent)
        check_counters_table(stderr, lines, g);
    if (lines)
        close_named(lines, "CUDA_CPU_COUNTER_LINES");
}
