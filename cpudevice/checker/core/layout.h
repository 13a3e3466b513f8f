/* layout.h: where the checked program lies in memory. */
#ifndef CHECKER_LAYOUT_H
#define CHECKER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/mman.h>

/* Where the program itself lies in memory. */
extern struct program_layout {
    uintptr_t text_lo, text_bytes; /* its code and constants */
    uintptr_t data_lo, data_bytes; /* its variables */
    uintptr_t fixed_lo,
        fixed_bytes;             /* those among them that only the loader writes: tables of virtual functions, say */
    size_t tls_bytes, tls_align; /* its thread-local storage */
} check_program;

void *check_reserve(size_t bytes, int prot);
void *check_must_reserve(size_t bytes, int prot); // never NULL
int check_readable(const void *p);
uintptr_t check_tls_start(void);
void check_layout_init(void);

#endif
