/* random_programs.h: what tests with random programs share: chance, and the compiling, running and clearing up.
 *
 * RANDOM_KERNELS_SECONDS bounds the time (a third of it is taken, 20 s by default), RANDOM_KERNELS_SEED sets the first seed,
 * as for random_kernels_test. A program that is wrong is left in its folder. */
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

#ifdef LAB_CPU
#define COMPILER "cpudevice/cucc -O3"
#else
#define COMPILER "nvcc -w"
#endif
enum { KERNELS = 20, LEAST = 4 /* programs, however long they take */ };

typedef struct {
    unsigned long state;
} Chance;

static void chance_begin(Chance *c, unsigned long seed, int kernel)
{
    c->state = (seed * 1000 + (unsigned long)kernel) * 2862933555777941757ul + 3037000493ul;
}

static unsigned any(Chance *c, unsigned n) /* below n */
{
    c->state = c->state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(c->state >> 33) % n;
}

static bool one_in(Chance *c, unsigned n) { return any(c, n) == 0; }

static const char *one_of(Chance *c, const char *const *words)
{
    unsigned n = 0;
    while (words[n])
        n++;
    return words[any(c, n)];
}

static int random_run(const char *format, ...)
{
    char command[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* print: KERNELS kernels of this seed, and a main() that returns 0 if all are right */
static void random_programs(const char *what, const char *folder, void (*print)(FILE *out, unsigned long seed))
{
    const char *seconds = getenv("RANDOM_KERNELS_SECONDS"), *from = getenv("RANDOM_KERNELS_SEED");
    time_t end = time(NULL) + (seconds ? atoi(seconds) : 60) / 3;
    unsigned long first = from && !strcmp(from, "new") ? (unsigned long)time(NULL)
                          : from                       ? strtoul(from, NULL, 10)
                                                       : 1,
                  seed = first;
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
        print(out, seed);
        fclose(out);
        ck_assert_msg(random_run(COMPILER " -std=c++17 -w -o %s %s >%s.log 2>&1", path, source, path) == 0,
                      "%s does not compile: %s.log", source, path);
        ck_assert_msg(random_run("CUDA_CPU_WATCHDOG=20 timeout 120 %s >%s.log 2>&1", path, path) == 0,
                      "%s is wrong: %s.log", source, path);
        random_run("rm -f %s %s.cu %s.log", path, path, path);
        seed++;
    } while (time(NULL) < end || seed < first + LEAST);
    printf("%lu random %s are right\n", (seed - first) * KERNELS, what);
}

static int random_suite(const char *what, void (*add)(TCase *))
{
    Suite *s = suite_create(what);
    TCase *t = tcase_create(what);
    tcase_set_timeout(t, TEST_SECONDS);
    add(t);
    suite_add_tcase(s, t);
    return run_suite(s);
}

#endif
