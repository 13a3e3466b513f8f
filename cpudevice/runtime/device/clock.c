/* clock.c: the clocks, and the numbers by which the system knows threads. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "device/clock.h"
#include "cpudevice.h"

uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool counter_trusted; /* by the system, for its own clock */

void find_clock(void)
{
#ifdef __x86_64__
    char source[16] = "";
    FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (f) {
        counter_trusted = fgets(source, sizeof source, f) && !strncmp(source, "tsc", 3);
        fclose(f);
    }
#endif
}

bool ticks_are_ns(void) { return !counter_trusted; }

uint64_t now_ticks(void)
{
#ifdef __x86_64__
    if (counter_trusted)
        return __builtin_ia32_rdtsc();
#endif

    return now_ns();
}

uint32_t os_thread_id(void)
{
    static __thread uint32_t id;
    if (!id)
        id = (uint32_t)syscall(SYS_gettid);
    return id;
}

uint64_t cpudev_globaltimer(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
