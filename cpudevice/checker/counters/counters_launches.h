/* counters_launches.h: the counts of each launch, and of each line of a kernel. */
#ifndef CHECKER_COUNTERS_LAUNCHES_H
#define CHECKER_COUNTERS_LAUNCHES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "counters/counters_sums.h"
#include "observe/observer.h"
#include "core/operation.h"

typedef struct launch {
    char name[192];
    uint32_t number, op;
    uint32_t grid[3], block[3];
    size_t dynamic_smem, static_smem;
    sums shared[KINDS], global[KINDS];
    unit_sums unit[CPUDEV_UNITS];
    uint64_t barriers, under_way;
    struct launch *next;
} launch;

enum { IN_GLOBAL, IN_SHARED, BY_UNIT };

typedef struct line_sum {
    char kernel[192];
    uintptr_t pc;
    int kind, memory; // of BY_UNIT the unit
    unsigned bytes;
    sums s;
    unit_sums unit; // BY_UNIT
    struct line_sum *next;
} line_sum;

extern launch *check_first_launch, **last_launch;
extern line_sum *check_line_sums;
// A launch's sums, locked from check_launch_begin() to check_launch_end(), and what one place of a block adds to them.
launch *check_launch_begin(check_op *op);
void check_launch_add(launch *l, uintptr_t key, int kind, int shared, unsigned bytes, const sums *s);
void check_launch_add_unit(launch *l, uintptr_t pc, int unit, const unit_sums *s);
void check_launch_end(void);
void counters_op_begin(check_op *op);
// The host has called the function of the runtime that has this name; and all of them as rows of the table by line.
void counters_call(const char *name);
void counters_calls_csv(FILE *csv);

#endif
