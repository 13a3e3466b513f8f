/* profiler_cuprof.c: cuprof around programs that know nothing of it: their output, input and exit status are untouched,
 * counts are exact, and a program that crashes or is interrupted leaves what it had done. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

#ifdef LAB_CPU
#define COMPILER "cpudevice/cucc"
#else
#define COMPILER "${NVCC:-nvcc}"
#endif

enum { KERNELS = 123, COPIES = 4 }; /* what tests/profiler/helpers/cuprof.cu launches and copies */

static char out[COMMAND_FOLDER];

static void set_up(void)
{
    command_folder(out);
    command_succeeds("mkdir $out/tmp && " COMPILER " -o $out/program tests/profiler/helpers/cuprof.cu >$out/log 2>&1");
}

static void tear_down(void) { command_succeeds("rm -r $out"); }

/* The calls that the row of NAME counts in a table that cuprof --table --csv has written to the file: six columns
 * follow that number. -1: no such row. */
static long calls(const char *name, const char *file)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "%s/%s", out, file);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s was not written", file);
    long count = -1;
    while (count < 0 && fgets(line, sizeof line, f)) {
        if (strncmp(line + (line[0] == '"'), name, strlen(name)) != 0)
            continue;
        const char *p = line + strlen(line);
        for (int commas = 0; p > line && commas < 7; p--)
            commas += p[-1] == ',';
        count = atol(p + 1);
    }
    fclose(f);
    return count;
}

/* ---- what a program says and how it ends is its own; what is wrong is said in a line ---- */

static const CommandCase cases[] = {
    {9, "", "tools/cuprof -o $out/report $out/program >$out/o 2>$out/e"},
    {0, "^out$", "tools/cuprof -o $out/report $out/program 2>/dev/null | cat"},
    {9, "^err$", "tools/cuprof -o $out/report $out/program >/dev/null"},
    {0, "^1 lines$", "tools/cuprof -o $out/report $out/program 2>&1 >/dev/null | wc -l | sed 's/$/ lines/'"},
    {0, "^4$", "tools/cuprof -o $out/report $out/program >/dev/null 2>&1; grep -c '^ \\*\\* ' $out/report"},
    {0, "^out a b $", "printf 'a\\nb\\n' | tools/cuprof -o /dev/null $out/program input 2>/dev/null | tr '\\n' ' '"},
    {9, "cuda_gpu_kern_sum", "tools/cuprof $out/program"},
    {0, "^out$", "tools/cuprof $out/program 2>/dev/null | cat"},
    {0, "^[0-9.]*,[0-9]*,123,.*CUDA_KERNEL,work\\(float\\*\\)$",
     "tools/cuprof --gpu-sum --csv -o $out/sum.csv $out/program >/dev/null 2>&1; cat $out/sum.csv"},
    {0, "^2$",
     "tools/cuprof --sort-by count --row-limit 1 -o $out/table $out/program >/dev/null 2>&1; grep -c % $out/table"},
    {0, "^123 127$",
     "tools/cuprof --trace $out/trace.json -o /dev/null $out/program >/dev/null 2>&1; "
     "echo $(grep -c '\"cat\":\"kernel\"' $out/trace.json) $(grep -c '\"ph\":\"f\"' $out/trace.json)"},
    /* its environment is what it was, whatever names cuprof itself uses */
    {0, "^de_DE core, root$",
     "LC_ALL=de_DE core=core, root=root tools/cuprof sh -c 'echo $LC_ALL $core $root' 2>/dev/null | cat"},
    {127, "^cuprof: ", "tools/cuprof $out/nosuch"},
    {0, "^cuprof: .*", "tools/cuprof true"},
    {0, "^1$", "tools/cuprof true 2>&1 | wc -l"},
    {0, "--html", "tools/cuprof --help"},
    {2, "^cuprof: --trace needs a value \\(see --help\\)$", "tools/cuprof --trace"},
    {2, "^cuprof：没有给出程序（见 --help）$", "COURSE_LANG=zh tools/cuprof"},
    {0, "^  -h, --help            这段文字$", "COURSE_LANG=zh tools/cuprof --help"},
};

START_TEST(a_command) { command_holds(&cases[_i]); }
END_TEST

/* Status 2, one line, and nothing has run. */
static const char *const refused[] = {
    "--nosuch", "--sort-by speed", "--row-limit x", "--trace $out", "--html $out/no/page", "-o $out/no/file", "",
};

START_TEST(bad_use)
{
    char command[256];
    CommandResult *r = calloc(1, sizeof *r);
    snprintf(command, sizeof command, "tools/cuprof %s%s", refused[_i], *refused[_i] ? " $out/program" : "");
    command_run(command, r);
    ck_assert_msg(r->status == 2, "%s: status %d", command, r->status);
    ck_assert_str_eq(r->out, "");
    ck_assert_msg(strncmp(r->err, "cuprof: ", 8) == 0 && strchr(r->err, '\n') == strrchr(r->err, '\n'), "%s: %s",
                  command, r->err);
    free(r);
}
END_TEST

/* ---- counts ---- */

START_TEST(counts)
{
    command_succeeds("tools/cuprof --table --csv -o $out/table.csv $out/program >/dev/null 2>&1; [ $? = 9 ]");
    ck_assert_int_eq(calls("cudaLaunchKernel", "table.csv"), KERNELS);
    ck_assert_int_eq(calls("work(float*)", "table.csv"), KERNELS);
    ck_assert_int_eq(calls("Memcpy DtoH", "table.csv"), COPIES);
    ck_assert_int_eq(calls("cudaMalloc", "table.csv"), 1); /* the first call of all */
}
END_TEST

/* Its children are profiled too; several processes make one report. */
START_TEST(two_processes)
{
    command_succeeds(
        "tools/cuprof --table --csv -o $out/two.csv sh -c '$out/program; $out/program' >/dev/null 2>&1; [ $? = 9 ]");
    ck_assert_int_eq(calls("work(float*)", "two.csv"), 2 * KERNELS);
}
END_TEST

/* ---- a program that does not end well leaves what it had done ---- */

static const struct {
    const char *how;
    int signal;
} ends[] = {{"segv", SIGSEGV}, {"abort", SIGABRT}, {"kill", SIGKILL}};

START_TEST(ends_badly)
{
    char command[256];
    CommandResult *r = calloc(1, sizeof *r);
    snprintf(command, sizeof command, "ulimit -c 0; tools/cuprof --table --csv -o $out/end.csv $out/program %s",
             ends[_i].how);
    command_run(command, r);
    ck_assert_int_eq(r->status, 128 + ends[_i].signal);
    ck_assert_str_eq(r->out, "out\n");
    ck_assert_int_eq(calls("work(float*)", "end.csv"), KERNELS);
    free(r);
}
END_TEST

/* Waits up to a minute until the file has some text. */
static void wait_for_text(const char *path)
{
    for (int i = 0; i < 600; i++) {
        FILE *f = fopen(path, "r");
        int c = f ? getc(f) : EOF;
        if (f)
            fclose(f);
        if (c != EOF)
            return;
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    }
    ck_abort_msg("%s is still empty", path);
}

static const int interrupts[] = {SIGTERM, SIGINT};

START_TEST(is_interrupted)
{
    char file[64], csv[64];
    snprintf(file, sizeof file, "%s/interrupted%d", out, _i);
    snprintf(csv, sizeof csv, "%s/int.csv", out);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char program[64];
        snprintf(program, sizeof program, "%s/program", out);
        if (!freopen(file, "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(126);
        execl("tools/cuprof", "cuprof", "--table", "--csv", "-o", csv, program, "wait", (char *)NULL);
        _exit(127);
    }
    wait_for_text(file);
    kill(child, interrupts[_i]); /* cuprof hands it on */
    int status;
    waitpid(child, &status, 0);
    /* it ends as the program did, so that a shell knows */
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == interrupts[_i], "status %#x", status);
    ck_assert_int_eq(calls("work(float*)", "int.csv"), KERNELS);
}
END_TEST

/* Whatever became of a program, nothing stays in TMPDIR. */
START_TEST(nothing_left_behind)
{
    char path[64];
    snprintf(path, sizeof path, "%s/tmp", out);
    setenv("TMPDIR", path, 1);
    command_succeeds(
        "for how in '' segv kill; do (ulimit -c 0; tools/cuprof -o /dev/null $out/program $how) >/dev/null 2>&1; "
        "done; true");
    command_succeeds("[ -z \"$(ls -A $out/tmp)\" ]");
    unsetenv("TMPDIR");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("profiler_cuprof");
    TCase *t = tcase_create("cuprof");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, a_command, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_loop_test(t, bad_use, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(t, counts);
    tcase_add_test(t, two_processes);
    tcase_add_loop_test(t, ends_badly, 0, (int)(sizeof ends / sizeof *ends));
    tcase_add_loop_test(t, is_interrupted, 0, (int)(sizeof interrupts / sizeof *interrupts));
    tcase_add_test(t, nothing_left_behind);
    suite_add_tcase(s, t);
    return run_suite(s);
}
