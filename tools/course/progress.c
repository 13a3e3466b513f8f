/* progress.c: make exercises: how far the student is, as a list with bars and as a page. */
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bar(const char *name, int points, int of)
{
    int full = of ? points * 20 / of : 0;
    printf("%-24s ", name);
    for (int i = 0; i < 20; i++)
        fputs(i < full ? "\u2588" : "\u2591", stdout);
    printf(" %d of %d points\n", points, of);
}

/* What came of one exercise, for the list and for the page. */
typedef struct Result {
    const Exercise *e;
    ExerciseText text;
    Grade grade;
    int skipped;
} Result;

static void html_text(FILE *f, const char *s)
{
    for (; *s; s++) {
        if (*s == '<')
            fputs("&lt;", f);
        else if (*s == '>')
            fputs("&gt;", f);
        else if (*s == '&')
            fputs("&amp;", f);
        else
            fputc(*s, f);
    }
}

static int points_of(const Result *r, int count, const char *lecture, int *of)
{
    int points = 0;
    *of = 0;
    for (int i = 0; i < count; i++)
        if (!lecture || strcmp(r[i].e->lecture, lecture) == 0) {
            *of += r[i].text.points;
            points += r[i].grade.state == STATE_PASSED ? r[i].text.points : 0;
        }
    return points;
}

/* The progress as a page of its own: a bar a lecture, and each exercise with what its grade said. */
static void write_page(const char *path, const Result *r, int count)
{
    static const char *const word[] = {"to do", "passed", "not yet"};
    FILE *f = fopen(path, "w");
    int of, points = points_of(r, count, NULL, &of);
    if (!f)
        die(2, "cannot write %s: %s", path, strerror(errno));
    fprintf(
        f,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\">"
        "<title>Exercises: %d of %d points</title><style>body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;"
        "padding:0 1em;color-scheme:light dark}table{width:100%%;border-collapse:collapse}td{padding:.2em .5em;"
        "vertical-align:top}progress{width:100%%}.passed{color:#080}.not{color:#b00}pre{white-space:pre-wrap;margin:0;"
        "font-size:13px}</style><h1>%d of %d points</h1><progress max=\"%d\" value=\"%d\"></progress>\n",
        points, of, points, of, of, points);
    for (int i = 0; i < count; i++) {
        if (i == 0 || strcmp(r[i].e->lecture, r[i - 1].e->lecture) != 0) {
            char *title = lecture_title(r[i].e->lecture);
            points = points_of(r, count, r[i].e->lecture, &of);
            fputs(i ? "</table>\n<h2>" : "<h2>", f);
            html_text(f, title);
            fprintf(f, "</h2><p>%d of %d points <progress max=\"%d\" value=\"%d\"></progress><table>\n", points, of, of,
                    points);
            free(title);
        }
        const char *state = word[r[i].grade.state];
        fprintf(f, "<tr><td>%s<td>", r[i].e->number);
        html_text(f, r[i].text.title);
        if (r[i].grade.state == STATE_FAILED) {
            fputs("<pre>", f);
            html_text(f, r[i].grade.said);
            fputs("</pre>", f);
        }
        fprintf(f, "<td class=\"%.*s\">%s%s\n", (int)strcspn(state, " "), state, state,
                r[i].skipped ? ", skipped" : "");
    }
    fputs("</table></html>\n", f);
    if (fclose(f))
        die(1, "cannot write %s: %s", path, strerror(errno));
}

int command_exercises(Course *c, int argc, char **argv)
{
    static const char *const mark[] = {"  to do ", " passed ", "not yet "};
    Exercises all = exercises_find();
    Result *r = calloc((size_t)all.count + 1, sizeof *r);
    int passed = 0, of;
    for (int i = 0; i < all.count; i++) {
        const Exercise *e = &all.at[i];
        r[i] = (Result){e, text_of(e), exercise_grade(c, e), note_read("skipped", e)};
        passed += r[i].grade.state == STATE_PASSED;
        printf("%s %-5s %s%s\n", mark[r[i].grade.state], e->number, r[i].text.title, r[i].skipped ? ", skipped" : "");
        if (i + 1 == all.count || strcmp(e->lecture, all.at[i + 1].lecture) != 0) {
            int points = points_of(r, i + 1, e->lecture, &of);
            bar(e->lecture, points, of);
            putchar('\n');
        }
        fflush(stdout);
    }
    int points = points_of(r, all.count, NULL, &of);
    bar("in all", points, of);
    printf("%d of %d exercises pass\n", passed, all.count);
    if (argc > 1 && *argv[1]) {
        write_page(argv[1], r, all.count);
        printf("as a page: %s\n", argv[1]);
    }
    free(r);
    return fflush(stdout) ? 1 : 0;
}
