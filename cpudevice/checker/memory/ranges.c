/* ranges.c: accesses to more than a word: structs, memcpy and its like, objects with virtual functions. */
#define _GNU_SOURCE
#include <string.h>

#include "core/access.h"
#include "memory/area.h"
#include "memory/memcheck.h"
#include "memory/kernel_memory.h"
#include "core/tools.h"
#include "core/worker.h"

/* What nvcc's instructions access at once of a range: four bytes, unless size and address allow more. */
static unsigned piece_of(uintptr_t a, size_t bytes)
{
    return bytes % 16 == 0 && bytes > 16 && a % 16 == 0 ? 16
           : bytes % 4 == 0 && a % 4 == 0               ? 4
           : bytes % 2 == 0 && a % 2 == 0               ? 2
                                                        : 1;
}

static void access_range(uintptr_t a, size_t bytes, int flags, void *pc)
{
    if (!bytes)
        return; // memcpy(d, s, 0)
    if (check_tools & TOOL_COUNTERS && check_self.in_kernel && !(check_tools & ~TOOL_COUNTERS)) {
        const unsigned piece = piece_of(a, bytes);
        for (size_t i = 0; i < bytes; i += piece)
            check_access(a + i, piece, flags | A_RANGE, (char *)pc + (i / piece & 15));
        return;
    }
    if (check_self.in_kernel && a - check_self.args.lo < check_self.args.bytes)
        return;
    if (check_self.in_kernel && a - check_self.stack.lo < check_self.stack.bytes) {
        check_stack_access(&check_self, a, bytes, flags, pc);
        return;
    }
    if (check_self.in_kernel && !(flags & A_WRITE) && (check_is_heap((void *)a) || is_shared(&check_self, a))) {
        check_range_initialised(&check_self, a, bytes, bytes % 8 ? 4 : bytes % 16 ? 8 : 16, pc);
        flags |= A_PADDED;
    }
    if (check_tools & TOOL_COUNTERS && check_self.in_kernel) { // counts do not depend on the tools beside them
        check_self.range_piece = piece_of(a, bytes);
        flags |= A_PIECES;
    }
    while (bytes) {
        unsigned n = bytes > 64 ? 64 : (unsigned)bytes;
        if ((a & 4095) + n > 4096)
            n = (unsigned)(4096 - (a & 4095));
        check_access(a, n, flags | A_RANGE, pc);
        a += n;
        bytes -= n;
    }
}

void __tsan_read_range(void *a, unsigned long n) { access_range((uintptr_t)a, n, 0, CALLER); }

void __tsan_write_range(void *a, unsigned long n) { access_range((uintptr_t)a, n, A_WRITE, CALLER); }

void __tsan_init(void) {}

void __tsan_func_entry(void *pc) { (void)pc; }

void __tsan_func_exit(void) {}

void *cpudev_check_memcpy(void *restrict d, const void *restrict s, size_t n)
{
    access_range((uintptr_t)s, n, 0, CALLER);
    access_range((uintptr_t)d, n, A_WRITE, CALLER);
    return memcpy(d, s, n);
}

void *cpudev_check_memmove(void *d, const void *s, size_t n)
{
    access_range((uintptr_t)s, n, 0, CALLER);
    access_range((uintptr_t)d, n, A_WRITE, CALLER);
    return memmove(d, s, n);
}

void *cpudev_check_memset(void *d, int c, size_t n)
{
    access_range((uintptr_t)d, n, A_WRITE, CALLER);
    return memset(d, c, n);
}

/* What clang from 16 on puts in the place of a struct's copy. */
void *__tsan_memcpy(void *, const void *, size_t) __attribute__((alias("cpudev_check_memcpy")));
void *__tsan_memmove(void *, const void *, size_t) __attribute__((alias("cpudev_check_memmove")));
void *__tsan_memset(void *, int, size_t) __attribute__((alias("cpudev_check_memset")));

void check_touch_at(const void *p, size_t bytes, void *pc) { access_range((uintptr_t)p, bytes, 0, pc); }

void __tsan_vptr_update(void **p, void *v)
{
    if (check_self.in_kernel || check_is_heap(p))
        check_vtable_made((uintptr_t)v);
    check_access((uintptr_t)p, 8, A_WRITE, CALLER);
}

void __tsan_vptr_read(void **p) { check_access((uintptr_t)p, 8, 0, CALLER); }
