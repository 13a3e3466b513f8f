// peer.cuh: a test with a second process, which is the test's own program with a part to play and the ends of two pipes.
#ifndef PEER_CUH
#define PEER_CUH

#include <check.h>
#include <cuda_runtime.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Check's own assertions are for tests only: a process that plays a part says what is wrong, and fails.
static bool plays_a_part;

static void is(long long got, long long expected, const char *what, int line)
{
    if (got == expected)
        return;
    if (!plays_a_part)
        ck_abort_msg("line %d: %s is %lld and should be %lld", line, what, got, expected);
    fprintf(stderr, "line %d: the other process: %s is %lld and should be %lld\n", line, what, got, expected);
    exit(1);
}
#define IS(value, expected) is((long long)(value), (long long)(expected), #value, __LINE__)
#define OK(call) IS(call, cudaSuccess)

typedef struct {
    pid_t pid;
    int to, from; // pipes
} peer;

static void say(const peer *p, const void *data, size_t bytes) { IS(write(p->to, data, bytes), (ssize_t)bytes); }

static void hear(const peer *p, void *data, size_t bytes)
{
    for (size_t got = 0; got < bytes;) {
        const ssize_t n = read(p->from, (char *)data + got, bytes - got);
        IS(n > 0, true); // else it has ended
        got += (size_t)n;
    }
}

// Each waits here for the other.
static void meet(const peer *p)
{
    char c = 0;
    say(p, &c, 1);
    hear(p, &c, 1);
}

// Neither process has used the device when it starts another.
static peer other(const char *part)
{
    int there[2], back[2];
    char to[16], from[16];
    IS(pipe(there) || pipe(back), false);
    const pid_t pid = fork();
    IS(pid >= 0, true);
    if (!pid) {
        close(there[1]);
        close(back[0]);
        snprintf(from, sizeof from, "%d", there[0]);
        snprintf(to, sizeof to, "%d", back[1]);
        execl("/proc/self/exe", "peer", part, to, from, (char *)NULL);
        _exit(126);
    }
    close(there[0]);
    close(back[1]);
    return (peer){pid, there[1], back[0]};
}

static void ended_well(const peer *p)
{
    int status = 0;
    close(p->to);
    close(p->from);
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        ;
    IS(status, 0);
}

#endif
