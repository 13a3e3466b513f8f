/* progress.c: make exercises: how far the student is, as a list with bars and as a page. */
#include "commands.h"
#include "say.h"
#include "stages.h"
#include "../../cpudevice/include/cpudev_written.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bar(const char *name, int points, int of)
{
    int full = of ? points * 20 / of : 0;
    char *words = say_words(name);
    printf("%s%*s ", words, 24 - say_columns(words) > 0 ? 24 - say_columns(words) : 0, "");
    free(words);
    for (int i = 0; i < 20; i++)
        fputs(i < full ? "\u2588" : "\u2591", stdout);
    putchar(' ');
    say("%d of %d points\n", points, of);
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
            points += points_earned(&r[i].text, r[i].grade.state == STATE_PASSED, r[i].grade.stages);
        }
    return points;
}

/* "12 of 34 points" */
static char *of_points(int points, int of)
{
    char *english = text("%d of %d points", points, of), *words = say_words(english);
    free(english);
    return words;
}

/* The progress as a page of its own: a bar a lecture, and each exercise with what its grade said. */
static void write_page(const char *path, const Result *r, int count)
{
    static const char *const word[] = {"to do", "passed", "not yet"};
    FILE *f = fopen(path, "w");
    int of, points = points_of(r, count, NULL, &of);
    char *heading = of_points(points, of), *title = text("Exercises: %d of %d points", points, of);
    title = say_words(title);
    if (!f)
        die(2, "cannot write %s: %s", path, strerror(errno));
    fprintf(
        f,
        "<!doctype html><html lang=\"%s\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">"
        "<title>%s</title><style>:root{color-scheme:light dark;--back:#fff;--text:#1a1d21;"
        "--passed:#0a6b1f;--not:#b42318;--line:#d0d6dd}@media(prefers-color-scheme:dark){:root{--back:#14171b;"
        "--text:#eceff3;--passed:#6fd08c;--not:#ff8a75;--line:#363d46}}body{font:16px/1.5 sans-serif;max-width:50em;"
        "margin:2em auto;padding:0 1em;background:var(--back);color:var(--text)}table{width:100%%;border-collapse:"
        "collapse}td{padding:.3em .5em .3em 0;vertical-align:top;border-top:1px solid var(--line)}td:last-child{"
        "white-space:nowrap;text-align:right;padding-right:0}progress{width:100%%}.passed{color:var(--passed)}"
        ".not{color:var(--not)}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font-size:13px}@media("
        "max-width:30em){body{margin:1em auto}td:last-child{white-space:normal;min-width:4em}}</style><h1>%s</h1>"
        "<progress max=\"%d\" value=\"%d\"></progress>\n",
        say_in_chinese() ? "zh-CN" : "en", title, heading, of, points);
    for (int i = 0; i < count; i++) {
        if (i == 0 || strcmp(r[i].e->lecture, r[i - 1].e->lecture) != 0) {
            char *title = say_lecture(r[i].e->lecture);
            points = points_of(r, count, r[i].e->lecture, &of);
            fputs(i ? "</table>\n<h2>" : "<h2>", f);
            html_text(f, title);
            char *so_far = of_points(points, of);
            fprintf(f, "</h2><p>%s <progress max=\"%d\" value=\"%d\"></progress><table>\n", so_far, of, points);
            free(so_far);
            free(title);
        }
        const char *state = word[r[i].grade.state];
        fprintf(f, "<tr><td>%s<td>", r[i].e->number);
        html_text(f, r[i].text.title);
        if (r[i].grade.state == STATE_FAILED) {
            fputs("<pre>", f);
            html_text(f, say_words(r[i].grade.said));
            fputs("</pre>", f);
        }
        char *words = say_words(state), *skipped = say_words(r[i].skipped ? ", skipped" : "");
        fprintf(f, "<td class=\"%.*s\">%s%s\n", (int)strcspn(state, " "), state, words, skipped);
        free(words), free(skipped);
    }
    fputs("</table></html>\n", f);
    if (written_close(f))
        die(1, "cannot write %s: %s", path, strerror(errno));
}

int command_exercises(Course *c, int argc, char **argv)
{
    static const char *const english[] = {"  to do ", " passed ", "not yet "}, *const chinese[] = {
                                                                                   "  待做  ", "  通过  ", " 未通过 "};
    const char *const *mark = say_in_chinese() ? chinese : english;
    Exercises all = exercises_find();
    Result *r = calloc((size_t)all.count + 1, sizeof *r);
    int passed = 0, of;
    for (int i = 0; i < all.count; i++) {
        const Exercise *e = &all.at[i];
        r[i] = (Result){e, text_of(e), exercise_grade(c, e), note_read("skipped", e)};
        passed += r[i].grade.state == STATE_PASSED;
        printf("%s %-5s %s", mark[r[i].grade.state], e->number, r[i].text.title);
        say("%s\n", r[i].skipped ? ", skipped" : "");
        if (r[i].grade.state == STATE_FAILED && r[i].grade.stages)
            say("               %d points so far, for the stages that pass (./run %s)\n",
                points_earned(&r[i].text, 0, r[i].grade.stages), e->number);
        if (i + 1 == all.count || strcmp(e->lecture, all.at[i + 1].lecture) != 0) {
            int points = points_of(r, i + 1, e->lecture, &of);
            bar(e->lecture, points, of);
            putchar('\n');
        }
        fflush(stdout);
    }
    int points = points_of(r, all.count, NULL, &of);
    bar("in all", points, of);
    say("%d of %d exercises pass\n", passed, all.count);
    if (argc > 1 && *argv[1]) {
        write_page(argv[1], r, all.count);
        say("as a page: %s\n", argv[1]);
    }
    free(r);
    return fflush(stdout) ? 1 : 0;
}
