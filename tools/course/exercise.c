/* exercise.c: the student's commands: make next, skip, hint, reset, watch, and those that make the
 * exercises. What a student has skipped and which hints were shown stand in .course/, which make clean leaves alone. */
#include "commands.h"
#include "leaderboard.h"
#include "say.h"
#include "stages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

/* ---- what is remembered of the student ------------------------------------------------------------------------- */

static char *note_path(const char *what, const Exercise *e) { return text(".course/%s-%s", what, e->number); }

int note_read(const char *what, const Exercise *e)
{
    char *path = note_path(what, e), *value = file_read(path, NULL);
    int n = value ? atoi(value) : 0;
    free(path), free(value);
    return n;
}

static void note_write(const char *what, const Exercise *e, int n)
{
    char *path = note_path(what, e), *value = text("%d\n", n);
    make_folders(".course");
    if (n == 0)
        unlink(path);
    else if (file_write(path, value, strlen(value)))
        die(1, "cannot write %s: %s", path, strerror(errno));
    free(path), free(value);
}

/* Title, points, hints and limits stand in the solution, from which the exercise is made. */
ExerciseText text_of(const Exercise *e)
{
    char *content = file_read(e->solution, NULL);
    if (!content)
        content = file_read(e->path, NULL);
    ExerciseText t = exercise_text(content ? content : "");
    free(content);
    say_exercise(e, &t);
    return t;
}

/* The first exercise that neither passes nor is skipped: of the lecture made last, then of those after it, then of
 * those before. Skipped ones come when nothing else is left. NULL: all pass. */
static const Exercise *next_exercise(const Course *c, const Exercises *all)
{
    for (int skipped = 0; skipped < 2; skipped++)
        for (int before = 0; before < 2; before++)
            for (int i = 0; i < all->count; i++) {
                const Exercise *e = &all->at[i];
                int is_before = c->lecture && strcmp(e->lecture, c->lecture) < 0;
                if (is_before == before && (note_read("skipped", e) != 0) == skipped &&
                    exercise_grade(c, e).state != STATE_PASSED)
                    return e;
            }
    return NULL;
}

static void indent(const char *s)
{
    while (*s) {
        int n = (int)strcspn(s, "\n");
        printf("%s%.*s\n", n ? "    " : "", n, s);
        s += n + (s[n] == '\n');
    }
}

int command_next(Course *c, int argc, char **argv)
{
    Exercises all = exercises_find();
    if (argc > 1 && *argv[1]) /* whoever names one means its hint, or to begin it anew; a name that is none is said */
        die(2, "make next finds the next exercise by itself, and takes no EX (exercise %s exists)",
            exercise_named(&all, argv[1])->number);
    const Exercise *e = next_exercise(c, &all);
    if (!e) {
        say("all exercises pass\n");
        return 0;
    }
    ExerciseText t = text_of(e);
    say("next: exercise %s %s\n\n", e->number, t.title);
    indent(t.asked);
    say("\n    edit:  %s\n    try:   ./run %s\n    hint:  make hint EX=%s    (%d of %d seen)\n    later: make skip "
        "EX=%s\n",
        e->path, e->number, e->number, note_read("hints", e), t.hints.count, e->number);
    return fflush(stdout) ? 1 : 0;
}

int command_skip(Course *c, int argc, char **argv)
{
    Exercises all = exercises_find();
    int named = argc > 1 && *argv[1];
    const Exercise *e = named ? exercise_named(&all, argv[1]) : next_exercise(c, &all);
    if (!e)
        die(0, "all exercises pass");
    ExerciseText t = text_of(e);
    if (note_read("skipped", e)) {
        if (named)
            note_write("skipped", e, 0);
        say(named ? "exercise %s %s is not skipped any more\n"
                  : "only skipped exercises are left; the first is %s %s\n",
            e->number, t.title);
        return 0;
    }
    note_write("skipped", e, 1);
    say("exercise %s is skipped: %s\nmake next passes over it until nothing else is left. make skip EX=%s takes this "
        "back.\n",
        e->number, t.title, e->number);
    return 0;
}

int command_hint(Course *c, int argc, char **argv)
{
    (void)c;
    Exercises all = exercises_find();
    const Exercise *e = exercise_named(&all, argc > 1 ? argv[1] : NULL);
    ExerciseText t = text_of(e);
    int shown = note_read("hints", e) + 1;
    if (t.hints.count == 0) {
        say("exercise %s has no hints\n", e->number);
        return 0;
    }
    if (shown > t.hints.count)
        shown = t.hints.count;
    note_write("hints", e, shown);
    say("Hint %d: ", shown);
    puts(t.hints.item[shown - 1]);
    say("(hint %d of %d)\n", shown, t.hints.count);
    return 0;
}

/* ---- making exercises ------------------------------------------------------------------------------------------ */

/* The stub of an exercise's solution; ends the program if there is none. */
static char *stub_for(const Exercise *e)
{
    const char *why;
    char *solution = file_read(e->solution, NULL);
    if (!solution)
        die(1, "exercise %s has no solution to be made from", e->number);
    char *stub = stub_of(solution, &why);
    if (!stub)
        die(1, "%s: %s", e->solution, why);
    free(solution);
    return stub;
}

/* Keeps the exercise as it is now under the next free number. Returns where. */
static char *keep(const Exercise *e, const char *content)
{
    char *folder = text("%s/exercises/kept", e->lecture), *path = NULL;
    if (make_folders(folder))
        die(1, "cannot make %s: %s; nothing was changed", folder, strerror(errno));
    int fd = -1;
    for (int k = 1; fd < 0; k++) {
        free(path);
        path = text("%s/%.*s.%d.cu", folder, (int)strlen(base_name(e->path)) - 3, base_name(e->path), k);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd < 0 && errno != EEXIST)
            die(1, "cannot write %s: %s; nothing was changed", path, strerror(errno));
    }
    size_t n = strlen(content);
    if (write(fd, content, n) != (ssize_t)n || close(fd) != 0) {
        unlink(path);
        die(1, "cannot write %s; nothing was changed", path);
    }
    free(folder);
    return path;
}

int command_reset(Course *c, int argc, char **argv)
{
    (void)c;
    Exercises all = exercises_find();
    const Exercise *e = exercise_named(&all, argc > 1 ? argv[1] : NULL);
    char *stub = stub_for(e), *now = file_read(e->path, NULL);
    note_write("hints", e, 0);
    note_write("skipped", e, 0);
    if (now && strcmp(now, stub) == 0) {
        say("exercise %s is as it was at first: nothing to reset\n", e->number);
        return 0;
    }
    char *kept = now ? keep(e, now) : NULL;
    if (file_write(e->path, stub, strlen(stub)))
        die(1, "cannot write %s: %s", e->path, strerror(errno));
    if (kept)
        say("exercise %s is as it was at first; what you had is in %s\n", e->number, kept);
    else
        say("exercise %s is as it was at first\n", e->number);
    return 0;
}

int command_stubs(Course *c, int argc, char **argv)
{
    Exercises all = exercises_find();
    (void)c, (void)argc, (void)argv;
    for (int i = 0; i < all.count; i++) {
        const Exercise *e = &all.at[i];
        char *now = file_read(e->path, NULL), *stub = stub_for(e), *folder = text("%s/exercises", e->lecture);
        make_folders(folder);
        if (now && !strstr(now, "TODO(ex"))
            printf("kept: %s has been worked on (make reset EX=%s)\n", e->path, e->number);
        else if ((!now || strcmp(now, stub) != 0) && file_write(e->path, stub, strlen(stub)))
            die(1, "cannot write %s: %s", e->path, strerror(errno));
        free(now), free(stub), free(folder);
    }
    return 0;
}

int command_drift(Course *c, int argc, char **argv)
{
    Exercises all = exercises_find();
    int bad = 0;
    (void)c, (void)argc, (void)argv;
    for (int i = 0; i < all.count; i++) {
        const Exercise *e = &all.at[i];
        char *now = file_read(e->path, NULL), *solution = file_read(e->solution, NULL);
        const char *why = "";
        char *stub = solution ? stub_of(solution, &why) : NULL;
        if (!solution)
            printf("drift: %s has no solution\n", e->path), bad = 1;
        else if (!stub)
            printf("drift: %s: %s\n", e->solution, why), bad = 1;
        else if (!now || strcmp(now, stub) != 0)
            printf("drift: %s is not what %s makes (make stubs)\n", e->path, e->solution), bad = 1;
        else if (!strstr(now, "TODO(ex"))
            printf("drift: %s has no TODO\n", e->path), bad = 1;
        else if (!exercise_text(solution).after)
            printf("drift: %s does not say what comes after a pass (CONTRIBUTING.md)\n", e->solution), bad = 1;
        free(now), free(solution), free(stub);
    }
    return bad;
}

/* ---- one exercise ---------------------------------------------------------------------------------------------- */

int command_path(Course *c, int argc, char **argv)
{
    (void)c;
    Exercises all = exercises_find();
    puts(exercise_named(&all, argc > 1 ? argv[1] : NULL)->path);
    return 0;
}

int command_grade(Course *c, int argc, char **argv)
{
    static const char *const word[] = {"todo", "passed", "failed"};
    Exercises all = exercises_find();
    puts(word[exercise_grade(c, exercise_named(&all, argc > 1 ? argv[1] : NULL)).state]);
    return 0;
}

static void list_todos(const char *content)
{
    int number = 1;
    for (const char *p = content; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL, number++) {
        int n = (int)strcspn(p, "\n");
        char *line = text("%.*s", n, p);
        if (strstr(line, "TODO(ex"))
            say("    line %d: %s\n", number, line + strspn(line, " \t"));
        free(line);
    }
}

/* The student's line of the leaderboard, for a project whose numbers are right. */
static void enter_leaderboard(const Exercise *e, const Grade *g)
{
    const char *name = getenv("COURSE_STUDENT");
    if (!name || !*name)
        name = getenv("USER");
    ExerciseText t = text_of(e);
    Entries all = leaderboard_read(LEADERBOARD);
    Entry mine = {e->number, copy(name && *name ? name : "me"),
                  g->turns,  points_earned(&t, g->state == STATE_PASSED, g->stages),
                  t.points,  leaderboard_date()};
    leaderboard_merge(&all, &mine);
    make_folders(".course");
    if (leaderboard_write(LEADERBOARD, &all) != 0)
        die(1, "cannot write %s: %s", LEADERBOARD, strerror(errno));
    for (int i = 0; i < all.count; i++)
        if (strcmp(all.at[i].exercise, e->number) == 0 && strcmp(all.at[i].student, mine.student) == 0)
            say("%.0f memory turns; the best of %s is %.0f, with %d points (%s; tools/course.sh leaderboard)\n",
                mine.turns, mine.student, all.at[i].turns, all.at[i].points, LEADERBOARD);
}

State exercise_grade_and_tell(const Course *c, const Exercise *e)
{
    Grade g = exercise_grade(c, e);
    if (g.stages) {
        indent(say_words(g.said));
        enter_leaderboard(e, &g);
    }
    if (g.state == STATE_TODO) {
        char *content = file_read(e->path, NULL);
        say("exercise %s: still to do. Edit %s where it says TODO, and delete the TODO line when you are done.\n",
            e->number, e->path);
        list_todos(content);
        free(content);
    } else if (g.state == STATE_PASSED) {
        say("exercise %s passes (self-assessment, on your own machine). A solution to compare with: %s\n", e->number,
            e->solution);
        const char *after = text_of(e).after;
        if (after)
            printf("%s\n", after);
    } else if (g.stages) {
        say("exercise %s is right, but not finished. A hint: make hint EX=%s\n", e->number, e->number);
    } else {
        indent(say_words(g.said));
        say("exercise %s is not right yet. A hint: make hint EX=%s\n", e->number, e->number);
    }
    free(g.said);
    fflush(stdout);
    return g.state;
}

int command_watch(Course *c, int argc, char **argv)
{
    Exercises all = exercises_find();
    const int named = argc > 1 && *argv[1]; /* who names one stays with it, whatever comes of it */
    const Exercise *e = named ? exercise_named(&all, argv[1]) : next_exercise(c, &all);
    struct timespec last = {0};
    for (const Exercise *told = NULL; e;) {
        struct stat st;
        if (told != e)
            say("watching %s (stop with Ctrl-C)\n", (told = e)->path);
        fflush(stdout);
        if (stat(e->path, &st) == 0 && (st.st_mtim.tv_sec != last.tv_sec || st.st_mtim.tv_nsec != last.tv_nsec)) {
            last = st.st_mtim;
            if (exercise_grade_and_tell(c, e) != STATE_PASSED)
                continue;
            if (named) {
                say("still watching %s (make watch without EX goes on to the next exercise)\n", e->path);
            } else { /* on to the next, which is named once */
                e = next_exercise(c, &all);
                last = (struct timespec){0};
                putchar('\n');
                continue;
            }
        }
        usleep(200000);
    }
    say("all exercises pass\n");
    return 0;
}
