/* lab_program.c: a lab as a program: what it does with its command line, its shapes and its output. Small labs made up
 * here stand for the real ones; each run is a process of its own. */
#include <check.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab.h"
#include "lab/lab_internal.h"
#include "suite.h"
#ifdef LAB_CPU
#include "cpudevice.h"
#endif

/* y = 2 x, computed by a copy and the reference alike, so that no kernel is needed. */
static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    return NULL;
}
static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = lab_get(c->h_in[0], LAB_F32, i);
}
static void run(const LabRung *r, LabCase *c)
{
    size_t bytes = c->out_count * sizeof(float);
    (void)r;
    CUDA_CHECK(cudaMemcpyAsync(c->out, c->in[0], bytes, cudaMemcpyDeviceToDevice, c->stream));
}
static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const LabRung rungs[] = {{1, "a copy", NULL, LAB_F32, 0, 0}, {2, "the same", NULL, LAB_F32, 0, 0}};
static const Lab ladder = {.name = "twin",
                           .title = "a copy, twice",
                           .dims = "N",
                           .size = "1000",
                           .cpu_size = "1000",
                           .test_sizes = "0 7",
                           .rungs = rungs,
                           .rung_count = 2,
                           .setup = setup,
                           .reference = reference,
                           .run = run,
                           .bytes = bytes};

typedef struct Run {
    int status; /* of the exit; -1: a signal */
    char out[8192], err[1024];
} Run;

static void slurp(FILE *f, char *text, size_t size)
{
    rewind(f);
    text[fread(text, 1, size - 1, f)] = 0;
    fclose(f);
}

/* Runs the lab with up to three arguments (NULL: fewer). stdout goes to `to`, or is kept if that is NULL. */
static Run run_lab(const Lab *lab, const char *to, const char *a, const char *b, const char *c)
{
    Run r = {0};
    char *argv[] = {strdup("twin"), a ? strdup(a) : NULL, b ? strdup(b) : NULL, c ? strdup(c) : NULL, NULL};
    FILE *out = tmpfile(), *err = tmpfile();
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(to ? open(to, O_WRONLY) : fileno(out), STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        exit(lab_main(lab, 1 + (a != NULL) + (b != NULL) + (c != NULL), argv));
    }
    int status;
    waitpid(child, &status, 0);
    r.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    slurp(out, r.out, sizeof r.out);
    slurp(err, r.err, sizeof r.err);
    for (int i = 0; argv[i]; i++)
        free(argv[i]);
    return r;
}

static const struct {
    const char *option, *second;
    int status;
    const char *says; /* on stderr where the status is 2, else on stdout */
} lines[] = {
    {"--size=", "--verify", 2, "not nothing"},
    {"--size= ", "--verify", 2, "not nothing"},
    {"--size=0", "--verify", 2, "no element"},
    {"--size=0", NULL, 2, "no element"},
    {"--size=7 ", "--verify", 0, "N = 7"},
    {"--size=0 7", "--verify", 2, "no element"},
    {"--small", "--verify", 0, "N = 0"}, /* the tests' shapes may be empty */
    {"--rung=", "--verify", 2, "not nothing"},
    {"--rung=9", NULL, 2, "rungs 1 to 2"},
    {"--trace=", NULL, 2, "cannot write"},
    {"--trace=/nonexistent/trace.json", NULL, 2, "cannot write"},
    {"--trace=/tmp/no_such_folder/", NULL, 2, "cannot write"},
    {"--csv=", NULL, 2, "cannot write"},
};

START_TEST(command_line)
{
    Run r = run_lab(&ladder, NULL, lines[_i].option, lines[_i].second, NULL);
    ck_assert_msg(r.status == lines[_i].status, "%s: status %d: %s%s", lines[_i].option, r.status, r.out, r.err);
    ck_assert_msg(strstr(r.status ? r.err : r.out, lines[_i].says) != NULL, "%s: %s%s", lines[_i].option, r.out, r.err);
    if (r.status == 2) { /* one line, and before anything is computed */
        ck_assert_ptr_eq(strchr(r.err, '\n'), strrchr(r.err, '\n'));
        ck_assert_ptr_null(strstr(r.out, "ok"));
    }
}
END_TEST

START_TEST(a_full_disk_is_a_failure)
{
    static const char *const way[] = {"--verify", "--help", "--about", "--device-line"};
    if (access("/dev/full", W_OK) != 0) {
        test_skip("a full disk: no /dev/full here");
        return;
    }
    for (int i = 0; i < LAB_COUNT(way); i++) {
        Run r = run_lab(&ladder, "/dev/full", way[i], NULL, NULL);
        ck_assert_msg(r.status == 1 && strstr(r.err, "cannot write the output"), "%s: status %d: %s", way[i], r.status,
                      r.err);
    }
}
END_TEST

/* ---- show() ---------------------------------------------------------------------------------------------------------- */

static int show_all_hold(const LabOptions *options)
{
    (void)options;
    return lab_claim(1, "a") + lab_claim(1, "b");
}
static int show_three(const LabOptions *options)
{
    (void)options;
    return lab_claim(0, "a") | lab_claim(1, "b") | lab_claim(0, "c") | lab_claim(0, "d");
}
static int show_without_a_claim(const LabOptions *options)
{
    (void)options;
    return 7;
}
static void run_nothing(const LabRung *r, LabCase *c) { (void)r, (void)c; }

/* What is counted at the end are the lines that say FAILED, and the rungs that are wrong. */
static const struct {
    int (*show)(const LabOptions *options);
    bool rungs_wrong;
    int lines;
    const char *end; /* NULL: all is right */
} shows[] = {{show_all_hold, false, 0, NULL},
             {show_three, false, 3, "\n    3 wrong\n"},
             {show_without_a_claim, false, 0, "\n    1 wrong\n"},
             {show_all_hold, true, 0, "\n    2 wrong\n"},
             {show_three, true, 3, "\n    5 wrong\n"}};

START_TEST(failures_are_counted)
{
    Lab lab = ladder;
    lab.show = shows[_i].show;
    if (shows[_i].rungs_wrong)
        lab.run = run_nothing;
    Run r = run_lab(&lab, NULL, "--verify", "--size=7", NULL);
    int lines = 0;
    for (const char *p = r.out; (p = strstr(p, "    FAILED: ")); p++)
        lines++;
    ck_assert_msg(r.status == (shows[_i].end != NULL) && lines == shows[_i].lines, "status %d\n%s", r.status, r.out);
    if (shows[_i].end)
        ck_assert_msg(strstr(r.out, shows[_i].end) != NULL, "no '%s' in\n%s", shows[_i].end, r.out);
    else
        ck_assert_ptr_null(strstr(r.out, " wrong\n"));
}
END_TEST

/* A lab whose rungs are all for another device. */
START_TEST(no_rung_at_all)
{
    Lab none = ladder;
    none.rung_count = 0;
    Run r = run_lab(&none, NULL, "--verify", NULL, NULL);
    ck_assert_int_eq(r.status, 2);
    ck_assert_str_eq(r.err + strcspn(r.err, ":"), ": twin has no rung for this device\n");
}
END_TEST

#ifdef LAB_CPU
/* Without a GPU: counts lead, an H200's time and ratio follow, the CPU's own time is last; a ratio is that of the two
 * times beside it; what does not run is one line. */
START_TEST(table_without_a_gpu)
{
    static const LabRung four[] = {{1, "a copy", NULL, LAB_F32, 0, 0},
                                   {2, "fast, and odd", NULL, LAB_F32, 0, 0},
                                   {3, "vendor", NULL, LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, 0},
                                   {4, "hopper", NULL, LAB_F32, LAB_CUDA_ONLY, 0},
                                   {5, "hopper too", NULL, LAB_F32, LAB_CUDA_ONLY, 0}};
    static const char recorded[] =
        "# date: 2026-01-02\n"
        "lab,rung,name,type,size,mode,runs,time_ms,q1_ms,q3_ms,gbps,tflops,of_copy,vs_vendor,vs_before,check\n"
        "twin,1,a copy,fp32,64,interleaved,20,90,1,1,1,1,1,1,1,ok\n"
        "twin,1,a copy,fp32,4096,interleaved,20,3,1,1,1,1,1,1,1,ok\n"
        "twin,2,fast; and odd,fp32,4096,interleaved,20,2,1,1,1,1,1,1,9.99,ok\n"
        "twin,3,vendor,fp32,4096,interleaved,20,0.5,1,1,1,1,1,1,1,ok\n"
        "twin,4,hopper,fp32,4096,interleaved,20,1,1,1,1,1,1,1,1,ok\n"
        "twin,1,a copy,fp32,4096,burst,20,77,1,1,1,1,1,1,1,ok\n";
    static const char counts[] =
        "rung,type,size,load_requests,load_sectors,load_ideal,store_requests,store_sectors,store_ideal,"
        "atomic_sectors,shared_requests,bank_conflicts,barriers,tma_load_bytes,tma_store_bytes,tensor_instructions,"
        "multiply_adds\n"
        "1,fp32,1000,32,1024,128,32,128,128,0,64,12000,16,0,0,0,0\n"
        "1,fp32,1001,1,1,1,1,1,1,1,1,1,1,1,1,1,1\n"
        "4,fp32,1000,0,0,0,0,0,0,0,0,0,0,4000,4000,12,24576\n";
    Lab lab = ladder;
    char folder[] = "/tmp/lab_programXXXXXX", path[128], option[160];
    lab.rungs = four, lab.rung_count = 5;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("results", 0777) | mkdir("results/h200", 0777) | mkdir("results/h200/lecture77", 0777), 0);
    FILE *f = fopen("results/h200/lecture77/twin.csv", "w");
    fputs(recorded, f), fclose(f);
    snprintf(path, sizeof path, "%s/counts.csv", folder);
    f = fopen(path, "w");
    fputs(counts, f), fclose(f);
    snprintf(option, sizeof option, "--counts=%s", path);
    Run r = run_lab(&lab, NULL, option, "--wide", NULL);
    ck_assert_int_eq(r.status, 0);
    static const char *const says[] = {
        "rung  idea           requests  sect/load  sect/store  moved  TMA bytes  tensor  FMA each  conflicts  "
        "barriers      H200  vs before  this",
        "   1  a copy               64     32 (4)           4  4.61x                                     12k  "
        "      16  3.000 ms             ",
        "   2  fast, and odd                                                                                  "
        "          2.000 ms      1.50x  ",
        "   3  vendor                                                                                         "
        "          0.500 ms             ",
        "   4  hopper                0                            1x       8000      12      2048             "
        "          1.000 ms      2.00x  ",
        "N = 1000, fp32; H200: 4096, from results/h200/lecture77/twin.csv\n",
        "    not run here: 3, 4, 5 (needs a GPU)\n"};
    for (int i = 0; i < LAB_COUNT(says); i++)
        ck_assert_msg(strstr(r.out, says[i]) != NULL, "no '%s' in\n%s", says[i], r.out);
    ck_assert_ptr_null(strstr(r.out, "hopper too"));
    ck_assert_ptr_null(strstr(r.out, "\033")); /* dim only on a terminal */
    /* 100 columns: first goes what shows nothing (no store wastes a sector here), then this CPU's time, barriers, requests */
    r = run_lab(&lab, NULL, option, NULL, NULL);
    static const char header[] =
        "rung  idea           sect/load  moved  TMA bytes  tensor  conflicts      H200  vs before";
    const char *line = strstr(r.out, header);
    ck_assert_msg(line && strcspn(line, "\n") <= 96, "no '%s' in\n%s", header, r.out);
    unlink("results/h200/lecture77/twin.csv"), unlink(path), rmdir("results/h200/lecture77"), rmdir("results/h200"),
        rmdir("results");
    ck_assert_int_eq(chdir("/") | rmdir(folder), 0);
}
END_TEST
#endif

/* ---- a rung that is right when it is looked at, and does something else when it is timed ------------------------------ */

static void copies(LabCase *c, const void *from, void *to)
{
    CUDA_CHECK(cudaMemcpyAsync(to, from, c->out_count * sizeof(float), cudaMemcpyDeviceToDevice, c->stream));
}

/* It keeps its result for an input that it has seen. */
static void run_kept(const LabRung *r, LabCase *c)
{
    static void *seen, *kept;
    (void)r;
    if (seen != c->in[0]) {
        seen = c->in[0];
        CUDA_CHECK(cudaMalloc(&kept, c->out_count * sizeof(float)));
        copies(c, c->in[0], kept);
    }
    copies(c, kept, c->out);
}

/* It works the first time only: the output is there. */
static void run_first(const LabRung *r, LabCase *c)
{
    static int runs;
    (void)r;
    if (runs++ == 0)
        copies(c, c->in[0], c->out);
}

/* It works when the next run comes. */
static void run_later(const LabRung *r, LabCase *c)
{
    static int runs;
    if (runs++ > 0)
        run(r, c);
    if (runs == 1)
        run(r, c);
    else
        CUDA_CHECK(cudaMemsetAsync(c->out, 0, c->out_count * sizeof(float), c->stream));
}

static const struct {
    const char *name;
    void (*run)(const LabRung *r, LabCase *c);
    int status;
    const char *says, *row; /* of the CSV */
} timed[] = {
    {"honest", run, 0, "a copy", ",ok"},
    {"kept", run_kept, 1, "after the timed runs, on other inputs, element 0 is ", ",interleaved,0,,,,,,,,,WRONG"},
    {"first", run_first, 1, "after the timed runs, on other inputs, element 0 was never written",
     ",interleaved,0,,,,,,,,,WRONG"},
    {"later", run_later, 1, "after the timed runs, on other inputs, element 0 is 0, should be ",
     ",interleaved,0,,,,,,,,,WRONG"},
};

START_TEST(what_is_written_down_is_right)
{
    Lab lab = ladder;
    char path[] = "/tmp/lab_programXXXXXX", option[64], csv[4096];
    lab.run = timed[_i].run, lab.rung_count = 1;
    close(mkstemp(path));
    snprintf(option, sizeof option, "--csv=%s", path);
    Run r = run_lab(&lab, NULL, option, NULL, NULL);
    slurp(fopen(path, "r"), csv, sizeof csv);
    unlink(path);
    ck_assert_msg(r.status == timed[_i].status, "%s: status %d\n%s%s", timed[_i].name, r.status, r.out, r.err);
    ck_assert_msg(strstr(r.out, timed[_i].says) != NULL, "%s: no '%s' in\n%s", timed[_i].name, timed[_i].says, r.out);
    ck_assert_msg(strstr(csv, timed[_i].row) != NULL, "%s: no '%s' in\n%s", timed[_i].name, timed[_i].row, csv);
}
END_TEST

#ifdef LAB_CPU
/* The model of a chip, in the place of cucc --check's: each run of a rung launches what makes its input, and two kernels. */
static const char *fake_chip;
static unsigned fake_launches;

int cpudev_model_launch(unsigned i, cpudev_model_time *t)
{
    static const cpudev_model_time launched[3] = {{"setup_twin", NULL, "dram", NULL, 500000, 1, 1000000},
                                                  {"twice", NULL, "l2", NULL, 3000, 2000, 5000},
                                                  {"again", NULL, "launch", NULL, 1000, 500, 2000}};
    if (!fake_chip || i >= fake_launches)
        return 0;
    *t = launched[i % 3];
    t->chip = fake_chip;
    if (i / 3 == 1) /* the second rung takes half the time, and its range is not known */
        t->us /= 2, t->low_us = t->high_us = 0;
    if (i / 3 == 2)
        t->unknown = "blocks wait";
    return 1;
}

static void run_of_three_launches(const LabRung *r, LabCase *c)
{
    run(r, c);
    fake_launches += 3;
}

/* Under a model the table has its times, and a record only of this chip and shape, in a column of its own. */
START_TEST(table_of_a_model)
{
    static const LabRung four[] = {{1, "a copy", NULL, LAB_F32, 0, 0},
                                   {2, "in half", NULL, LAB_F32, 0, 0},
                                   {3, "a lock", NULL, LAB_F32, 0, 0},
                                   {4, "vendor", NULL, LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, 0}};
    static const char lines[] = "twin,1,a copy,fp32,4096,interleaved,20,3.25,1,1,1,1,1,1,1,ok\n"
                                "twin,2,in half,fp32,4096,interleaved,20,2.25,1,1,1,1,1,1,1,ok\n";
    char folder[] = "/tmp/lab_programXXXXXX";
    Lab lab = ladder;
    lab.rungs = four, lab.rung_count = 4, lab.run = run_of_three_launches;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder) | mkdir("results", 0777) | mkdir("results/h200", 0777) |
                         mkdir("results/h200/lecture77", 0777),
                     0);
    FILE *f = fopen("results/h200/lecture77/twin.csv", "w");
    fputs(lines, f), fclose(f);
    fake_chip = "h200";
    Run r = run_lab(&lab, NULL, "--verify", "--size=4096", NULL);
    ck_assert_int_eq(r.status, 0);
    static const char *const says[] = {
        "N = 4096, fp32, by the model of the chip h200; recorded on an H200: results/h200/lecture77/twin.csv\n",
        "rung  idea        model                 range  what limits  vs before  recorded",
        "   1  a copy   4.000 ms  2.500 ms to 7.000 ms  l2                      3.250 ms",
        "   2  in half  2.000 ms                        l2               2.00x  2.250 ms",
        "   3  a lock                                   blocks wait  ",
        "    not run here: 4 (needs a GPU)\n"};
    for (int i = 0; i < LAB_COUNT(says); i++)
        ck_assert_msg(strstr(r.out, says[i]) != NULL, "no '%s' in\n%s", says[i], r.out);
    r = run_lab(&lab, NULL, "--verify", "--size=1000", NULL);
    ck_assert_msg(strstr(r.out, "N = 1000, fp32, by the model of the chip h200; no record of this shape\n") &&
                      !strstr(r.out, "3.250 ms"),
                  "%s", r.out);
    fake_chip = "h100";
    r = run_lab(&lab, NULL, "--verify", "--size=4096", NULL);
    ck_assert_msg(strstr(r.out, "by the model of the chip h100\n") && !strstr(r.out, "3.250 ms"), "%s", r.out);
    r = run_lab(&lab, NULL, "--verify", "--size=1000:3000:1000", "--rung=1");
    ck_assert_msg(strstr(r.out, "by the model of the chip h100: nothing was measured") != NULL, "%s", r.out);
    fake_chip = NULL;
    unlink("results/h200/lecture77/twin.csv"), rmdir("results/h200/lecture77"), rmdir("results/h200"), rmdir("results");
    ck_assert_int_eq(chdir("/") | rmdir(folder), 0);
}
END_TEST
#endif

/* A recorded time stands beside counts of a like shape: the same choice (a last number of 0 or 1), then the largest. */
START_TEST(recorded_at_a_like_shape)
{
    static const char *const shapes[] = {"8x8x0", "64x128x0", "64x128x1", "64x4096x1", "32x8x1"};
    static const char *const cases[][2] = {{"2x2x0", "64x128x0"}, /* the larger of those with a 0 */
                                           {"2x2x1", "64x4096x1"},
                                           {"2x8x1", "32x8x1"}, /* two numbers in common */
                                           {"8x8x0", "8x8x0"},
                                           {"2x2x7", "64x4096x1"}};
    char folder[] = "/tmp/lab_programXXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder) | mkdir("results", 0777) | mkdir("results/h200", 0777) |
                         mkdir("results/h200/lecture77", 0777),
                     0);
    FILE *f = fopen("results/h200/lecture77/twin.csv", "w");
    for (int i = 0; i < LAB_COUNT(shapes); i++)
        fprintf(f, "twin,1,a copy,fp32,%s,interleaved,20,%d,1,1,1,1,1,1,1,ok\n", shapes[i], i + 1);
    fclose(f);
    for (int i = 0; i < LAB_COUNT(cases); i++) {
        LabRecorded r;
        lab_recorded(&ladder, LAB_F32, cases[i][0], &r);
        ck_assert_str_eq(r.size, cases[i][1]);
        ck_assert_int_eq(r.count, 1);
    }
    unlink("results/h200/lecture77/twin.csv"), rmdir("results/h200/lecture77"), rmdir("results/h200"), rmdir("results");
    ck_assert_int_eq(chdir("/") | rmdir(folder), 0);
}
END_TEST

/* In a walk-through a ladder is brief: its first type at its largest shape. */
START_TEST(brief_in_a_walk_through)
{
    static const LabRung two[] = {{1, "a copy", NULL, LAB_F32, 0, 0}, {1, "a copy", NULL, LAB_S32, 0, 0}};
    Lab lab = ladder;
    lab.rungs = two, lab.cpu_size = lab.size = "7 1000 30";
    Run r = run_lab(&lab, NULL, "--heading=1/2", NULL, NULL);
    ck_assert_int_eq(r.status, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "N = 1000, fp32"));
    ck_assert_ptr_null(strstr(r.out, "N = 7"));
    ck_assert_ptr_null(strstr(r.out, "int32"));
    r = run_lab(&lab, NULL, "--heading=1/2", "--verbose", NULL);
    ck_assert_ptr_nonnull(strstr(r.out, "N = 7, fp32"));
    ck_assert_ptr_nonnull(strstr(r.out, "N = 30, int32"));
}
END_TEST

/* ./run gives the title and what to look at in the reader's language, in lines that it has broken. */
START_TEST(words_of_the_runner)
{
    Lab lab = ladder;
    lab.look = "Look at the copy.";
    Run r = run_lab(&lab, NULL, "--heading=1/2", "--words=标题\n看第一行。\n看第二行。", NULL);
    ck_assert_int_eq(r.status, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "1/2 twin：标题\n    看第一行。\n    看第二行。\n"));
    ck_assert_ptr_null(strstr(r.out, lab.title));
    ck_assert_ptr_null(strstr(r.out, lab.look));
}
END_TEST

/* A lecture's catalogue in a file; what it gets of a line is `rows`. */
static const char *catalogue_of(const char *rows)
{
    static char option[64];
    char path[] = "/tmp/lab_program.XXXXXX";
    const int to = mkstemp(path);
    ck_assert(to >= 0 && write(to, rows, strlen(rows)) == (ssize_t)strlen(rows));
    close(to);
    snprintf(option, sizeof option, "--catalogue=%s", path);
    return option;
}

static Run run_in_chinese(const Lab *lab, const char *option, const char *more)
{
    const char *catalogue =
        catalogue_of("// the twins\nSAY(\"a copy\", \"一次复制\")\nSAY(\n  \"the \"\n  \"same\", \"照旧\")\n");
    Run r = run_lab(lab, NULL, catalogue, option, more);
    unlink(strchr(catalogue, '/'));
    return r;
}

/* What a lab prints, by the catalogues of all labs and of a lecture; a wide character takes two columns. */
START_TEST(a_lab_in_chinese)
{
    Run r = run_in_chinese(&ladder, "--verify", NULL);
    ck_assert_int_eq(r.status, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "    N = 1000，fp32\n"
                                        "    级  思路      检查\n"
                                        "     1  一次复制  正确：最大误差 0\n"
                                        "     2  照旧      正确：最大误差 0\n"));
    r = run_lab(&ladder, NULL, "--verify", NULL, NULL);
    ck_assert_ptr_nonnull(strstr(r.out, "    rung  idea      check\n"
                                        "       1  a copy    ok: max error 0\n"));
}
END_TEST

static const struct {
    const char *option, *says;
} errors[] = {
    {"--rung=9", "twin 有第 1 级到第 2 级；--rung 9 不在其中\n"},
    {"--size=x", "--size 应给出 N，是一个整数或 FIRST:LAST:STEP，而不是“x”\n"},
    {"--runs=many", "--runs 应为整数，至多 100000，而不是“many”\n"},
    {"--nothing", "run twin：没有选项“--nothing”\n用 `run twin --help` 或 `run twin --usage` 了解更多。\n"},
    {"more", "多余的参数“more”（见 --help）\n"},
};

START_TEST(an_error_in_chinese)
{
    Run r = run_in_chinese(&ladder, errors[_i].option, NULL);
    ck_assert_int_eq(r.status, 2);
    ck_assert_msg(strstr(r.err, errors[_i].says) != NULL, "%s: %s", errors[_i].option, r.err);
}
END_TEST

/* What programs read is English in both languages. */
START_TEST(a_csv_in_both_languages)
{
    char path[] = "/tmp/lab_program.XXXXXX", option[64], text[4096];
    close(mkstemp(path));
    snprintf(option, sizeof option, "--csv=%s", path);
    ck_assert_int_eq(run_in_chinese(&ladder, "--verify", option).status, 0);
    slurp(fopen(path, "r"), text, sizeof text);
    unlink(path);
    ck_assert_ptr_nonnull(strstr(text, "\nlab,rung,name,type,"));
    ck_assert_ptr_nonnull(strstr(text, "\ntwin,1,a copy,fp32,1000,"));
}
END_TEST

/* A line that is not ended, and what is written over a line, are printed too. */
static int show_unfinished(const LabOptions *options)
{
    (void)options;
    fprintf(stderr, "\r%s", "a copy");
    printf("    a copy  12  the same\n    the same");
    return 0;
}
START_TEST(lines_in_chinese)
{
    Lab lab = {.name = "none", .title = "no ladder", .show = show_unfinished};
    Run r = run_in_chinese(&lab, NULL, NULL);
    ck_assert_str_eq(r.err, "\ra copy");
    ck_assert_ptr_nonnull(strstr(r.out, "\n    一次复制  12  照旧\n    照旧"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lab_program");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, command_line, 0, LAB_COUNT(lines));
    tcase_add_test(t, a_full_disk_is_a_failure);
    tcase_add_test(t, no_rung_at_all);
    tcase_add_loop_test(t, failures_are_counted, 0, LAB_COUNT(shows));
#ifdef LAB_CPU
    tcase_add_test(t, table_without_a_gpu);
    tcase_add_test(t, table_of_a_model);
#endif
    tcase_add_loop_test(t, what_is_written_down_is_right, 0, LAB_COUNT(timed));
    tcase_add_test(t, recorded_at_a_like_shape);
    tcase_add_test(t, brief_in_a_walk_through);
    tcase_add_test(t, words_of_the_runner);
    tcase_add_test(t, a_lab_in_chinese);
    tcase_add_loop_test(t, an_error_in_chinese, 0, LAB_COUNT(errors));
    tcase_add_test(t, a_csv_in_both_languages);
    tcase_add_test(t, lines_in_chinese);
    suite_add_tcase(s, t);
    return run_suite(s);
}
