/* sandbox.h: runs a program that is not trusted, by bubblewrap: in namespaces of its own (no network, no other process
 * to be seen), with a system that it can only read, and within limits. Nothing of the course is there but what is
 * named. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "../course/course.h"

enum { SANDBOX_FDS = 5 };

typedef struct Sandbox {
    /* What it sees */
    List command;
    List set;                 /* NAME=VALUE: all of its environment but PATH and LC_ALL */
    List readable;            /* files and folders that it may read, at their own places */
    List writable;            /* files and folders that it may write, at their own places */
    char *folder;             /* its working folder, or NULL: / */
    int fd[SANDBOX_FDS], fds; /* descriptors that it gets, as 10, 11 ... */
    int input, output;        /* its stdin and stdout; 0: /dev/null, and `out` */
    /* What it may use */
    int cpu_s, wall_s;
    size_t memory_bytes, file_bytes, tmp_bytes; /* tmp_bytes: of its /tmp, 0: it has none */
    size_t output_bytes;                        /* of stdout and stderr; what is more is thrown away */
    int one_process;    /* it may start threads, but no process, and use few system calls (filter.c) */
    int unsafe;         /* without bubblewrap: only limits of time, files and output hold, and those of `groups` */
    const char *groups; /* cgroup_open()'s: the kernel limits memory and processes, and ends all at the end; or NULL */
    /* What came of it */
    int status;          /* as in process.h: 124 ran past a limit of time */
    const char *stopped; /* why it was ended from outside, or NULL */
    char *out, *err;     /* what it wrote, cleaned of control characters */
    double took_s, cpu_s_used;
    size_t memory_used;
} Sandbox;

/* NULL, or why there is no sandbox on this machine, in one line. */
const char *sandbox_missing(void);
/* Runs it to its end. */
void sandbox_run(Sandbox *s);
void sandbox_free(Sandbox *s);

/* filter.c: a file descriptor with the rules for the system calls of a program that is one process, for bubblewrap;
 * -1: not known for this CPU. */
int filter_open(void);

#endif
