/* beside.c: how long an exercise's answer would take on a GPU, beside its solution: both run on the CPU device at the
 * same shape, with the model of a chip (cpudevice/docs/model.md). */
#include "beside.h"
#include "say.h"
#include "../../common/csv.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUN_CPU_S = 120 };

/* The times of one run's launches, added up. */
typedef struct Modelled {
    double us;
    int launches;
    char *why_not; /* NULL: us is the sum of all */
} Modelled;

/* "kernel",grid,block,cold_us,...,"note": adds a launch. What makes an exercise's input is not the answer's. */
static void add_launch(Modelled *m, char *row)
{
    enum { KERNEL, COLD_US = 3, NOTE = 15, FIELDS };
    char *field[FIELDS];
    if (csv_split(row, field, FIELDS) != FIELDS || csv_is_setup(field[KERNEL]))
        return;
    m->launches++;
    if (*field[COLD_US])
        m->us += atof(field[COLD_US]);
    else if (!m->why_not)
        m->why_not = text("%s: %s", field[KERNEL], field[NOTE]);
}

static Modelled modelled(const char *program, const char *chip, const List *options, const char *csv)
{
    Modelled m = {0};
    Job job = {.out = "/dev/null", .err = "/dev/null", .cpu_limit_s = RUN_CPU_S};
    char *set_chip = text("CUDA_CPU_MODEL=%s", chip), *set_csv = text("CUDA_CPU_MODEL_CSV=%s", csv);
    list_add(&job.command, program), list_add(&job.command, "--verify");
    for (int i = 0; i < options->count; i++)
        list_add(&job.command, options->item[i]);
    list_add(&job.set, "CUDA_CPU_TOOLS=counters"), list_add(&job.set, set_chip), list_add(&job.set, set_csv);
    unlink(csv);
    char *all = job_run(&job) == 0 ? file_read(csv, NULL) : NULL, *rest = all, *row;
    if (!all)
        m.why_not = text(job.status == 124 ? "it does not end in %d s" : "its numbers are wrong", RUN_CPU_S);
    strsep(&rest, "\n");
    while ((row = strsep(&rest, "\n")) && *row)
        add_launch(&m, row);
    if (!m.launches && !m.why_not)
        m.why_not = copy("it launches nothing");
    job_free(&job);
    free(set_chip), free(set_csv), free(all);
    return m;
}

int beside_solution(const Course *c, const Exercise *e, const char *chip, const List *options)
{
    int stem = (int)strlen(e->path) - 3, solutions = (int)strlen(e->solution) - 3;
    char *answer = text("build/model/%.*s", stem, e->path),
         *solution = text("build/model/%.*s", solutions, e->solution), *log = text("%s/model.log", c->build),
         *csv = text("%s/model.csv", c->build);
    List targets = {0};
    list_add(&targets, answer), list_add(&targets, solution);
    if (course_make(c, &targets, log))
        die(1, "the exercise or its solution does not build: see %s", log);
    Modelled mine = modelled(answer, chip, options, csv), theirs = modelled(solution, chip, options, csv);
    say("\n");
    if (mine.why_not)
        say("the model gives no time for your answer: %s\n", mine.why_not);
    else if (theirs.why_not)
        say("the model gives no time for the solution: %s\n", theirs.why_not);
    else
        say("on the chip %s your answer would take about %.1f us and the solution about %.1f us, by the model: %.2f "
            "times as long\n",
            chip, mine.us, theirs.us, mine.us / theirs.us);
    const int none = mine.why_not || theirs.why_not;
    unlink(csv);
    list_free(&targets);
    free(answer), free(solution), free(log), free(csv), free(mine.why_not), free(theirs.why_not);
    return none;
}
