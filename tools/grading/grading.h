/* grading.h: what tools/grade is made of. The trusted side is this program and the judge, which is the exercise's own
 * solution as a program (common/lab/lab_judge.c). What a student wrote is read here as text, and is compiled and run in
 * sandboxes only. */
#ifndef GRADING_H
#define GRADING_H

#include "../course/course.h"

enum { MOST_FILE_BYTES = 1 << 18 }; /* of a file that is handed in */

/* What came of one exercise of one submission. */
typedef enum Outcome {
    PASSED,
    FAILED,
    TODO,    /* it still says TODO */
    MISSING, /* there is no such file in the submission */
    BROKEN,  /* the grader could not grade it: nothing is said of the answer */
    OUTCOMES,
} Outcome;
extern const char *const outcome_word[OUTCOMES];

typedef struct Result {
    Outcome outcome;
    int verified; /* shapes, and shows, that the judge found right */
    int stages;   /* of a project: how many pass (course/stages.h) */
    double turns; /* of a project: its memory turns; 0: not counted */
    double took_s, cpu_s;
    size_t memory_bytes;
    char *said; /* why not, in words; lines that the grader took no account of; may be "" */
} Result;

/* What all grades of a run share. Paths are absolute. */
typedef struct Grading {
    Course course;
    char *root;   /* the course's folder */
    char *folder; /* of everything that is written: --output */
    int unsafe;
    const char *groups;  /* cgroup_open()'s */
    Exercises exercises; /* those that are to be graded */
    uint64_t hash;       /* hash_of_course() when the run began */
    uint64_t solution;   /* in a process that grades one exercise: its solution's hash when the run began, or 0 */
} Grading;

/* main.c: of the library, the compiler and the grader. */
uint64_t hash_of_course(void);

/* one.c: grades the file, or returns what is known of the same content, unless that is BROKEN. `work` is a folder of this
 * grade's own. What comes out BROKEN was tried twice. */
Result grade_file(const Grading *g, const Exercise *e, const char *file, const char *work);
/* result.c: is the course not what it was when the run began? */
int course_changed(const Grading *g, const Exercise *e);
void result_write(const Grading *g, const Exercise *e, const char *file, const char *work, const Result *r);
/* Reads what grade_file() left in its folder. Returns 0, or -1: there is nothing, or it is of another content. */
int result_read(const Grading *g, const Exercise *e, const char *file, const char *work, Result *r);
void result_free(Result *r);

/* One submission: a folder, an archive, a git checkout. */
typedef struct Submission {
    char *name; /* of the file or folder, without what an archive's name ends in, as it is */
    char *
        student; /* the same as a part of our paths and tables: student_of(), with digits where two would be the same */
    char *path;  /* what was given */
    char *root;  /* the folder to look into: the given one, or what was unpacked; NULL: unreadable */
    char *why;   /* unreadable because */
    long time;   /* when it was handed in: the last commit, the archive's time, the newest file's */
    int late;
    char *instead; /* a later one of the same student is graded, this one only listed; or NULL */
} Submission;

typedef struct Submissions {
    Submission *at;
    int count;
} Submissions;

/* submissions.c: all that `paths` name, in order of student; of several by one student the newest is graded. Archives
 * are unpacked under g->folder, in a sandbox. `due` (0: none) is the time after which they are late. */
Submissions submissions_find(const Grading *g, const List *paths, long due);
/* The student's name by what was handed in, as a part of paths and of tables: letters, digits and -_.@+, else _; digits that
 * stand for the whole in place of what is too long. */
char *student_of(const char *path);
/* The exercise's file in it, or NULL; *why (may stay NULL) is set where there are several, or where there is none and
 * something could not be read. */
char *submission_file(const Grading *g, const Submission *s, const Exercise *e, char **why);
/* The folder of one grade. */
char *work_folder(const Grading *g, const Submission *s, const Exercise *e);

/* class.c: a grade that is to be made: as given to grade_file(). */
typedef struct Task {
    const char *number;
    char *file, *work;
} Task;

typedef struct Tasks {
    Task *at;
    int count;
} Tasks;

/* What is not graded yet. */
Tasks tasks_to_do(const Grading *g, const Submissions *all);
void tasks_free(Tasks *t);

/* Grades what is not graded yet, on all cores. Returns how many grades it made. */
int class_grade(const Grading *g, const Submissions *all);
/* All results, by submission and exercise; those that are not there are BROKEN. */
Result *class_results(const Grading *g, const Submissions *all);

/* slurm.c: the same on a Slurm cluster that shares this file system, as job arrays; `options` are sbatch's, or NULL.
 * Returns how many grades are missing in the end. */
int slurm_grade(const Grading *g, const Submissions *all, const char *options);
/* One task of such an array: grade --tasks FILE INDEX CHUNK HASH [--unsafe]. */
int slurm_task(int argc, char **argv);

/* class.c: grade_file() where nobody else grades into the same folder meanwhile, and where it may have been done already.
 * Returns 1 if it was graded here and now. */
int grade_alone(const Grading *g, const Exercise *e, const char *file, const char *work);

/* plan.c: how long so many submissions take ("200", "200,4": machines, "200,4,16": cores each), from what was measured in
 * g->folder. */
void plan_print(const Grading *g, const char *wanted);

/* report.c: the points of an exercise that came out so: all, none, or those of a project's stages that pass. */
int result_points(const Exercise *e, const Result *r);
/* A page of words for each student, grades.csv, leaderboard.csv, junit.xml and results.json under g->folder. */
void report_write(const Grading *g, const Submissions *all, const Result *results);
/* What the teacher reads at the end. */
void report_print(const Grading *g, const Submissions *all, const Result *results, double took_s);

#endif
