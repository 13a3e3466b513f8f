#include "limits.h"
#include "stages.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was counted ------------------------------------------------------------------------------------------ */

enum { KINDS = 6, FIRST_SHARED = 3 };
static const char *const kind_name[KINDS] = {"global load", "global store", "global atomic",
                                             "shared load", "shared store", "shared atomic"};

/* One source line's accesses of one kind in one kernel. */
typedef struct Line {
    char *where;     /* "ex04_transpose.cu:34" */
    int kind, reads; /* reads: the result is wanted, as it is not of every atomic */
    double requests, sectors, ideal, lanes, conflicts;
} Line;

/* A function of the runtime, and how often the host has called it. */
typedef struct Called {
    char *name; /* "cudaMemcpy" */
    double times;
} Called;

typedef struct Counted {
    Line *line;
    int lines;
    Called *call;
    int calls;
    double requests[KINDS], sectors[KINDS], conflicts, barriers, launches, blocks, shared_bytes, promotions, under_way;
    char *promoted; /* "12, 14" */
    int joined[2]; /* no limit names atomics, global or shared: an atomic counts as the load and the store that it is */
} Counted;

static int kind_of(const char *name)
{
    if (starts_with(name, "global red")) /* an atomic whose result nobody wants */
        return 2;
    for (int k = 0; k < KINDS; k++)
        if (starts_with(name, kind_name[k]))
            return k;
    return -1;
}

/* kernel,line,access,requests,sectors,ideal,lanes,bank_conflicts; the kernel in double quotes. */
static void read_lines(Counted *n, char *csv)
{
    char *row;
    strsep(&csv, "\n");
    while ((row = strsep(&csv, "\n")) && *row) {
        char *end = strrchr(row, '"'), *field[8] = {0};
        if (!end)
            continue;
        char *rest = end + 1;
        for (int i = 0; i < 8 && rest; i++)
            field[i] = strsep(&rest, ",");
        if (field[7] && strcmp(field[2], "call") == 0) {
            n->call = realloc(n->call, sizeof *n->call * (size_t)(n->calls + 1));
            n->call[n->calls++] = (Called){field[1], atof(field[3])};
        }
        int kind = field[7] ? kind_of(field[2]) : -1;
        if (kind < 0)
            continue;
        n->line = realloc(n->line, sizeof *n->line * (size_t)(n->lines + 1));
        n->line[n->lines++] = (Line){field[1],       kind,           !starts_with(field[2], "global red"),
                                     atof(field[3]), atof(field[4]), atof(field[5]),
                                     atof(field[6]), atof(field[7])};
        n->requests[kind] += atof(field[3]);
        n->sectors[kind] += atof(field[4]);
        n->conflicts += atof(field[7]);
    }
}

/* 1,"kernel(int, int)","(8, 1, 1)","(256, 1, 1)",...: the grid's blocks. */
static double blocks_of(const char *row)
{
    const char *grid = strstr(row, "\",\"(");
    unsigned x = 0, y = 0, z = 0;
    return grid && sscanf(grid, "\",\"(%u, %u, %u)", &x, &y, &z) == 3 ? (double)x * y * z : 0;
}

/* launch,kernel,grid,block,metric,value */
static void read_launches(Counted *n, char *csv)
{
    char *row, *last = NULL;
    strsep(&csv, "\n");
    while ((row = strsep(&csv, "\n")) && *row) {
        char *value = strrchr(row, ',');
        size_t number = strcspn(row, ",");
        if (!last || strlen(last) != number || strncmp(last, row, number) != 0) {
            free(last);
            last = text("%.*s", (int)number, row);
            n->launches++;
            n->blocks += blocks_of(row);
        }
        if (value && strstr(row, "smsp__inst_executed_op_barrier.sum"))
            n->barriers += atof(value + 1);
        if (value && strstr(row, ",launch__shared_mem_per_block_"))
            n->shared_bytes += atof(value + 1);
        if (value && strstr(row, "cpudev__async_copies_under_way.sum"))
            n->under_way += atof(value + 1);
    }
    free(last);
}

/* Is `number` one of the numbers of "12, 14"? */
static bool lists(const char *numbers, const char *number)
{
    for (const char *p = numbers; *p; p += strspn(p, ", ")) {
        const size_t n = strcspn(p, ",");
        if (strlen(number) == n && strncmp(p, number, n) == 0)
            return true;
        p += n;
    }
    return false;
}

/* How many of the compiler's warnings say that a float becomes a double in the file itself, not in a header. `lines`
 * lists the numbers of their lines, each once. */
static double promotions(const char *said, const char *file, char **lines)
{
    char *all = copy(said), *rest = all, *line;
    double n = 0;
    *lines = copy("");
    while ((line = strsep(&rest, "\n"))) {
        char *colon = strchr(line, ':');
        if (!strstr(line, "[-Wdouble-promotion]") || !colon)
            continue;
        *colon = 0;
        if (strcmp(base_name(line), file) != 0)
            continue;
        n++;
        char *number = text("%.*s", (int)strspn(colon + 1, "0123456789"), colon + 1);
        if (!lists(*lines, number)) {
            char *more = text("%s%s%s", *lines, **lines ? ", " : "", number);
            free(*lines);
            *lines = more;
        }
        free(number);
    }
    free(all);
    return n;
}

/* ---- a limit --------------------------------------------------------------------------------------------------- */

/* Is the line's access of that kind? Else an atomicExch() would be a store that no limit sees. */
static int is_of(const Counted *n, const Line *l, int kind)
{
    const int shared = kind >= FIRST_SHARED, atomic = shared ? KINDS - 1 : FIRST_SHARED - 1;
    return l->kind == kind || (n->joined[shared] && l->kind == atomic && (kind == atomic - 1 || l->reads));
}

static double requests_of(const Counted *n, int kind)
{
    double sum = 0;
    for (int i = 0; i < n->lines; i++)
        if (is_of(n, &n->line[i], kind))
            sum += n->line[i].requests;
    return sum;
}

/* The worst line for a ratio of one kind: the largest, or for >= the smallest. */
static const Line *worst(const Counted *n, int kind, int largest, double (*ratio)(const Line *), double *value)
{
    const Line *found = NULL;
    for (int i = 0; i < n->lines; i++) {
        const Line *l = &n->line[i];
        if (!(largest ? is_of(n, l, kind) : l->kind == kind) || !(l->requests > 0))
            continue;
        double v = ratio(l);
        if (!found || (largest ? v > *value : v < *value))
            found = l, *value = v;
    }
    return found;
}

static double sectors_per_possible(const Line *l) { return l->ideal > 0 ? l->sectors / l->ideal : 1; }
static double lanes_per_request(const Line *l) { return l->lanes / l->requests; }

/* The cycles that the accesses of all blocks need in the memory pipes of their multiprocessors, at least, added up: for a
 * request to global memory one for each 4 sectors, but never less than one; one for a request to shared memory, and one
 * for each bank conflict. */
static double turns_of(const Counted *n)
{
    double sum = 0;
    for (int i = 0; i < n->lines; i++) {
        const Line *l = &n->line[i];
        double lines_of_128 = l->sectors / 4;
        sum += l->kind >= FIRST_SHARED      ? l->requests + l->conflicts
               : lines_of_128 > l->requests ? lines_of_128
                                            : l->requests;
    }
    return sum;
}

static const char *line_of(const Line *l)
{
    const char *colon = strrchr(l->where, ':');
    return colon ? colon + 1 : l->where;
}

/* Calls of one function, or of all that a pattern such as cudaMemcpy* matches. */
static double calls_of(const Counted *n, const char *name)
{
    double sum = 0;
    for (int i = 0; i < n->calls; i++)
        if (fnmatch(name, n->call[i].name, 0) == 0)
            sum += n->call[i].times;
    return sum;
}

/* Sums over all launches: the figure's unit in words, or NULL: it is another figure. */
static const char *total_of(const Counted *n, const char *name, double *value)
{
    const struct {
        const char *name, *unit;
        double value;
    } sums[] = {{"bank conflicts", "bank conflicts", n->conflicts},
                {"barriers", "barriers, counted per warp", n->barriers},
                {"launches", "launches", n->launches},
                {"blocks", "blocks launched", n->blocks},
                {"bytes of shared memory", "bytes of shared memory, one block of each launch", n->shared_bytes},
                {"copies under way", "asynchronous copies left under way by a wait", n->under_way},
                {"memory turns", "turns of the memory pipe", turns_of(n)}};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        if (strcmp(name, sums[i].name) == 0) {
            *value = sums[i].value;
            return sums[i].unit;
        }
    return NULL;
}

static const char per_sectors[] = "sectors / possible sectors of ", per_lanes[] = "lanes per request of ",
                  sectors_of[] = "sectors of ", calls[] = "calls of ";

/* The figure that the limit is about; 0 where nothing was counted. */
static double figure(const Counted *n, const char *name, int most)
{
    double value = 0;
    int kind;
    if (total_of(n, name, &value))
        return value;
    if (starts_with(name, per_sectors) && (kind = kind_of(name + strlen(per_sectors))) >= 0)
        worst(n, kind, most, sectors_per_possible, &value);
    else if (starts_with(name, per_lanes) && (kind = kind_of(name + strlen(per_lanes))) >= 0)
        worst(n, kind, most, lanes_per_request, &value);
    else if (starts_with(name, sectors_of) && (kind = kind_of(name + strlen(sectors_of))) >= 0)
        value = n->sectors[kind];
    else if (starts_with(name, calls))
        value = calls_of(n, name + strlen(calls));
    else if ((kind = kind_of(name)) >= 0)
        value = most ? requests_of(n, kind) : n->requests[kind];
    return value;
}

/* "NAME <= VALUE" that does not hold, in words; NULL: it holds. */
static char *miss(const Counted *n, const char *name, int most, double limit)
{
    const char *unit;
    double value = 0;
    const Line *l;
    int kind;
    if (starts_with(name, per_sectors) && (kind = kind_of(name + strlen(per_sectors))) >= 0 && kind < 2) {
        l = worst(n, kind, most, sectors_per_possible, &value);
        if (!l || (most ? value <= limit : value >= limit))
            return NULL;
        return text(
            "line %s (%s) touches %.4g sectors per request where %.4g are possible: %.3g times as many (limit: at "
            "%s %g times)",
            line_of(l), kind_name[kind], l->sectors / l->requests, l->ideal / l->requests, value,
            most ? "most" : "least", limit);
    }
    if (starts_with(name, per_lanes) && (kind = kind_of(name + strlen(per_lanes))) >= 0) {
        l = worst(n, kind, most, lanes_per_request, &value);
        if (!l || (most ? value <= limit : value >= limit))
            return NULL;
        return text("line %s (%s) keeps %.3g of 32 lanes busy (limit: at %s %g)", line_of(l), kind_name[kind], value,
                    most ? "most" : "least", limit);
    }
    if (starts_with(name, sectors_of) && (kind = kind_of(name + strlen(sectors_of))) >= 0 && kind < FIRST_SHARED) {
        value = n->sectors[kind];
        if (most ? value <= limit : value >= limit)
            return NULL;
        return text("%.0f %s (limit: at %s %g)", value, name, most ? "most" : "least", limit);
    }
    if (starts_with(name, calls)) {
        value = calls_of(n, name + strlen(calls));
        if (most ? value <= limit : value >= limit)
            return NULL;
        return text("%.0f %s (limit: at %s %g)", value, name, most ? "most" : "least", limit);
    }
    char promoted[256];
    snprintf(promoted, sizeof promoted, "places where a float becomes a double: line %s", n->promoted);
    if (strcmp(name, "double promotions") == 0)
        unit = promoted, value = n->promotions;
    else
        unit = total_of(n, name, &value);
    if (unit) {
        if (most ? value <= limit : value >= limit)
            return NULL;
        return text("%.0f %s (limit: at %s %g)", value, unit, most ? "most" : "least", limit);
    }
    kind = kind_of(name);
    if (kind < 0 || (strcmp(name + strlen(kind_name[kind]), "s") != 0))
        return text("the limit '%s' is of an unknown kind", name);
    value = most ? requests_of(n, kind) : n->requests[kind];
    if (most ? value <= limit : value >= limit)
        return NULL;
    return text("%.0f %ss%s, counted per warp (limit: at %s %g)", value, kind_name[kind],
                value > n->requests[kind] ? " and atomics" : "", most ? "most" : "least", limit);
}

/* One line of the limits: "bank conflicts <= 0". */
static char *miss_of_line(const Counted *n, const char *line)
{
    const char *op = strstr(line, "<=");
    int most = op != NULL;
    char *end;
    if (!op)
        op = strstr(line, ">=");
    if (!op)
        return text("the limit '%s' has neither <= nor >=", line);
    int length = (int)(op - line);
    while (length && line[length - 1] == ' ')
        length--;
    double limit = strtod(op + 2, &end);
    if (end == op + 2 || end[strspn(end, " ")])
        return text("the limit '%s' does not end in a number", line);
    char *name = text("%.*s", length, line), *missed = miss(n, name, most, limit);
    free(name);
    return missed;
}

char *limits_missed(const char *limits, const char *launches_csv, const char *lines_csv, const char *compiler_said,
                    const char *file)
{
    Counted n = {0};
    n.promotions = promotions(compiler_said, file, &n.promoted);
    char *lines = copy(lines_csv), *launches = copy(launches_csv), *list = copy(limits), *rest = list, *line,
         *all = NULL;
    n.joined[0] = !strstr(limits, "global atomics"), n.joined[1] = !strstr(limits, "shared atomics");
    read_lines(&n, lines);
    read_launches(&n, launches);
    while ((line = strsep(&rest, "\n"))) {
        line += strspn(line, " ");
        char *missed = *line && !stage_heading(line) ? miss_of_line(&n, line) : NULL;
        if (missed) {
            char *more = text("%s%s%s", all ? all : "right numbers; but ", all ? "\nand " : "", missed);
            free(all), free(missed);
            all = more;
        }
    }
    free(lines), free(launches), free(list), free(n.line), free(n.call), free(n.promoted);
    return all;
}

double limits_turns(const char *lines_csv)
{
    Counted n = {0};
    char *lines = copy(lines_csv);
    read_lines(&n, lines);
    double turns = turns_of(&n);
    free(lines), free(n.line), free(n.call);
    return turns;
}

char *limits_tightened(const char *limits, double share)
{
    char *list = copy(limits), *rest = list, *line, *all = copy("");
    while ((line = strsep(&rest, "\n"))) {
        char *least = strstr(line, ">="), *op = least ? least : strstr(line, "<=");
        double limit = op ? strtod(op + 2, NULL) : 0;
        char *more = op && limit > 1 ? text("%s%.*s %.10g\n", all, (int)(op + 2 - line), line,
                                            least ? limit * (1 + share) : limit / (1 + share))
                                     : text("%s%s\n", all, line);
        free(all);
        all = more;
    }
    free(list);
    return all;
}

/* One limit, at the other shape. */
static double limit_there(double limit, int most, double here, double there)
{
    const double loose = 1.5, grown = here > 0 && there > 0 ? limit * there / here : limit;
    if (most)
        return limit <= 1 ? (there > limit ? there : limit) : loose * (grown > there ? grown : there);
    return limit <= 1 ? (there < limit ? there : limit) : (grown < there ? grown : there) / loose;
}

static void read_both(Counted *n, const char *limits, char *launches, char *lines)
{
    n->joined[0] = !strstr(limits, "global atomics"), n->joined[1] = !strstr(limits, "shared atomics");
    read_launches(n, launches);
    read_lines(n, lines);
}

char *limits_elsewhere(const char *limits, char *const here[2], char *const there[2])
{
    Counted n = {0}, m = {0};
    char *text_of[] = {copy(here[0]), copy(here[1]), copy(there[0]), copy(there[1])}; /* the lines are pointed into */
    read_both(&n, limits, text_of[0], text_of[1]), read_both(&m, limits, text_of[2], text_of[3]);
    char *list = copy(limits), *rest = list, *line, *all = copy("");
    while ((line = strsep(&rest, "\n"))) {
        char *least = strstr(line, ">="), *op = least ? least : strstr(line, "<="), *name = NULL, *more;
        line += strspn(line, " ");
        if (op) {
            int length = (int)(op - line);
            while (length && line[length - 1] == ' ')
                length--;
            name = text("%.*s", length, line);
            more = text("%s%s %s %.10g\n", all, name, least ? ">=" : "<=",
                        limit_there(strtod(op + 2, NULL), !least, figure(&n, name, !least), figure(&m, name, !least)));
        } else
            more = text("%s%s\n", all, line);
        free(all), free(name);
        all = more;
    }
    for (size_t i = 0; i < sizeof text_of / sizeof text_of[0]; i++)
        free(text_of[i]);
    free(list), free(n.line), free(n.call), free(m.line), free(m.call);
    return all;
}

const char *limits_not_judged(void)
{
    const char *compiler = getenv("CUCC_CXX");
    return compiler && strstr(compiler, "clang")
               ? "clang joins and splits accesses differently from g++, whose code is counted"
               : NULL;
}
