/* variables.c: variables of the program: __device__, __constant__, __managed__, __shared__ at file scope. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "memory.h"
#include "layout.h"
#include "shadow.h"

page *check_var_pages;

static check_file_shared file_shared[128];
check_variable *check_variables;

static int variable_count;

check_variable *check_variable_at(const void *ptr, size_t slack)
{
    uintptr_t p = (uintptr_t)ptr;
    int lo = 0, hi = variable_count;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (check_variables[m].p > p)
            hi = m;
        else
            lo = m + 1;
    }
    if (lo && p < check_variables[lo - 1].p + check_variables[lo - 1].bytes + slack)
        return &check_variables[lo - 1];
    return NULL;
}

static size_t file_shared_count;

static void add_variable(const char *name, void *p, size_t bytes, int kind)
{
    check_variables_init(); // registrars may run before the constructor of checker.c
    check_variables = realloc(check_variables, (size_t)(variable_count + 1) * sizeof *check_variables);
    int i = variable_count++;
    while (i > 0 && check_variables[i - 1].p > (uintptr_t)p) {
        check_variables[i] = check_variables[i - 1];
        i--;
    }
    check_variables[i] = (check_variable){name, (uintptr_t)p, bytes, kind, 0};
}

void cpudev_check_global_var(void *p, size_t bytes, const char *name, int kind, const char *file, int line)
{
    (void)file;
    (void)line;
    if (kind == 's') { // __shared__ at file scope: the same place in every thread's storage
        check_layout_init();
        if (file_shared_count == sizeof file_shared / sizeof *file_shared)
            return;
        file_shared[file_shared_count].name = name;
        file_shared[file_shared_count].offset = (size_t)((uintptr_t)p - check_tls_start());
        file_shared[file_shared_count++].bytes = bytes;
        return;
    }
    add_variable(name, p, bytes, kind);
}

void check_variables_init(void)
{
    check_layout_init();
    if (!check_var_pages)
        check_var_pages = check_reserve((check_program.data_bytes / 4096 + 2) * sizeof(page), PROT_READ | PROT_WRITE);
}

const check_file_shared *check_file_shared_list(size_t *count)
{
    *count = file_shared_count;
    return file_shared;
}
