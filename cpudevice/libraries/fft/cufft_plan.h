/* cufft_plan.h: what the parts of cuFFT share: plans, and their transforms on a stream. */
#ifndef CUFFT_PLAN_H
#define CUFFT_PLAN_H

#include <stdbool.h>

#include "cufft.h"

enum { MOST_RANK = 3 };
typedef struct fftw fftw;

/* The six kinds of transforms. A complex one takes its direction from the caller; a real one has one direction. */
#define CUFFT_KINDS(COMPLEX, REAL)                                                                                     \
    COMPLEX(C2C, cufftComplex)                                                                                         \
    COMPLEX(Z2Z, cufftDoubleComplex)                                                                                   \
    REAL(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)                                                                  \
    REAL(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)                                                      \
    REAL(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)                                                                  \
    REAL(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)

/* One side of a transform, in elements. */
typedef struct side {
    int embed[MOST_RANK], stride, dist;
    bool given; /* else as the elements lie without gaps */
} side;

typedef struct plan {
    bool made;
    cufftType type;
    int rank, n[MOST_RANK], batch;
    side in, out;
    cudaStream_t stream;
    void *of[2][2]; /* FFTW's: [inverse][in place] */
    const fftw *with;
} plan;

static inline bool is_double(cufftType type) { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
static inline bool from_real(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
static inline bool to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }

plan *cufft_plan_of(cufftHandle handle); /* NULL: there is none */

/* From the first byte of one side, the input or the output, to its last element's end. */
size_t cufft_bytes(const plan *p, bool out, bool in_place);

/* Puts the transform on the plan's stream, as a kernel of this name. CUFFT_INVALID_TYPE: the plan has another type. */
cufftResult cufft_execute(cufftHandle handle, cufftType type, const char *name, void *in, void *out, int direction);

#endif
