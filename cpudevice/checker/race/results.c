/* results.c: is the result of an atomic used?
 *
 * The section cpudev_atomics has, for each atomic of cpudev_device.h that the compiler has kept, its place in the code
 * (ALWAYS where it is the same instruction whether its result is used or not), and for each result that somebody uses
 * the place where it is taken. In the order of their addresses a used result comes after its atomic and before the
 * next. */
#include <pthread.h>
#include <stdlib.h>

#include "race/results.h"
#include "cpudev_must.h"

enum { ATOMIC, RESULT, ALWAYS };
enum { NEXT_TO = 512 }; /* bytes of code */

extern const int32_t __start_cpudev_atomics[] __attribute__((weak));
extern const int32_t __stop_cpudev_atomics[] __attribute__((weak));

typedef struct mark {
    uintptr_t at;
    int kind;
} mark;
static mark *marks;
static size_t count;

static int by_address(const void *a, const void *b)
{
    const mark *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void find_marks(void)
{
    /* cppcheck-suppress comparePointers ; the linker puts them at the ends of one section */
    size_t n = (size_t)(__stop_cpudev_atomics - __start_cpudev_atomics) / 2;
    if (!n)
        return;
    marks = must(malloc(n * sizeof *marks));
    for (size_t i = 0; i < n; i++) {
        const int32_t *m = __start_cpudev_atomics + 2 * i;
        marks[i] = (mark){(uintptr_t)m + (uintptr_t)(intptr_t)m[0], m[1]};
    }
    qsort(marks, n, sizeof *marks, by_address);
    count = n;
}

/* The atomic whose callback returns to pc: how many marks come before it; 0 if nothing is known of it. */
static size_t mark_of(uintptr_t pc)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_marks);
    size_t lo = 0, hi = count;
    while (lo < hi) {
        size_t m = (lo + hi) / 2;
        if (marks[m].at < pc)
            lo = m + 1;
        else
            hi = m;
    }
    return lo && pc - marks[lo - 1].at < NEXT_TO ? lo : 0;
}

int check_result_used(uintptr_t pc)
{
    size_t m = mark_of(pc);
    return !m || marks[m - 1].kind == RESULT || (m < count && marks[m].kind == RESULT && marks[m].at - pc < NEXT_TO);
}

int check_is_reduction(uintptr_t pc)
{
    size_t m = mark_of(pc);
    return m && marks[m - 1].kind == ATOMIC && !check_result_used(pc);
}
