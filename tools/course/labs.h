/* labs.h: what a lab tells of itself, and what its rungs were counted to do. */
#ifndef LABS_H
#define LABS_H

#include "course.h"

/* `LAB --about` prints, with tabs between: "lab ORDER NAME PAGE TITLE"; for each option "option NAME LETTER ARGUMENT KIND",
 * KIND none, needed or optional; for each rung that can run here "rung NUMBER TYPE SIZES". */
typedef struct LabInfo {
    char *name, *program, *title;
    char *look;  /* of its Chinese words, what to look at; NULL: it speaks for itself */
    char *page;  /* the page of notes that it goes with, "" if that is the lecture's README.md */
    char *sizes; /* of its ladder on the CPU device, or NULL: it has none */
    int order;
    List options; /* "--name" and "-x" */
    List valued;  /* those of them that take the next word as their value */
    List rungs;   /* "NUMBER TYPE" */
} LabInfo;

LabInfo lab_about(const char *program);
/* Does the lab have this option, "--size=7" or "-s"? An abbreviation of a long one counts. */
int lab_has_option(const LabInfo *lab, const char *option);
int lab_takes_next_word(const LabInfo *lab, const char *option);

/* counts.c: where a lab's counts are recorded. `lecture` is its folder, or a path in it. */
char *counts_recorded(const char *lecture, const char *lab);
/* The file of a ladder's counts at its own sizes on the CPU device (common/lab/lab_counts.c reads it): what is
 * recorded under results/cpu/counts/ if that is of the same source, else counted now and kept in the build folder.
 * NULL: it has no ladder, or cannot be counted. */
char *counts_file(const Course *c, const char *lecture, const LabInfo *lab);

#endif
