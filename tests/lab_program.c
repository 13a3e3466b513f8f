/* lab_program.c: a lab as a program: what it does with its command line, its shapes and its output. Small labs made up
 * here stand for the real ones; each run is a process of its own. */
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab.h"
#include "suite.h"

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

int main(void)
{
    Suite *s = suite_create("lab_program");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, command_line, 0, LAB_COUNT(lines));
    tcase_add_test(t, a_full_disk_is_a_failure);
    tcase_add_test(t, no_rung_at_all);
    suite_add_tcase(s, t);
    return run_suite(s);
}
