/* conformance_test.c: every case of cpudevice/tests/conformance, in each way to run a kernel: on the CPU device as loops, on
 * fibers and under cucc --check (which must find nothing), on a GPU by nvcc. The programs, one per theme and way, are built
 * first; a case that stands alone, is expected to be refused, or whose theme does not compile, is built by its own name.
 *
 * cpudevice/tests/conformance/expected_failures lists what is known to fail, "THEME/NAME: WAY ..." a line, with the word refused
 * where it does not compile. A case on the list that passes is an error: its line has to go. */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#ifdef LAB_CPU
#define PROGRAMS "build/cpu/conformance"
#define MAKE "make $([ -e Makefile ] || echo -f cpudevice/Makefile) -s --no-print-directory DEVICE=cpu" /* or alone */
static const char *const ways[] = {"loops", "fibers", "check"};
#else
#define PROGRAMS "build/cuda/conformance"
#define MAKE "make -s --no-print-directory DEVICE=cuda"
static const char *const ways[] = {"nvcc"};
#endif
enum { WAYS = sizeof ways / sizeof *ways, LINE = 512 };
#define FOLDER "cpudevice/tests/conformance/"

static glob_t files, themes;

/* "THEME/NAME" of a file. */
static void case_name(char *name, const char *file)
{
    snprintf(name, LINE, "%s", file + strlen(FOLDER));
    name[strlen(name) - strlen(".cu")] = 0;
}

/* The line of the file that begins with this (or, if whole, is equal to it), or NULL. */
static const char *find_line(const char *path, const char *beginning, char line[LINE])
{
    FILE *f = fopen(path, "r");
    const char *found = NULL;
    while (f && !found && fgets(line, LINE, f))
        if (!strncmp(line, beginning, strlen(beginning)))
            found = line;
    if (f)
        fclose(f);
    return found;
}

static int has_word(const char *line, const char *word)
{
    char copy[LINE];
    snprintf(copy, sizeof copy, "%s", line);
    for (char *w = strtok(copy, " \n"); w; w = strtok(NULL, " \n"))
        if (!strcmp(w, word))
            return 1;
    return 0;
}

/* Runs a command and keeps the beginning of what it prints. Returns 1 if it exits with 0. */
static int run(const char *command, char *output, size_t size)
{
    FILE *f = popen(command, "r");
    ck_assert_msg(f != NULL, "cannot run %s", command);
    size_t n = fread(output, 1, size - 1, f);
    output[n] = 0;
    char rest[4096];
    while (fread(rest, 1, sizeof rest, f) > 0)
        ;
    int status = pclose(f);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

START_TEST(case_is_right)
{
    const char *file = files.gl_pathv[_i / WAYS], *way = ways[_i % WAYS];
    char name[LINE], key[LINE + 1], line[LINE], group[2 * LINE], command[6 * LINE], output[4096];
    case_name(name, file);
    snprintf(key, sizeof key, "%s:", name);
    const char *listed = find_line(FOLDER "expected_failures", key, line);
    int expected = listed && has_word(listed, way), alone = listed && has_word(listed, "refused");
    char marker[LINE];
    alone |= find_line(file, "// alone", marker) != NULL;
    snprintf(group, sizeof group, PROGRAMS "/%s/%.*s.group", way, (int)(strchr(name, '/') - name), name);
    int right = 1;
    if (alone || access(group, X_OK) != 0) {
        snprintf(command, sizeof command, MAKE " " PROGRAMS "/%s/%s 2>&1", way, name);
        right = run(command, output, sizeof output);
        snprintf(group, sizeof group, PROGRAMS "/%s/%s", way, name);
    }
    if (right) {
        snprintf(command, sizeof command, "ulimit -t 60; CUDA_CPU_WATCHDOG=10 timeout 3600 %s %s 2>&1", group, name);
        right = run(command, output, sizeof output);
    }
    if (!right && !VOLATILE_IS_SEEN && strstr(output, "racecheck: race") && strstr(output, "volatile")) {
        test_skip("%s, %s: this compiler does not tell which accesses are volatile", file, way);
        return;
    }
    ck_assert_msg(!right || !expected, "%s, %s: it is right now; take it from " FOLDER "expected_failures", file, way);
    ck_assert_msg(right || expected, "%s, %s: %s", file, way, output);
}
END_TEST

/* The cases of a theme build as one program: a name of one case must not change what another one means. */
START_TEST(theme_is_one_program)
{
    const char *folder = themes.gl_pathv[_i / WAYS];
    char group[2 * LINE], theme[LINE];
    snprintf(theme, sizeof theme, "%s", folder + strlen(FOLDER));
    theme[strcspn(theme, "/")] = 0;
    snprintf(group, sizeof group, PROGRAMS "/%s/%s.group", ways[_i % WAYS], theme);
    ck_assert_msg(access(group, X_OK) == 0, "it does not build; `make %s` says why", group);
}
END_TEST

/* The list names cases that there are. */
START_TEST(expected_failures_exist)
{
    FILE *f = fopen(FOLDER "expected_failures", "r");
    char line[LINE], path[2 * LINE];
    while (f && fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        char *colon = strchr(line, ':');
        ck_assert_msg(colon != NULL, "expected_failures: not \"THEME/NAME: WAY ...\": %s", line);
        snprintf(path, sizeof path, FOLDER "%.*s.cu", (int)(colon - line), line);
        ck_assert_msg(access(path, R_OK) == 0, "expected_failures: there is no %s", path);
    }
    if (f)
        fclose(f);
}
END_TEST

/* All that compile; what does not, its cases tell. */
static void build_themes(void)
{
    char command[LINE];
    snprintf(command, sizeof command, MAKE " -k -j%ld conformance >/dev/null 2>&1", sysconf(_SC_NPROCESSORS_ONLN));
    if (system(command) == -1)
        perror("conformance_test: make");
}

int main(void)
{
    if (glob(FOLDER "*/*.cu", 0, NULL, &files) != 0) {
        fprintf(stderr, "conformance_test: no cases in " FOLDER "\n");
        return 2;
    }
    glob(FOLDER "*/", GLOB_ONLYDIR, NULL, &themes);
    build_themes();
    Suite *s = suite_create("conformance");
    TCase *cases = tcase_create("cases"), *list = tcase_create("list"), *whole = tcase_create("themes");
    tcase_set_timeout(cases, TEST_SECONDS);
    tcase_add_loop_test(cases, case_is_right, 0, (int)files.gl_pathc * WAYS);
    tcase_add_test(list, expected_failures_exist);
    suite_add_tcase(s, cases);
    tcase_add_loop_test(whole, theme_is_one_program, 0, (int)themes.gl_pathc * WAYS);
    suite_add_tcase(s, list);
    suite_add_tcase(s, whole);
    int status = run_suite(s);
    globfree(&files);
    globfree(&themes);
    return status;
}
