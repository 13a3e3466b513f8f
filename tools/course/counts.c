/* counts.c: what each rung of a ladder asks of the memory, counted by cucc --check on the CPU device: requests,
 * sectors, bank conflicts, barriers, bytes by TMA, tensor instructions. The counts are exact and the same on every
 * machine, so they are recorded under results/cpu/counts/ with a hash of the lab's code and of what it includes; a lab
 * whose code was changed is counted anew. */
#include "code.h"
#include "commands.h"
#include "limits.h"
#include "labs.h"
#include "../../common/csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT_CPU_S = 120 };

static int compare_paths(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* "a/b/../c" as "a/c", in place: how a compiler writes the path of an included file is its own affair. */
static void shorten_path(char *path)
{
    char *up, *from;
    while ((up = strstr(path, "/../")) && up > path) {
        for (from = up; from > path && from[-1] != '/'; from--)
            ;
        memmove(from, up + 4, strlen(up + 4) + 1);
    }
}

/* What a lab's counts depend on, of what the compiler says that it has read for it: the files of the lectures, and
 * common/'s code for kernels. The lab has been built: in build/cpu, or in build/check under --check. */
static List sources_of(const char *built, const char *lecture, const char *name)
{
    List sources = {0};
    char *path = text("%s/%s/%s.d", built, lecture, name), *content = file_read(path, NULL), *rest = content, *word;
    char *end = content; /* of the first rule; the others say only what may be gone */
    while (end && (end = strchr(end, '\n')) && end[-1] == '\\')
        end++;
    if (end)
        *end = 0;
    while (rest && (word = strsep(&rest, " \\\n"))) {
        shorten_path(word);
        int counted = starts_with(word, "lecture") || (starts_with(word, "common/") && ends_with(word, ".cuh"));
        if (counted && !list_has(&sources, word))
            list_add(&sources, word);
    }
    if (sources.count)
        qsort(sources.item, (size_t)sources.count, sizeof *sources.item, compare_paths);
    free(path), free(content);
    return sources;
}

static uint64_t source_hash(const char *built, const char *lecture, const char *name)
{
    List files = sources_of(built, lecture, name);
    uint64_t hash = HASH_START;
    for (int i = 0; i < files.count; i++)
        hash = hash_code(hash_bytes(hash, files.item[i], strlen(files.item[i])), files.item[i], 0);
    list_free(&files);
    return hash;
}

/* Are the counts in this file of the source with that hash? */
static int are_of(const char *path, uint64_t hash)
{
    char *content = file_read(path, NULL), *wanted = text("# source: %016llx\n", (unsigned long long)hash);
    int yes = content && strstr(content, wanted) != NULL;
    free(content), free(wanted);
    return yes;
}

/* The sum of one kind of access over the lines of a file that CUDA_CPU_COUNTER_LINES made: field 3 requests, 4 sectors,
 * ... */
static double sum_of(const char *lines, const char *access, int field)
{
    char *all = copy(lines), *rest = all, *row;
    double sum = 0;
    while ((row = strsep(&rest, "\n"))) {
        char *p = strrchr(row, '"'), *cell = NULL;
        int i = 0, wanted = 0;
        while (p && (cell = strsep(&p, ",")) &&
               i < field) /* the first cell is what follows the kernel's name: nothing */
            wanted |= i++ == 2 && strncmp(cell, access, strlen(access)) == 0;
        if (wanted && cell)
            sum += atof(cell);
    }
    free(all);
    return sum;
}

static double barriers_of(const char *launches)
{
    double sum = 0;
    for (const char *p = launches; (p = strstr(p, "smsp__inst_executed_op_barrier.sum,")); p++)
        sum += atof(strchr(p, ',') + 1);
    return sum;
}

/* Of a line with the kernel's name in quotes */
static int is_setup(const char *line, const char *end)
{
    const char *quote = memchr(line, '"', (size_t)(end - line));
    return quote && csv_is_setup(quote + 1);
}

/* In place: without the lines of kernels with which a lab makes its input on the device. */
static void drop_setup(char *lines)
{
    char *to = lines, *end;
    for (char *from = lines; *from; from = end) {
        end = from + strcspn(from, "\n");
        end += *end == '\n';
        const size_t length = (size_t)(end - from);
        if (!is_setup(from, end)) {
            memmove(to, from, length);
            to += length;
        }
    }
    *to = 0;
}

/* Has a kernel run? The first line is the header. */
static int ran(const char *launches)
{
    const char *end = strchr(launches, '\n');
    return end && end[1];
}

/* One rung at one size, as a line of the file; NULL if it did not run. */
static char *count_rung(const char *checked, const char *rung, const char *type, const char *size, const char *work)
{
    char *launches = text("%s.launches", work), *lines = text("%s.lines", work), *log = text("%s.log", work);
    char *set_launches = text("CUDA_CPU_COUNTERS=%s", launches), *set_lines = text("CUDA_CPU_COUNTER_LINES=%s", lines);
    const char *words[] = {checked, "--verify", "--ladder-only", "--rung", rung, "--type", type, "--size", size, NULL};
    Job job = {.out = log, .err = log, .cpu_limit_s = COUNT_CPU_S};
    for (int i = 0; words[i]; i++)
        list_add(&job.command, words[i]);
    list_add(&job.set, "CUDA_CPU_TOOLS=counters");
    list_add(&job.set, "CUDA_CPU_WORKERS=2"); /* as many multiprocessors everywhere: some grids ask for their number */
    list_add(&job.set, set_launches), list_add(&job.set, set_lines);
    unlink(launches), unlink(lines);
    char *line = NULL, *by_launch = NULL, *by_line = NULL;
    if (job_run(&job) == 0 && (by_launch = file_read(launches, NULL)) && (by_line = file_read(lines, NULL))) {
        drop_setup(by_launch);
        drop_setup(by_line);
    }
    if (by_line && ran(by_launch))
        line = text(
            "%s,%s,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", rung, type, size,
            sum_of(by_line, "global load", 3), sum_of(by_line, "global load", 4), sum_of(by_line, "global load", 5),
            sum_of(by_line, "global store", 3), sum_of(by_line, "global store", 4), sum_of(by_line, "global store", 5),
            sum_of(by_line, "global atomic", 4) + sum_of(by_line, "global red", 4), sum_of(by_line, "shared", 3),
            sum_of(by_line, "shared", 7), barriers_of(by_launch), sum_of(by_line, "TMA load", 8),
            sum_of(by_line, "TMA store", 8), sum_of(by_line, "tensor", 3), sum_of(by_line, "tensor", 8));
    unlink(launches), unlink(lines), unlink(log);
    job_free(&job);
    free(launches), free(lines), free(log), free(set_launches), free(set_lines), free(by_launch), free(by_line);
    return line;
}

/* All rungs at all sizes, as the file's content; NULL if the lab does not build. */
static char *count(const Course *c, const char *lecture, const LabInfo *lab, uint64_t hash, const char *work)
{
    char *checked = text("build/check/%s/%s", lecture, lab->name), *log = text("%s.build", work);
    if (course_make_one(c, checked, log) != 0)
        return NULL;
    char *all = text("# device: CPU device\n# command: tools/course.sh counts %s\n# source: %016llx\n"
                     "rung,type,size,load_requests,load_sectors,load_ideal,store_requests,store_sectors,store_ideal,"
                     "atomic_sectors,shared_requests,bank_conflicts,barriers,tma_load_bytes,tma_store_bytes,"
                     "tensor_instructions,multiply_adds\n",
                     lab->name, (unsigned long long)hash);
    char *sizes = copy(lab->sizes), *rest = sizes, *size;
    while ((size = strsep(&rest, " ")))
        for (int i = 0; *size && i < lab->rungs.count; i++) {
            char *rung = copy(lab->rungs.item[i]), *type = strchr(rung, ' ');
            *type++ = 0;
            char *line = count_rung(checked, rung, type, size, work), *more = line ? text("%s%s", all, line) : NULL;
            if (more)
                free(all), all = more;
            free(line), free(rung);
        }
    unlink(log);
    free(sizes), free(checked), free(log);
    return all;
}

char *counts_recorded(const char *lecture, const char *lab)
{
    return text("results/cpu/counts/%.9s-%s.csv", lecture, lab);
}

char *counts_file(const Course *c, const char *lecture, const LabInfo *lab)
{
    if (!lab->sizes || strcmp(c->device, "cpu") != 0)
        return NULL;
    uint64_t hash = source_hash("build/cpu", lecture, lab->name);
    char *path = counts_recorded(lecture, lab->name);
    if (are_of(path, hash))
        return path;
    free(path);
    char *folder = text("%s/counts", c->build);
    path = text("%s/%.9s-%s.csv", folder, lecture, lab->name);
    make_folders(folder);
    free(folder);
    if (are_of(path, hash))
        return path;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "    counting %s, which has changed ...\n", lab->name);
    char *content = count(c, lecture, lab, hash, path);
    int bad = !content || file_write(path, content, strlen(content)) != 0;
    free(content);
    if (bad)
        free(path), path = NULL;
    return path;
}

/* Every lab, "add gelu ...", as found. */
static List all_labs(void)
{
    List files = {0}, names = {0};
    list_glob(&files, "lecture[0-9][0-9]_*/*.cu");
    for (int i = 0; i < files.count; i++) {
        char *name = text("%.*s", (int)strlen(base_name(files.item[i])) - 3, base_name(files.item[i]));
        list_add(&names, name);
        free(name);
    }
    list_free(&files);
    return names;
}

/* The lines of `all` that `other` has too. What a rung that polls asks of the memory differs from run to run: it is no
 * count. */
static char *lines_in_both(const char *all, const char *other)
{
    char *kept = copy(""), *copy_of = copy(all), *rest = copy_of, *line;
    while ((line = strsep(&rest, "\n"))) {
        char *whole = text("%s\n", line);
        if (*line && strstr(other, whole)) {
            char *more = text("%s%s", kept, whole);
            free(kept), kept = more;
        }
        free(whole);
    }
    free(copy_of);
    return kept;
}

typedef enum Mode { RECORD, RECORD_STALE, COMPARE } Mode;

/* Writes what is counted in two runs. */
static void record(const Course *c, const char *lecture, const LabInfo *lab, uint64_t hash, const char *path)
{
    char *work = text("%s/counts/%s", c->build, lab->name);
    char *first = count(c, lecture, lab, hash, work), *again = count(c, lecture, lab, hash, work);
    if (!first || !again)
        die(1, "%s does not build under --check", lab->name);
    char *both = lines_in_both(again, first);
    if (file_write(path, both, strlen(both)))
        die(1, "cannot write %s: %s", path, strerror(errno));
    free(both), free(again), free(first), free(work);
}

/* Is what is recorded of this very source, and what is counted now? More may be counted. Why not, or NULL. */
static const char *is_wrong_about(const Course *c, const char *lecture, const LabInfo *lab, uint64_t hash,
                                  const char *path)
{
    char *old = file_read(path, NULL);
    if (!lab->sizes || !old) {
        const char *wrong = lab->sizes ? "is missing" : old ? "is of a lab without rungs to count" : NULL;
        free(old);
        return wrong;
    }
    if (!are_of(path, hash)) {
        free(old);
        return "is of another source";
    }
    char *work = text("%s/counts/%s", c->build, lab->name), *now = count(c, lecture, lab, hash, work);
    if (!now)
        die(1, "%s does not build under --check", lab->name);
    char *both = lines_in_both(old, now);
    const char *wrong = strcmp(old, both) != 0 ? "is not what is counted" : NULL;
    free(both), free(now), free(work), free(old);
    return wrong;
}

/* Counts one lab. Returns 1 if what is recorded is wrong. */
static int count_lab(Course *c, const char *name, Mode mode)
{
    List found = {0};
    char *pattern = text("lecture[0-9][0-9]_*/%s.cu", name), *log = text("%s/counts/%s.build", c->build, name);
    list_glob(&found, pattern);
    if (!found.count)
        die(2, "there is no lab '%s'", name);
    char *lecture = text("%.*s", (int)strcspn(found.item[0], "/"), found.item[0]);
    char *program = text("build/check/%s/%s", lecture, name);
    if (course_make_one(c, program, log) != 0)
        die(1, "%s does not build: see %s", name, log);
    LabInfo lab = lab_about(program);
    uint64_t hash = source_hash("build/check", lecture, lab.name);
    char *path = counts_recorded(lecture, lab.name);
    const char *wrong = mode == COMPARE ? is_wrong_about(c, lecture, &lab, hash, path) : NULL;
    if (wrong)
        printf("not ok - %s %s (tools/course.sh counts %s)\n", path, wrong, name);
    else if (mode == COMPARE)
        printf("ok - %s\n", lab.sizes ? path : name);
    else if (lab.sizes && (mode == RECORD || !are_of(path, hash)))
        record(c, lecture, &lab, hash, path);
    fflush(stdout);
    list_free(&found);
    free(pattern), free(lecture), free(program), free(log), free(path);
    return wrong != NULL;
}

/* counts [--check] [LAB...]: counts and records the labs, or those whose source has changed since; with --check
 * compares, and says so in TAP. */
int command_counts(Course *c, int argc, char **argv)
{
    int check = argc > 1 && strcmp(argv[1], "--check") == 0, bad = 0;
    List names = {0};
    if (limits_not_judged()) {
        printf(check ? "ok # SKIP counts: %s\n" : "%s\n", limits_not_judged());
        return check ? 0 : 2;
    }
    course_use(c, "cpu");
    setenv("CUDA_CPU_TOOLS", "counters", 1); /* a lab that is asked about itself reports no findings */
    make_folders("results/cpu/counts");
    for (int i = 1 + check; i < argc; i++)
        list_add(&names, argv[i]);
    Mode mode = check ? COMPARE : names.count ? RECORD : RECORD_STALE;
    if (!names.count)
        names = all_labs();
    char *folder = text("%s/counts", c->build);
    make_folders(folder);
    for (int i = 0; i < names.count; i++)
        bad |= count_lab(c, names.item[i], mode);
    free(folder);
    list_free(&names);
    return bad;
}
