/* lab.h: what every lab shares, so that a lab's own file holds only its lesson.
 *
 * A lab is one .cu file: header comment, CPU reference, kernels, launchers and one table of rungs. It fills
 * in a `Lab` and ends with LAB_MAIN(lab). Verification, timing, tables, CSV, plots and the tests all loop
 * over that table: an optimisation step is added by adding one line to it.
 *
 *     typedef void Add(const float *x, const float *y, float *z, size_t n);
 *     static const LabRung rungs[] = {{1, "one thread", LAB_LAUNCH(Add, add1)}, ...};
 *     static void run(const LabRung *r, LabCase *c)
 *     {
 *         ((Add *)r->launch)(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), c->dim[0]);
 *     }
 *
 * All matrices are row-major unless a lab says otherwise. C-clean; include it from C11 and from CUDA C.
 */
#ifndef LAB_H
#define LAB_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench.h"
#include "compare.h"
#include "error.h"
#include "random.h"
#include "skip.h"
#include "types.h"

#ifdef __cplusplus
struct __nv_bfloat16; /* cuda_bf16.h's */
extern "C" {
#endif

enum {
    LAB_MAX_DIMS = 6,   /* numbers in a shape */
    LAB_MAX_INPUTS = 8, /* input buffers of a case */
};

struct Lab;
struct LabOptions;
struct argp;

/* What a rung is, beyond its number, name and launcher. */
enum {
    LAB_VENDOR = 1,       /* the vendor's library: the ratio "vs vendor" is against the first such rung of its type */
    LAB_WRONG = 2,        /* a mistake kept to be looked at: it must FAIL verification, and is not timed */
    LAB_CUDA_ONLY = 4,    /* skipped, with a line, on the CPU device */
    LAB_NEEDS_SM80 = 8,   /* skipped below compute capability 8.0; runs on the CPU device */
    LAB_NEEDS_SM90A = 16, /* skipped on a GPU of another compute capability than 9.0; runs on the CPU device */
};

typedef void (*LabLaunch)(void);

/* A launcher for the table of rungs: LAB_LAUNCH(Add, add1), where Add is the type that the lab's run() calls it by. A
 * launcher of another type does not compile. (The last argument may be a template, whose arguments have commas.) */
#ifdef __cplusplus
#define LAB_LAUNCH(type, ...) ((LabLaunch) static_cast<type *>(__VA_ARGS__))
#else
#define LAB_LAUNCH(type, ...) ((LabLaunch)(1 ? (__VA_ARGS__) : (type *)0))
#endif

/* One step of a ladder. `launch` is the lab's own launcher, by LAB_LAUNCH(); only the lab's run() calls it. */
typedef struct LabRung {
    int number;
    const char *name; /* the one idea, three words: "shared tile" */
    LabLaunch launch;
    LabType type;   /* element type of the rung; LAB_F32 if left out */
    unsigned flags; /* LAB_VENDOR ... */
    int variant;    /* free for the lab: a tile width, say */
} LabRung;

/* One problem: a shape, its data on both sides, and what the answer must be. Made by the framework. */
typedef struct LabCase {
    const struct Lab *lab;
    size_t dim[LAB_MAX_DIMS]; /* the shape, in the order of lab->dims */
    int dims;
    LabType type; /* of the rungs this case is for */
    uint64_t seed;
    cudaStream_t stream; /* launch here */

    int inputs;
    void *in[LAB_MAX_INPUTS];   /* device */
    void *h_in[LAB_MAX_INPUTS]; /* host, the same elements */
    size_t in_count[LAB_MAX_INPUTS];
    LabType in_type[LAB_MAX_INPUTS];

    void *out;   /* device; poisoned (all bits one: NaN) before each verification */
    void *h_out; /* host; the result, copied back after a verification */
    size_t out_count;
    size_t out_width; /* elements per row of the output, for naming a mismatch's place; 0: one row */
    LabType out_type;

    double *expect;    /* host, out_count elements, written by the lab's reference() */
    double atol, rtol; /* |got - expect| <= atol + rtol |expect|; set before setup(), setup() may change them */

    void *scratch; /* device, through lab_scratch() */
    size_t scratch_bytes;
    void *user; /* the lab's own; freed by the lab's teardown() */
} LabCase;

typedef struct Lab {
    int order;         /* place in the lecture's walk-through, from 1 */
    const char *name;  /* the file's name without .cu: "matmul" */
    const char *title; /* half a line: "a tile fetched once serves a whole block" */
    const char *page;  /* the page of notes that it goes with, "transformer.md", if that is not the lecture's README.md:
                          a walk-through of the lecture names it at its end, and shows it with --verbose */
    const char *look;  /* what to look at in the output: one to three lines of prose, printed before the table */

    /* A ladder. Leave `rungs` NULL for a lab that only has show(). */
    const char *dims;     /* names of the shape's numbers: "M N K" */
    const char *size;     /* the default on a GPU: "4096x4096x4096"; several, separated by blanks, run in turn */
    const char *cpu_size; /* the default on the CPU device: well under a second a rung */
    const char
        *small_sizes;       /* --small's on the CPU device, where the tests' take a checker minutes; NULL: the tests' */
    const char *test_sizes; /* shapes the tests verify, separated by blanks; NULL: a standard list for this many dims */
    const char *sweep;      /* for --sweep: a shape with one range FIRST:LAST:STEP, "4096x256:12672:128"; may be NULL */
    const char *cpu_sweep;
    const LabRung *rungs;
    int rung_count;

    /* Declares the case's buffers with lab_input()/lab_output() and fills the host inputs. The framework
     * copies them to the device afterwards. Returns NULL, or the reason why this shape cannot be done. */
    const char *(*setup)(LabCase *c);
    void (*teardown)(LabCase *c); /* may be NULL */
    /* Writes c->expect, in double, from the host inputs. An element set to lab_unchecked() is only checked for having
     * been written, one set to lab_untouched() for not having been. At large shapes compute the rows for which
     * lab_sample_row() is true. */
    void (*reference)(LabCase *c);
    /* One launch of the rung, asynchronous on c->stream, no synchronize. It need not call cudaGetLastError(): the
     * framework does after each run, verified or timed, and names the rung. lab_skip() says it cannot be done here. */
    void (*run)(const LabRung *r, LabCase *c);
    /* Why this rung refuses this shape, or NULL. May be NULL: every rung takes every shape. */
    const char *(*refuse)(const LabRung *r, const LabCase *c);
    /* Compulsory traffic in bytes (each input read once, each output written once) and operations of one run. */
    double (*bytes)(const LabCase *c);
    double (*flops)(const LabCase *c);

    /* Everything that is no ladder: pictures, clocks, demonstrations. Runs after the ladder. Prints its figures,
     * verifies what it claims, returns 0, or 1 if something it claims does not hold. May be NULL. */
    int (*show)(const struct LabOptions *options);
    const struct argp *argp; /* the lab's own options, or NULL */
} Lab;

/* The command line, parsed. Labs read it in show() and setup() through lab_options(). */
typedef struct LabOptions {
    const char *size;    /* --size, or NULL */
    const char *rungs;   /* --rung LIST, or NULL */
    const char *csv;     /* --csv FILE, or NULL */
    const char *plot;    /* --plot[=BASE]: BASE.svg and BASE.png, or a text chart where there is no gnuplot; or NULL */
    const char *trace;   /* --trace FILE, or NULL */
    const char *heading; /* --heading "2/6", what the runner puts before the name; or NULL */
    const char *words;   /* --words: title and look in the reader's language, in lines of their own; or NULL */
    uint64_t seed;       /* --seed */
    int runs;            /* --runs: timed runs of each rung (default 20) */
    int repeat;          /* --repeat: this many more runs must give the same bits */
    int verify_only;     /* --verify */
    int profile;         /* --profile */
    int sweep;           /* --sweep */
    int sustained;       /* --sustained: 3 s of warm-up, 1000 interleaved runs */
    int burst;           /* --burst: 20 cold launches after an idle second */
    int small;           /* --small: the tests' sizes, for sanitizers */
    int no_vendor;       /* --no-vendor: leave NVIDIA's libraries out */
    int verbose;         /* --verbose: everything; without it a show() in a walk-through is brief, see lab_brief() */
    int wide;            /* --wide: all columns of a table, however wide */
    int ladder_only;     /* --ladder-only: no show(); what the runner counts with */
    const char *counts;  /* --counts FILE: what cucc --check counted of the rungs, or NULL */
    const char *type;    /* --type: only rungs of this type, or NULL */
    const char *answer;  /* --answer, --judge: lab_judge.c, or NULL */
    const char *judge;
} LabOptions;
const LabOptions *lab_options(void);
/* 1 where a show() should print only what a class needs to see: in a walk-through without --verbose. */
int lab_brief(void);
/* What a CSV calls the way of timing that was asked for: interleaved, burst or sustained. */
const char *lab_mode(void);
/* How bench() should time, by --runs, --burst and --sustained: for a show() that times something itself. */
BenchOptions lab_bench_options(cudaStream_t stream);
/* Which of `count` ways is fastest, side by side, under the conditions of this run's measurements (L2 emptied; with
 * --sustained hot and back to back), so that the "best of" several means the same on both sides of a comparison. 0
 * where nothing is timed (--verify) or count is 1. */
int lab_fastest(void (*run)(void *context), void *const *context, int count, cudaStream_t stream);

/* Declare input i / the output: `count` elements of `type`, on host and device. lab_input returns the host
 * side, zeroed. Both end the program with one line and status 2 if the memory is not there. */
void *lab_input(LabCase *c, int i, size_t count, LabType type);
void lab_output(LabCase *c, size_t count, LabType type);
/* Fills host input i with uniform random numbers of [lo, hi), from c->seed: the same on every machine. */
void lab_fill_uniform(LabCase *c, int i, double lo, double hi);
/* The buffers of a case, typed, so that no lab casts: lab_in_f32(c, 0) is input 0 on the device, lab_h_in_f32(c, 0) the
 * same elements on the host, lab_out_f32(c) the output on the device, lab_h_out_f32(c) on the host. The same for bf16
 * (device only), s32, s8, u8; u32 is the bits of s32, u16 the bits of bf16 or f16. A buffer that was declared with
 * another type ends the program with one line. */
void *lab_typed(const LabCase *c, void *buffer, LabType type, unsigned accepted);
#define LAB_TYPED(suffix, T, accepted)                                                                                 \
    static inline const T *lab_in_##suffix(const LabCase *c, int i)                                                    \
    {                                                                                                                  \
        return (const T *)lab_typed(c, c->in[i], c->in_type[i], accepted);                                             \
    }                                                                                                                  \
    static inline T *lab_out_##suffix(const LabCase *c) { return (T *)lab_typed(c, c->out, c->out_type, accepted); }
#define LAB_TYPED_HOST(suffix, T, accepted)                                                                            \
    LAB_TYPED(suffix, T, accepted)                                                                                     \
    static inline T *lab_h_in_##suffix(const LabCase *c, int i)                                                        \
    {                                                                                                                  \
        return (T *)lab_typed(c, c->h_in[i], c->in_type[i], accepted);                                                 \
    }                                                                                                                  \
    static inline T *lab_h_out_##suffix(const LabCase *c) { return (T *)lab_typed(c, c->h_out, c->out_type, accepted); }
LAB_TYPED_HOST(f32, float, 1u << LAB_F32)
LAB_TYPED_HOST(u16, uint16_t, 1u << LAB_BF16 | 1u << LAB_F16)
LAB_TYPED_HOST(s32, int, 1u << LAB_S32)
LAB_TYPED_HOST(u32, uint32_t, 1u << LAB_S32)
LAB_TYPED_HOST(s8, int8_t, 1u << LAB_S8 | 1u << LAB_U8)
LAB_TYPED_HOST(u8, uint8_t, 1u << LAB_U8 | 1u << LAB_S8)
#ifdef __cplusplus
LAB_TYPED(bf16, struct __nv_bfloat16, 1u << LAB_BF16)
#endif
/* Device scratch memory of at least `bytes`, kept in the case; contents undefined. */
void *lab_scratch(LabCase *c, size_t bytes);
/* Which rows a reference should compute (the others get lab_unchecked(), see compare.h): all where
 * rows * work_per_row is small (up to 2^26 operations), else the first, the last and about 30 in between. */
int lab_sample_row(size_t row, size_t rows, double work_per_row);

/* A file that was written because of --csv or --trace: it is named at the end. */
void lab_written(const char *path);
/* Closes such a file, if there is one. Where not all of it is on the disk, the program ends with one line and status 2. */
void lab_close(FILE *file);
/* Called from show(): a claim; prints the line and returns 1 if it does not hold, else 0. */
int lab_claim(int holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Verifies one rung on one case: poison, run, compare. */
typedef enum { LAB_PASS, LAB_FAIL, LAB_SKIPPED, LAB_REFUSED } LabVerdict;
LabVerdict lab_verify(const LabRung *r, LabCase *c, char *why, size_t why_bytes);
/* How many numbers a shape of this lab has: the words of lab->dims. */
int lab_dims(const Lab *lab);
/* Makes a case of `lab` (shape from dim[], rungs of `type`), inputs uploaded, reference computed if
 * `with_reference`. Returns NULL, or the reason why not. lab_case_free() undoes it. */
const char *lab_case_make(LabCase *c, const Lab *lab, const size_t *dim, LabType type, uint64_t seed,
                          int with_reference);
void lab_case_free(LabCase *c);

/* Whole program: options, device line, ladder, show. Exit status: 0 right, 1 a wrong answer, 2 bad input. */
int lab_main(const Lab *lab, int argc, char **argv);
/* The lab this program was linked with; defined by LAB_MAIN, used by the tests. */
const Lab *lab_this(void);

/* Last line of a lab. main is weak, so that a test can link the same object with its own. With LAB_LIBRARY defined the
 * file's launchers are for a shared library (lecture01_profiling/pytorch), and there is no main. */
#ifdef __cplusplus
#define LAB_EXTERN_C extern "C"
#else
#define LAB_EXTERN_C
#endif
#ifdef LAB_LIBRARY
#define LAB_MAIN(lab) static const Lab *const lab_of_library __attribute__((unused)) = &(lab);
#else
#define LAB_MAIN(lab)                                                                                                  \
    LAB_EXTERN_C const Lab *lab_this(void) { return &(lab); }                                                          \
    __attribute__((weak)) int main(int argc, char **argv) { return lab_main(&(lab), argc, argv); }
#endif

#define LAB_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#ifdef __cplusplus
}
#endif
#endif
