/* run.h: what ./run was asked for. */
#ifndef RUN_H
#define RUN_H

#include "course.h"
#include "labs.h"
#include "commands.h"

typedef struct Run {
    Course *course;
    char *lecture, *lab, *dir;
    const char *model;        /* the chip of --model */
    const Exercise *exercise; /* NULL: a lab */
    int graded;               /* the exit status of its grade */
    const char *csv;
    const char *listing; /* "ptx" or "sass", or NULL */
    int list, step, sanitize, counters, plot;
    View view;
    List pass; /* options that go to the lab */
    LabInfo *labs;
    int lab_count;
} Run;

extern const char run_usage[], run_own_options[];
/* run_options.c: sorts the command line into the runner's options and those that go to the lab. Ends the program after
 * --help without a lab, and where a value is missing. */
void run_parse(Run *r, int argc, char **argv);
/* What r->lab names: leaves the lecture's folder in r->lecture and the lab's name, or NULL for a walk-through, in
 * r->lab. */
void run_resolve(Run *r);

/* listing/listing.c. Prints what nvcc makes of the kernels that the lab, with its options, launches; returns the exit
 * status. */
int run_listing(const Run *r, const LabInfo *lab);

/* lesson.c. The file of the lesson in Python that is named, as pytorch/square, or NULL. */
char *lesson_named(const char *name);
/* Becomes Python, which runs it with these options, a list that ends with NULL. */
int lesson_run(const char *path, char **options) __attribute__((noreturn));
/* Prints the lecture's, one a line. */
void lessons_list(const char *lecture);

#endif
