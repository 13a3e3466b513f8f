/* judge.h: the teacher's solution as a process that judges an answer (common/lab/lab_judge.c), outside the answer's sandbox. */
#ifndef JUDGE_H
#define JUDGE_H

#include <sys/types.h>

/* The judge's process, and its words. */
typedef struct Judged {
    int status, held, asked;
    char *wrong; /* its words but the last line */
} Judged;

/* Two pipes and the memory between them. Sizes of the memory cannot be changed by anybody. */
typedef struct Channel {
    int question[2], reply[2], memory;
} Channel;

Channel channel_open(void);
/* Starts the judge on all shapes or on one (NULL: all), with the seed that labs use or with random ones; what it says
 * goes into the file `said`. */
pid_t judge_start(const char *judge, const Channel *c, const char *shape, int usual_seed, const char *said);
/* Waits for its end. */
Judged judge_end(pid_t pid, const char *said);

#endif
