/* grading_verdict.c: whose fault it is that an answer did not build or did not pass: rows of what a sandbox returned. Only
 * what the answer itself does fails it. This program is for the CPU device only. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/course/support.c"
#include "../../tools/grading/verdict.c"
#include "suite.h"

#define ENDED "the program ended before it had answered\n"
#define WRONG "N = 33: element 1 was never written\n"
#define CLEAN NOTHING_FOUND "(memcheck 0)\n"
#define CLOCK "it took longer than allowed"
#define TIME "it used more CPU time than allowed"
#define MEMORY "it used more memory than allowed"

static const char *const blames[] = {"nobody", "answer", "perhaps", "machine"};

/* ---- the compiler ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *err, *stopped;
    int status;
    Blame blame;
} builds[] = {
    {"an_error_in_the_answer", "ex01.cu:12:5: error: 'a' was not declared\n", NULL, 1, ANSWER},
    {"in_a_folder", "box/ex01.cu:12:5: error: 'a' was not declared\n", NULL, 1, ANSWER},
    {"behind_other_lines", "In file included from lab.h:3,\nex01.cu:12:5: error: no\n", NULL, 1, ANSWER},
    {"templates_without_end", "ex01.cu:9:2: fatal error: template instantiation depth exceeds 900\n", NULL, 1, ANSWER},
    {"not_linked", "ld: ex01.o: in function `run':\nex01.cu:30: undefined reference to `f()'\n", NULL, 1, ANSWER},
    {"defined_twice",
     "libcuda.a(e.o): in function `f':\n/r/e.c:21: multiple definition of `f'; ex01.o:ex01.cu:7: first defined "
     "here\n",
     NULL, 1, ANSWER},
    {"the_library_defined_twice", "/r/e.c:21: multiple definition of `f'; d.o:/r/d.c:7: first defined here\n", NULL, 1,
     MACHINE},
    {"nested_too_deeply", "cucc: error: it is nested so deeply that it is not compiled\n", NULL, 1, ANSWER},
    {"a_warning_and_no_program", "ex01.cu:12:5: warning: unused\n", NULL, 1, MACHINE},
    {"an_error_in_the_library", "lab.h:12:5: error: no such thing\n", NULL, 1, MACHINE},
    {"a_file_named_alike", "myex01.cu:12:5: error: no such thing\n", NULL, 1, MACHINE},
    {"a_note_without_a_line", "ex01.cu: error: cannot be read\n", NULL, 1, MACHINE},
    {"a_disk_that_is_full", "ex01.cu:12:5: error: x\ncc1plus: No space left on device\n", NULL, 1, MACHINE},
    {"no_memory", "ex01.cu:12:5: error: x\nvirtual: Cannot allocate memory\n", NULL, 1, MACHINE},
    {"no_memory_for_cc1plus", "ex01.cu:12:5: error: x\ncc1plus: out of memory allocating 65536 bytes\n", NULL, 1,
     MACHINE},
    {"a_full_disk_in_the_answers_words",
     "ex01.cu:12:5: error: static assertion failed: No space left on device\n   12 | static_assert(0, \"No space left "
     "on "
     "device\");\n",
     NULL, 1, ANSWER},
    {"no_memory_in_a_note", "ex01.cu:12:5: error: x\nex01.cu:9:1: note: Cannot allocate memory\n", NULL, 1, ANSWER},
    {"a_disk_that_is_full_at_a_line", "ex01.cu:12:5: error: x\nex01.cu:40:1: fatal error: No space left on device\n",
     NULL, 1, MACHINE},
    {"an_object_that_is_too_large",
     "g++: internal compiler error: File size limit exceeded signal terminated program as\n", NULL, 1, ANSWER},
    {"no_process", "ex01.cu:12:5: error: x\nsh: 1: Cannot fork\n", NULL, 2, MACHINE},
    {"killed_behind_an_error", "ex01.cu:12:5: error: x\n", NULL, 128 + SIGKILL, MACHINE},
    {"no_compiler", "sh: cucc: not found\n", NULL, 127, MACHINE},
    {"nothing_said", "", NULL, 1, MACHINE},
    {"by_the_clock", "", CLOCK, 124, MACHINE},
    {"by_the_clock_behind_an_error", "ex01.cu:12:5: error: x\n", CLOCK, 124, MACHINE},
    {"by_its_time", "", TIME, 124, ANSWER},
    {"by_its_memory", "", MEMORY, 124, ANSWER},
};

START_TEST(build)
{
    char err[256];
    snprintf(err, sizeof err, "%s", builds[_i].err);
    const Sandbox s = {.status = builds[_i].status, .stopped = builds[_i].stopped, .err = err};
    Blame b = blame_of_compiler(&s, "ex01.cu");
    ck_assert_msg(b == builds[_i].blame, "%s: %s, not %s", builds[_i].name, blames[b], blames[builds[_i].blame]);
}
END_TEST

/* ---- the program ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *err, *wrong, *stopped;
    int status, right;
    double cpu_s_used; /* of 7 */
    Blame blame;
} runs[] = {
    {"right", CLEAN, "", NULL, 0, 1, 1, NOBODY},
    {"right_with_further_words", CLEAN, "the median is short\n", NULL, 0, 1, 1, NOBODY},
    {"wrong", CLEAN, WRONG, NULL, 1, 0, 1, ANSWER},
    {"wrong_and_killed", "", WRONG, NULL, 128 + SIGKILL, 0, 1, ANSWER},
    {"wrong_and_ended", "", ENDED WRONG, NULL, 1, 0, 1, ANSWER},
    {"a_finding", "racecheck: two threads write y\n" CLEAN, "", NULL, 99, 1, 1, ANSWER},
    {"a_finding_behind_words", "hello\nmemcheck: out of bounds\n", ENDED, NULL, 128 + SIGKILL, 0, 1, ANSWER},
    {"a_finding_in_a_sentence", "no memcheck: here\n" CLEAN, "", NULL, 0, 1, 1, NOBODY},
    {"right_without_the_checkers_word", "", "", NULL, 0, 1, 1, MACHINE},
    {"right_with_a_status", CLEAN, "", NULL, 3, 1, 1, MACHINE},
    {"right_without_counters", CLEAN "CUDA_CPU_COUNTERS cannot be written\n", "", NULL, 0, 1, 1, MACHINE},
    {"no_thread", "libgomp: Thread creation failed: Resource temporarily unavailable\nmemcheck: leak: 4 bytes\n", ENDED,
     NULL, 1, 0, 1, MACHINE},
    {"no_thread_in_a_quotation", "memcheck: leak\n    | // libgomp: Thread creation failed: no\n", ENDED, NULL, 1, 0, 1,
     ANSWER},
    {"only_ended", "", ENDED, NULL, 1, 0, 1, MACHINE},
    {"no_memory_for_the_judge", "", "N = 33: out of memory\n", NULL, 1, 0, 1, MACHINE},
    {"killed_from_outside", "", ENDED, NULL, 128 + SIGKILL, 0, 1, MACHINE},
    {"ended_from_outside", "", ENDED, NULL, 128 + SIGTERM, 0, 1, MACHINE},
    {"killed_at_its_limit", "", ENDED, NULL, 128 + SIGKILL, 0, 7, ANSWER},
    {"crashed", "", ENDED, NULL, 128 + SIGSEGV, 0, 1, PERHAPS},
    {"divided_by_zero", "", ENDED, NULL, 128 + SIGFPE, 0, 1, PERHAPS},
    {"a_call_of_the_filter", "", ENDED, NULL, 128 + SIGSYS, 0, 1, PERHAPS},
    {"by_the_clock", "", ENDED, CLOCK, 124, 0, 1, MACHINE},
    {"by_the_clock_and_wrong", "", WRONG, CLOCK, 124, 0, 1, ANSWER},
    {"without_progress_by_the_clock", "synccheck: no progress\n", ENDED, CLOCK, 124, 0, 1, ANSWER},
    {"by_its_time", "", ENDED, TIME, 124, 0, 7, ANSWER},
    {"by_its_memory", "", ENDED, MEMORY, 124, 0, 1, ANSWER},
    {"an_error_of_the_runtime", "ex01.cu:9: k(): invalid (cudaErrorInvalidValue)\n", ENDED, NULL, 1, 0, 1, PERHAPS},
    {"the_devices_memory", "ex01.cu:9: k(): no (cudaErrorMemoryAllocation)\n", ENDED, NULL, 1, 0, 1, MACHINE},
    {"no_device", "ex01.cu:9: k(): no (cudaErrorNoDevice)\n", ENDED, NULL, 1, 0, 1, MACHINE},
};

START_TEST(run_of_an_answer)
{
    char err[256], out[] = "";
    snprintf(err, sizeof err, "%s", runs[_i].err);
    const Sandbox s = {.status = runs[_i].status,
                       .stopped = runs[_i].stopped,
                       .cpu_s = 7,
                       .cpu_s_used = runs[_i].cpu_s_used,
                       .err = err,
                       .out = out};
    Blame b = blame_of_program(&s, runs[_i].right, runs[_i].wrong);
    ck_assert_msg(b == runs[_i].blame, "%s: %s, not %s", runs[_i].name, blames[b], blames[runs[_i].blame]);
}
END_TEST

/* ---- the cause -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *err, *stopped, *cause;
    int status;
} causes[] = {
    {"first\nld: No space left on device\nlast\n", NULL, "it: ld: No space left on device", 1},
    {"", NULL, "it was ended from outside: Killed", 128 + SIGKILL},
    {"words\nmore\n", NULL, "it ended with status 3: words", 3},
    {"", NULL, "it ended with status 3", 3},
    {"In function:\ng++: fatal error: Killed signal\nmore\n", NULL,
     "it ended with status 1: g++: fatal error: Killed signal", 1},
    {"lab.h: note\nas: memory exhausted\n", NULL, "it: as: memory exhausted", 1},
    {"words\n", CLOCK, "it had 0.5 s of processor time in 120 s, and was ended", 124},
};

START_TEST(cause)
{
    char err[256];
    snprintf(err, sizeof err, "%s", causes[_i].err);
    const Sandbox s = {
        .status = causes[_i].status, .stopped = causes[_i].stopped, .err = err, .cpu_s_used = 0.5, .took_s = 120};
    char *said = cause_of(&s, "it");
    ck_assert_str_eq(said, causes[_i].cause);
    free(said);
}
END_TEST

int main(void)
{
    setenv("LC_ALL", "C", 1);
    Suite *s = suite_create("grading_verdict");
    TCase *t = tcase_create("compiler"), *p = tcase_create("program"), *c = tcase_create("cause");
    tcase_add_loop_test(t, build, 0, sizeof builds / sizeof builds[0]);
    tcase_add_loop_test(p, run_of_an_answer, 0, sizeof runs / sizeof runs[0]);
    tcase_add_loop_test(c, cause, 0, sizeof causes / sizeof causes[0]);
    suite_add_tcase(s, t), suite_add_tcase(s, p), suite_add_tcase(s, c);
    return run_suite(s);
}
