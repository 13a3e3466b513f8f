/* report.c: what the teacher, the student and other programs read. All text that came from a submission is cleaned of
 * control characters where it is made (clean.h); here it is only escaped for the format at hand. A file is written
 * beside its place and then put there: if the disk is full, what was there before stays. */
#include "../course/commands.h"
#include "../course/leaderboard.h"
#include "../course/stages.h"
#include "../course/say.h"
#include "clean.h"
#include "grading.h"
#include "tell.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Page {
    char *path, *words;
    size_t size;
    FILE *f;
} Page;

static void create(Page *p, const Grading *g, const char *name)
{
    *p = (Page){.path = text("%s/%s", g->folder, name)};
    if (!(p->f = open_memstream(&p->words, &p->size)))
        die(1, "not enough memory");
}

static void finish(Page *p)
{
    if (ferror(p->f) | fclose(p->f))
        die(1, "not enough memory");
    if (file_write(p->path, p->words, p->size) != 0)
        die(1, "cannot write %s: %s", p->path, strerror(errno));
    free(p->path), free(p->words);
}

static int points(const Exercise *e)
{
    ExerciseText t = text_of(e);
    const int of = t.points;
    exercise_text_free(&t);
    return of;
}

int result_points(const Exercise *e, const Result *r)
{
    ExerciseText t = text_of(e);
    const int earned = points_earned(&t, r->outcome == PASSED, r->stages);
    exercise_text_free(&t);
    return earned;
}

/* A submission's points over all exercises, and how many there are. */
static int total(const Grading *g, const Result *r, int *of)
{
    int sum = 0;
    *of = 0;
    for (int k = 0; k < g->exercises.count; k++) {
        *of += points(&g->exercises.at[k]);
        sum += result_points(&g->exercises.at[k], &r[k]);
    }
    return sum;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* In the reader's language. */
static void write_words(FILE *f, const char *english)
{
    char *words = say_words(english);
    fputs(words, f);
    free(words);
}

/* What was said of an answer, likewise. */
static void write_indented(FILE *f, const char *said)
{
    char *told = tell(said);
    for (const char *s = told; *s;) {
        int n = (int)strcspn(s, "\n");
        fprintf(f, "    %.*s\n", n, s);
        s += n + (s[n] == '\n');
    }
    free(told);
}

static void write_student(const Grading *g, const Submission *s, const Result *r)
{
    char *name = text("students/%s.txt", s->student);
    Page page;
    create(&page, g, name);
    FILE *f = page.f;
    int of, sum = total(g, r, &of);
    char *earned = text(s->late ? "%d of %d points (handed in late)" : "%d of %d points", sum, of);
    fprintf(f, "%s%s", s->student, tell_colon());
    write_words(f, earned);
    fputc('\n', f);
    free(earned);
    for (int k = 0; k < g->exercises.count; k++) {
        const Exercise *e = &g->exercises.at[k];
        ExerciseText t = text_of(e);
        fprintf(f, "\n%s %s%s", e->number, t.title, tell_colon());
        write_words(f, outcome_word[r[k].outcome]);
        fputc('\n', f);
        write_indented(f, r[k].said);
        exercise_text_free(&t);
    }
    finish(&page);
    free(name);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static void write_csv(const Grading *g, const Submissions *all, const Result *results)
{
    Page page;
    create(&page, g, "grades.csv");
    FILE *f = page.f;
    fputs("student", f);
    for (int k = 0; k < g->exercises.count; k++)
        fprintf(f, ",%s", g->exercises.at[k].number);
    fputs(",points,of,late,note\n", f);
    for (int i = 0; i < all->count; i++) {
        const Submission *s = &all->at[i];
        const Result *r = &results[i * g->exercises.count];
        if (s->instead)
            continue;
        fprintf(f, "%s", s->student);
        int of, sum = total(g, r, &of), broken = 0;
        for (int k = 0; k < g->exercises.count; k++)
            if (s->root && r[k].outcome == BROKEN)
                fputc(',', f), broken = 1;
            else
                fprintf(f, ",%d", result_points(&g->exercises.at[k], &r[k]));
        const char *note = !s->root ? "unreadable" : broken ? "not graded" : "";
        fprintf(f, ",%d,%d,%s,%s\n", sum, of, s->late ? "late" : "", note);
    }
    finish(&page);
}

/* The class's scores in projects, merged with those that an earlier run left there. */
static void write_leaderboard(const Grading *g, const Submissions *all, const Result *results)
{
    char *path = text("%s/leaderboard.csv", g->folder);
    Entries e = leaderboard_read(path);
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < g->exercises.count && !all->at[i].instead; k++) {
            const Exercise *exercise = &g->exercises.at[k];
            const Result *r = &results[i * g->exercises.count + k];
            if (r->stages == 0 || r->outcome == BROKEN)
                continue;
            Entry entry = {exercise->number,           all->at[i].student, r->turns,
                           result_points(exercise, r), points(exercise),   leaderboard_date()};
            leaderboard_merge(&e, &entry);
            free(entry.date);
        }
    if (e.count && leaderboard_write(path, &e) != 0)
        die(1, "cannot write %s: %s", path, strerror(errno));
    free(path);
}

static void write_escaped(FILE *f, const char *s, int json)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (json && (c == '"' || c == '\\'))
            fprintf(f, "\\%c", c);
        else if (json && c < 32)
            fprintf(f, "\\u%04x", c);
        else if (!json && (c == '<' || c == '>' || c == '&' || c == '"'))
            fprintf(f, "&#%d;", c);
        else
            fputc(c, f);
    }
}

static void write_told(FILE *f, const char *said, int json)
{
    char *told = tell(said);
    write_escaped(f, told, json);
    free(told);
}

/* One test suite a student, one test an exercise. */
static void write_junit(const Grading *g, const Submissions *all, const Result *results)
{
    Page page;
    create(&page, g, "junit.xml");
    FILE *f = page.f;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", f);
    for (int i = 0; i < all->count; i++) {
        const Submission *s = &all->at[i];
        const Result *r = &results[i * g->exercises.count];
        int bad[OUTCOMES] = {0};
        double took_s = 0;
        if (s->instead)
            continue;
        for (int k = 0; k < g->exercises.count; k++)
            bad[r[k].outcome]++, took_s += r[k].took_s;
        fputs("<testsuite name=\"", f);
        write_escaped(f, s->student, 0);
        fprintf(f, "\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.2f\">\n", g->exercises.count,
                bad[FAILED], bad[BROKEN], bad[TODO] + bad[MISSING], took_s);
        for (int k = 0; k < g->exercises.count; k++) {
            static const char *const element[OUTCOMES] = {"", "failure", "skipped", "skipped", "error"};
            fputs("<testcase classname=\"", f);
            write_escaped(f, s->student, 0);
            fprintf(f, "\" name=\"%s\" time=\"%.2f\"", g->exercises.at[k].number, r[k].took_s);
            if (r[k].outcome == PASSED) {
                fputs("/>\n", f);
                continue;
            }
            fprintf(f, "><%s message=\"%s\">", element[r[k].outcome], outcome_word[r[k].outcome]);
            write_told(f, r[k].said, 0);
            fprintf(f, "</%s></testcase>\n", element[r[k].outcome]);
        }
        fputs("</testsuite>\n", f);
    }
    fputs("</testsuites>\n", f);
    finish(&page);
}

/* The results.json that Gradescope's autograder reads, one a student. */
static void write_gradescope(const Grading *g, const Submission *s, const Result *r)
{
    char *name = text("students/%s.results.json", s->student);
    Page page;
    create(&page, g, name);
    FILE *f = page.f;
    int of, sum = total(g, r, &of);
    fprintf(f, "{\"score\": %d, \"tests\": [", sum);
    for (int k = 0; k < g->exercises.count; k++) {
        const Exercise *e = &g->exercises.at[k];
        ExerciseText t = text_of(e);
        fprintf(f, "%s\n {\"number\": \"%s\", \"name\": \"", k ? "," : "", e->number);
        write_escaped(f, t.title, 1);
        fprintf(f, "\", \"score\": %d, \"max_score\": %d, ", result_points(e, &r[k]), t.points);
        if (r[k].outcome != BROKEN) /* Gradescope knows nothing between these two */
            fprintf(f, "\"status\": \"%s\", ", r[k].outcome == PASSED ? "passed" : "failed");
        fputs("\"output\": \"", f);
        write_words(f, outcome_word[r[k].outcome]);
        if (*r[k].said) {
            fputs("\\n", f);
            write_told(f, r[k].said, 1);
        }
        fputs("\"}", f);
        exercise_text_free(&t);
    }
    fputs("\n]}\n", f);
    finish(&page);
    free(name);
}

void report_write(const Grading *g, const Submissions *all, const Result *results)
{
    char *folder = text("%s/students", g->folder);
    if (make_folders(folder))
        die(1, "cannot make %s: %s", folder, strerror(errno));
    for (int i = 0; i < all->count; i++) {
        const Result *r = &results[i * g->exercises.count];
        if (all->at[i].instead)
            continue;
        write_student(g, &all->at[i], r);
        write_gradescope(g, &all->at[i], r);
    }
    write_csv(g, all, results);
    write_leaderboard(g, all, results);
    write_junit(g, all, results);
    free(folder);
}

/* ---- for the teacher -------------------------------------------------------------------------------------------- */

/* A path as it was given, on one line of a terminal. No name is taken for words that have their Chinese. */
static void print_path(const char *before, const char *path, const char *after)
{
    char *shown = copy(path);
    clean_line(shown);
    write_words(stdout, before);
    fputs(shown, stdout);
    write_words(stdout, after);
    free(shown);
}

static void list_submissions(const Submissions *all)
{
    for (int i = 0; i < all->count; i++) {
        const Submission *s = &all->at[i];
        if (s->instead) {
            print_path("duplicate: ", s->path, "");
            fputs(say_in_chinese() ? "" : " ", stdout);
            print_path("(graded instead: ", s->instead, ")\n");
        } else if (!s->root) {
            print_path("unreadable: ", s->path, tell_colon());
            char *why = tell(s->why);
            print_path("", why, "\n");
            free(why);
        } else if (s->late) {
            print_path("late: ", s->student, "\n");
        }
    }
}

void report_print(const Grading *g, const Submissions *all, const Result *results, double took_s)
{
    int n[OUTCOMES] = {0}, students = 0;
    for (int i = 0; i < all->count; i++) {
        students += !all->at[i].instead;
        for (int k = 0; k < g->exercises.count && all->at[i].root && !all->at[i].instead; k++) {
            const Result *r = &results[i * g->exercises.count + k];
            n[r->outcome]++;
            if (r->outcome == BROKEN) {
                char *said = tell(r->said);
                write_words(stdout, "not graded: ");
                printf("%s %s%s%s\n", all->at[i].student, g->exercises.at[k].number, tell_colon(), said);
                free(said);
            }
        }
    }
    list_submissions(all);
    char *all_of_them = text("%d submission%s, %d exercise%s each", students, students == 1 ? "" : "s",
                             g->exercises.count, g->exercises.count == 1 ? "" : "s");
    say("%s: %d passed, %d failed, %d to do, %d missing, %d not graded; %.1f s\n", all_of_them, n[PASSED], n[FAILED],
        n[TODO], n[MISSING], n[BROKEN], took_s);
    free(all_of_them);
    print_path(
        "", g->folder,
        ": grades.csv, junit.xml, and students/: what each should read (.txt) and results.json for Gradescope\n");
}
