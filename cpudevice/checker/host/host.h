/* host.h: the host's own accesses, and its own arrays from malloc and new. */
#ifndef CHECKER_HOST_H
#define CHECKER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "race/shadow.h"
#include "core/worker.h"

// One byte for 16 of the address space: 0 all may be touched, 1..15 so many of
// them, else none. Blocks that the program's own malloc and new gave out end in
// some bytes that may not, and wait a while after their free.
enum { HOST_END = 0xff, HOST_FREED = 0xfe, HOST_ZONE = 16 };

#define HOST_SHADOW ((size_t)1 << 43)

extern uint8_t *check_host_shadow;
void *check_host_malloc(size_t n);
__attribute__((noinline)) void check_out_of_bounds_host(uintptr_t a, unsigned bytes, int flags, void *pc);
void check_host_block_free(void *p, void *pc);
bool check_host_block(uintptr_t a, uintptr_t *p,
                      size_t *bytes); // the program's own array that a lies in, if it is known
void check_objects_end(void);         // the copy that it was about is judged
long check_host_room(const void *p, size_t *bytes, void **freed_at); // freed_at: where it was freed, if it was
int check_host_free(void *p, void *pc, void *freed_at);
void check_host_acquire(uintptr_t a);
void check_host_looked(void); // nothing follows the host's last look
void check_host_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);
void check_result_at(void *p, size_t bytes);                               // what the runtime writes for the host
void check_touch_op(check_op *op, const void *p, size_t bytes, int write); // a copy's or set's access
void check_host_wrote_flag(void);

static inline int host_granule_bad(uintptr_t a, unsigned bytes)
{
    unsigned s = a >> 4 < HOST_SHADOW ? check_host_shadow[a >> 4] : 0;
    return unlikely(s) && (s > 15 || (a & 15) + bytes > s);
}

static inline int host_heap_bad(uintptr_t a, unsigned bytes)
{
    if (unlikely(!check_host_shadow))
        return 0;
    unsigned here = 16 - (a & 15);
    if (likely(bytes <= here))
        return host_granule_bad(a, bytes);
    if (host_granule_bad(a, here))
        return 1;
    for (unsigned i = here; i < bytes; i += 16)
        if (host_granule_bad(a + i, bytes - i < 16 ? bytes - i : 16))
            return 1;
    return 0;
}

#endif
