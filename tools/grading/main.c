/* main.c: tools/grade. See docs/grading.md. */
#include "cgroup.h"
#include "clean.h"
#include "compiler.h"
#include "grading.h"
#include "sandbox.h"
#include "tell.h"
#include "../course/say.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

typedef struct Options {
    const char *exercises, *output, *due, *students, *from; /* where it was called: relative paths begin there */
    const char *plan, *sbatch;
    int unsafe, slurm;
    List submissions;
} Options;

enum { KEY_DUE = 256, KEY_UNSAFE, KEY_STUDENTS, KEY_SLURM, KEY_PLAN };

static const struct argp_option table[] = {
    {"exercises", 'e', "LIST", 0, "which: 3.1, 3.1-3.9, several with commas; a lecture's number alone is all of it", 0},
    {"output", 'o', "DIR", 0, "where the grades go (grades)", 0},
    {"due", KEY_DUE, "TIME", 0, "\"2026-11-30 18:00\": anything handed in later is listed as late", 0},
    {"students", KEY_STUDENTS, "FILE", 0, "one name per line: students who handed in nothing are listed", 0},
    {"unsafe", KEY_UNSAFE, 0, 0, "without a sandbox: only for submissions that you would run yourself", 0},
    {"slurm", KEY_SLURM, "OPTIONS", OPTION_ARG_OPTIONAL, "on a Slurm cluster, as a job array; OPTIONS are sbatch's", 0},
    {"plan", KEY_PLAN, "N,M,C", 0,
     "grade nothing: how long N submissions take on M machines of C cores, from the grades in DIR", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Options *o = state->input;
    switch (key) {
    case 'e': o->exercises = arg; break;
    case 'o': o->output = arg; break;
    case KEY_DUE: o->due = arg; break;
    case KEY_STUDENTS: o->students = arg; break;
    case KEY_UNSAFE: o->unsafe = 1; break;
    case KEY_SLURM: o->slurm = 1, o->sbatch = arg; break;
    case KEY_PLAN: o->plan = arg; break;
    case ARGP_KEY_ARG: list_add(&o->submissions, arg); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const char what[] =
    "Grades submissions: folders, archives (.zip, .tar, .tar.gz, .tar.xz) and git checkouts, one per student.";
static const char notes[] = "A run that was interrupted continues where it stopped. Status: 0 all graded (with one "
                            "submission: and it passes), 1 not, 2 bad input. docs/grading.md says what is "
                            "taken from a submission, and what is trusted.";

/* ---- which exercises -------------------------------------------------------------------------------------------- */

static int number_of(const char *s, int *lecture, int *exercise)
{
    int used = 0;
    *exercise = 0;
    return sscanf(s, "%d.%d%n", lecture, exercise, &used) == 2 ? used
           : sscanf(s, "%d%n", lecture, &used) == 1            ? used
                                                               : 0;
}

/* Is the exercise in the part "3.1", "3.1-3.9", "3" of the list? */
static int in_part(const char *number, const char *part)
{
    int lecture, exercise, first_l, first_e, last_l, last_e;
    number_of(number, &lecture, &exercise);
    int n = number_of(part, &first_l, &first_e);
    last_l = first_l, last_e = first_e;
    if (n && part[n] == '-') {
        int k = number_of(part + n + 1, &last_l, &last_e);
        n = k ? n + 1 + k : 0;
    }
    if (!n || part[n])
        die(2, "grade: --exercises wants 3.1, 3.1-3.9 or 3, not '%s'", part);
    last_e = last_e ? last_e : 1000;
    int place = lecture * 1000 + exercise;
    return place >= first_l * 1000 + first_e && place <= last_l * 1000 + last_e;
}

static Exercises chosen(const char *list)
{
    Exercises all = exercises_find(), some = {calloc((size_t)all.count + 1, sizeof(Exercise)), 0};
    for (int i = 0; i < all.count; i++) {
        char *parts = copy(list), *rest = parts, *part;
        int in = 0;
        while ((part = strsep(&rest, ",")))
            in |= in_part(all.at[i].number, part);
        if (in)
            some.at[some.count++] = all.at[i];
        free(parts);
    }
    if (!some.count)
        die(2, "grade: there is no exercise %s", list);
    return some;
}

/* ---- preparing -------------------------------------------------------------------------------------------------- */

uint64_t hash_of_course(void)
{
    uint64_t hash = HASH_START;
    List files = {0};
    list_sources(&files);
    list_below(&files, "tools/grading");
    for (int i = 0; i < files.count; i++)
        hash = hash_file(hash_bytes(hash, files.item[i], strlen(files.item[i])), files.item[i]);
    list_free(&files);
    return hash;
}

/* Builds the judges, and what the students' programs are compiled and linked with. */
static void prepare(const Grading *g)
{
    List targets = {0};
    char *log = text("%s/build.log", g->folder);
    for (int k = 0; k < g->exercises.count; k++) {
        const char *solution = g->exercises.at[k].solution;
        char *judge = text("build/cpu/%.*s", (int)strlen(solution) - 3, solution);
        list_add(&targets, judge);
        free(judge);
        if (k == 0) {
            char *checked = text("build/check/%.*s", (int)strlen(solution) - 3, solution);
            list_add(&targets, checked);
            free(checked);
        }
    }
    int lock = open("build/grade.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666); /* one make at a time in a checkout */
    if (lock < 0 || flock(lock, LOCK_EX) != 0)
        die(1, "grade: cannot lock build/grade.lock: %s", strerror(errno));
    if (course_make(&g->course, &targets, log) != 0) {
        char *words = file_read(log, NULL);
        int full = words && strstr(words, strerror(ENOSPC));
        die(1,
            full ? "grade: the course does not build, because the disk is full: see %s"
                 : "grade: the course does not build: see %s",
            log);
    }
    compiler_prepare(g);
    close(lock);
    list_free(&targets);
    free(log);
}

static long time_of(const char *due)
{
    struct tm t = {.tm_isdst = -1};
    const char *end = due ? strptime(due, "%Y-%m-%d %H:%M", &t) : NULL;
    if (due && (!end || *end))
        die(2, "grade: --due wants a time such as \"2026-11-30 18:00\", not '%s'", due);
    return due ? (long)mktime(&t) : 0;
}

static char *absolute(const char *from, const char *path)
{
    return path[0] == '/' ? copy(path) : text("%s/%s", from, path);
}

/* Who is on the list of students and handed nothing in. Returns how many. */
static int list_missing(const char *file, const Submissions *all)
{
    char *names = file ? file_read(file, NULL) : copy(""), *rest = names, *name;
    int missing = 0;
    if (!names)
        die(2, "grade: cannot read %s: %s", file, strerror(errno));
    while ((name = strsep(&rest, "\n"))) {
        name[strcspn(name, "\r\t,")] = 0;
        char *student = student_of(name);
        int there = !*name;
        for (int i = 0; i < all->count; i++)
            there |= strcmp(all->at[i].name, name) == 0 || strcmp(all->at[i].student, student) == 0;
        clean_line(name);
        if (!there) {
            char *words = say_words("missing: ");
            missing++, printf("%s%s\n", words, name);
            free(words);
        }
        free(student);
    }
    free(names);
    return missing;
}

/* ---- the two ways in -------------------------------------------------------------------------------------------- */

/* grade --one HASH SOLUTION EXERCISE FILE FOLDER [--unsafe]: a job of class.c's, with GROUPS in its environment. */
#define GROUPS "GRADE_CONTROL_GROUPS"
static int one(int argc, char **argv)
{
    Grading g = {.unsafe = argc > 7, .groups = getenv(GROUPS)};
    if (argc < 7)
        die(2, "grade: --one is for its own jobs");
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it ends with the grader, and its sandbox with it */
    course_open(&g.course);
    course_use(&g.course, "cpu");
    g.root = getcwd(NULL, 0);
    g.hash = strtoull(argv[2], NULL, 16), g.solution = strtoull(argv[3], NULL, 16);
    Exercises all = exercises_find();
    grade_alone(&g, exercise_named(&all, argv[4]), argv[5], argv[6]);
    return 0;
}

static int is_bad(const Submissions *all, const Result *results, int exercises)
{
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < exercises && !all->at[i].instead; k++) {
            Outcome o = results[i * exercises + k].outcome;
            if (o == BROKEN || (all->count == 1 && o != PASSED))
                return 1;
        }
    return 0;
}

static int grade(const Options *o)
{
    double start = seconds();
    Grading g = {.unsafe = o->unsafe};
    List paths = {0};
    const char *missing = o->unsafe || o->plan ? NULL : sandbox_missing();
    long due = time_of(o->due);
    if (missing)
        die(2, "grade: %s (--unsafe: without a sandbox)", missing);
    course_open(&g.course);
    course_use(&g.course, "cpu");
    g.root = getcwd(NULL, 0);
    g.folder = absolute(o->from, o->output);
    g.exercises = chosen(o->exercises);
    if (o->plan) {
        plan_print(&g, o->plan);
        return fflush(stdout) != 0;
    }
    g.hash = hash_of_course();
    for (int i = 0; i < o->submissions.count; i++) {
        char *path = absolute(o->from, o->submissions.item[i]);
        list_add(&paths, path);
        free(path);
    }
    if (make_folders(g.folder))
        die(2, "grade: cannot make %s: %s", g.folder, strerror(errno));
    if ((g.groups = cgroup_open()))
        setenv(GROUPS, g.groups, 1);
    else
        unsetenv(GROUPS);
    char *students = o->students ? absolute(o->from, o->students) : NULL;
    prepare(&g);
    Submissions all = submissions_find(&g, &paths, due);
    if (o->slurm)
        slurm_grade(&g, &all, o->sbatch);
    else
        class_grade(&g, &all);
    Result *results = class_results(&g, &all);
    report_write(&g, &all, results);
    if (students)
        list_missing(students, &all);
    report_print(&g, &all, results, seconds() - start);
    free(students);
    return is_bad(&all, results, g.exercises.count) || fflush(stdout);
}

int main(int argc, char **argv)
{
    const struct argp argp = {table, parse, "SUBMISSION...", text("%s\v%s", what, notes), NULL, NULL, NULL};
    Options o = {.exercises = NULL, .output = "grades", .from = getenv("GRADE_FROM")};
    const int is_one = argc > 1 && strcmp(argv[1], "--one") == 0;
    if (is_one || (argc > 1 && strcmp(argv[1], "--tasks") == 0)) {
        tell_nobody();
        return is_one ? one(argc, argv) : slurm_task(argc, argv);
    }
    tell_begin();
    argp_err_exit_status = 2;
    argv[0] = (char[]){"tools/grade"};
    tell_hear();
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    tell_heard();
    if (!o.submissions.count && !o.plan)
        die(2, "grade: no submission is named (tools/grade --help)");
    if (!o.exercises)
        die(2, "grade: which exercises? for example --exercises 3.1-3.9");
    if (!o.from)
        o.from = ".";
    return grade(&o);
}
