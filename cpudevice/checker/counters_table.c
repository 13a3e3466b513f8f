/* counters_table.c: the counts as a CSV, as a table by source line, and the occupancy of a GPU. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "counters_launches.h"
#include "lines.h"

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
        fprintf(stderr,
                "CUDA_CPU_GPU: '%s' is not known (H200 H100 B200 A100 V100 T4 L4 RTX4090 RTX3090); using H200\n", n);
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

// The table by source line, for people; and the same lines as CSV, if csv is not NULL.
static void check_counters_table(FILE *o, FILE *csv, const gpu *g)
{
    size_t n = 0;
    for (line_sum *q = check_line_sums; q; q = q->next)
        n++;
    line_sum **v = malloc((n + 1) * sizeof *v);
    n = 0;
    for (line_sum *q = check_line_sums; q; q = q->next)
        v[n++] = q;
    // Sums per source line: one line may hold several accesses, and copies of them.
    typedef struct {
        char line[320];
    } where;
    where *w = calloc(n + 1, sizeof *w);
    qsort(v, n, sizeof *v, by_kernel_line);
    for (size_t i = 0; i < n; i++)
        snprintf(w[i].line, sizeof w[i].line, "%s", check_line((void *)(v[i]->pc & (((uintptr_t)1 << 48) - 1))));
    const char *kernel = "";
    static const char *const what[2][KINDS] = {{"global load", "global store", "global atomic", "global red"},
                                               {"shared load", "shared store", "shared atomic"}};
    for (size_t i = 0; i < n; i++) {
        if (!v[i])
            continue;
        sums s = v[i]->s;
        for (size_t k = i + 1; k < n; k++)
            if (v[k] && v[k]->kind == v[i]->kind && v[k]->shared == v[i]->shared &&
                !strcmp(v[k]->kernel, v[i]->kernel) && *w[i].line && !strcmp(w[k].line, w[i].line)) {
                check_sums_add(&s, &v[k]->s);
                v[k] = NULL;
            }
        if (strcmp(kernel, v[i]->kernel)) {
            kernel = v[i]->kernel;
            unsigned resident = 0;
            double full = 0;
            for (const launch *l = check_first_launch; l; l = l->next)
                if (!strcmp(l->name, kernel))
                    full = theoretical(l, g, &resident);
            fprintf(o, "\n%s   (occupancy on %s at most %.0f %%)\n", kernel, g->name, full);
            fprintf(o, "  %-28s %-14s %12s %12s %9s %6s %6s %12s\n", "line", "access", "requests", "sectors",
                    "per req.", "ideal", "lanes", "bank confl.");
        }
        uint64_t req = s.requests + s.instructions;
        const char *line = strrchr(w[i].line, '/') ? strrchr(w[i].line, '/') + 1 : w[i].line;
        if (csv)
            fprintf(csv, "\"%s\",%s,%s,%llu,%llu,%llu,%llu,%llu\n", kernel, *line ? line : "?",
                    what[v[i]->shared][v[i]->kind], (unsigned long long)req, (unsigned long long)s.sectors,
                    (unsigned long long)s.ideal, (unsigned long long)s.lanes, (unsigned long long)s.conflicts);
        fprintf(o, "  %-28s %-14s %12llu ", *line ? line : "?", what[v[i]->shared][v[i]->kind],
                (unsigned long long)req);
        if (v[i]->shared)
            fprintf(o, "%12s %9s %6s %6.1f %12llu", "-", "-", "-", (double)s.lanes / (double)req,
                    (unsigned long long)s.conflicts);
        else
            fprintf(o, "%12llu %9.2f %6.2f %6.1f %12s", (unsigned long long)s.sectors, (double)s.sectors / (double)req,
                    (double)s.ideal / (double)req, (double)s.lanes / (double)req, "-");
        if (!v[i]->shared && v[i]->kind < KIND_ATOM && s.sectors > s.ideal + s.ideal / 2)
            fprintf(o, "  <- uncoalesced: let neighbouring threads (in x) touch neighbouring addresses");
        else if (!v[i]->shared && s.sectors > s.ideal + s.ideal / 10 && v[i]->kind < KIND_ATOM)
            fprintf(o, "  <- misaligned by part of a sector");
        else if (v[i]->shared && s.conflicts > req / 2)
            fprintf(o, v[i]->kind == KIND_ATOM
                           ? "  <- lanes update the same words"
                           : "  <- bank conflicts: pad the row by one element, or change the index");
        else if ((double)s.lanes / (double)req < 16)
            fprintf(o, "  <- fewer than half of the lanes are active");
        fputc('\n', o);
        v[i] = NULL;
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
        fprintf(stderr, "%s: cannot write %s\n", variable, path);
    return o;
}

void counters_at_exit(void)
{
    const gpu *g = the_gpu();
    FILE *launches = open_named("CUDA_CPU_COUNTERS"), *lines = open_named("CUDA_CPU_COUNTER_LINES");
    if (launches) {
        write_csv(launches, g);
        fclose(launches);
    }
    if (lines) {
        fprintf(lines, "kernel,line,access,requests,sectors,ideal,lanes,bank_conflicts\n");
        counters_calls_csv(lines);
    }
    if (check_first_launch && !counters_silent)
        check_counters_table(stderr, lines, g);
    if (lines)
        fclose(lines);
}
