/* shadow.h: the shadow of global memory, by pages of 4 KiB.
 *
 * Every granule (4 bytes; 2 or 1 in pages where narrower accesses occur) has its last write and up to two readers. A
 * granule without a record of a write is uninitialised, so there is no further map.
 *
 *   bytes of shadow per byte of memory: 5.25 (4-byte accesses), 10 (2), 12 (1) */
#ifndef CHECKER_SHADOW_H
#define CHECKER_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"
#include "record.h"

enum { MODE_WORD, MODE_HALF, MODE_BYTE };

typedef struct gcell {
    record w, r1;
} gcell;

// 64 bytes in words that threads of one block, one behind the other, have read
// as a row: the first one's record stands for all 16, and so does the second
// reader. `clean` is the operation for which all of them are known to be written
// before it began. Whoever writes settles the line first.
typedef struct line {
    record r1;
    uint32_t second, clean;
} line;

enum { LINE_WORDS = 16 };

size_t check_shadow_bytes(void);
void check_cells_drop(uintptr_t c);
__attribute__((noinline)) void check_line_settle(uintptr_t c, unsigned which);
uintptr_t check_cells_refine(page *p, int mode);
record check_last_write(uintptr_t a);

/* How many OS threads run blocks or copies at this moment. Where there are several, an access is put on record before
 * it is looked what is on record, and by an atomic operation: of two accesses at the same time at least one sees the
 * other. */
extern _Atomic int check_active;

static inline record record_swap(record *p, record v)
{
    if (likely(__atomic_load_n((int *)&check_active, __ATOMIC_RELAXED) <= 1)) {
        record old = *p;
        *p = v;
        return old;
    }
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
}

/* As long as it is `old` that v takes the place of. */
static inline int record_claim(record *p, record old, record v)
{
    if (likely(__atomic_load_n((int *)&check_active, __ATOMIC_RELAXED) <= 1)) {
        *p = v;
        return 1;
    }
    return __atomic_compare_exchange_n(p, &old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static inline uint32_t reader_swap(uint32_t *p, uint32_t v)
{
    if (likely(__atomic_load_n((int *)&check_active, __ATOMIC_RELAXED) <= 1)) {
        uint32_t old = *p;
        *p = v;
        return old;
    }
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
}

static inline gcell *cells_at(uintptr_t c) { return (gcell *)(c & ~(uintptr_t)3); }

static inline uint32_t *second_at(uintptr_t c)
{
    int mode = (int)(c & 3);
    char *p = (char *)cells_at(c);
    return (uint32_t *)(p + (mode == MODE_WORD   ? 1024 * sizeof(gcell)
                             : mode == MODE_HALF ? 2048 * sizeof(gcell)
                                                 : 4096 * 8));
}

static inline line *lines_at(uintptr_t c) { return (line *)((char *)cells_at(c) + 1024 * (sizeof(gcell) + 4)); }

static inline void lines_settle(uintptr_t c, unsigned off, unsigned bytes)
{
    for (unsigned k = off / 64; k <= (off + bytes - 1) / 64; k++)
        if (unlikely(lines_at(c)[k].clean))
            check_line_settle(c, k);
}

#endif
