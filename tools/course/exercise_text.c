#include "commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One line of the comment without " * " or the comment's own ends. */
static char *plain(const char *line, size_t n)
{
    if (n >= 2 && line[n - 1] == '/' && line[n - 2] == '*')
        n -= 2;
    if (n >= 2 && line[1] == '*' && (line[0] == '/' || line[0] == ' '))
        line += 2, n -= 2;
    if (n && line[0] == ' ')
        line++, n--;
    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    return text("%.*s", (int)n, line);
}

static void append(char **to, const char *line)
{
    char *joined = *to ? text("%s\n%s", *to, line) : copy(line);
    free(*to);
    *to = joined;
}

static void append_hint(ExerciseText *t, const char *line)
{
    char **last = &t->hints.item[t->hints.count - 1];
    append(last, line);
}

static void read_title(ExerciseText *t, const char *line)
{
    if (!starts_with(line, "Exercise "))
        return;
    line += strlen("Exercise ");
    line += strcspn(line, " ");
    line += strspn(line, " ");
    free(t->title);
    t->title = copy(line);
    const char *open = strrchr(line, '(');
    t->points = open && isdigit((unsigned char)open[1]) ? atoi(open + 1) : 1;
}

/* Lines above and below the text that are empty say nothing. */
static void trim(char **s)
{
    if (!*s)
        *s = copy("");
    char *first = *s + strspn(*s, "\n"), *trimmed;
    size_t n = strlen(first);
    while (n && first[n - 1] == '\n')
        n--;
    trimmed = text("%.*s", (int)n, first);
    free(*s);
    *s = trimmed;
}

ExerciseText exercise_text(const char *content)
{
    ExerciseText t = {.title = copy("")};
    enum { TITLE, ASKED, LIMITS, HINT, AFTER } part = TITLE;
    if (!starts_with(content, "/*"))
        content = "";
    for (const char *p = content, *end; *p; p = *end ? end + 1 : end) {
        end = p + strcspn(p, "\n");
        char *line = plain(p, (size_t)(end - p));
        int last = end - p >= 2 && end[-1] == '/' && end[-2] == '*';
        if (part == TITLE) {
            read_title(&t, line);
            part = ASKED;
        } else if (starts_with(line, "Limits") && ends_with(line, ":")) {
            part = LIMITS;
            if (starts_with(line, "Limits at "))
                t.limits_at = text("%.*s", (int)strlen(line) - 11, line + 10);
            t.limits = copy("");
        } else if (starts_with(line, "Hint ") && isdigit((unsigned char)line[5])) {
            const char *words = line + 5 + strspn(line + 5, "0123456789: ");
            list_add(&t.hints, words);
            part = HINT;
        } else if (strcmp(line, "After a pass:") == 0) {
            part = AFTER;
        } else if (!*line && part != ASKED) {
            part = ASKED;
        } else if (part == HINT) {
            append_hint(&t, line);
        } else if (part == AFTER) {
            append(&t.after, line);
        } else if (part == LIMITS) {
            append(&t.limits, line);
        } else {
            append(&t.asked, line);
        }
        free(line);
        if (last)
            break;
    }
    trim(&t.asked);
    if (t.limits)
        trim(&t.limits);
    return t;
}

void exercise_text_free(ExerciseText *t)
{
    free(t->title), free(t->asked), free(t->after), free(t->limits), free(t->limits_at);
    list_free(&t->hints);
    *t = (ExerciseText){0};
}
