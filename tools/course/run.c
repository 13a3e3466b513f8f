/* run.c: ./run, the classroom's remote control: walks through a lecture, or runs one lab or exercise. The runner's own
 * options are taken out of the command line; the others belong to the lab, which tells them itself (--about). */
#include "run.h"
#include "beside.h"
#include "say.h"

#include "../../common/terminal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- building -------------------------------------------------------------------------------------------------- */

/* Builds quietly unless it fails; says so where somebody waits and there is something to build. */
static void build(const Run *r, const List *targets)
{
    char *log = text("%s/run.log", r->course->build);
    if (isatty(STDERR_FILENO)) {
        Job ask = {.out = "/dev/null", .err = "/dev/null"};
        char *device = text("DEVICE=%s", r->course->device);
        const char *words[] = {"make", "-q", "--no-print-directory", device};
        for (int i = 0; i < 4; i++)
            list_add(&ask.command, words[i]);
        for (int i = 0; i < targets->count; i++)
            list_add(&ask.command, targets->item[i]);
        if (job_run(&ask) != 0)
            fputs(say_words("building ...\n"), stderr);
        job_free(&ask);
        free(device);
    }
    if (course_make(r->course, targets, log) != 0) {
        char *words = file_read(log, NULL);
        fputs(words ? words : "", stderr);
        exit(1);
    }
    free(log);
}

static void build_one(const Run *r, const char *target)
{
    List one = {0};
    list_add(&one, target);
    build(r, &one);
    list_free(&one);
}

/* ---- the labs --------------------------------------------------------------------------------------------------- */

static int by_order(const void *a, const void *b)
{
    const LabInfo *x = a, *y = b;
    return x->order != y->order ? (x->order > y->order) - (x->order < y->order) : strcmp(x->name, y->name);
}

static void find_labs(Run *r)
{
    List files = {0}, targets = {0};
    char *pattern = text("%s/*.cu", r->lecture);
    list_glob(&files, pattern);
    free(pattern);
    if (!files.count)
        die(2, "run: %s has no labs yet", r->lecture);
    for (int i = 0; i < files.count; i++) {
        char *name = text("%.*s", (int)(strlen(base_name(files.item[i])) - 3), base_name(files.item[i]));
        char *target = text("%s/%s", r->dir, name);
        if (!r->lab || strcmp(name, r->lab) == 0)
            list_add(&targets, target);
        free(name), free(target);
    }
    build(r, &targets);
    r->labs = calloc((size_t)targets.count, sizeof *r->labs);
    for (int i = 0; i < targets.count; i++) {
        LabInfo lab = lab_about(targets.item[i]);
        char *title = say_lab(r->lecture, lab.name, &lab.look);
        lab.title = title ? title : lab.title;
        r->labs[r->lab_count++] = lab;
    }
    qsort(r->labs, (size_t)r->lab_count, sizeof *r->labs, by_order);
    list_free(&files);
    list_free(&targets);
}

/* In a walk-through a lab is given the options that it has; one that no lab has is an error. */
static void add_options(const Run *r, const LabInfo *lab, List *command)
{
    for (int i = 0; i < r->pass.count; i++) {
        const char *option = r->pass.item[i];
        int whose = -1;
        for (int k = 0; k < r->lab_count && whose < 0; k++)
            if (lab_has_option(&r->labs[k], option))
                whose = k;
        int with_value = whose >= 0 && i + 1 < r->pass.count && lab_takes_next_word(&r->labs[whose], option);
        if (r->lab || whose < 0 || lab_has_option(lab, option)) {
            list_add(command, option);
            if (with_value)
                list_add(command, r->pass.item[i + 1]);
        }
        i += with_value;
    }
}

/* ---- running --------------------------------------------------------------------------------------------------- */

static int run_job(const List *command, const List *set)
{
    Job job = {.input = 1};
    for (int i = 0; i < command->count; i++)
        list_add(&job.command, command->item[i]);
    for (int i = 0; set && i < set->count; i++)
        list_add(&job.set, set->item[i]);
    job_run(&job);
    int status = job.status;
    job_free(&job);
    return status;
}

static int on_path(const char *program)
{
    Job job = {.out = "/dev/null", .err = "/dev/null"};
    list_add(&job.command, program);
    list_add(&job.command, "--version");
    job_run(&job);
    job_free(&job);
    return job.status != 127;
}

static int sanitize_cuda(const Run *r, const LabInfo *lab, const List *options)
{
    static const char *const tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
    char *path = text("%s/%s.cu", r->lecture, lab->name), *source = file_read(path, NULL);
    int bad = 0;
    if (!on_path("compute-sanitizer"))
        die(2, "run: compute-sanitizer is not installed");
    for (int t = 0; t < 4; t++) {
        List command = {0};
        const char *words[] = {"compute-sanitizer", "--tool", tools[t], "--error-exitcode", "99"};
        printf("compute-sanitizer --tool %s\n", tools[t]);
        for (int i = 0; i < 5; i++)
            list_add(&command, words[i]);
        /* A lab whose calls are meant to fail says so to the CPU device's checker too. */
        if (t == 0 && source && strstr(source, "cpudev_expect_errors"))
            list_add(&command, "--report-api-errors"), list_add(&command, "no");
        list_add(&command, lab->program);
        const char *mode[] = {"--verify", "--small", "--no-vendor"};
        for (int i = 0; i < 3; i++)
            list_add(&command, mode[i]);
        for (int i = 0; i < options->count; i++)
            list_add(&command, options->item[i]);
        bad |= run_job(&command, NULL) != 0;
        list_free(&command);
    }
    free(path), free(source);
    return bad;
}

/* Are shapes asked for for which nothing was counted, or is nothing timed? */
static int has_size(const Run *r)
{
    for (int i = 0; i < r->pass.count; i++)
        if (starts_with(r->pass.item[i], "--siz") || starts_with(r->pass.item[i], "-s") ||
            starts_with(r->pass.item[i], "--sw") || starts_with(r->pass.item[i], "--veri") ||
            starts_with(r->pass.item[i], "--sm"))
            return 1;
    return 0;
}

/* What a lab prints, too, in the reader's language. */
static void add_catalogue(const Run *r, List *options)
{
    char *file = text("%s/chinese.inc", r->lecture);
    list_add(options, "--catalogue"), list_add(options, file);
    free(file);
}

/* One lab, in the way that was asked for. heading: "2/5" in a walk-through, else NULL. Returns its exit status. */
static int run_lab(const Run *r, const LabInfo *lab, const char *heading)
{
    List options = {0}, command = {0}, set = {0};
    int on_cuda = strcmp(r->course->device, "cuda") == 0, status;
    if (heading)
        list_add(&options, "--heading"), list_add(&options, heading);
    if (lab->look) {
        char *words = text("%s\n%s", lab->title, lab->look);
        list_add(&options, "--words"), list_add(&options, words);
        free(words);
        add_catalogue(r, &options);
    }
    add_options(r, lab, &options);
    if (r->csv) {
        int stem = (int)strlen(r->csv) - (ends_with(r->csv, ".csv") ? 4 : 0);
        char *file = r->lab ? copy(r->csv) : text("%.*s-%s.csv", stem, r->csv, lab->name);
        list_add(&options, "--csv"), list_add(&options, file);
        free(file);
    }
    if (!r->sanitize && !r->counters && !r->model && !has_size(r)) {
        char *counts = counts_file(r->course, r->lecture, lab);
        if (counts)
            list_add(&options, "--counts"), list_add(&options, counts);
        free(counts);
    }
    if (r->plot) {
        char *plots = text("%s/plots", r->course->build), *base = text("--plot=%s/%s", plots, lab->name);
        make_folders(plots);
        list_add(&options, base);
        free(plots), free(base);
    }
    if (r->sanitize && on_cuda && !r->view.on) {
        status = sanitize_cuda(r, lab, &options);
        list_free(&options);
        return status;
    }
    if (r->model && on_cuda)
        die(2, "run: --model is the CPU device's: ./run --device cpu %s --model %s", lab->name, r->model);
    if (r->sanitize || r->view.on || r->model || (r->counters && !on_cuda)) {
        char *checked = text("build/%s/%s/%s", r->model ? "model" : "check", r->lecture, lab->name);
        build_one(r, checked);
        list_add(&command, checked);
        free(checked);
    } else if (r->counters) {
        list_add(&command, "tools/profiler/counters.sh"), list_add(&command, lab->program);
    } else {
        list_add(&command, lab->program);
    }
    if (r->sanitize || r->counters || r->model || r->view.on)
        list_add(&command, "--verify");
    if (r->sanitize || r->view.on)
        list_add(&command, "--small");
    for (int i = 0; i < options.count; i++)
        list_add(&command, options.item[i]);
    if (r->counters && !on_cuda)
        list_add(&set, "CUDA_CPU_TOOLS=counters");
    char *model = r->model ? text("CUDA_CPU_MODEL=%s", r->model) : NULL;
    if (model)
        list_add(&set, model);
    free(model);
    if (heading && r->model) /* the labs' tables have the times; the list of kernels would be long */
        list_add(&set, "CUDA_CPU_MODEL_QUIET=1");
    if (r->view.on)
        view_settings(&r->view, r->course, lab->name, &set);
    status = run_job(&command, &set);
    list_free(&set);
    list_free(&options);
    list_free(&command);
    return status;
}

/* A lab and its title, which is broken at a blank where 80 columns end. */
static void print_lab(const LabInfo *lab)
{
    enum { BEGIN = 22, END = 80 };
    int at = printf("    %-17s", lab->name);
    for (const char *word = lab->title; *word; word += strspn(word, " ")) {
        char *one = text("%.*s", (int)strcspn(word, " "), word);
        if (at + 1 + say_columns(one) > END)
            at = printf("\n%*s", BEGIN - 1, "") - 1;
        printf(" %s", one);
        at += 1 + say_columns(one);
        word += strlen(one);
        free(one);
    }
    putchar('\n');
}

/* The labs of the lecture's further pages, which a walk-through leaves out. */
static void name_further_labs(const Run *r)
{
    List pages = {0};
    for (int i = 0; i < r->lab_count; i++)
        if (*r->labs[i].page && !list_has(&pages, r->labs[i].page))
            list_add(&pages, r->labs[i].page);
    for (int i = 0; i < pages.count; i++)
        say("%s%s", i ? ", " : "\nFurther labs (./run NAME); pages: ", pages.item[i]);
    if (pages.count)
        puts("");
    list_free(&pages);
    for (int i = 0; i < r->lab_count; i++)
        if (*r->labs[i].page)
            print_lab(&r->labs[i]);
}

static int walk_through(Run *r)
{
    char *last = text("%s/last", r->course->build), *line = text("%s %s\n", r->lecture, r->course->device);
    file_write(last, line, strlen(line));
    char *device_line = output_of(r->labs[0].program, "--device-line"), *title = say_lecture(r->lecture);
    if (!*device_line)
        return 1;
    if (list_has(&r->pass, "--help")) {
        say("%s%s", run_usage, run_own_options);
        return 0;
    }
    for (int i = 0; i < r->pass.count; i++) { /* an option that no lab has, before anything runs */
        int known = r->pass.item[i][0] != '-';
        for (int k = 0; k < r->lab_count && !known; k++)
            known = lab_has_option(&r->labs[k], r->pass.item[i]);
        if (!known)
            die(2, "run: no lab of %s has the option '%s' (./run LAB --help lists a lab's)", r->lecture,
                r->pass.item[i]);
    }
    if (starts_with(title, "Lecture"))
        title[0] = 'l';
    terminal_heading(stdout, title);
    say("\n%s\n", device_line);
    if (r->model)
        say("The times of the tables' rungs are by the model of the chip %s: cpudevice/docs/model.md.\n", r->model);
    else if (strcmp(r->course->device, "cpu") == 0)
        say("What the tables count is exact: requests of warps, the sectors of 32 bytes that\n"
            "one takes (in brackets the fewest possible), bytes moved over the fewest\n"
            "possible. The H200's times were recorded; this CPU's say little about a GPU.\n"
            "--wide: all.\n");
    int status = 0, all = list_has(&r->pass, "--verbose"), count = 0;
    for (int i = 0; i < r->lab_count; i++) /* those that are shown come first, in their order */
        if (all || !*r->labs[i].page) {
            const LabInfo shown = r->labs[i];
            memmove(r->labs + count + 1, r->labs + count, (size_t)(i - count) * sizeof *r->labs);
            r->labs[count++] = shown;
        }
    for (int i = 0; i < count; i++) {
        char *heading = text("%d/%d", i + 1, count);
        putchar('\n');
        fflush(stdout);
        int ended = run_lab(r, &r->labs[i], heading);
        status = ended ? ended : status;
        free(heading);
        if (r->step && i + 1 < count) {
            say("\n    next: %s: %s [Enter, or q to leave] ", r->labs[i + 1].name, r->labs[i + 1].title);
            fflush(stdout);
            const int answer = getchar();
            for (int ch = answer; ch != '\n' && ch != EOF;)
                ch = getchar();
            if (answer == 'q')
                return status;
            r->step = answer != EOF;
        }
    }
    if (!all)
        name_further_labs(r);
    if (!all)
        say("\n./run LAB shows one lab in full (other shapes and types, pictures, details),\n./run --verbose all.\n");
    return status;
}

/* The lab's help in Chinese: its lines, each option on one, and its title. Returns the lab's exit status. */
static int help_in_chinese(const Run *r, const LabInfo *lab, const List *command)
{
    char *path = text("%s/help.log", r->course->build), *titled = text("%s: ", lab->name);
    Job job = {.command = *command, .out = path};
    list_add(&job.set, "ARGP_HELP_FMT=rmargin=1000");
    const int status = job_run(&job);
    char *all = file_read(path, NULL), *rest = all, *line;
    while ((line = strsep(&rest, "\n"))) {
        if (starts_with(line, titled))
            printf("%s%s\n", titled, lab->title);
        else if (rest || *line)
            say("%s\n", line);
    }
    list_free(&job.set);
    free(path), free(titled), free(all);
    return status;
}

/* What the lab says of its own options, and then the runner's. Returns the lab's exit status. */
static int help_of(const Run *r, const LabInfo *lab)
{
    List command = {0};
    list_add(&command, lab->program);
    for (int i = 0; i < r->pass.count; i++)
        list_add(&command, r->pass.item[i]);
    const int status = say_in_chinese() ? help_in_chinese(r, lab, &command) : run_job(&command, NULL);
    list_free(&command);
    say("\n./run has these options as well:\n\n%s", run_own_options);
    return status;
}

/* ./run 3.1 grades; with options the exercise runs as a lab; with --model and no other, both. Returns the exit status, or
 * -1: it is to run as a lab. */
static int run_exercise(Run *r)
{
    Exercises all = exercises_find();
    Exercise *e = exercise_named(&all, r->lab);
    if (!r->pass.count && !r->step && !r->list && !r->listing && !r->sanitize && !r->counters && !r->view.on &&
        !r->csv && !r->plot && !(r->model && strcmp(r->course->device, "cuda") == 0)) {
        const State state = exercise_grade_and_tell(r->course, e);
        r->graded = state != STATE_PASSED;
        if (!r->model || state == STATE_TODO)
            return r->graded;
    }
    r->exercise = e;
    r->lecture = text("%s/exercises", e->lecture);
    r->lab = text("%.*s", (int)strlen(base_name(e->path)) - 3, base_name(e->path));
    return -1;
}

int command_run(Course *course, int argc, char **argv)
{
    Run r = {.course = course};
    char *lesson = argc > 1 ? lesson_named(argv[1]) : NULL;
    if (lesson)
        lesson_run(lesson, argv + 2);
    run_parse(&r, argc, argv);
    if (!course->device)
        course_use(course, NULL);
    if (r.lab && isdigit((unsigned char)r.lab[0])) {
        int status = run_exercise(&r);
        if (status >= 0)
            return status;
    } else {
        run_resolve(&r);
    }
    if (strcmp(course->device, "cuda") == 0) {
        if (!*output_of("tools/setup/device.sh", "--toolkit"))
            die(2, "run: no CUDA Toolkit here; --device cpu runs on the CPU device");
        if (!*output_of("tools/setup/device.sh", "--capability"))
            die(2, "run: no GPU answers here; --device cpu runs on the CPU device");
    }
    r.dir = text("build/%s/%s", course->device, r.lecture);
    if (r.lab && !r.list) {
        find_labs(&r);
        if (list_has(&r.pass, "--help") || list_has(&r.pass, "-?"))
            return help_of(&r, &r.labs[0]);
        int status = r.listing ? run_listing(&r, &r.labs[0]) : run_lab(&r, &r.labs[0], NULL);
        if (!status && r.exercise && r.model)
            status = beside_solution(course, r.exercise, r.model, &r.pass);
        return status ? status : r.graded;
    }
    r.lab = NULL;
    if (r.listing)
        die(2, "run: --%s wants a lab: ./run LAB --%s --rung N", r.listing, r.listing);
    find_labs(&r);
    if (!r.list)
        return walk_through(&r);
    for (int i = 0; i < r.lab_count; i++)
        printf("%2d  %-18s %s\n", r.labs[i].order, r.labs[i].name, r.labs[i].title);
    lessons_list(r.lecture);
    return fflush(stdout) ? 1 : 0;
}
