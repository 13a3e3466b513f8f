/* compare NCU.csv CPU.csv [EXPLAINED.txt]: lays Nsight Compute's counters beside the CPU device's. NCU.csv is from
 *   ncu --csv --metrics ... counters_kernels     (the program built by nvcc)
 * and CPU.csv from CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=CPU.csv (built by cucc --check). Prints one CSV. Its last
 * column explains the differences that the GPU's compiler makes, by lines "KERNEL METRIC-PATTERN: reason" of
 * EXPLAINED.txt. Exit status 1 if one is not explained. */
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 64, MOST_ROWS = 20000, MOST_REASONS = 200 };

typedef struct {
    char *kernel, *metric;
    double value;
} figure;

typedef struct {
    figure rows[MOST_ROWS];
    int count;
} figures;

typedef struct {
    char *kernel, *why;
    regex_t metric;
} reason;

static figures gpu, cpu;
static reason reasons[MOST_REASONS];
static int reason_count;

static const char *const metrics[] = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "smsp__sass_inst_executed_op_shared_ld.sum",
    "smsp__sass_inst_executed_op_shared_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "sm__maximum_warps_per_active_cycle_pct",
};

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "compare: %s %s\n", what, name);
    exit(2);
}

static FILE *open_file(const char *name)
{
    FILE *file = fopen(name, "r");
    if (!file)
        fail("cannot read", name);
    return file;
}

/* The next line without its end, in memory of its own; NULL at the end of the file. */
static char *next_line(FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    if (getline(&line, &size, file) < 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = 0;
    return line;
}

/* The fields of a line of CSV, whose quotes are taken away: fields[] points into the line. */
static int split(char *line, char *fields[MOST_COLUMNS])
{
    int n = 0, quoted = 0;
    char *to = line;
    fields[n++] = to;
    for (const char *c = line; *c; c++) {
        if (*c == '"')
            quoted = !quoted;
        else if (*c != ',' || quoted)
            *to++ = *c;
        else if (n < MOST_COLUMNS) {
            *to++ = 0;
            fields[n++] = to;
        }
    }
    *to = 0;
    return n;
}

/* A kernel's name without its type and parameters. */
static char *base_name(char *kernel)
{
    kernel[strcspn(kernel, "(")] = 0;
    return strncmp(kernel, "void ", 5) ? kernel : kernel + 5;
}

static double number(char *text) /* with commas between thousands */
{
    char *to = text;
    for (const char *c = text; *c; c++)
        if (*c != ',')
            *to++ = *c;
    *to = 0;
    return strtod(text, NULL);
}

static figure *find(figures *of, const char *kernel, const char *metric)
{
    for (int i = of->count; i-- > 0;) /* the last that was said */
        if (!strcmp(of->rows[i].kernel, kernel) && !strcmp(of->rows[i].metric, metric))
            return &of->rows[i];
    return NULL;
}

static double value_of(figures *of, const char *kernel, const char *metric)
{
    const figure *found = find(of, kernel, metric);
    return found ? found->value : 0;
}

static void add(figures *to, char *kernel, char *metric, double value)
{
    if (to->count == MOST_ROWS)
        fail("too many rows:", metric);
    to->rows[to->count++] = (figure){base_name(kernel), metric, value};
}

static int column(char *const fields[], int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(fields[i], name))
            return i;
    return -1;
}

/* What comes before the header "ID",... is the program's own output. */
static void read_ncu(const char *name)
{
    FILE *file = open_file(name);
    char *line, *fields[MOST_COLUMNS];
    int kernel = -1, metric = -1, value = -1;
    while ((line = next_line(file))) {
        const int header = !strncmp(line, "\"ID\"", 4), n = split(line, fields);
        if (header) {
            kernel = column(fields, n, "Kernel Name");
            metric = column(fields, n, "Metric Name");
            value = column(fields, n, "Metric Value");
        } else if (kernel >= 0 && metric >= 0 && value >= 0 && n > kernel && n > metric && n > value)
            add(&gpu, fields[kernel], fields[metric], number(fields[value]));
    }
    fclose(file);
}

static void read_cpu(const char *name)
{
    FILE *file = open_file(name);
    char *line = next_line(file), *fields[MOST_COLUMNS];
    free(line); /* the header */
    while ((line = next_line(file)))
        if (split(line, fields) > 5)
            add(&cpu, fields[1], fields[4], strtod(fields[5], NULL));
    fclose(file);
}

static void read_reasons(const char *name)
{
    FILE *file = open_file(name);
    char *line;
    while ((line = next_line(file))) {
        char *why = strstr(line, ": "), *metric = strchr(line, ' ');
        if (!why || !metric || metric > why)
            continue;
        *why = *metric = 0;
        if (reason_count == MOST_REASONS ||
            regcomp(&reasons[reason_count].metric, metric + 1, REG_EXTENDED | REG_NOSUB))
            fail("a reason that cannot be used:", metric + 1);
        reasons[reason_count].kernel = line;
        reasons[reason_count++].why = why + 2;
    }
    fclose(file);
}

static const char *why_differs(const char *kernel, const char *metric)
{
    const char *why = "";
    for (int i = 0; i < reason_count; i++)
        if (!strcmp(reasons[i].kernel, kernel) && !regexec(&reasons[i].metric, metric, 0, NULL, 0))
            why = reasons[i].why;
    return why;
}

static int good, explained, bad;

static void compare(const char *kernel, const char *metric)
{
    if (!find(&gpu, kernel, metric) || !find(&cpu, kernel, metric))
        return;
    double g = value_of(&gpu, kernel, metric), c = value_of(&cpu, kernel, metric);
    char name[300];
    snprintf(name, sizeof name, "%s", metric);
    const char *atom = strstr(metric, "global_op_atom.sum");
    if (atom) { /* without a result the compiler makes a reduction of an atomic */
        char reduction[128];
        snprintf(reduction, sizeof reduction, "%.*sglobal_op_red.sum", (int)(atom - metric), metric);
        g += value_of(&gpu, kernel, reduction);
        c += value_of(&cpu, kernel, reduction);
        snprintf(name, sizeof name, "%s + %s", metric, reduction);
    }
    if (g == 0 && c == 0)
        return;
    const int rounded = strstr(metric, "conflicts") || strstr(metric, "wavefronts") || strstr(metric, "_pct");
    const double difference = c - g;
    const char *verdict = difference == 0 ? "equal" : "within 1 %", *why = "";
    if (fabs(difference) <= (rounded ? 0.01 * g : 0))
        good++;
    else {
        verdict = "differs";
        why = why_differs(kernel, metric);
        *(*why ? &explained : &bad) += 1;
    }
    printf("%s,%s,%.10g,%.10g,%.10g,%s,\"%s\"\n", kernel, name, g, c, difference, verdict, why);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: compare NCU.csv CPU.csv [EXPLAINED.txt]\n");
        return 2;
    }
    read_ncu(argv[1]);
    read_cpu(argv[2]);
    if (argc > 3)
        read_reasons(argv[3]);
    printf("kernel,metric,ncu,cpu_device,difference,verdict,why\n");
    for (int i = 0; i < cpu.count; i++) {
        int seen = 0; /* a kernel in the order of its first row */
        for (int k = 0; k < i && !seen; k++)
            seen = !strcmp(cpu.rows[k].kernel, cpu.rows[i].kernel);
        for (size_t m = 0; !seen && m < sizeof metrics / sizeof *metrics; m++)
            compare(cpu.rows[i].kernel, metrics[m]);
    }
    fprintf(stderr, "%d figures agree, %d differ for a known reason, %d differ without one\n", good, explained, bad);
    return bad > 0;
}
