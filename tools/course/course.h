/* course.h: what the course consists of, as found in its folders: nothing here is a list that must be kept. */
#ifndef COURSE_H
#define COURSE_H

#include "process.h"
#include "support.h"

#define COURSE_TOOL "build/tools/course" /* this program, which tools/course.sh has built */

typedef struct Course {
    const char *build; /* folder of everything generated */
    char *lecture;     /* the lecture that was made last: its folder, or NULL */
    char *device;      /* cpu or cuda: $DEVICE, else what is here */
    int cores;
} Course;

/* The current folder must be the course's. */
void course_open(Course *c);
/* Makes another device the one in use; NULL: asks what is here. Ends the program if the name is neither. */
void course_use(Course *c, const char *device);

/* Builds the targets with make -k, its words going to the file `log`. Returns make's exit status. */
int course_make(const Course *c, const List *targets, const char *log);
/* The same for one target. */
int course_make_one(const Course *c, const char *target, const char *log);

/* "lecture03" or "lecture03_cuda_basics": the folder, or NULL. */
char *lecture_folder(const char *name);
/* A lecture's title, the first line of its README without "# "; its name where there is none. */
char *lecture_title(const char *lecture);

/* An exercise: lectureNN_x/exercises/exMM_y.cu is number N.M; its solution is solutions/lectureNN_x/exMM_y.cu. */
typedef struct Exercise {
    char *path, *solution, *number, *lecture;
} Exercise;

typedef struct Exercises {
    Exercise *at;
    int count;
} Exercises;

/* All exercises in order of number: those with a file and those that only have a solution. */
Exercises exercises_find(void);
/* By number ("3.1") or by path; ends the program with one line and status 2 if there is none. */
Exercise *exercise_named(const Exercises *all, const char *name);

#endif
