/* segment.h: stretches of one block between two synchronisations, by number.
 *
 * Accesses of one segment by two threads are concurrent, whatever the order the fibers ran in. */
#ifndef CHECKER_SEGMENT_H
#define CHECKER_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct check_seg {
    uint32_t op;    // 0: the host
    uint32_t block; // host: the host clock
    uint32_t epoch; // of the block
    uint32_t grid;  // grid barriers passed
} check_seg;

uint32_t check_global_floor(void);
uint32_t check_seg_next(void);
uint32_t check_seg_new(check_seg s);
check_seg *check_seg_get(uint32_t id);
void check_seg_free_below(uint32_t floor);
uint32_t check_first_host_seg_after(uint32_t clock);
void check_note_host_seg(uint32_t clock, uint32_t seg);

#endif
