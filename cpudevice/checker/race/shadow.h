/* shadow.h: the shadow of global memory, by pages of 4 KiB.
 *
 * Every granule (4 bytes; 2 or 1 in pages where narrower accesses occur) has its last write and up to two readers. A
 * granule without a record of a write is uninitialised, so there is no further map.
 *
 *   bytes of shadow per byte of memory: 5.25 (4-byte accesses), 10.25 (2), 12.25 (1) */
#ifndef CHECKER_SHADOW_H
#define CHECKER_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "memory/kernel_memory.h"
#include "race/record.h"

enum { MODE_WORD, MODE_HALF, MODE_BYTE };

typedef struct gcell {
    record w, r1;
} gcell;

/* Of each 64 bytes. Words that threads of one block, one behind the other, have read as a row: the first one's record
 * represents all 16, and so does the second reader. `state` is 0, or four times the floor below which all of them are
 * known to have been written; with the line's lock in its lowest bit, and LINE_SHARED. Whoever writes settles the line
 * first. (In pages of narrower accesses only its lock is used.) */
typedef struct line {
    record r1;
    uint32_t second, state;
} line;

enum { LINE_WORDS = 16 };

size_t check_shadow_bytes(void);
void check_cells_drop(uintptr_t c);
__attribute__((noinline)) void check_line_settle(uintptr_t c, unsigned off);
uintptr_t check_cells_refine(page *p, int mode);
record check_last_write(uintptr_t a);

/* How many OS threads run blocks or copies at this moment. */
extern _Atomic int check_active;

/* What is on record of 64 bytes is looked at and changed under their lock, so that of two accesses at the same time the
 * later one always sees the earlier one. The lock is held for a few instructions: nothing is reported under it. */
#define LINE_LOCKED 1u

/* The readers on record are two blocks of a kernel whose blocks nothing orders: whoever writes meets one of them, so that
 * further blocks of that kernel need not be put on record, nor take the lock. */
#define LINE_SHARED 2u

#define LINE_GONE (~0u) // locked for good
bool check_line_wait(line *l);

/* False: the page has finer cells by now. */
static inline bool line_lock(line *l)
{
    if (unlikely((__atomic_fetch_or(&l->state, LINE_LOCKED, __ATOMIC_ACQUIRE) & LINE_LOCKED) != 0)) /* g++: lock bts */
        return check_line_wait(l);
    return true;
}

static inline void line_unlock(line *l) { __atomic_store_n(&l->state, l->state & ~LINE_LOCKED, __ATOMIC_RELEASE); }

static inline gcell *cells_at(uintptr_t c) { return (gcell *)(c & ~(uintptr_t)3); }

static inline uint32_t *second_at(uintptr_t c)
{
    int mode = (int)(c & 3);
    char *p = (char *)cells_at(c);
    return (uint32_t *)(p + (mode == MODE_WORD   ? 1024 * sizeof(gcell)
                             : mode == MODE_HALF ? 2048 * sizeof(gcell)
                                                 : 4096 * 8));
}

static inline line *line_at(uintptr_t c, unsigned off)
{
    size_t cells = (c & 3) == MODE_WORD   ? 1024 * (sizeof(gcell) + 4)
                   : (c & 3) == MODE_HALF ? 2048 * (sizeof(gcell) + 4)
                                          : 4096 * 12;
    return (line *)((char *)cells_at(c) + cells) + off / 64;
}

/* The page's cells, of a mode at least as fine as asked for, the line at `off` locked. */
static inline uintptr_t cells_lock(page *p, unsigned off, int mode)
{
    for (;;) {
        uintptr_t c = __atomic_load_n(&p->cells, __ATOMIC_ACQUIRE);
        if (unlikely(!c || (int)(c & 3) < mode))
            c = check_cells_refine(p, mode);
        if (likely(line_lock(line_at(c, off))))
            return c;
    }
}

/* Before a write, under the lock. */
static inline void line_settle(uintptr_t c, unsigned off)
{
    if (unlikely(line_at(c, off)->state & ~LINE_LOCKED))
        check_line_settle(c, off);
}

#endif
