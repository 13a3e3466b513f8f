/* lab_time.c: how things are timed, as the command line asks. */
#include "lab_internal.h"

#include <math.h>
#include <stdlib.h>

#include "device.h"

const char *lab_mode(void)
{
    return lab_options()->sustained ? "sustained" : lab_options()->burst ? "burst" : "interleaved";
}

BenchOptions lab_bench_options(cudaStream_t stream)
{
    return (BenchOptions){.stream = stream,
                          .warmups = lab_options()->burst || device_is_cpu() ? 1 : 5,
                          .rounds = lab_options()->sustained ? 1000
                                    : lab_options()->burst   ? 20
                                                             : lab_options()->runs,
                          .warm = lab_options()->sustained, /* back to back: a flush in between would be a rest */
                          .sustained_s = lab_options()->sustained ? 3 : 0,
                          .idle_s = lab_options()->burst ? 1 : 0,
                          .budget_ms = lab_options()->sustained ? 60e3
                                       : device_is_cpu()        ? 150
                                                                : 400};
}

/* The places in subject[] of the three fastest, the best first; -1 where there are fewer. */
static void three_fastest(void (*run)(void *context), void *const *context, int count, const BenchOptions *o,
                          int best[3])
{
    BenchSubject *subject = calloc((size_t)count, sizeof *subject);
    double *samples = calloc((size_t)(count * o->rounds), sizeof *samples), least[3] = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < count; i++)
        subject[i] = (BenchSubject){run, context[i], samples + i * o->rounds, 0};
    bench(subject, count, o);
    best[0] = best[1] = best[2] = -1;
    for (int i = 0; i < count; i++) {
        double time = bench_ratio(&subject[i], &subject[0]);
        for (int j = 0, who = i; j < 3; j++)
            if (time < least[j]) {
                double m = least[j];
                int w = best[j];
                least[j] = time, best[j] = who;
                time = m, who = w;
            }
    }
    free(samples);
    free(subject);
}

int lab_fastest(void (*run)(void *context), void *const *context, int count, cudaStream_t stream)
{
    BenchOptions o = lab_bench_options(stream);
    void *finalist[3];
    int first[3], last[3], finalists = 0;
    if (lab_options()->verify_only || count < 2)
        return 0;
    o.rounds = lab_options()->sustained ? 64 : 16;
    o.sustained_s = lab_options()->sustained ? 1 : 0;
    three_fastest(run, context, count, &o, first);
    /* Once more among the best: slow rivals change what those beside them find, in L2 and in the clock. */
    while (finalists < 3 && first[finalists] >= 0) {
        finalist[finalists] = context[first[finalists]];
        finalists++;
    }
    o.rounds *= 2;
    three_fastest(run, finalist, finalists, &o, last);
    return first[last[0]];
}
