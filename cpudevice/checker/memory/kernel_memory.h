/* kernel_memory.h: the memory that kernels may use: the checked heap, registered host memory, variables of the program. */
#ifndef CHECKER_KERNEL_MEMORY_H
#define CHECKER_KERNEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#include "core/layout.h"
#include "observe/observer.h"
#include "core/tools.h"

typedef struct check_alloc {
    uintptr_t base;
    size_t bytes;
    int kind;
    int freed;  // or NOT_YET, of a graph's: no launch has allocated it
    bool graph; // each launch of a graph allocates it anew
    uint32_t number;
    void *alloc_pc, *free_pc;
    void *caller;                       // where the function that called cudaMalloc() returns to; NULL if not known
    const char *alloc_name, *free_name; // "cudaMalloc"
} check_alloc;

// Memory that the checked heap does not hold: of cudaHostRegister; an array of malloc or new that a kernel has touched
// (`pageable`); or device memory that cuMemMap or cudaIpcOpenMemHandle has mapped (`device`).
typedef struct check_registered {
    uintptr_t p;
    size_t bytes;
    void *caller, *pages;
    bool pageable, device;
} check_registered;

typedef struct check_variable {
    const char *name;
    uintptr_t p;
    size_t bytes;
    int kind, address_known;
} check_variable; // _known: cudaGetSymbolAddress gave it out

enum { NOT_YET = 2 };

enum { CHECK_RANGE_OK, CHECK_RANGE_OVERRUN, CHECK_RANGE_FREED, CHECK_RANGE_UNKNOWN };

typedef struct page { // per 4 KiB of the heap
    uint32_t alloc;   // index + 1 into allocs
    uint16_t lo, hi;  // bytes of this page that belong to the allocation
    uintptr_t cells;  // shadow; the two low bits are the mode
} page;

// Managed memory starts with this in every word: the host may write it in ways
// that are not seen, but hardly ever this.
#define UNSET 0xa5c3b19du

#define UNSET_LIMIT ((size_t)64 << 20)

enum { NEAR = 65536 }; // bytes around an allocation that can be touched without a fault

/* The checked heap: one reserved range of addresses in which allocations lie far apart. */
extern struct check_heap {
    uintptr_t lo, top;
    size_t bytes;
    page *pages;
    check_alloc *allocs; /* sorted by base, since the heap only grows */
    uint32_t count, limit;
    pthread_mutex_t lock;
} check_heap;

extern page *check_var_pages; /* of the program's own variables */

extern bool check_pageable; /* CUDA_CPU_PAGEABLE=1: kernels may use memory that the host has from malloc */

/* The host's memory that cudaHostRegister has made the device's too, and with check_pageable what kernels use of it. */
extern struct check_registry {
    check_registered at[1024]; /* free: bytes is 0 */
    unsigned used;
    uintptr_t lo, bytes; /* all of them lie in here */
    pthread_mutex_t lock;
} check_registry;

void check_variables_init(void);

/* A __shared__ variable at file scope, which has the same place in every thread's storage. */
typedef struct check_file_shared {
    const char *name;
    size_t offset, bytes;
} check_file_shared;
const check_file_shared *check_file_shared_list(size_t *count);

void check_heap_init(void);
void *check_heap_alloc(int kind, size_t bytes);
// The allocation p lies in or next to; *offset is p - base (may be negative).
check_alloc *check_alloc_near(const void *p, long *offset);
void check_heap_again(void *p); // a graph allocates it: nothing is written there
int check_is_heap(const void *p);
int check_heap_free(int kind, void *ptr);
bool check_heap_find(const void *p, void **base, size_t *bytes);
int check_heap_kind(const void *p);
// For copies and sets at the time of the call.
int check_range(const void *p, size_t bytes, check_alloc **a, long *offset);
void check_alloc_leaks(void);
void check_heap_reset(void);
// NULL if a lies in none, or beyond its end by `slack` or more.
check_registered *check_registered_at(uintptr_t a, size_t slack);
void check_register_memory(void *p, size_t bytes, bool on, bool device);
void check_register_pageable(uintptr_t p, size_t bytes); // followed from here on, unless there are too many
void check_forget_pageable(uintptr_t p, size_t bytes);   // what lies there is gone, or has become something else
check_variable *check_variable_at(const void *ptr, size_t slack);

/* The array that a lies in or next to, as the running thread of a kernel sees it. */
typedef struct check_array {
    uintptr_t base;
    size_t bytes;
    char name[64];   // "" if it has none
    char about[256]; // "d_in: 4096 bytes, cudaMalloc at add.cu:12"
} check_array;
int check_array_at(uintptr_t a, int shared, check_array *out); // 0: there is none

static page *page_of(uintptr_t a)
{
    if (a - check_heap.lo < check_heap.bytes)
        return &check_heap.pages[(a - check_heap.lo) >> 12];
    if (a - check_program.data_lo < check_program.data_bytes)
        return &check_var_pages[(a - check_program.data_lo) >> 12];
    const check_registered *r = check_registered_at(a, 0);
    return r ? (page *)r->pages + ((a >> 12) - (r->p >> 12)) : NULL;
}

#endif
