/* lab_model.c: what the model of a chip says of a rung's launches, on the CPU device (cpudevice/docs/model.md). */
#include "csv.h"
#include "lab_internal.h"

#include <string.h>

#ifdef LAB_CPU
#include "cpudevice.h"

static unsigned launches; /* of the program so far */
static LabModelled last;

static int ended(unsigned i, cpudev_model_time *t) { return cpudev_model_launch && cpudev_model_launch(i, t); }

static void add(LabModelled *m, const cpudev_model_time *t)
{
    static double longest;
    if (m->launches++ == 0)
        longest = 0;
    if (t->unknown && !*m->why_not)
        snprintf(m->why_not, sizeof m->why_not, "%s", t->unknown);
    if (t->unknown)
        return;
    m->ranged = m->ranged && t->high_us > 0;
    m->ms += t->us / 1e3, m->low_ms += t->low_us / 1e3, m->high_ms += t->high_us / 1e3;
    if (t->us > longest)
        longest = t->us, m->limiter = t->limiter;
}

void lab_model_begin(void)
{
    cpudev_model_time t;
    last = (LabModelled){.ranged = 1};
    while (ended(launches, &t))
        launches++;
}

void lab_model_end(void)
{
    for (cpudev_model_time t; ended(launches, &t); launches++) {
        snprintf(last.chip, sizeof last.chip, "%s", t.chip);
        if (!csv_is_setup(t.kernel))
            add(&last, &t);
    }
}

int lab_modelled(LabModelled *m)
{
    *m = last;
    return last.launches > 0;
}

#else
void lab_model_begin(void) {}
void lab_model_end(void) {}
int lab_modelled(LabModelled *m)
{
    *m = (LabModelled){0};
    return 0;
}
#endif
