/* listing.c: ./run LAB --ptx and --sass: what nvcc makes of the kernels that a rung launches. Which these are is seen by running
 * it: they are in its trace. tools/notes/listing.sh compiles and prints. */
#include "run.h"

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

int run_listing(const Run *r, const LabInfo *lab)
{
    char *source = text("%s/%s.cu", r->lecture, lab->name), *trace = text("%s/listing.json", r->course->build),
         *log = text("%s/listing.log", r->course->build);
    const char *ask[] = {"--verify", "--small", "--no-vendor", "--trace", trace};
    Job job = {.out = log, .err = log}, print = {0};
    list_add(&print.command, "tools/notes/listing.sh");
    list_add(&print.command, r->listing);
    list_add(&print.command, source);
    if (*output_of("tools/setup/device.sh", "--toolkit")) { /* else the script says what is missing */
        List names = {0};
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
        kernels_of(events ? events : "", &names);
        if (!names.count)
            die(1, "run: no kernel ran that could be listed (%s says more)", log);
        for (int i = 0; i < names.count; i++)
            list_add(&print.command, names.item[i]);
        list_free(&names);
        free(said), free(events);
    }
    int status = job_run(&print);
    job_free(&job), job_free(&print);
    free(source), free(trace), free(log);
    return status;
}
