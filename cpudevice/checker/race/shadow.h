/* shadow.h: the shadow of global memory, by pages of 4 KiB.
 *
 * Every granule (4 bytes; 2 or 1 in pages where narrower accesses occur) has its last write and up to two readers. A
 * granule without a record of a write is uninitialised, so there is no further map.
 *
 *   bytes of shadow per byte of memory: 5.33 (4-byte accesses), 10.33 (2), 12.33 (1); for pages of which granules have
 *   had two readers, the second readers' places too: 1 (4-byte accesses), 2 (2) */
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

enum { LINE_WORDS = 16, LINES = 64 }; /* words of a line, lines of a page */

size_t check_shadow_bytes(void);
void check_cells_drop(uintptr_t c);
__attribute__((noinline)) uint32_t *check_places_new(uintptr_t c);
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

/* Where the second reader of a line has read, as REC_PLACE(). */
static inline uint32_t *line_place_at(uintptr_t c, unsigned off)
{
    return (uint32_t *)(line_at(c, 0) + LINES) + off / 64;
}

/* The same of all granules of the page; NULL: none has had two readers. */
static inline uint32_t **places_at(uintptr_t c) { return (uint32_t **)line_place_at(c, 4096); }

/* Under the line's lock: granule i of a page with cells c has a second reader. Of single bytes no place is kept. */
static inline void second_set(uintptr_t c, unsigned i, uint32_t reader, uint32_t place)
{
    second_at(c)[i] = reader;
    if ((c & 3) == MODE_BYTE)
        return;
    uint32_t *places = __atomic_load_n(places_at(c), __ATOMIC_ACQUIRE);
    if (unlikely(!places))
        places = check_places_new(c);
    places[i] = place;
}

static inline void second_put(uintptr_t c, unsigned i, record x)
{
    second_set(c, i, REC32_MAKE(REC_SEG(x), REC_THREAD(x)), REC_PLACE(x));
}

static inline uint32_t second_place(uintptr_t c, unsigned i)
{
    const uint32_t *places = __atomic_load_n(places_at(c), __ATOMIC_ACQUIRE);
    return places && (c & 3) != MODE_BYTE ? places[i] : 0;
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
