#include "compiler.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { BUILD_CPU_S = 30, BUILD_WALL_S = 120 };
#define MEGABYTE ((size_t)1 << 20)
/* What cucc keeps of cuda_runtime.h. */
static const char *const headers[] = {"build/cpu/precompiled", "build/cpu/preprocessed"};
enum { HEADERS = sizeof headers / sizeof headers[0] };

/* A variable of ours, if it is set. */
static void pass_on(Sandbox *s, const char *name)
{
    const char *value = getenv(name);
    char *set = value ? text("%s=%s", name, value) : NULL;
    if (set)
        list_add(&s->set, set);
    free(set);
}

static void add_path(const Grading *g, List *l, const char *in_course)
{
    char *path = text("%s/%s", g->root, in_course);
    list_add(l, path);
    free(path);
}

/* What the compiler needs: nothing that a solution was built into. */
static void see_compiler(const Grading *g, Sandbox *s)
{
    static const char *const needed[] = {"common",
                                         "cpudevice/cucc",
                                         "cpudevice/include",
                                         "cpudevice/toolkit/bin",
                                         "build/cpu/cucc-driver",
                                         "build/cpu/cucc-compile",
                                         "build/cpu/libcourse.a",
                                         "build/cpu/libcudacpu_check.a"};
    static const char *const answers[] = {"build/cpu/cucc-gathers", "build/cpu/cucc-cxx"}; /* those that are kept */
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        add_path(g, &s->readable, needed[i]);
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (file_exists(answers[i]))
            add_path(g, &s->readable, answers[i]);
    for (size_t i = 0; i < HEADERS; i++)
        if (file_exists(headers[i]))
            add_path(g, &s->readable, headers[i]);
}

Sandbox compiler_sandbox(const Grading *g)
{
    Sandbox s = {.cpu_s = BUILD_CPU_S,
                 .wall_s = BUILD_WALL_S,
                 .memory_bytes = 2048 * MEGABYTE,
                 .file_bytes = 64 * MEGABYTE,
                 .tmp_bytes = 128 * MEGABYTE,
                 .output_bytes = MEGABYTE / 4,
                 .unsafe = g->unsafe,
                 .groups = g->groups,
                 .folder = copy(g->root)};
    pass_on(&s, "CUCC_CC"), pass_on(&s, "CUCC_CXX");
    /* prepare() in main.c has built it; a file that changes later starts nothing here */
    list_add(&s.set, "CUCC_BUILDS=no");
    see_compiler(g, &s);
    return s;
}

/* An empty program, by the same compiler in the same place, for which alone what is kept holds. */
void compiler_prepare(const Grading *g)
{
    for (size_t i = 0; i < HEADERS; i++)
        mkdir(headers[i], 0777);
    Sandbox s = compiler_sandbox(g);
    static const char script[] = "o=$(mktemp) && " COMPILE_ANSWER "-x cu /dev/null -o \"$o\"; rm -f \"$o\"";
    const char *words[] = {"/bin/sh", "-c", script};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        list_add(&s.command, words[i]);
    list_add(&s.set, "CUCC_PCH=1");
    for (size_t i = 0; i < HEADERS; i++)
        add_path(g, &s.writable, headers[i]);
    sandbox_run(&s);
    sandbox_free(&s);
}
