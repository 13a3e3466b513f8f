/* record.h: an access as the shadow keeps it, in 64 bits: segment or epoch, atomic or not, thread, return address. */
#ifndef CHECKER_RECORD_H
#define CHECKER_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/layout.h"
#include "race/segment.h"
#include "core/tools.h"

typedef uint64_t record; // [segment or epoch: 31][atomic: 1][thread: 10][pc: 22]

#define REC_SEG(r) ((uint32_t)((r) >> 33))

#define REC_ATOMIC(r) ((int)((r) >> 32 & 1))

#define REC_THREAD(r) ((uint32_t)((r) >> 22 & 1023))

#define REC_MAKE(seg, at, thread, pc) ((record)(seg) << 33 | (record)(at) << 32 | (record)(thread) << 22 | pc_code(pc))

// A second reader is kept in 32 bits: the segment's low 22 and the thread. Its return address lies apart (shadow.h).
#define REC32_MAKE(seg, thread) ((uint32_t)(seg) << 10 | (uint32_t)(thread))

#define REC_PLACE(r) ((uint32_t)((r) & ((1u << 22) - 1)))

static inline uint32_t pc_code(void *pc)
{
    uintptr_t d = (uintptr_t)pc - check_program.text_lo;
    return d < (1u << 22) ? (uint32_t)d : 0;
}

static void *pc_of(record r)
{
    uint32_t d = REC_PLACE(r);
    return d ? (void *)(check_program.text_lo + d) : NULL;
}

// The segment of a second reader from its low 22 bits.
static uint32_t widen(uint32_t r32)
{
    uint32_t now = check_seg_next(), low = r32 >> 10;
    uint32_t s = (now & ~((1u << 22) - 1)) | low;
    return s > now ? s - (1u << 22) : s;
}

// A second reader and its place, as a record; 0: there is none.
static inline record second_record(uint32_t r32, uint32_t place)
{
    return r32 ? (record)widen(r32) << 33 | (record)(r32 & 1023) << 22 | place : 0;
}

#endif
