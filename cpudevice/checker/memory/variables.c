/* variables.c: variables of the program: __device__, __constant__, __managed__, __shared__ at file scope, and static
 * ones in device functions, which are registered when a thread first reaches them, while others look variables up. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "memory/kernel_memory.h"
#include "core/layout.h"
#include "race/shadow.h"
#include "cpudev_must.h"
#include "core/lock.h"

static check_file_shared file_shared[128];

/* Sorted by address. A published table never changes; adding a variable publishes a new table. */
typedef struct {
    int count;
    check_variable *by_address[];
} variable_table;
static variable_table *_Atomic table;

check_variable *check_variable_at(const void *ptr, size_t slack)
{
    const variable_table *all = atomic_load_explicit(&table, memory_order_acquire);
    uintptr_t p = (uintptr_t)ptr;
    int lo = 0, hi = all ? all->count : 0;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (all->by_address[m]->p > p)
            hi = m;
        else
            lo = m + 1;
    }
    if (lo && p < all->by_address[lo - 1]->p + all->by_address[lo - 1]->bytes + slack)
        return all->by_address[lo - 1];
    return NULL;
}

static size_t file_shared_count;

static void add_variable(const char *name, void *p, size_t bytes, int kind)
{
    check_variables_init(); // registrars may run before the constructor of checker.c
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    check_lock(&lock);
    variable_table *old = table;
    int n = old ? old->count : 0, at = n;
    variable_table *all = malloc(sizeof *all + ((size_t)n + 1) * sizeof *all->by_address);
    check_variable *one = malloc(sizeof *one);
    if (!all || !one)
        out_of_memory();
    *one = (check_variable){name, (uintptr_t)p, bytes, kind, 0};
    while (at > 0 && old->by_address[at - 1]->p > (uintptr_t)p)
        at--;
    if (old) {
        memcpy(all->by_address, old->by_address, (size_t)at * sizeof *all->by_address);
        memcpy(all->by_address + at + 1, old->by_address + at, (size_t)(n - at) * sizeof *all->by_address);
    }
    all->by_address[at] = one;
    all->count = n + 1;
    atomic_store_explicit(&table, all, memory_order_release);
    check_unlock(&lock);
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

/* Two threads may register the same variable at the same time. */
void cpudev_check_static_var(bool *told, void *p, size_t bytes, const char *name, const char *file, int line)
{
    if (__atomic_load_n(told, __ATOMIC_ACQUIRE))
        return;
    cpudev_check_global_var(p, bytes, name, 'd', file, line);
    __atomic_store_n(told, true, __ATOMIC_RELEASE);
}

void check_variables_init(void)
{
    check_layout_init();
    if (!check_var_pages)
        check_var_pages =
            check_must_reserve((check_program.data_bytes / 4096 + 2) * sizeof(page), PROT_READ | PROT_WRITE);
}

const check_file_shared *check_file_shared_list(size_t *count)
{
    *count = file_shared_count;
    return file_shared;
}
