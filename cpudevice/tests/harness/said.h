/* said.h: what a function says that ends the process, or the device. */
#ifndef SAID_H
#define SAID_H

#include <check.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs f in a child; its stderr, and its status as waitpid() has it. */
static inline int said(void (*f)(void), char *text, size_t size)
{
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        f();
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; n + 1 < size && (got = read(ends[0], text + n, size - 1 - n)) > 0;)
        n += (size_t)got;
    text[n] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    return status;
}

#endif
