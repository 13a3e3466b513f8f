#include "verdict.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char stopped_by_clock[] = "it took longer than allowed";

/* Calls `is` for each line until one is. Returns that line, or NULL. */
static const char *line_that(const char *all, int (*is)(const char *line, size_t n, const char *word), const char *word)
{
    for (const char *p = all; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (is(p, strcspn(p, "\n"), word))
            return p;
    return NULL;
}

static int line_has_text(const char *line, size_t n, const char *word)
{
    const char *at = strstr(line, word);
    return at && (size_t)(at - line) < n;
}

/* Words of the answer's: "FILE:12:5: error: static assertion failed: ..." or a line of its text, "   12 | ...". What ends the compiler at
 * once ("fatal error") is its own. */
static int quotes_answer(const char *line, size_t n)
{
    size_t digits = strspn(line, " 0123456789");
    if (digits > 0 && digits + 1 < n && line[digits] == '|' && line[digits - 1] == ' ')
        return 1;
    for (const char *at = line; (at = strstr(at, ": ")) && (size_t)(at - line) < n; at++)
        if (at > line && at[-1] >= '0' && at[-1] <= '9')
            return starts_with(at + 2, "error: ") || starts_with(at + 2, "warning: ") || starts_with(at + 2, "note: ");
    return 0;
}

static int is_of_machine(const char *line, size_t n, const char *word)
{
    return line_has_text(line, n, word) && !quotes_answer(line, n);
}

/* What the C library calls the errors that a program can do nothing about, and what programs say in its place. */
static const char *says_machine(const char *all)
{
    static const int errors[] = {ENOSPC, EDQUOT, EIO, ENOMEM, EMFILE, ENFILE, EROFS, EAGAIN, ESTALE, ETXTBSY, EFBIG};
    static const char *const words[] = {"out of memory", "memory exhausted", "Cannot fork", "std::bad_alloc",
                                        "error while loading shared libraries"};
    const char *line = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0] && !line; i++)
        line = line_that(all, is_of_machine, strerror(errors[i]));
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !line; i++)
        line = line_that(all, is_of_machine, words[i]);
    return line;
}

/* What uses its processor time is ended by that limit, and a kernel without progress by the checker: only what waits for a
 * busy machine comes as far as the clock. */
static int by_clock(const Sandbox *s) { return s->stopped && strcmp(s->stopped, stopped_by_clock) == 0; }

/* ---- the compiler ----------------------------------------------------------------------------------------------- */

/* "ex01_index.cu:12:5: error: ...", wherever the file is; an error that ends g++ at once is one only if the answer's
 * templates or constant expressions have no end. */
static int is_error_in(const char *line, size_t n, const char *file)
{
    if (line_has_text(line, n, "cucc: error: ") && line_has_text(line, n, "nested so deeply"))
        return 1;
    char *l = text("%.*s", (int)n, line), *at = strstr(l, file);
    int number = 0, error = 0;
    if (at && (at == l || at[-1] == '/' || at[-1] == ':') && sscanf(at + strlen(file), ":%d:", &number) == 1)
        error = strstr(at, ": error: ") != NULL || strstr(at, "fatal error: template instantiation depth") ||
                strstr(at, "undefined reference to") || strstr(at, "required from here") ||
                (strstr(l, "multiple definition of") && strstr(at, "first defined here"));
    free(l);
    return error;
}

Blame blame_of_compiler(const Sandbox *s, const char *file)
{
    if (s->stopped)
        return by_clock(s) ? MACHINE : ANSWER;
    if (line_that(s->err, is_of_machine, "File size limit exceeded signal")) /* the sandbox's limit */
        return ANSWER;
    return line_that(s->err, is_error_in, file) && s->status < 126 && !says_machine(s->err) ? ANSWER : MACHINE;
}

/* ---- the program ------------------------------------------------------------------------------------------------ */

int has_finding(const char *err)
{
    static const char *const tool[] = {"memcheck:", "racecheck:", "initcheck:", "synccheck:", "hostcheck:"};
    for (const char *p = err; *p; p += strcspn(p, "\n"), p += *p == '\n')
        for (size_t i = 0; i < sizeof tool / sizeof tool[0]; i++)
            if (starts_with(p, tool[i]))
                return 1;
    return 0;
}

/* A line of the judge's that says something of an output or a claim (common/lab/lab_judge.c has the words). */
static int is_about_answer(const char *line, size_t n, const char *ended)
{
    return n > 0 && !line_has_text(line, n, ended) && !line_has_text(line, n, ": out of memory");
}

/* Signals that a program brings upon itself. */
static int is_own_signal(int number)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (number == own[i])
            return 1;
    return 0;
}

/* The kernel ends what has used its processor time by the same signal as somebody outside would. */
static int used_its_time(const Sandbox *s) { return s->cpu_s_used >= s->cpu_s; }

/* CUDA_CHECK's words: FILE:LINE: CALL: what (cudaErrorName). Memory that is not there is the machine's. */
static int is_error_of_runtime(const char *line, size_t n, const char *word)
{
    return line_has_text(line, n, word) && !line_has_text(line, n, "cudaErrorMemoryAllocation") &&
           !line_has_text(line, n, "cudaErrorInitializationError") && !line_has_text(line, n, "cudaErrorNoDevice") &&
           !line_has_text(line, n, "cudaErrorOperatingSystem");
}

/* Without a thread libgomp ends the program where it is, and the checker finds what it has not freed. Nothing else begins a line
 * so: an answer writes none, and the checker's quotations are indented. */
static int is_without_thread(const char *line, size_t n, const char *word)
{
    return n > strlen(word) && starts_with(line, word);
}

Blame blame_of_program(const Sandbox *s, int right, const char *wrong)
{
    if (line_that(s->err, is_without_thread, "libgomp: Thread creation failed"))
        return MACHINE;
    if (has_finding(s->err) ||
        (!right && line_that(wrong, is_about_answer, "the program ended before it had answered")))
        return ANSWER;
    if (s->stopped)
        return by_clock(s) ? MACHINE : ANSWER;
    if (s->status > 128 && used_its_time(s))
        return ANSWER;
    if (s->status > 128 && is_own_signal(s->status - 128))
        return PERHAPS;
    if (s->status != 0 &&
        (line_that(s->err, is_error_of_runtime, "(cudaError") || line_that(s->out, is_error_of_runtime, "(cudaError")))
        return PERHAPS;
    int reported = strstr(s->err, NOTHING_FOUND) != NULL && !strstr(s->err, "CUDA_CPU_COUNTER");
    return right && reported && s->status == 0 ? NOBODY : MACHINE;
}

char *cause_of(const Sandbox *s, const char *who)
{
    const char *line = says_machine(s->err);
    if (line)
        return text("%s: %.*s", who, (int)strcspn(line, "\n"), line);
    if (by_clock(s))
        return text("%s had %.1f s of processor time in %.0f s, and was ended", who, s->cpu_s_used, s->took_s);
    if (s->status > 128 && !s->stopped)
        return text("%s was ended from outside: %s", who, strsignal(s->status - 128));
    if (!(line = line_that(s->err, line_has_text, "error: ")))
        line = s->err;
    return text("%s ended with status %d%s%.*s", who, s->status, *line ? ": " : "", (int)strcspn(line, "\n"), line);
}
