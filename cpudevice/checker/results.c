/* results.c: is the result of an atomic used?
 *
 * The section cpudev_atomics has, for each atomic of cpudev_device.h that the compiler has kept, its place in the code
 * (RESULT where it has a result by its nature, as a compare-and-swap), and for each result that somebody uses the place
 * where it is taken. In the order of their addresses a used result stands behind its atomic and before the next. */
#include <stdlib.h>

#include "counters.h"

enum { ATOMIC, RESULT };

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
    size_t n = (size_t)(__stop_cpudev_atomics - __start_cpudev_atomics) / 2;
    if (marks || !n || !(marks = malloc(n * sizeof *marks)))
        return;
    for (size_t i = 0; i < n; i++) {
        const int32_t *m = __start_cpudev_atomics + 2 * i;
        marks[i] = (mark){(uintptr_t)m + (uintptr_t)(intptr_t)m[0], m[1]};
    }
    qsort(marks, n, sizeof *marks, by_address);
    count = n;
}

/* pc: the address to which the atomic's callback returns. Where nothing is known of it, its result is taken as used. */
int check_result_used(uintptr_t pc)
{
    find_marks();
    size_t lo = 0, hi = count;
    while (lo < hi) { /* the first mark behind pc */
        size_t m = (lo + hi) / 2;
        if (marks[m].at < pc)
            lo = m + 1;
        else
            hi = m;
    }
    if (!lo || pc - marks[lo - 1].at > 512)
        return 1;
    return marks[lo - 1].kind == RESULT || (lo < count && marks[lo].kind == RESULT && marks[lo].at - pc < 512);
}
