/* verdict.h: whose fault it is that something did not succeed. Only an answer's own fault fails it: an error of the compiler
 * in its file, a verdict of the judge or the checker, a limit. Whatever else goes wrong is the machine's, and says nothing of
 * the answer. These look at what a sandbox returned, and do nothing. */
#ifndef VERDICT_H
#define VERDICT_H

#include "sandbox.h"

typedef enum Blame {
    NOBODY,
    ANSWER,
    PERHAPS, /* the answer, if it happens a second time: a crash, an error of the runtime */
    MACHINE,
} Blame;

/* The compiler made no program of `file` (a name without folders). */
Blame blame_of_compiler(const Sandbox *s, const char *file);
/* The program has ended. `wrong` is what the judge wrote but its last line, `right` whether it found all outputs right. */
Blame blame_of_program(const Sandbox *s, int right, const char *wrong);
/* The line that says best what was wrong with the machine, or how the process ended, as a text. */
char *cause_of(const Sandbox *s, const char *who);
/* How the checker's last line begins where it has found nothing. */
#define NOTHING_FOUND "cucc --check: 0 errors "
/* Has the checker written a finding? */
int has_finding(const char *err);
/* What sandbox_run() says, in `stopped`, of a limit that the machine's other work can exhaust. */
extern const char stopped_by_clock[];

#endif
