/* listing.c: ./run LAB --ptx and --sass: what nvcc makes of the kernels that a rung launches. Which these are is seen by running
 * it: they are in its trace. listing_tool.c compiles. */
#include "listing.h"
#include "../run.h"

#include <stdlib.h>
#include <string.h>

/* Adds the names of the kernels in a Chrome trace, each once. */
static void kernels_of(const char *trace, List *names)
{
    static const char *const begins = "\"cat\":\"kernel\",\"name\":\"";
    for (const char *p = strstr(trace, begins); p; p = strstr(p, begins)) {
        p += strlen(begins);
        char *name = text("%.*s", (int)strcspn(p, "\""), p);
        if (!list_has(names, name))
            list_add(names, name);
        free(name);
    }
}

/* Runs the lab's rung, and adds the kernels that it launches to `names`. */
static void kernels_launched(const Run *r, const LabInfo *lab, List *names)
{
    char *trace = text("%s/listing.json", r->course->build), *log = text("%s/listing.log", r->course->build);
    const char *ask[] = {"--verify", "--small", "--no-vendor", "--trace", trace};
    Job job = {.out = log, .err = log};
    list_add(&job.command, lab->program);
    for (size_t i = lab->rungs.count ? 0 : 2; i < sizeof ask / sizeof ask[0]; i++)
        if (lab->rungs.count || i != 2)
            list_add(&job.command, ask[i]);
    for (int i = 0; i < r->pass.count; i++)
        list_add(&job.command, r->pass.item[i]);
    int status = job_run(&job);
    char *said = file_read(log, NULL), *events = file_read(trace, NULL);
    if (status == 2) /* an option that it does not know, say */
        die(2, "%.*s", (int)(said ? strcspn(said, "\n") : 0), said ? said : "");
    kernels_of(events ? events : "", names);
    if (!names->count)
        die(1, "run: no kernel ran that could be listed (%s says more)", log);
    free(said), free(events), free(trace), free(log);
    job_free(&job);
}

int run_listing(const Run *r, const LabInfo *lab)
{
    Listing l = {.mode = strcmp(r->listing, "ptx") == 0 ? LISTING_PTX : LISTING_SASS};
    char *source = text("%s/%s.cu", r->lecture, lab->name);
    if (listing_can()) /* else listing_of() says what is missing */
        kernels_launched(r, lab, &l.wanted);
    int status = listing_of(&l, source);
    list_free(&l.wanted);
    free(source);
    return status;
}
