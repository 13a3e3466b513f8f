/* library.h: what NVIDIA's libraries for the CPU device have in common.
 *
 * A call of such a library puts one piece of work on the caller's stream: a kernel of one thread, whose body is a C
 * function. So it runs in the stream's order, is captured into graphs, and is seen by profilers as a kernel of that name.
 * The body reports to the checker which device memory it reads and writes. A CPU library, which is loaded when it is first
 * needed, does the arithmetic. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda_runtime_api.h"

enum { LIBRARY_ARGUMENTS = 720 }; /* bytes that a body may be given */

/* Puts body(arguments) on the stream, with a copy of the arguments. `name` is kept. */
cudaError_t library_launch(cudaStream_t stream, const char *name, void (*body)(const void *arguments),
                           const void *arguments, size_t bytes);

/* The same with a grid of so many blocks, which run on all cores; a body asks which one it is. */
cudaError_t library_launch_blocks(cudaStream_t stream, const char *name, int blocks,
                                  void (*body)(const void *arguments), const void *arguments, size_t bytes);
int library_block(void);

/* For a body of one block that waits for kernels on other streams: it calls the first between two looks. If what it waits for
 * never comes, the watchdog ends it, as it ends a kernel of the program. The second ends the kernel as __trap() does. */
void library_wait(void);
void library_fail(void) __attribute__((noreturn));

/* For a body: reports accesses to these bytes to the checker, where there is one; of a matrix stored by columns, of
 * elements of `size` bytes with `ld` elements from one column to the next. */
bool library_checked(void); /* is there one? */
void library_reads(const void *p, size_t bytes);
void library_writes(void *p, size_t bytes);
void library_matrix(bool writes, const void *a, size_t size, long long rows, long long columns, long long ld);

/* A CPU library that is loaded when it is first needed. */
typedef struct cpu_library {
    const char *for_whom;     /* "cuFFT" */
    const char *const *files; /* names to try, ending with NULL */
    const char *package;      /* Debian's name of it */
    void *handle;
    bool told;
} cpu_library;

bool library_load(cpu_library *l);                          /* false: it is missing, which was told on stderr */
void *library_function(cpu_library *l, const char *symbol); /* NULL: missing, which was told */

#endif
