#include "judge.h"

#include "../course/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JUDGE_WALL_S = 140 }; /* longer than an answer may take (one.c) */

Channel channel_open(void)
{
    enum { OUTPUT_BYTES = 1 << 24 };
    Channel c;
    if (pipe(c.question) != 0 || pipe(c.reply) != 0 || (c.memory = memfd_create("output", MFD_ALLOW_SEALING)) < 0 ||
        ftruncate(c.memory, OUTPUT_BYTES) != 0 ||
        fcntl(c.memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        die(1, "cannot make a channel for the judge: %s", strerror(errno));
    return c;
}

pid_t judge_start(const char *judge, const Channel *c, const char *shape, int usual_seed, const char *said)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        die(1, "cannot start the judge: %s", strerror(errno));
    if (pid != 0)
        return pid;
    char *fds = text("%d,%d,%d%s", c->reply[0], c->question[1], c->memory, usual_seed ? ",1" : "");
    close(c->question[0]), close(c->reply[1]);
    int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (dup2(out, 1) < 0 || dup2(out, 2) < 0)
        _exit(126);
    setenv("CUDA_CPU_WORKERS", "1", 1);
    setenv("OMP_WAIT_POLICY", "passive", 1); /* other grades want the time that its threads would wait in a loop */
    alarm(JUDGE_WALL_S);
    if (shape)
        execl(judge, judge, "--judge", fds, "--size", shape, "--ladder-only", (char *)NULL);
    else
        execl(judge, judge, "--judge", fds, (char *)NULL);
    _exit(127);
}

Judged judge_end(pid_t pid, const char *said)
{
    Judged j = {.wrong = copy("")};
    int status = 1; /* as if a signal had ended it */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    j.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    char *words = file_read(said, NULL), *rest = words, *line;
    while ((line = strsep(&rest, "\n"))) {
        if (sscanf(line, "judge: %d of %d hold", &j.held, &j.asked) == 2 || !*line)
            continue;
        char *more = text("%s%s%s", j.wrong, *j.wrong ? "\n" : "", line);
        free(j.wrong);
        j.wrong = more;
    }
    free(words);
    return j;
}
