/* memcheck.h: what is wrong with an access by itself: bounds, alignment, memory that nothing has written. */
#ifndef CHECKER_MEMCHECK_H
#define CHECKER_MEMCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/worker.h"

void check_vtable_made(uintptr_t v);

void check_report_uninit(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc, int shared);
void check_unset_read(worker *w, const record *cell, uintptr_t a, unsigned bytes, int flags, void *pc);
void check_unset_copied(worker *w, const record *cell); // an asynchronous copy fills it
void check_unset_settle(worker *w);
__attribute__((noinline)) int check_never_written(const check_alloc *al, uintptr_t a, unsigned bytes);
size_t check_uninitialised(const void *ptr, size_t bytes, size_t *first);
void check_copy_init(void *dst, const void *src, size_t bytes);
void check_range_initialised(worker *w, uintptr_t a, size_t bytes, size_t align, void *pc);
void check_peer_memory(worker *w, const check_alloc *al, uintptr_t a, unsigned bytes, int flags, void *pc);
void check_out_of_bounds_heap(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);
void check_out_of_bounds_shared(worker *w, struct check_area *ar, uintptr_t a, unsigned bytes, int flags, void *pc);
int check_misaligned(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);
void check_note_vtables(const void *p, size_t bytes); // the host is about to hand this to the device
void check_vtable_read(uintptr_t a, void *pc);
/* `name` of thread `owner`; NULL: not known. */
__attribute__((noinline)) void check_local_of_another(unsigned bytes, int flags, void *pc, const char *name, int owner);
__attribute__((noinline)) void check_stack_access(worker *w, uintptr_t a, size_t bytes, int flags, void *pc);
void check_ub_report(worker *w);
void check_ub_settle(worker *w, uintptr_t a, unsigned bytes);

#endif
