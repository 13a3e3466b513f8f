/* process.h: other programs, run with their output in a file, within limits, one or several at a time. */
#ifndef PROCESS_H
#define PROCESS_H

#include "support.h"

typedef struct Job {
    List command;       /* argv; the program is found through PATH */
    List set;           /* NAME=VALUE for its environment, besides what is there */
    const char *out;    /* file for stdout, or NULL: as ours */
    const char *err;    /* file for stderr; the same pointer as `out`: both in one; NULL: as ours */
    const char *folder; /* working folder, or NULL */
    int cpu_limit_s;    /* CPU seconds of one of its processes; 0: no limit. Four times as many in all: of CPU time if
                           idle_limit_s is given, else by the clock, */
    int wall_limit_s;   /* unless this is given */
    int idle_limit_s;   /* it hangs if it and what it started have next to no CPU time for so long, though none of them
                           waits for a core; 0: no limit */
    int input;          /* nonzero: it keeps our stdin; else /dev/null */
    void *user;
    /* Filled in when it has ended: its exit status; 124: it ran past a limit; 128 + n: ended by signal n; 127: not
     * there. */
    int status;
    double took_s, cpu_s;        /* by the clock; processor time, its own and of what it waited for */
    double awake_s, awake_cpu_s; /* when it was last seen at work, and the CPU time that it had had by then; */
    double next_look_s;          /* and when that is looked at again */
} Job;

/* Runs it, waits, and returns job->status. Whatever it started and left running in its process group is ended too. */
int job_run(Job *job);
/* Runs all in their order, `width` at once, and up to `most` while these leave some of `width` cores idle: some jobs mostly
 * wait. `done` (may be NULL) is called for each as it ends, one call at a time. */
void jobs_run(Job *jobs, int count, int width, int most, void (*done)(Job *job));
void job_free(Job *job);

/* What a command prints, without the last newline; "" if it fails. */
char *output_of(const char *program, const char *argument);
char *output_of_shell(const char *command);

#endif
