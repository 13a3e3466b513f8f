/* lab_internal.h: what the files of the lab framework (lab_*.c) share; labs include lab.h alone. */
#ifndef LAB_INTERNAL_H
#define LAB_INTERNAL_H

#include "lab.h"

/* ---- lab_shape.c ---- */

/* One shape with at most one range, "4096x256:12672:128": the range's dimension counts up from first to last. */
typedef struct LabSizes {
    size_t dim[LAB_MAX_DIMS];
    int range_dim; /* -1: none */
    size_t last, step;
} LabSizes;

/* Reads a number at *p and moves *p past it. Returns 0, or -1 if there is none or it exceeds 2^48. */
int lab_parse_number(const char **p, size_t *value);
/* Reads one shape of `dims` numbers; stops at a blank or the end. Returns where, or NULL. */
const char *lab_parse_shape(const char *p, int dims, LabSizes *s);
/* "4096x4096" */
void lab_shape_text(const size_t *dim, int dims, char text[96]);
/* --rung 1,3-5 (NULL: all): is this number chosen? Ends the program with one line if the list is malformed. */
int lab_rung_chosen(const char *list, int number);

/* Why the device at hand cannot run the rung, or NULL. */
const char *lab_not_here(const LabRung *r);

/* ---- lab_options.c ---- */

/* Fills lab_options() and returns it. Ends the program with one line and status 2 where something is asked for that is
 * not there. */
enum { LAB_COLUMNS = 100 };
/* lab_options.c: how wide the output may be: the terminal's columns, else $COLUMNS, from 60 to LAB_COLUMNS. */
int lab_columns(void);
LabOptions *lab_options_parse(const Lab *lab, int argc, char **argv);

/* ---- lab_words.c: --catalogue. All that is printed from now on is in Chinese: what the labs share by chinese.inc, a
 * lecture's own texts by its file, lectureNN/chinese.inc. */
void lab_words(const char *file);

/* ---- lab_case.c ---- */

void *lab_host_alloc(size_t bytes);
/* The case with the inputs of another seed, in the same device buffers where their sizes are the same, and with a reference.
 * Returns NULL, or the reason why not; free it either way. */
const char *lab_case_renew(LabCase *c, uint64_t seed);

/* ---- lab_verify.c ---- */

/* Poisons the output, runs the rung, and copies the result to h_out. LAB_PASS: it has been copied. */
LabVerdict lab_run_once(const LabRung *r, LabCase *c, char *why, size_t why_bytes);
/* Poisons the output, lets `run` queue the work, and compares. LAB_FAIL: `why` names the first wrong element. */
LabVerdict lab_verify_by(void (*run)(void *context), void *context, LabCase *c, char *why, size_t why_bytes);
/* The first wrong element, in words. */
void lab_mismatch_text(const LabCase *c, const Mismatch *m, char *why, size_t why_bytes);
/* How many claims lab_claim() has met since the last reset, and how many of them held. */
void lab_claims_reset(void);
void lab_claims_made(uint64_t *made, uint64_t *held);

/* ---- lab_judge.c: the whole program, where tools/grade runs it. Returns the exit status. ---- */

int lab_answer(const Lab *lab, const char *numbers, LabOptions *options);
int lab_judge(const Lab *lab, const char *numbers, LabOptions *options);

/* ---- lab_counts.c: figures that were not measured here and now ---- */

/* What a rung asks of the memory and of the tensor cores: exact, counted by cucc --check on the CPU device. */
typedef struct LabCounts {
    /* Global memory. A warp makes one request per instruction; a sector is 32 bytes; `ideal` is the smallest number of
     * sectors that could hold the same bytes. */
    double load_requests, load_sectors, load_ideal;
    double store_requests, store_sectors, store_ideal;
    double atomic_sectors, shared_requests, bank_conflicts, barriers;
    double tma_load_bytes, tma_store_bytes;    /* between global memory and a multiprocessor */
    double tensor_instructions, multiply_adds; /* of the tensor cores; instructions are counted per warp */
} LabCounts;

/* Reads the counts of a rung at a shape from the file that --counts names. Returns 0 if they are there. */
int lab_counts(const char *file, int rung, LabType type, const char *size, LabCounts *counts);

/* The times that were recorded on an H200 for the rungs of one type, all at one shape. */
typedef struct LabRecorded {
    char file[128], size[96];
    int count;
    struct {
        char name[96];
        double ms;
    } rung[64];
} LabRecorded;

/* Reads results/h200/lectureNN-LAB.csv: at this shape where it was timed there, else at the one most like it. count is
 * 0 where nothing was recorded. */
void lab_recorded(const Lab *lab, LabType type, const char *size, LabRecorded *r);
/* The time of the rung of this name, or 0. */
double lab_recorded_ms(const LabRecorded *r, const char *name);

/* ---- lab_model.c: a chip's time, by the model of the CPU device ---- */

/* The launches of one run of a rung, added up. */
typedef struct LabModelled {
    char chip[64], why_not[160]; /* why_not: why there is no time; "": there is one */
    const char *limiter;         /* of the longest launch */
    double ms, low_ms, high_ms;
    int launches, ranged; /* ranged: low_ms and high_ms are known */
} LabModelled;

/* Around each run whose output is verified, which has ended at lab_model_end(). */
void lab_model_begin(void);
void lab_model_end(void);
/* What the model says of the last such run. 0: no model runs, or nothing was launched. */
int lab_modelled(LabModelled *m);

/* ---- lab_ladder.c, lab_sweep.c ---- */

/* The figures of a sweep, kept for its plot. */
typedef struct LabSweep {
    struct {
        double x, value;
        int rung; /* its place in lab->rungs */
    } * point;
    int count;
    int by_flops;  /* values are TFLOP/s, not GB/s: as the first point's */
    char chip[64]; /* the values are a model's, of this chip; "": they were measured */
} LabSweep;

void lab_sweep_add(LabSweep *sweep, double x, double value, int rung, int by_flops);
/* Draws it, as --plot says, and empties it. */
void lab_sweep_draw(LabSweep *sweep, const Lab *lab, const char *x_name);

/* Everything about the ladder, on all shapes: verified, timed, printed, written to `csv` (may be NULL), drawn. Returns
 * how many rungs failed. */
int lab_ladder(const Lab *lab, FILE *csv);

#endif
