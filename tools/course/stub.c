/* stub.c: makes an exercise out of its solution. Between the lines "// >>> answer" and "// <<< answer" everything goes,
 * but for lines "// stub: TEXT", which become TEXT, so that the stub still compiles; and of the first comment the hints
 * go, which `make hint` tells one by one, and what ./run says after a pass. All else is copied. */
#include "commands.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int begins(const char *line, const char *words) { return starts_with(line + strspn(line, " \t"), words); }

/* Is this line of the first comment the beginning of a hint, or of what is said after a pass? */
static int is_secret(const char *line)
{
    return (starts_with(line, " * Hint ") && isdigit((unsigned char)line[8])) ||
           starts_with(line, " * After a pass:\n");
}

char *stub_of(const char *solution, const char **why)
{
    char *stub = malloc(strlen(solution) + 2), *out = stub;
    int inside = 0, comment = starts_with(solution, "/*"), secret = 0, lines_of_blank = 0;
    *why = NULL;
    if (!stub)
        die(1, "not enough memory");
    for (const char *p = solution, *end; *p; p = *end ? end + 1 : end) {
        end = p + strcspn(p, "\n");
        size_t n = (size_t)(end - p);
        int last_of_comment = comment && n >= 2 && end[-1] == '/' && end[-2] == '*';
        if (comment && is_secret(p))
            secret = 1;
        if (comment && strncmp(p, " *\n", 3) == 0) {
            lines_of_blank++; /* held back: a hint may follow, and go with it */
            secret = 0;
            continue;
        }
        if (last_of_comment)
            secret = comment = 0, lines_of_blank = strncmp(p, " */", 3) == 0 ? 0 : lines_of_blank;
        if (secret)
            continue;
        for (; lines_of_blank; lines_of_blank = 0)
            out = stpcpy(out, " *\n");
        if (begins(p, "// >>> answer")) {
            inside = 1;
        } else if (begins(p, "// <<< answer")) {
            inside = 0;
        } else if (!inside || begins(p, "// stub: ")) {
            size_t blanks = inside ? strspn(p, " \t") : 0, skip = inside ? blanks + strlen("// stub: ") : 0;
            memcpy(out, p, blanks), out += blanks;
            memcpy(out, p + skip, n - skip), out += n - skip;
            if (*end)
                *out++ = '\n';
        }
    }
    *out = 0;
    if (inside) {
        *why = "an answer is not closed";
        free(stub);
        return NULL;
    }
    return stub;
}

int command_stub(Course *c, int argc, char **argv)
{
    (void)c;
    if (argc != 2)
        die(2, "usage: course.sh stub SOLUTION");
    const char *why;
    char *solution = file_read(argv[1], NULL), *stub = solution ? stub_of(solution, &why) : NULL;
    if (!stub)
        die(1, "%s: %s", argv[1], solution ? why : "cannot be read");
    fputs(stub, stdout);
    free(stub), free(solution);
    return fflush(stdout) ? 1 : 0;
}
