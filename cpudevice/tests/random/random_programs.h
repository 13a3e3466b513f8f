/* random_programs.h: what tests with random programs share: chance, and the compiling, running and clearing up.
 *
 * Each test has a number of programs, so that it says the same however fast the machine is. RANDOM_KERNELS_SECONDS asks for
 * more, until that time has passed (a third of it here); RANDOM_KERNELS_SEED sets the first seed, as for random_kernels_test.
 * A program that is wrong is left in its folder. */
#ifndef RANDOM_PROGRAMS_H
#define RANDOM_PROGRAMS_H

#include <check.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "suite.h"

#ifdef COMPILER /* the test's own */
#elif defined LAB_CPU
#define COMPILER "cpudevice/cucc -O3"
#else
#define COMPILER "nvcc -w"
#endif
enum { KERNELS = 20 /* of a program */ };

typedef struct {
    unsigned long state;
} Chance;

static inline void chance_begin(Chance *c, unsigned long seed, int kernel)
{
    c->state = (seed * 1000 + (unsigned long)kernel) * 2862933555777941757ul + 3037000493ul;
}

static inline unsigned any(Chance *c, unsigned n) /* below n */
{
    c->state = c->state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(c->state >> 33) % n;
}

static inline bool one_in(Chance *c, unsigned n) { return any(c, n) == 0; }

static inline const char *one_of(Chance *c, const char *const *words)
{
    unsigned n = 0;
    while (words[n])
        n++;
    return words[any(c, n)];
}

static inline int random_run(const char *format, ...)
{
    char command[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What the environment sets: how long at least, and from which seed. */
static inline int random_seconds(void)
{
    const char *seconds = getenv("RANDOM_KERNELS_SECONDS");
    return seconds ? atoi(seconds) : 0;
}
static inline unsigned long random_seed(void)
{
    const char *from = getenv("RANDOM_KERNELS_SEED");
    return !from ? 1 : !strcmp(from, "new") ? (unsigned long)time(NULL) : strtoul(from, NULL, 10);
}

/* So many programs, and more as long as there is time. A program is `head`, and of each kernel what print() writes: with a function testN() that returns 0 if it is right. */
static inline void random_programs(unsigned long least, const char *what, const char *folder, const char *head,
                                   void (*print)(FILE *out, int number, unsigned long seed))
{
    time_t end = time(NULL) + random_seconds() / 3;
    unsigned long first = random_seed(), seed = first;
    printf("random %s from seed %lu\n", what, first);
    fflush(stdout);
    mkdir("build", 0777);
    mkdir(folder, 0777);
    do {
        char path[64], source[80];
        snprintf(path, sizeof path, "%s/seed%lu", folder, seed);
        snprintf(source, sizeof source, "%s.cu", path);
        FILE *out = fopen(source, "w");
        ck_assert_ptr_nonnull(out);
        fputs(head, out);
        for (int k = 0; k < KERNELS; k++)
            print(out, k, seed);
        fprintf(out, "int main()\n{\n    int wrong = 0;\n");
        for (int k = 0; k < KERNELS; k++)
            fprintf(out, "    wrong |= test%d();\n", k);
        fprintf(out, "    return wrong;\n}\n");
        fclose(out);
        ck_assert_msg(random_run(COMPILER " -std=c++17 -w -o %s %s >%s.log 2>&1", path, source, path) == 0,
                      "%s does not compile: %s.log", source, path);
        ck_assert_msg(random_run("CUDA_CPU_WATCHDOG=20 timeout 120 %s >%s.log 2>&1", path, path) == 0,
                      "%s is wrong: %s.log", source, path);
        random_run("rm -f %s %s.cu %s.log", path, path, path);
        seed++;
    } while (time(NULL) < end || seed < first + least);
    printf("%lu random %s are right\n", (seed - first) * KERNELS, what);
}

static inline int random_suite(const char *what, void (*add)(TCase *))
{
    Suite *s = suite_create(what);
    TCase *t = tcase_create(what);
    tcase_set_timeout(t, TEST_SECONDS);
    add(t);
    suite_add_tcase(s, t);
    return run_suite(s);
}

#endif
