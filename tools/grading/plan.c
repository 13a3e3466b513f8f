/* plan.c: how long a class will take, from grades that were made before. */
#include "../course/say.h"
#include "grading.h"

#include <stdio.h>
#include <stdlib.h>

/* The mean time of the exercise's grades in the folder, in seconds; 0 where there are none. */
static double mean_of(const Grading *g, const Exercise *e, int *grades)
{
    List files = {0};
    char *pattern = text("%s/work/*/%s/result", g->folder, e->number);
    double sum = 0, took;
    int count = 0;
    list_glob(&files, pattern);
    for (int i = 0; i < files.count; i++) {
        char *result = file_read(files.item[i], NULL);
        if (result && sscanf(result, "%*s %*d %*d %lf", &took) == 1)
            sum += took, count++;
        free(result);
    }
    list_free(&files);
    free(pattern);
    *grades += count;
    return count ? sum / count : 0;
}

static char *time_text(double s)
{
    return s < 120 ? text("%.0f s", s) : s < 7200 ? text("%.0f min", s / 60) : text("%.1f h", s / 3600);
}

void plan_print(const Grading *g, const char *wanted)
{
    int submissions = 0, machines = 1, cores = g->course.cores, grades = 0;
    char more;
    int n = sscanf(wanted, "%d,%d,%d%c", &submissions, &machines, &cores, &more);
    if (n < 1 || n > 3 || submissions < 1 || machines < 1 || cores < 1)
        die(2, "grade: --plan wants submissions, machines and cores, as 200,4,16, not '%s'", wanted);
    double each = 0;
    for (int k = 0; k < g->exercises.count; k++) {
        double mean = mean_of(g, &g->exercises.at[k], &grades);
        if (mean == 0)
            die(2, "grade: nothing has been measured for exercise %s yet: grade a few submissions into %s first",
                g->exercises.at[k].number, g->folder);
        each += mean;
    }
    char *time = time_text(submissions * each / (machines * cores));
    say("the %d exercises of a submission took %.1f s on one core, the average of %d grades made here, %d at a time\n",
        g->exercises.count, each, grades, g->course.cores);
    say("%d submissions on %d machine%s of %d cores: about %s\n", submissions, machines, machines > 1 ? "s" : "", cores,
        time);
    free(time);
}
