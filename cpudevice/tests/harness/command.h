/* command.h: tests of what people type: a table of shell commands, each with the exit status and a text that it must
 * print. The commands run in the folder that the test program runs in, by sh, without a terminal, and see the
 * environment that the test's fixture has set. */
#ifndef COMMAND_H
#define COMMAND_H

#include <check.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

typedef struct CommandCase {
    int status;
    const char *says; /* extended regular expression of a line in stdout or stderr; "" is any, "^$" nothing in both */
    const char *command;
} CommandCase;

enum { COMMAND_FOLDER = 32 };

typedef struct CommandResult {
    int status; /* of the exit; -1: ended by a signal */
    char out[1 << 16], err[1 << 14];
} CommandResult;

static inline void command_slurp(FILE *f, char *text, size_t size)
{
    rewind(f);
    text[fread(text, 1, size - 1, f)] = 0;
    fclose(f);
}

static inline void command_run(const char *command, CommandResult *r)
{
    FILE *out = tmpfile(), *err = tmpfile();
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (!freopen("/dev/null", "r", stdin))
            _exit(126);
        dup2(fileno(out), 1);
        dup2(fileno(err), 2);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    command_slurp(out, r->out, sizeof r->out);
    command_slurp(err, r->err, sizeof r->err);
}

static inline int command_matches(const char *text, const char *pattern)
{
    regex_t re;
    ck_assert_msg(regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE) == 0, "malformed: %s", pattern);
    int yes = regexec(&re, text, 0, NULL, 0) == 0;
    regfree(&re);
    return yes;
}

/* An empty folder of its own, whose path is in `folder` and, for what the commands do, in $out; and its end. */
static inline void command_folder(char folder[COMMAND_FOLDER])
{
    snprintf(folder, COMMAND_FOLDER, "/tmp/courseXXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("out", folder, 1);
}

/* Runs a command that must succeed. */
static inline void command_succeeds(const char *command) { ck_assert_msg(system(command) == 0, "failed: %s", command); }

/* Is there nothing but an empty line (of echo, say)? The end of any text is an empty line to a regular expression. */
static inline int command_is_silent(const CommandResult *r) { return (!*r->out || !strcmp(r->out, "\n")) && !*r->err; }

/* Runs the case and fails the test unless it does as it must. With status 2 stderr must be one line, or two of
 * argp's: it is the user's. */
static inline void command_holds(const CommandCase *c)
{
    CommandResult *r = calloc(1, sizeof *r);
    command_run(c->command, r);
    int lines = 0;
    for (const char *p = r->err; *p; p++)
        lines += *p == '\n';
    int says = !strcmp(c->says, "^$")
                   ? command_is_silent(r)
                   : !*c->says || command_matches(r->out, c->says) || command_matches(r->err, c->says);
    r->out[2000] = r->err[1000] = 0; /* Check's messages are short */
    ck_assert_msg(r->status == c->status, "%s\nstatus %d, not %d:\n%s%s", c->command, r->status, c->status, r->out,
                  r->err);
    ck_assert_msg(says, "%s\ndoes not say '%s':\n%s%s", c->command, c->says, r->out, r->err);
    ck_assert_msg(c->status != 2 || lines <= 2 || strstr(r->err, "make"), "%s\nsays it in more than two lines:\n%s",
                  c->command, r->err);
    free(r);
}

static inline void commands_hold(const CommandCase *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        command_holds(&cases[i]);
}

#endif
