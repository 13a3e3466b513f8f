/* Exercise 1.5 how fast is that? (1 point)
 *
 * effective_gbps() returns the bandwidth that a kernel reaches: the bytes that it must move, divided by its time. Each
 * of the `reads` input arrays is read once, and each of the `writes` output arrays is written once; all have n elements
 * of `element_bytes`. A GB is 10^9 bytes, and the time is in milliseconds.
 */
#include <math.h>

#include "lab.h"

static double effective_gbps(size_t n, int element_bytes, int reads, int writes, double ms)
{
    // TODO(ex05): GB/s (about 2 lines)
    return (double)n * element_bytes * reads * writes * ms;
}

static int near(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

/* For any case: what follows for the rate if one of the numbers changes. */
static int follows(const LabOptions *o)
{
    size_t n = 1000 + (size_t)(1e6 * random_uniform(o->seed, 0));
    double ms = 0.1 + random_uniform(o->seed, 1), rate = effective_gbps(n, 4, 3, 1, ms);
    return lab_claim(rate > 0 && near(effective_gbps(n, 4, 3, 1, 2 * ms), rate / 2),
                     "%d elements in %.3f ms: in twice the time, the rate is half", (int)n, ms) +
           lab_claim(near(effective_gbps(3 * n, 8, 3, 1, ms), 6 * rate),
                     "three times the elements, each twice as large, are six times the bytes") +
           lab_claim(near(effective_gbps(n, 4, 1, 3, ms), rate),
                     "an array that is written counts as many bytes as one that is read");
}

static int show(const LabOptions *o)
{
    /* y = x * x on 10000 x 10000 floats in 0.2 ms; z = x + y on 2^28 floats in 1 ms; GELU in bf16; a fill */
    return lab_claim(near(effective_gbps(100000000, 4, 1, 1, 0.2), 4000),
                     "square: 800 MB in 0.2 ms are 4000 GB/s, not %g", effective_gbps(100000000, 4, 1, 1, 0.2)) +
           lab_claim(near(effective_gbps(1u << 28, 4, 2, 1, 1), 3221.225472),
                     "add: 3 * 2^30 bytes in 1 ms, not %g GB/s", effective_gbps(1u << 28, 4, 2, 1, 1)) +
           lab_claim(near(effective_gbps(1000000, 2, 1, 1, 0.001), 4000), "bf16: 4 MB in a microsecond") +
           lab_claim(near(effective_gbps(3000000000u, 4, 0, 1, 3), 4000),
                     "a fill of 3 * 10^9 floats: the number of bytes does not fit in 32 bits") +
           follows(o);
}

static const Lab ex05 = {.order = 5, .name = "ex05_bandwidth", .title = "how fast is that?", .show = show};
LAB_MAIN(ex05)
