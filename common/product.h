/* product.h: what the labs of a matrix product, C = A B, share: its reference and its counts. The case's shape is M N
 * K; all matrices are row-major, of any type of types.h. C-clean. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A Lab's reference(): C = A B in double, where input 0 is A, M x K, and input 1 is B, K x N. At large shapes it
 * computes the rows for which lab_sample_row() is true, and leaves the others unchecked. */
void product_cpu(LabCase *c);
/* The same of inputs a and b. With `b_by_columns`, input b is N x K: C = A B^T. */
void product_cpu_of(LabCase *c, int a, int b, int b_by_columns);
/* A Lab's flops(): a multiplication and an addition for each of M N K. */
double product_flops(const LabCase *c);
/* A Lab's bytes(): A (input 0), B (input 1) and C once each. */
double product_bytes(const LabCase *c);

#ifdef __cplusplus
}
#endif
#endif
