/* deep.c: the parser and the passes call themselves for what is nested: 120,000 operators in one expression are more
 * than the stack holds. A limit in each of those functions would have to know how much each of them needs; the page
 * below the stack, which nobody may touch, does. */
#define _GNU_SOURCE
#include "front/deep.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static uintptr_t top, size; /* of the stack */

static void on_fault(int number, siginfo_t *info, void *context)
{
    static const char words[] =
        "cucc: error: an expression or a statement is nested so deeply that the compiler's stack does not hold it\n";
    const uintptr_t at = (uintptr_t)info->si_addr, margin = 1 << 20;
    (void)context;
    if (at < top && at > top - size - margin && write(STDERR_FILENO, words, sizeof words - 1) > 0)
        _exit(1);
    signal(number, SIG_DFL); /* another fault: it happens again, and ends the program */
}

void say_too_deep(void)
{
    enum { ROOM = 64 << 10 };
    struct rlimit limit;
    stack_t other = {.ss_sp = malloc(ROOM), .ss_size = ROOM};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (!other.ss_sp || getrlimit(RLIMIT_STACK, &limit) != 0)
        return;
    top = (uintptr_t)__builtin_frame_address(0);
    size = limit.rlim_cur == RLIM_INFINITY ? top / 2 : limit.rlim_cur;
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &action, NULL);
}
