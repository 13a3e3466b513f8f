/* lab_rows.h: the rows of a ladder on one shape and type, as lab_ladder.c makes them and lab_table.c prints them. */
#ifndef LAB_ROWS_H
#define LAB_ROWS_H

#include "lab_internal.h"
#include "stats.h"

/* One rung of the ladder on this shape. */
typedef struct Row {
    const LabRung *rung;
    LabCase *c;
    int place; /* in lab->rungs */
    LabVerdict verdict;
    char why[512];
    int failed; /* the verdict is not what it should be */
    BenchSubject subject;
    Stats ms;         /* where subject.runs > 0 */
    LabCounts counts; /* where `counted` */
    int counted;
    double recorded_ms;   /* on an H200; 0: not recorded */
    LabModelled modelled; /* of the verified run, where .launches > 0 */
} Row;

typedef struct CopyCeiling {
    size_t bytes, moved;
    cudaStream_t stream;
} CopyCeiling;

typedef struct Ladder {
    const Lab *lab;
    LabType type;
    LabCase c;
    char size[96];
    Row *row;
    int rows;
    double bytes, flops;
    int by_flops; /* what limits it is arithmetic, not memory */
    Row *vendor;  /* the first one that was timed, or NULL */
    CopyCeiling ceiling;
    BenchSubject copy; /* runs is 0 where no copy was timed */
    double *samples;
    LabRecorded recorded; /* on the CPU device: an H200's times, once the ladder is printed */
} Ladder;

/* "ok", "WRONG", "skipped", "refused", "wrong as it should be" */
const char *ladder_check_word(const Row *r);
static inline int ladder_is_timed(const Row *r) { return r->subject.runs > 0; }
/* Has the model a time for its run? */
static inline int ladder_is_modelled(const Row *r)
{
    return r->verdict == LAB_PASS && r->modelled.launches > 0 && !*r->modelled.why_not;
}
/* The share of a copy's speed; 0 where none was timed. */
double ladder_of_copy(const Ladder *l, const Row *r);
/* GB/s, or TFLOP/s where arithmetic is the limit. */
double ladder_rate(const Ladder *l, const Row *r);
double ladder_rate_of(const Ladder *l, double ms);
/* The rung before that is ours and was timed; NULL: none, or r is the vendor's. */
const Row *ladder_before(const Ladder *l, const Row *r);

/* lab_table.c: everything that is printed of it. */
void ladder_print(Ladder *l);

#endif
