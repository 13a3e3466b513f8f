#include "compare.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Quiet NaNs with payloads that arithmetic does not make. */
static const uint64_t unchecked_bits = 0x7ff8c0de0c0de001ull, untouched_bits = 0x7ff8c0de0c0de002ull;

static double from_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

static int has_bits(double x, uint64_t bits)
{
    uint64_t u;
    memcpy(&u, &x, 8);
    return u == bits;
}

double lab_unchecked(void) { return from_bits(unchecked_bits); }
int lab_is_unchecked(double x) { return has_bits(x, unchecked_bits); }
double lab_untouched(void) { return from_bits(untouched_bits); }
int lab_is_untouched(double x) { return has_bits(x, untouched_bits); }

static int is_poison(const void *got, LabType t, size_t i)
{
    size_t bytes = lab_type_bytes(t);
    const unsigned char *p = (const unsigned char *)got + i * bytes;
    for (size_t k = 0; k < bytes; k++)
        if (p[k] != 0xff)
            return 0;
    /* An integer of all bits one is -1 or 255, a value like any other. */
    return t == LAB_F32 || t == LAB_BF16 || t == LAB_F16 || t == LAB_F64;
}

size_t compare(const void *got, LabType t, const double *expect, size_t count, double atol, double rtol, Mismatch *m)
{
    size_t wrong = 0, unwritten = 0, checked = 0, first = count;
    double max_error = 0;
#pragma omp parallel for reduction(+ : wrong, unwritten, checked) reduction(min : first) reduction(max : max_error)
    for (size_t i = 0; i < count; i++) {
        int poison = is_poison(got, t, i), bad = poison; /* even where NaN is right: no kernel has written it */
        if (lab_is_untouched(expect[i])) {
            bad = !poison;
        } else if (poison) {
            unwritten++;
        } else if (!lab_is_unchecked(expect[i])) {
            double g = lab_get(got, t, i), e = expect[i], diff = fabs(g - e);
            checked++;
            if (isnan(e))
                bad = !isnan(g);
            else if (isinf(e))
                bad = g != e;
            else
                bad = !(diff <= atol + rtol * fabs(e));
            if (isfinite(diff) && diff > max_error)
                max_error = diff;
        }
        if (bad) {
            wrong++;
            if (i < first)
                first = i;
        }
    }
    m->wrong = wrong;
    m->unwritten = unwritten;
    m->first_unwritten = wrong && is_poison(got, t, first);
    m->checked = checked;
    m->max_error = max_error;
    m->index = first;
    m->got = wrong ? lab_get(got, t, first) : 0;
    m->expected = wrong ? expect[first] : 0;
    return wrong;
}
