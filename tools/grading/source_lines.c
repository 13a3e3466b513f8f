#include "source_lines.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CPU_S = 10, WALL_S = 90 };

/* Waits for the first question. Returns 0 where the program has ended without one: most right answers are such. */
static int is_asked(int question)
{
    struct pollfd p = {.fd = question, .events = POLLIN};
    while (poll(&p, 1, -1) < 0 && errno == EINTR)
        continue;
    return (p.revents & POLLIN) != 0;
}

SourceLines lines_start(const Grading *g, const char *program)
{
    SourceLines l;
    if (pipe2(l.question, O_CLOEXEC) != 0 || pipe2(l.reply, O_CLOEXEC) != 0)
        die(1, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    if ((l.pid = fork()) == 0) {
        Sandbox s = {.cpu_s = CPU_S,
                     .wall_s = WALL_S,
                     .memory_bytes = (size_t)512 << 20,
                     .file_bytes = 1 << 20,
                     .output_bytes = 1 << 17,
                     .unsafe = g->unsafe,
                     .groups = g->groups,
                     .input = l.question[0],
                     .output = l.reply[1]};
        const char *words[] = {"addr2line", "-a", "-i", "-f", "-C", "-e", program};
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            list_add(&s.command, words[i]);
        list_add(&s.readable, program);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(l.question[1]), close(l.reply[0]);
        if (is_asked(l.question[0]))
            sandbox_run(&s);
        _exit(0);
    }
    close(l.question[0]), close(l.reply[1]);
    return l;
}

void lines_end(const SourceLines *l)
{
    while (waitpid(l->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

void lines_shorten(const char *folder, char *said)
{
    const size_t n = strlen(folder);
    char *to = said;
    for (const char *p = said; *p;)
        if (strncmp(p, folder, n) == 0 && p[n] == '/')
            p += n + 1;
        else
            *to++ = *p++;
    *to = 0;
}
