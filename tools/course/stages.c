#include "stages.h"
#include "limits.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int stage_heading(const char *line)
{
    line += strspn(line, " ");
    return starts_with(line, "stage ") && isdigit((unsigned char)line[6]) && ends_with(line, ":");
}

/* "stage 2, whole sectors (2 points):" */
static Stage read_heading(const char *line)
{
    const char *name = line + strcspn(line, ",");
    name += strspn(name, ", ");
    const char *open = strrchr(name, '(');
    if (!open || atoi(open + 1) <= 0)
        die(1, "the stage '%s' does not say how many points it has", line);
    int length = (int)(open - name);
    while (length && name[length - 1] == ' ')
        length--;
    return (Stage){text("%.*s", length, name), atoi(open + 1), copy("")};
}

Stages stages_of(const ExerciseText *t)
{
    Stages s = {0};
    char *list = copy(t->limits ? t->limits : ""), *rest = list, *line;
    while ((line = strsep(&rest, "\n"))) {
        if (stage_heading(line)) {
            if (s.count == 0)
                s.at[s.count++] = (Stage){copy("right"), t->points, NULL};
            if (s.count == MOST_STAGES)
                die(1, "a project has at most %d stages", MOST_STAGES);
            s.at[s.count++] = read_heading(line + strspn(line, " "));
            s.at[0].points -= s.at[s.count - 1].points;
        } else if (s.count) {
            Stage *last = &s.at[s.count - 1];
            char *more = text("%s%s\n", last->limits, line);
            free(last->limits);
            last->limits = more;
        }
    }
    if (s.count && s.at[0].points < 1)
        die(1, "the stages of '%s' have all its points: none is left for right numbers", t->title);
    free(list);
    return s;
}

void stages_free(Stages *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->at[i].name), free(s->at[i].limits);
    s->count = 0;
}

int stages_passed(const Stages *s, const char *launches_csv, const char *lines_csv, const char *compiler_said,
                  const char *file, char **why)
{
    int passed = s->count > 0;
    *why = NULL;
    while (passed && passed < s->count &&
           !(*why = limits_missed(s->at[passed].limits, launches_csv, lines_csv, compiler_said, file)))
        passed++;
    return passed;
}

int stages_points(const Stages *s, int passed)
{
    int points = 0;
    for (int i = 0; i < passed; i++)
        points += s->at[i].points;
    return points;
}

int points_earned(const ExerciseText *t, int passes, int stages)
{
    if (passes || stages == 0)
        return passes ? t->points : 0;
    Stages s = stages_of(t);
    int points = stages_points(&s, stages);
    stages_free(&s);
    return points;
}

char *stages_words(const Stages *s, int passed, const char *why)
{
    char *all = copy("");
    for (int i = 0; i < s->count; i++) {
        char *more = text("%sstage %d, %s: %s (%d point%s)\n", all, i + 1, s->at[i].name,
                          i < passed    ? "passed"
                          : i == passed ? "next"
                                        : "later",
                          s->at[i].points, s->at[i].points == 1 ? "" : "s");
        free(all);
        all = more;
    }
    int points = stages_points(s, passed), of = stages_points(s, s->count);
    char *words = passed == s->count ? text("%s%d of %d points: all stages pass", all, points, of)
                                     : text("%s%d of %d points. Next is stage %d, %s%s%s", all, points, of, passed + 1,
                                            s->at[passed].name, why && *why ? ":\n" : "", why ? why : "");
    free(all);
    return words;
}
