/* compare.h: is the answer right? NaN never passes by accident: the test is !(diff <= tolerance). Host side. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stddef.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Mismatch {
    size_t index;        /* of the first element that is wrong */
    size_t wrong;        /* how many are */
    size_t unwritten;    /* how many of these are still the poison: nobody has written them */
    int first_unwritten; /* 1 if the first wrong one is such */
    size_t checked;
    double got, expected;
    double max_error; /* the largest |got - expected| of all finite pairs, right or wrong */
} Mismatch;

/* Compares `count` elements of `got` (host, type t) with `expect`. An element is right if both are NaN, if both
 * are the same infinity, or if |got - expect| <= atol + rtol |expect|. A float of all bits one is wrong whatever is
 * expected: it is the poison that the output was filled with, and no arithmetic makes it. An element whose expectation
 * is lab_unchecked() need only not be that, and one whose expectation is lab_untouched() must be that still. Returns
 * the number of wrong elements. */
size_t compare(const void *got, LabType t, const double *expect, size_t count, double atol, double rtol, Mismatch *m);

/* The markers for an element with no expectation and for one that nobody may write, and their tests. */
double lab_unchecked(void);
int lab_is_unchecked(double x);
double lab_untouched(void);
int lab_is_untouched(double x);

#ifdef __cplusplus
}
#endif
#endif
