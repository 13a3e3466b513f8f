/* meeting.c: makes the two blocks of meeting.cu wait for each other. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static uintptr_t row;
static int expected, launch;
static atomic_int in_bulk, at_the_row, met;

void meeting_expected(const void *r, int blocks);
int meeting_met(void);
unsigned long *cpudev_region_addresses(void);
int __real_cpudev_region_plain(void *region);
int __wrap_cpudev_region_plain(void *region);

/* Before each launch. */
void meeting_expected(const void *r, int blocks)
{
    row = (uintptr_t)r;
    expected = blocks;
    launch++;
    in_bulk = at_the_row = met = 0;
}

int meeting_met(void) { return met; }

/* Until n are there, or five seconds have passed. */
static bool wait_for(atomic_int *count, int n)
{
    for (time_t end = time(NULL) + 5; *count < n && time(NULL) < end;)
        usleep(20);
    return *count >= n;
}

int __wrap_cpudev_region_plain(void *region)
{
    static _Thread_local int known;
    if (known != launch) { /* neither thread goes on before both run blocks in bulk */
        known = launch;
        in_bulk++;
        wait_for(&in_bulk, 2);
    }
    if (cpudev_region_addresses()[0] == row) {
        at_the_row++;
        if (wait_for(&at_the_row, expected))
            met++;
    }
    return __real_cpudev_region_plain(region);
}
